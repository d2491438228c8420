//! A relist of objects that have not changed: no event, and what it takes in memory.

use std::time::Instant;

use crate::{
    proc,
    rig::{Rig, mib, object, version},
};

pub(crate) async fn measure(objects: usize) -> String {
    let rig = Rig::start().await;
    rig.fill(objects);
    let mut subscriber = rig.watch(None).await;
    subscriber.synced().await;
    proc::quiet(rig.pid).await;
    let steady = proc::rss(rig.pid);
    proc::reset_peak(rig.pid);
    rig.sim.clear_request_log();
    // One change that nobody needs: the watch must not be at the newest version, or compaction cuts nothing off.
    let begun = Instant::now();
    rig.sim.compact();
    rig.sim.skip_resource_versions(10);
    rig.sim.compact();
    rig.sim.cut_all();
    rig.sim
        .wait_for_requests(|log| log.iter().any(|r| r.path.ends_with("/configmaps") && is_list(r.verb)))
        .await;
    proc::quiet(rig.pid).await;
    let took = begun.elapsed();
    let marker = rig.sim.create(object(objects, 0)).expect("it is not there");
    let came = subscriber.until(version(&marker)).await;
    let (peak, after) = (proc::peak(rig.pid), proc::rss(rig.pid));
    let deltas = came.len() - 1;
    assert_eq!(deltas, 0, "nothing has changed");
    format!(
        "| {objects} objects relisted unchanged: events; resident before, peak (ratio), after; until quiet | {deltas}; \
         {:.1} MiB, {:.1} MiB ({:.2}), {:.1} MiB; {:.1} s |",
        mib(steady),
        mib(peak),
        peak as f64 / steady as f64,
        mib(after),
        took.as_secs_f64(),
    )
}

fn is_list(verb: informerd::sim::Verb) -> bool {
    matches!(verb, informerd::sim::Verb::List | informerd::sim::Verb::WatchList)
}
