//! Tells people where they look that the sidecar lacks rights: a Kubernetes Event on its own pod for each namespace whose list or
//! watch the API server denies (field case 29).
//!
//! ```text
//!   informers ──look──▶ who is FORBIDDEN that was not ──▶ Event of the pod, at most so many, at most so often
//! ```
//!
//! The state itself is in every reply, in health and in the metrics; an Event is a courtesy. So it needs no right that the
//! sidecar does not have: where it may not post, that is logged once.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use k8s_openapi::{
    api::core::v1::{Event, EventSource, ObjectReference},
    apimachinery::pkg::apis::meta::v1::{ObjectMeta, Time},
    jiff::Timestamp,
};
use kube::{Api, Client, api::PostParams};
use tokio::time::Instant;

use crate::{hash::fnv64, informer::SharedInformerFactory, upstream::UpstreamError};

/// The pod that this process runs in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pod {
    /// Its name.
    pub name: String,
    /// Its namespace.
    pub namespace: String,
    /// Its uid, if it is known.
    pub uid: Option<String>,
}

/// Posts the Events.
pub struct Denials {
    events: Api<Event>,
    pod: Pod,
    /// Informer and namespace that are denied now.
    denied: BTreeSet<(String, String)>,
    /// When something was last said of them.
    said: BTreeMap<(String, String), Instant>,
    /// When Events were posted lately.
    posted: Vec<Instant>,
    failed: bool,
}

const LOOK: Duration = Duration::from_secs(5);
/// The same is not said again earlier, however often rights come and go.
const AGAIN: Duration = Duration::from_secs(600);
/// Events in that time at most, whatever happens.
const MOST: usize = 20;
/// Longest note that the API server accepts.
const MAX_NOTE: usize = 1024;

// === impl Pod ===

impl Pod {
    /// What the downward API says in POD_NAME, POD_NAMESPACE and POD_UID; `None` without the first two.
    pub fn of(variable: impl Fn(&str) -> Option<String>) -> Option<Self> {
        let set = |name| variable(name).filter(|v| !v.is_empty());
        Some(Self {
            name: set("POD_NAME")?,
            namespace: set("POD_NAMESPACE")?,
            uid: set("POD_UID"),
        })
    }
}

// === impl Denials ===

impl Denials {
    /// Events of `pod`, posted by `client`.
    pub fn new(client: Client, pod: Pod) -> Self {
        Self {
            events: Api::namespaced(client, &pod.namespace),
            pod,
            denied: BTreeSet::new(),
            said: BTreeMap::new(),
            posted: Vec::new(),
            failed: false,
        }
    }

    /// Looks at the informers until it is dropped.
    pub async fn run(mut self, factory: Arc<SharedInformerFactory>) {
        let mut looks = tokio::time::interval(LOOK);
        looks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            looks.tick().await;
            for (informer, namespace, error) in self.fresh(&factory) {
                self.post(&informer, &namespace, &error).await;
            }
        }
    }

    /// Those denied that were not when it was last looked, and of which nothing was said lately.
    fn fresh(&mut self, factory: &SharedInformerFactory) -> Vec<(String, String, UpstreamError)> {
        let mut now = BTreeMap::new();
        for informer in factory.list() {
            for reflector in informer.reflectors() {
                let denied = reflector.status.is_denied();
                if let Some(error) = reflector.status.last_error.filter(|_| denied) {
                    now.insert((informer.name().to_owned(), reflector.namespace), error);
                }
            }
        }
        self.said.retain(|_, at| at.elapsed() < AGAIN);
        self.posted.retain(|at| at.elapsed() < AGAIN);
        let mut fresh = Vec::new();
        for (key, error) in &now {
            let new = !self.denied.contains(key) && !self.said.contains_key(key);
            if new && self.posted.len() < MOST {
                self.said.insert(key.clone(), Instant::now());
                self.posted.push(Instant::now());
                fresh.push((key.0.clone(), key.1.clone(), UpstreamError::clone(error)));
            }
        }
        self.denied = now.into_keys().collect();
        fresh
    }

    async fn post(&mut self, informer: &str, namespace: &str, error: &UpstreamError) {
        let place = match namespace {
            "" => "all namespaces".to_owned(),
            namespace => format!("namespace {namespace}"),
        };
        let note = format!("{informer} cannot follow {place}: {error}");
        let now = Timestamp::now();
        let unique = fnv64(format!("{informer}/{namespace}/{now}").as_bytes());
        let event = Event {
            metadata: ObjectMeta {
                name: Some(format!("{}.{unique:016x}", self.pod.name)),
                namespace: Some(self.pod.namespace.clone()),
                ..ObjectMeta::default()
            },
            involved_object: ObjectReference {
                api_version: Some("v1".into()),
                kind: Some("Pod".into()),
                name: Some(self.pod.name.clone()),
                namespace: Some(self.pod.namespace.clone()),
                uid: self.pod.uid.clone(),
                ..ObjectReference::default()
            },
            type_: Some("Warning".into()),
            reason: Some("UpstreamForbidden".into()),
            message: Some(note.chars().take(MAX_NOTE).collect()),
            source: Some(EventSource {
                component: Some("informerd".into()),
                host: None,
            }),
            first_timestamp: Some(Time(now)),
            last_timestamp: Some(Time(now)),
            count: Some(1),
            ..Event::default()
        };
        match self.events.create(&PostParams::default(), &event).await {
            Ok(_) => self.failed = false,
            Err(error) if !std::mem::replace(&mut self.failed, true) => {
                tracing::warn!(%error, "no Event can be posted on the own pod; denied rights are in status, health and metrics");
            }
            Err(error) => tracing::debug!(%error, "no Event"),
        }
    }
}

impl std::fmt::Debug for Denials {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Denials")
            .field("pod", &self.pod)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pod_is_known_by_name_and_namespace() {
        let of = |set: &[(&str, &str)]| {
            let set = set.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned()));
            let set: BTreeMap<_, _> = set.collect();
            Pod::of(|name| set.get(name).cloned())
        };
        assert_eq!(of(&[("POD_NAMESPACE", "a")]), None);
        assert_eq!(of(&[("POD_NAMESPACE", "a"), ("POD_NAME", "")]), None);
        let pod = of(&[("POD_NAMESPACE", "a"), ("POD_NAME", "p"), ("POD_UID", "u")]);
        assert_eq!(pod.and_then(|p| p.uid).as_deref(), Some("u"));
    }
}
