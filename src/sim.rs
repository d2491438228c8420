//! A simulated cluster: a small Kubernetes API server in this process, over plain HTTP/1.1 on loopback.
//!
//! ```text
//!  client --TCP--> connection --> route --fault::Plan--> discovery | list | watch | modify
//!                                                              \       |       |     /
//!  Sim::create, apply_yaml, ...  ----------------------------->  store (objects, version, history)
//! ```
//!
//! It has discovery, paged lists, watches, watch-lists, bookmarks, compaction, selectors and CRDs, and a script of
//! faults ([`Faults`]). It has no admission, no authentication, no controllers and no schema: any object of a known
//! kind is stored as it comes. Where this text is silent it does as kube-apiserver does. Time is tokio's, so a paused
//! clock works; chance is seeded.

mod body;
mod builder;
mod connection;
mod control;
mod discovery;
mod fault;
mod filter;
mod json;
mod list;
mod log;
mod meta;
mod modify;
mod query;
mod resource;
mod route;
pub mod scenario;
mod status;
mod store;
mod target;
mod watch;
mod write;

#[cfg(test)]
mod tests;

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;
use tokio_util::sync::DropGuard;

pub use builder::Builder;
pub use fault::{Action, Faults, Rule, RuleId, Verb};
pub use log::LoggedRequest;
pub use status::StatusError;

use builder::Settings;
use connection::Connections;
use log::RequestLog;
use meta::{Author, Part};
use resource::ResourceType;
use store::Store;
use write::Preconditions;

/// A running simulated cluster. Clones share it; it stops, with all its connections, when the last one is dropped.
#[derive(Clone)]
pub struct Sim {
    inner: Arc<Inner>,
    _shutdown: Arc<DropGuard>,
}

/// What the connections share.
struct Inner {
    store: Arc<Store>,
    faults: Faults,
    log: RequestLog,
    connections: Connections,
    settings: Settings,
    address: std::sync::OnceLock<SocketAddr>,
}

/// Why a simulated cluster could not start, or not take manifests.
#[derive(Debug, thiserror::Error)]
pub enum SimError {
    /// Listening or reading a file failed.
    #[error("{what}: {source}")]
    Io {
        /// What was tried.
        what: String,
        /// What came of it.
        source: std::io::Error,
    },
    /// A manifest is no YAML.
    #[error("manifest document {document}: {source}")]
    Yaml {
        /// Which document, from 1.
        document: usize,
        /// What the parser said.
        source: serde_yaml_ng::Error,
    },
    /// A manifest was refused.
    #[error("manifest document {document}: {source}")]
    Refused {
        /// Which document, from 1.
        document: usize,
        /// Why.
        source: StatusError,
    },
}

// === impl Sim ===

impl Sim {
    /// Starts with defaults: [`Builder`] says which.
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// `http://127.0.0.1:PORT`
    pub fn url(&self) -> String {
        format!("http://{}", self.inner.address())
    }

    /// A kubeconfig with one context, `sim`.
    pub fn kubeconfig_yaml(&self) -> String {
        format!(
            "apiVersion: v1\nkind: Config\ncurrent-context: sim\nclusters:\n- name: sim\n  cluster:\n    server: {}\n\
             contexts:\n- name: sim\n  context:\n    cluster: sim\n    user: sim\n    namespace: default\n\
             users:\n- name: sim\n  user: {{}}\n",
            self.url()
        )
    }

    /// Writes [`Sim::kubeconfig_yaml`] into a file.
    pub fn write_kubeconfig(&self, path: impl AsRef<Path>) -> std::io::Result<()> {
        std::fs::write(path, self.kubeconfig_yaml())
    }

    /// The script of faults.
    pub fn faults(&self) -> &Faults {
        &self.inner.faults
    }

    /// Creates an object and, if need be, its namespace; answers it as it is stored. Status is taken as given.
    pub fn create(&self, object: Value) -> Result<Value, StatusError> {
        let kind = self.kind_of(&object)?;
        self.inner
            .store
            .write(|state| state.create(&kind, None, object, &owner()))?
            .value()
    }

    /// Replaces an object, status included. A resourceVersion in it, if any, must be the present one.
    pub fn update(&self, object: Value) -> Result<Value, StatusError> {
        let kind = self.kind_of(&object)?;
        let key = key_of(&kind, &object);
        self.inner
            .store
            .write(|state| state.update(&kind, &key, object, Part::Whole, &owner()))?
            .value()
    }

    /// Creates or replaces an object.
    pub fn apply(&self, object: Value) -> Result<Value, StatusError> {
        let kind = self.kind_of(&object)?;
        let key = key_of(&kind, &object);
        let write = |state: &mut store::State| match state.get(&kind.id, &key) {
            Some(_) => state.update(&kind, &key, object, Part::Whole, &owner()),
            None => state.create(&kind, None, object, &owner()),
        };
        self.inner.store.write(write)?.value()
    }

    /// Applies the documents of a YAML text, Lists included, in order; answers how many objects there were.
    pub fn apply_yaml(&self, manifests: &str) -> Result<usize, SimError> {
        let mut count = 0;
        for (i, document) in serde_yaml_ng::Deserializer::from_str(manifests).enumerate() {
            let document_number = i + 1;
            let value = Value::deserialize(document).map_err(|source| SimError::Yaml {
                document: document_number,
                source,
            })?;
            let objects = match value {
                Value::Null => continue,
                Value::Object(mut list) if list.get("kind").is_some_and(|kind| kind == "List") => {
                    match list.remove("items") {
                        Some(Value::Array(items)) => items,
                        _ => Vec::new(),
                    }
                }
                object => vec![object],
            };
            for object in objects {
                self.apply(object).map_err(|source| SimError::Refused {
                    document: document_number,
                    source,
                })?;
                count += 1;
            }
        }
        Ok(count)
    }

