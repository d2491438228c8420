//! The live view of `informerd demo`: the sidecar's own Watch streams, one line a delta.
//!
//! ```text
//! Watch pods ---------.
//! Watch deployments ---+--> bounded channel --> lines, counts --> stdout, summary at the end
//! Watch configmaps ---'
//! ```
//! It knows the sidecar only as any other client does: by a channel.

use std::{
    fmt::Write as _,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use tokio::{
    io::{AsyncWrite, AsyncWriteExt as _},
    sync::mpsc,
    task::JoinSet,
    time::Instant,
};
use tonic::{Status, transport::Channel};

use crate::{
    cli::{
        connect::MAX_MESSAGE_BYTES,
        error::{CliError, describe},
        print::table::clean,
        query::{by_resource, wire},
        watch::{
            encode::{cause_word, key, type_word},
            lines::summary_of,
        },
    },
    proto::v1alpha1::{
        EventType, WatchEvent, WatchRequest, WatchResponse, subscription_service_client::SubscriptionServiceClient,
        watch_response::Control,
    },
};

/// What is watched: group and plural.
const RESOURCES: [(&str, &str); 3] = [("", "pods"), ("apps", "deployments"), ("", "configmaps")];

/// Messages that may wait for the terminal, over all streams; beyond it HTTP/2 holds the server back.
const QUEUE: usize = 64;

/// How often an idle stream says that it is alive.
const BOOKMARKS: Duration = Duration::from_secs(10);

/// How the view is shown.
#[derive(Debug, Clone, Copy, Default)]
pub struct DemoView {
    /// End after this time; `None` means when `stop` resolves.
    pub run_for: Option<Duration>,
    /// Colour the event types; for terminals only.
    pub color: bool,
}

/// What was seen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Summary {
    /// ADDED events, those of the snapshots included.
    pub added: u64,
    /// UPDATED events.
    pub updated: u64,
    /// DELETED events.
    pub deleted: u64,
}

// === impl DemoView ===

impl DemoView {
    /// Shows deltas until the time is over, `stop` resolves, or a stream fails. The summary has been printed when it returns.
    pub async fn run(
        &self,
        channel: Channel,
        out: &mut (dyn AsyncWrite + Unpin + Send),
        stop: impl Future<Output = ()>,
    ) -> Result<Summary, CliError> {
        let started = Instant::now();
        let (sender, mut messages) = mpsc::channel(QUEUE);
        // Dropping the set when the view ends aborts the streams.
        let mut streams = JoinSet::new();
        for at in 0..RESOURCES.len() {
            streams.spawn(read(channel.clone(), at, sender.clone()));
        }
        drop(sender);
        let mut summary = Summary::default();
        let end = async {
            match self.run_for {
                Some(time) => tokio::time::sleep_until(started + time).await,
                None => std::future::pending().await,
            }
        };
        tokio::pin!(stop, end);
        let result = loop {
            let (at, message) = tokio::select! {
                biased;
                () = &mut stop => break Ok(()),
                () = &mut end => break Ok(()),
                next = messages.recv() => match next {
                    Some((at, Ok(message))) => (at, message),
                    Some((at, Err(status))) => {
                        break Err(CliError::Failed(format!("watch of {}: {}", RESOURCES[at].1, describe(&status))));
                    }
                    None => break Ok(()),
                },
            };
            let lines = self.lines(at, &message, &mut summary, now());
            out.write_all(lines.as_bytes()).await?;
            out.flush().await?;
        };
        let last = format!(
            "{} added, {} updated, {} deleted in {:.1} s\n",
            summary.added,
            summary.updated,
            summary.deleted,
            started.elapsed().as_secs_f64()
        );
        out.write_all(last.as_bytes()).await?;
        out.flush().await?;
        result.map(|()| summary)
    }

    fn lines(&self, at: usize, message: &WatchResponse, summary: &mut Summary, now: Duration) -> String {
        let (group, resource) = RESOURCES[at];
        let mut out = String::new();
        for event in &message.events {
            match event.r#type() {
                EventType::Added => summary.added += 1,
                EventType::Updated => summary.updated += 1,
                EventType::Deleted => summary.deleted += 1,
                EventType::Resync | EventType::Unspecified => {}
            }
            self.event(&mut out, group, resource, event, now);
        }
        let mut status = |word: &str, count: u64, revision: Option<u64>| {
            let counts = format!(
                "{} added, {} updated, {} deleted so far",
                summary.added, summary.updated, summary.deleted
            );
            let revision = revision.unwrap_or(0);
            let _ = writeln!(
                out,
                "{} -- {resource} {word}: {count} objects at revision {revision}; {counts}",
                clock(now)
            );
        };
        match &message.control {
            Some(Control::Synced(s)) => status("synced", s.object_count, s.status.as_ref().map(|s| s.revision)),
            Some(Control::Bookmark(b)) => status("bookmark", b.object_count, b.status.as_ref().map(|s| s.revision)),
            Some(Control::Reset(_)) => {
                let _ = writeln!(out, "{} -- {resource} reset: a new snapshot follows", clock(now));
            }
            Some(Control::Terminating(_)) => {
                let _ = writeln!(
                    out,
                    "{} -- {resource} terminating: the server ends the watch",
                    clock(now)
                );
            }
            Some(Control::Created(_)) | None => {}
        }
        out
    }

    fn event(&self, out: &mut String, group: &str, resource: &str, event: &WatchEvent, now: Duration) {
        let kind = type_word(event);
        let (on, off) = match (self.color, kind) {
            (true, "ADDED") => ("\x1b[32m", "\x1b[0m"),
            (true, "UPDATED") => ("\x1b[33m", "\x1b[0m"),
            (true, "DELETED") => ("\x1b[31m", "\x1b[0m"),
            _ => ("", ""),
        };
        let seconds = i64::try_from(now.as_secs()).unwrap_or(0);
        let what = if kind == "DELETED" {
            String::new()
        } else {
            clean(&summary_of(event, group, resource, seconds))
        };
        let key = clean(&event.r#ref.as_ref().map(key).unwrap_or_default());
        let line = format!(
            "{} {on}{kind:<8}{off} {:<8} {resource:<12} {key:<36} {what:<24} rev {}",
            clock(now),
            cause_word(event),
            event.revision
        );
        out.push_str(&line);
        out.push('\n');
    }
}

