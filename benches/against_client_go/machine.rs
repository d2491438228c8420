//! On what, and of what, the figures are.

use std::{fs, process::Command};

use crate::Cluster;

/// The load average of the last minute; taken before the benchmark adds its own.
pub(crate) fn load() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split_whitespace().next().unwrap_or("unknown").to_owned()
}

/// Machine and versions in a paragraph.
pub(crate) async fn describe(cluster: &Cluster, load: &str) -> String {
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let version: serde_json::Value = serde_json::from_str(&cluster.get("/version").await).unwrap_or_default();
    format!(
        "{} pods in {} namespaces; {cores} cores ({}), {:.0} GiB, Linux {}; load average before the run {load}. \
         informerd {} ({}), client-go {} ({}), kube-apiserver {} on the same machine.",
        cluster.settings.pods,
        cluster.settings.namespaces,
        field("/proc/cpuinfo", "model name"),
        memory(),
        fs::read_to_string("/proc/sys/kernel/osrelease")
            .unwrap_or_default()
            .trim(),
        env!("CARGO_PKG_VERSION"),
        first_line("rustc", &["--version"]),
        client_go(),
        version["goVersion"].as_str().unwrap_or("unknown Go"),
        version["gitVersion"].as_str().unwrap_or("unknown"),
    )
}

/// Apiserver and yardstick are of one Go module, so its requirement is what was built.
fn client_go() -> String {
    let module = include_str!("../../tests/controlplane/go.mod");
    let required = module
        .lines()
        .find_map(|line| line.trim().strip_prefix("k8s.io/client-go "));
    required.unwrap_or("unknown").to_owned()
}

fn memory() -> f64 {
    let kilobytes = field("/proc/meminfo", "MemTotal");
    let kilobytes: f64 = kilobytes.trim_end_matches(" kB").parse().unwrap_or(0.0);
    kilobytes / f64::from(1 << 20)
}

fn field(file: &str, name: &str) -> String {
    let text = fs::read_to_string(file).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.split_once(':'));
    line.map_or("unknown", |(_, value)| value.trim()).to_owned()
}

fn first_line(program: &str, args: &[&str]) -> String {
    let output = Command::new(program)
        .args(args)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output();
    let text = output.map(|output| output.stdout).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    text.lines().next().unwrap_or("unknown").to_owned()
}
