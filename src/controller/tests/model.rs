//! A client replays what listeners tell, whatever they are overtaken by; its view must equal the store at each marker.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

#[derive(Clone, Debug)]
enum Op {
    Put(u8, u8, u8),
    Delete(u8),
    Relist(Vec<u8>),
    Read(u8),
}

fn ops() -> impl Strategy<Value = Vec<Op>> {
    let op = prop_oneof![
        6 => (0..8u8, 0..2u8, 0..2u8).prop_map(|(key, uid, app)| Op::Put(key, uid, app)),
        2 => (0..8u8).prop_map(Op::Delete),
        1 => prop::collection::vec(0..8u8, 0..6).prop_map(Op::Relist),
        3 => (1..4u8).prop_map(Op::Read),
    ];
    prop::collection::vec(op, 1..60)
}

#[derive(Default)]
pub(super) struct Client {
    pub(super) filtered: bool,
    pub(super) view: BTreeMap<String, (String, String)>,
    /// Keys that a snapshot after a reset has not confirmed.
    doubtful: Option<Vec<String>>,
}

impl Client {
    /// Applies steps until nothing is left or `most` were taken; checks the view whenever the listener vouches for it.
    pub(super) async fn read(&mut self, rig: &Rig, listener: &mut Listener, most: usize) {
        let budget = Budget {
            events: 2,
            bytes: usize::MAX,
            size_of: &|_| 1,
        };
        for _ in 0..most {
            let step = tokio::select! {
                biased;
                step = listener.next(&budget) => step.unwrap(),
                () = std::future::ready(()) => return,
            };
            match step {
                Step::Reset | Step::Replaced => self.doubtful = Some(self.view.keys().cloned().collect()),
                Step::Synced => {
                    for key in self.doubtful.take().unwrap_or_default() {
                        self.view.remove(&key);
                    }
                    self.check(rig, listener);
                }
                Step::Events {
                    events, complete_to, ..
                } => {
                    events.iter().for_each(|e| self.apply(e));
                    if complete_to == Some(listener.revision()) {
                        self.check(rig, listener);
                    }
                }
            }
        }
    }

    fn apply(&mut self, event: &Delivery) {
        let key = event.object.key().to_string();
        if let Some(doubtful) = &mut self.doubtful {
            doubtful.retain(|k| *k != key);
        }
        match (&event.object, event.kind) {
            (Subject::Object(o), EventKind::Added | EventKind::Updated | EventKind::Resync) => {
                let state = (o.meta.uid.to_string(), o.resource_version().to_string());
                self.view.insert(key, state);
            }
            _ => {
                self.view.remove(&key);
            }
        }
    }

    fn check(&self, rig: &Rig, listener: &Listener) {
        assert_eq!(listener.digest().count as usize, self.view.len());
        if listener.lag() == 0 {
            let state = rig.processor.load();
            let query = Query::compile(&rig.model_filter(), state.snapshot.indexes()).unwrap();
            let truth: BTreeMap<_, _> = state
                .snapshot
                .in_namespace(None)
                .filter(|(_, o)| !self.filtered || query.matches(o))
                .map(|(_, o)| {
                    (
                        o.key.to_string(),
                        (o.meta.uid.to_string(), o.resource_version().to_string()),
                    )
                })
                .collect();
            assert_eq!(self.view, truth);
        }
    }
}

impl Rig {
    fn model_filter(&self) -> QuerySpec {
        QuerySpec {
            label_selector: "app=a1".into(),
            ..QuerySpec::default()
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]
    #[test]
    fn a_replayed_view_equals_the_store(
        ops in ops(), ring in 1..6usize, coalesce in any::<bool>(), filtered in any::<bool>(),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let mut rig = rig();
            rig.controller.limits.max_revisions = ring;
            rig.overflow = if coalesce { Overflow::Coalesce } else { Overflow::Reset };
            rig.relist(0, vec![], 1).await;
            let labels = if filtered { "app=a1" } else { "" };
            let mut slow = rig.listen(labels, Start::Snapshot);
            let mut fast = rig.listen(labels, Start::Now);
            let client = || Client { filtered, ..Client::default() };
            let (mut slow_client, mut fast_client) = (client(), client());
            for (n, op) in ops.iter().enumerate() {
                let rv = 10 + n as u64;
                match op {
                    Op::Put(key, uid, app) => {
                        let object = rig.shared(&format!("a/k{key}"), &format!("u{uid}"), rv, &format!("a{app}"));
                        rig.apply(Delta::Updated(object));
                    }
                    Op::Delete(key) => {
                        let key = format!("a/k{key}");
                        let (namespace, name) = key.split_once('/').unwrap();
                        let known = rig.processor.load().snapshot.get(&ObjectKey::new(namespace, name)).cloned();
                        if let Some(known) = known {
                            let uid = known.meta.uid.to_string();
                            rig.apply(Delta::Deleted(rig.shared(&key, &uid, rv, "a0")));
                        }
                    }
                    Op::Relist(keys) => {
                        let objects = keys.iter().map(|k| rig.object(&format!("a/k{k}"), "u0", rv, "a1"));
                        let objects = objects.collect();
                        rig.relist(0, objects, rv).await;
                    }
                    Op::Read(steps) => slow_client.read(&rig, &mut slow, *steps as usize).await,
                }
                fast_client.read(&rig, &mut fast, usize::MAX).await;
            }
            slow_client.read(&rig, &mut slow, usize::MAX).await;
            assert_eq!(slow.lag(), 0);
            assert_eq!(slow_client.view, fast_client.view);
            assert_eq!(slow.digest(), fast.digest());
        });
    }
}
