//! The arguments of `informerd queue`.

use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum};

use super::{ServerArgs, StatusOutput, sync_wait};

/// The commands below `queue`.
#[derive(Debug, Clone, Subcommand)]
pub enum QueueCommand {
    /// Print the queues and their numbers
    Ls(QueueLsArgs),
    /// Print the keys that are handed out next, in that order; with --state the keys in these states, in no order
    Peek(QueuePeekArgs),
    /// Have keys handed out now, also parked and delayed ones
    Requeue(QueueRequeueArgs),
    /// Take no more keys and wait until the queue is drained; exit code 1 if it is not in time. There is no way back
    Drain(QueueDrainArgs),
    /// Drop a queue with its keys
    Delete(QueueDeleteArgs),
}

/// Flags of `queue ls`.
#[derive(Debug, Clone, Args)]
pub struct QueueLsArgs {
    /// Output format
    #[arg(short, long, value_enum, default_value_t)]
    pub output: StatusOutput,
    /// Print no header
    #[arg(long)]
    pub no_headers: bool,
    /// Where the server is.
    #[command(flatten)]
    pub server: ServerArgs,
}

/// Flags of `queue peek`.
#[derive(Debug, Clone, Args)]
pub struct QueuePeekArgs {
    /// The queue
    #[arg(value_name = "NAME")]
    pub name: String,
    /// Keys in this state (repeatable, or with commas)
    #[arg(long, value_enum, value_delimiter = ',')]
    pub state: Vec<QueueItemState>,
    /// Namespace (repeatable)
    #[arg(short, long, value_name = "NS", requires = "state")]
    pub namespace: Vec<String>,
    /// Most keys to print; without --state at most 1000
    #[arg(long, value_name = "NUMBER", default_value = "100", value_parser = clap::value_parser!(u32).range(1..))]
    pub max: u32,
    /// Output format
    #[arg(short, long, value_enum, default_value_t)]
    pub output: StatusOutput,
    /// Print no header
    #[arg(long)]
    pub no_headers: bool,
    /// Where the server is.
    #[command(flatten)]
    pub server: ServerArgs,
}

/// Where a key of a queue is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum QueueItemState {
    /// Can be handed out.
    Ready,
    /// Waits for a delay.
    Delayed,
    /// A worker has it.
    Leased,
    /// Withheld until the cache has seen what a worker wrote.
    Gated,
    /// Failed for good; waits for its next event.
    Parked,
    /// Not queued; a write of its last worker was not seen in time.
    Stale,
}

/// Flags of `queue requeue`.
#[derive(Debug, Clone, Args)]
pub struct QueueRequeueArgs {
    /// The queue
    #[arg(value_name = "NAME")]
    pub name: String,
    /// namespace/name, or name for cluster-scoped objects
    #[arg(required = true, value_name = "KEY")]
    pub keys: Vec<String>,
    /// Where the server is.
    #[command(flatten)]
    pub server: ServerArgs,
}

/// Flags of `queue drain`.
#[derive(Debug, Clone, Args)]
pub struct QueueDrainArgs {
    /// The queue
    #[arg(value_name = "NAME")]
    pub name: String,
    /// Do not wait for the keys that workers hold
    #[arg(long)]
    pub stop: bool,
    /// How long to wait until it is drained, at most 10m; it goes on draining afterwards
    #[arg(long, value_name = "DURATION", default_value = "30s", value_parser = sync_wait)]
    pub timeout: Duration,
    /// Where the server is.
    #[command(flatten)]
    pub server: ServerArgs,
}

/// Flags of `queue delete`.
#[derive(Debug, Clone, Args)]
pub struct QueueDeleteArgs {
    /// The queue
    #[arg(value_name = "NAME")]
    pub name: String,
    /// Although workers hold keys of it
    #[arg(long)]
    pub force: bool,
    /// Where the server is.
    #[command(flatten)]
    pub server: ServerArgs,
}
