//! InformerService: declares, shows and removes informers.

use std::{sync::Arc, time::Duration};

use tokio::time::Instant;
use tonic::{Code, Request, Response, Status};

use super::{
    access::with_status,
    cache::LIMITS,
    convert::{cache_status, duration, duration_pb, resource_query, timestamp, unknown_enum},
    error::{ApiError, DOMAIN},
    watch::MAX_WATCHES,
};
use crate::{
    informer::{InformerSpec, SharedInformer, SharedInformerFactory, SpecRequest, StartPolicy},
    object::{Pointer, Transform},
    processor::{HistoryLimits, WaitError},
    proto::v1alpha1 as pb,
    store::IndexSpec,
    upstream::ListMode,
};

/// Optional features of this server, as GetServerInfo lists them.
const FEATURES: &[&str] = &[
    "watch.resume",
    "watch.resume-diff",
    "watch.resync",
    "watch.event-types",
    "watch.flow-control",
    "watch.coalesce",
    "watch.overflow-fail",
    "read.min-resource-version",
    "read.min-revision",
    "read.snapshot",
    "informer.metadata-only",
    "informer.indexers",
    "queue.sources",
    "queue.sessions",
    "queue.stale-gate",
];

const DEFAULT_SYNC_TIMEOUT: Duration = Duration::from_secs(30);
const MAX_SYNC_TIMEOUT: Duration = Duration::from_secs(600);

/// The service.
pub(crate) struct InformerApi {
    factory: Arc<SharedInformerFactory>,
}

// === impl InformerApi ===

impl InformerApi {
    pub(crate) fn new(factory: Arc<SharedInformerFactory>) -> Self {
        Self { factory }
    }

    /// The informer that a field of a request names.
    fn get(&self, field: &str, name: &str) -> Result<Arc<SharedInformer>, ApiError> {
        self.factory.get(name).map_err(|e| ApiError::from(e).field(field))
    }

    async fn wait_for_sync(&self, request: pb::WaitForCacheSyncRequest) -> Result<Vec<pb::CacheStatus>, ApiError> {
        let timeout = duration("timeout", request.timeout)?
            .unwrap_or(DEFAULT_SYNC_TIMEOUT)
            .min(MAX_SYNC_TIMEOUT);
        let deadline = Instant::now() + timeout;
        let informers = if request.names.is_empty() {
            // What was asked for at the start counts before it exists.
            let _ = tokio::time::timeout_at(deadline, self.factory.all_arrived()).await;
            self.factory.list()
        } else {
            let found: Result<Vec<_>, _> = request.names.iter().map(|n| self.get("names", n)).collect();
            found?
        };
        let mut statuses = Vec::new();
        let mut laggards = Vec::new();
        // Who does not wait only looks: that starts nothing.
        for informer in informers.iter().filter(|_| !timeout.is_zero()) {
            informer.ensure_started();
        }
        for informer in &informers {
            let waited = informer
                .processor()
                .wait_for(deadline, |p| p.snapshot.position().synced)
                .await;
            match waited {
                Ok(published) => statuses.push(cache_status(informer, &published)),
                Err(WaitError::TimedOut(last)) => laggards.push(cache_status(informer, &last)),
                Err(WaitError::Closed) => return Err(crate::processor::Closed.into()),
            }
        }
        if request.names.is_empty()
            && let Some((resource, problem)) = self.factory.expected().into_iter().next()
        {
            return Err(ApiError::new(
                Code::DeadlineExceeded,
                "CACHE_NOT_SYNCED",
                format!("the informer of {resource:?} cannot be created yet: {problem}"),
            )
            .remedy("call again to wait longer; the server keeps trying"));
        }
        let Some(first) = laggards.first() else {
            return Ok(statuses);
        };
        let names: Vec<_> = laggards
            .iter()
            .map(|s| match &s.last_error {
                Some(e) => format!("{} ({}: {})", s.informer, e.reason, e.message),
                None => s.informer.clone(),
            })
            .collect();
        let error = ApiError::new(
            Code::DeadlineExceeded,
            "CACHE_NOT_SYNCED",
            format!("not synced in time: {}", names.join(", ")),
        );
        Err(with_status(error, first).remedy("call again to wait longer; GetInformer shows what the reflector does"))
    }
}

#[tonic::async_trait]
impl pb::informer_service_server::InformerService for InformerApi {
    async fn get_server_info(
        &self,
        _: Request<pb::GetServerInfoRequest>,
    ) -> Result<Response<pb::GetServerInfoResponse>, Status> {
        let options = self.factory.options();
        Ok(Response::new(pb::GetServerInfoResponse {
            epoch: self.factory.epoch().to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            api_versions: vec![DOMAIN.to_owned()],
            features: FEATURES.iter().map(|f| (*f).to_owned()).collect(),
            limits: Some(pb::ServerLimits {
                max_watches: MAX_WATCHES as u32,
                max_informers: options.max_informers as u32,
                max_page_size: LIMITS.page_size as u32,
                max_page_bytes: LIMITS.page_bytes as u64,
                max_batch_keys: LIMITS.batch_keys as u32,
                max_pinned_snapshots: LIMITS.pins as u32,
                pinned_snapshot_ttl: Some(duration_pb(LIMITS.pin_ttl)),
            }),
            creates_informers: options.create_on_demand,
            default_namespaces: options.namespaces.clone(),
            default_label_selector: options.label_selector.clone(),
        }))
    }

