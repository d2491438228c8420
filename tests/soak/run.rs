//! The run: changes and faults by a plan that the seed decides, and points of quiet at which every view must be the
//! truth.

use std::{sync::Arc, time::Duration};

use informerd::{proto::v1alpha1::Overflow, sim::Verb};
use rand::RngExt;
use tokio::{
    sync::watch,
    time::{sleep, timeout},
};

use super::{
    client::{self, Habits, Seen},
    sidecar::{Declared, Restartable},
    world::World,
};

/// How long and how rough.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    pub(crate) seed: u64,
    pub(crate) changes: usize,
    pub(crate) cuts: usize,
    pub(crate) relists: usize,
    pub(crate) restarts: usize,
    pub(crate) quiets: usize,
}

/// What came of it.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) changes: usize,
    pub(crate) cuts: usize,
    pub(crate) relists: usize,
    pub(crate) restarts: usize,
    pub(crate) compared: usize,
    /// Lists and watch-lists that the server was asked for.
    pub(crate) lists: usize,
    pub(crate) watches: usize,
    /// Streams that began with a snapshot, a replay, a difference; resets; folded events; resyncs.
    pub(crate) ways: [u64; 6],
    pub(crate) rss_early: u64,
    pub(crate) rss_end: u64,
}

const INFORMERS: &[Declared] = &[("all", &[], 400), ("some", &["ns0", "ns1", "ns2"], 150)];
/// Changes before the others get their turn.
const CHUNK: usize = 40;
/// The time of the run, in which backoffs and pauses pass; the wall clock has no part in it.
const PATIENCE: Duration = Duration::from_secs(300);

/// The subscribers.
fn crowd() -> Vec<Habits> {
    let plain = Habits {
        name: "fast",
        informer: "all",
        namespaces: &[],
        labels: "",
        overflow: Overflow::Coalesce,
        pause: Duration::ZERO,
        outstanding: 0,
        ack_every: 0,
        hashes: false,
        leaves_after: 0,
        resync: None,
    };
    let slow = Duration::from_millis(400);
    vec![
        plain.clone(),
        Habits {
            name: "namespaces, hashes",
            namespaces: &["ns1", "ns3"],
            hashes: true,
            leaves_after: 200,
            ..plain.clone()
        },
        Habits {
            name: "label, acking",
            labels: "tier=front",
            outstanding: 100,
            ack_every: 1,
            hashes: true,
            ..plain.clone()
        },
        Habits {
            name: "slow, coalescing",
            labels: "tier notin (front)",
            pause: slow,
            outstanding: 50,
            ack_every: 1,
            ..plain.clone()
        },
        Habits {
            name: "slow, reset",
            pause: slow,
            outstanding: 50,
            ack_every: 1,
            overflow: Overflow::Reset,
            hashes: true,
            ..plain.clone()
        },
        Habits {
            name: "never acking",
            outstanding: 60,
            leaves_after: 40,
            ..plain.clone()
        },
        Habits {
            name: "late acking",
            informer: "some",
            outstanding: 80,
            ack_every: 3,
            pause: slow / 8,
            ..plain.clone()
        },
        Habits {
            name: "some, resync",
            informer: "some",
            resync: Some(1),
            hashes: true,
            ..plain.clone()
        },
        Habits {
            name: "some, label, leaving",
            informer: "some",
            labels: "tier=back",
            leaves_after: 100,
            ..plain.clone()
        },
    ]
}

