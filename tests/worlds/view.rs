//! What a client holds that replays a watch, checked as it would rely on it.

use std::collections::BTreeMap;

use informerd::proto::v1alpha1::{
    CreateInformerRequest, EventCause, EventType, GetInformerRequest, Informer, InformerSpec, ObjectRef,
    UpdateInformerRequest, UpstreamState, WatchEvent, WatchRequest, WatchResponse, watch_response::Control,
};
use support::{DEADLINE, eventually, object_hash};
use tokio::time::timeout;
use tonic::Streaming;

use super::sidecar::Bench;

/// An open watch and what its events add up to.
pub(crate) struct View {
    stream: Streaming<WatchResponse>,
    /// By `namespace/name`: the reference, and the body.
    pub(crate) held: BTreeMap<String, (ObjectRef, String)>,
    /// `ADDED/INITIAL namespace/name`, since it was last taken.
    told: Vec<String>,
    pub(crate) synced: bool,
    /// Markers at which count and digest were compared.
    pub(crate) checks: usize,
}

// === impl View ===

impl View {
    pub(crate) async fn open(bench: &Bench, request: WatchRequest) -> Self {
        let request = WatchRequest {
            bookmark_interval: Some(prost_types::Duration { seconds: 1, nanos: 0 }),
            ..request
        };
        let stream = bench.subscriptions().watch(request).await.expect("a watch");
        Self {
            stream: stream.into_inner(),
            held: BTreeMap::new(),
            told: Vec::new(),
            synced: false,
            checks: 0,
        }
    }

    /// Reads until what is held is as wanted.
    pub(crate) async fn until(&mut self, what: &str, wanted: impl Fn(&Self) -> bool) {
        while !wanted(self) {
            let next = timeout(DEADLINE, self.stream.message()).await;
            let next = next.unwrap_or_else(|_| panic!("{what}; held: {:?}, told: {:?}", self.keys(), self.told));
            let message = next.expect("the watch goes on").expect("the watch does not end");
            message.events.iter().for_each(|event| self.apply(event));
            let marker = match message.control {
                Some(Control::Synced(synced)) => {
                    self.synced = true;
                    Some((synced.object_count, synced.digest))
                }
                Some(Control::Bookmark(bookmark)) if bookmark.digest != 0 || bookmark.object_count == 0 => {
                    self.synced.then_some((bookmark.object_count, bookmark.digest))
                }
                Some(Control::Reset(reset)) => panic!("a reset: {reset:?}"),
                _ => None,
            };
            if let Some(marker) = marker {
                self.checks += 1;
                assert_eq!(self.digest(), marker, "what was told is not the store: {:?}", self.told);
            }
        }
    }

    /// Reads until these keys and no others are held.
    pub(crate) async fn holds(&mut self, keys: &[&str]) {
        self.until(&format!("wanted: {keys:?}"), |view| view.synced && view.keys() == keys)
            .await;
    }

    /// What was told since the last time, in key order of each message's events.
    pub(crate) fn told(&mut self) -> Vec<String> {
        std::mem::take(&mut self.told)
    }

    pub(crate) fn keys(&self) -> Vec<&str> {
        self.held.keys().map(String::as_str).collect()
    }

    fn apply(&mut self, event: &WatchEvent) {
        let new = event.r#ref.clone().expect("every event names its object");
        let key = format!("{}/{}", new.namespace, new.name);
        let cause = EventCause::try_from(event.cause).unwrap_or_default().as_str_name();
        let kind = event.r#type();
        let told = format!(
            "{}/{} {key}",
            kind.as_str_name().trim_start_matches("EVENT_TYPE_"),
            cause.trim_start_matches("EVENT_CAUSE_")
        );
        let body = event
            .object
            .as_ref()
            .map(|o| String::from_utf8_lossy(&o.data).into_owned());
        let held = self.held.contains_key(&key);
        match kind {
            EventType::Added => assert!(!held, "added twice: {told}"),
            EventType::Updated | EventType::Deleted => assert!(held, "not held: {told}"),
            EventType::Resync | EventType::Unspecified => panic!("nobody asked for it: {told}"),
        }
        if kind == EventType::Deleted {
            assert!(
                body.is_some_and(|b| !b.is_empty()),
                "the last state comes with it: {told}"
            );
            self.held.remove(&key);
        } else {
            self.held.insert(key, (new, body.unwrap_or_default()));
        }
        self.told.push(told);
    }

    /// Count and digest of what is held, as the contract defines them (see StartResume).
    fn digest(&self) -> (u64, u64) {
        let hash = |o: &ObjectRef| object_hash(&format!("{}/{}", o.namespace, o.name), &o.uid, &o.resource_version);
        let sum = self.held.values().map(|(o, _)| hash(o)).fold(0, u64::wrapping_add);
        (self.held.len() as u64, sum)
    }
}

/// Declares an informer; answers its name.
pub(crate) async fn create(bench: &Bench, spec: InformerSpec) -> String {
    let request = CreateInformerRequest {
        informer_id: String::new(),
        spec: Some(spec),
    };
    let created = bench.informers().create_informer(request).await.expect("an informer");
    created.into_inner().informer.expect("an informer").name
}

/// Changes what the paths name.
pub(crate) async fn update(bench: &Bench, name: &str, spec: InformerSpec, paths: &[&str]) {
    let request = UpdateInformerRequest {
        name: name.to_owned(),
        spec: Some(spec),
        update_mask: Some(prost_types::FieldMask {
            paths: paths.iter().map(|p| (*p).to_owned()).collect(),
        }),
    };
    bench.informers().update_informer(request).await.expect("an update");
}

/// The informer now.
pub(crate) async fn get(bench: &Bench, name: &str) -> Informer {
    let request = GetInformerRequest { name: name.to_owned() };
    let reply = bench.informers().get_informer(request).await.expect("an informer");
    reply.into_inner().informer.expect("an informer")
}

/// Waits until the informer is as wanted.
pub(crate) async fn becomes(bench: &Bench, name: &str, what: &str, wanted: impl Fn(&Informer) -> bool) -> Informer {
    eventually(what, || async {
        let informer = get(bench, name).await;
        wanted(&informer).then_some(informer)
    })
    .await
}

pub(crate) fn state(informer: &Informer) -> UpstreamState {
    informer
        .status
        .as_ref()
        .map_or(UpstreamState::Unspecified, |s| s.upstream_state())
}

/// Why the informer does not follow; empty while it does.
pub(crate) fn trouble(informer: &Informer) -> String {
    let error = informer.status.as_ref().and_then(|s| s.last_error.as_ref());
    error.map(|e| e.message.clone()).unwrap_or_default()
}
