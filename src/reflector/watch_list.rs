//! The watch that starts with the state (rows R14 to R16).

use tokio::time::Instant;

use super::{
    decode::Decoded,
    failure::{Failure, FailureKind},
    run::Run,
    stream::{Next, WatchStream, open},
};
use crate::{delta::Stopped, object::ResourceVersion};

// === impl Run ===

impl Run {
    /// Reads the initial events and queues them as one delta. The same stream then goes on as the watch.
    pub(super) async fn watch_list(&mut self) -> Result<Result<WatchStream, Failure>, Stopped> {
        let version = if self.expired {
            String::new()
        } else {
            self.version.to_string()
        };
        let mut replacing = self.begin_replace().await?;
        self.floor.wait().await;
        let opened = match self.requests.watch_list(&version, self.watch_timeout()) {
            Ok(request) => open(&self.client, request, self.config.watch_header_timeout).await,
            Err(failure) => Err(failure),
        };
        let mut stream = match opened {
            Ok(response) => WatchStream::new(response),
            Err(failure) => return Ok(Err(failure)),
        };
        self.job.status.listing();
        let last = Instant::now() + self.config.initial_events_limit;
        let mut until = last.min(Instant::now() + self.config.initial_events_stall);
        let scanner = self.job.scanner.clone();
        loop {
            let frame = match stream.next(until).await {
                Next::Frame(frame) => frame,
                ended => return Ok(Err(incomplete(ended, &stream))),
            };
            match self.decoder.decode(&scanner, &frame) {
                // Only what can be an initial event counts as progress: changes go on for ever.
                Decoded::Added(object) => {
                    replacing.observe(object);
                    until = last.min(Instant::now() + self.config.initial_events_stall);
                }
                Decoded::Updated(object) => replacing.observe(object),
                Decoded::Deleted(object) => replacing.forget(&object.key),
                Decoded::Bookmark(bookmark) if bookmark.initial_events_end => {
                    let version = ResourceVersion::parse(&bookmark.resource_version);
                    if self.went_backwards(&version) {
                        return Ok(Err(Failure::backwards()));
                    }
                    // From here on the stream is the watch. Said before the state is published, so that nobody sees a synced cache
                    // that claims to be listing.
                    self.job.status.initial_events_complete();
                    replacing.commit(&self.job.deltas, version.clone()).await?;
                    self.listed(version);
                    self.recovered();
                    return Ok(Ok(stream));
                }
                Decoded::Bookmark(_) => {}
                Decoded::Failed(failure) => return Ok(Err(failure)),
                // An object left out here looks deleted. There is no key to keep the old one by.
                Decoded::Skipped(why) => self.skip(&why),
            }
        }
    }
}

fn incomplete(ended: Next, stream: &WatchStream) -> Failure {
    match ended {
        Next::Broken(failure) if failure.kind == FailureKind::Connection => Failure {
            kind: FailureKind::Incomplete,
            ..failure
        },
        Next::Broken(failure) => failure,
        Next::TimedOut => Failure::new(
            FailureKind::NoInitialEnd,
            "NoInitialEventsEnd",
            "the API server did not end the initial events of a watch-list",
        ),
        Next::Closed | Next::Frame(_) if stream.was_healthy() => Failure::new(
            FailureKind::Incomplete,
            "Interrupted",
            "the API server closed a watch-list before its initial events were complete",
        ),
        Next::Closed | Next::Frame(_) => Failure::short_watch(),
    }
}