/// Runs the plan; a divergence panics with the seed and what happened before.
pub(crate) async fn run(plan: Plan) -> Outcome {
    let mut world = World::start(plan.seed).await;
    let mut sidecar = Restartable::start(&world.sim, INFORMERS).await;
    let (hurry, _) = watch::channel(false);
    let clients: Vec<_> = crowd()
        .into_iter()
        .zip(1..)
        .map(|(habits, n)| client::start(habits, sidecar.socket.clone(), hurry.subscribe(), plan.seed ^ (n << 32)))
        .collect();
    let mut outcome = Outcome {
        changes: 0,
        cuts: 0,
        relists: 0,
        restarts: 0,
        compared: 0,
        lists: 0,
        watches: 0,
        ways: [0; 6],
        rss_early: 0,
        rss_end: 0,
    };
    let (mut rights, mut quiets, mut mischief) = (0, 0, 0);
    while world.changes < plan.changes {
        for _ in 0..CHUNK {
            world.change();
        }
        let due = |done: usize, all: usize| done < all && done < all * world.changes / plan.changes.max(1);
        if due(outcome.restarts, plan.restarts) {
            outcome.restarts += 1;
            world.step("restart".into());
            sidecar.restart().await;
        } else if due(outcome.relists, plan.relists) {
            outcome.relists += 1;
            outcome.cuts += 1;
            world.force_relist();
        } else if due(outcome.cuts, plan.cuts) {
            outcome.cuts += 1;
            world.cut();
        } else if due(rights, plan.relists) {
            rights += 1;
            world.flip_rights();
        } else if due(mischief, plan.relists) {
            mischief += 1;
            world.mischief();
        } else if world.rng.random_ratio(1, 400) {
            world.empty_a_namespace();
        }
        // Lets the others run; time passes once they have nothing to do.
        sleep(Duration::from_millis(world.rng.random_range(0..40))).await;
        if due_quiet(quiets, &plan, &world) {
            quiets += 1;
            world.peace();
            hurry.send_replace(true);
            outcome.compared += compare(&plan, &world, &clients).await;
            hurry.send_replace(false);
            let log = world.sim.request_log();
            outcome.lists += log
                .iter()
                .filter(|r| matches!(r.verb, Verb::List | Verb::WatchList))
                .count();
            outcome.watches += log.iter().filter(|r| r.verb == Verb::Watch).count();
            world.sim.clear_request_log();
            if outcome.rss_early == 0 && world.changes * 10 >= plan.changes {
                outcome.rss_early = rss();
            }
        }
        if let Some(seen) = clients.iter().find(|seen| seen.state.borrow().1.is_some()) {
            diverged(&plan, &world, seen, "breaks the contract");
        }
    }
    outcome.changes = world.changes;
    outcome.rss_end = rss();
    for seen in &clients {
        let (view, modes) = (seen.view.lock(), seen.modes.lock());
        let ways = [modes[1], modes[2], modes[3], modes[5], view.folded, view.resyncs];
        outcome.ways.iter_mut().zip(ways).for_each(|(sum, n)| *sum += n);
        println!(
            "{:24} events {:>9}, folded {:>8}, resyncs {:>6}; streams: snapshot {}, replay {}, diff {}, unchanged {}; resets {}",
            seen.habits.name, view.events, view.folded, view.resyncs, modes[1], modes[2], modes[3], modes[4], modes[5]
        );
    }
    outcome
}

fn due_quiet(done: usize, plan: &Plan, world: &World) -> bool {
    done < plan.quiets && done < plan.quiets * world.changes / plan.changes.max(1)
}

/// Waits until each view is the truth, for as long as a client may need by the rules; answers how many were compared.
async fn compare(plan: &Plan, world: &World, clients: &[Arc<Seen>]) -> usize {
    for seen in clients {
        let covered = INFORMERS.iter().find(|(id, ..)| *id == seen.habits.informer);
        let wanted = world.wanted(&seen.habits, covered.map_or(&[][..], |(_, namespaces, _)| namespaces));
        let mut state = seen.state.subscribe();
        let equal = timeout(PATIENCE, async {
            loop {
                let failed = state.borrow_and_update().1.is_some();
                if failed || *seen.view.lock().objects() == wanted {
                    return !failed;
                }
                if state.changed().await.is_err() {
                    return false;
                }
            }
        });
        if equal.await != Ok(true) {
            let view = seen.view.lock().objects().clone();
            let missing = wanted.iter().filter(|(key, state)| view.get(*key) != Some(state));
            let surplus = view.keys().filter(|key| !wanted.contains_key(*key));
            let why = format!(
                "is not the truth. Missing or old: {:?}; not there: {:?}",
                missing.take(10).collect::<Vec<_>>(),
                surplus.take(10).collect::<Vec<_>>()
            );
            diverged(plan, world, seen, &why);
        }
    }
    clients.len()
}

fn diverged(plan: &Plan, world: &World, seen: &Seen, why: &str) -> ! {
    let violation = seen.state.borrow().1.clone().unwrap_or_default();
    panic!(
        "the view of {:?} {why}: {violation}\nagain: INFORMERD_SOAK_SEED={} INFORMERD_SOAK_CHANGES={} \
         INFORMERD_SOAK_CUTS={} INFORMERD_SOAK_RELISTS={} INFORMERD_SOAK_RESTARTS={}\nthe last steps:\n{}",
        seen.habits.name,
        plan.seed,
        plan.changes,
        plan.cuts,
        plan.relists,
        plan.restarts,
        world.story()
    )
}

/// Resident bytes of this process.
pub(crate) fn rss() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("a Linux kernel");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse::<u64>().ok());
    kib.expect("resident memory") * 1024
}
