//! The port through which the core sees the API server: who it asks to resolve a resource and to run a reflector, and
//! what the reflector reports back. The core knows only these types; `reflector/` and `cluster/` implement them.

mod live;
mod resource;
mod status;

pub use live::{LiveError, LiveRead};
pub use resource::{ResolveError, Resource, ResourceQuery};
pub use status::{Failures, StatusCell, UpstreamError, UpstreamState, UpstreamStatus};

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use futures::future::BoxFuture;

use crate::{
    delta::Sender,
    object::{ResourceVersion, Scanner},
};

/// Access to the API server.
#[async_trait::async_trait]
pub trait Upstream: Send + Sync + 'static {
    /// Finds a resource as kubectl would.
    async fn resolve(&self, query: &ResourceQuery) -> Result<Resource, ResolveError>;

    /// As [`Self::resolve`], but no answer is older than `max_age`, also none that says yes: for those who look for a
    /// resource that comes and goes. Whoever asks at about the same time shares one request.
    async fn resolve_anew(&self, query: &ResourceQuery, max_age: Duration) -> Result<Resource, ResolveError>;

    /// Lists and watches until the future is dropped or the informer stops. Never gives up (field case 10).
    fn reflect(&self, job: ReflectorJob) -> BoxFuture<'static, ()>;

    /// One object as the API server has it now, as JSON; `None` if it is not there, or not for this reader's selectors. One
    /// request, never repeated: whoever asked decides.
    async fn live_object(&self, read: &LiveRead, name: &str) -> Result<Option<Bytes>, LiveError>;

    /// The newest version of a collection: every change that was acknowledged before the call is at or below it.
    async fn live_version(&self, read: &LiveRead) -> Result<ResourceVersion, LiveError>;
}

/// What a reflector has to list and watch, and where the deltas go.
#[derive(Clone, Debug)]
pub struct ReflectorJob {
    /// The resource.
    pub resource: Resource,
    /// One namespace, or all.
    pub namespace: Option<Arc<str>>,
    /// Sent to the API server.
    pub label_selector: Option<String>,
    /// Sent to the API server.
    pub field_selector: Option<String>,
    /// Ask for PartialObjectMetadata instead of whole objects.
    pub metadata_only: bool,
    /// How the initial state is read.
    pub list_mode: ListMode,
    /// Turns bytes into objects.
    pub scanner: Arc<Scanner>,
    /// Where the deltas go.
    pub deltas: Sender,
    /// Where the state is reported.
    pub status: StatusCell,
}

/// How the initial state is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ListMode {
    /// Watch-list, falling back to list.
    #[default]
    Auto,
    /// Watch-list only.
    WatchList,
    /// Paged list only.
    List,
}
