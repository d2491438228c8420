//! The API server of a story: writes, cuts and gaps, simulated or real.

use std::time::Duration;

use informerd::sim::Sim;
use kube::Client;
use serde_json::{Value, json};
use support::{ControlPlane, Proxy};

use crate::story::Gaps;

/// Where the objects of a story live.
pub(crate) const NAMESPACE: &str = "story-0";

/// An API server.
pub(crate) enum Server<'a> {
    Sim {
        sim: &'a Sim,
        gaps: Gaps,
    },
    Real {
        plane: &'a ControlPlane,
        proxy: &'a Proxy,
        client: Client,
    },
}

// === impl Server ===

impl Server<'_> {
    /// Creates a pod; `inside` says whether the selector `in=yes` selects it.
    pub(crate) async fn create(&self, name: &str, inside: bool) -> u64 {
        let pod = json!({
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": name, "namespace": NAMESPACE, "labels": {"in": word(inside)}},
            "spec": {"containers": [{"name": "main", "image": "registry.example/main:1"}]},
        });
        let made = match self {
            Self::Sim { sim, .. } => sim.create(pod).expect("create"),
            Self::Real { .. } => self.send("POST", "", Some(&pod)).await,
        };
        version(&made)
    }

    /// Merges labels into a pod.
    pub(crate) async fn label(&self, name: &str, inside: bool, n: u64) -> u64 {
        self.patch(
            name,
            &json!({"metadata": {"labels": {"in": word(inside), "n": n.to_string()}}}),
        )
        .await
    }

    /// Deletes a pod that stays, marked, until its finalizer is taken away.
    pub(crate) async fn delete_slowly(&self, name: &str) {
        self.patch(name, &json!({"metadata": {"finalizers": ["informerd.test/wait"]}}))
            .await;
        self.delete(name).await;
        self.patch(name, &json!({"metadata": {"finalizers": null}})).await;
    }

    async fn patch(&self, name: &str, patch: &Value) -> u64 {
        let changed = match self {
            Self::Sim { sim, .. } => sim
                .patch_merge("pods", Some(NAMESPACE), name, patch.clone())
                .expect("patch"),
            Self::Real { .. } => self.send("PATCH", name, Some(patch)).await,
        };
        version(&changed)
    }

    pub(crate) async fn delete(&self, name: &str) {
        match self {
            Self::Sim { sim, .. } => drop(sim.delete("pods", Some(NAMESPACE), name).expect("delete")),
            Self::Real { .. } => drop(self.send("DELETE", name, Some(&json!({"gracePeriodSeconds": 0}))).await),
        }
    }

    /// Breaks all connections of the readers.
    pub(crate) fn cut(&self) {
        match self {
            Self::Sim { sim, .. } => sim.cut_all(),
            Self::Real { proxy, .. } => assert!(proxy.cut_all() >= 2, "both sides were connected"),
        }
    }

    /// A simulated cluster that can go down does, and answers true.
    pub(crate) async fn go_down(&self) -> bool {
        match self {
            Self::Sim { sim, gaps: Gaps::Down } => {
                sim.go_down().await;
                true
            }
            _ => false,
        }
    }

    /// And it comes up again, with all versions.
    pub(crate) async fn come_up(&self) {
        if let Self::Sim { sim, .. } = self {
            sim.come_up().await.expect("listen again");
        }
    }

    /// From now on the readers learn nothing.
    pub(crate) async fn begin_gap(&self) {
        match self {
            Self::Sim {
                sim,
                gaps: Gaps::Hidden,
            } => sim.hide_changes(true),
            Self::Sim { sim, gaps: Gaps::Down } => sim.go_down().await,
            Self::Real { proxy, .. } => {
                proxy.refuse(true);
                proxy.cut_all();
            }
        }
    }

    /// The readers come back, and the version that they stand at is gone.
    pub(crate) async fn end_gap(&self) {
        match self {
            Self::Sim { sim, gaps } => {
                sim.hide_changes(false);
                sim.compact();
                match gaps {
                    Gaps::Hidden => sim.cut_all(),
                    Gaps::Down => sim.come_up().await.expect("listen again"),
                }
            }
            Self::Real { plane, proxy, .. } => {
                plane.compact_etcd();
                plane.restart_apiserver();
                proxy.refuse(false);
            }
        }
    }

    /// Moves the version ahead without touching the objects, if it can; answers how far.
    pub(crate) fn skip(&self) -> Option<u64> {
        match self {
            Self::Sim { sim, gaps: Gaps::Down } => {
                sim.skip_resource_versions(50);
                Some(sim.resource_version())
            }
            _ => None,
        }
    }

    /// Forgets all versions but the present one.
    pub(crate) fn compact(&self) {
        if let Self::Sim { sim, .. } = self {
            sim.compact();
        }
    }

    async fn send(&self, method: &str, name: &str, body: Option<&Value>) -> Value {
        let Self::Real { client, .. } = self else {
            panic!("only a real server has requests");
        };
        let path = format!("/api/v1/namespaces/{NAMESPACE}/pods/{name}");
        let content = if method == "PATCH" {
            "application/merge-patch+json"
        } else {
            "application/json"
        };
        let bytes = body.map(|body| body.to_string().into_bytes()).unwrap_or_default();
        // After its restart the server refuses for a while, until its caches are filled.
        let deadline = std::time::Instant::now() + support::DEADLINE;
        loop {
            let request = http::Request::builder().method(method).uri(path.trim_end_matches('/'));
            let request = request.header("Content-Type", content).body(bytes.clone());
            match client.request::<Value>(request.expect("a valid request")).await {
                Ok(answer) => return answer,
                Err(kube::Error::Api(status)) if status.code == 429 && std::time::Instant::now() < deadline => {
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
                Err(error) => panic!("{method} {path}: {error}"),
            }
        }
    }
}

fn word(inside: bool) -> &'static str {
    if inside { "yes" } else { "no" }
}

fn version(object: &Value) -> u64 {
    let text = object["metadata"]["resourceVersion"].as_str().unwrap_or_default();
    text.parse().expect("a version")
}
