//! From a request to the snapshot that it is served from: the newest that is fresh enough, a pinned one, or that of the
//! page before.

use std::sync::Arc;

use super::{CacheApi, stale::refuse_stale};
use crate::{
    informer::SharedInformer,
    object::ObjectKey,
    proto::v1alpha1 as pb,
    service::{
        access::{Freshness, Wanted, comparable, compile, informer_for, timeout},
        convert::status_at,
        error::ApiError,
        page::{PageToken, SnapshotToken, expired, fingerprint, invalid_token},
    },
    store::{Query, QuerySpec, Snapshot},
};

/// What a request is served from.
pub(super) struct Opened {
    pub(super) informer: Arc<SharedInformer>,
    pub(super) query: Query,
    pub(super) snapshot: Snapshot,
    /// The client wants the snapshot pinned.
    pub(super) pin: bool,
}

/// A request for a page.
pub(super) struct PageRequest {
    /// Name of the call and what else, beside informer and filter, must not change between pages.
    pub(super) call: [String; 2],
    pub(super) informer: Option<pb::InformerSelector>,
    pub(super) filter: Option<pb::Filter>,
    pub(super) read: Option<pb::ReadOptions>,
    pub(super) token: String,
    /// None if the call does not offer it.
    pub(super) allow_unpinned: Option<bool>,
}

/// Where a page starts.
pub(super) struct Page {
    pub(super) opened: Opened,
    /// The token of the page; none for the first.
    pub(super) from: Option<PageToken>,
    fingerprint: u64,
}

const PAGE_TOKEN: &str = "page_token";
const AT_SNAPSHOT: &str = "read.at_snapshot";

// === impl CacheApi ===

impl CacheApi {
    /// Opens the snapshot of a request without pages.
    pub(super) async fn open(
        &self,
        informer: Option<pb::InformerSelector>,
        filter: Option<pb::Filter>,
        read: Option<pb::ReadOptions>,
    ) -> Result<Opened, ApiError> {
        self.pins.sweep();
        let freshness = Freshness::of(read)?;
        let (informer, snapshot, spec) = match &freshness.wanted {
            Wanted::Snapshot(token) => {
                let token = SnapshotToken::open(AT_SNAPSHOT, token)?;
                let (informer, spec) = self.informer_of(&token.informer, informer, filter).await?;
                let snapshot = self.pinned(&informer, &token)?;
                refuse_stale(&informer)?;
                (informer, snapshot, spec)
            }
            Wanted::Live => {
                let (informer, spec) = informer_for(&self.factory, informer, filter).await?;
                let snapshot = self.newest(&informer, &spec, &freshness).await?;
                (informer, snapshot, spec)
            }
            _ => {
                let (informer, spec) = informer_for(&self.factory, informer, filter).await?;
                let snapshot = fresh(&informer, &spec, &freshness).await?;
                (informer, snapshot, spec)
            }
        };
        Ok(Opened {
            // The snapshot's own indexes: one that was removed since still stands in a pinned snapshot.
            query: Query::compile(&spec, snapshot.indexes())?,
            informer,
            snapshot,
            pin: freshness.pin,
        })
    }

    /// Opens the snapshot of a page. A later page comes from the first one's; its read options then mean nothing.
    pub(super) async fn open_page(&self, request: PageRequest) -> Result<Page, ApiError> {
        let PageRequest {
            call, informer, filter, ..
        } = request;
        if request.token.is_empty() {
            let opened = self.open(informer, filter, request.read).await?;
            return Ok(Page {
                fingerprint: print(&call, &opened.informer, &opened.query),
                opened,
                from: None,
            });
        }
        self.pins.sweep();
        let token = PageToken::open(PAGE_TOKEN, &request.token)?;
        let (informer, spec) = self.informer_of(&token.informer, informer, filter).await?;
        let pinned = self.pins.get(&token.epoch, &token.pin);
        let pinned = pinned.filter(|_| token.epoch == informer.epoch());
        let query = match &pinned {
            Some(snapshot) => Query::compile(&spec, snapshot.indexes())?,
            None => compile(&informer, &spec)?,
        };
        let fingerprint = print(&call, &informer, &query);
        if token.fingerprint != fingerprint {
            return Err(invalid_token(
                PAGE_TOKEN,
                "it belongs to a request with another informer, filter or projection",
            ));
        }
        let snapshot = match pinned {
            Some(snapshot) => {
                refuse_stale(&informer)?;
                snapshot
            }
            None => {
                let remedy = match request.allow_unpinned {
                    Some(true) => None,
                    Some(false) => {
                        Some("restart the list, or pass allow_unpinned to go on by key in the newest snapshot")
                    }
                    None => Some("restart the list"),
                };
                if let Some(remedy) = remedy {
                    return Err(expired(PAGE_TOKEN, remedy).with("revision", token.revision.to_string()));
                }
                fresh(&informer, &spec, &Freshness::of(None)?).await?
            }
        };
        let opened = Opened {
            informer,
            query,
            snapshot,
            pin: request.read.is_some_and(|r| r.pin_snapshot),
        };
        Ok(Page {
            opened,
            from: Some(token),
            fingerprint,
        })
    }

