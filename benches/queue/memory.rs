//! A queue that nobody works on: one entry per key, whatever the number of events.

use std::time::Instant;

use crate::rig::{self, Rig};

const ADDS: usize = 1_000_000;

/// A row.
pub(crate) async fn measure(keys: usize) -> String {
    let mut rig = Rig::start().await;
    let before = rig.resident();
    let started = Instant::now();
    rig.add(ADDS, keys).await;
    let time = started.elapsed();
    let after = rig.resident();
    let stats = rig.stats().await;
    assert_eq!(
        (stats.ready, stats.adds),
        (keys as u64, keys as u64),
        "one entry per key"
    );
    let grown = after.saturating_sub(before);
    format!(
        "| {} adds over {} keys, no workers: resident before, after | {:.1} MiB, {:.1} MiB: {} bytes a key; {} adds a second |",
        rig::thousands(ADDS as f64),
        rig::thousands(keys as f64),
        before as f64 / f64::from(1 << 20),
        after as f64 / f64::from(1 << 20),
        grown / keys as u64,
        rig::per_second(ADDS, time),
    )
}
