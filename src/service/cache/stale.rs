//! `max_staleness`: an informer that was told so answers no reads from a cache that nobody has proven current for too long
//! (field case 35: weeks-old data served as success). Watches go on: they tell by themselves how current they are.

use std::time::Duration;

use tokio::time::Instant;
use tonic::Code;

use crate::{
    informer::SharedInformer,
    service::{access::with_status, convert::cache_status, error::ApiError},
};

/// When to look again: a reflector that has just lost its connection is usually back in a second.
const RETRY: Duration = Duration::from_secs(1);

/// Fails while the informer's cache is older than the informer allows. It is the cache that counts, and not the snapshot
/// that is read: pages and pins are older on purpose, but a client that goes on with them must know as well. A cache that
/// has never been synced is read only by those who asked for that.
pub(super) fn refuse_stale(informer: &SharedInformer) -> Result<(), ApiError> {
    let Some(limit) = informer.spec().max_staleness else {
        return Ok(());
    };
    let published = informer.processor().load();
    let position = published.snapshot.position();
    let Some(age) = position
        .as_of
        .filter(|_| position.synced)
        .map(|at| Instant::now().saturating_duration_since(at))
        .filter(|age| *age > limit)
    else {
        return Ok(());
    };
    let upstream = informer.upstream();
    let cause = upstream.last_error.map(|e| format!(": {e}")).unwrap_or_default();
    let error = ApiError::new(
        Code::Unavailable,
        "CACHE_STALE",
        format!(
            "{} was proven current {age:.1?} ago; its max_staleness is {limit:?} (the reflector is {:?}){cause}",
            informer.name(),
            upstream.state
        ),
    )
    .retry_after(RETRY)
    .with("max_staleness", format!("{limit:?}"))
    .remedy("retry; or read past the cache with read.live, or raise max_staleness with UpdateInformer");
    Err(with_status(error, &cache_status(informer, &published)))
}
