//! The first command of the README, as a stranger runs it.

use std::process::{Command, Stdio};

/// Within ten seconds, at the pace that nobody asked for, all that can happen to an object has happened.
#[test]
fn the_demo_shows_objects_added_updated_and_deleted_and_ends_by_itself() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_informerd"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("INFORMERD_")) {
        command.env_remove(name);
    }
    let output = command
        .args(["demo", "--for", "10s"])
        .stdin(Stdio::null())
        .output()
        .expect("the binary runs");
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    for word in ["ADDED", "UPDATED", "DELETED"] {
        let shown = stdout
            .lines()
            .filter(|line| line.split_whitespace().any(|w| w == word))
            .count();
        assert!(shown > 0, "no {word} in:\n{stdout}");
    }
    for resource in ["pods", "deployments", "configmaps"] {
        let synced = format!("-- {resource} synced");
        assert!(stdout.contains(&synced), "no {synced:?} in:\n{stdout}");
    }
    let summary = stdout.lines().last().expect("a summary");
    assert!(
        summary.contains("added") && summary.contains("updated") && summary.contains("deleted in"),
        "{summary}"
    );
    assert!(!stdout.contains('\x1b'), "colours are for terminals");
    assert!(!stderr.contains("panicked"), "{stderr}");
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
