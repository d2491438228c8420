//! A property test: random operations on the queue and on a model that is a plain map. The model does not say which key
//! comes next; it says which may, by rule, and follows what the queue did.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use proptest::prelude::*;

use super::*;
use crate::object::ResourceVersion;

const LEASE: u64 = 40;
const CAP: u64 = 60;
const PER_WORKER: usize = 5;
const NAMESPACES: [&str; 3] = ["a", "b", "c"];
const WORKERS: [&str; 2] = ["one", "two"];

#[derive(Clone, Debug)]
enum Op {
    Add {
        key: u8,
        after: u64,
        limited: bool,
        priority: i32,
    },
    Acquire {
        worker: u8,
        max: usize,
    },
    Complete {
        pick: u8,
        outcome: u8,
        after: u64,
        wait: Option<u64>,
    },
    Extend {
        pick: u8,
    },
    Seen {
        version: u64,
    },
    Forget {
        key: u8,
    },
    WorkerLost {
        worker: u8,
        grace: u64,
    },
    Pass {
        time: u64,
    },
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        6 => (0u8..12, prop_oneof![3 => Just(0u64), 1 => 1u64..50], prop::bool::weighted(0.15), -1i32..2)
            .prop_map(|(key, after, limited, priority)| Op::Add { key, after, limited, priority }),
        5 => (0u8..2, 1usize..4).prop_map(|(worker, max)| Op::Acquire { worker, max }),
        5 => (any::<u8>(), 0u8..5, 0u64..30, prop::option::weighted(0.4, 1u64..40))
            .prop_map(|(pick, outcome, after, wait)| Op::Complete { pick, outcome, after, wait }),
        1 => any::<u8>().prop_map(|pick| Op::Extend { pick }),
        2 => (1u64..40).prop_map(|version| Op::Seen { version }),
        1 => (0u8..12).prop_map(|key| Op::Forget { key }),
        1 => (0u8..2, 0u64..20).prop_map(|(worker, grace)| Op::WorkerLost { worker, grace }),
        3 => (1u64..60).prop_map(|time| Op::Pass { time }),
    ]
}

/// What the model knows of a key. Times in ms.
#[derive(Clone, Debug, Default)]
struct Key {
    /// Priority, and when it may be handed out.
    pending: Option<(i32, u64)>,
    /// Since when it stands where it stands in the order, as far as the model knows: equal values say nothing.
    since: u64,
    lease: Option<Held>,
    /// The version waited for, and the cap.
    gate: Option<(u64, u64)>,
    failures: u32,
    parked: bool,
}

#[derive(Clone, Debug)]
struct Held {
    token: u64,
    worker: &'static str,
    priority: i32,
    expires: u64,
}

struct Model {
    keys: BTreeMap<ObjectKey, Key>,
    /// Tokens whose leases are over.
    over: Vec<u64>,
    seen: u64,
    now: u64,
    /// Keys added and not handed out since.
    owed: BTreeSet<ObjectKey>,
}

impl Key {
    fn gated(&self, now: u64) -> bool {
        self.gate.is_some_and(|(_, cap)| cap > now)
    }

    fn eligible(&self, now: u64) -> bool {
        self.lease.is_none() && !self.gated(now) && self.pending.is_some_and(|(_, at)| at <= now)
    }

    fn idle(&self) -> bool {
        self.pending.is_none() && self.lease.is_none()
    }

    fn want(&mut self, priority: i32, at: u64, now: u64) {
        let was = self.eligible(now);
        let old = self.pending;
        self.pending = Some(old.map_or((priority, at), |(p, t)| (p.max(priority), t.min(at))));
        self.parked = false;
        if !was || old.is_some_and(|(p, _)| p < priority) {
            self.since = now.max(self.pending.map_or(0, |(_, at)| at));
        }
    }

    fn backoff(&mut self) -> u64 {
        let delay = (1u64 << self.failures.min(10)).min(1000);
        self.failures += 1;
        delay
    }
}

