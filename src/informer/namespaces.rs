//! The informer's own view of namespaces: one for all namespace selectors, through the same port as every other, and in no
//! list of informers.

use std::{collections::BTreeSet, sync::Arc};

use parking_lot::Mutex;

use super::{InformerSpec, SharedInformer, SpecRequest, keeper::Surroundings};
use crate::{
    processor::Published,
    store::{Query, QuerySpec},
    upstream::{Resource, ResourceQuery, UpstreamStatus},
};

/// Watches namespaces from the first time that somebody selects some.
#[derive(Debug)]
pub(super) struct Namespaces {
    around: Surroundings,
    informer: Mutex<Option<Arc<SharedInformer>>>,
}

/// The namespaces that a selector selects, as they come and go.
#[derive(Debug)]
pub(super) struct Selected {
    pub(super) selector: String,
    informer: Arc<SharedInformer>,
    query: Query,
}

// === impl Namespaces ===

impl Namespaces {
    pub(super) fn new(around: Surroundings) -> Arc<Self> {
        Arc::new(Self {
            around,
            informer: Mutex::default(),
        })
    }

    /// `None` if the selector is none, or there can be no informer of namespaces; both were checked when it was declared.
    pub(super) fn select(&self, selector: &str) -> Option<Selected> {
        let informer = self.informer()?;
        let spec = QuerySpec {
            label_selector: selector.to_owned(),
            ..QuerySpec::default()
        };
        let query = Query::compile(&spec, informer.processor().load().snapshot.indexes()).ok()?;
        Some(Selected {
            selector: selector.to_owned(),
            informer,
            query,
        })
    }

    fn informer(&self) -> Option<Arc<SharedInformer>> {
        let mut informer = self.informer.lock();
        if informer.is_none() {
            let resource = Resource {
                group: String::new(),
                version: "v1".into(),
                plural: "namespaces".into(),
                kind: "Namespace".into(),
                namespaced: false,
            };
            let request = SpecRequest {
                resource: ResourceQuery::from(&resource),
                metadata_only: true,
                ..SpecRequest::default()
            };
            let spec = InformerSpec::new(request, resource).ok()?;
            *informer = SharedInformer::new(
                "namespaces-of-selectors",
                "namespaces".into(),
                spec,
                self.around.clone(),
            )
            .ok();
        }
        informer.clone()
    }
}

// === impl Selected ===

impl Selected {
    /// The namespaces now; `None` before the first complete list of them.
    pub(super) fn now(&self) -> Option<BTreeSet<String>> {
        let Published { snapshot, .. } = &*self.informer.processor().load();
        snapshot.position().synced.then(|| {
            let selected = snapshot.select(&self.query, None);
            selected.map(|o| o.key.name().to_owned()).collect()
        })
    }

    /// Waits until they are not `known` any more, or the informer of namespaces is in another state than `state`.
    pub(super) async fn changed(&self, known: Option<&BTreeSet<String>>, state: &UpstreamStatus) {
        let far = tokio::time::Instant::now() + std::time::Duration::from_secs(86_400);
        let others = self
            .informer
            .processor()
            .wait_for(far, |_| self.now().as_ref() != known);
        tokio::select! {
            _ = others => {}
            () = self.informer.upstream_reaches(|s| s.state != state.state) => {}
        }
    }

    /// How the watch of namespaces fares.
    pub(super) fn upstream(&self) -> UpstreamStatus {
        self.informer.upstream()
    }
}
