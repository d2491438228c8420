//! Logs, on stderr.

use std::io::{self, IsTerminal as _};

use tracing_subscriber::EnvFilter;

use crate::{cli::error::CliError, config::LogFormat};

/// Starts logging. Later calls have no effect.
pub fn start(level: Option<&str>, format: Option<LogFormat>, default_level: &str) -> Result<(), CliError> {
    let level = level.unwrap_or(default_level);
    let filter = EnvFilter::try_new(level).map_err(|e| CliError::Usage(format!("log filter `{level}`: {e}")))?;
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr);
    // An error says that logging has started already.
    let _ = match format.unwrap_or_default() {
        LogFormat::Text => builder.with_ansi(io::stderr().is_terminal()).try_init(),
        LogFormat::Json => builder.json().try_init(),
    };
    Ok(())
}
