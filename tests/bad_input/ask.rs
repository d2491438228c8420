//! Good requests to make bad ones of, and the calls.

use informerd::proto::v1alpha1::{
    CreateInformerRequest, Filter, IndexFilter, InformerSpec, ListObjectsRequest, ResourceRef, WatchRequest,
};
use tonic::{Code::InvalidArgument, Status};

use super::{
    in_a, patient,
    refusal::Refusal,
    sidecar::{Bench, resource},
};

pub(crate) fn list() -> ListObjectsRequest {
    ListObjectsRequest {
        informer: resource("pods"),
        ..ListObjectsRequest::default()
    }
}

pub(crate) fn watch() -> WatchRequest {
    WatchRequest {
        informer: resource("pods"),
        ..WatchRequest::default()
    }
}

pub(crate) fn filter(change: impl FnOnce(&mut Filter)) -> Option<Filter> {
    let mut filter = Filter::default();
    change(&mut filter);
    Some(filter)
}

pub(crate) fn index(name: &str, values: &[&str]) -> Option<Filter> {
    filter(|f| {
        f.index = Some(IndexFilter {
            name: name.to_owned(),
            values: values.iter().map(|v| (*v).to_owned()).collect(),
        });
    })
}

pub(crate) fn spec(resource: &str) -> InformerSpec {
    InformerSpec {
        resource: Some(ResourceRef {
            resource: resource.to_owned(),
            ..ResourceRef::default()
        }),
        ..InformerSpec::default()
    }
}

pub(crate) fn seconds(seconds: i64) -> Option<prost_types::Duration> {
    Some(prost_types::Duration { seconds, nanos: 0 })
}

pub(crate) async fn try_list(bench: &Bench, request: ListObjectsRequest) -> Result<(), Status> {
    bench.cache().list_objects(request).await.map(drop)
}

pub(crate) async fn try_watch(bench: &Bench, request: WatchRequest) -> Result<(), Status> {
    bench.subscriptions().watch(request).await.map(drop)
}

pub(crate) async fn try_create(bench: &Bench, id: &str, spec: InformerSpec) -> Result<String, Status> {
    let request = CreateInformerRequest {
        informer_id: id.to_owned(),
        spec: Some(spec),
    };
    let created = bench.informers().create_informer(request).await?;
    Ok(created.into_inner().informer.unwrap_or_default().name)
}

pub(crate) fn invalid(reason: &str, field: &str) -> Refusal {
    Refusal::new(InvalidArgument, reason, field)
}

/// The sidecar answers as before: nothing that was refused has done it any harm.
pub(crate) async fn still_well(bench: &Bench) {
    let request = ListObjectsRequest {
        filter: in_a(),
        read: patient(),
        ..list()
    };
    let reply = bench.cache().list_objects(request).await.expect("a list").into_inner();
    assert_eq!(reply.objects.len(), 3);
}
