//! A server with four pods and a node that plays scripted watches.

use std::{
    collections::{HashMap, VecDeque},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU32, Ordering},
    },
};

use futures::stream::{self, BoxStream, StreamExt as _};
use tokio::{net::UnixListener, task::JoinHandle};
use tokio_stream::wrappers::UnixListenerStream;
use tonic::{Code, Request, Response, Status, async_trait, transport::Server};
use tonic_types::{ErrorDetails, StatusExt as _};

use crate::proto::v1alpha1::{
    cache_service_server::{CacheService, CacheServiceServer},
    informer_selector::By,
    informer_service_server::{InformerService, InformerServiceServer},
    subscription_service_server::{SubscriptionService, SubscriptionServiceServer},
    watch_response::Control,
    *,
};

/// The messages of one stream, and how it ends.
pub(super) type Messages = Vec<Result<WatchResponse, Status>>;

/// What the server does.
#[derive(Default)]
pub(super) struct Script {
    /// One per Watch call, in order.
    pub(super) streams: Vec<Messages>,
    /// Keep a stream open after its last message.
    pub(super) hold: bool,
    /// Fail this many second pages as expired.
    pub(super) expire: u32,
    /// Never sync.
    pub(super) unsynced: bool,
}

/// The running server; ends when dropped.
pub(super) struct Fake {
    dir: tempfile::TempDir,
    service: Service,
    task: JoinHandle<()>,
}

#[derive(Clone)]
struct Service(Arc<State>);

struct State {
    streams: Mutex<VecDeque<Messages>>,
    watches: Mutex<Vec<WatchRequest>>,
    hold: bool,
    expire: AtomicU32,
    unsynced: bool,
}

// === impl Fake ===

impl Fake {
    pub(super) async fn start(script: Script) -> Self {
        let dir = tempfile::tempdir().expect("directory");
        let listener = UnixListener::bind(dir.path().join("s")).expect("socket");
        let service = Service(Arc::new(State {
            streams: Mutex::new(script.streams.into()),
            watches: Mutex::default(),
            hold: script.hold,
            expire: AtomicU32::new(script.expire),
            unsynced: script.unsynced,
        }));
        let server = Server::builder()
            .add_service(InformerServiceServer::new(service.clone()))
            .add_service(CacheServiceServer::new(service.clone()))
            .add_service(SubscriptionServiceServer::new(service.clone()));
        let task = tokio::spawn(async move {
            server
                .serve_with_incoming(UnixListenerStream::new(listener))
                .await
                .expect("served");
        });
        Self { dir, service, task }
    }

    pub(super) fn url(&self) -> String {
        format!("unix://{}", self.dir.path().join("s").display())
    }

    /// Requests of the watches so far.
    pub(super) fn watches(&self) -> Vec<WatchRequest> {
        self.service
            .0
            .watches
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        self.task.abort();
    }
}

// === data ===

fn informer(resource: &str) -> Informer {
    let pods = resource == "pods";
    Informer {
        name: format!("informers/{resource}"),
        spec: Some(InformerSpec {
            resource: Some(ResourceRef {
                resource: resource.into(),
                version: "v1".into(),
                ..ResourceRef::default()
            }),
            ..InformerSpec::default()
        }),
        kind: if pods { "Pod" } else { "Node" }.into(),
        namespaced: pods,
        status: status(resource),
        ..Informer::default()
    }
}

fn status(resource: &str) -> Option<CacheStatus> {
    Some(CacheStatus {
        informer: format!("informers/{resource}"),
        epoch: "e".into(),
        synced: true,
        upstream_state: UpstreamState::Watching.into(),
        ..CacheStatus::default()
    })
}

fn object(namespace: &str, name: &str) -> CachedObject {
    let (kind, status) = if namespace.is_empty() {
        ("Node", "{}")
    } else {
        ("Pod", r#"{"phase":"Running"}"#)
    };
    let data = format!(
        r#"{{"kind":"{kind}","apiVersion":"v1","metadata":{{"name":"{name}","namespace":"{namespace}","creationTimestamp":"2026-01-01T00:00:00Z"}},"status":{status}}}"#
    );
    CachedObject {
        r#ref: Some(ObjectRef {
            namespace: namespace.into(),
            name: name.into(),
            ..ObjectRef::default()
        }),
        object: Some(ObjectPayload {
            data: data.into(),
            ..ObjectPayload::default()
        }),
    }
}

fn objects(resource: &str) -> Vec<CachedObject> {
    match resource {
        "pods" => vec![
            object("default", "p1"),
            object("default", "p2"),
            object("default", "p3"),
            object("other", "p1"),
        ],
        _ => vec![object("", "n1")],
    }
}