    /// Merges a JSON merge patch into an object, status included. The resource is `pods` or `deployments.apps`.
    pub fn patch_merge(
        &self,
        resource: &str,
        namespace: Option<&str>,
        name: &str,
        patch: Value,
    ) -> Result<Value, StatusError> {
        let kind = self.kind(resource)?;
        let key = kind.key(namespace, name);
        self.inner
            .store
            .write(|state| state.patch(&kind, &key, &patch, Part::Whole, &owner()))?
            .value()
    }

    /// Deletes an object (or marks it, if it has finalizers); answers its last state.
    pub fn delete(&self, resource: &str, namespace: Option<&str>, name: &str) -> Result<Value, StatusError> {
        let kind = self.kind(resource)?;
        let key = kind.key(namespace, name);
        self.inner
            .store
            .write(|state| state.delete(&kind, &key, &Preconditions::default()))?
            .value()
    }

    /// Reads an object.
    pub fn get(&self, resource: &str, namespace: Option<&str>, name: &str) -> Result<Value, StatusError> {
        let kind = self.kind(resource)?;
        let found = self.inner.store.read().get(&kind.id, &kind.key(namespace, name));
        found.ok_or_else(|| StatusError::not_found(&kind, name))?.value()
    }

    /// All objects of a resource, in key order: the truth that a client's view is checked against.
    pub fn list(&self, resource: &str) -> Result<Vec<Value>, StatusError> {
        let kind = self.kind(resource)?;
        let table = self.inner.store.read().table(&kind.id);
        table.values().map(|object| object.value()).collect()
    }

    /// The newest version.
    pub fn resource_version(&self) -> u64 {
        self.inner.store.read().rv()
    }

    /// The oldest version from which a watch can still start.
    pub fn oldest_resource_version(&self) -> u64 {
        self.inner.store.read().floor()
    }

    /// Moves the version ahead, as writes to other resources do.
    pub fn skip_resource_versions(&self, by: u64) {
        self.inner.store.write(|state| state.skip_versions(by));
    }

    /// Drops the history: watches and exact lists at older versions than the present one get 410.
    pub fn compact(&self) {
        self.inner.store.write(store::State::compact);
    }

    /// While on, changes are made but no watch ever tells of them.
    pub fn hide_changes(&self, hide: bool) {
        self.inner.store.write(|state| state.hide(hide));
    }

    /// Goes back to an earlier version, as when etcd is restored from a backup: later writes never were, versions
    /// are used again, and all connections are cut (the server restarts).
    pub fn restore(&self, resource_version: u64) -> Result<(), StatusError> {
        let restored = self.inner.store.write(|state| state.restore(resource_version));
        self.cut_all();
        restored
    }

    /// Closes all open connections.
    pub fn cut_all(&self) {
        self.inner.connections.cut();
    }

    /// Stops listening and closes all connections: from now on they are refused, and none is left when this returns.
    pub async fn go_down(&self) {
        self.inner.connections.stop_listening().await;
        self.inner.connections.close().await;
    }

    /// Listens again, where it did before.
    pub async fn come_up(&self) -> Result<(), SimError> {
        self.inner.connections.stop_listening().await;
        let address = self.inner.address();
        let listening = connection::listen(&self.inner, address).await;
        listening.map(drop).map_err(|source| SimError::Io {
            what: format!("listen on {address}"),
            source,
        })
    }

    /// The latest requests, oldest first (at most 10,000).
    pub fn request_log(&self) -> Vec<LoggedRequest> {
        self.inner.log.all()
    }

    /// Forgets the requests so far.
    pub fn clear_request_log(&self) {
        self.inner.log.clear();
    }

    /// Waits until the request log satisfies a condition.
    pub async fn wait_for_requests(&self, enough: impl Fn(&[LoggedRequest]) -> bool) {
        self.inner.log.wait(enough).await;
    }

    fn kind(&self, resource: &str) -> Result<Arc<ResourceType>, StatusError> {
        self.inner
            .store
            .read()
            .registry
            .by_name(resource)
            .ok_or_else(StatusError::path_not_found)
    }

    fn kind_of(&self, object: &Value) -> Result<Arc<ResourceType>, StatusError> {
        let (api_version, kind) = (
            object["apiVersion"].as_str().unwrap_or(""),
            object["kind"].as_str().unwrap_or(""),
        );
        self.inner
            .store
            .read()
            .registry
            .by_kind(api_version, kind)
            .ok_or_else(|| {
                let known = "built-in kinds and those of CustomResourceDefinitions are known";
                StatusError::bad_request(format!("no kind {kind:?} in version {api_version:?}; {known}"))
            })
    }
}

// === impl Inner ===

impl Inner {
    fn address(&self) -> SocketAddr {
        self.address.get().copied().unwrap_or(self.settings.address)
    }
}

fn owner() -> Author {
    Author {
        manager: "informerd-sim".to_owned(),
        client: false,
    }
}

fn key_of(kind: &ResourceType, object: &Value) -> String {
    let namespace = Some(meta::text(object, "namespace")).filter(|namespace| !namespace.is_empty());
    kind.key(namespace.or(Some("default")), meta::text(object, "name"))
}
