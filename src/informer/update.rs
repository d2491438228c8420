//! Changes of a running declaration: what it covers, and how stale it may be.

use std::{sync::Arc, time::Duration};

use super::{
    FactoryError, SharedInformer, SharedInformerFactory,
    spec::{Scope, staleness},
};
use crate::processor::Closed;

/// What is to change; `None` stays as it is.
#[derive(Clone, Debug, Default)]
pub struct SpecUpdate {
    /// Namespaces; empty = all.
    pub namespaces: Option<Vec<String>>,
    /// Label selector of namespaces; empty = none.
    pub namespace_selector: Option<String>,
    /// Limit of staleness; zero = none.
    pub max_staleness: Option<Duration>,
}

// === impl SharedInformerFactory ===

impl SharedInformerFactory {
    /// Changes a running informer. When it returns, what has left is gone and reflectors for what enters have started. All is
    /// checked before anything changes.
    pub async fn update(&self, name: &str, update: SpecUpdate) -> Result<Arc<SharedInformer>, FactoryError> {
        let informer = self.get(name)?;
        let (scope, max_staleness) = {
            // Held, so that no other declaration becomes the same meanwhile.
            let informers = self.informers().write();
            let mut spec = informer.spec();
            let scope = Scope::of(
                update
                    .namespaces
                    .unwrap_or_else(|| spec.namespaces.iter().cloned().collect()),
                &update
                    .namespace_selector
                    .unwrap_or_else(|| spec.namespace_selector.clone()),
            )?;
            scope.fits(&spec.resource)?;
            let max_staleness = match update.max_staleness {
                Some(limit) => staleness(Some(limit))?,
                None => spec.max_staleness,
            };
            spec.namespaces.clone_from(&scope.namespaces);
            spec.namespace_selector.clone_from(&scope.selector);
            let identity = spec.identity();
            let same =
                |other: &&Arc<SharedInformer>| other.name() != informer.name() && other.spec().identity() == identity;
            if let Some(other) = informers.values().find(same) {
                return Err(FactoryError::Conflict {
                    name: other.name().to_owned(),
                });
            }
            informer.declare(scope.clone(), max_staleness);
            (scope, max_staleness)
        };
        tracing::info!(informer = informer.name(), ?scope, ?max_staleness, "informer updated");
        informer
            .carried_out()
            .await
            .map_err(|Closed| FactoryError::NotFound(name.to_owned()))?;
        Ok(informer)
    }
}