/// `p1` of the default namespace, ADDED, without a token.
pub(super) fn event(name: &'static str, revision: u64) -> WatchResponse {
    let CachedObject { r#ref, object } = object("default", name);
    let event = WatchEvent {
        r#type: EventType::Added.into(),
        cause: EventCause::Live.into(),
        r#ref,
        object,
        revision,
        resource_version: revision.to_string(),
        ..WatchEvent::default()
    };
    WatchResponse {
        events: vec![event],
        ..WatchResponse::default()
    }
}

pub(super) fn deleted(name: &'static str, revision: u64) -> WatchResponse {
    let mut message = event(name, revision);
    message.events[0].r#type = EventType::Deleted.into();
    message
}

pub(super) fn frame(control: Control) -> WatchResponse {
    WatchResponse {
        control: Some(control),
        ..WatchResponse::default()
    }
}

pub(super) fn synced(object_count: u64, token: &'static str) -> WatchResponse {
    let synced = Synced {
        object_count,
        status: status("pods"),
        ..Synced::default()
    };
    WatchResponse {
        resume_token: token.into(),
        ..frame(Control::Synced(synced))
    }
}

/// Which resource a selector means.
fn resource(selector: Option<&InformerSelector>) -> Result<&'static str, Status> {
    match selector.and_then(|s| s.by.as_ref()) {
        Some(By::Name(name)) if name == "informers/pods" => Ok("pods"),
        Some(By::Name(name)) if name == "informers/nodes" => Ok("nodes"),
        Some(By::Resource(r)) => match r.resource.as_str() {
            "pods" | "pod" | "po" => Ok("pods"),
            "nodes" | "no" => Ok("nodes"),
            "deployments" | "configmaps" => Ok("others"),
            other => {
                let mut details = ErrorDetails::new();
                details.set_error_info("RESOURCE_NOT_FOUND", "informer.v1alpha1", HashMap::new());
                let message = format!("the API server has no resource `{other}`");
                details.add_bad_request_violation("informer.resource.resource", &message);
                Err(Status::with_error_details(Code::NotFound, message, details))
            }
        },
        _ => Err(Status::not_found("no such informer")),
    }
}

fn matching(selector: Option<&InformerSelector>, filter: Option<Filter>) -> Result<Vec<CachedObject>, Status> {
    let filter = filter.unwrap_or_default();
    let mut found = objects(resource(selector)?);
    found.retain(|o| {
        let namespace = o.r#ref.as_ref().map_or("", |r| r.namespace.as_str());
        filter.label_selector.is_empty()
            && (filter.namespaces.is_empty() || filter.namespaces.iter().any(|n| n == namespace))
    });
    Ok(found)
}

impl Service {
    /// Pages of two.
    fn page<T>(&self, all: Vec<T>, token: &str) -> Result<(Vec<T>, String), Status> {
        let start: usize = token.parse().unwrap_or(0);
        if start > 0
            && self
                .0
                .expire
                .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |n| n.checked_sub(1))
                .is_ok()
        {
            let mut details = ErrorDetails::new();
            details.set_error_info("PAGE_SNAPSHOT_EXPIRED", "informer.v1alpha1", HashMap::new());
            return Err(Status::with_error_details(
                Code::Aborted,
                "the snapshot has expired",
                details,
            ));
        }
        let next = if start + 2 < all.len() {
            (start + 2).to_string()
        } else {
            String::new()
        };
        Ok((all.into_iter().skip(start).take(2).collect(), next))
    }
}

fn none<T>() -> Result<Response<T>, Status> {
    Err(Status::unimplemented("not played"))
}

// === services ===

#[async_trait]
impl InformerService for Service {
    async fn get_server_info(
        &self,
        _: Request<GetServerInfoRequest>,
    ) -> Result<Response<GetServerInfoResponse>, Status> {
        Ok(Response::new(GetServerInfoResponse {
            epoch: "e".into(),
            version: "9.9".into(),
            ..Default::default()
        }))
    }
    async fn create_informer(
        &self,
        _: Request<CreateInformerRequest>,
    ) -> Result<Response<CreateInformerResponse>, Status> {
        none()
    }
    async fn update_informer(
        &self,
        _: Request<UpdateInformerRequest>,
    ) -> Result<Response<UpdateInformerResponse>, Status> {
        none()
    }
    async fn get_informer(
        &self,
        request: Request<GetInformerRequest>,
    ) -> Result<Response<GetInformerResponse>, Status> {
        let selector = InformerSelector {
            by: Some(By::Name(request.into_inner().name)),
        };
        Ok(Response::new(GetInformerResponse {
            informer: Some(informer(resource(Some(&selector))?)),
        }))
    }
    async fn list_informers(
        &self,
        request: Request<ListInformersRequest>,
    ) -> Result<Response<ListInformersResponse>, Status> {
        // Two pages.
        let (name, next) = if request.into_inner().page_token.is_empty() {
            ("nodes", "2")
        } else {
            ("pods", "")
        };
        Ok(Response::new(ListInformersResponse {
            informers: vec![informer(name)],
            next_page_token: next.into(),
        }))
    }
    async fn delete_informer(
        &self,
        _: Request<DeleteInformerRequest>,
    ) -> Result<Response<DeleteInformerResponse>, Status> {
        none()
    }
    async fn add_indexers(&self, _: Request<AddIndexersRequest>) -> Result<Response<AddIndexersResponse>, Status> {
        none()
    }
    async fn remove_indexers(
        &self,
        _: Request<RemoveIndexersRequest>,
    ) -> Result<Response<RemoveIndexersResponse>, Status> {
        none()
    }
    async fn wait_for_cache_sync(
        &self,
        _: Request<WaitForCacheSyncRequest>,
    ) -> Result<Response<WaitForCacheSyncResponse>, Status> {
        if self.0.unsynced {
            return Err(Status::deadline_exceeded("informers/pods is not synced"));
        }
        Ok(Response::new(WaitForCacheSyncResponse::default()))
    }
}

