use std::time::Duration;

use futures::StreamExt as _;
use tonic::{Code, Request};
use tonic_types::StatusExt as _;

use super::*;
use crate::{
    informer::FactoryOptions,
    proto::v1alpha1::{subscription_service_server::SubscriptionService, watch_response::Control},
    service::testing::{FakeReflector, FakeUpstream, object, object_with_uid, padded},
};

mod era;
mod projection;
mod resume;
mod stalled;

type Responses = Pin<Box<dyn Stream<Item = Result<pb::WatchResponse, Status>> + Send>>;

struct Rig {
    api: SubscriptionApi,
    upstream: Arc<FakeUpstream>,
    shutdown: CancellationToken,
}

fn rig() -> Rig {
    rig_of_epoch("epoch")
}

fn rig_of_epoch(epoch: &str) -> Rig {
    let upstream = FakeUpstream::new();
    let shutdown = CancellationToken::new();
    let clock = crate::clock::Clock::start();
    let factory = SharedInformerFactory::new(upstream.clone(), FactoryOptions::default(), clock, epoch.into());
    Rig {
        api: SubscriptionApi::new(factory, shutdown.clone()),
        upstream,
        shutdown,
    }
}

fn pods() -> pb::WatchRequest {
    watch_of("pods")
}

fn watch_of(resource: &str) -> pb::WatchRequest {
    let resource = pb::ResourceRef {
        resource: resource.into(),
        ..Default::default()
    };
    pb::WatchRequest {
        informer: Some(pb::InformerSelector {
            by: Some(pb::informer_selector::By::Resource(resource)),
        }),
        ..Default::default()
    }
}

fn resume(token: impl Into<bytes::Bytes>, on_failure: pb::ResumeFailure) -> pb::WatchRequest {
    pb::WatchRequest {
        start: Some(pb::watch_request::Start::Resume(pb::StartResume {
            token: token.into(),
            on_failure: on_failure.into(),
            ..Default::default()
        })),
        ..pods()
    }
}

impl Rig {
    async fn watch(&self, request: pb::WatchRequest) -> Responses {
        self.api.watch(Request::new(request)).await.unwrap().into_inner()
    }

    /// A watch on pods that has had its snapshot of these objects.
    async fn synced(&self, request: pb::WatchRequest, objects: &[String]) -> (Responses, FakeReflector) {
        let mut responses = self.watch(request).await;
        let reflector = self.upstream.reflector("pods").await;
        reflector.list(objects, 10).await;
        while !read(&mut responses).await.starts_with("synced") {}
        (responses, reflector)
    }

    async fn refused(&self, request: pb::WatchRequest) -> (Code, String, String) {
        let Err(status) = self.api.watch(Request::new(request)).await else {
            panic!("the watch was accepted");
        };
        described(&status)
    }
}

fn described(status: &Status) -> (Code, String, String) {
    let info = status.get_details_error_info().expect("every error has its ErrorInfo");
    let field = info.metadata.get("field").cloned().unwrap_or_default();
    (status.code(), info.reason, field)
}

async fn next(responses: &mut Responses) -> pb::WatchResponse {
    responses.next().await.expect("the stream goes on").unwrap()
}

/// The next message in words.
async fn read(responses: &mut Responses) -> String {
    let response = next(responses).await;
    let mut words = Vec::new();
    for event in &response.events {
        let kind = event.r#type().as_str_name().trim_start_matches("EVENT_TYPE_");
        let cause = event.cause().as_str_name().trim_start_matches("EVENT_CAUSE_");
        let name = event.r#ref.as_ref().unwrap().name.as_str();
        words.push(format!("{kind}/{cause} {name}"));
    }
    match &response.control {
        None => {}
        Some(Control::Created(c)) => words.push(format!("created {}", c.mode().as_str_name())),
        Some(Control::Reset(r)) => words.push(format!("reset {}", r.reason().as_str_name())),
        Some(Control::Synced(s)) => words.push(format!("synced {}", s.object_count)),
        Some(Control::Bookmark(b)) => {
            let status = b.status.as_ref().unwrap();
            words.push(format!(
                "bookmark {} synced={} lag={}",
                b.object_count, status.synced, b.lag_events
            ));
        }
        Some(Control::Terminating(t)) => words.push(format!("terminating {}", t.reason().as_str_name())),
    }
    if response.continued {
        words.push("…".into());
    }
    if !response.resume_token.is_empty() {
        words.push("token".into());
    }
    words.join(", ")
}

