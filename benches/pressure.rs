//! A sidecar under pressure: a subscriber that never reads, a crowd of subscribers, a relist without a change, a burst.
//!
//! ```text
//!  this process: simulated cluster, subscribers ──socket── informerd (release binary, a process of its own)
//! ```
//!
//! ```text
//! eval "$(tests/build-tools controlplane)"    # for the guard of the process
//! cargo bench --bench pressure
//! ```
//!
//! `PRESSURE_UPDATES`, `_RATE`, `_OBJECTS`, `_SUBSCRIBERS`, `_RELISTED` set the sizes. What is counted is asserted
//! (requests upstream, events), time and memory never. The table that it prints is what `docs/measurements-pressure.md`
//! holds.

#[path = "pressure/burst.rs"]
mod burst;
#[path = "pressure/crowd.rs"]
mod crowd;
#[path = "against_client_go/proc.rs"]
mod proc;
#[path = "pressure/relist.rs"]
mod relist;
#[path = "pressure/rig.rs"]
mod rig;
#[path = "pressure/stuck.rs"]
mod stuck;

fn main() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        println!("{}\n", rig::load());
        println!("| what | figure |\n|---|---|");
        println!("{}", burst::measure().await);
        println!("{}", crowd::measure(rig::size("SUBSCRIBERS", 200)).await);
        println!("{}", relist::measure(rig::size("RELISTED", 100_000)).await);
        let (updates, rate) = (rig::size("UPDATES", 1_000_000), rig::size("RATE", 5_000));
        println!("{}", stuck::measure(updates, rate, rig::size("OBJECTS", 2_000)).await);
    });
}
