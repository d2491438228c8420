//! `watch`, and the demo's view of the same streams.

use serde_json::Value;
use tonic::{Code, Status};

use super::{
    Fake, Io, NoServer, Script,
    fake::{deleted, event, frame, synced},
    on, run,
};
use crate::{
    cli::{connect, demo_view, watch},
    proto::v1alpha1::{Reset, Terminating, WatchResponse, watch_request::Start, watch_response::Control},
};

#[tokio::test]
async fn a_watch_ends_at_synced_when_told_so() {
    let stream = vec![Ok(event("p1", 1)), Ok(event("p2", 1)), Ok(synced(2, "t1"))];
    let fake = Fake::start(Script {
        streams: vec![stream],
        ..Script::default()
    })
    .await;
    let outcome = on(&fake, "watch pods -o json --once-synced").await;
    assert_eq!((outcome.code, outcome.notes.as_str()), (0, ""));
    let lines: Vec<Value> = outcome
        .out
        .lines()
        .map(|l| serde_json::from_str(l).expect("JSON"))
        .collect();
    assert_eq!(
        lines
            .iter()
            .map(|l| l["key"].as_str().unwrap_or("-"))
            .collect::<Vec<_>>(),
        ["default/p1", "default/p2", "-"]
    );
    assert_eq!(lines[2]["control"], "synced");
    let request = fake.watches().remove(0);
    assert_eq!(request.filter.expect("filter").namespaces, ["default"]);
    assert!(request.start.is_none());
}

#[tokio::test]
async fn a_broken_watch_goes_on_from_its_last_token() {
    let first = vec![
        Ok(event("p1", 1)),
        Ok(synced(1, "t1")),
        Ok(token(event("p1", 2), "t2")),
        Err(Status::unavailable("gone")),
    ];
    let second = vec![
        Ok(token(deleted("p1", 3), "t3")),
        Err(Status::new(Code::FailedPrecondition, "enough")),
    ];
    let fake = Fake::start(Script {
        streams: vec![first, second],
        ..Script::default()
    })
    .await;
    let dir = tempfile::tempdir().expect("directory");
    let file = dir.path().join("token");
    let outcome = on(&fake, &format!("watch pods -o json --resume-file {}", file.display())).await;
    assert_eq!(outcome.code, 1);
    assert!(
        outcome.notes.contains("watch broken: UNAVAILABLE: gone"),
        "{}",
        outcome.notes
    );
    assert!(
        outcome.notes.ends_with("error: FAILED_PRECONDITION: enough\n"),
        "{}",
        outcome.notes
    );
    assert!(!outcome.out.contains("reset"), "{}", outcome.out);
    assert_eq!(outcome.out.lines().count(), 4);
    let tokens: Vec<_> = fake.watches().into_iter().map(|w| w.start).collect();
    assert!(tokens[0].is_none());
    assert!(matches!(&tokens[1], Some(Start::Resume(r)) if r.token == "t2"));
    let kept = watch::resume::ResumeFile::new(file).load().expect("loaded");
    assert_eq!(kept.as_deref(), Some(&b"t3"[..]));
}

#[tokio::test]
async fn a_snapshot_that_breaks_is_announced_as_reset_so_that_a_replay_is_right() {
    let first = vec![Ok(event("gone", 1)), Err(Status::unavailable("gone"))];
    let second = vec![Ok(event("p1", 2)), Ok(synced(1, "t1"))];
    let fake = Fake::start(Script {
        streams: vec![first, second],
        ..Script::default()
    })
    .await;
    let outcome = on(&fake, "watch pods -o json --once-synced").await;
    assert_eq!(outcome.code, 0);
    assert_eq!(replay(&outcome.out), ["default/p1"]);
    assert!(fake.watches().iter().all(|w| w.start.is_none()));
}

#[tokio::test]
async fn after_a_reset_the_old_token_is_not_used() {
    let first = vec![
        Ok(event("gone", 1)),
        Ok(synced(1, "t1")),
        Ok(frame(Control::Reset(Reset::default()))),
        Ok(event("p1", 2)),
        Err(Status::unavailable("gone")),
    ];
    let second = vec![
        Ok(event("p2", 2)),
        Ok(synced(1, "t2")),
        Ok(frame(Control::Terminating(Terminating::default()))),
        Err(Status::not_found("x")),
    ];
    let fake = Fake::start(Script {
        streams: vec![first, second],
        ..Script::default()
    })
    .await;
    let outcome = on(&fake, "watch pods -o json").await;
    assert!(fake.watches()[1].start.is_none());
    assert_eq!(replay(&outcome.out), ["default/p2"]);
    assert!(outcome.notes.contains("terminating ("), "{}", outcome.notes);
}

