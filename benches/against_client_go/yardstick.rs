//! client-go's informer as a process: `tests/controlplane/yardstick`.

use std::{
    io::{BufRead, BufReader, Write},
    path::PathBuf,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use serde::Deserialize;
use support::{ControlPlane, test_bin};

/// Which informer of client-go: typed, as controllers use it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variant {
    /// As it comes: protobuf, and everything is kept.
    Full,
    /// A transform drops managedFields, as informerd does by default.
    Stripped,
    /// Without managedFields, and made to ask for JSON, as informerd does and as client-go must for custom resources.
    Json,
}

/// One report of a synced informer, as yardstick writes it.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Report {
    pub(crate) objects: usize,
    pub(crate) wall_millis: f64,
    pub(crate) cpu_micros_per_object: f64,
    pub(crate) rss_after_sync: u64,
    #[serde(rename = "rssAfterGC")]
    pub(crate) rss_after_gc: u64,
    #[serde(rename = "peakRSS")]
    pub(crate) peak_rss: u64,
}

/// A yardstick that holds its cache and reports again when it is asked to. Its standard input is a pipe of this process,
/// and it ends with that, however this process ends.
pub(crate) struct Held {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

// === impl Variant ===

impl Variant {
    pub(crate) const ALL: [Self; 3] = [Self::Full, Self::Stripped, Self::Json];

    pub(crate) fn flags(self) -> &'static [&'static str] {
        match self {
            Self::Full => &[],
            Self::Stripped => &["-strip-managed-fields"],
            Self::Json => &["-strip-managed-fields", "-json"],
        }
    }
}

/// The program.
pub(crate) fn program() -> PathBuf {
    test_bin().join("yardstick")
}

// === impl Held ===

impl Held {
    /// Starts one and returns it with the report of its initial sync. `namespace` limits it to one.
    pub(crate) fn start(plane: &ControlPlane, variant: Variant, namespace: Option<&str>) -> (Self, Report) {
        let mut command = Command::new(program());
        command.arg("-kubeconfig").arg(plane.kubeconfig());
        command.args(variant.flags()).arg("-hold");
        command.args(namespace.iter().flat_map(|name| ["-namespace", *name]));
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{command:?}: {error}"));
        let mut held = Self {
            input: child.stdin.take().expect("piped"),
            output: BufReader::new(child.stdout.take().expect("piped")),
            child,
        };
        let report = held.read();
        (held, report)
    }

    /// Asks for another report. It collects garbage first.
    pub(crate) fn report(&mut self) -> Report {
        self.input.write_all(b"\n").expect("yardstick runs");
        self.read()
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    fn read(&mut self) -> Report {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("a report");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{line:?} is no report: {error}"))
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
