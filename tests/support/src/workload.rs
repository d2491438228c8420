//! Realistic objects in bulk, and random changes to them.
//!
//! Everything follows from a seed: the same seed makes the same objects and the same series
//! of changes, whatever version of whatever library is used.

use std::collections::BTreeMap;

use futures::stream::{StreamExt, TryStreamExt};
use kube::Client;
use serde_json::{Value, json};

pub use self::objects::{PodShape, pod};
use crate::random::Random;

mod objects;

/// Requests in flight at a time; more than this only queues in the apiserver.
const CONCURRENCY: usize = 16;

/// Creates objects and changes them at random.
pub struct Workload {
    client: Client,
    random: Random,
    next: usize,
    shape: PodShape,
    /// The pods that exist, with namespace and name.
    pods: Vec<(String, String)>,
}

/// What [`Workload::churn`] did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Churn {
    /// Pods created.
    pub created: usize,
    /// Changes of labels, annotations and status.
    pub patched: usize,
    /// Pods deleted, each at once and for good.
    pub deleted: usize,
}

// === impl Workload ===

impl Workload {
    /// A workload of its own series of random numbers.
    pub fn new(client: Client, seed: u64) -> Self {
        Self {
            client,
            random: Random::new(seed),
            next: 0,
            shape: PodShape::default(),
            pods: Vec::new(),
        }
    }

    /// Changes what the pods look like.
    pub fn shape(mut self, shape: PodShape) -> Self {
        self.shape = shape;
        self
    }

    /// The pods that this workload created and did not delete, sorted.
    pub fn pods(&self) -> Vec<(String, String)> {
        let mut pods = self.pods.clone();
        pods.sort();
        pods
    }

    /// Creates `count` namespaces `{prefix}-0`, `{prefix}-1`, ... and returns their names.
    pub async fn create_namespaces(&self, prefix: &str, count: usize) -> Vec<String> {
        let names: Vec<String> = (0..count).map(|i| format!("{prefix}-{i}")).collect();
        let objects = names.iter().map(|name| objects::namespace(name)).collect();
        self.create_all("/api/v1/namespaces", objects).await;
        names
    }

    /// Creates the nodes `node-0`, `node-1`, ... that the pods are spread over.
    pub async fn create_nodes(&self) {
        let nodes = (0..self.shape.nodes).map(objects::node).collect();
        self.create_all("/api/v1/nodes", nodes).await;
    }

    /// Creates `count` pods, spread over the namespaces and nodes.
    pub async fn create_pods(&mut self, count: usize, namespaces: &[String]) {
        assert!(!namespaces.is_empty(), "pods need a namespace");
        let mut by_namespace = BTreeMap::<&String, Vec<Value>>::new();
        for i in 0..count {
            let namespace = &namespaces[i % namespaces.len()];
            let pod = self.next_pod(namespace);
            by_namespace.entry(namespace).or_default().push(pod);
        }
        for (namespace, pods) in by_namespace {
            self.create_all(&format!("/api/v1/namespaces/{namespace}/pods"), pods)
                .await;
        }
    }

    /// Creates `count` deployments in a namespace, without replicas if nothing should follow
    /// from them.
    pub async fn create_deployments(&self, namespace: &str, count: usize, replicas: usize) {
        let objects = (0..count)
            .map(|i| objects::deployment(namespace, i, replicas))
            .collect();
        let path = format!("/apis/apps/v1/namespaces/{namespace}/deployments");
        self.create_all(&path, objects).await;
    }

    /// Creates the custom resource `widgets.informerd.test` (namespaced, versions v1 and
    /// v1alpha1, short name `wd`) and returns when it is served.
    pub async fn create_crd(&self) {
        let path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
        self.create_all(path, vec![objects::widget_definition()]).await;
        let list = "/apis/informerd.test/v1/widgets";
        crate::wait::eventually("the custom resource is served", || async {
            self.send("GET", list, "", Vec::new()).await.ok()
        })
        .await;
    }

