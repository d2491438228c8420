//! Processes that cannot outlive the test.
//!
//! Each one is the child of `guard` (a small program of the control-plane module), which
//! kills it when the pipe to the test breaks. The kernel closes that pipe however the test
//! ends, so neither a panic, nor `std::process::exit`, nor SIGKILL leaves a server behind.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::wait::until;

/// How to start a [`Process`].
#[derive(Debug)]
pub struct Spawn {
    name: String,
    program: PathBuf,
    args: Vec<String>,
    env: Vec<(String, String)>,
    dir: PathBuf,
    stdout_apart: bool,
    cleanup: Option<PathBuf>,
}

/// A running process and its output.
#[derive(Debug)]
pub struct Process {
    name: String,
    guard: Child,
    pid: u32,
    log: PathBuf,
    stdout: PathBuf,
    code: Option<i32>,
}

/// The directory of the programs that `tests/build-tools controlplane` built.
///
/// # Panics
/// Without `INFORMERD_TEST_BIN`: these tests fail rather than skip themselves.
pub fn test_bin() -> PathBuf {
    from_environment("INFORMERD_TEST_BIN", "controlplane")
}

/// The path of one of the tools that `tests/build-tools tools` built: `buf`, `grpcurl`,
/// `protoc-gen-go` or `protoc-gen-go-grpc`.
///
/// # Panics
/// Without `INFORMERD_TEST_TOOLS`, or when there is no such tool.
pub fn test_tool(name: &str) -> PathBuf {
    let tool = from_environment("INFORMERD_TEST_TOOLS", "tools").join(name);
    assert!(tool.is_file(), "there is no {}", tool.display());
    tool
}

fn from_environment(variable: &str, part: &str) -> PathBuf {
    match std::env::var_os(variable) {
        Some(dir) if !dir.is_empty() => PathBuf::from(dir),
        _ => panic!(
            "{variable} is not set: run the tests with `tests/run` (it takes the arguments of \
             `cargo test`), or first `eval \"$(tests/build-tools {part})\"`"
        ),
    }
}

// === impl Spawn ===

impl Spawn {
    /// `program`, with its log and output files named after `name` in `dir`.
    pub fn new(name: &str, program: impl Into<PathBuf>, dir: &Path) -> Self {
        Self {
            name: name.to_owned(),
            program: program.into(),
            args: Vec::new(),
            env: Vec::new(),
            dir: dir.to_owned(),
            stdout_apart: false,
            cleanup: None,
        }
    }

    /// Adds one argument.
    pub fn arg(mut self, arg: impl Into<String>) -> Self {
        self.args.push(arg.into());
        self
    }

    /// Adds arguments.
    pub fn args<A: Into<String>>(mut self, args: impl IntoIterator<Item = A>) -> Self {
        self.args.extend(args.into_iter().map(Into::into));
        self
    }

    /// Sets an environment variable.
    pub fn env(mut self, name: &str, value: impl Into<String>) -> Self {
        self.env.push((name.to_owned(), value.into()));
        self
    }

    /// Keeps standard output out of the log: [`Process::stdout`] then has it alone.
    pub fn stdout_apart(mut self) -> Self {
        self.stdout_apart = true;
        self
    }

    /// Has guard remove `dir` after the process has ended.
    pub(crate) fn cleanup(mut self, dir: &Path) -> Self {
        self.cleanup = Some(dir.to_owned());
        self
    }

    /// Starts it.
    pub fn start(self) -> Process {
        let log = self.dir.join(format!("{}.log", self.name));
        let stdout = self.dir.join(format!("{}.stdout", self.name));
        let mut command = Command::new(test_bin().join("guard"));
        command.arg("-log").arg(&log);
        if self.stdout_apart {
            command.arg("-stdout").arg(&stdout);
        }
        if let Some(dir) = &self.cleanup {
            command.arg("-cleanup").arg(dir);
        }
        let mut guard = command
            .arg("--")
            .arg(&self.program)
            .args(&self.args)
            .envs(self.env)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("cannot start {command:?}: {error}"));
        let mut line = String::new();
        if let Some(output) = guard.stdout.take() {
            // An error leaves the line empty, which fails just below.
            let _ = BufReader::new(output).read_line(&mut line);
        }
        let pid = line.trim().strip_prefix("pid ").and_then(|pid| pid.parse().ok());
        let pid = pid.unwrap_or_else(|| panic!("cannot start {}", self.program.display()));
        Process {
            name: self.name,
            guard,
            pid,
            log,
            stdout,
            code: None,
        }
    }
}

// === impl Process ===

impl Process {
    /// The process id (of the program itself, not of its guard).
    pub fn pid(&self) -> u32 {
        self.pid
    }

    /// Sends a signal by name: `self.signal("TERM")`, `"STOP"`, `"CONT"`, `"KILL"`.
    pub fn signal(&self, name: &str) {
        let status = Command::new("kill")
            .args([format!("-{name}"), self.pid.to_string()])
            .status();
        assert!(
            status.is_ok_and(|status| status.success()),
            "kill -{name} of {}",
            self.name
        );
    }

    /// The exit code if it has ended; 128 plus the number of the signal that ended it.
    pub fn exit_code(&mut self) -> Option<i32> {
        if self.code.is_none() {
            let status = self.guard.try_wait().expect("wait for guard");
            self.code = status.map(|status| status.code().unwrap_or(-1));
        }
        self.code
    }

    /// Waits for its end.
    pub fn wait(&mut self) -> i32 {
        let what = format!("{} ends\n{}", self.name, self.log_tail());
        until(&what, || self.exit_code())
    }

    /// Kills it (SIGKILL) and returns when it is gone.
    pub fn kill(&mut self) {
        drop(self.guard.stdin.take());
        let _ = self.guard.wait();
    }

    /// Everything it wrote to standard error, and to standard output unless that is apart.
    pub fn log(&self) -> String {
        read(&self.log)
    }

    /// What it wrote to standard output, if [`Spawn::stdout_apart`] was asked for.
    pub fn stdout(&self) -> String {
        read(&self.stdout)
    }

    /// The file that has its standard output, if [`Spawn::stdout_apart`] was asked for.
    pub(crate) fn stdout_file(&self) -> &Path {
        &self.stdout
    }

    /// The end of the log, for messages.
    pub fn log_tail(&self) -> String {
        let log = self.log();
        let lines: Vec<&str> = log.lines().collect();
        let tail = lines[lines.len().saturating_sub(30)..].join("\n");
        format!("--- end of the log of {} ---\n{tail}\n---", self.name)
    }

    /// Waits until the log contains `text`; panics with the log if the process ends first.
    pub fn wait_for_log(&mut self, text: &str) {
        let what = format!("{} logs {text:?}", self.name);
        until(&what, || {
            let ended = self.exit_code();
            if self.log().contains(text) {
                return Some(());
            }
            if let Some(code) = ended {
                panic!("{} ended with {code} instead: {what}\n{}", self.name, self.log_tail());
            }
            None
        });
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

fn read(path: &Path) -> String {
    std::fs::read(path)
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        .unwrap_or_default()
}
