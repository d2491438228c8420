//! Shares informers among all who ask for the same.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use parking_lot::RwLock;
use tokio::sync::watch;

use super::{
    InformerSpec, SharedInformer, SpecError, SpecRequest, keeper::Surroundings, namespaces::Namespaces, rounds::Rounds,
};
use crate::{
    clock::Clock,
    store::{IndexError, QuerySpec},
    upstream::{ResolveError, Resource, ResourceQuery, Upstream},
};

/// How a factory creates informers.
#[derive(Clone, Debug)]
pub struct FactoryOptions {
    /// Namespaces of informers that requests create by naming a resource; empty = all.
    pub namespaces: Vec<String>,
    /// Label selector of their namespaces; excludes `namespaces`.
    pub namespace_selector: String,
    /// Label selector of those.
    pub label_selector: String,
    /// Requests that name a resource without an informer create one.
    pub create_on_demand: bool,
    /// Most informers.
    pub max_informers: usize,
    /// Bound of each informer's DeltaFifo.
    pub fifo_bytes: usize,
    /// Template for informers created on demand (history, resync).
    pub template: SpecRequest,
}

/// All informers of the process.
pub struct SharedInformerFactory {
    around: Surroundings,
    options: FactoryOptions,
    /// Random per process.
    epoch: String,
    incarnations: AtomicU64,
    informers: RwLock<BTreeMap<String, Arc<SharedInformer>>>,
    /// Resources asked for at the start that are not resolved yet, with the problem.
    expected: watch::Sender<BTreeMap<String, String>>,
}

/// An informer cannot be had.
#[derive(Clone, Debug, thiserror::Error)]
pub enum FactoryError {
    /// The resource cannot be resolved.
    #[error(transparent)]
    Resolve(#[from] ResolveError),
    /// The declaration is wrong.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// Its indexes are wrong.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// No informer of that name.
    #[error("there is no informer {0:?}")]
    NotFound(String),
    /// No informer covers the request and the server does not create any.
    #[error(
        "no informer covers {0} and this server creates none on demand; declare one with --resource or CreateInformer"
    )]
    NoneCovers(String),
    /// The id belongs to an informer with another spec.
    #[error("{name} exists with another spec")]
    Conflict {
        /// The informer.
        name: String,
    },
    /// The id cannot be used.
    #[error("informer_id {0:?}: use 1-63 characters of a-z, 0-9, '-' and '.', starting with a letter")]
    InvalidId(String),
    /// Listeners are open.
    #[error("{name} has {listeners} open watches; end them or delete with force")]
    InUse {
        /// The informer.
        name: String,
        /// Open listeners.
        listeners: u32,
    },
    /// Too many informers.
    #[error("this server holds its limit of {0} informers; delete one first")]
    TooMany(usize),
    /// The filter asks for a namespace that the informer does not cache.
    #[error("{informer} caches only the namespaces {cached}; {namespace:?} is not among them")]
    NamespaceNotCached {
        /// The informer.
        informer: String,
        /// The namespace asked for.
        namespace: String,
        /// Those cached.
        cached: String,
    },
    /// The filter asks for a namespace that the API server has never let the informer read.
    #[error("{informer} cannot read the namespace {namespace:?}: {problem}")]
    NamespaceRefused {
        /// The informer.
        informer: String,
        /// The namespace asked for.
        namespace: String,
        /// What the API server said.
        problem: String,
    },
}

// === impl SharedInformerFactory ===

impl SharedInformerFactory {
    /// A factory; `epoch` must be random per process.
    pub fn new(upstream: Arc<dyn Upstream>, options: FactoryOptions, clock: Clock, epoch: String) -> Arc<Self> {
        let mut around = Surroundings {
            upstream,
            clock,
            fifo_bytes: options.fifo_bytes,
            rounds: Arc::new(Rounds::new(&epoch)),
            namespaces: None,
        };
        around.namespaces = Some(Namespaces::new(around.clone()));
        Arc::new(Self {
            around,
            options,
            epoch,
            incarnations: AtomicU64::new(0),
            informers: RwLock::default(),
            expected: watch::Sender::default(),
        })
    }

    /// Random per process.
    pub fn epoch(&self) -> &str {
        &self.epoch
    }

    /// The API server, for reads that go past the cache.
    pub fn upstream(&self) -> &dyn Upstream {
        &*self.around.upstream
    }

    /// How it creates informers.
    pub fn options(&self) -> &FactoryOptions {
        &self.options
    }

    pub(super) fn informers(&self) -> &RwLock<BTreeMap<String, Arc<SharedInformer>>> {
        &self.informers
    }

    /// Finds the resource that a user names. One that the API server does not serve, but an informer has or waits for, can
    /// still be named.
    pub async fn resolve(&self, query: &ResourceQuery) -> Result<Resource, FactoryError> {
        match self.around.upstream.resolve(query).await {
            Ok(resource) => {
                // Who waits for it must know before somebody makes another informer of it.
                self.list().iter().for_each(|i| i.found(&resource));
                Ok(resource)
            }
            Err(error @ ResolveError::NotWatchable { .. }) => Err(error.into()),
            Err(error) => self.resolve_among_cached(query).ok_or(error.into()),
        }
    }

