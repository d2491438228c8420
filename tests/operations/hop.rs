//! The gRPC hop: what clients do to a sidecar, and what they must not be able to do.

use std::collections::BTreeSet;

use informerd::{
    proto::v1alpha1::{
        CreateInformerRequest, DeleteInformerRequest, DeleteQueueRequest, DrainQueueRequest, InformerSelector,
        InformerSpec, ListInformersRequest, ListWatchesRequest, QueueSpec, RemoveIndexersRequest, ResourceRef,
        UpdateInformerRequest, WatchEvent, WatchRequest, WatchResponse, informer_selector::By,
        informer_service_client::InformerServiceClient, subscription_service_client::SubscriptionServiceClient,
        watch_response::Control, work_queue_service_client::WorkQueueServiceClient,
    },
    sim::{LoggedRequest, Verb},
};
use serde_json::json;
use support::{DEADLINE, eventually};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    time::timeout,
};
use tonic::{
    Code, Status, Streaming,
    transport::{Channel, Endpoint},
};

use crate::rig::Rig;

/// A stream that a test reads.
pub(crate) struct Watch(Streaming<WatchResponse>);

// === impl Watch ===

impl Watch {
    async fn next(&mut self) -> WatchResponse {
        let next = timeout(DEADLINE, self.0.message()).await.expect("a message in time");
        next.expect("the watch goes on").expect("the watch does not end")
    }

    /// Reads until the snapshot is complete.
    pub(crate) async fn synced(&mut self) {
        while !matches!(self.next().await.control, Some(Control::Synced(_))) {}
    }

    pub(crate) async fn events(&mut self, count: usize) -> Vec<WatchEvent> {
        let mut events = Vec::new();
        while events.len() < count {
            events.extend(self.next().await.events);
        }
        events
    }
}

impl Rig {
    pub(crate) async fn watch(&self, resource: &str) -> Watch {
        let request = WatchRequest {
            informer: Some(InformerSelector {
                by: Some(By::Resource(ResourceRef {
                    resource: resource.into(),
                    ..ResourceRef::default()
                })),
            }),
            ..WatchRequest::default()
        };
        let stream = SubscriptionServiceClient::new(self.channel.clone())
            .watch(request)
            .await;
        Watch(stream.expect("a watch").into_inner())
    }

    async fn open_watches(&self) -> usize {
        let request = ListWatchesRequest::default();
        let listed = SubscriptionServiceClient::new(self.channel.clone())
            .list_watches(request)
            .await;
        listed.expect("a list").into_inner().watches.len()
    }

    /// What the API server was asked about pods.
    fn asked(&self) -> Vec<Verb> {
        let about_pods = |r: &LoggedRequest| r.resource.as_deref() == Some("pods");
        let log = self.sim.request_log();
        log.into_iter().filter(about_pods).map(|r| r.verb).collect()
    }

    async fn over_tcp(&self) -> Channel {
        let endpoint = Endpoint::from_shared(format!("http://{}", self.tcp)).expect("an address");
        endpoint.connect().await.expect("connected")
    }
}

