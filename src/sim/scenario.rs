//! The demo: a small shop whose pods, deployments and settings keep changing at a natural pace.
//!
//! Each step moves one thing: a pod is born, is scheduled and runs, or goes; a deployment scales and its pods follow;
//! a configmap gets a new value. A seed makes the same story every time.

use std::time::Duration;

use rand::rngs::StdRng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::Sim;
use super::meta::{name_suffix, text};
use super::status::StatusError;

const NODES: &[&str] = &["node-a", "node-b", "node-c"];
/// namespace, application, image
const APPS: &[(&str, &str, &str)] = &[
    ("shop", "web", "registry.example/web:1.4"),
    ("shop", "cart", "registry.example/cart:2.0"),
    ("billing", "invoices", "registry.example/invoices:0.9"),
    ("billing", "ledger", "registry.example/ledger:3.1"),
    ("search", "index", "registry.example/index:5.2"),
];
const MAX_REPLICAS: i64 = 5;
/// Each so many steps a running pod dies, whatever else is under way: a short look shows every kind of change.
const STEPS_TO_A_DEATH: u64 = 12;

/// The story and its chance.
#[derive(Debug)]
pub struct Scenario {
    rng: StdRng,
    steps: u64,
}

// === impl Scenario ===

impl Scenario {
    /// Plays until the shutdown, at so many changes a second (0.1 to 1,000).
    pub async fn run(sim: Sim, rate: f64, shutdown: CancellationToken) -> Result<(), StatusError> {
        let mut scenario = Self::new(7);
        scenario.set_stage(&sim)?;
        let pace = if rate.is_finite() {
            rate.clamp(0.1, 1_000.0)
        } else {
            1.0
        };
        loop {
            // Uneven, as life is, but right on average.
            let pause = Duration::from_secs_f64(scenario.rng.random_range(0.4..1.6) / pace);
            if shutdown.run_until_cancelled(tokio::time::sleep(pause)).await.is_none() {
                return Ok(());
            }
            scenario.step(&sim)?;
        }
    }

    /// A scenario with its own seed, to be driven step by step.
    pub fn new(seed: u64) -> Self {
        Self {
            rng: StdRng::seed_from_u64(seed),
            steps: 0,
        }
    }

    /// Nodes, deployments and configmaps, without any pods yet.
    pub fn set_stage(&mut self, sim: &Sim) -> Result<(), StatusError> {
        for name in NODES {
            sim.apply(json!({
                "apiVersion": "v1",
                "kind": "Node",
                "metadata": {"name": name, "labels": {"kubernetes.io/hostname": name}},
                "status": {"conditions": [{"type": "Ready", "status": "True", "reason": "KubeletReady"}]},
            }))?;
        }
        for (namespace, app, image) in APPS {
            sim.apply(json!({
                "apiVersion": "apps/v1",
                "kind": "Deployment",
                "metadata": {"name": app, "namespace": namespace, "labels": {"app": app}},
                "spec": {
                    "replicas": self.rng.random_range(1..=MAX_REPLICAS),
                    "selector": {"matchLabels": {"app": app}},
                    "template": {
                        "metadata": {"labels": {"app": app}},
                        "spec": {"containers": [{"name": app, "image": image}]},
                    },
                },
                "status": {"replicas": 0, "readyReplicas": 0},
            }))?;
            sim.apply(json!({
                "apiVersion": "v1",
                "kind": "ConfigMap",
                "metadata": {"name": format!("{app}-settings"), "namespace": namespace, "labels": {"app": app}},
                "data": {"log-level": "info", "revision": "1"},
            }))?;
        }
        Ok(())
    }