    fn resolve_among_cached(&self, query: &ResourceQuery) -> Option<Resource> {
        let wanted = query.to_string().to_lowercase();
        self.informers.read().values().map(|i| i.spec().resource).find(|r| {
            let kind = r.kind.to_lowercase();
            [r.plural.clone(), kind, r.name(), r.to_string()].contains(&wanted)
        })
    }

    /// As [`Self::resolve`]; a resource that is not served yet is waited for if it is named with its group (field case 28).
    async fn resolve_or_wait(&self, query: &ResourceQuery) -> Result<Resource, FactoryError> {
        match self.resolve(query).await {
            Err(FactoryError::Resolve(error @ (ResolveError::NotFound(_) | ResolveError::VersionNotServed { .. }))) => {
                query.provisional().ok_or(error.into())
            }
            resolved => resolved,
        }
    }

    /// Declares an informer. The same spec gives the same informer.
    pub async fn create(&self, id: Option<&str>, request: SpecRequest) -> Result<Arc<SharedInformer>, FactoryError> {
        if let Some(id) = id.filter(|id| !is_id(id)) {
            return Err(FactoryError::InvalidId(id.to_owned()));
        }
        let resource = self.resolve_or_wait(&request.resource).await?;
        self.insert(id, InformerSpec::new(request, resource)?)
    }

    fn insert(&self, id: Option<&str>, spec: InformerSpec) -> Result<Arc<SharedInformer>, FactoryError> {
        let mut informers = self.informers.write();
        let identity = spec.identity();
        if let Some(existing) = id.and_then(|id| informers.get(id)) {
            if existing.spec().identity() == identity {
                return Ok(existing.clone());
            }
            return Err(FactoryError::Conflict {
                name: existing.name().to_owned(),
            });
        }
        if let Some(existing) = informers.values().find(|i| i.spec().identity() == identity) {
            return Ok(existing.clone());
        }
        if informers.len() >= self.options.max_informers {
            return Err(FactoryError::TooMany(self.options.max_informers));
        }
        let id = match id.map_or_else(|| spec.default_id(), str::to_owned) {
            // Another version of the resource has it, or somebody chose it for another spec.
            taken if id.is_none() && informers.contains_key(&taken) => spec.distinct_id(),
            free => free,
        };
        if informers.contains_key(&id) {
            return Err(FactoryError::Conflict {
                name: format!("informers/{id}"),
            });
        }
        let incarnation = self.incarnations.fetch_add(1, Ordering::Relaxed);
        let informer = SharedInformer::new(&id, format!("{}-{incarnation}", self.epoch), spec, self.around.clone())?;
        tracing::info!(informer = informer.name(), "informer created");
        informers.insert(id, informer.clone());
        Ok(informer)
    }

    /// The informer from which a request for a resource is served: the narrowest that covers the filter, or a new one with
    /// the default scope.
    pub async fn for_resource(
        &self,
        query: &ResourceQuery,
        filter: &QuerySpec,
    ) -> Result<Arc<SharedInformer>, FactoryError> {
        let resource = self.resolve(query).await?;
        self.serve(query, resource, filter)
    }

    /// As [`Self::for_resource`], for those who can wait for a resource that does not exist yet: it must be named with group and
    /// version, which nobody does by a slip.
    pub async fn for_watch(
        &self,
        query: &ResourceQuery,
        filter: &QuerySpec,
    ) -> Result<Arc<SharedInformer>, FactoryError> {
        let resource = match query.provisional() {
            Some(full) if !full.version.is_empty() => self.resolve_or_wait(query).await?,
            _ => self.resolve(query).await?,
        };
        self.serve(query, resource, filter)
    }

    fn serve(
        &self,
        query: &ResourceQuery,
        resource: Resource,
        filter: &QuerySpec,
    ) -> Result<Arc<SharedInformer>, FactoryError> {
        let filter = scoped(filter, &resource);
        if let Some(found) = self.covering(&resource, &filter) {
            return Ok(found);
        }
        let spec = self.default_spec(query, resource.clone())?;
        let identity = spec.identity();
        let existing = self.list().into_iter().find(|i| i.spec().identity() == identity);
        let informer = match existing {
            Some(existing) => existing,
            None if self.options.create_on_demand => self.insert(None, spec)?,
            None => return Err(FactoryError::NoneCovers(resource.to_string())),
        };
        Self::check_namespaces(&informer, &filter)?;
        Ok(informer)
    }

    /// The informer of a resource in the default scope.
    pub async fn for_scope(&self, query: &ResourceQuery) -> Result<Arc<SharedInformer>, FactoryError> {
        let resource = self.resolve_or_wait(query).await?;
        self.insert(None, self.default_spec(query, resource)?)
    }

    /// An informer was asked for at the start and cannot be created yet.
    pub fn expect(&self, resource: &str) {
        self.still_waiting(resource, "not tried yet");
    }

