//! InformerService: declares, shows and removes informers.

mod declaration;
mod update;

use std::{sync::Arc, time::Duration};

use declaration::{indexers, spec_pb, spec_request};
use tokio::time::Instant;
use tonic::{Code, Request, Response, Status};

use super::{
    access::{administer, with_status},
    cache::LIMITS,
    convert::{cache_status, duration, duration_pb, state_pb, timestamp, upstream_error},
    error::{ApiError, DOMAIN},
    watch::MAX_WATCHES,
};
use crate::{
    informer::{InformerSpec, ReflectorStatus, SharedInformer, SharedInformerFactory},
    processor::WaitError,
    proto::v1alpha1 as pb,
    upstream::{ListMode, UpstreamState},
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
    "watch.suppress-unchanged",
    "projection.json-pointers",
    "informer.drop-pointers",
    "informer.keep-pointers",
    "read.min-resource-version",
    "read.min-revision",
    "read.snapshot",
    "read.live",
    "read.max-staleness",
    "informer.metadata-only",
    "informer.indexers",
    "informer.update",
    "informer.namespace-selector",
    "informer.waiting",
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
        administer(&request)?;
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
        administer(&request)?;
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

    async fn update_informer(
        &self,
        request: Request<pb::UpdateInformerRequest>,
    ) -> Result<Response<pb::UpdateInformerResponse>, Status> {
        administer(&request)?;
        let (name, update) = update::read(request.into_inner())?;
        let updated = self.factory.update(&name, update).await;
        let informer = updated.map_err(|e| update::refused(&name, e))?;
        Ok(Response::new(pb::UpdateInformerResponse {
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
        reflectors: informer
            .reflectors()
            .into_iter()
            .map(|r| reflector_pb(&spec, r))
            .collect(),
        restart_count: informer.restarts(),
        skipped_count: upstream.skipped,
        kept_whole_count: informer.kept_whole(),
    }
}

fn reflector_pb(spec: &InformerSpec, reflector: ReflectorStatus) -> pb::Reflector {
    let ReflectorStatus {
        namespace,
        status,
        resource_version,
    } = reflector;
    let lists = status.lists_only || spec.list_mode == ListMode::List;
    let watching = status.state == UpstreamState::Watching;
    pb::Reflector {
        namespace,
        state: state_pb(status.state).into(),
        last_error: status.last_error.filter(|_| !watching).map(|e| upstream_error(&e)),
        resource_version: resource_version.to_string(),
        list_mode: if lists {
            pb::ListMode::List.into()
        } else {
            pb::ListMode::WatchList.into()
        },
    }
}

#[cfg(test)]
mod tests;
