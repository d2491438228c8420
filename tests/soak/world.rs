//! The cluster, what is done to it at random, and what is true in it.

use std::collections::{BTreeMap, VecDeque};

use informerd::sim::{Action, Rule, RuleId, Sim, StatusError, Verb};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde_json::{Value, json};

use super::{
    client::Habits,
    view::{Key, State},
};

pub(crate) const NAMESPACES: [&str; 4] = ["ns0", "ns1", "ns2", "ns3"];
const NAMES: usize = 150;
const TIERS: [&str; 3] = ["front", "back", "store"];
/// Steps that are told when something diverges.
const REMEMBERED: usize = 60;

/// The cluster and the chance that drives it.
pub(crate) struct World {
    pub(crate) sim: Sim,
    pub(crate) rng: StdRng,
    pub(crate) changes: usize,
    denied: Option<(RuleId, &'static str)>,
    steps: VecDeque<String>,
}

// === impl World ===

impl World {
    pub(crate) async fn start(seed: u64) -> Self {
        let sim = Sim::builder()
            .seed(seed)
            .history_limit(8_000)
            .bookmark_period(std::time::Duration::from_secs(5))
            .start()
            .await
            .expect("a simulated cluster");
        Self {
            sim,
            rng: StdRng::seed_from_u64(seed),
            changes: 0,
            denied: None,
            steps: VecDeque::new(),
        }
    }

    /// One random write.
    pub(crate) fn change(&mut self) {
        let namespace = NAMESPACES[self.rng.random_range(0..NAMESPACES.len())];
        let name = format!("c{}", self.rng.random_range(0..NAMES));
        let found = self.sim.get("configmaps", Some(namespace), &name).ok();
        let dice = self.rng.random_range(0..100);
        let Some(found) = found else {
            self.create(namespace, &name);
            return;
        };
        match dice {
            0..60 => self.update(found, namespace, &name, None),
            60..75 => {
                let tier = TIERS[self.rng.random_range(0..TIERS.len())];
                self.update(found, namespace, &name, Some(tier));
            }
            75..90 => self.delete(namespace, &name),
            _ => {
                self.delete(namespace, &name);
                self.create(namespace, &name);
            }
        }
    }

    /// All objects of a namespace go at once; they come again by and by.
    pub(crate) fn empty_a_namespace(&mut self) {
        let namespace = NAMESPACES[self.rng.random_range(0..NAMESPACES.len())];
        let names: Vec<_> = self.truth(|object| object["metadata"]["namespace"] == namespace);
        self.step(format!("{namespace} is emptied"));
        for (_, name) in names {
            self.delete(namespace, &name);
        }
    }

    /// Takes the right to read a namespace away, or gives it back.
    pub(crate) fn flip_rights(&mut self) {
        if self.grant() {
            return;
        }
        let namespace = NAMESPACES[self.rng.random_range(0..3)];
        let rule = Rule::on_any(Action::Status(StatusError::forbidden("configmaps", "watch"))).namespace(namespace);
        self.denied = Some((self.sim.faults().add(rule), namespace));
        self.step(format!("{namespace} is denied"));
        self.cut();
    }

    /// Gives rights back that were taken away.
    pub(crate) fn grant(&mut self) -> bool {
        let Some((rule, namespace)) = self.denied.take() else {
            return false;
        };
        self.sim.faults().remove(rule);
        self.step(format!("{namespace} is granted again"));
        true
    }

    pub(crate) fn cut(&mut self) {
        self.step("cut".into());
        self.sim.cut_all();
    }

    /// The history goes, and with it the watches: they get 410 and list.
    pub(crate) fn force_relist(&mut self) {
        self.step("compact and cut".into());
        self.sim.compact();
        self.sim.cut_all();
    }

