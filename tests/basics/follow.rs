//! A watch that is read message by message and checked as a client would rely on it.
//!
//! ```text
//!   message ──▶ rules that hold for every stream ──▶ view (what the client holds) ──▶ the test
//! ```

use std::collections::BTreeMap;

use informerd::proto::v1alpha1::{
    Bookmark, Created, EventCause, EventType, ObjectRef, StartResume, Synced, WatchEvent, WatchRequest, WatchResponse,
    watch_request::Start, watch_response::Control,
};
use support::{DEADLINE, object_hash};
use tokio::time::timeout;
use tonic::Streaming;

use super::sidecar::Bench;

/// An open watch and what its events add up to.
pub(crate) struct Follow {
    stream: Streaming<WatchResponse>,
    /// What a client that applied all events holds, by namespace and name.
    pub(crate) view: BTreeMap<(String, String), ObjectRef>,
    /// The last resume token.
    pub(crate) token: Vec<u8>,
    revision: u64,
    /// Events read and not yet handed out.
    events: Vec<WatchEvent>,
}

// === impl Follow ===

impl Follow {
    /// Opens a watch; answers it and how it starts.
    pub(crate) async fn open(bench: &Bench, request: WatchRequest) -> (Self, Created) {
        Self::over(bench, request, BTreeMap::new()).await
    }

    /// Resumes where this watch stands, with what it holds.
    pub(crate) async fn resume(self, bench: &Bench, request: WatchRequest) -> (Self, Created) {
        let start = Some(Start::Resume(StartResume {
            token: self.token.into(),
            ..StartResume::default()
        }));
        Self::over(bench, WatchRequest { start, ..request }, self.view).await
    }

    async fn over(
        bench: &Bench,
        request: WatchRequest,
        view: BTreeMap<(String, String), ObjectRef>,
    ) -> (Self, Created) {
        let stream = bench
            .subscriptions()
            .watch(request)
            .await
            .expect("a watch")
            .into_inner();
        let (token, revision, events) = (Vec::new(), 0, Vec::new());
        let mut this = Self {
            stream,
            view,
            token,
            revision,
            events,
        };
        match this.message().await {
            Some(Control::Created(created)) => (this, created),
            other => panic!("the first message must be `created`: {other:?}"),
        }
    }

    /// Reads until `synced`; answers the events before it.
    pub(crate) async fn synced(&mut self) -> (Vec<WatchEvent>, Synced) {
        loop {
            if let Some(Control::Synced(synced)) = self.message().await {
                assert!(!self.token.is_empty(), "`synced` can be resumed from");
                assert_eq!(
                    self.digest(),
                    (synced.object_count, synced.digest),
                    "what was sent is not the store"
                );
                return (std::mem::take(&mut self.events), synced);
            }
        }
    }

    /// Reads until a `reset`, before which there are no events; answers its reason.
    pub(crate) async fn reset(&mut self) -> i32 {
        loop {
            if let Some(Control::Reset(reset)) = self.message().await {
                assert!(self.events.is_empty(), "{:?}", self.events);
                // What is held is marked and swept at `synced`; here it simply goes.
                self.view.clear();
                return reset.reason;
            }
        }
    }

    /// Reads until a bookmark that satisfies the test.
    pub(crate) async fn bookmark(&mut self, enough: impl Fn(&Bookmark) -> bool) -> Bookmark {
        loop {
            if let Some(Control::Bookmark(bookmark)) = self.message().await {
                assert_eq!(self.digest(), (bookmark.object_count, bookmark.digest), "{bookmark:?}");
                if enough(&bookmark) {
                    return bookmark;
                }
            }
        }
    }

    /// Reads until there are so many events, and not more.
    pub(crate) async fn events(&mut self, count: usize) -> Vec<WatchEvent> {
        while self.events.len() < count {
            self.message().await;
        }
        assert_eq!(
            self.events.len(),
            count,
            "more events than expected: {:?}",
            briefs(&self.events)
        );
        std::mem::take(&mut self.events)
    }

    /// Names of the objects that the client holds.
    pub(crate) fn names(&self) -> Vec<&str> {
        self.view.keys().map(|(_, name)| name.as_str()).collect()
    }

    /// One message, checked and applied.
    async fn message(&mut self) -> Option<Control> {
        let next = timeout(DEADLINE, self.stream.message()).await;
        let next = next.unwrap_or_else(|_| panic!("no message in {DEADLINE:?}; held: {:?}", self.names()));
        let message = next.expect("the watch goes on").expect("the watch does not end");
        for event in message.events {
            self.apply(&event);
            self.events.push(event);
        }
        if !message.resume_token.is_empty() {
            assert!(!message.continued, "a token inside a group");
            self.token = message.resume_token.into();
        }
        message.control
    }

    /// Rules of every stream: a key is added once, changed and deleted only while it is held, and no state is older than
    /// the one before.
    fn apply(&mut self, event: &WatchEvent) {
        let new = event.r#ref.clone().expect("every event names its object");
        let key = (new.namespace.clone(), new.name.clone());
        let held = self.view.get(&key);
        let told = brief(event);
        assert!(event.revision >= self.revision, "revisions go back: {told}");
        self.revision = event.revision;
        let number = |text: &str| text.parse::<u64>().unwrap_or_else(|e| panic!("{text:?}: {e}"));
        if let Some(held) = held {
            assert!(
                number(&held.resource_version) <= number(&new.resource_version),
                "versions go back: {told}"
            );
        }
        match event.r#type() {
            EventType::Added => {
                assert!(held.is_none(), "added twice: {told}");
                self.view.insert(key, new);
            }
            EventType::Updated => {
                let held = held.unwrap_or_else(|| panic!("updated, but not held: {told}"));
                assert_eq!(held.uid, new.uid, "an update keeps the uid: {told}");
                assert!(
                    number(&held.resource_version) < number(&new.resource_version),
                    "nothing changed: {told}"
                );
                self.view.insert(key, new);
            }
            EventType::Deleted => {
                assert!(held.is_some(), "deleted, but not held: {told}");
                self.view.remove(&key);
            }
            EventType::Resync => assert_eq!(held, Some(&new), "a resync sends what is held: {told}"),
            EventType::Unspecified => panic!("an event without type: {told}"),
        }
    }

    /// Count and digest of what is held, as the contract defines them (see StartResume).
    fn digest(&self) -> (u64, u64) {
        let hash = |o: &ObjectRef| object_hash(&format!("{}/{}", o.namespace, o.name), &o.uid, &o.resource_version);
        let sum = self.view.values().map(hash).fold(0, u64::wrapping_add);
        (self.view.len() as u64, sum)
    }
}

/// Events in a form that tests can spell: `DELETED name REPLACED unknown recreated`.
pub(crate) fn briefs(events: &[WatchEvent]) -> Vec<String> {
    events.iter().map(brief).collect()
}

fn brief(event: &WatchEvent) -> String {
    let kind = EventType::try_from(event.r#type).unwrap_or_default().as_str_name();
    let cause = EventCause::try_from(event.cause).unwrap_or_default().as_str_name();
    let name = event.r#ref.as_ref().map_or("?", |object| &object.name);
    let mut text = format!(
        "{} {name} {}",
        kind.trim_start_matches("EVENT_TYPE_"),
        cause.trim_start_matches("EVENT_CAUSE_")
    );
    if event.final_state_unknown {
        text += " unknown";
    }
    if event.recreated {
        text += " recreated";
    }
    text
}
