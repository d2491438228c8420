//! The work queue over one connection: acquire and complete, and what keys cost in memory.
//!
//! ```text
//!  this process ──socket── informerd (release binary, a process; a simulated cluster, so that it can start)
//! ```
//!
//! ```text
//! eval "$(tests/build-tools controlplane)"    # for the guard of the process
//! cargo bench --bench queue
//! ```
//!
//! What is counted is asserted (each key handed out once, one entry per key), time and memory never. The table that it
//! prints is what `docs/measurements-queue.md` holds.

#[path = "queue/memory.rs"]
mod memory;
#[path = "queue/rig.rs"]
mod rig;
#[path = "queue/rounds.rs"]
mod rounds;

fn main() {
    // One thread for the client; the simulated cluster has nothing to do.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    // `cargo bench` passes --bench, and a filter if one was given; there is only one benchmark.
    runtime.block_on(async {
        println!("{}\n", rig::machine());
        println!("| what | figure |\n|---|---|");
        for (max_items, in_flight) in [(64, 1), (64, 4), (1, 1), (1, 16)] {
            println!("{}", rounds::measure(max_items, in_flight).await);
        }
        for keys in [100_000, 1_000_000] {
            println!("{}", memory::measure(keys).await);
        }
    });
}
