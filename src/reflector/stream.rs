//! Sends a request and reads its answer, with a limit on every wait.

use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::BodyExt;
use kube::{Client, client::Body};
use tokio::time::{Instant, timeout, timeout_at};

use super::{
    failure::{Failure, FailureKind},
    frames::{FrameBuffer, MAX_FRAME_BYTES},
    request::get,
};

/// An open watch. Dropping it drops the body, and hyper closes the connection that carried it.
#[derive(Debug)]
pub(super) struct WatchStream {
    body: Body,
    frames: FrameBuffer,
    opened: Instant,
    events: u64,
}

/// What a watch brings next.
#[derive(Debug)]
pub(super) enum Next {
    Frame(Bytes),
    /// Ended by the server, between two frames.
    Closed,
    Broken(Failure),
    TimedOut,
}

/// Most of an error's body that is read.
const MAX_ERROR_BYTES: usize = 64 << 10;
/// A watch that lived so long did its work, even without an event (row R10).
const HEALTHY_AFTER: Duration = Duration::from_secs(1);

/// Sends a request; an answer other than 2xx is a failure.
pub(super) async fn open(client: &Client, request: Request<Body>, wait: Duration) -> Result<Response<Body>, Failure> {
    let response = timeout(wait, client.send(request))
        .await
        .map_err(|_| no_answer(wait))?
        .map_err(|e| Failure::from_client(&e))?;
    if response.status().is_success() {
        return Ok(response);
    }
    let (head, mut body) = response.into_parts();
    let mut text = Vec::new();
    let read = async {
        while text.len() < MAX_ERROR_BYTES
            && let Some(Ok(frame)) = body.frame().await
        {
            text.extend_from_slice(frame.data_ref().map_or(&[], |d| d));
        }
    };
    // The status alone tells enough if the text does not come.
    let _ = timeout(wait, read).await;
    Err(Failure::from_response(head.status, &head.headers, &text))
}

/// The next bytes of a list's body; `None` at its end.
pub(super) async fn next_chunk(body: &mut Body, wait: Duration) -> Result<Option<Bytes>, Failure> {
    loop {
        return match timeout(wait, body.frame()).await {
            Err(_) => Err(no_answer(wait)),
            Ok(None) => Ok(None),
            Ok(Some(Err(e))) => Err(Failure::interrupted(&e)),
            Ok(Some(Ok(frame))) => match frame.into_data() {
                Ok(data) => Ok(Some(data)),
                // Trailers.
                Err(_) => continue,
            },
        };
    }
}

/// A whole document of at most `max` bytes; `wait` bounds the wait for the answer and for each part of it.
pub(crate) async fn fetch(
    client: &Client,
    path: &str,
    accept: &'static str,
    wait: Duration,
    max: usize,
    too_large: impl FnOnce() -> Failure,
) -> Result<Bytes, Failure> {
    let mut body = open(client, get(path, accept)?, wait).await?.into_body();
    let mut raw = Vec::new();
    while let Some(chunk) = next_chunk(&mut body, wait).await? {
        if raw.len() + chunk.len() > max {
            return Err(too_large());
        }
        raw.extend_from_slice(&chunk);
    }
    Ok(raw.into())
}

fn no_answer(wait: Duration) -> Failure {
    Failure::new(
        FailureKind::Connection,
        Failure::TIMEOUT,
        format!("nothing came from the API server for {} s", wait.as_secs_f32()),
    )
}

// === impl WatchStream ===

impl WatchStream {
    pub(super) fn new(response: Response<Body>) -> Self {
        Self {
            body: response.into_body(),
            frames: FrameBuffer::new(MAX_FRAME_BYTES),
            opened: Instant::now(),
            events: 0,
        }
    }

    /// Waits for the next frame, at most until `until`.
    pub(super) async fn next(&mut self, until: Instant) -> Next {
        loop {
            match self.frames.next_frame() {
                Ok(Some(frame)) => {
                    self.events += 1;
                    return Next::Frame(frame);
                }
                Ok(None) => {}
                Err(e) => return Next::Broken(Failure::new(FailureKind::Malformed, "FrameTooLarge", e.to_string())),
            }
            // A stream that always has bytes ready would never let the timer be looked at.
            if Instant::now() >= until {
                return Next::TimedOut;
            }
            match timeout_at(until, self.body.frame()).await {
                Err(_) => return Next::TimedOut,
                Ok(Some(Ok(frame))) => {
                    if let Some(data) = frame.data_ref() {
                        self.frames.push(data);
                    }
                }
                Ok(Some(Err(e))) => return Next::Broken(Failure::interrupted(&e)),
                Ok(None) if self.frames.is_clean() => return Next::Closed,
                Ok(None) => {
                    let message = "the stream ended inside a frame";
                    return Next::Broken(Failure::new(FailureKind::Connection, "Interrupted", message));
                }
            }
        }
    }

    /// True if the watch lived a second or brought an event (row R10).
    pub(super) fn was_healthy(&self) -> bool {
        self.events > 0 || self.age() >= HEALTHY_AFTER
    }

    pub(super) fn age(&self) -> Duration {
        self.opened.elapsed()
    }
}
