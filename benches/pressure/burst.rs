//! 1,000 creates within a second: from the create to the event.

use std::time::{Duration, Instant};

use crate::rig::{Rig, delays, millis, object, percentile, version};

const CREATES: usize = 1_000;

pub(crate) async fn measure() -> String {
    let rig = Rig::start().await;
    rig.fill(100);
    let mut subscriber = rig.watch(None).await;
    subscriber.synced().await;
    let last = rig.sim.resource_version() + CREATES as u64;
    let reading = tokio::spawn(async move { subscriber.until(last).await });
    let begun = Instant::now();
    let mut written = Vec::new();
    for i in 0..CREATES {
        tokio::time::sleep_until((begun + Duration::from_micros(950 * i as u64)).into()).await;
        let now = Instant::now();
        let created = rig.sim.create(object(1_000 + i, 0)).expect("it is not there");
        written.push((version(&created), now));
    }
    let took = begun.elapsed();
    let came = reading.await.expect("the subscriber reads");
    assert_eq!(came.len(), CREATES, "each create comes once");
    let delays = delays(&written, &came);
    format!(
        "| {CREATES} creates within {:.2} s: from create to event, p50, p99, most | {:.2} ms, {:.2} ms, {:.2} ms |",
        took.as_secs_f64(),
        millis(percentile(&delays, 50)),
        millis(percentile(&delays, 99)),
        millis(percentile(&delays, 100)),
    )
}