impl Model {
    fn advance(&mut self, to: u64) {
        for (name, key) in &mut self.keys {
            if let Some(held) = key.lease.clone().filter(|held| held.expires <= to) {
                key.lease = None;
                self.over.push(held.token);
                let at = held.expires + key.backoff();
                key.want(held.priority, at, held.expires);
                // Back to the tail, also if it was dirty.
                key.since = held.expires.max(key.pending.map_or(0, |(_, at)| at));
                self.owed.insert(name.clone());
            }
            if let Some((_, cap)) = key.gate
                && cap > self.now
                && cap <= to
            {
                key.since = key.since.max(cap);
            }
        }
        self.now = to;
    }

    fn leases(&self) -> Vec<(ObjectKey, u64)> {
        let held = self
            .keys
            .iter()
            .filter_map(|(k, e)| Some((k.clone(), e.lease.as_ref()?.token)));
        held.collect()
    }

    fn outstanding(&self, worker: &str) -> usize {
        let held = self.keys.values().filter_map(|e| e.lease.as_ref());
        held.filter(|held| held.worker == worker).count()
    }

    fn eligible(&self) -> impl Iterator<Item = (&ObjectKey, &Key)> {
        self.keys.iter().filter(|(_, e)| e.eligible(self.now))
    }

    /// The rules of handing out.
    fn check(&self, lease: &Lease, fair: bool, before: Option<&Lease>) {
        let entry = &self.keys[&lease.key];
        assert!(entry.lease.is_none(), "{} is leased", lease.key);
        assert!(entry.eligible(self.now), "{} is gated or delayed: {entry:?}", lease.key);
        let (priority, _) = entry.pending.unwrap();
        assert_eq!((lease.priority, lease.failures), (priority, entry.failures));
        assert_eq!(lease.stale, entry.gate.is_some());
        let same_lane = |k: &ObjectKey| !fair || k.namespace() == lease.key.namespace();
        for (other, e) in self.eligible() {
            let (p, _) = e.pending.unwrap();
            assert!(p <= priority, "{other} has a higher priority than {}", lease.key);
            if p == priority && same_lane(other) {
                assert!(e.since >= entry.since, "{other} came before {}", lease.key);
            }
            if let Some(before) = before
                && fair
                && before.priority == priority
                && before.key.namespace() == lease.key.namespace()
            {
                assert!(p < priority || same_lane(other), "it was the turn of {other}");
            }
        }
    }
}

struct Run {
    queue: WorkQueue,
    model: Model,
    start: Instant,
    last_token: u64,
    fair: bool,
}

impl Run {
    fn new(fair: bool) -> Self {
        let start = Instant::now();
        let config = QueueConfig {
            limiter: RateLimiter::Exponential {
                base: ms(1),
                max: secs(1),
            },
            lease: ms(LEASE),
            max_per_worker: PER_WORKER,
            fair,
            gate_cap: ms(CAP),
            ..QueueConfig::default()
        };
        Self {
            queue: WorkQueue::new(config, start),
            model: Model {
                keys: BTreeMap::new(),
                over: Vec::new(),
                seen: 0,
                now: 0,
                owed: BTreeSet::new(),
            },
            start,
            last_token: 0,
            fair,
        }
    }

    fn now(&self) -> Instant {
        self.start + ms(self.model.now)
    }

    fn key(&self, n: u8) -> ObjectKey {
        ObjectKey::new(NAMESPACES[usize::from(n) % 3], format!("{n}"))
    }

