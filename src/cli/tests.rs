//! The client commands against a server that plays a script, over a real Unix socket.

mod fake;
mod get;
mod watch;

use serde_json::Value;

use self::fake::{Fake, Script};
use super::*;

/// Handlers of a binary that has none.
struct NoServer;

impl Handlers for NoServer {
    async fn serve(&self, config: ServeConfig) -> anyhow::Result<()> {
        anyhow::bail!("serve {:?}", config.socket)
    }

    async fn demo(&self, args: DemoArgs) -> anyhow::Result<()> {
        anyhow::bail!("demo {:?}", args.seed)
    }
}

/// What a command did.
struct Outcome {
    code: u8,
    out: String,
    notes: String,
}

async fn run_line(line: &str) -> Outcome {
    let (mut out, mut notes) = (std::io::Cursor::new(Vec::new()), Vec::new());
    let args = std::iter::once("informerd").chain(line.split_whitespace());
    let code = run(
        args,
        &NoServer,
        &mut Io {
            out: &mut out,
            notes: &mut notes,
        },
    )
    .await;
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    Outcome {
        code,
        out: text(out.into_inner()),
        notes: text(notes),
    }
}

async fn on(fake: &Fake, line: &str) -> Outcome {
    run_line(&format!("{line} --server {}", fake.url())).await
}

#[tokio::test]
async fn server_errors_are_one_line_with_code_reason_and_field() {
    let fake = Fake::start(Script::default()).await;
    for line in ["get things", "watch things", "get things -o name"] {
        let outcome = on(&fake, line).await;
        assert_eq!((outcome.code, outcome.out.as_str()), (1, ""), "{line}");
        assert_eq!(
            outcome.notes,
            "error: NOT_FOUND/RESOURCE_NOT_FOUND: the API server has no resource `things` (field informer.resource.resource)\n"
        );
    }
}

#[tokio::test]
async fn contradictions_are_usage_errors() {
    for line in [
        "get pods a -A",
        "get pods a -l b=c",
        "get pods a/b",
        "get pods --index a=1 --index b=2",
        "watch pods,nodes",
        "watch pods --old full",
        "get pods --server nonsense",
        "serve --config does/not/exist.yaml",
        "serve --socket none",
        "status --log-level info=loud=x",
        "queue peek q --max 1001",
        "queue requeue q a/b/c",
        "queue delete queues/",
    ] {
        let outcome = run_line(line).await;
        assert_eq!(
            (outcome.code, outcome.out.as_str()),
            (2, ""),
            "{line}: {}",
            outcome.notes
        );
        assert!(outcome.notes.starts_with("error: "), "{line}: {}", outcome.notes);
    }
}

#[tokio::test]
async fn help_and_version_are_results() {
    let version = run_line("--version").await;
    assert_eq!(
        (version.code, version.out),
        (0, format!("informerd {}\n", env!("CARGO_PKG_VERSION")))
    );
    let help = run_line("get --help").await;
    assert!(help.code == 0 && help.out.contains("--field-selector") && help.notes.is_empty());
}

#[tokio::test]
async fn the_handlers_get_what_was_asked_for() {
    let serve = run_line("serve --socket /some.sock").await;
    assert_eq!(
        (serve.code, serve.notes.as_str()),
        (1, "error: serve Some(\"/some.sock\")\n")
    );
    let demo = run_line("demo --seed 3").await;
    assert_eq!((demo.code, demo.notes.as_str()), (1, "error: demo Some(3)\n"));
}

#[tokio::test]
async fn status_shows_server_and_informers() {
    let fake = Fake::start(Script::default()).await;
    let table = on(&fake, "status").await;
    assert_eq!(table.code, 0, "{}", table.notes);
    assert!(
        table.out.starts_with("informerd 9.9, epoch e, 2 informers\nNAME "),
        "{}",
        table.out
    );
    assert_eq!(table.out.lines().count(), 4);
    let json: Value = serde_json::from_str(&on(&fake, "status -o json").await.out).expect("JSON");
    assert_eq!(json["server"]["version"], "9.9");
    assert_eq!(json["informers"][1]["resource"]["resource"], "pods");
    assert_eq!(json["informers"][1]["status"]["upstreamState"], "WATCHING");
}

#[tokio::test]
async fn status_is_a_probe() {
    let fake = Fake::start(Script::default()).await;
    assert_eq!(on(&fake, "status --wait-synced 1s").await.code, 0);
    let fake = Fake::start(Script {
        unsynced: true,
        ..Script::default()
    })
    .await;
    let outcome = on(&fake, "status --wait-synced 1s").await;
    assert_eq!((outcome.code, outcome.out.as_str()), (1, ""));
    assert!(outcome.notes.contains("DEADLINE_EXCEEDED"), "{}", outcome.notes);
}