#[async_trait]
impl CacheService for Service {
    async fn get_object(&self, _: Request<GetObjectRequest>) -> Result<Response<GetObjectResponse>, Status> {
        none()
    }
    async fn batch_get_objects(
        &self,
        request: Request<BatchGetObjectsRequest>,
    ) -> Result<Response<BatchGetObjectsResponse>, Status> {
        let request = request.into_inner();
        let all = objects(resource(request.informer.as_ref())?);
        let mut reply = BatchGetObjectsResponse::default();
        for key in request.keys {
            let found = all.iter().find(|o| {
                o.r#ref
                    .as_ref()
                    .is_some_and(|r| r.namespace == key.namespace && r.name == key.name)
            });
            match found {
                Some(object) => reply.objects.push(object.clone()),
                None => reply.missing.push(key),
            }
        }
        Ok(Response::new(reply))
    }
    async fn list_objects(
        &self,
        request: Request<ListObjectsRequest>,
    ) -> Result<Response<ListObjectsResponse>, Status> {
        let request = request.into_inner();
        let all = matching(request.informer.as_ref(), request.filter)?;
        let (objects, next_page_token) = self.page(all, &request.page_token)?;
        Ok(Response::new(ListObjectsResponse {
            objects,
            next_page_token,
            ..Default::default()
        }))
    }
    async fn list_object_keys(
        &self,
        request: Request<ListObjectKeysRequest>,
    ) -> Result<Response<ListObjectKeysResponse>, Status> {
        let request = request.into_inner();
        let all = matching(request.informer.as_ref(), request.filter)?;
        let keys = all
            .into_iter()
            .filter_map(|o| o.r#ref)
            .map(|r| ObjectKey {
                namespace: r.namespace,
                name: r.name,
            })
            .collect();
        let (keys, next_page_token) = self.page(keys, &request.page_token)?;
        Ok(Response::new(ListObjectKeysResponse {
            keys,
            next_page_token,
            ..Default::default()
        }))
    }
    type StreamObjectsStream = BoxStream<'static, Result<StreamObjectsResponse, Status>>;
    async fn stream_objects(
        &self,
        _: Request<StreamObjectsRequest>,
    ) -> Result<Response<Self::StreamObjectsStream>, Status> {
        none()
    }
    async fn list_index_values(
        &self,
        _: Request<ListIndexValuesRequest>,
    ) -> Result<Response<ListIndexValuesResponse>, Status> {
        none()
    }
    async fn count_objects(
        &self,
        request: Request<CountObjectsRequest>,
    ) -> Result<Response<CountObjectsResponse>, Status> {
        let resource = resource(request.get_ref().informer.as_ref())?;
        Ok(Response::new(CountObjectsResponse {
            status: status(resource),
            ..Default::default()
        }))
    }
    async fn wait_for_resource_version(
        &self,
        _: Request<WaitForResourceVersionRequest>,
    ) -> Result<Response<WaitForResourceVersionResponse>, Status> {
        none()
    }
}

#[async_trait]
impl SubscriptionService for Service {
    type WatchStream = BoxStream<'static, Result<WatchResponse, Status>>;
    async fn watch(&self, request: Request<WatchRequest>) -> Result<Response<Self::WatchStream>, Status> {
        let request = request.into_inner();
        resource(request.informer.as_ref())?;
        self.0
            .watches
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(request);
        let messages = self
            .0
            .streams
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop_front();
        let messages = messages.ok_or_else(|| Status::failed_precondition("no more streams in the script"))?;
        let played = stream::iter(messages);
        Ok(Response::new(if self.0.hold {
            played.chain(stream::pending()).boxed()
        } else {
            played.boxed()
        }))
    }
    async fn ack_watch(&self, _: Request<AckWatchRequest>) -> Result<Response<AckWatchResponse>, Status> {
        none()
    }
    async fn list_watches(&self, _: Request<ListWatchesRequest>) -> Result<Response<ListWatchesResponse>, Status> {
        none()
    }
}
