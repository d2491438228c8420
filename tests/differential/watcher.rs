//! informerd's side: a sidecar and one Watch.

use std::path::Path;

use informerd::cli::connect::{MAX_MESSAGE_BYTES, ServerAddress};
use informerd::proto::v1alpha1::{
    EventCause, EventType, InformerSelector, ListInformersRequest, OldObject, ResourceRef, WatchEvent, WatchRequest,
    WatchResponse, informer_selector::By, informer_service_client::InformerServiceClient,
    subscription_service_client::SubscriptionServiceClient, watch_response::Control,
};
use support::{DEADLINE, Sidecar};
use tokio::sync::watch;
use tonic::transport::Channel;

use crate::INFORMERD;
use crate::calls::{Call, Kind, Record};
use crate::server::NAMESPACE;

/// The sidecar and what its watch has told.
pub(crate) struct Watcher {
    record: watch::Receiver<Record>,
    channel: Channel,
    sidecar: Sidecar,
}

// === impl Watcher ===

impl Watcher {
    pub(crate) async fn start(kubeconfig: &Path, selector: &str) -> Self {
        let namespace = format!("--namespace={NAMESPACE}");
        let selector = format!("--selector={selector}");
        let sidecar = Sidecar::start(INFORMERD, kubeconfig, &["--resource=pods", &namespace, &selector]);
        let address = ServerAddress::Unix(sidecar.socket());
        let channel = address.connect().await.expect("connect to informerd");
        let request = WatchRequest {
            informer: Some(InformerSelector {
                by: Some(By::Resource(ResourceRef {
                    resource: "pods".into(),
                    ..ResourceRef::default()
                })),
            }),
            old_object: OldObject::Reference.into(),
            max_receive_bytes: MAX_MESSAGE_BYTES as u64,
            ..WatchRequest::default()
        };
        let client = SubscriptionServiceClient::new(channel.clone());
        let mut client = client.max_decoding_message_size(MAX_MESSAGE_BYTES);
        let mut stream = client.watch(request).await.expect("open a watch").into_inner();
        let (sender, record) = watch::channel(Record::default());
        tokio::spawn(async move {
            let end = loop {
                match stream.message().await {
                    Ok(Some(message)) => sender.send_modify(|record| record.told(&message)),
                    end => break end,
                }
            };
            sender.send_modify(|record| record.broken = Some(format!("the stream has ended: {end:?}")));
        });
        Self {
            record,
            channel,
            sidecar,
        }
    }

    /// Waits until the record satisfies `enough`, and returns it.
    pub(crate) async fn until(&self, what: &str, enough: impl Fn(&Record) -> bool) -> Record {
        let mut record = self.record.clone();
        let over = |record: &Record| record.broken.is_some() || enough(record);
        let Ok(found) = tokio::time::timeout(DEADLINE, record.wait_for(over)).await else {
            let (told, log) = (self.record.borrow().clone(), self.sidecar.log_tail());
            panic!("informerd, not within {DEADLINE:?}: {what}; {told:#?}\n{log}");
        };
        let found = found.expect("the recorder's task").clone();
        assert_eq!(found.broken, None, "informerd: {what}");
        found
    }

    /// The version that its cache stands at.
    pub(crate) async fn version(&self) -> u64 {
        let mut client = InformerServiceClient::new(self.channel.clone());
        let reply = client.list_informers(ListInformersRequest::default()).await;
        let informers = reply.expect("ListInformers").into_inner().informers;
        let status = informers[0].status.as_ref().expect("a status");
        status.resource_version.parse().unwrap_or(0)
    }
}

// === impl Record ===

impl Record {
    fn told(&mut self, message: &WatchResponse) {
        self.calls.extend(message.events.iter().map(call_of));
        match &message.control {
            Some(Control::Synced(_)) => self.synced = true,
            Some(Control::Reset(_) | Control::Terminating(_)) => self.broken = Some(format!("{message:?}")),
            _ => {}
        }
    }
}

fn call_of(event: &WatchEvent) -> Call {
    let number = |text: &str| text.parse().unwrap_or_else(|_| panic!("no version: {event:?}"));
    let r = event.r#ref.clone().expect("a ref");
    let kind = match event.r#type() {
        EventType::Added => Kind::Added,
        EventType::Updated => Kind::Updated,
        EventType::Deleted => Kind::Deleted,
        other => panic!("{other:?} is not expected"),
    };
    let seen_deletion = kind == Kind::Deleted && !event.final_state_unknown;
    let version = if seen_deletion {
        &event.resource_version
    } else {
        &r.resource_version
    };
    let old = event.old_ref.as_ref().filter(|_| kind == Kind::Updated);
    Call {
        kind,
        key: format!("{}/{}", r.namespace, r.name),
        version: number(version),
        // An update is of one object: a new uid is told as two events.
        old: old.map(|old| (r.uid.clone(), number(&old.resource_version))),
        uid: r.uid,
        initial: event.cause() == EventCause::Initial,
        tombstone: event.final_state_unknown,
        relisted: Some(event.cause() == EventCause::Replaced),
    }
}
