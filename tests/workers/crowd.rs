//! Eight worker processes, killed one after the other, and a sidecar that is killed in between: no event is lost, and no key
//! is worked on twice at once.

use std::{
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use informerd::{proto::v1alpha1::GetQueueStatsRequest, sim::Sim};
use serde_json::{Value, json};
use support::{DEADLINE, Process, Sidecar, eventually, until};
use tempfile::TempDir;

use crate::{INFORMERD, checker::Checker, rpc, worker};

const WORKERS: usize = 8;
const NAMESPACES: usize = 20;
const KILL_EVERY: Duration = Duration::from_secs(2);
/// Events come in groups of this pace.
const TICK: Duration = Duration::from_millis(20);

#[derive(Clone, Copy, Debug)]
struct Size {
    keys: usize,
    rate: usize,
    seconds: usize,
}

/// The cluster and those who know what should come of it.
struct Scene {
    sim: Sim,
    checker: Checker,
    size: Size,
    /// Objects may be deleted: the server that will have to tell of it runs.
    settled: AtomicBool,
    /// Nobody is killed any more: events may end.
    over: AtomicBool,
}

/// The workers that live.
struct Crowd {
    alive: HashMap<String, Process>,
    started: usize,
    dir: TempDir,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn every_key_is_worked_on_after_its_last_event_and_never_twice_at_once() {
    let size = Size::from_environment();
    let sim = Sim::builder().start().await.expect("a simulated cluster");
    let scene = Arc::new(Scene {
        sim,
        checker: Checker::start(),
        size,
        settled: AtomicBool::new(false),
        over: AtomicBool::new(false),
    });
    scene.fill();
    let kubeconfig = TempDir::with_prefix("informerd-crowd-").expect("a temporary directory");
    let path = kubeconfig.path().join("kubeconfig");
    scene.sim.write_kubeconfig(&path).expect("a kubeconfig");
    let mut sidecar = Sidecar::start(INFORMERD, &path, &[]);
    let mut crowd = Crowd::new();
    let started = Instant::now();
    let mut steady = started;
    for _ in 0..WORKERS {
        crowd.hire(&scene, &sidecar);
    }
    let events = tokio::spawn(scene.clone().live());

    // The middle of the scenario: half of the kills before, half after.
    let kills = (size.seconds / 2).max(2);
    for kill in 0..kills {
        if kill == kills / 2 {
            tokio::task::block_in_place(|| {
                // What the new run hands out is no valid lease of a worker that is still at work for the old one.
                crowd.stall_one(&scene, || sidecar.restart());
                until("all keys are handed out by the new run", || {
                    crowd.is_well();
                    let through = scene.checker.judge(|judge| judge.has_been_through(1));
                    through.then_some(())
                });
            });
            steady = Instant::now();
            scene.settled.store(true, Ordering::Release);
        } else {
            tokio::time::sleep(KILL_EVERY).await;
            tokio::task::block_in_place(|| crowd.kill_one(&scene, &sidecar));
        }
    }
    tokio::task::block_in_place(|| crowd.stall_one(&scene, || ()));
    scene.over.store(true, Ordering::Release);
    events.await.expect("all events");
    let last_event = Instant::now();

    tokio::task::block_in_place(|| {
        let deadline = Instant::now() + DEADLINE;
        until("each key is written in its last state", || {
            crowd.is_well();
            let behind = scene.checker.judge(|judge| judge.behind());
            let few = &behind[..behind.len().min(5)];
            assert!(Instant::now() < deadline, "{} keys are behind: {few:#?}", behind.len());
            behind.is_empty().then_some(())
        });
    });
    let settled = Instant::now();
    scene.agrees_with_the_cluster();
    nothing_is_left(&sidecar).await;
    let counts = scene.checker.judge(|judge| {
        assert_eq!(judge.epochs.len(), 2, "one restart");
        judge.counts
    });
    assert!(
        counts.taken_over > 0,
        "a killed worker's key came to another one: {counts:?}"
    );
    assert!(counts.refused_writes > 0, "a stalled worker wrote too late: {counts:?}");
    scene.report(kills - 1, [started, steady, last_event, settled]);
}

/// No key stays behind in any state.
async fn nothing_is_left(sidecar: &Sidecar) {
    let mut queues = rpc::connect(&sidecar.socket()).await.expect("informerd listens");
    eventually("the queue is empty", || {
        let mut queues = queues.clone();
        async move {
            let request = GetQueueStatsRequest {
                queue: rpc::QUEUE.into(),
            };
            let response = queues.get_queue_stats(request).await.expect("stats").into_inner();
            let stats = response.stats.expect("stats");
            (stats.ready + stats.delayed + stats.gated + stats.leased + stats.dirty == 0).then_some(())
        }
    })
    .await;
    let request = GetQueueStatsRequest {
        queue: rpc::QUEUE.into(),
    };
    let response = queues.get_queue_stats(request).await.expect("stats").into_inner();
    assert_eq!(response.workers.iter().filter(|w| w.session).count(), WORKERS);
}

// === impl Size ===

impl Size {
    fn from_environment() -> Self {
        let number = |name: &str, default| match std::env::var(name) {
            Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name}={text} is not a number")),
            Err(_) => default,
        };
        Self {
            keys: number("INFORMERD_TEST_QUEUE_KEYS", 1000),
            rate: number("INFORMERD_TEST_QUEUE_RATE", 200),
            seconds: number("INFORMERD_TEST_QUEUE_SECONDS", 8),
        }
    }
}

// === impl Scene ===

impl Scene {
    fn fill(&self) {
        for i in 0..self.size.keys {
            let stored = self.sim.create(config_map(i)).expect("created");
            self.checker.judge(|judge| judge.initial(&key(i), version(&stored)));
        }
    }

    /// Of twenty events one creates, one deletes (once that cannot fall between two runs of the server), the others update.
    async fn live(self: Arc<Self>) {
        let per_tick = (self.size.rate * TICK.as_millis() as usize / 1000).max(1);
        let ticks = self.size.rate * self.size.seconds / per_tick;
        let mut next_new = self.size.keys;
        let mut pace = tokio::time::interval(TICK);
        let mut event = 0;
        while event < ticks * per_tick || !self.over.load(Ordering::Acquire) {
            event += 1;
            if event % per_tick == 0 {
                pace.tick().await;
            }
            match event % 20 {
                0 => {
                    let i = next_new;
                    next_new += 1;
                    self.event(&key(i), || {
                        Some(version(&self.sim.create(config_map(i)).expect("created")))
                    });
                }
                10 if self.settled.load(Ordering::Acquire) => self.delete_one(),
                _ => {
                    // A step that is prime to most sizes, so that keys come again at once and later. A deleted one is passed.
                    let i = event * 7919 % (self.size.keys / 2).max(1) + event % 2 * (self.size.keys / 2);
                    self.touch(i, event);
                }
            }
        }
    }

    fn touch(&self, i: usize, event: usize) {
        let (namespace, name) = names(i);
        if self.sim.get("configmaps", Some(&namespace), &name).is_err() {
            return;
        }
        let patch = json!({"data": {"event": event.to_string()}});
        self.event(&key(i), || {
            let stored = self.sim.patch_merge("configmaps", Some(&namespace), &name, patch);
            Some(version(&stored.expect("patched")))
        });
    }

    fn delete_one(&self) {
        let found = self.checker.judge(|judge| judge.known_to(1).min().map(str::to_owned));
        let Some(found) = found else { return };
        let (namespace, name) = found.split_once('/').expect("a key");
        self.event(&found, || {
            self.sim.delete("configmaps", Some(namespace), name).expect("deleted");
            None
        });
    }

    fn event(&self, key: &str, write: impl FnOnce() -> Option<u64>) {
        self.checker.judge(|judge| judge.event(key, write));
    }

    /// The judge's idea of the last states is the cluster's own.
    fn agrees_with_the_cluster(&self) {
        let objects = self.sim.list("configmaps").expect("a list");
        let mut truth: HashMap<String, u64> = HashMap::new();
        for object in &objects {
            let metadata = &object["metadata"];
            let text = |field: &str| metadata[field].as_str().unwrap_or_default();
            truth.insert(format!("{}/{}", text("namespace"), text("name")), version(object));
        }
        let written = self.checker.judge(|judge| judge.written());
        assert_eq!(written, truth);
    }

    fn report(&self, kills: usize, [started, steady, last_event, settled]: [Instant; 4]) {
        let (counts, delays) = self
            .checker
            .judge(|judge| (judge.counts, std::mem::take(&mut judge.delays)));
        println!(
            "{:?}, {WORKERS} workers, {kills} kills, 2 stalls, 1 restart: {counts:?}",
            self.size
        );
        println!(
            "{:.0} writes a second from start to end; done {:?} after the last event",
            counts.written as f64 / (settled - started).as_secs_f64(),
            settled - last_event,
        );
        let after = delays.iter().filter(|(event, _)| *event > steady);
        say_delays(
            "restart, hold and kills included",
            delays.iter().map(|(_, delay)| *delay).collect(),
        );
        say_delays(
            "after the restart, kills included",
            after.map(|(_, delay)| *delay).collect(),
        );
    }
}

fn say_delays(which: &str, mut delays: Vec<Duration>) {
    delays.sort_unstable();
    let last = delays.len().saturating_sub(1);
    let quantile = |q: f64| {
        delays
            .get((delays.len() as f64 * q) as usize)
            .or(delays.get(last))
            .copied()
            .unwrap_or_default()
    };
    println!(
        "event to acquired, {which} ({} events): p50 {:?}, p90 {:?}, p99 {:?}, max {:?}",
        delays.len(),
        quantile(0.5),
        quantile(0.9),
        quantile(0.99),
        quantile(1.0),
    );
}

fn names(i: usize) -> (String, String) {
    (format!("ns-{}", i % NAMESPACES), format!("map-{i}"))
}

fn key(i: usize) -> String {
    let (namespace, name) = names(i);
    format!("{namespace}/{name}")
}

fn config_map(i: usize) -> Value {
    let (namespace, name) = names(i);
    json!({
        "apiVersion": "v1", "kind": "ConfigMap", "metadata": {"namespace": namespace, "name": name},
        "data": {"event": "none"},
    })
}

fn version(object: &Value) -> u64 {
    let version = object["metadata"]["resourceVersion"].as_str();
    version.and_then(|v| v.parse().ok()).expect("a resource version")
}

// === impl Crowd ===

impl Crowd {
    fn new() -> Self {
        Self {
            alive: HashMap::new(),
            started: 0,
            dir: TempDir::with_prefix("informerd-workers-").expect("a temporary directory"),
        }
    }

    fn hire(&mut self, scene: &Scene, sidecar: &Sidecar) {
        let name = format!("worker-{}", self.started);
        self.started += 1;
        let process = worker::spawn(&name, sidecar.socket(), scene.checker.socket(), self.dir.path());
        self.alive.insert(name, process);
    }

    /// Kills one at work.
    fn kill_one(&mut self, scene: &Scene, sidecar: &Sidecar) {
        let name = self.one_at_work(scene);
        scene.checker.judge(|judge| judge.bury(&name));
        if let Some(mut process) = self.alive.remove(&name) {
            process.signal("KILL");
            process.wait();
        }
        self.hire(scene, sidecar);
    }

    fn one_at_work(&mut self, scene: &Scene) -> String {
        until("a worker is at work", || {
            self.is_well();
            let at_work = |name: &&String| scene.checker.judge(|judge| judge.works(name));
            self.alive.keys().find(at_work).cloned()
        })
    }

    /// Stops a worker at work until `meanwhile` has run and its key has come to another one, and lets it go on: its write
    /// comes too late.
    fn stall_one(&mut self, scene: &Scene, meanwhile: impl FnOnce()) {
        let name = self.stop_at_work(scene);
        let (overtaken, refused) = scene
            .checker
            .judge(|judge| (judge.overtaken(&name), judge.counts.refused_writes));
        meanwhile();
        until("the key of the stalled worker comes to another one", || {
            self.is_well();
            let now = scene.checker.judge(|judge| judge.overtaken(&name));
            (now > overtaken).then_some(())
        });
        self.alive[&name].signal("CONT");
        until("the late write is refused", || {
            let now = scene.checker.judge(|judge| judge.counts.refused_writes);
            (now > refused).then_some(())
        });
    }

    /// A report that was on its way when the worker stopped is taken within some looks; then it was not at work after all.
    fn stop_at_work(&mut self, scene: &Scene) -> String {
        const LOOKS: usize = 8;
        loop {
            let name = self.one_at_work(scene);
            self.alive[&name].signal("STOP");
            let mut looks = 0;
            let works = until("some looks", || {
                looks += 1;
                let works = scene.checker.judge(|judge| judge.works(&name));
                (!works || looks == LOOKS).then_some(works)
            });
            if works {
                return name;
            }
            self.alive[&name].signal("CONT");
        }
    }

    fn is_well(&mut self) {
        for (name, process) in &mut self.alive {
            if let Some(code) = process.exit_code() {
                panic!("{name} ended with {code}\n{}", process.log_tail());
            }
        }
    }
}