    async fn create_informer(
        &self,
        request: Request<pb::CreateInformerRequest>,
    ) -> Result<Response<pb::CreateInformerResponse>, Status> {
        let request = request.into_inner();
        let spec = spec_request(request.spec.unwrap_or_default())?;
        let id = (!request.informer_id.is_empty()).then_some(request.informer_id.as_str());
        let indexers = spec.indexers.clone();
        let informer = self.factory.create(id, spec).await.map_err(ApiError::from)?;
        // Who comes second shares what is cached, and has its own indexes all the same. A new informer has them already.
        if !indexers.is_empty() {
            informer.add_indexers(indexers).await.map_err(ApiError::from)?;
        }
        Ok(Response::new(pb::CreateInformerResponse {
            informer: Some(informer_pb(&informer)),
        }))
    }

    async fn get_informer(
        &self,
        request: Request<pb::GetInformerRequest>,
    ) -> Result<Response<pb::GetInformerResponse>, Status> {
        let informer = self.get("name", &request.get_ref().name)?;
        Ok(Response::new(pb::GetInformerResponse {
            informer: Some(informer_pb(&informer)),
        }))
    }

    async fn list_informers(
        &self,
        request: Request<pb::ListInformersRequest>,
    ) -> Result<Response<pb::ListInformersResponse>, Status> {
        let request = request.into_inner();
        // The last name of the page before is the token: it stays valid whatever happens in between.
        let after = request.page_token;
        let size = usize::try_from(request.page_size)
            .map_err(|_| ApiError::invalid("page_size", "INVALID_FIELD", "page_size must not be negative"))?;
        let mut informers: Vec<_> = self
            .factory
            .list()
            .iter()
            .filter(|i| i.name() > after.as_str())
            .map(|i| informer_pb(i))
            .collect();
        let more = size > 0 && informers.len() > size;
        if more {
            informers.truncate(size);
        }
        let last = informers.last().map(|i| i.name.clone()).unwrap_or_default();
        Ok(Response::new(pb::ListInformersResponse {
            informers,
            next_page_token: if more { last } else { String::new() },
        }))
    }

    async fn delete_informer(
        &self,
        request: Request<pb::DeleteInformerRequest>,
    ) -> Result<Response<pb::DeleteInformerResponse>, Status> {
        let request = request.into_inner();
        self.factory
            .delete(&request.name, request.force)
            .map_err(|e| ApiError::from(e).field("name"))?;
        Ok(Response::new(pb::DeleteInformerResponse {}))
    }

    async fn add_indexers(
        &self,
        request: Request<pb::AddIndexersRequest>,
    ) -> Result<Response<pb::AddIndexersResponse>, Status> {
        let request = request.into_inner();
        let informer = self.get("name", &request.name)?;
        let specs = indexers("indexers", request.indexers)?;
        let added = informer.add_indexers(specs).await;
        added.map_err(|e| ApiError::from(e).field("indexers"))?;
        Ok(Response::new(pb::AddIndexersResponse {
            informer: Some(informer_pb(&informer)),
        }))
    }

    async fn remove_indexers(
        &self,
        request: Request<pb::RemoveIndexersRequest>,
    ) -> Result<Response<pb::RemoveIndexersResponse>, Status> {
        let request = request.into_inner();
        let informer = self.get("name", &request.name)?;
        informer
            .remove_indexers(request.index_names)
            .await
            .map_err(|e| ApiError::from(e).field("index_names"))?;
        Ok(Response::new(pb::RemoveIndexersResponse {
            informer: Some(informer_pb(&informer)),
        }))
    }

    async fn wait_for_cache_sync(
        &self,
        request: Request<pb::WaitForCacheSyncRequest>,
    ) -> Result<Response<pb::WaitForCacheSyncResponse>, Status> {
        let statuses = self.wait_for_sync(request.into_inner()).await?;
        Ok(Response::new(pb::WaitForCacheSyncResponse { statuses }))
    }
}