    /// Why an expected informer cannot be created yet.
    pub fn still_waiting(&self, resource: &str, problem: &str) {
        self.expected.send_modify(|expected| {
            expected.insert(resource.to_owned(), problem.to_owned());
        });
    }

    /// An expected informer was created.
    pub fn arrived(&self, resource: &str) {
        self.expected.send_modify(|expected| {
            expected.remove(resource);
        });
    }

    /// Resources whose informer cannot be created yet, and why. The server is not ready while there are any.
    pub fn expected(&self) -> BTreeMap<String, String> {
        self.expected.borrow().clone()
    }

    /// Waits until none is expected any more.
    pub async fn all_arrived(&self) {
        // Fails only when the sender is gone, and that is ours.
        let _ = self.expected.subscribe().wait_for(BTreeMap::is_empty).await;
    }

    fn default_spec(&self, query: &ResourceQuery, resource: Resource) -> Result<InformerSpec, SpecError> {
        let mut request = SpecRequest {
            resource: query.clone(),
            namespaces: self.options.namespaces.clone(),
            namespace_selector: self.options.namespace_selector.clone(),
            default_scope: true,
            label_selector: self.options.label_selector.clone(),
            ..self.options.template.clone()
        };
        if !resource.namespaced {
            request.namespaces.clear();
            request.namespace_selector.clear();
        }
        InformerSpec::new(request, resource)
    }

    fn covering(&self, resource: &Resource, filter: &QuerySpec) -> Option<Arc<SharedInformer>> {
        let covering = self
            .list()
            .into_iter()
            .filter(|i| {
                let spec = i.spec();
                spec.resource == *resource && spec.covers(filter)
            })
            .collect::<Vec<_>>();
        // Fewest namespaces first ("all" is the most), then any selector before none.
        covering.into_iter().min_by_key(|i| {
            let spec = i.spec();
            let namespaces = if spec.namespaces.is_empty() {
                usize::MAX
            } else {
                spec.namespaces.len()
            };
            (
                namespaces,
                spec.label_selector.is_empty(),
                spec.field_selector.is_empty(),
            )
        })
    }

    /// Refuses a filter for namespaces that the informer does not cache: an empty answer would be a lie.
    pub fn check_namespaces(informer: &SharedInformer, filter: &QuerySpec) -> Result<(), FactoryError> {
        let Some(cached) = informer.namespaces() else {
            return Ok(());
        };
        if let Some(outside) = filter.namespaces.iter().find(|n| !cached.contains(*n)) {
            return Err(FactoryError::NamespaceNotCached {
                informer: informer.name().to_owned(),
                namespace: outside.clone(),
                cached: cached.into_iter().collect::<Vec<_>>().join(", "),
            });
        }
        let refused = informer.reflectors().into_iter().find(|r| {
            filter.namespaces.contains(&r.namespace) && r.status.is_denied() && r.resource_version.is_empty()
        });
        match refused {
            Some(reflector) => Err(FactoryError::NamespaceRefused {
                informer: informer.name().to_owned(),
                namespace: reflector.namespace,
                problem: reflector.status.last_error.map(|e| e.to_string()).unwrap_or_default(),
            }),
            None => Ok(()),
        }
    }

    /// The informer of this name, "informers/{id}".
    pub fn get(&self, name: &str) -> Result<Arc<SharedInformer>, FactoryError> {
        let id = name.strip_prefix("informers/").unwrap_or(name);
        let found = self.informers.read().get(id).cloned();
        found.ok_or_else(|| FactoryError::NotFound(name.to_owned()))
    }

    /// All informers, by name.
    pub fn list(&self) -> Vec<Arc<SharedInformer>> {
        self.informers.read().values().cloned().collect()
    }

    /// Stops and forgets an informer.
    pub fn delete(&self, name: &str, force: bool) -> Result<(), FactoryError> {
        let informer = self.get(name)?;
        let listeners = informer.processor().listeners();
        if listeners > 0 && !force {
            return Err(FactoryError::InUse {
                name: informer.name().to_owned(),
                listeners,
            });
        }
        let id = informer.name().trim_start_matches("informers/").to_owned();
        self.informers.write().remove(&id);
        informer.stop();
        tracing::info!(informer = informer.name(), "informer deleted");
        Ok(())
    }
}

/// A filter as it applies to a resource: namespaces mean nothing for a cluster-scoped one (row K7).
pub fn scoped(filter: &QuerySpec, resource: &Resource) -> QuerySpec {
    let mut filter = filter.clone();
    if !resource.namespaced {
        filter.namespaces.clear();
    }
    filter
}

impl Default for FactoryOptions {
    fn default() -> Self {
        Self {
            namespaces: Vec::new(),
            namespace_selector: String::new(),
            label_selector: String::new(),
            create_on_demand: true,
            max_informers: 256,
            fifo_bytes: 32 << 20,
            template: SpecRequest::default(),
        }
    }
}

/// True for what can name an informer or a queue.
pub fn is_id(id: &str) -> bool {
    (1..=63).contains(&id.len())
        && id.starts_with(|c: char| c.is_ascii_lowercase())
        && id
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'-' | b'.'))
}
