//! The arguments, as clap reads them.

mod queue;

pub use queue::{
    QueueCommand, QueueDeleteArgs, QueueDrainArgs, QueueItemState, QueueLsArgs, QueuePeekArgs, QueueRequeueArgs,
};

use std::{net::SocketAddr, path::PathBuf, time::Duration};

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::config::{ConfigError, LogFormat, Settings, SocketChoice, duration};

/// One watched, indexed cache of Kubernetes objects, served over gRPC.
#[derive(Debug, Parser)]
#[command(
    name = "informerd",
    version,
    propagate_version = true,
    disable_help_subcommand = true
)]
pub struct Cli {
    /// How to log.
    #[command(flatten)]
    pub log: LogArgs,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run the sidecar: watch the API server and serve the cache
    Serve(ServeArgs),
    /// Run the sidecar on a simulated cluster with changing objects and show its deltas
    Demo(DemoArgs),
    /// Print objects from the cache, as kubectl get does
    Get(GetArgs),
    /// Print deltas, one a line, until interrupted
    Watch(WatchArgs),
    /// Print the informers and their state
    Status(StatusArgs),
    /// Look into work queues, and act on them
    #[command(subcommand)]
    Queue(QueueCommand),
}

/// Logs go to stderr, results to stdout.
#[derive(Debug, Clone, Args)]
pub struct LogArgs {
    /// Log filter, for example info or informerd=debug,warn [default: serve info, others warn]
    #[arg(
        long,
        global = true,
        env = "INFORMERD_LOG_LEVEL",
        value_name = "FILTER",
        help_heading = "Logging"
    )]
    pub log_level: Option<String>,
    /// Log format [default: text]
    #[arg(
        long,
        global = true,
        env = "INFORMERD_LOG_FORMAT",
        value_enum,
        help_heading = "Logging"
    )]
    pub log_format: Option<LogFormat>,
}

/// Flags of `serve`; each beats its environment variable, which beats the key of the same name in `--config`.
#[derive(Debug, Clone, Default, Args)]
pub struct ServeArgs {
    /// YAML file with the same settings; a key is a flag's long name, an unknown key is an error
    #[arg(long, env = "INFORMERD_CONFIG", value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Kubeconfig file [default: in-cluster, else KUBECONFIG, else ~/.kube/config]
    #[arg(long, env = "INFORMERD_KUBECONFIG", value_name = "FILE")]
    pub kubeconfig: Option<PathBuf>,
    /// Context of the kubeconfig [default: its current one]
    #[arg(long, env = "INFORMERD_CONTEXT", value_name = "NAME")]
    pub context: Option<String>,
    /// Unix socket, or none [default: /run/informerd/informerd.sock]
    #[arg(long, env = "INFORMERD_SOCKET", value_name = "PATH")]
    pub socket: Option<SocketChoice>,
    /// Serve on no Unix socket: beats --socket and its variable
    #[arg(long)]
    pub no_socket: bool,
    /// TCP address to serve on, for example 127.0.0.1:7443 (repeatable)
    #[arg(long, env = "INFORMERD_LISTEN", value_name = "ADDR", value_delimiter = ',')]
    pub listen: Vec<SocketAddr>,
    /// Let callers over TCP delete and change informers and queues of others: by default only the socket's callers may
    #[arg(long, env = "INFORMERD_TCP_ADMIN")]
    pub tcp_admin: bool,
    /// TCP address to serve Prometheus metrics on, at /metrics, for example 127.0.0.1:9090 [default: none]
    #[arg(long, env = "INFORMERD_METRICS_LISTEN", value_name = "ADDR")]
    pub metrics_listen: Option<SocketAddr>,
    /// Start this informer at once, as kubectl spells resources (repeatable, or with commas)
    #[arg(long, env = "INFORMERD_RESOURCE", value_name = "RESOURCE", value_delimiter = ',')]
    pub resource: Vec<String>,
    /// Namespace of informers that no client declared (repeatable) [default: all]
    #[arg(short, long, env = "INFORMERD_NAMESPACE", value_name = "NS", value_delimiter = ',')]
    pub namespace: Vec<String>,
    /// Label selector of namespaces, which are followed as they come and go; instead of --namespace
    #[arg(long, env = "INFORMERD_NAMESPACE_SELECTOR", value_name = "SELECTOR")]
    pub namespace_selector: Option<String>,
    /// Label selector of informers that no client declared
    #[arg(short = 'l', long, env = "INFORMERD_SELECTOR", value_name = "SELECTOR")]
    pub selector: Option<String>,
    /// Resync period of watches that give none; 0 = never [default: 0]
    #[arg(long, env = "INFORMERD_RESYNC", value_name = "DURATION", value_parser = duration::parse)]
    pub resync: Option<Duration>,
}