    /// Creates `count` widgets in a namespace.
    pub async fn create_widgets(&self, namespace: &str, count: usize) {
        let objects = (0..count).map(|i| objects::widget(namespace, i)).collect();
        let path = format!("/apis/informerd.test/v1/namespaces/{namespace}/widgets");
        self.create_all(&path, objects).await;
    }

    /// Makes `steps` random changes, one after the other: creates, patches of labels,
    /// annotations and status, and deletes. The number of pods stays about the
    /// same.
    pub async fn churn(&mut self, steps: usize, namespaces: &[String]) -> Churn {
        let mut churn = Churn::default();
        for _ in 0..steps {
            match self.random.below(10) {
                0 | 1 => {
                    let namespace = &namespaces[self.random.below(namespaces.len())];
                    let pod = self.next_pod(namespace);
                    self.create_all(&format!("/api/v1/namespaces/{namespace}/pods"), vec![pod])
                        .await;
                    churn.created += 1;
                }
                2 | 3 if !self.pods.is_empty() => {
                    let victim = self.random.below(self.pods.len());
                    let (namespace, name) = self.pods.swap_remove(victim);
                    self.delete_pod(&namespace, &name).await;
                    churn.deleted += 1;
                }
                _ if !self.pods.is_empty() => {
                    self.patch_random().await;
                    churn.patched += 1;
                }
                _ => {}
            }
        }
        churn
    }

    /// Deletes a pod at once: without a kubelet a graceful deletion would never end.
    pub async fn delete_pod(&mut self, namespace: &str, name: &str) {
        self.pods
            .retain(|pod| (pod.0.as_str(), pod.1.as_str()) != (namespace, name));
        let body = json!({"gracePeriodSeconds": 0}).to_string().into_bytes();
        let path = format!("/api/v1/namespaces/{namespace}/pods/{name}");
        self.must("DELETE", &path, "application/json", body).await;
    }

    /// Sends a merge patch, for example to `/api/v1/namespaces/x/pods/y`, and returns the
    /// object.
    pub async fn patch(&self, path: &str, patch: &Value) -> Value {
        let body = patch.to_string().into_bytes();
        self.must("PATCH", path, "application/merge-patch+json", body).await
    }

    async fn patch_random(&mut self) {
        let (namespace, name) = self.pods[self.random.below(self.pods.len())].clone();
        let path = format!("/api/v1/namespaces/{namespace}/pods/{name}");
        let value = self.random.below(1000).to_string();
        let (path, patch) = match self.random.below(3) {
            0 => (path, json!({"metadata": {"labels": {"tier": value}}})),
            1 => (path, json!({"metadata": {"annotations": {"change": value}}})),
            _ => (format!("{path}/status"), objects::running(self.random.below(250))),
        };
        self.patch(&path, &patch).await;
    }

    fn next_pod(&mut self, namespace: &str) -> Value {
        let pod = pod(&self.shape, namespace, self.next);
        self.next += 1;
        let name = pod["metadata"]["name"].as_str().unwrap_or_default().to_owned();
        self.pods.push((namespace.to_owned(), name));
        pod
    }

    async fn create_all(&self, path: &str, objects: Vec<Value>) {
        let requests = objects.into_iter().map(|object| async move {
            let body = object.to_string().into_bytes();
            self.must("POST", path, "application/json", body).await;
            Ok::<(), std::convert::Infallible>(())
        });
        let all = futures::stream::iter(requests).buffer_unordered(CONCURRENCY);
        let _ = all.try_collect::<Vec<()>>().await;
    }

    async fn must(&self, method: &str, path: &str, content_type: &str, body: Vec<u8>) -> Value {
        match self.send(method, path, content_type, body).await {
            Ok(value) => value,
            Err(error) => panic!("{method} {path}: {error}"),
        }
    }

    async fn send(&self, method: &str, path: &str, content_type: &str, body: Vec<u8>) -> Result<Value, kube::Error> {
        let mut request = http::Request::builder().method(method).uri(path);
        if !content_type.is_empty() {
            request = request.header(http::header::CONTENT_TYPE, content_type);
        }
        self.client.request(request.body(body).expect("a valid request")).await
    }
}