/// One stream's messages, with its place in [`RESOURCES`], until it ends.
async fn read(channel: Channel, at: usize, sender: mpsc::Sender<(usize, Result<WatchResponse, Status>)>) {
    let request = WatchRequest {
        informer: Some(by_resource(RESOURCES[at].1)),
        bookmark_interval: Some(wire(BOOKMARKS)),
        max_receive_bytes: MAX_MESSAGE_BYTES as u64,
        client_id: "informerd-demo".into(),
        ..WatchRequest::default()
    };
    let mut client = SubscriptionServiceClient::new(channel).max_decoding_message_size(MAX_MESSAGE_BYTES);
    let mut stream = match client.watch(request).await {
        Ok(reply) => reply.into_inner(),
        Err(status) => {
            // If the view is gone, nobody wants to know.
            let _ = sender.send((at, Err(status))).await;
            return;
        }
    };
    loop {
        let (message, more) = match stream.message().await {
            Ok(Some(message)) => (Ok(message), true),
            Ok(None) => (Err(Status::unavailable("the server ended the stream")), false),
            Err(status) => (Err(status), false),
        };
        if sender.send((at, message)).await.is_err() || !more {
            return;
        }
    }
}

fn now() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

/// Time of day, in UTC.
fn clock(now: Duration) -> String {
    let s = now.as_secs() % 86_400;
    format!(
        "{:02}:{:02}:{:02}.{:03}",
        s / 3600,
        s / 60 % 60,
        s % 60,
        now.subsec_millis()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proto::v1alpha1::{EventCause, ObjectPayload, ObjectRef, Synced};

    fn message(kind: EventType) -> WatchResponse {
        WatchResponse {
            events: vec![WatchEvent {
                r#type: kind.into(),
                cause: EventCause::Live.into(),
                r#ref: Some(ObjectRef {
                    namespace: "ns".into(),
                    name: "a\x1b[2J".into(),
                    ..ObjectRef::default()
                }),
                object: Some(ObjectPayload {
                    data: r#"{"status":{"phase":"Running"}}"#.into(),
                    ..ObjectPayload::default()
                }),
                revision: 12,
                ..WatchEvent::default()
            }],
            ..WatchResponse::default()
        }
    }

    const NOW: Duration = Duration::from_millis(86_400_000 + 3_661_007);

    #[test]
    fn a_line_tells_time_type_cause_object_state_and_revision() {
        let mut summary = Summary::default();
        let line = DemoView::default().lines(0, &message(EventType::Added), &mut summary, NOW);
        let words: Vec<_> = line.split_whitespace().collect();
        assert_eq!(
            words,
            [
                "01:01:01.007",
                "ADDED",
                "LIVE",
                "pods",
                "ns/a\\u{1b}[2J",
                "Running",
                "rev",
                "12"
            ]
        );
        assert!(line.ends_with("rev 12\n"));
    }

    #[test]
    fn only_a_terminal_gets_colour() {
        let mut summary = Summary::default();
        for (color, want) in [(true, true), (false, false)] {
            let view = DemoView {
                color,
                ..DemoView::default()
            };
            assert_eq!(
                view.lines(0, &message(EventType::Deleted), &mut summary, NOW)
                    .contains("\x1b[31m"),
                want
            );
        }
    }

    #[test]
    fn events_are_counted_and_told_at_a_marker() {
        let mut summary = Summary::default();
        let view = DemoView::default();
        for kind in [
            EventType::Added,
            EventType::Added,
            EventType::Updated,
            EventType::Deleted,
            EventType::Resync,
        ] {
            view.lines(1, &message(kind), &mut summary, NOW);
        }
        assert_eq!(
            summary,
            Summary {
                added: 2,
                updated: 1,
                deleted: 1
            }
        );
        let synced = WatchResponse {
            control: Some(Control::Synced(Synced {
                object_count: 5,
                ..Synced::default()
            })),
            ..WatchResponse::default()
        };
        let line = view.lines(1, &synced, &mut summary, NOW);
        assert_eq!(
            line,
            "01:01:01.007 -- deployments synced: 5 objects at revision 0; 2 added, 1 updated, 1 deleted so far\n"
        );
    }
}