/// Flags of `demo`.
#[derive(Debug, Clone, PartialEq, Args)]
pub struct DemoArgs {
    /// End after this time [default: until Ctrl-C]
    #[arg(long = "for", value_name = "DURATION", value_parser = duration::parse)]
    pub run_for: Option<Duration>,
    /// Changes a second that the simulated cluster makes
    #[arg(long, value_name = "PER_SECOND", default_value = "5", value_parser = rate)]
    pub rate: f64,
    /// Unix socket of the demo's sidecar, or none [default: a temporary one]
    #[arg(long, value_name = "PATH")]
    pub socket: Option<SocketChoice>,
    /// TCP address of the demo's sidecar, beside the socket (repeatable)
    #[arg(long, value_name = "ADDR", value_delimiter = ',')]
    pub listen: Vec<SocketAddr>,
    /// Seed of the changes: the same seed makes the same changes [default: random]
    #[arg(long, value_name = "NUMBER")]
    pub seed: Option<u64>,
}

/// Where the server is.
#[derive(Debug, Clone, Args)]
pub struct ServerArgs {
    /// unix:///path or http://host:port [default: unix:///run/informerd/informerd.sock]
    #[arg(long, env = "INFORMERD_SERVER", value_name = "URL")]
    pub server: Option<String>,
}

/// Which objects.
#[derive(Debug, Clone, Default, Args)]
pub struct FilterArgs {
    /// Namespace (repeatable)
    #[arg(
        short,
        long,
        value_name = "NS",
        default_value = "default",
        conflicts_with = "all_namespaces"
    )]
    pub namespace: Vec<String>,
    /// All namespaces
    #[arg(short = 'A', long)]
    pub all_namespaces: bool,
    /// Label selector, for example app=web,tier!=db
    #[arg(
        short = 'l',
        long,
        value_name = "SELECTOR",
        default_value = "",
        hide_default_value = true
    )]
    pub selector: String,
    /// Field selector on any dotted path, for example spec.nodeName=n1
    #[arg(long, value_name = "SELECTOR", default_value = "", hide_default_value = true)]
    pub field_selector: String,
    /// Objects that an index holds under a value; repeat with the same NAME for any of several values
    #[arg(long, value_name = "NAME=VALUE", value_parser = index)]
    pub index: Vec<(String, String)>,
}

/// Flags of `get`.
#[derive(Debug, Clone, Args)]
pub struct GetArgs {
    /// RESOURCE[,RESOURCE...] [NAME...] or RESOURCE/NAME...
    #[arg(required = true, value_name = "RESOURCE")]
    pub targets: Vec<String>,
    /// Which objects.
    #[command(flatten)]
    pub filter: FilterArgs,
    /// Output format
    #[arg(short, long, value_enum, default_value_t)]
    pub output: GetOutput,
    /// Wait until the cache has seen this resourceVersion (read your writes)
    #[arg(long, value_name = "RV")]
    pub min_resource_version: Option<String>,
    /// Print no header
    #[arg(long)]
    pub no_headers: bool,
    /// How long to wait for a cache that is not synced or not fresh enough, at most 60s
    #[arg(long, value_name = "DURATION", default_value = "30s", value_parser = wait)]
    pub timeout: Duration,
    /// Where the server is.
    #[command(flatten)]
    pub server: ServerArgs,
}

/// Output formats of `get`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum GetOutput {
    /// Columns.
    #[default]
    Table,
    /// More columns.
    Wide,
    /// kind.group/name.
    Name,
    /// One object, or a List.
    Json,
    /// The same as YAML.
    Yaml,
}

