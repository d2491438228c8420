//! client-go's side: the program in `tests/historian`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::OnceLock;

use serde::Deserialize;
use support::DEADLINE;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, Command};
use tokio::sync::watch;

use crate::calls::{Call, Kind, Record};
use crate::server::NAMESPACE;

/// The running program. It ends with its standard input.
pub(crate) struct Historian {
    record: watch::Receiver<Record>,
    commands: ChildStdin,
    _process: Child,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[derive(Default)]
struct Line {
    call: String,
    key: String,
    uid: String,
    version: String,
    old_uid: String,
    old_version: String,
    initial: bool,
    tombstone: bool,
    objects: BTreeMap<String, String>,
}

/// The program, built by `tests/build-historian` if it is not there.
fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/build-historian");
        let output = std::process::Command::new(script)
            .output()
            .expect("run build-historian");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "build-historian: {said}");
        // The line is meant for a shell, so a shell reads it.
        let line = String::from_utf8_lossy(&output.stdout);
        let echo = format!("{line}\nprintf %s \"$INFORMERD_TEST_HISTORIAN\"");
        let output = std::process::Command::new("bash").args(["-c", &echo]).output();
        PathBuf::from(String::from_utf8_lossy(&output.expect("run bash").stdout).into_owned())
    })
}

// === impl Historian ===

impl Historian {
    pub(crate) fn start(kubeconfig: &Path, selector: &str) -> Self {
        let mut process = Command::new(program())
            .arg(format!("-kubeconfig={}", kubeconfig.display()))
            .arg(format!("-namespace={NAMESPACE}"))
            .arg(format!("-selector={selector}"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // What the informer logs of cuts and refusals is of no interest.
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .expect("start the historian");
        let commands = process.stdin.take().expect("its input");
        let mut lines = BufReader::new(process.stdout.take().expect("its output")).lines();
        let (sender, record) = watch::channel(Record::default());
        tokio::spawn(async move {
            while let Ok(Some(text)) = lines.next_line().await {
                sender.send_modify(|record| record.take(&text));
            }
            sender.send_modify(|record| record.broken = Some("the historian has ended".into()));
        });
        Self {
            record,
            commands,
            _process: process,
        }
    }

    /// Waits until the record satisfies `enough`, and returns it.
    pub(crate) async fn until(&self, what: &str, enough: impl Fn(&Record) -> bool) -> Record {
        let mut record = self.record.clone();
        let over = |record: &Record| record.broken.is_some() || enough(record);
        let found = tokio::time::timeout(DEADLINE, record.wait_for(over)).await;
        let found = found.unwrap_or_else(|_| {
            panic!(
                "client-go, not within {DEADLINE:?}: {what}; {:#?}",
                self.record.borrow()
            )
        });
        let found = found.expect("the reader's task").clone();
        assert_eq!(found.broken, None, "client-go: {what}");
        found
    }

    /// The content of its store and the version that it stands at.
    pub(crate) async fn store(&mut self) -> (u64, BTreeMap<String, u64>) {
        let before = self.record.borrow().stores;
        self.commands.write_all(b"store\n").await.expect("ask the historian");
        let record = self.until("an answer", |record| record.stores > before).await;
        record.store.expect("a store")
    }
}

// === impl Record ===

impl Record {
    fn take(&mut self, text: &str) {
        let Ok(line) = serde_json::from_str::<Line>(text) else {
            self.broken = Some(text.to_owned());
            return;
        };
        let version = |text: &str| text.parse::<u64>().unwrap_or(0);
        let kind = match &*line.call {
            "synced" => {
                self.synced = true;
                return;
            }
            "store" => {
                let objects = line.objects.iter().map(|(key, text)| (key.clone(), version(text)));
                self.store = Some((version(&line.version), objects.collect()));
                self.stores += 1;
                return;
            }
            "add" => Kind::Added,
            "update" => Kind::Updated,
            "delete" => Kind::Deleted,
            _ => {
                self.broken = Some(text.to_owned());
                return;
            }
        };
        self.calls.push(Call {
            kind,
            key: line.key,
            uid: line.uid,
            version: version(&line.version),
            old: (kind == Kind::Updated).then(|| (line.old_uid, version(&line.old_version))),
            initial: line.initial,
            tombstone: line.tombstone,
            relisted: None,
        });
    }
}
