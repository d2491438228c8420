//! The fake API server's answers to reads past the cache.

use std::{collections::BTreeMap, time::Duration};

use bytes::Bytes;
use parking_lot::Mutex;

use crate::{
    object::ResourceVersion,
    upstream::{LiveError, LiveRead, UpstreamError},
};

/// What is there, and what was asked.
#[derive(Default)]
pub(crate) struct FakeLive(Mutex<Inner>);

#[derive(Default)]
struct Inner {
    objects: BTreeMap<String, String>,
    version: String,
    refusal: Option<LiveError>,
    silent: bool,
    asked: Vec<String>,
}

// === impl FakeLive ===

impl FakeLive {
    /// This object is there; `key` is "namespace/name".
    pub(crate) fn put(&self, key: &str, object: String) {
        self.0.lock().objects.insert(key.into(), object);
    }

    /// The newest version of everything.
    pub(crate) fn at(&self, version: &str) {
        self.0.lock().version = version.into();
    }

    /// Every request is answered so; 0 is no answer at all.
    pub(crate) fn refuse(&self, http_status: u16, reason: &str, retry_after: Option<Duration>) {
        self.0.lock().refusal = Some(LiveError {
            error: UpstreamError {
                http_status,
                reason: reason.into(),
                message: "as the test wants it".into(),
                time: std::time::SystemTime::UNIX_EPOCH,
            },
            retry_after,
        });
    }

    /// No request is ever answered.
    pub(crate) fn fall_silent(&self) {
        self.0.lock().silent = true;
    }

    /// All requests so far: "get pods a/p labels=… metadata" or "version pods a".
    pub(crate) fn asked(&self) -> Vec<String> {
        self.0.lock().asked.clone()
    }

    pub(super) async fn object(&self, read: &LiveRead, name: &str) -> Result<Option<Bytes>, LiveError> {
        let namespace = read.namespace.as_deref().unwrap_or_default();
        let key = if namespace.is_empty() {
            name.to_owned()
        } else {
            format!("{namespace}/{name}")
        };
        let mut what = format!("get {} {key}", read.resource.plural);
        if !read.label_selector.is_empty() {
            what += &format!(" labels={}", read.label_selector);
        }
        if read.metadata_only {
            what += " metadata";
        }
        self.answer(what, |inner| inner.objects.get(&key).cloned().map(Bytes::from))
            .await
    }

    pub(super) async fn version(&self, read: &LiveRead) -> Result<ResourceVersion, LiveError> {
        let namespace = read.namespace.as_deref().unwrap_or_default();
        let what = format!("version {} {namespace}", read.resource.plural);
        self.answer(what, |inner| ResourceVersion::parse(&inner.version)).await
    }

    async fn answer<T>(&self, what: String, found: impl FnOnce(&Inner) -> T) -> Result<T, LiveError> {
        let (answer, silent) = {
            let mut inner = self.0.lock();
            inner.asked.push(what);
            let answer = inner.refusal.clone().map_or_else(|| Ok(found(&inner)), Err);
            (answer, inner.silent)
        };
        if silent {
            std::future::pending::<()>().await;
        }
        answer
    }
}