    fn apply(&mut self, op: Op) {
        let now = self.now();
        let t = self.model.now;
        match op {
            Op::Add {
                key,
                after,
                limited,
                priority,
            } => {
                let key = self.key(key);
                let how = Add {
                    after: ms(after),
                    rate_limited: limited,
                    priority,
                };
                self.queue.add(key.clone(), how, now);
                let entry = self.model.keys.entry(key.clone()).or_default();
                let delay = match (limited, after) {
                    (true, 0) => entry.backoff(),
                    (true, after) => entry.backoff().min(after),
                    (false, after) => after,
                };
                entry.want(priority, t + delay, t);
                self.model.owed.insert(key);
            }
            Op::Acquire { worker, max } => self.acquire(WORKERS[usize::from(worker)], max),
            Op::Complete {
                pick,
                outcome,
                after,
                wait,
            } => self.complete(pick, outcome, after, wait),
            Op::Extend { pick } => {
                let leases = self.model.leases();
                if let Some((key, token)) = leases.get(usize::from(pick) % leases.len().max(1)) {
                    self.queue.extend(*token, now).unwrap();
                    let entry = self.model.keys.get_mut(key).unwrap();
                    entry.lease.as_mut().unwrap().expires = t + LEASE;
                }
            }
            Op::Seen { version } => {
                self.queue
                    .seen("pods", &ResourceVersion::parse(&version.to_string()), now);
                self.model.seen = self.model.seen.max(version);
                for entry in self.model.keys.values_mut() {
                    if entry.gate.is_some_and(|(waits, _)| waits <= version) {
                        if entry.gated(t) {
                            entry.since = entry.since.max(t);
                        }
                        entry.gate = None;
                    }
                }
            }
            Op::Forget { key } => {
                let key = self.key(key);
                self.queue.forget(&key);
                if let Some(entry) = self.model.keys.get_mut(&key) {
                    entry.failures = 0;
                }
            }
            Op::WorkerLost { worker, grace } => {
                let worker = WORKERS[usize::from(worker)];
                self.queue.worker_lost(worker, now + ms(grace), now);
                for held in self.model.keys.values_mut().filter_map(|e| e.lease.as_mut()) {
                    if held.worker == worker {
                        held.expires = held.expires.min(t + grace);
                    }
                }
                // A grace of 0 is over at once.
                self.model.advance(t);
                self.queue.advance(now);
            }
            Op::Pass { time } => {
                self.model.advance(t + time);
                self.queue.advance(self.now());
            }
        }
        self.compare();
    }

    fn acquire(&mut self, worker: &'static str, max: usize) {
        let now = self.now();
        let allowed = max.min(PER_WORKER - self.model.outstanding(worker));
        let want = allowed.min(self.model.eligible().count());
        let leases = self.queue.acquire(worker, max, now);
        assert_eq!(leases.len(), want);
        for (i, lease) in leases.iter().enumerate() {
            self.model.check(lease, self.fair, i.checked_sub(1).map(|i| &leases[i]));
            assert!(lease.token > self.last_token, "tokens grow");
            self.last_token = lease.token;
            let expires = self.model.now + LEASE;
            assert_eq!(lease.expires, self.start + ms(expires));
            let entry = self.model.keys.get_mut(&lease.key).unwrap();
            entry.lease = Some(Held {
                token: lease.token,
                worker,
                priority: lease.priority,
                expires,
            });
            entry.pending = None;
            self.model.owed.remove(&lease.key);
        }
    }

    fn complete(&mut self, pick: u8, outcome: u8, after: u64, wait: Option<u64>) {
        let now = self.now();
        let t = self.model.now;
        // A lease that is over has no effect, whatever has become of its key.
        if let Some(token) = self.model.over.get(usize::from(pick)) {
            let refused = self.queue.complete(*token, Outcome::Success, &[], "", now);
            assert_eq!(refused, Err(Refused::LeaseLost));
            return;
        }
        let leases = self.model.leases();
        let Some((key, token)) = leases.get(usize::from(pick) % leases.len().max(1)).cloned() else {
            return;
        };
        let outcome = [
            Outcome::Success,
            Outcome::Retry,
            Outcome::RequeueAfter(ms(after)),
            Outcome::Release,
            Outcome::Terminal,
        ][usize::from(outcome)];
        let waits: Vec<_> = wait
            .map(|version| WaitFor {
                informer: "pods".into(),
                version: ResourceVersion::parse(&version.to_string()),
            })
            .into_iter()
            .collect();
        self.queue.complete(token, outcome, &waits, "", now).unwrap();
        self.model.over.push(token);
        let entry = self.model.keys.get_mut(&key).unwrap();
        let held = entry.lease.take().unwrap();
        entry.since = t.max(entry.pending.map_or(0, |(_, at)| at));
        if matches!(outcome, Outcome::Success | Outcome::RequeueAfter(_) | Outcome::Terminal) {
            entry.failures = 0;
        }
        let again = match outcome {
            Outcome::Retry => Some(t + entry.backoff()),
            Outcome::RequeueAfter(_) => Some(t + after),
            Outcome::Release => Some(t),
            Outcome::Success | Outcome::Terminal => None,
        };
        if let Some(at) = again {
            entry.want(held.priority, at, t);
            entry.since = t.max(entry.pending.map_or(0, |(_, at)| at));
            self.model.owed.insert(key);
        } else {
            entry.parked = outcome == Outcome::Terminal && entry.pending.is_none();
        }
        if let Some(version) = wait.filter(|version| *version > self.model.seen) {
            let newest = entry.gate.map_or(version, |(old, _)| old.max(version));
            entry.gate = Some((newest, t + CAP));
        }
    }