#[tokio::test(start_paused = true)]
async fn a_watch_that_waits_for_its_first_sync_is_not_silent() {
    let rig = rig();
    let mut responses = rig.watch(pods()).await;
    assert_eq!(read(&mut responses).await, "created WATCH_MODE_SNAPSHOT");
    assert_eq!(read(&mut responses).await, "bookmark 0 synced=false lag=0");
    let reflector = rig.upstream.reflector("pods").await;
    reflector.list([object("a/x", 5, "")], 9).await;
    assert_eq!(read(&mut responses).await, "ADDED/INITIAL x");
    assert_eq!(read(&mut responses).await, "synced 1, token");
    assert_eq!(read(&mut responses).await, "bookmark 1 synced=true lag=0, token");
}

#[tokio::test]
async fn a_recreated_object_is_one_group() {
    let rig = rig();
    let request = pb::WatchRequest {
        batch: Some(pb::BatchOptions {
            max_events: 1,
            ..Default::default()
        }),
        ..pods()
    };
    let (mut responses, reflector) = rig.synced(request, &[object("a/x", 5, "")]).await;
    reflector.updated(&object_with_uid("a/x", 11, "", "other")).await;
    assert_eq!(read(&mut responses).await, "DELETED/LIVE x, …");
    assert_eq!(read(&mut responses).await, "ADDED/LIVE x, token");
}

