//! The lines of a watch in the chosen format.

use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::Value;

use super::encode;
use crate::{
    cli::{
        args::{Old, WatchArgs, WatchOutput},
        print::{
            name, summary,
            table::{clean, line},
        },
        query::resource_of,
    },
    proto::v1alpha1::{Informer, WatchEvent, WatchResponse},
};

/// Writes messages as lines.
pub(super) struct Lines {
    output: WatchOutput,
    old: Old,
    group: String,
    resource: String,
    prefix: String,
    with_namespace: bool,
    header: bool,
    /// Of the columns so far: they only grow, as nothing that is printed can be laid out again.
    widths: Vec<usize>,
}

// === impl Lines ===

impl Lines {
    pub(super) fn new(args: &WatchArgs, informer: &Informer) -> Self {
        let (group, resource) = resource_of(informer);
        Self {
            output: args.output,
            old: args.old,
            prefix: name::prefix(&informer.kind, group),
            group: group.into(),
            resource: resource.into(),
            with_namespace: informer.namespaced && args.filter.many_namespaces(),
            header: !args.no_headers,
            widths: Vec::new(),
        }
    }

    /// True if control frames are lines of the output.
    pub(super) fn tells_controls(&self) -> bool {
        self.output == WatchOutput::Json
    }

    pub(super) fn encode(&mut self, message: &WatchResponse) -> Vec<u8> {
        let mut out = Vec::new();
        match self.output {
            WatchOutput::Json => {
                // Events of a message come before its marker: `synced` closes what stands above it.
                for event in &message.events {
                    encode::event(&mut out, event, self.old);
                }
                if let Some(control) = &message.control {
                    encode::control(&mut out, control);
                }
            }
            WatchOutput::Name => {
                let names = message
                    .events
                    .iter()
                    .filter_map(|e| e.r#ref.as_ref())
                    .map(|r| r.name.as_str());
                out = name::lines(&self.prefix, names).into_bytes();
            }
            WatchOutput::Table => out = self.rows(&message.events).into_bytes(),
        }
        out
    }

    /// What a new snapshot after a broken one is announced by.
    pub(super) fn restarted(&self) -> Vec<u8> {
        let mut out = Vec::new();
        if self.tells_controls() {
            encode::restarted(&mut out);
        }
        out
    }

    fn rows(&mut self, events: &[WatchEvent]) -> String {
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |t| i64::try_from(t.as_secs()).unwrap_or(0));
        let mut rows: Vec<Vec<String>> = Vec::with_capacity(events.len() + 1);
        if !events.is_empty() && std::mem::replace(&mut self.header, false) {
            let names = ["EVENT", "CAUSE", "NAMESPACE", "NAME", "REVISION", "STATE"];
            rows.push(
                names
                    .into_iter()
                    .filter(|n| self.with_namespace || *n != "NAMESPACE")
                    .map(str::to_owned)
                    .collect(),
            );
        }
        rows.extend(events.iter().map(|event| self.row(event, now)));
        for row in &rows {
            self.widths.resize(self.widths.len().max(row.len()), 0);
            for (width, cell) in self.widths.iter_mut().zip(row) {
                *width = (*width).max(cell.chars().count());
            }
        }
        let mut out = String::new();
        for row in &rows {
            line(&mut out, row, &self.widths);
        }
        out
    }

    fn row(&self, event: &WatchEvent, now: i64) -> Vec<String> {
        let mut row = vec![
            encode::type_word(event).to_owned(),
            encode::cause_word(event).to_owned(),
        ];
        let (namespace, name) = event
            .r#ref
            .as_ref()
            .map_or(("", ""), |r| (r.namespace.as_str(), r.name.as_str()));
        if self.with_namespace {
            row.push(clean(namespace));
        }
        row.push(clean(name));
        row.push(event.revision.to_string());
        row.push(clean(&summary_of(event, &self.group, &self.resource, now)));
        row
    }
}

/// The object of an event in a few words; empty if it came without a body.
pub(crate) fn summary_of(event: &WatchEvent, group: &str, resource: &str, now: i64) -> String {
    let data = event
        .object
        .as_ref()
        .map(|payload| &payload.data[..])
        .unwrap_or_default();
    match serde_json::from_slice::<Value>(data) {
        Ok(object) => summary::of(group, resource, &object, now),
        Err(_) => String::new(),
    }
}
