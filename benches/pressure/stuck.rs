//! A subscriber that never reads, beside one that does.

use std::time::{Duration, Instant};

use crate::{
    proc,
    rig::{Rig, delays, mib, millis, object, percentile, version},
};

/// Updates at once; between two such lots the clock is looked at.
const LOT: usize = 10;

struct Figures {
    p50: Duration,
    p99: Duration,
    early: u64,
    end: u64,
    came: usize,
    took: Duration,
}

pub(crate) async fn measure(updates: usize, rate: usize, objects: usize) -> String {
    let without = run(updates, rate, objects, false).await;
    let with = run(updates, rate, objects, true).await;
    let line = |what: &str, figures: &Figures| {
        format!(
            "| {updates} updates over {objects} objects of 2 KB, {what}: resident after a tenth, at the end; p50, p99 of \
             the reader | {:.1} MiB, {:.1} MiB; {:.2} ms, {:.2} ms ({} events, {:.0} updates a second) |",
            mib(figures.early),
            mib(figures.end),
            millis(figures.p50),
            millis(figures.p99),
            figures.came,
            updates as f64 / figures.took.as_secs_f64(),
        )
    };
    format!(
        "{}\n{}\n| p99 with the one that never reads over p99 without | {:.2} |",
        line("all read", &without),
        line("one never reads", &with),
        with.p99.as_secs_f64() / without.p99.as_secs_f64(),
    )
}

async fn run(updates: usize, rate: usize, objects: usize, stuck: bool) -> Figures {
    let rig = Rig::start().await;
    rig.fill(objects);
    let mut reader = rig.watch(None).await;
    reader.synced().await;
    // Open until the end, and never polled.
    let stuck = if stuck { Some(rig.watch(None).await) } else { None };
    let last = rig.sim.resource_version() + updates as u64;
    let reading = tokio::spawn(async move { reader.until(last).await });
    let (begun, mut written, mut early) = (Instant::now(), Vec::with_capacity(updates), 0);
    for i in 0..updates {
        if i.is_multiple_of(LOT) {
            let due = begun + Duration::from_secs_f64(i as f64 / rate as f64);
            tokio::time::sleep_until(due.into()).await;
        }
        if i == updates / 10 {
            early = proc::rss(rig.pid);
        }
        let now = Instant::now();
        let updated = rig.sim.update(object(i % objects, i + 1)).expect("it is there");
        written.push((version(&updated), now));
    }
    let took = begun.elapsed();
    let came = reading.await.expect("the reader reads");
    let end = proc::rss(rig.pid);
    drop(stuck);
    let delays = delays(&written, &came);
    Figures {
        p50: percentile(&delays, 50),
        p99: percentile(&delays, 99),
        early,
        end,
        came: came.len(),
        took,
    }
}
