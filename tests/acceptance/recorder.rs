//! A client of the Watch call that writes down everything it is told and keeps its view.

use std::path::Path;

use bytes::Bytes;
use informerd::cli::connect::{MAX_MESSAGE_BYTES, ServerAddress};
use informerd::proto::v1alpha1::{
    EventType, Informer, InformerSelector, ListInformersRequest, OldObject, ResourceRef, StartResume, WatchEvent,
    WatchRequest, WatchResponse, informer_selector::By, informer_service_client::InformerServiceClient,
    subscription_service_client::SubscriptionServiceClient, watch_request::Start, watch_response::Control,
};
use support::DEADLINE;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tonic::{Status, transport::Channel};

use crate::replay::{Change, Delta, Item, Kind, Replay, State};

/// What a watch has told so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Record {
    pub(crate) items: Vec<Item>,
    pub(crate) replay: Replay,
    /// The newest token, and how many of the items came before or with it.
    pub(crate) token: Bytes,
    pub(crate) complete: usize,
    /// What the contract forbids and has happened.
    broken: Option<String>,
    /// How the stream ended.
    pub(crate) end: Option<Status>,
}

/// An open watch, read as fast as it comes.
pub(crate) struct Recorder {
    record: watch::Receiver<Record>,
    task: JoinHandle<()>,
}

/// Opens a channel to a socket.
pub(crate) async fn connect(socket: &Path) -> Channel {
    let address = ServerAddress::Unix(socket.to_owned());
    address.connect().await.expect("connect to informerd")
}

/// All pods that the server's default informer has, with the previous state's version.
pub(crate) fn pods() -> WatchRequest {
    WatchRequest {
        informer: Some(resource("pods")),
        old_object: OldObject::Reference.into(),
        max_receive_bytes: MAX_MESSAGE_BYTES as u64,
        ..WatchRequest::default()
    }
}

/// Selects the informer of a resource.
pub(crate) fn resource(resource: &str) -> InformerSelector {
    InformerSelector {
        by: Some(By::Resource(ResourceRef {
            resource: resource.into(),
            ..ResourceRef::default()
        })),
    }
}

/// The only informer.
pub(crate) async fn informer(channel: &Channel) -> Informer {
    let mut client = InformerServiceClient::new(channel.clone());
    let reply = client.list_informers(ListInformersRequest::default()).await;
    let [informer] = &reply.expect("ListInformers").into_inner().informers[..] else {
        panic!("not one informer");
    };
    informer.clone()
}

/// The same request from a token on.
pub(crate) fn resuming(request: WatchRequest, start: StartResume) -> WatchRequest {
    WatchRequest {
        start: Some(Start::Resume(start)),
        ..request
    }
}

// === impl Recorder ===

impl Recorder {
    /// Opens a watch. `replay` is the view with which it begins.
    pub(crate) async fn open(channel: &Channel, request: WatchRequest, replay: Replay) -> Self {
        Self::try_open(channel, request, replay).await.expect("open a watch")
    }

    /// The same, where the server may refuse. A refusal can come with the headers or as the end of the stream.
    pub(crate) async fn try_open(channel: &Channel, request: WatchRequest, replay: Replay) -> Result<Self, Status> {
        let mut client = SubscriptionServiceClient::new(channel.clone()).max_decoding_message_size(MAX_MESSAGE_BYTES);
        let mut stream = client.watch(request).await?.into_inner();
        let (sender, record) = watch::channel(Record {
            replay,
            ..Record::default()
        });
        let task = tokio::spawn(async move {
            loop {
                let end = match stream.message().await {
                    Ok(Some(message)) => {
                        sender.send_modify(|record| record.take(message));
                        continue;
                    }
                    Ok(None) => Status::ok("the stream ended"),
                    Err(status) => status,
                };
                sender.send_modify(|record| record.end = Some(end));
                return;
            }
        });
        Ok(Self { record, task })
    }

    /// Waits until the record satisfies `enough`, and returns it.
    ///
    /// # Panics
    /// If the contract is broken, or the stream ends before.
    pub(crate) async fn until(&self, what: &str, enough: impl Fn(&Record) -> bool) -> Record {
        let mut record = self.record.clone();
        let over = |record: &Record| record.broken.is_some() || record.end.is_some() || enough(record);
        let Ok(found) = tokio::time::timeout(DEADLINE, record.wait_for(over)).await else {
            panic!("not within {DEADLINE:?}: {what}; {}", self.record.borrow().summary());
        };
        let record = found.expect("the recorder's task").clone();
        assert_eq!(record.broken, None, "{what}");
        assert!(enough(&record), "{what}: the stream ended; {}", record.summary());
        record
    }