#[tokio::test]
async fn a_resume_file_is_where_the_next_watch_starts() {
    let stream = vec![Ok(synced(0, "t9"))];
    let fake = Fake::start(Script {
        streams: vec![stream],
        ..Script::default()
    })
    .await;
    let dir = tempfile::tempdir().expect("directory");
    let file = dir.path().join("token");
    watch::resume::ResumeFile::new(file.clone())
        .store(b"t8")
        .expect("stored");
    let outcome = on(
        &fake,
        &format!("watch pods -o name --once-synced --resume-file {}", file.display()),
    )
    .await;
    assert_eq!(outcome.code, 0);
    assert!(matches!(&fake.watches()[0].start, Some(Start::Resume(r)) if r.token == "t8"));
    assert_eq!(
        watch::resume::ResumeFile::new(file).load().expect("loaded").as_deref(),
        Some(&b"t9"[..])
    );
}

#[tokio::test]
async fn a_watch_table_has_a_line_an_event_under_one_header() {
    let stream = vec![Ok(event("p1", 1)), Ok(event("a-longer-name", 2)), Ok(synced(2, "t"))];
    let fake = Fake::start(Script {
        streams: vec![stream],
        ..Script::default()
    })
    .await;
    let outcome = on(&fake, "watch pods -A --once-synced").await;
    let lines: Vec<Vec<&str>> = outcome.out.lines().map(|l| l.split_whitespace().collect()).collect();
    assert_eq!(lines[0], ["EVENT", "CAUSE", "NAMESPACE", "NAME", "REVISION", "STATE"]);
    assert_eq!(lines[1], ["ADDED", "LIVE", "default", "p1", "1", "Running"]);
    assert_eq!(lines[2], ["ADDED", "LIVE", "default", "a-longer-name", "2", "Running"]);
    assert_eq!(lines.len(), 3);
}

#[tokio::test]
async fn a_closed_pipe_ends_a_watch_quietly() {
    let stream = vec![Ok(event("p1", 1)), Ok(event("p2", 1))];
    let fake = Fake::start(Script {
        streams: vec![stream],
        ..Script::default()
    })
    .await;
    let (mut writer, reader) = tokio::io::duplex(16);
    drop(reader);
    let mut notes = Vec::new();
    let args = [
        "informerd".into(),
        "watch".into(),
        "pods".into(),
        "--server".into(),
        fake.url(),
    ];
    let code = run(
        args,
        &NoServer,
        &mut Io {
            out: &mut writer,
            notes: &mut notes,
        },
    )
    .await;
    assert_eq!((code, notes), (0, Vec::new()));
}

#[tokio::test]
async fn the_demo_view_shows_all_streams_and_sums_up() {
    let stream = || vec![Ok(event("p1", 1)), Ok(deleted("p1", 2)), Ok(synced(0, "t"))];
    let fake = Fake::start(Script {
        streams: vec![stream(), stream(), stream()],
        hold: true,
        ..Script::default()
    })
    .await;
    let channel = connect::ServerAddress::parse(Some(&fake.url()))
        .expect("address")
        .connect()
        .await
        .expect("channel");
    let (mut writer, mut reader) = tokio::io::duplex(1 << 20);
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let view = tokio::spawn(async move {
        let stopped = async {
            let _ = stopped.await;
        };
        demo_view::DemoView::default().run(channel, &mut writer, stopped).await
    });
    let mut text = String::new();
    let mut lines = tokio::io::AsyncBufReadExt::lines(tokio::io::BufReader::new(&mut reader));
    while text.matches(" synced: ").count() < 3 {
        text += &lines.next_line().await.expect("read").expect("more lines");
        text.push('\n');
    }
    stop.send(()).expect("the view runs");
    let summary = view.await.expect("joined").expect("no failure");
    assert_eq!(
        summary,
        demo_view::Summary {
            added: 3,
            updated: 0,
            deleted: 3
        }
    );
    let last = lines.next_line().await.expect("read").expect("summary");
    assert!(last.starts_with("3 added, 0 updated, 3 deleted in "), "{last}");
    for resource in ["pods", "deployments", "configmaps"] {
        assert!(text.contains(resource), "{text}");
    }
}

fn token(message: WatchResponse, token: &'static str) -> WatchResponse {
    WatchResponse {
        resume_token: token.into(),
        ..message
    }
}

/// The keys that a reader of the lines ends up with, by the rules in `watch/encode.rs`.
fn replay(lines: &str) -> Vec<String> {
    let mut held = std::collections::BTreeMap::new();
    let mut sweeping = false;
    for line in lines.lines() {
        let line: Value = serde_json::from_str(line).expect("JSON");
        let key = line["key"].as_str().unwrap_or("").to_owned();
        match (line["control"].as_str(), line["type"].as_str()) {
            (Some("reset"), _) => {
                sweeping = true;
                held.values_mut().for_each(|marked| *marked = true);
            }
            (Some("synced"), _) if std::mem::take(&mut sweeping) => held.retain(|_, marked| !*marked),
            (_, Some("DELETED")) => drop(held.remove(&key)),
            (_, Some(_)) => drop(held.insert(key, false)),
            _ => {}
        }
    }
    held.into_keys().collect()
}
