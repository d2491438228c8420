//! Finds resources by the names that kubectl accepts.
//!
//! What the API server serves is kept and asked for again when a name is not in it, so that a new CRD is found at once; at
//! most once a second, whoever asks for whatever.

mod catalog;
mod fetch;

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use arc_swap::ArcSwapOption;
use kube::Client;
use tokio::{sync::Mutex, time::Instant};

use self::catalog::{Catalog, Found};
use crate::upstream::{ResolveError, Resource, ResourceQuery, UpstreamError};

/// The API server's resources.
pub struct Discovery {
    client: Client,
    known: ArcSwapOption<Known>,
    refresh: Mutex<Option<Refresh>>,
    /// Refreshes begun so far.
    begun: AtomicU64,
}

struct Known {
    catalog: Catalog,
    at: Instant,
}

/// The last time that the API server was asked.
struct Refresh {
    at: Instant,
    error: Option<UpstreamError>,
}

/// Shortest time between two refreshes.
const PAUSE: Duration = Duration::from_secs(1);
/// A name that is known is believed for so long; kubectl believes its cache for as long or longer.
const MAX_AGE: Duration = Duration::from_secs(300);

// === impl Discovery ===

impl Discovery {
    /// Discovery over `client`. Asks nothing yet.
    pub fn new(client: Client) -> Self {
        Self {
            client,
            known: ArcSwapOption::empty(),
            refresh: Mutex::new(None),
            begun: AtomicU64::new(0),
        }
    }

    /// Finds a resource as kubectl would, if it can be listed and watched.
    pub async fn resolve(&self, query: &ResourceQuery) -> Result<Resource, ResolveError> {
        if let Some(resource) = self.fresh(query) {
            return Ok(resource);
        }
        let error = self.refresh(|| self.fresh(query).is_some()).await;
        self.answer(query, error)
    }

    /// As [`Self::resolve`], from what the API server said not longer than `max_age` ago.
    pub async fn resolve_anew(&self, query: &ResourceQuery, max_age: Duration) -> Result<Resource, ResolveError> {
        let young = || self.known.load().as_ref().is_some_and(|k| k.at.elapsed() < max_age);
        let error = if young() { None } else { self.refresh(young).await };
        match error {
            // Here what it said before is no answer: the question is what has changed.
            Some(error) => Err(ResolveError::Unavailable(error)),
            None => self.answer(query, None),
        }
    }

    /// What is known now, after an attempt that ended with `error`.
    fn answer(&self, query: &ResourceQuery, error: Option<UpstreamError>) -> Result<Resource, ResolveError> {
        let known = self.known.load_full();
        // If the API server does not answer, what it said before is still the best guess.
        let found = known.as_ref().map_or(Found::No, |k| k.catalog.find(query));
        match (found, error) {
            (Found::Yes(resource), _) => Ok(resource.clone()),
            (Found::NotWatchable { resource, missing }, _) => Err(ResolveError::NotWatchable {
                resource: resource.to_string(),
                missing,
            }),
            (Found::No | Found::OtherVersions { .. }, Some(error)) | (Found::Unknown(error), _) => {
                Err(ResolveError::Unavailable(error))
            }
            (
                Found::OtherVersions {
                    resource,
                    version,
                    served,
                },
                None,
            ) => Err(ResolveError::VersionNotServed {
                resource,
                version,
                served,
            }),
            (Found::No, None) => Err(ResolveError::NotFound(query.to_string())),
        }
    }

    /// What is known of a name, if that is not too old to be believed.
    fn fresh(&self, query: &ResourceQuery) -> Option<Resource> {
        let known = self.known.load();
        let known = known.as_ref().filter(|k| k.at.elapsed() < MAX_AGE)?;
        match known.catalog.find(query) {
            Found::Yes(resource) => Some(resource.clone()),
            _ => None,
        }
    }

    /// Asks the API server, unless someone else began to do so since we were called (then theirs is new enough), or an
    /// earlier one was enough while we waited. Returns the error of that attempt.
    async fn refresh(&self, enough: impl Fn() -> bool) -> Option<UpstreamError> {
        let called = self.begun.load(Ordering::Acquire);
        let mut last = self.refresh.lock().await;
        if enough() {
            return None;
        }
        if let Some(last) = &*last {
            if self.begun.load(Ordering::Acquire) > called {
                return last.error.clone();
            }
            tokio::time::sleep_until(last.at + PAUSE).await;
        }
        self.begun.fetch_add(1, Ordering::AcqRel);
        let error = match fetch::catalog(&self.client).await {
            Ok(catalog) => {
                let at = Instant::now();
                self.known.store(Some(Arc::new(Known { catalog, at })));
                None
            }
            Err(error) => Some(error),
        };
        *last = Some(Refresh {
            at: Instant::now(),
            error: error.clone(),
        });
        error
    }
}

impl fmt::Debug for Discovery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Discovery").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