#[tokio::test]
async fn case_a_no_message_is_larger_than_the_client_takes() {
    let rig = rig();
    let request = pb::WatchRequest {
        old_object: pb::OldObject::Full.into(),
        max_receive_bytes: 256 << 10,
        ..pods()
    };
    let (mut responses, reflector) = rig.synced(request, &[padded("a/x", 5, 120 << 10)]).await;
    // Both do not fit: the old one is left out.
    reflector.updated(&padded("a/x", 11, 120 << 10)).await;
    let event = next(&mut responses).await.events.remove(0);
    assert!(event.object.unwrap().data.len() > 120 << 10);
    assert_eq!(event.old_object.unwrap().omitted(), pb::Omitted::TooLarge);
    assert_eq!(event.old_ref.unwrap().resource_version, "5");
    // The new one alone does not fit.
    reflector.updated(&padded("a/x", 12, 300 << 10)).await;
    let event = next(&mut responses).await.events.remove(0);
    assert_eq!(event.object.unwrap().omitted(), pb::Omitted::TooLarge);
    assert_eq!(event.r#ref.unwrap().resource_version, "12");
    // Many that fit one by one come in several messages.
    for i in 0..20 {
        reflector.added(&padded(&format!("a/p{i}"), 20 + i, 60 << 10)).await;
    }
    let mut seen = 0;
    while seen < 20 {
        let message = next(&mut responses).await;
        assert!(prost::Message::encoded_len(&message) <= 256 << 10);
        seen += message.events.len();
    }
}

#[tokio::test]
async fn flow_control_holds_the_stream_until_it_is_acknowledged() {
    let rig = rig();
    let request = pb::WatchRequest {
        flow: Some(pb::FlowControl {
            max_outstanding_events: 2,
            ..Default::default()
        }),
        batch: Some(pb::BatchOptions {
            max_events: 1,
            ..Default::default()
        }),
        client_id: "slow".into(),
        ..pods()
    };
    let (mut responses, reflector) = rig.synced(request, &[]).await;
    for i in 0..4 {
        reflector.added(&object(&format!("a/p{i}"), 20 + i, "")).await;
    }
    assert_eq!(read(&mut responses).await, "ADDED/LIVE p0, token");
    assert_eq!(read(&mut responses).await, "ADDED/LIVE p1, token");
    assert!(futures::poll!(responses.next()).is_pending());
    let list = pb::ListWatchesRequest::default();
    let watches = rig
        .api
        .list_watches(Request::new(list))
        .await
        .unwrap()
        .into_inner()
        .watches;
    let info = &watches[0];
    assert_eq!(
        (info.client_id.as_str(), info.state()),
        ("slow", pb::ListenerState::Blocked)
    );
    assert_eq!((info.lag_events, info.sent_events, info.acked_sequence), (2, 2, 0));
    let ack = |sequence| {
        let watch_id = info.watch_id.clone();
        rig.api
            .ack_watch(Request::new(pb::AckWatchRequest { watch_id, sequence }))
    };
    // created, synced, then p0.
    assert_eq!(ack(3).await.unwrap().into_inner().sent_sequence, 4);
    assert_eq!(read(&mut responses).await, "ADDED/LIVE p2, token");
    assert!(futures::poll!(responses.next()).is_pending());
    let early = ack(99).await.unwrap_err();
    assert_eq!(
        described(&early),
        (Code::InvalidArgument, "INVALID_FIELD".into(), "sequence".into())
    );
    assert_eq!(ack(5).await.unwrap().into_inner().acked_sequence, 5);
    assert_eq!(ack(3).await.unwrap().into_inner().acked_sequence, 5);
    assert_eq!(read(&mut responses).await, "ADDED/LIVE p3, token");
    // A watch whose client is gone is no longer listed.
    drop(responses);
    let gone = ack(6).await.unwrap_err();
    assert_eq!(described(&gone).1, "WATCH_NOT_FOUND");
}

#[tokio::test]
async fn a_watch_that_falls_out_of_the_history_coalesces_resets_or_fails_as_it_asked() {
    let rig = rig();
    let request = pb::WatchRequest {
        overflow: pb::Overflow::Fail.into(),
        ..pods()
    };
    let (mut failing, reflector) = rig.synced(request, &[object("a/x", 1, "")]).await;
    let of = |overflow: pb::Overflow| pb::WatchRequest {
        overflow: overflow.into(),
        ..pods()
    };
    let mut coalescing = rig.watch(of(pb::Overflow::Unspecified)).await;
    let mut resetting = rig.watch(of(pb::Overflow::Reset)).await;
    for watch in [&mut coalescing, &mut resetting] {
        while !read(watch).await.starts_with("synced") {}
    }
    // More than the history keeps.
    for rv in 0..8200 {
        reflector.updated(&object("a/x", 20 + rv, "")).await;
    }
    let caught_up = next(&mut coalescing).await;
    let event = &caught_up.events[0];
    assert_eq!(
        (event.r#type(), event.cause()),
        (pb::EventType::Updated, pb::EventCause::CatchUp)
    );
    assert_eq!((event.resource_version.as_str(), event.coalesced), ("8219", 1));
    assert!(!caught_up.resume_token.is_empty());
    assert_eq!(read(&mut resetting).await, "reset RESET_REASON_OVERFLOW");
    assert_eq!(read(&mut resetting).await, "ADDED/INITIAL x");
    assert_eq!(read(&mut resetting).await, "synced 1, token");
    assert!(
        read(&mut failing)
            .await
            .starts_with("terminating TERMINATING_REASON_SLOW_CONSUMER")
    );
    let status = failing.next().await.unwrap().unwrap_err();
    assert_eq!(described(&status).1, "SLOW_CONSUMER");
    assert_eq!(status.code(), Code::ResourceExhausted);
}

#[tokio::test]
async fn only_wanted_types_are_sent_and_dropped_ones_still_count() {
    let rig = rig();
    let request = pb::WatchRequest {
        event_types: vec![pb::EventType::Deleted.into()],
        ..pods()
    };
    let mut responses = rig.watch(request).await;
    let reflector = rig.upstream.reflector("pods").await;
    reflector.list([object("a/x", 5, "")], 9).await;
    assert_eq!(read(&mut responses).await, "created WATCH_MODE_SNAPSHOT");
    assert_eq!(read(&mut responses).await, "synced 1, token");
    reflector.updated(&object("a/x", 10, "")).await;
    reflector.deleted(&object("a/x", 11, "")).await;
    assert_eq!(read(&mut responses).await, "DELETED/LIVE x, token");
}

#[tokio::test]
async fn a_shutdown_tells_each_watch() {
    let rig = rig();
    let (mut responses, _reflector) = rig.synced(pods(), &[object("a/x", 5, "")]).await;
    rig.shutdown.cancel();
    assert_eq!(
        read(&mut responses).await,
        "terminating TERMINATING_REASON_SHUTDOWN, token"
    );
    let status = responses.next().await.unwrap().unwrap_err();
    assert_eq!(
        (status.code(), described(&status).1.as_str()),
        (Code::Unavailable, "SHUTTING_DOWN")
    );
    assert!(responses.next().await.is_none());
}

#[tokio::test]
async fn what_this_server_lacks_is_refused_by_name() {
    let rig = rig();
    let projection = pb::Projection {
        encoding: pb::Encoding::KubernetesProtobuf.into(),
        ..Default::default()
    };
    let table = [
        (
            pb::WatchRequest { overflow: 99, ..pods() },
            Code::InvalidArgument,
            "INVALID_FIELD",
            "overflow",
        ),
        (
            pb::WatchRequest {
                old_object: 99,
                ..pods()
            },
            Code::InvalidArgument,
            "INVALID_FIELD",
            "old_object",
        ),
        (
            pb::WatchRequest {
                event_types: vec![0],
                ..pods()
            },
            Code::InvalidArgument,
            "INVALID_FIELD",
            "event_types",
        ),
        (
            pb::WatchRequest {
                max_receive_bytes: 1,
                ..pods()
            },
            Code::InvalidArgument,
            "INVALID_FIELD",
            "max_receive_bytes",
        ),
        (
            pb::WatchRequest {
                projection: Some(projection),
                ..pods()
            },
            Code::InvalidArgument,
            "ENCODING_NOT_AVAILABLE",
            "projection.encoding",
        ),
        (
            pb::WatchRequest {
                client_id: "a\nb".into(),
                ..pods()
            },
            Code::InvalidArgument,
            "INVALID_FIELD",
            "client_id",
        ),
        (
            pb::WatchRequest {
                informer: None,
                ..pods()
            },
            Code::InvalidArgument,
            "INVALID_FIELD",
            "informer",
        ),
        (
            watch_of("nosuch"),
            Code::NotFound,
            "RESOURCE_NOT_FOUND",
            "informer.resource",
        ),
    ];
    for (request, code, reason, field) in table {
        let refused = rig.refused(request).await;
        assert_eq!(refused, (code, reason.to_owned(), field.to_owned()));
    }
}

#[tokio::test(start_paused = true)]
async fn linger_gathers_events_into_fewer_messages() {
    let rig = rig();
    let request = pb::WatchRequest {
        batch: Some(pb::BatchOptions {
            linger: Some(crate::service::convert::duration_pb(Duration::from_millis(20))),
            ..Default::default()
        }),
        ..pods()
    };
    let (mut responses, reflector) = rig.synced(request, &[]).await;
    reflector.added(&object("a/p0", 20, "")).await;
    assert_eq!(read(&mut responses).await, "ADDED/LIVE p0, token");
    reflector.added(&object("a/p1", 21, "")).await;
    assert!(futures::poll!(responses.next()).is_pending());
    reflector.added(&object("a/p2", 22, "")).await;
    assert_eq!(read(&mut responses).await, "ADDED/LIVE p1, ADDED/LIVE p2, token");
}