    /// The token of the page after `last`; pins the snapshot, because there is a next page.
    pub(super) fn next_token(&self, page: &Page, namespace: &str, last: &str) -> String {
        let Opened { informer, snapshot, .. } = &page.opened;
        PageToken {
            informer: informer.name().to_owned(),
            epoch: informer.epoch_of(snapshot.position()),
            revision: snapshot.position().revision,
            pin: self.pins.pin(&informer.epoch_of(snapshot.position()), snapshot),
            fingerprint: page.fingerprint,
            namespace: namespace.to_owned(),
            last: last.to_owned(),
        }
        .seal()
    }

    /// Returns once the informer has seen a resourceVersion.
    pub(super) async fn wait_for(
        &self,
        request: pb::WaitForResourceVersionRequest,
    ) -> Result<pb::WaitForResourceVersionResponse, ApiError> {
        if request.resource_version.is_empty() {
            return Err(ApiError::invalid(
                "resource_version",
                "INVALID_FIELD",
                "resource_version is required: that of the object which the API server returned for the write",
            ));
        }
        let freshness = Freshness {
            wanted: Wanted::ResourceVersion(comparable("resource_version", &request.resource_version)?),
            timeout: timeout("timeout", request.timeout)?,
            allow_unsynced: false,
            pin: false,
        };
        let (informer, _) = informer_for(&self.factory, request.informer, None).await?;
        let reached = freshness.wait(&informer).await?;
        Ok(pb::WaitForResourceVersionResponse {
            status: Some(status_at(&informer, reached.snapshot.position())),
        })
    }

    /// The informer that a token was given for, if the request means it. A request that names only a resource may be served
    /// from several informers; which one suits best changes with the filter and with new informers, but a token stays with
    /// the one that gave it.
    async fn informer_of(
        &self,
        token: &str,
        selector: Option<pb::InformerSelector>,
        filter: Option<pb::Filter>,
    ) -> Result<(Arc<SharedInformer>, QuerySpec), ApiError> {
        let named = matches!(&selector, Some(s) if matches!(s.by, Some(pb::informer_selector::By::Name(_))));
        let (chosen, spec) = informer_for(&self.factory, selector, filter).await?;
        if !named && chosen.name() != token {
            let given = self.factory.get(token).ok().filter(|i| {
                let given = i.spec();
                given.resource == chosen.spec().resource && given.covers(&spec)
            });
            return Ok((given.unwrap_or(chosen), spec));
        }
        Ok((chosen, spec))
    }

    fn pinned(&self, informer: &SharedInformer, token: &SnapshotToken) -> Result<Snapshot, ApiError> {
        if token.informer != informer.name() {
            return Err(invalid_token(
                AT_SNAPSHOT,
                &format!("it is a snapshot of {}, not of {}", token.informer, informer.name()),
            ));
        }
        let found = self.pins.get(&token.epoch, &token.pin);
        found.filter(|_| token.epoch == informer.epoch()).ok_or_else(|| {
            expired(
                AT_SNAPSHOT,
                "read without it, and pin a new snapshot with read.pin_snapshot",
            )
        })
    }
}

// === impl Opened ===

impl Opened {
    /// The truth about the snapshot.
    pub(super) fn status(&self) -> pb::CacheStatus {
        status_at(&self.informer, self.snapshot.position())
    }

    /// The token for the reply, if the snapshot is wanted pinned.
    pub(super) fn pin_token(&self, api: &CacheApi) -> String {
        if self.pin { self.pin(&api.pins) } else { String::new() }
    }

    /// Pins the snapshot.
    pub(super) fn pin(&self, pins: &crate::service::pins::Pins) -> String {
        SnapshotToken {
            informer: self.informer.name().to_owned(),
            epoch: self.informer.epoch_of(self.snapshot.position()),
            pin: pins.pin(&self.informer.epoch_of(self.snapshot.position()), &self.snapshot),
        }
        .seal()
    }
}

// === impl Page ===

impl Page {
    /// The key after which the page starts.
    pub(super) fn after(&self) -> Option<ObjectKey> {
        self.from
            .as_ref()
            .map(|t| ObjectKey::new(t.namespace.as_str(), t.last.as_str()))
    }
}

/// The newest state that is fresh enough. A filter that cannot be evaluated fails before the wait.
async fn fresh(informer: &SharedInformer, spec: &QuerySpec, freshness: &Freshness) -> Result<Snapshot, ApiError> {
    compile(informer, spec)?;
    let snapshot = freshness.wait(informer).await?.snapshot.clone();
    refuse_stale(informer)?;
    Ok(snapshot)
}

fn print([call, more]: &[String; 2], informer: &SharedInformer, query: &Query) -> u64 {
    fingerprint(&[call, more, informer.name(), query.normalized()])
}