/// Reads a declaration.
fn spec_request(spec: pb::InformerSpec) -> Result<SpecRequest, ApiError> {
    let resource = resource_query(spec.resource.unwrap_or_default()).map_err(|e| e.field("spec.resource.resource"))?;
    let metadata_only = match pb::View::try_from(spec.store_view) {
        Ok(pb::View::Unspecified | pb::View::Full) => false,
        Ok(pb::View::Metadata) => true,
        _ => return Err(unknown_enum("spec.store_view", spec.store_view)),
    };
    let transform = match (spec.keep_all, spec.drop_pointers.as_slice()) {
        (true, []) => Transform::NONE,
        (true, _) => {
            return Err(ApiError::invalid(
                "spec.drop_pointers",
                "INVALID_FIELD",
                "spec.keep_all excludes spec.drop_pointers",
            ));
        }
        (false, []) => Transform::default(),
        (false, pointers) => Transform::from_pointers(pointers.iter().map(String::as_str)).map_err(|pointer| {
            ApiError::invalid(
                "spec.drop_pointers",
                "INVALID_POINTER",
                format!("{pointer:?} cannot be dropped by this server"),
            )
            .remedy(format!("use some of {}", Transform::default().pointers().join(", ")))
        })?,
    };
    let list_mode = match pb::ListMode::try_from(spec.list_mode) {
        Ok(pb::ListMode::Unspecified | pb::ListMode::Auto) => ListMode::Auto,
        Ok(pb::ListMode::WatchList) => ListMode::WatchList,
        Ok(pb::ListMode::List) => ListMode::List,
        Err(_) => return Err(unknown_enum("spec.list_mode", spec.list_mode)),
    };
    let start = match pb::StartPolicy::try_from(spec.start) {
        Ok(pb::StartPolicy::Unspecified | pb::StartPolicy::Eager) => StartPolicy::Eager,
        Ok(pb::StartPolicy::OnFirstUse) => StartPolicy::OnFirstUse,
        Err(_) => return Err(unknown_enum("spec.start", spec.start)),
    };
    let mut history = HistoryLimits::default();
    if let Some(limits) = spec.history {
        if limits.max_revisions > 0 {
            history.max_revisions = limits.max_revisions as usize;
        }
        if limits.max_bytes > 0 {
            history.max_bytes = usize::try_from(limits.max_bytes).unwrap_or(usize::MAX);
        }
        if let Some(age) = duration("spec.history.max_age", limits.max_age)?.filter(|a| !a.is_zero()) {
            history.max_age = age;
        }
    }
    Ok(SpecRequest {
        resource,
        namespaces: spec.namespaces,
        label_selector: spec.label_selector,
        field_selector: spec.field_selector,
        metadata_only,
        transform,
        list_mode,
        history,
        indexers: indexers("spec.indexers", spec.indexers)?,
        start,
        resync: duration("spec.resync_default", spec.resync_default)?,
    })
}

fn indexers(field: &str, indexers: Vec<pb::Indexer>) -> Result<Vec<IndexSpec>, ApiError> {
    indexers
        .into_iter()
        .map(|indexer| {
            let pointer = Pointer::parse(&indexer.json_pointer)
                .map_err(|e| ApiError::invalid(format!("{field}.json_pointer"), "INVALID_POINTER", e.to_string()))?;
            let spec = IndexSpec::new(&indexer.name, pointer);
            spec.map_err(|e| ApiError::from(e).field(format!("{field}.name")))
        })
        .collect()
}

fn spec_pb(spec: &InformerSpec) -> pb::InformerSpec {
    pb::InformerSpec {
        resource: Some(pb::ResourceRef {
            group: spec.resource.group.clone(),
            version: spec.resource.version.clone(),
            resource: spec.resource.plural.clone(),
        }),
        namespaces: spec.namespaces.iter().cloned().collect(),
        label_selector: spec.label_selector.clone(),
        field_selector: spec.field_selector.clone(),
        store_view: if spec.metadata_only {
            pb::View::Metadata.into()
        } else {
            pb::View::Full.into()
        },
        drop_pointers: spec.transform.pointers().into_iter().map(str::to_owned).collect(),
        keep_all: spec.transform == Transform::NONE,
        list_mode: match spec.list_mode {
            ListMode::Auto => pb::ListMode::Auto.into(),
            ListMode::WatchList => pb::ListMode::WatchList.into(),
            ListMode::List => pb::ListMode::List.into(),
        },
        history: Some(pb::HistoryLimits {
            max_revisions: u32::try_from(spec.history.max_revisions).unwrap_or(u32::MAX),
            max_bytes: spec.history.max_bytes as u64,
            max_age: Some(duration_pb(spec.history.max_age)),
        }),
        indexers: spec
            .indexers
            .iter()
            .map(|i| pb::Indexer {
                name: i.name.to_string(),
                json_pointer: i.pointer.to_string(),
            })
            .collect(),
        start: match spec.start {
            StartPolicy::Eager => pb::StartPolicy::Eager.into(),
            StartPolicy::OnFirstUse => pb::StartPolicy::OnFirstUse.into(),
        },
        resync_default: spec.resync.map(duration_pb),
    }
}

fn informer_pb(informer: &SharedInformer) -> pb::Informer {
    let published = informer.processor().load();
    let upstream = informer.upstream();
    let spec = informer.spec();
    let revision = published.snapshot.position().revision;
    pb::Informer {
        name: informer.name().to_owned(),
        kind: spec.resource.kind.clone(),
        namespaced: spec.resource.namespaced,
        spec: Some(spec_pb(&spec)),
        status: Some(cache_status(informer, &published)),
        object_count: published.snapshot.len() as u64,
        object_bytes: published.snapshot.bytes(),
        watch_count: informer.processor().listeners(),
        oldest_revision: published.history.floor(revision),
        create_time: Some(timestamp(informer.created())),
        list_count: upstream.lists,
        upstream_watch_count: upstream.watches,
    }
}

#[cfg(test)]
mod tests;