    /// Waits until the view is complete.
    pub(crate) async fn synced(&self) -> Record {
        self.until("synced", |record| record.replay.synced()).await
    }

    /// Waits until the stream has told of the write of this position.
    pub(crate) async fn has_seen(&self, position: u64) -> Record {
        let seen = |record: &Record| record.deltas().any(|delta| delta.position >= position);
        self.until(&format!("an event of version {position}"), seen).await
    }

    /// Waits until the stream ends.
    pub(crate) async fn end(&self) -> Record {
        self.until("the end of the stream", |record| record.end.is_some()).await
    }

    /// Items so far.
    pub(crate) fn count(&self) -> usize {
        self.record.borrow().items.len()
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        self.task.abort();
    }
}

// === impl Record ===

impl Record {
    /// The deltas of this stream.
    pub(crate) fn deltas(&self) -> impl DoubleEndedIterator<Item = &Delta> {
        self.items.iter().filter_map(|item| match item {
            Item::Delta(delta) => Some(delta),
            _ => None,
        })
    }

    /// The deltas after the first `synced`, as the API server tells them. They are all LIVE.
    pub(crate) fn live(&self) -> Vec<Change> {
        let deltas = self.deltas().filter(|delta| delta.cause != "INITIAL");
        let live = deltas.inspect(|delta| assert_eq!(delta.cause, "LIVE", "{delta:?}"));
        live.map(Delta::change).collect()
    }

    /// What is not a delta nor a bookmark, by name.
    pub(crate) fn controls(&self) -> Vec<String> {
        let name = |item: &Item| match item {
            Item::Created { mode } => Some(format!("created {mode}")),
            Item::Reset { reason } => Some(format!("reset {reason}")),
            Item::Synced { .. } => Some("synced".to_owned()),
            Item::Terminating { reason } => Some(format!("terminating {reason}")),
            Item::Delta(_) | Item::Bookmark { .. } => None,
        };
        self.items.iter().filter_map(name).collect()
    }

    fn take(&mut self, message: WatchResponse) {
        let events = message.events.iter().map(|event| Item::Delta(delta_of(event)));
        let items: Vec<Item> = events.chain(message.control.as_ref().map(item_of)).collect();
        for item in items {
            if let Err(why) = self.replay.apply(&item) {
                self.broken.get_or_insert(why);
            }
            self.items.push(item);
        }
        if !message.resume_token.is_empty() {
            if message.continued {
                self.broken.get_or_insert("a token inside an atomic group".into());
            }
            self.token = message.resume_token;
            self.complete = self.items.len();
        }
    }

    fn summary(&self) -> String {
        let last = self.items.last();
        let (objects, items) = (self.replay.view().len(), self.items.len());
        format!(
            "{objects} objects after {items} items, the last one {last:?}, end {:?}",
            self.end
        )
    }
}

// === messages ===

fn delta_of(event: &WatchEvent) -> Delta {
    let number = |text: &str| {
        text.parse()
            .unwrap_or_else(|_| panic!("{text:?} is no version: {event:?}"))
    };
    let r = event.r#ref.clone().expect("a ref");
    Delta {
        kind: match event.r#type() {
            EventType::Added => Kind::Added,
            EventType::Updated => Kind::Updated,
            EventType::Deleted => Kind::Deleted,
            other => panic!("{other:?} is not expected"),
        },
        cause: word(event.cause().as_str_name(), "EVENT_CAUSE_"),
        key: format!("{}/{}", r.namespace, r.name),
        state: State {
            uid: r.uid,
            version: number(&r.resource_version),
        },
        position: number(&event.resource_version),
        revision: event.revision,
        old_version: event.old_ref.as_ref().map(|old| number(&old.resource_version)),
        final_state_unknown: event.final_state_unknown,
        recreated: event.recreated,
    }
}

fn item_of(control: &Control) -> Item {
    match control {
        Control::Created(created) => Item::Created {
            mode: word(created.mode().as_str_name(), "WATCH_MODE_"),
        },
        Control::Reset(reset) => Item::Reset {
            reason: word(reset.reason().as_str_name(), "RESET_REASON_"),
        },
        Control::Synced(synced) => Item::Synced {
            count: synced.object_count,
            digest: synced.digest,
            revision: synced.status.as_ref().map_or(0, |status| status.revision),
        },
        Control::Bookmark(bookmark) => Item::Bookmark {
            count: bookmark.object_count,
            digest: bookmark.digest,
            revision: bookmark.status.as_ref().map_or(0, |status| status.revision),
        },
        Control::Terminating(end) => Item::Terminating {
            reason: word(end.reason().as_str_name(), "TERMINATING_REASON_"),
        },
    }
}

fn word(name: &str, prefix: &str) -> String {
    name.strip_prefix(prefix).unwrap_or(name).to_owned()
}
