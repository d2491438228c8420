//! The watch, and what follows its end (rows R7 to R13).

use std::{sync::Arc, time::Duration};

use tokio::time::Instant;
use tracing::debug;

use super::{
    decode::Decoded,
    failure::{Failure, FailureKind},
    run::Run,
    stream::{Next, WatchStream, open},
};
use crate::{
    delta::{Delta, Stopped},
    object::{Object, ResourceVersion},
};

/// How a watch ended.
enum Ending {
    /// By the server, in order.
    Closed,
    /// The connection broke.
    Broken(Failure),
    /// Neither event nor bookmark came for too long.
    Silent,
    /// By an ERROR event.
    Failed(Failure),
}

/// Watches in a row that make no sense, before the reflector lists (field case 12: a server that closes watches at once
/// because the version expired, without saying so).
const MAX_STRIKES: u32 = 3;
/// An error event after so long is a new matter (row R9).
const QUIET: Duration = Duration::from_secs(60);

// === impl Run ===

impl Run {
    /// Watches from the present on, over as many requests as it takes. Returns when a list is needed.
    pub(super) async fn follow(&mut self, mut open: Option<WatchStream>) -> Result<(), Stopped> {
        let mut strikes = 0;
        loop {
            let mut stream = match open.take() {
                Some(stream) => stream,
                None => match self.open_watch().await {
                    Ok(stream) => stream,
                    Err(failure) => {
                        if self.must_relist(&failure, &mut strikes) {
                            self.wait(&failure).await;
                            return Ok(());
                        }
                        self.wait(&failure).await;
                        continue;
                    }
                },
            };
            let ending = self.watch(&mut stream).await?;
            let (healthy, age) = (stream.was_healthy(), stream.age());
            // Closes the connection before another one is opened.
            drop(stream);
            let failure = match ending {
                Ending::Closed if healthy => {
                    strikes = 0;
                    continue;
                }
                Ending::Silent => {
                    // Dead or merely quiet: kube-apiserver sends no bookmarks for what it does not keep in its watch cache
                    // (events). Only if the next request fails too is it worth a warning.
                    debug!(resource = %self.job.resource, version = %self.version, "a silent watch is replaced");
                    self.reconnect();
                    strikes = 0;
                    match self.is_behind().await {
                        Ok(true) => return Ok(()),
                        Ok(false) => {}
                        Err(failure) => {
                            // The next watch will tell if that is more than the list's own trouble.
                            debug!(resource = %self.job.resource, "the version is not known: {}", failure.message);
                            if failure.kind == FailureKind::Connection {
                                self.wait(&failure).await;
                            }
                        }
                    }
                    continue;
                }
                Ending::Closed => Failure::short_watch(),
                Ending::Broken(failure) if healthy && failure.kind == FailureKind::Connection => {
                    // Like a normal close: if the server is still there, nothing is to be waited for, and if it is not, the
                    // next request fails and waits.
                    strikes = 0;
                    self.report(&failure);
                    continue;
                }
                Ending::Broken(failure) => failure,
                Ending::Failed(failure) => {
                    if age >= QUIET {
                        strikes = 0;
                    }
                    failure
                }
            };
            let relist = self.must_relist(&failure, &mut strikes);
            self.wait(&failure).await;
            if relist {
                return Ok(());
            }
        }
    }

    /// Whether a list must follow this failure of a watch; else the watch is tried again from the same version.
    fn must_relist(&mut self, failure: &Failure, strikes: &mut u32) -> bool {
        match failure.kind {
            FailureKind::Expired => {
                self.expired = true;
                true
            }
            // Objects of a resource that comes back have other versions.
            FailureKind::NotFound | FailureKind::Backwards => true,
            // The server reads objects that it cannot decode: only a list can tell which ones are left (row R24).
            FailureKind::Server if failure.reason == "StoreReadError" => true,
            // An open watch would tell if the version had expired.
            FailureKind::RateLimited | FailureKind::Connection | FailureKind::Unauthorized | FailureKind::Forbidden => {
                false
            }
            // A server that is up but in trouble; only what it says inside a watch can be about the version.
            FailureKind::Server if !failure.in_stream => false,
            FailureKind::Server
            | FailureKind::Refused
            | FailureKind::Malformed
            | FailureKind::ShortWatch
            | FailureKind::Incomplete
            | FailureKind::NoInitialEnd => {
                *strikes += 1;
                *strikes >= MAX_STRIKES
            }
        }
    }

    async fn open_watch(&mut self) -> Result<WatchStream, Failure> {
        self.floor.wait().await;
        let request = self.requests.watch(&self.version.to_string(), self.watch_timeout())?;
        let response = open(&self.client, request, self.config.watch_header_timeout).await?;
        self.job.status.watching();
        self.recovered();
        Ok(WatchStream::new(response))
    }

    /// Passes on what the watch says until it ends.
    async fn watch(&mut self, stream: &mut WatchStream) -> Result<Ending, Stopped> {
        let scanner = self.job.scanner.clone();
        // A watch from no version starts with what is there, in any order: its versions mean nothing yet (row R13).
        let mut unordered = matches!(&*self.version.to_string(), "" | "0");
        loop {
            let frame = match stream.next(Instant::now() + self.config.idle_timeout).await {
                Next::Frame(frame) => frame,
                Next::Closed => {
                    debug!(resource = %self.job.resource, version = %self.version, "watch closed");
                    return Ok(Ending::Closed);
                }
                Next::Broken(failure) => return Ok(Ending::Broken(failure)),
                Next::TimedOut => return Ok(Ending::Silent),
            };
            let delta = match self.decoder.decode(&scanner, &frame) {
                Decoded::Added(object) => {
                    if !unordered {
                        self.advance(&object);
                    }
                    Delta::Added(Arc::new(object))
                }
                Decoded::Updated(object) => {
                    unordered = false;
                    self.advance(&object);
                    Delta::Updated(Arc::new(object))
                }
                Decoded::Deleted(object) => {
                    unordered = false;
                    self.advance(&object);
                    Delta::Deleted(Arc::new(object))
                }
                Decoded::Bookmark(bookmark) => {
                    if bookmark.resource_version.is_empty() {
                        self.skip("a bookmark without resourceVersion");
                        continue;
                    }
                    unordered = false;
                    let version = ResourceVersion::parse(&bookmark.resource_version);
                    if self.went_backwards(&version) {
                        return Ok(Ending::Failed(Failure::backwards()));
                    }
                    self.version = version.clone();
                    Delta::Bookmark(version)
                }
                Decoded::Failed(failure) => {
                    return Ok(Ending::Failed(Failure {
                        in_stream: true,
                        ..failure
                    }));
                }
                Decoded::Skipped(why) => {
                    self.skip(&why);
                    continue;
                }
            };
            self.job.deltas.push(delta).await?;
        }
    }

    fn advance(&mut self, object: &Object) {
        if !object.resource_version().is_empty() {
            self.version = object.resource_version().clone();
        }
    }
}
