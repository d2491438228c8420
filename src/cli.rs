//! The command line.
//!
//! ```text
//! args -> serve, demo            (handlers: what the binary passes in)
//!      -> get, watch, status     (clients: connect -> query -> fetch | follow -> print)
//!      -> queue                  (the same over the work queues, and acts on them)
//! ```
//! Results go to stdout, everything else to stderr. Exit codes: 0 ok, 1 failed, 2 usage.

pub mod args;
pub mod connect;
pub mod demo_view;
pub mod error;
pub mod fetch;
pub mod get;
pub mod log;
pub mod print;
pub mod query;
pub mod queue;
pub mod status;
pub mod watch;

use std::{ffi::OsString, future::Future};

use clap::Parser as _;
use tokio::io::{AsyncWrite, AsyncWriteExt as _};

use self::{
    args::{Cli, Command, DemoArgs, LogArgs},
    error::CliError,
};
use crate::config::ServeConfig;

/// What the binary does for the commands that run a server.
pub trait Handlers {
    /// Runs the sidecar until it is told to end.
    fn serve(&self, config: ServeConfig) -> impl Future<Output = anyhow::Result<()>>;
    /// Runs the simulated cluster, the sidecar and the live view.
    fn demo(&self, args: DemoArgs) -> impl Future<Output = anyhow::Result<()>>;
}

/// Where results and notes go.
pub struct Io<'a> {
    /// Results.
    pub out: &'a mut (dyn AsyncWrite + Unpin + Send),
    /// Notes for people.
    pub notes: &'a mut (dyn std::io::Write + Send),
}

/// Runs the command line on the process's streams and returns the exit code.
pub async fn main<A: Into<OsString> + Clone>(args: impl IntoIterator<Item = A>, handlers: &impl Handlers) -> u8 {
    let mut out = tokio::io::stdout();
    let mut io = Io {
        out: &mut out,
        notes: &mut std::io::stderr(),
    };
    run(args, handlers, &mut io).await
}

/// Runs the command line on the given streams and returns the exit code.
pub async fn run<A: Into<OsString> + Clone>(
    args: impl IntoIterator<Item = A>,
    handlers: &impl Handlers,
    io: &mut Io<'_>,
) -> u8 {
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(error) => return usage(&error, io).await,
    };
    match dispatch(cli, handlers, io).await {
        Ok(()) => 0,
        Err(error) => {
            if let Some(message) = error.message() {
                io.note(&format!("error: {message}"));
            }
            error.exit_code()
        }
    }
}

/// `--help` and `--version` are results; the rest is a note.
async fn usage(error: &clap::Error, io: &mut Io<'_>) -> u8 {
    let text = error.render().to_string();
    if error.use_stderr() {
        io.note(text.trim_end());
    } else if io.out.write_all(text.as_bytes()).await.is_ok() {
        // Whoever closed the pipe does not want the rest.
        let _ = io.out.flush().await;
    }
    u8::try_from(error.exit_code()).unwrap_or(2)
}

async fn dispatch(cli: Cli, handlers: &impl Handlers, io: &mut Io<'_>) -> Result<(), CliError> {
    let failed = |error: anyhow::Error| CliError::Failed(format!("{error:#}"));
    let log = cli.log;
    let start = |log: &LogArgs| log::start(log.log_level.as_deref(), log.log_format, "warn");
    match cli.command {
        Command::Serve(args) => {
            let settings = args.settings(log).map_err(|e| CliError::Usage(e.to_string()))?;
            log::start(settings.log_level.as_deref(), settings.log_format, "info")?;
            let config = settings.resolve().map_err(|e| CliError::Usage(e.to_string()))?;
            handlers.serve(config).await.map_err(failed)
        }
        Command::Demo(args) => {
            start(&log)?;
            handlers.demo(args).await.map_err(failed)
        }
        Command::Get(args) => {
            start(&log)?;
            get::run(args, io).await
        }
        Command::Watch(args) => {
            start(&log)?;
            watch::run(args, io).await
        }
        Command::Status(args) => {
            start(&log)?;
            status::run(args, io).await
        }
        Command::Queue(command) => {
            start(&log)?;
            queue::run(command, io).await
        }
    }
}

// === impl Io ===

impl Io<'_> {
    /// Says something to people. That stderr is closed is no reason to fail.
    pub fn note(&mut self, line: &str) {
        let _ = writeln!(self.notes, "{line}");
    }
}

#[cfg(test)]
mod tests;