/// Pings of an HTTP/2 client, frame by frame: sixty of them, which is ten minutes of a keepalive of 10 s, without a call
/// ("permit without stream") and as fast as they are answered. A server that counts them says GOAWAY, too_many_pings.
#[tokio::test]
async fn case_b_a_client_that_pings_without_end_is_never_sent_away() {
    const SETTINGS: u8 = 4;
    const PING: u8 = 6;
    const GOAWAY: u8 = 7;
    const ACK: u8 = 1;
    let rig = Rig::start(&[]).await;
    let mut stream = TcpStream::connect(rig.tcp).await.expect("connected");
    let frame = |kind: u8, flags: u8, payload: &[u8]| {
        let mut frame = vec![0, 0, payload.len() as u8, kind, flags, 0, 0, 0, 0];
        frame.extend_from_slice(payload);
        frame
    };
    stream
        .write_all(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
        .await
        .expect("sent");
    stream.write_all(&frame(SETTINGS, 0, &[])).await.expect("sent");
    let mut answered = 0;
    for n in 0..60_u64 {
        let payload = n.to_be_bytes();
        stream.write_all(&frame(PING, 0, &payload)).await.expect("sent");
        loop {
            let mut head = [0; 9];
            let read = timeout(DEADLINE, stream.read_exact(&mut head))
                .await
                .expect("an answer in time");
            read.expect("the connection stays open");
            let mut body = vec![0; u32::from_be_bytes([0, head[0], head[1], head[2]]) as usize];
            stream.read_exact(&mut body).await.expect("a whole frame");
            let (kind, flags) = (head[3], head[4]);
            assert_ne!(kind, GOAWAY, "sent away after {n} pings");
            if kind == SETTINGS && flags & ACK == 0 {
                stream.write_all(&frame(SETTINGS, ACK, &[])).await.expect("sent");
            }
            // The server may ask as well whether we are there.
            if kind == PING && flags & ACK == 0 {
                stream.write_all(&frame(PING, ACK, &body)).await.expect("sent");
            }
            if kind == PING && flags & ACK != 0 && body == payload {
                answered += 1;
                break;
            }
        }
    }
    assert_eq!(answered, 60);
    drop(stream);
    rig.stop().await;
}

#[tokio::test]
async fn case_36_a_cancelled_watch_is_freed_at_the_server() {
    let rig = Rig::start(&["pods"]).await;
    let (mut first, mut second) = (rig.watch("pods").await, rig.watch("pods").await);
    first.synced().await;
    second.synced().await;
    assert_eq!(rig.open_watches().await, 2);
    // Nothing changes meanwhile: the server notices by itself, not by the next event that it cannot send.
    drop(first);
    eventually("one watch is left", || async {
        (rig.open_watches().await == 1).then_some(())
    })
    .await;
    // The other one is none the worse for it.
    let pod = json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a", "namespace": "default"}});
    rig.sim.create(pod).expect("created");
    assert_eq!(second.events(1).await[0].r#ref.as_ref().expect("a reference").name, "a");
    drop(second);
    eventually("no watch is left", || async {
        (rig.open_watches().await == 0).then_some(())
    })
    .await;
    rig.stop().await;
}

#[tokio::test]
async fn case_38_two_hundred_consumers_cost_one_list_and_one_watch_and_their_restart_nothing() {
    const CONSUMERS: usize = 200;
    let rig = Rig::start(&[]).await;
    let consume = async || {
        let mut consumers = Vec::new();
        for _ in 0..CONSUMERS {
            consumers.push(rig.watch("pods").await);
        }
        for consumer in &mut consumers {
            consumer.synced().await;
        }
        consumers
    };
    let consumers = consume().await;
    // A watch-list is list and watch in one request.
    assert_eq!(rig.asked(), [Verb::WatchList]);
    drop(consumers);
    eventually("all are gone", || async {
        (rig.open_watches().await == 0).then_some(())
    })
    .await;
    let mut consumers = consume().await;
    let pod = json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a", "namespace": "default"}});
    rig.sim.create(pod).expect("created");
    for consumer in &mut consumers {
        assert_eq!(consumer.events(1).await.len(), 1);
    }
    assert_eq!(rig.asked(), [Verb::WatchList]);
    rig.stop().await;
}

/// Each call that takes something away from others, by its name.
async fn admin_calls(channel: &Channel) -> Vec<(&'static str, Status)> {
    let mut informers = InformerServiceClient::new(channel.clone());
    let mut queues = WorkQueueServiceClient::new(channel.clone());
    // Such as do not exist: who may call is told so, and who may not learns nothing.
    let name = || "informers/none".to_owned();
    let queue = || "queues/none".to_owned();
    let delete = DeleteInformerRequest {
        name: name(),
        ..DeleteInformerRequest::default()
    };
    let update = UpdateInformerRequest {
        name: name(),
        spec: Some(InformerSpec::default()),
        update_mask: Some(prost_types::FieldMask {
            paths: vec!["max_staleness".into()],
        }),
    };
    let remove = RemoveIndexersRequest {
        name: name(),
        index_names: vec!["x".into()],
    };
    let drain = DrainQueueRequest {
        name: queue(),
        ..DrainQueueRequest::default()
    };
    let drop = DeleteQueueRequest {
        name: queue(),
        ..DeleteQueueRequest::default()
    };
    vec![
        (
            "DeleteInformer",
            informers.delete_informer(delete).await.expect_err("none"),
        ),
        (
            "UpdateInformer",
            informers.update_informer(update).await.expect_err("none"),
        ),
        (
            "RemoveIndexers",
            informers.remove_indexers(remove).await.expect_err("none"),
        ),
        ("DrainQueue", queues.drain_queue(drain).await.expect_err("none")),
        ("DeleteQueue", queues.delete_queue(drop).await.expect_err("none")),
    ]
}

fn codes(calls: Vec<(&'static str, Status)>) -> BTreeSet<(&'static str, String)> {
    calls
        .into_iter()
        .map(|(name, status)| (name, format!("{:?}", status.code())))
        .collect()
}

#[tokio::test]
async fn case_g_over_tcp_nobody_deletes_or_changes_what_others_declared() {
    let rig = Rig::start(&[]).await;
    let tcp = rig.over_tcp().await;
    for (name, status) in admin_calls(&tcp).await {
        assert_eq!(status.code(), Code::PermissionDenied, "{name}: {status:?}");
        let details = tonic_types::StatusExt::get_details_error_info(&status).expect("a reason");
        assert_eq!(details.reason, "ADMIN_NOT_ALLOWED", "{name}");
    }
    // What every client needs is not among it.
    let create = CreateInformerRequest {
        informer_id: "mine".into(),
        spec: Some(InformerSpec {
            resource: Some(ResourceRef {
                resource: "pods".into(),
                ..ResourceRef::default()
            }),
            ..InformerSpec::default()
        }),
    };
    let mut informers = InformerServiceClient::new(tcp.clone());
    informers.create_informer(create).await.expect("created");
    informers
        .list_informers(ListInformersRequest::default())
        .await
        .expect("listed");
    // Over the socket, whose mode says who may, all of them are carried out.
    let everyone: BTreeSet<_> = codes(admin_calls(&rig.channel).await)
        .into_iter()
        .map(|(_, code)| code)
        .collect();
    assert_eq!(everyone, BTreeSet::from(["NotFound".to_owned()]));
    rig.stop().await;
}

#[tokio::test]
async fn case_g_over_tcp_they_may_if_the_server_says_so() {
    let mut rig = Rig::start_with(&[], informerd::run::Sidecar::allow_tcp_admin).await;
    rig.create("q", QueueSpec::default()).await;
    let tcp = rig.over_tcp().await;
    let request = DeleteQueueRequest {
        name: "queues/q".into(),
        force: true,
    };
    WorkQueueServiceClient::new(tcp)
        .delete_queue(request)
        .await
        .expect("deleted");
    rig.stop().await;
}
