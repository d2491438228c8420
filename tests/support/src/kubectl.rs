//! kubectl, the reference for what a cluster holds.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::process::test_bin;

/// kubectl with one kubeconfig.
#[derive(Clone, Debug)]
pub struct Kubectl {
    kubeconfig: PathBuf,
    cache: PathBuf,
}

impl Kubectl {
    /// kubectl with this kubeconfig. Its discovery cache goes beside that file: ports are
    /// used again, and the cache in the home directory knows servers by address only.
    pub fn new(kubeconfig: &Path) -> Self {
        let mut cache = kubeconfig.as_os_str().to_owned();
        cache.push("-cache");
        Self {
            kubeconfig: kubeconfig.to_owned(),
            cache: cache.into(),
        }
    }

    /// Runs it and returns its standard output.
    ///
    /// # Panics
    /// If it fails, with what it wrote to standard error.
    pub fn run(&self, args: &[&str]) -> String {
        succeeded(args, self.try_run(args))
    }

    /// Runs it and returns everything.
    pub fn try_run(&self, args: &[&str]) -> Output {
        self.command(args).stdin(Stdio::null()).output().expect("run kubectl")
    }

    /// Standard output as sorted lines, for comparing sets.
    pub fn lines(&self, args: &[&str]) -> Vec<String> {
        let mut lines: Vec<String> = self.run(args).lines().map(str::to_owned).collect();
        lines.sort();
        lines
    }

    /// `kubectl apply -f -` of YAML or JSON.
    pub fn apply(&self, manifest: &str) -> String {
        let args = ["apply", "-f", "-"];
        let mut child = self
            .command(&args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("run kubectl");
        if let Some(mut input) = child.stdin.take() {
            input.write_all(manifest.as_bytes()).expect("write to kubectl");
        }
        succeeded(&args, child.wait_with_output().expect("wait for kubectl"))
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(test_bin().join("kubectl"));
        command
            .arg("--kubeconfig")
            .arg(&self.kubeconfig)
            .arg("--cache-dir")
            .arg(&self.cache)
            .args(args)
            // Settings of the person who runs the tests must not show in the output.
            .env("KUBERC", "off");
        command
    }
}

fn succeeded(args: &[&str], output: Output) -> String {
    assert!(
        output.status.success(),
        "kubectl {args:?} failed ({}): {}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout).into_owned()
}
