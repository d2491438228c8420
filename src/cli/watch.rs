//! `informerd watch`: deltas, one a line, for as long as one likes.
//!
//! ```text
//! connect -> Watch -> encode -> stdout -> resume token kept     (each message)
//!    ^                              |
//!    `------- backoff, token -------'  when the stream breaks
//! ```
//! A token is kept only after the events before it are written and flushed: a reader that dies gets some events again, and
//! never misses one.

pub mod encode;
pub(crate) mod lines;
pub mod resume;

use std::time::Duration;

use tokio::io::AsyncWriteExt as _;
use tonic::{Code, Status, transport::Channel};

use self::{lines::Lines, resume::ResumeFile};
use crate::{
    cli::{
        Io,
        args::{Old, WatchArgs, WatchOutput},
        connect::{MAX_MESSAGE_BYTES, ServerAddress},
        error::{CliError, describe},
        query::{self, Target, resolve, scoped, wire},
    },
    proto::v1alpha1::{
        OldObject, Projection, StartResume, TerminatingReason, View, WatchRequest, WatchResponse,
        subscription_service_client::SubscriptionServiceClient, watch_request::Start, watch_response::Control,
    },
};

/// How long the first question about the resource may take.
const RESOLVE_TIMEOUT: Duration = Duration::from_secs(30);

/// Runs the command until the snapshot is complete (`--once-synced`), the output is closed, or a signal ends it.
pub async fn run(args: WatchArgs, io: &mut Io<'_>) -> Result<(), CliError> {
    let targets = query::targets(&args.targets)?;
    let [target] = &targets[..] else {
        return Err(CliError::Usage("one resource can be watched at a time".into()));
    };
    if args.old != Old::None && args.output != WatchOutput::Json {
        return Err(CliError::Usage("--old needs -o json".into()));
    }
    let stop = stopped()?;
    tokio::select! {
        result = follow(&args, target, io) => result,
        () = stop => Ok(()),
    }
}

async fn follow(args: &WatchArgs, target: &Target, io: &mut Io<'_>) -> Result<(), CliError> {
    let mut filter = args.filter.filter()?;
    let resume = args.resume_file.clone().map(ResumeFile::new);
    let mut token = match &resume {
        Some(file) => file.load()?,
        None => None,
    };
    let channel = ServerAddress::parse(args.server.server.as_deref())?.connect().await?;
    let informer = resolve(&channel, &target.resource, &filter, RESOLVE_TIMEOUT).await?;
    filter = scoped(filter, &informer);
    filter.names.clone_from(&target.names);
    let request = WatchRequest {
        // Not by name: a restarted server has to make the informer anew.
        informer: Some(query::by_resource(&target.resource)),
        filter: Some(filter),
        projection: Some(Projection {
            view: if args.output == WatchOutput::Name {
                View::Reference
            } else {
                View::Full
            }
            .into(),
            ..Projection::default()
        }),
        old_object: match args.old {
            Old::None => OldObject::None,
            Old::Reference => OldObject::Reference,
            Old::Full => OldObject::Full,
        }
        .into(),
        max_receive_bytes: MAX_MESSAGE_BYTES as u64,
        resync_period: args.resync.map(wire),
        client_id: "informerd-cli".into(),
        ..WatchRequest::default()
    };
    let mut watch = Watch {
        lines: Lines::new(args, &informer),
        resume,
        once_synced: args.once_synced,
        dirty: false,
    };
    let mut backoff = Backoff::default();
    loop {
        let request = WatchRequest {
            start: token.clone().map(|token| {
                Start::Resume(StartResume {
                    token: token.into(),
                    ..StartResume::default()
                })
            }),
            ..request.clone()
        };
        let broken = match watch.stream(&channel, request, &mut token, &mut backoff, io).await? {
            End::Synced => return Ok(()),
            End::Broken(status) if is_final(status.code()) => return Err(status.into()),
            End::Broken(status) => status,
        };
        if token.is_none() && std::mem::take(&mut watch.dirty) {
            // Part of a snapshot is out, and the server cannot go on with it: what follows is a new one.
            let reset = watch.lines.restarted();
            io.out.write_all(&reset).await?;
            io.out.flush().await?;
        }
        let delay = backoff.next();
        io.note(&format!(
            "watch broken: {}; again in {:.1} s",
            describe(&broken),
            delay.as_secs_f64()
        ));
        tokio::time::sleep(delay).await;
    }
}

/// Why a stream ended.
enum End {
    Synced,
    Broken(Status),
}

/// One run of the command.
struct Watch {
    lines: Lines,
    resume: Option<ResumeFile>,
    once_synced: bool,
    /// Events were written since the last token.
    dirty: bool,
}

// === impl Watch ===

