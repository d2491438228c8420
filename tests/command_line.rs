//! The binary as a process: exit codes, streams, and what beats what among flags, environment and file.

use std::process::{Command, Output};

fn informerd(args: &[&str], environment: &[(&str, &str)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_informerd"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("INFORMERD_")) {
        command.env_remove(name);
    }
    command
        .args(args)
        .envs(environment.iter().copied())
        .output()
        .expect("the binary runs")
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn the_version_goes_to_stdout_with_code_0() {
    let output = informerd(&["--version"], &[]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        format!("informerd {}\n", env!("CARGO_PKG_VERSION"))
    );
}

#[test]
fn a_usage_error_has_code_2_and_nothing_on_stdout() {
    let output = informerd(&["get", "pods", "-o", "xml"], &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    assert!(stderr(&output).contains("xml"));
}

#[test]
fn without_a_server_every_client_command_fails_with_code_1_and_says_what_to_do() {
    let dir = tempfile::tempdir().expect("directory");
    let url = format!("unix://{}", dir.path().join("none.sock").display());
    for command in [
        &["get", "pods"][..],
        &["watch", "pods"],
        &["status"],
        &["status", "--wait-synced", "1s"],
        &["queue", "ls"],
        &["queue", "requeue", "q", "a/b"],
    ] {
        let output = informerd(command, &[("INFORMERD_SERVER", &url)]);
        assert_eq!(output.status.code(), Some(1), "{command:?}");
        assert!(output.stdout.is_empty(), "{command:?}");
        let text = stderr(&output);
        for part in [url.as_str(), "informerd serve", "informerd demo", "--server"] {
            assert!(text.contains(part), "{command:?}: {text}");
        }
    }
}

#[test]
fn the_server_flag_beats_its_variable() {
    let output = informerd(
        &["status", "--server", "unix:///flag/none.sock"],
        &[("INFORMERD_SERVER", "unix:///variable/none.sock")],
    );
    let text = stderr(&output);
    assert!(
        text.contains("/flag/none.sock") && !text.contains("/variable/"),
        "{text}"
    );
}

/// Serving nowhere is refused before anything starts, so it shows which setting won.
#[test]
fn for_serve_a_flag_beats_the_variable_and_the_variable_beats_the_file() {
    let dir = tempfile::tempdir().expect("directory");
    let file = dir.path().join("informerd.yaml");
    std::fs::write(&file, "socket: /from/the/file.sock\n").expect("written");
    let config = file.display().to_string();
    for (args, environment) in [
        (&["serve", "--config", &config][..], &[("INFORMERD_SOCKET", "none")][..]),
        (
            &["serve"],
            &[("INFORMERD_SOCKET", "none"), ("INFORMERD_CONFIG", &config)],
        ),
        (
            &["serve", "--socket", "none"],
            &[("INFORMERD_SOCKET", "/from/the/variable.sock")],
        ),
        (
            &["serve", "--no-socket"],
            &[
                ("INFORMERD_SOCKET", "/from/the/variable.sock"),
                ("INFORMERD_CONFIG", &config),
            ],
        ),
    ] {
        let output = informerd(args, environment);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(
            stderr(&output).contains("nothing to serve on"),
            "{args:?}: {}",
            stderr(&output)
        );
    }
}

#[test]
fn a_misspelt_key_of_the_file_is_named_with_its_place() {
    let dir = tempfile::tempdir().expect("directory");
    let file = dir.path().join("informerd.yaml");
    std::fs::write(&file, "resource: pods\nsokcet: none\n").expect("written");
    let output = informerd(&["serve", "--config", &file.display().to_string()], &[]);
    assert_eq!(output.status.code(), Some(2));
    let text = stderr(&output);
    assert!(
        text.contains("sokcet") && text.contains("informerd.yaml") && text.contains("line 2"),
        "{text}"
    );
}