/// Flags of `watch`.
#[derive(Debug, Clone, Args)]
pub struct WatchArgs {
    /// RESOURCE [NAME...] or RESOURCE/NAME
    #[arg(required = true, value_name = "RESOURCE")]
    pub targets: Vec<String>,
    /// Which objects.
    #[command(flatten)]
    pub filter: FilterArgs,
    /// Output format; json also prints control lines (reset, synced, bookmark, ...)
    #[arg(short, long, value_enum, default_value_t)]
    pub output: WatchOutput,
    /// Start from the resume token in this file, if it exists, and keep the newest one there
    #[arg(long, value_name = "FILE")]
    pub resume_file: Option<PathBuf>,
    /// What of the previous state comes with updates (json only)
    #[arg(long, value_enum, default_value_t)]
    pub old: Old,
    /// Have every object sent again once in this period; 0 = never [default: the informer's]
    #[arg(long, value_name = "DURATION", value_parser = resync)]
    pub resync: Option<Duration>,
    /// End when the snapshot is complete
    #[arg(long)]
    pub once_synced: bool,
    /// Print no header
    #[arg(long)]
    pub no_headers: bool,
    /// Where the server is.
    #[command(flatten)]
    pub server: ServerArgs,
}

/// Output formats of `watch`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum WatchOutput {
    /// Columns.
    #[default]
    Table,
    /// One JSON object a line.
    Json,
    /// kind.group/name of what changed.
    Name,
}

/// What of the previous state is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Old {
    /// Nothing.
    #[default]
    None,
    /// uid and resourceVersion.
    Reference,
    /// The object.
    Full,
}

/// Flags of `status`.
#[derive(Debug, Clone, Args)]
pub struct StatusArgs {
    /// Output format
    #[arg(short, long, value_enum, default_value_t)]
    pub output: StatusOutput,
    /// First wait until all informers are synced; exit code 1 if they are not after this time (at most 10m)
    #[arg(long, value_name = "DURATION", value_parser = sync_wait)]
    pub wait_synced: Option<Duration>,
    /// Print no header
    #[arg(long)]
    pub no_headers: bool,
    /// Where the server is.
    #[command(flatten)]
    pub server: ServerArgs,
}

/// Output formats of `status`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum StatusOutput {
    /// Columns.
    #[default]
    Table,
    /// One JSON document.
    Json,
}

// === impl ServeArgs ===

impl ServeArgs {
    /// Flags and environment over the configuration file.
    pub fn settings(self, log: LogArgs) -> Result<Settings, ConfigError> {
        let file = match &self.config {
            Some(path) => Settings::load(path)?,
            None => Settings::default(),
        };
        let flags = Settings {
            kubeconfig: self.kubeconfig,
            context: self.context,
            socket: if self.no_socket {
                Some(SocketChoice::None)
            } else {
                self.socket
            },
            listen: self.listen,
            tcp_admin: self.tcp_admin.then_some(true),
            metrics_listen: self.metrics_listen,
            resource: self.resource,
            namespace: self.namespace,
            namespace_selector: self.namespace_selector,
            selector: self.selector,
            resync: self.resync,
            log_level: log.log_level,
            log_format: log.log_format,
        };
        Ok(flags.over(file))
    }
}

// === value parsers ===

fn rate(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(rate) if rate > 0.0 && rate <= 10_000.0 => Ok(rate),
        _ => Err("a number above 0 and at most 10000 is expected".into()),
    }
}

/// The values may hold `=` and `,`: only the first `=` splits, so index names cannot hold one (label keys do not).
fn index(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.into(), value.into())),
        _ => Err("NAME=VALUE is expected, for example owner-uid=6ff1… or label:app=web".into()),
    }
}

fn wait(text: &str) -> Result<Duration, String> {
    at_most(text, Duration::from_secs(60), "60s")
}

fn sync_wait(text: &str) -> Result<Duration, String> {
    at_most(text, Duration::from_secs(600), "10m")
}

fn at_most(text: &str, limit: Duration, spelt: &str) -> Result<Duration, String> {
    match duration::parse(text)? {
        long if long > limit => Err(format!("at most {spelt}")),
        fine => Ok(fine),
    }
}

fn resync(text: &str) -> Result<Duration, String> {
    match duration::parse(text)? {
        short if !short.is_zero() && short < Duration::from_secs(1) => Err("0 (never) or at least 1s".into()),
        fine => Ok(fine),
    }
}

#[cfg(test)]
mod tests;
