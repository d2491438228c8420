//! The soak: random changes and faults against the real assembly, and clients whose views must be the truth.
//!
//! ```text
//!   world (seeded) ──▶ simulated API server ◀── informerd, restarted ──socket──▶ clients: slow, fast, acking, leaving
//!        └─────────────── truth, at points of quiet ══ view of each ◀───────────────────┘
//! ```
//!
//! All in one thread with a paused clock: backoffs and pauses cost no time, and a seed does the same again. The run that
//! CI makes is short; the long one is
//!
//! ```text
//! INFORMERD_SOAK_CHANGES=1000000 cargo test --release --test soak -- soak --nocapture
//! ```
//!
//! `INFORMERD_SOAK_SEED`, `_CUTS`, `_RELISTS`, `_RESTARTS` set the rest; a divergence prints them all.

mod cases;
mod client;
mod run;
mod sidecar;
mod view;
mod world;

use std::future::Future;

use run::Plan;

/// Runs in one thread with a clock that moves when nobody has anything to do.
fn in_one_thread<T>(run: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .start_paused(true)
        .build();
    runtime.expect("a runtime").block_on(run)
}

#[test]
fn soak_views_are_the_truth_whatever_happens() {
    let given = |name: &str| {
        let value = std::env::var(format!("INFORMERD_SOAK_{name}")).ok()?;
        Some(
            value
                .parse::<usize>()
                .unwrap_or_else(|e| panic!("INFORMERD_SOAK_{name}: {e}")),
        )
    };
    let changes = given("CHANGES").unwrap_or(6_000);
    let long = changes >= 1_000_000;
    let plan = Plan {
        seed: given("SEED").unwrap_or(1) as u64,
        changes,
        cuts: given("CUTS").unwrap_or(if long { 1_100 } else { 40 }),
        relists: given("RELISTS").unwrap_or(if long { 110 } else { 10 }),
        restarts: given("RESTARTS").unwrap_or(if long { 55 } else { 6 }),
        quiets: given("QUIETS").unwrap_or(if long { 250 } else { 12 }),
    };
    let outcome = in_one_thread(run::run(plan));
    println!("{plan:?}\n{outcome:?}");
    println!(
        "resident after the first tenth {:.1} MiB, at the end {:.1} MiB",
        outcome.rss_early as f64 / f64::from(1 << 20),
        outcome.rss_end as f64 / f64::from(1 << 20)
    );
    assert!(outcome.changes >= plan.changes);
    let done = (outcome.cuts, outcome.relists, outcome.restarts);
    assert!(
        done.0 + 1 >= plan.cuts && done.1 + 1 >= plan.relists && done.2 + 1 >= plan.restarts,
        "{done:?}"
    );
    assert!(outcome.compared > 0, "nothing was compared");
    // Only a run in which each way to come back was taken has shown anything.
    assert!(outcome.ways.iter().all(|ways| *ways > 0), "{outcome:?}");
    // A short run has not reached its steady state after a tenth.
    if long {
        assert!(
            outcome.rss_end * 10 <= outcome.rss_early * 11,
            "memory grows: {outcome:?}"
        );
    }
}