    /// One change somewhere. What is under way (a pod that waits, a replica too few or too many) comes first.
    pub fn step(&mut self, sim: &Sim) -> Result<(), StatusError> {
        self.steps += 1;
        let pods = sim.list("pods")?;
        if self.steps.is_multiple_of(STEPS_TO_A_DEATH) {
            let running: Vec<_> = pods.iter().filter(|pod| pod["status"]["phase"] == "Running").collect();
            if let Some(pod) = running.choose(&mut self.rng) {
                return remove(sim, pod);
            }
        }
        let mut pending: Vec<_> = pods.iter().filter(|pod| pod["status"]["phase"] == "Pending").collect();
        pending.shuffle(&mut self.rng);
        if let Some(pod) = pending.first().filter(|_| self.rng.random_bool(0.7)) {
            return self.advance(sim, pod);
        }
        let mut deployments = sim.list("deployments.apps")?;
        deployments.shuffle(&mut self.rng);
        for deployment in &deployments {
            let owned: Vec<_> = pods.iter().filter(|pod| belongs(pod, deployment)).collect();
            let wanted = deployment["spec"]["replicas"].as_u64().unwrap_or(0) as usize;
            if owned.len() < wanted {
                return self.give_birth(sim, deployment);
            }
            if let Some(pod) = owned.choose(&mut self.rng).filter(|_| owned.len() > wanted) {
                return remove(sim, pod);
            }
            let ready = owned.iter().filter(|pod| pod["status"]["phase"] == "Running").count();
            let counted = (
                &deployment["status"]["replicas"],
                &deployment["status"]["readyReplicas"],
            );
            if counted != (&json!(owned.len()), &json!(ready)) {
                let status = json!({"status": {"replicas": owned.len(), "readyReplicas": ready}});
                return patch(sim, "deployments.apps", deployment, status);
            }
        }
        // All is as it should be: then something happens.
        match (
            self.rng.random_range(0..10),
            deployments.first(),
            pods.choose(&mut self.rng),
        ) {
            (0..5, Some(deployment), _) => {
                let replicas = self.rng.random_range(1..=MAX_REPLICAS);
                patch(
                    sim,
                    "deployments.apps",
                    deployment,
                    json!({"spec": {"replicas": replicas}}),
                )
            }
            (5..8, _, Some(pod)) => remove(sim, pod),
            _ => self.change_settings(sim),
        }
    }

    fn give_birth(&mut self, sim: &Sim, deployment: &Value) -> Result<(), StatusError> {
        let app = text(deployment, "name");
        let owner = json!({
            "apiVersion": "apps/v1",
            "kind": "Deployment",
            "name": app,
            "uid": deployment["metadata"]["uid"],
            "controller": true,
        });
        sim.create(json!({
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {
                "name": format!("{app}-{}", name_suffix(&mut self.rng)),
                "namespace": deployment["metadata"]["namespace"],
                "labels": deployment["spec"]["template"]["metadata"]["labels"],
                "ownerReferences": [owner],
            },
            "spec": deployment["spec"]["template"]["spec"],
        }))
        .map(drop)
    }

    /// Pending pods are first put on a node, then run.
    fn advance(&mut self, sim: &Sim, pod: &Value) -> Result<(), StatusError> {
        if pod["spec"]["nodeName"].is_null() {
            let node = NODES.choose(&mut self.rng);
            return patch(sim, "pods", pod, json!({"spec": {"nodeName": node}}));
        }
        let ip = format!("10.1.{}.{}", self.rng.random_range(0..3), self.rng.random_range(2..250));
        let condition = json!({"type": "Ready", "status": "True"});
        let status = json!({"phase": "Running", "podIP": ip, "conditions": [condition]});
        patch(sim, "pods", pod, json!({"status": status}))
    }

    fn change_settings(&mut self, sim: &Sim) -> Result<(), StatusError> {
        let maps = sim.list("configmaps")?;
        let Some(map) = maps.choose(&mut self.rng) else {
            return Ok(());
        };
        let revision: u64 = map["data"]["revision"]
            .as_str()
            .and_then(|r| r.parse().ok())
            .unwrap_or(0);
        let level = ["debug", "info", "warn"].choose(&mut self.rng);
        let data = json!({"log-level": level, "revision": (revision + 1).to_string()});
        patch(sim, "configmaps", map, json!({"data": data}))
    }
}

fn belongs(pod: &Value, deployment: &Value) -> bool {
    pod["metadata"]["ownerReferences"][0]["uid"] == deployment["metadata"]["uid"]
}

fn patch(sim: &Sim, resource: &str, object: &Value, patch: Value) -> Result<(), StatusError> {
    let namespace = object["metadata"]["namespace"].as_str();
    settle(sim.patch_merge(resource, namespace, text(object, "name"), patch))
}

fn remove(sim: &Sim, pod: &Value) -> Result<(), StatusError> {
    settle(sim.delete("pods", pod["metadata"]["namespace"].as_str(), text(pod, "name")))
}

/// Somebody else may play on the same stage: what has gone in between is no error.
fn settle(result: Result<Value, StatusError>) -> Result<(), StatusError> {
    match result {
        Err(status) if status.code != 404 => Err(status),
        _ => Ok(()),
    }
}
