//! The paged list (rows R3 to R6), split while it streams.

use http::Request;
use kube::client::Body;
use tracing::debug;

use super::{
    failure::{Failure, FailureKind},
    run::Run,
    split::{ListEnd, Splitter},
    stream::{next_chunk, open},
};
use crate::{
    delta::{Replacing, Stopped},
    object::ResourceVersion,
};

// === impl Run ===

impl Run {
    /// Lists everything and queues it as one delta.
    pub(super) async fn list(&mut self) -> Result<Result<(), Failure>, Stopped> {
        loop {
            let version = if self.expired {
                String::new()
            } else if self.version.is_empty() {
                "0".to_owned()
            } else {
                self.version.to_string()
            };
            match self.list_pages(&version).await? {
                Ok(Some(version)) => {
                    self.listed(version);
                    return Ok(Ok(()));
                }
                // The list was of another history.
                Ok(None) => {}
                Err(failure) if failure.kind == FailureKind::Expired && !self.expired => {
                    debug!(resource = %self.job.resource, version, "version expired, listing without one");
                    self.expired = true;
                }
                Err(failure) => return Ok(Err(failure)),
            }
        }
    }

    /// The version of the list, which is queued; `None` if it was of no use.
    async fn list_pages(&mut self, version: &str) -> Result<Result<Option<ResourceVersion>, Failure>, Stopped> {
        // A limit would keep the server from answering out of its watch cache (row R4).
        let mut limit = (self.paginated || version.is_empty() || version == "0").then_some(self.config.page_size);
        let mut replacing = self.begin_replace().await?;
        let mut request = self.requests.list(version, limit);
        let mut first: Option<ListEnd> = None;
        self.floor.wait().await;
        loop {
            let page = match request {
                Ok(request) => self.list_page(request, &mut replacing, first.is_none()).await,
                Err(failure) => Err(failure),
            };
            let (end, items) = match page {
                Ok(page) => page,
                Err(failure) if failure.kind == FailureKind::Expired && first.is_some() && limit.is_some() => {
                    // Row R5. What the earlier pages said may be outdated by now, so it is dropped.
                    debug!(resource = %self.job.resource, "continue token expired, listing without pages");
                    limit = None;
                    replacing = self.begin_replace().await?;
                    request = self.requests.list(version, limit);
                    first = None;
                    self.floor.wait().await;
                    continue;
                }
                Err(failure) => return Ok(Err(failure)),
            };
            if end.continue_token.is_empty() {
                // The first page's version: a watch from there misses nothing, even if the server did not keep it over pages.
                let version = ResourceVersion::parse(&first.unwrap_or(end).resource_version);
                if self.went_backwards(&version) {
                    return Ok(Ok(None));
                }
                replacing.commit(&self.job.deltas, version.clone()).await?;
                return Ok(Ok(Some(version)));
            }
            self.paginated |= version == "0";
            request = self.requests.next_page(limit, &end.continue_token);
            first.get_or_insert(end);
            if items == 0 {
                // Full pages pay for themselves; a chain of empty ones must not become a hot loop.
                self.floor.wait().await;
            }
        }
    }

    /// Asks for the server's present version, by a list of one object. A watch from a version that lies in the future of the
    /// server, because its data was restored, is open and silent until the server has come that far again: without bookmarks, for
    /// they would be older. So silence is looked into.
    pub(super) async fn is_behind(&mut self) -> Result<bool, Failure> {
        self.floor.wait().await;
        let request = self.requests.list("", Some(1))?;
        let response = open(&self.client, request, self.config.watch_header_timeout).await?;
        let mut body = response.into_body();
        let mut splitter = Splitter::new();
        let malformed = |e: super::SplitError| Failure::new(FailureKind::Malformed, "MalformedList", e.to_string());
        while let Some(chunk) = next_chunk(&mut body, self.config.watch_header_timeout).await? {
            splitter.push(&chunk, |_| ()).map_err(malformed)?;
        }
        let end = splitter.finish().map_err(malformed)?;
        Ok(self.went_backwards(&ResourceVersion::parse(&end.resource_version)))
    }

    /// Reads one page into `replacing`. Returns its end and how many items it had.
    async fn list_page(
        &mut self,
        request: Request<Body>,
        replacing: &mut Replacing,
        first: bool,
    ) -> Result<(ListEnd, usize), Failure> {
        let malformed = |e: super::SplitError| Failure::new(FailureKind::Malformed, "MalformedList", e.to_string());
        let response = open(&self.client, request, self.config.list_header_timeout).await?;
        if first {
            self.job.status.listing();
        }
        let mut body = response.into_body();
        let mut splitter = Splitter::new();
        let mut items = 0;
        let scanner = self.job.scanner.clone();
        while let Some(chunk) = next_chunk(&mut body, self.config.list_stall_timeout).await? {
            splitter
                .push(&chunk, |raw| {
                    items += 1;
                    match scanner.scan(raw) {
                        Ok(object) => replacing.observe(object),
                        // One bad object must not keep all others from being seen.
                        Err(e) => self.skip(&e.to_string()),
                    }
                })
                .map_err(malformed)?;
        }
        Ok((splitter.finish().map_err(malformed)?, items))
    }
}
