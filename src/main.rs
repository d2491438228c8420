//! The informerd binary: assembles the library behind the command line.

use std::process::ExitCode;

use anyhow::Result;
use informerd::{
    cli::{self, Handlers, args::DemoArgs, watch::stopped},
    config::ServeConfig,
    run,
};

/// What `serve` and `demo` run.
struct Assembly;

// === impl Assembly ===

impl Handlers for Assembly {
    async fn serve(&self, config: ServeConfig) -> Result<()> {
        run::serve(config, stopped()?).await
    }

    async fn demo(&self, args: DemoArgs) -> Result<()> {
        run::demo(args, stopped()?).await
    }
}

fn main() -> ExitCode {
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("error: cannot start: {error}");
            return ExitCode::FAILURE;
        }
    };
    let code = runtime.block_on(cli::main(std::env::args_os(), &Assembly));
    // Not dropped: that would wait for a write to a standard output that nobody reads.
    runtime.shutdown_background();
    ExitCode::from(code)
}
