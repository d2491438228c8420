//! informerd as a process: the server, and its client commands against it.
//!
//! The program is given by its path (`env!("CARGO_BIN_EXE_informerd")` in an integration
//! test), because this crate does not depend on informerd.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use crate::process::{Process, Spawn};
use crate::wait::until;

/// A running `informerd serve` on a Unix socket of its own.
#[derive(Debug)]
pub struct Sidecar {
    process: Process,
    program: PathBuf,
    args: Vec<String>,
    dir: TempDir,
}

/// The lines of a file that another process is writing, each read once.
#[derive(Debug)]
pub struct Tail {
    path: PathBuf,
    read: u64,
    /// The beginning of a line whose end is not there yet.
    rest: Vec<u8>,
}

// === impl Sidecar ===

impl Sidecar {
    /// Starts `informerd serve` with further arguments; returns when its socket accepts.
    pub fn start(program: &str, kubeconfig: &Path, args: &[&str]) -> Self {
        let dir = TempDir::with_prefix("informerd-sidecar-").expect("a temporary directory");
        let fixed = [
            "serve".to_owned(),
            format!("--kubeconfig={}", kubeconfig.display()),
            format!("--socket={}", socket(&dir).display()),
        ];
        let args: Vec<String> = fixed.into_iter().chain(args.iter().map(|&arg| arg.into())).collect();
        Self {
            process: serve(Path::new(program), &args, &dir),
            program: program.into(),
            args,
            dir,
        }
    }

    /// Kills it and starts another one with the same arguments on the same socket.
    pub fn restart(&mut self) {
        self.process.kill();
        self.process = serve(&self.program, &self.args, &self.dir);
    }

    /// Kills it, as the kernel's out-of-memory killer would: the socket's file stays.
    pub fn kill(&mut self) {
        self.process.kill();
    }

    /// Its process id.
    pub fn pid(&self) -> u32 {
        self.process.pid()
    }

    /// Its socket.
    pub fn socket(&self) -> PathBuf {
        socket(&self.dir)
    }

    /// Runs a client command (`get pods -A`) and returns its standard output.
    ///
    /// # Panics
    /// If it fails, with what it and the server wrote to standard error.
    pub fn run(&self, args: &[&str]) -> String {
        let output = self.try_run(args);
        assert!(
            output.status.success(),
            "informerd {args:?} failed ({}): {}\n{}",
            output.status,
            String::from_utf8_lossy(&output.stderr),
            self.process.log_tail()
        );
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Runs a client command and returns everything.
    pub fn try_run(&self, args: &[&str]) -> Output {
        let mut command = Command::new(&self.program);
        // Settings of the person who runs the tests must not show in the output.
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("INFORMERD_")) {
            command.env_remove(name);
        }
        command
            .args(args)
            .arg(self.server())
            .stdin(Stdio::null())
            .output()
            .expect("run informerd")
    }

    /// Starts a client command that goes on by itself (`watch pods -A -o json`); its standard
    /// output is read by [`Tail::of`].
    pub fn follow(&self, name: &str, args: &[&str]) -> Process {
        Spawn::new(name, &self.program, self.dir.path())
            .args(args.iter().copied())
            .arg(self.server())
            .stdout_apart()
            .start()
    }

    /// The end of the server's log, for messages.
    pub fn log_tail(&self) -> String {
        self.process.log_tail()
    }

    fn server(&self) -> String {
        format!("--server=unix://{}", self.socket().display())
    }
}

fn socket(dir: &TempDir) -> PathBuf {
    dir.path().join("informerd.sock")
}

fn serve(program: &Path, args: &[String], dir: &TempDir) -> Process {
    let mut process = Spawn::new("informerd", program, dir.path())
        .args(args.iter().cloned())
        .start();
    until("informerd accepts connections", || {
        if let Some(code) = process.exit_code() {
            panic!("informerd ended with {code}\n{}", process.log_tail());
        }
        UnixStream::connect(socket(dir)).ok()
    });
    process
}

// === impl Tail ===

impl Tail {
    /// The standard output of a process that has it apart from the log.
    pub fn of(process: &Process) -> Self {
        Self {
            path: process.stdout_file().to_owned(),
            read: 0,
            rest: Vec::new(),
        }
    }

    /// The lines that were completed since the last call.
    pub fn lines(&mut self) -> Vec<String> {
        let mut file = File::open(&self.path).expect("open the output");
        file.seek(SeekFrom::Start(self.read)).expect("seek in the output");
        self.read += file.read_to_end(&mut self.rest).expect("read the output") as u64;
        let Some(end) = self.rest.iter().rposition(|byte| *byte == b'\n') else {
            return Vec::new();
        };
        let rest = self.rest.split_off(end + 1);
        let whole = std::mem::replace(&mut self.rest, rest);
        String::from_utf8_lossy(&whole).lines().map(str::to_owned).collect()
    }
}
