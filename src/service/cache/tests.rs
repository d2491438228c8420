use futures::StreamExt as _;
use tonic::Code;
use tonic_types::{ErrorDetails, StatusExt as _};

use super::*;
use crate::{
    informer::{FactoryOptions, SpecRequest},
    object::{Digest, Pointer, PointerSet, Scanner, Transform, TypeMeta},
    processor::HistoryLimits,
    service::testing::{FakeReflector, FakeUpstream, object, object_with_uid, padded},
    store::IndexSpec,
    upstream::{ResourceQuery, UpstreamState},
};

mod live;
mod pages;
mod reads;
mod streams;
mod truth;

struct Rig {
    upstream: Arc<FakeUpstream>,
    api: CacheApi,
}

/// A service whose informers index nodeName as "node".
fn rig() -> Rig {
    let upstream = FakeUpstream::new();
    let node = IndexSpec::new("node", Pointer::parse("/spec/nodeName").unwrap()).unwrap();
    let factory = upstream.factory(FactoryOptions {
        template: SpecRequest {
            indexers: vec![node],
            history: HistoryLimits::default(),
            ..SpecRequest::default()
        },
        ..FactoryOptions::default()
    });
    Rig {
        upstream,
        api: CacheApi::new(factory),
    }
}

impl Rig {
    async fn create(&self, id: &str, resource: &str, namespaces: &[&str]) -> FakeReflector {
        let request = SpecRequest {
            resource: ResourceQuery::named(resource),
            namespaces: namespaces.iter().map(|n| n.to_string()).collect(),
            ..self.api.factory.options().template.clone()
        };
        self.api.factory.create(Some(id), request).await.unwrap();
        self.upstream.reflector(resource).await
    }

    /// The service over synced pods.
    async fn pods(&self, objects: &[String]) -> FakeReflector {
        let reflector = self.create("pods", "pods", &[]).await;
        reflector.list(objects, 100).await;
        reflector
    }

    async fn list(&self, request: pb::ListObjectsRequest) -> Result<pb::ListObjectsResponse, Status> {
        let reply = self.api.list_objects(Request::new(request)).await;
        reply.map(Response::into_inner)
    }

    async fn get(&self, request: pb::GetObjectRequest) -> Result<pb::GetObjectResponse, Status> {
        let reply = self.api.get_object(Request::new(request)).await;
        reply.map(Response::into_inner)
    }
}

fn resource(name: &str) -> Option<pb::InformerSelector> {
    Some(pb::InformerSelector {
        by: Some(pb::informer_selector::By::Resource(pb::ResourceRef {
            resource: name.into(),
            ..pb::ResourceRef::default()
        })),
    })
}

fn informer(id: &str) -> Option<pb::InformerSelector> {
    Some(pb::InformerSelector {
        by: Some(pb::informer_selector::By::Name(format!("informers/{id}"))),
    })
}

fn key(key: &str) -> pb::ObjectKey {
    let (namespace, name) = key.split_once('/').unwrap_or(("", key));
    pb::ObjectKey {
        namespace: namespace.into(),
        name: name.into(),
    }
}

fn get(name: &str) -> pb::GetObjectRequest {
    pb::GetObjectRequest {
        informer: resource("pods"),
        key: Some(key(name)),
        ..pb::GetObjectRequest::default()
    }
}

fn fresh(freshness: pb::read_options::Freshness) -> Option<pb::ReadOptions> {
    Some(pb::ReadOptions {
        freshness: Some(freshness),
        ..pb::ReadOptions::default()
    })
}

fn at(snapshot: &str) -> Option<pb::ReadOptions> {
    fresh(pb::read_options::Freshness::AtSnapshot(snapshot.into()))
}

fn pin() -> Option<pb::ReadOptions> {
    Some(pb::ReadOptions {
        pin_snapshot: true,
        ..pb::ReadOptions::default()
    })
}

fn labels(selector: &str) -> Option<pb::Filter> {
    Some(pb::Filter {
        label_selector: selector.into(),
        ..pb::Filter::default()
    })
}

fn view(view: pb::View) -> Option<pb::Projection> {
    Some(pb::Projection {
        view: view.into(),
        ..pb::Projection::default()
    })
}

fn names(objects: &[pb::CachedObject]) -> Vec<String> {
    let name = |o: &pb::CachedObject| o.r#ref.as_ref().map(|r| format!("{}@{}", r.name, r.resource_version));
    objects.iter().filter_map(name).collect()
}

/// `a/p000`, `a/p001`, …, odd ones labelled app=odd, even ones app=even.
fn pods(count: u64) -> Vec<String> {
    let app = |n| if n % 2 == 1 { "app=odd" } else { "app=even" };
    (0..count)
        .map(|n| object(&format!("a/p{n:03}"), n + 1, app(n)))
        .collect()
}

fn refused<T: std::fmt::Debug>(result: Result<T, Status>, code: Code, reason: &str) -> ErrorDetails {
    let status = result.unwrap_err();
    assert_eq!(status.code(), code, "{status:?}");
    let details = status.get_error_details();
    let info = details.error_info().unwrap();
    assert_eq!(
        (info.reason.as_str(), info.domain.as_str()),
        (reason, "informer.v1alpha1")
    );
    details
}

fn refused_field<T: std::fmt::Debug>(result: Result<T, Status>, reason: &str) -> String {
    let details = refused(result, Code::InvalidArgument, reason);
    details.bad_request().unwrap().field_violations[0].field.clone()
}

fn metadata<'d>(details: &'d ErrorDetails, key: &str) -> &'d str {
    details
        .error_info()
        .unwrap()
        .metadata
        .get(key)
        .map_or("", String::as_str)
}