    /// Everything that can be seen from outside agrees.
    fn compare(&mut self) {
        let now = self.now();
        let t = self.model.now;
        let stats = self.queue.stats(now);
        let keys = self.model.keys.values();
        let count = |f: &dyn Fn(&Key) -> bool| self.model.keys.values().filter(|e| f(e)).count();
        let free = |e: &Key| e.lease.is_none() && !e.gated(t);
        assert_eq!(stats.ready, count(&|e| e.eligible(t)), "ready");
        assert_eq!(stats.leased, count(&|e| e.lease.is_some()), "leased");
        assert_eq!(stats.gated, count(&|e| e.lease.is_none() && e.gated(t)), "gated");
        let delayed = |e: &Key| free(e) && e.pending.is_some_and(|(_, at)| at > t);
        assert_eq!(stats.delayed, count(&delayed), "delayed");
        assert_eq!(stats.parked, count(&|e| free(e) && e.parked), "parked");
        let deadlines = keys.filter_map(|e| match (&e.lease, e.gate, e.pending) {
            (Some(held), _, _) => Some(held.expires),
            (None, Some((_, cap)), _) if cap > t => Some(cap),
            (None, _, Some((_, at))) if at > t => Some(at),
            _ => None,
        });
        let deadline = deadlines.min().map(|at| self.start + ms(at));
        assert_eq!(self.queue.next_deadline(), deadline);
        let mut shown = HashMap::new();
        let page = self.queue.page(0, 1000, |_, _| true);
        for item in page.items {
            assert!(shown.insert(item.key.clone(), item.failures).is_none());
        }
        for (key, entry) in &self.model.keys {
            assert_eq!(self.queue.num_requeues(key), entry.failures, "{key}");
            let known = entry.pending.is_some() || entry.lease.is_some() || entry.gate.is_some() || entry.parked;
            assert_eq!(shown.contains_key(key), known, "{key} {entry:?}");
        }
    }

    /// Whatever has happened, each key that was added is handed out in the end.
    fn finish(&mut self) {
        let mut rounds = 0;
        while !(self.model.owed.is_empty() && self.model.keys.values().all(Key::idle)) {
            rounds += 1;
            assert!(rounds < 200, "never handed out: {:?}", self.model.owed);
            self.apply(Op::Pass { time: 50 });
            for worker in 0..2 {
                self.apply(Op::Acquire { worker, max: 4 });
            }
            while !self.model.leases().is_empty() {
                self.model.over.clear();
                self.complete(0, 0, 0, None);
            }
        }
        let left = self.queue.stats(self.now());
        assert_eq!((left.ready, left.delayed, left.leased), (0, 0, 0));
    }
}

proptest! {
    #[test]
    fn the_queue_keeps_its_promises(fair in any::<bool>(), ops in prop::collection::vec(op(), 1..150)) {
        let mut run = Run::new(fair);
        for op in ops {
            run.apply(op);
        }
        run.finish();
    }
}
