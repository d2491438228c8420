//! Requests in short.

use std::path::Path;

use informerd::{
    cli::connect::ServerAddress,
    proto::v1alpha1::{
        BucketDelay, Completion, CreateQueueRequest, ExponentialDelay, InformerSelector, ObjectKey, Outcome,
        QueueSource, QueueSpec, RateLimiter, ResourceRef, WorkItem, informer_selector::By, rate_limiter::Item,
        work_queue_service_client::WorkQueueServiceClient,
    },
};
use prost_types::Duration;
use tonic::{Status, transport::Channel};

/// The queue of these tests.
pub(crate) const QUEUE: &str = "queues/proof";

/// How long a lease lasts in the crowd test: short, so that the hold after a restart is short too.
pub(crate) const LEASE_SECONDS: i64 = 2;

pub(crate) type Queues = WorkQueueServiceClient<Channel>;

/// A client, if the server listens.
pub(crate) async fn connect(socket: &Path) -> Option<Queues> {
    let channel = ServerAddress::Unix(socket.to_owned()).connect().await.ok()?;
    Some(WorkQueueServiceClient::new(channel))
}

pub(crate) fn seconds(seconds: i64) -> Option<Duration> {
    Some(Duration { seconds, nanos: 0 })
}

pub(crate) fn config_maps() -> QueueSource {
    let resource = ResourceRef {
        resource: "configmaps".into(),
        ..ResourceRef::default()
    };
    QueueSource {
        informer: Some(InformerSelector {
            by: Some(By::Resource(resource)),
        }),
        ..QueueSource::default()
    }
}

/// All config maps, short leases, and no bucket: a killed worker's keys come back soon.
pub(crate) fn short_leases() -> QueueSpec {
    QueueSpec {
        sources: vec![config_maps()],
        lease_duration: seconds(LEASE_SECONDS),
        rate_limiter: Some(RateLimiter {
            item: Some(Item::Exponential(ExponentialDelay {
                base: None,
                max: seconds(1),
            })),
            bucket: Some(BucketDelay {
                disabled: true,
                ..BucketDelay::default()
            }),
            max_delay: None,
        }),
        ..QueueSpec::default()
    }
}

/// Creates the queue, or finds it.
pub(crate) async fn create(queues: &mut Queues, spec: QueueSpec) -> Result<(), Status> {
    let request = CreateQueueRequest {
        queue_id: QUEUE.trim_start_matches("queues/").into(),
        spec: Some(spec),
    };
    queues.create_queue(request).await.map(drop)
}

pub(crate) fn completion(lease_id: &str, outcome: Outcome) -> Completion {
    Completion {
        lease_id: lease_id.into(),
        outcome: outcome.into(),
        ..Completion::default()
    }
}

/// `namespace/name`.
pub(crate) fn name_of(key: Option<&ObjectKey>) -> String {
    key.map_or_else(String::new, |key| format!("{}/{}", key.namespace, key.name))
}

/// The version of the object that came with an item; `None` if the cache has no object.
pub(crate) fn version_of(item: &WorkItem) -> Option<u64> {
    assert_eq!(item.object.is_none(), item.object_missing, "{item:?}");
    let version = &item
        .object
        .as_ref()?
        .r#ref
        .as_ref()
        .expect("a reference")
        .resource_version;
    Some(version.parse().expect("a resource version"))
}