    /// A fault that waits for the next request that it fits.
    pub(crate) fn mischief(&mut self) {
        let events = self.rng.random_range(0..20);
        let watch = |action| Rule::on(Verb::Watch, action);
        let rule = match self.rng.random_range(0..10) {
            0 => watch(Action::ErrorAfter {
                events,
                status: StatusError::expired(),
            }),
            1 => watch(Action::TruncateAfter { events: events + 1 }),
            2 => watch(Action::ResetAfter { events: events + 1 }),
            3 => watch(Action::CloseAfter { events }),
            4 => watch(Action::FreezeAfter { events }),
            5 => watch(Action::Status(StatusError::too_many_requests(2))),
            6 => Rule::on(Verb::WatchList, Action::TruncateAfter { events }),
            7 => Rule::on(Verb::WatchList, Action::Garbage { bytes: 300 }),
            8 => Rule::on(Verb::WatchList, Action::Status(StatusError::internal("in trouble"))),
            _ => Rule::on(
                Verb::WatchList,
                Action::ErrorAfter {
                    events,
                    status: StatusError::expired(),
                },
            ),
        };
        self.step(format!("a rule: {:?} {:?}", rule.verb, rule.action));
        self.sim.faults().add(rule.once());
        // The watches that are open know nothing of the rule.
        self.sim.cut_all();
    }

    /// Forgets used and unused rules.
    pub(crate) fn peace(&mut self) {
        self.grant();
        self.sim.faults().clear();
    }

    /// What a client of these habits must hold.
    pub(crate) fn wanted(&self, habits: &Habits, informer: &[&str]) -> BTreeMap<Key, State> {
        let matches = |object: &Value| {
            let namespace = object["metadata"]["namespace"].as_str().unwrap_or("");
            let within = |names: &[&str]| names.is_empty() || names.contains(&namespace);
            let tier = object["metadata"]["labels"]["tier"].as_str().unwrap_or("");
            let labels = match habits.labels {
                "" => true,
                "tier notin (front)" => tier != "front",
                equal => equal.strip_prefix("tier=") == Some(tier),
            };
            within(informer) && within(habits.namespaces) && labels
        };
        let objects = self.sim.list("configmaps").expect("ConfigMaps are known");
        objects.iter().filter(|object| matches(object)).map(held).collect()
    }

    pub(crate) fn step(&mut self, what: String) {
        if self.steps.len() == REMEMBERED {
            self.steps.pop_front();
        }
        self.steps.push_back(format!(
            "{} (change {}): {what}",
            self.sim.resource_version(),
            self.changes
        ));
    }

    /// The last steps, for people.
    pub(crate) fn story(&self) -> String {
        self.steps.iter().map(|step| format!("  {step}\n")).collect()
    }

    fn truth(&self, matches: impl Fn(&Value) -> bool) -> Vec<Key> {
        let objects = self.sim.list("configmaps").expect("ConfigMaps are known");
        objects
            .iter()
            .filter(|object| matches(object))
            .map(|object| held(object).0)
            .collect()
    }

    fn create(&mut self, namespace: &str, name: &str) {
        let tier = TIERS[self.rng.random_range(0..TIERS.len())];
        let object = json!({
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {"name": name, "namespace": namespace, "labels": {"tier": tier}},
            "data": {"change": self.changes.to_string()},
        });
        self.sim.create(object).expect("it is not there");
        self.changed(format!("create {namespace}/{name} {tier}"));
    }

    fn update(&mut self, mut object: Value, namespace: &str, name: &str, tier: Option<&str>) {
        object["data"]["change"] = json!(self.changes.to_string());
        if let Some(tier) = tier {
            object["metadata"]["labels"]["tier"] = json!(tier);
        }
        self.sim.update(object).expect("it is there");
        self.changed(format!("update {namespace}/{name} {}", tier.unwrap_or("")));
    }

    fn delete(&mut self, namespace: &str, name: &str) {
        self.sim
            .delete("configmaps", Some(namespace), name)
            .expect("it is there");
        self.changed(format!("delete {namespace}/{name}"));
    }

    fn changed(&mut self, what: String) {
        self.changes += 1;
        self.step(what);
    }
}

fn held(object: &Value) -> (Key, State) {
    let text = |field: &str| object["metadata"][field].as_str().unwrap_or("").to_owned();
    let version = text("resourceVersion").parse().unwrap_or(0);
    ((text("namespace"), text("name")), (text("uid"), version))
}