impl Watch {
    async fn stream(
        &mut self,
        channel: &Channel,
        request: WatchRequest,
        token: &mut Option<Vec<u8>>,
        backoff: &mut Backoff,
        io: &mut Io<'_>,
    ) -> Result<End, CliError> {
        let mut client = SubscriptionServiceClient::new(channel.clone()).max_decoding_message_size(MAX_MESSAGE_BYTES);
        let mut stream = match client.watch(request).await {
            Ok(reply) => reply.into_inner(),
            Err(status) => return Ok(End::Broken(status)),
        };
        loop {
            let message = match stream.message().await {
                Ok(Some(message)) => message,
                Ok(None) => {
                    return Ok(End::Broken(Status::unavailable("the server ended the stream")));
                }
                Err(status) => return Ok(End::Broken(status)),
            };
            let lines = self.lines.encode(&message);
            io.out.write_all(&lines).await?;
            io.out.flush().await?;
            self.dirty |= !message.events.is_empty();
            self.note(&message, io);
            if matches!(message.control, Some(Control::Reset(_))) {
                // Nothing to resume from until the new snapshot is complete.
                *token = None;
            }
            if !message.resume_token.is_empty() {
                let new = message.resume_token.to_vec();
                if let Some(file) = &self.resume {
                    file.store(&new)?;
                }
                *token = Some(new);
                self.dirty = false;
            }
            if !matches!(message.control, Some(Control::Created(_) | Control::Terminating(_))) {
                backoff.reset();
            }
            if self.once_synced && matches!(message.control, Some(Control::Synced(_))) {
                return Ok(End::Synced);
            }
        }
    }

    fn note(&self, message: &WatchResponse, io: &mut Io<'_>) {
        match &message.control {
            Some(Control::Terminating(t)) => {
                let reason = encode::word(t.reason().as_str_name(), "TERMINATING_REASON_");
                let why = match t.reason() {
                    TerminatingReason::Shutdown => "the server shuts down",
                    TerminatingReason::InformerDeleted => "the informer was deleted",
                    TerminatingReason::SlowConsumer => "this reader was too slow",
                    TerminatingReason::Unspecified => "the server gave no reason",
                };
                io.note(&format!("terminating ({reason}): {why}"));
            }
            Some(Control::Reset(r)) if !self.lines.tells_controls() => {
                let reason = encode::word(r.reason().as_str_name(), "RESET_REASON_");
                io.note(&format!(
                    "reset ({reason}): a new snapshot follows; objects that do not come again are gone"
                ));
            }
            _ => {}
        }
    }
}

/// Codes that trying again does not change.
fn is_final(code: Code) -> bool {
    matches!(
        code,
        Code::InvalidArgument
            | Code::NotFound
            | Code::AlreadyExists
            | Code::PermissionDenied
            | Code::Unauthenticated
            | Code::FailedPrecondition
            | Code::OutOfRange
            | Code::Unimplemented
    )
}

/// Waits between attempts: doubling, capped, and jittered so that clients of a restarted server do not come all at once.
struct Backoff {
    next: Duration,
}

// === impl Backoff ===

impl Backoff {
    const FIRST: Duration = Duration::from_millis(200);
    const LAST: Duration = Duration::from_secs(10);

    fn next(&mut self) -> Duration {
        let delay = self.next.mul_f64(rand::random_range(0.5..1.0));
        self.next = (self.next * 2).min(Self::LAST);
        delay
    }

    fn reset(&mut self) {
        self.next = Self::FIRST;
    }
}

impl Default for Backoff {
    fn default() -> Self {
        Self { next: Self::FIRST }
    }
}

/// Resolves on Ctrl-C or SIGTERM, which from then on do not end the process by themselves.
pub fn stopped() -> Result<impl Future<Output = ()>, CliError> {
    use tokio::signal::unix::{SignalKind, signal};
    let catch = |kind| signal(kind).map_err(|e| CliError::Failed(format!("cannot catch signals: {e}")));
    let (mut interrupt, mut terminate) = (catch(SignalKind::interrupt())?, catch(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_double_to_a_cap_and_start_again_after_health() {
        let mut backoff = Backoff::default();
        let mut want = Backoff::FIRST;
        for _ in 0..12 {
            let delay = backoff.next();
            assert!(delay >= want / 2 && delay <= want, "{delay:?} is not within {want:?}");
            want = (want * 2).min(Backoff::LAST);
        }
        assert_eq!(want, Backoff::LAST);
        backoff.reset();
        assert!(backoff.next() <= Backoff::FIRST);
    }

    #[test]
    fn a_server_that_is_away_is_waited_for_and_a_mistake_is_not() {
        for code in [
            Code::Unavailable,
            Code::Aborted,
            Code::Unknown,
            Code::Internal,
            Code::Cancelled,
            Code::ResourceExhausted,
        ] {
            assert!(!is_final(code), "{code:?}");
        }
        for code in [
            Code::InvalidArgument,
            Code::NotFound,
            Code::PermissionDenied,
            Code::FailedPrecondition,
        ] {
            assert!(is_final(code), "{code:?}");
        }
    }
}
