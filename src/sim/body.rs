//! Bodies of answers, and what the script does to them.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use async_stream::stream;
use bytes::{Buf, Bytes};
use futures::{Stream, StreamExt};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, StreamBody};
use hyper::body::Frame;

use super::control::Control;
use super::fault::{Action, Plan};
use super::watch::{Item, line};

pub(super) type Body = UnsyncBoxBody<Bytes, Cut>;

/// Ends a body in the middle: hyper then drops the connection without the last chunk.
#[derive(Debug, thiserror::Error)]
#[error("the script cuts this answer off")]
pub(super) struct Cut;

/// A whole body.
pub(super) fn full(bytes: impl Into<Bytes>) -> Body {
    http_body_util::Full::new(bytes.into())
        .map_err(|never| match never {})
        .boxed_unsync()
}

/// A body in pieces.
pub(super) fn streaming(pieces: impl Stream<Item = Result<Bytes, Cut>> + Send + 'static) -> Body {
    StreamBody::new(pieces.map(|piece| piece.map(Frame::data))).boxed_unsync()
}

/// Applies what the plan says of any body: its pace and its end.
pub(super) fn shaped(pieces: impl Stream<Item = Result<Bytes, Cut>> + Send + 'static, plan: &Plan) -> Body {
    let (pace, mut left) = (plan.bytes_per_second, plan.truncate);
    if pace.is_none() && left.is_none() {
        return streaming(pieces);
    }
    streaming(stream! {
            let mut pieces = pin!(pieces);
            while let Some(piece) = pieces.next().await {
                let mut piece = match piece {
                    Ok(piece) => piece,
                    Err(cut) => {
                        yield Err(cut);
                        return;
                    }
                };
                while piece.has_remaining() {
                    let slice = pace.map_or(piece.len(), |pace| (pace / TICKS).max(1));
                    let slice = slice.min(piece.len()).min(left.unwrap_or(usize::MAX));
                    if slice > 0 {
                        yield Ok(piece.split_to(slice));
                    }
                    if let Some(left) = &mut left {
                        *left -= slice;
                        if *left == 0 {
                            flushed().await;
    yield Err(Cut);
                            return;
                        }
                    }
                    if let Some(pace) = pace {
                        tokio::time::sleep(Duration::from_secs_f64(slice as f64 / pace.max(1) as f64)).await;
                    }
                }
            }
        })
}

/// Lets hyper send what it has before the next piece: it flushes when a body has nothing ready, and a cut that came
/// at once would take head and pieces along.
async fn flushed() {
    tokio::task::yield_now().await;
}

/// How many pieces a slow body sends a second.
const TICKS: usize = 20;

/// Turns a watch into bytes, as the script wants it. Only events count in its "after so many events"; they are
/// counted as the client sees them, and a condition that is met takes effect at once, before the next event.
pub(super) fn watch_lines(
    items: impl Stream<Item = Item> + Send,
    actions: Vec<Action>,
    control: Arc<Control>,
) -> impl Stream<Item = Result<Bytes, Cut>> + Send {
    stream! {
            let mut items = pin!(items);
            let mut script = StreamScript::new(actions);
            loop {
                for injected in script.injections() {
                    yield Ok(injected);
                }
                match script.turn() {
                    Turn::Go => {}
                    Turn::Close => return,
                    Turn::Freeze => std::future::pending::<()>().await,
                    Turn::Reset => {
                        control.reset_on_drop();
                        flushed().await;
    yield Err(Cut);
                        return;
                    }
                    Turn::Error(bytes) => {
                        yield Ok(bytes);
                        return;
                    }
                    Turn::Truncate => {
                        // Half of whatever comes next, be it an event or a bookmark.
                        if let Some(Item::Event(bytes) | Item::Bookmark(bytes) | Item::InitialEventsEnd(bytes) | Item::Error(bytes)) = items.next().await {
                            yield Ok(bytes.slice(..bytes.len() / 2));
                        }
                        flushed().await;
    yield Err(Cut);
                        return;
                    }
                }
                match items.next().await {
                    None => return,
                    Some(Item::Event(bytes)) => if script.lets_event_pass() { yield Ok(bytes) },
                    Some(Item::Bookmark(bytes)) => if !script.withholds_bookmarks { yield Ok(bytes) },
                    Some(Item::InitialEventsEnd(bytes)) => {
                        if !script.withholds_bookmarks && !script.withholds_end {
                            yield Ok(bytes);
                        }
                    }
                    Some(Item::Error(bytes)) => yield Ok(bytes),
                }
            }
        }
}

/// The state of one watch's script.
struct StreamScript {
    actions: Vec<Action>,
    /// Events sent.
    sent: usize,
    /// Events that would have been sent, hidden ones included.
    seen: usize,
    withholds_bookmarks: bool,
    withholds_end: bool,
}

enum Turn {
    Go,
    Close,
    Freeze,
    Truncate,
    Reset,
    Error(Bytes),
}

// === impl StreamScript ===

impl StreamScript {
    fn new(actions: Vec<Action>) -> Self {
        let withholds_bookmarks = actions.contains(&Action::WithholdBookmarks);
        let withholds_end = actions.contains(&Action::WithholdInitialEventsEnd);
        Self {
            actions,
            sent: 0,
            seen: 0,
            withholds_bookmarks,
            withholds_end,
        }
    }

    /// Lines to slip in now, each once.
    fn injections(&mut self) -> Vec<Bytes> {
        let sent = self.sent;
        let due = |action: &mut Action| matches!(action, Action::InjectAfter { events, .. } if *events == sent);
        let due = self.actions.extract_if(.., due).filter_map(|action| match action {
            Action::InjectAfter { line, .. } => Some(Bytes::from(line + "\n")),
            _ => None,
        });
        due.collect()
    }

    fn turn(&self) -> Turn {
        for action in &self.actions {
            match action {
                Action::CloseAfter { events } if *events == self.sent => return Turn::Close,
                Action::FreezeAfter { events } if *events == self.sent => return Turn::Freeze,
                Action::TruncateAfter { events } if *events == self.sent => return Turn::Truncate,
                Action::ResetAfter { events } if *events == self.sent => return Turn::Reset,
                Action::ErrorAfter { events, status } if *events == self.sent => {
                    return Turn::Error(line("ERROR", status.body().as_bytes()));
                }
                _ => {}
            }
        }
        Turn::Go
    }

    fn lets_event_pass(&mut self) -> bool {
        let place = self.seen;
        self.seen += 1;
        let hides = |action: &Action| match action {
            Action::HideEvents { after, count } => place >= *after && place - after < *count,
            _ => false,
        };
        let passes = !self.actions.iter().any(hides);
        self.sent += usize::from(passes);
        passes
    }
}
