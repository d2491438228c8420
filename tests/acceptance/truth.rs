//! What the API server itself says, by its own list and watch and without informerd.

use futures::StreamExt;
use kube::Client;
use kube::api::{DynamicObject, WatchEvent};
use serde_json::{Value, json};
use support::{DEADLINE, Workload};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::replay::{Change, Key, Kind, State, View};

/// A watch of the API server, straight and unbroken.
pub(crate) struct Witness {
    changes: watch::Receiver<Vec<Change>>,
    task: JoinHandle<()>,
}

async fn request(client: &Client, path: &str) -> Value {
    // Metadata is all that is compared.
    let request = http::Request::get(path)
        .header(
            "Accept",
            "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1",
        )
        .body(Vec::new());
    let answer = client.request(request.expect("a valid request")).await;
    answer.unwrap_or_else(|error| panic!("GET {path}: {error}"))
}

/// The objects of a collection, and the list's own version.
pub(crate) async fn list(client: &Client, path: &str) -> (View, u64) {
    let list = request(client, path).await;
    let items = list["items"].as_array().expect("items");
    let objects = items.iter().map(|item| state_of(&item["metadata"]));
    (objects.collect(), version_of(&list["metadata"]))
}

/// Key and state of an object, from its metadata.
pub(crate) fn state_of(metadata: &Value) -> (Key, State) {
    let text = |field: &str| metadata[field].as_str().unwrap_or_default();
    let state = State {
        uid: text("uid").to_owned(),
        version: version_of(metadata),
    };
    (format!("{}/{}", text("namespace"), text("name")), state)
}

pub(crate) fn version_of(metadata: &Value) -> u64 {
    let version = metadata["resourceVersion"].as_str();
    version
        .and_then(|version| version.parse().ok())
        .expect("a resource version")
}

/// Changes the annotation of a pod of the workload; the version of this write is newer than anything written before.
pub(crate) async fn touch(workload: &Workload, mark: &str) -> u64 {
    let (namespace, name) = workload.pods().into_iter().next().expect("a pod");
    let patch = json!({"metadata": {"annotations": {"informerd.test/mark": mark}}});
    let pod = workload
        .patch(&format!("/api/v1/namespaces/{namespace}/pods/{name}"), &patch)
        .await;
    version_of(&pod["metadata"])
}

// === impl Witness ===

impl Witness {
    /// Follows a collection from a version on.
    pub(crate) fn start(client: &Client, path: &str, from: u64) -> Self {
        let uri = format!("{path}?watch=true&resourceVersion={from}");
        let request = http::Request::get(uri).body(Vec::new()).expect("a valid request");
        let (sender, changes) = watch::channel(Vec::new());
        let client = client.clone();
        let task = tokio::spawn(async move {
            let events = client.request_events::<DynamicObject>(request).await.expect("a watch");
            let mut events = std::pin::pin!(events);
            while let Some(event) = events.next().await {
                let change = change_of(event.expect("a witness whose connection nobody cuts"));
                sender.send_modify(|changes| changes.push(change));
            }
        });
        Self { changes, task }
    }

    /// Everything up to a version that is known to come.
    pub(crate) async fn up_to(&self, position: u64) -> Vec<Change> {
        let mut changes = self.changes.clone();
        let arrived = |changes: &Vec<Change>| changes.last().is_some_and(|last| last.position >= position);
        let waited = tokio::time::timeout(DEADLINE, changes.wait_for(arrived)).await;
        let all = waited.expect("the API server's own watch").expect("a watch that lasts");
        all.iter().filter(|c| c.position <= position).cloned().collect()
    }
}

impl Drop for Witness {
    fn drop(&mut self) {
        self.task.abort();
    }
}

fn change_of(event: WatchEvent<DynamicObject>) -> Change {
    let (kind, object) = match event {
        WatchEvent::Added(object) => (Kind::Added, object),
        WatchEvent::Modified(object) => (Kind::Updated, object),
        WatchEvent::Deleted(object) => (Kind::Deleted, object),
        other => panic!("{other:?}"),
    };
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let metadata = object.metadata;
    let position = text(&metadata.resource_version).parse();
    Change {
        kind,
        key: format!("{}/{}", text(&metadata.namespace), text(&metadata.name)),
        uid: text(&metadata.uid),
        position: position.expect("a resource version"),
    }
}
