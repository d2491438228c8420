//! `informerd queue`: looks into the work queues, and acts on them.
//!
//! ```text
//!   ls, peek                 -> table | document     (readers)
//!   requeue, drain, delete   -> one line that says what was done
//! ```

mod document;
mod table;

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tokio::io::AsyncWriteExt as _;
use tonic::{Request, transport::Channel};

use crate::{
    cli::{
        Io,
        args::{
            QueueCommand, QueueDeleteArgs, QueueDrainArgs, QueueItemState, QueueLsArgs, QueuePeekArgs,
            QueueRequeueArgs, StatusOutput,
        },
        connect::ServerAddress,
        error::CliError,
        query::{queues, wire},
    },
    proto::v1alpha1::{
        AddItemsRequest, AddItemsResponse, DeleteQueueRequest, DrainMode, DrainQueueRequest, ItemState,
        ListItemsRequest, ListQueuesRequest, ObjectKey, PeekItemsRequest, Queue, QueueItem, QueueState,
    },
};

/// What the transport gets on top of the wait: the server's own answer says how far the drain is, a deadline does not.
const GRACE: Duration = Duration::from_secs(5);
/// Limits of the API.
const MAX_PEEK: u32 = 1000;
const MAX_PAGE: usize = 10_000;
const MAX_ADD: usize = 10_000;

/// Runs the command.
pub async fn run(command: QueueCommand, io: &mut Io<'_>) -> Result<(), CliError> {
    match command {
        QueueCommand::Ls(args) => ls(args, io).await,
        QueueCommand::Peek(args) => peek(args, io).await,
        QueueCommand::Requeue(args) => requeue(args, io).await,
        QueueCommand::Drain(args) => drain(args, io).await,
        QueueCommand::Delete(args) => delete(args, io).await,
    }
}

async fn connect(server: Option<&str>) -> Result<Channel, CliError> {
    ServerAddress::parse(server)?.connect().await
}

/// The API's name of a queue; both `q` and `queues/q` are accepted.
fn full_name(name: &str) -> Result<String, CliError> {
    match name.strip_prefix("queues/").unwrap_or(name) {
        "" => Err(CliError::Usage("the queue's name is empty".into())),
        id => Ok(format!("queues/{id}")),
    }
}

/// `namespace/name`, or `name` of a cluster-scoped object.
fn key(text: &str) -> Result<ObjectKey, CliError> {
    let parts: Vec<&str> = text.split('/').collect();
    let (namespace, name) = match parts[..] {
        [name] if !name.is_empty() => ("", name),
        [namespace, name] if !namespace.is_empty() && !name.is_empty() => (namespace, name),
        _ => {
            return Err(CliError::Usage(format!(
                "`{text}` is not a key: namespace/name, or name for cluster-scoped objects"
            )));
        }
    };
    Ok(ObjectKey {
        namespace: namespace.into(),
        name: name.into(),
    })
}

fn now() -> i64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |t| i64::try_from(t.as_secs()).unwrap_or(0))
}

async fn print(io: &mut Io<'_>, text: &str) -> Result<(), CliError> {
    io.out.write_all(text.as_bytes()).await?;
    Ok(io.out.flush().await?)
}

// === ls ===

async fn ls(args: QueueLsArgs, io: &mut Io<'_>) -> Result<(), CliError> {
    let channel = connect(args.server.server.as_deref()).await?;
    let list = list(&channel).await?;
    let out = match args.output {
        StatusOutput::Json => document::queues(&list)?,
        StatusOutput::Table => table::queues(&list, !args.no_headers),
    };
    print(io, &out).await?;
    if list.is_empty() && args.output == StatusOutput::Table {
        io.note("No queues: controllers create them with WorkQueueService.CreateQueue.");
    }
    Ok(())
}

async fn list(channel: &Channel) -> Result<Vec<Queue>, CliError> {
    let mut client = queues(channel);
    let mut all = Vec::new();
    let mut page_token = String::new();
    loop {
        let request = ListQueuesRequest {
            page_size: 0,
            page_token,
        };
        let page = client.list_queues(request).await?.into_inner();
        all.extend(page.queues);
        if page.next_page_token.is_empty() {
            return Ok(all);
        }
        page_token = page.next_page_token;
    }
}

// === peek ===

async fn peek(args: QueuePeekArgs, io: &mut Io<'_>) -> Result<(), CliError> {
    let queue = full_name(&args.name)?;
    if args.state.is_empty() && args.max > MAX_PEEK {
        return Err(CliError::Usage(format!(
            "--max {}: without --state at most {MAX_PEEK}",
            args.max
        )));
    }
    let channel = connect(args.server.server.as_deref()).await?;
    let (items, more) = if args.state.is_empty() {
        let request = PeekItemsRequest {
            queue,
            max_items: args.max,
        };
        (queues(&channel).peek_items(request).await?.into_inner().items, false)
    } else {
        in_states(&channel, queue, &args).await?
    };
    let out = match args.output {
        StatusOutput::Json => document::items(&items)?,
        StatusOutput::Table => table::items(&items, now(), !args.no_headers),
    };
    print(io, &out).await?;
    if more {
        io.note(&format!(
            "There may be more: these are the first {}; --max shows more.",
            args.max
        ));
    } else if items.is_empty() && args.output == StatusOutput::Table {
        io.note("No such keys.");
    }
    Ok(())
}

/// Keys in some states, and whether the listing was cut at the maximum.
async fn in_states(channel: &Channel, queue: String, args: &QueuePeekArgs) -> Result<(Vec<QueueItem>, bool), CliError> {
    let max = args.max as usize;
    let mut client = queues(channel);
    let mut request = ListItemsRequest {
        queue,
        states: args.state.iter().map(|s| ItemState::from(*s).into()).collect(),
        namespaces: args.namespace.clone(),
        page_size: i32::try_from(max.min(MAX_PAGE)).unwrap_or(i32::MAX),
        ..ListItemsRequest::default()
    };
    let mut all = Vec::new();
    loop {
        let page = client.list_items(request.clone()).await?.into_inner();
        all.extend(page.items);
        if all.len() >= max {
            let cut = all.len() > max || !page.next_page_token.is_empty();
            all.truncate(max);
            return Ok((all, cut));
        }
        if page.next_page_token.is_empty() {
            return Ok((all, false));
        }
        request.page_token = page.next_page_token;
    }
}

// === requeue, drain, delete ===

async fn requeue(args: QueueRequeueArgs, io: &mut Io<'_>) -> Result<(), CliError> {
    let queue = full_name(&args.name)?;
    // Each key is read before the first is sent: a typing error in the last one must not leave half of it done.
    let keys: Vec<ObjectKey> = args.keys.iter().map(|k| key(k)).collect::<Result<_, _>>()?;
    let mut client = queues(&connect(args.server.server.as_deref()).await?);
    let mut sum = AddItemsResponse::default();
    for keys in keys.chunks(MAX_ADD) {
        let request = AddItemsRequest {
            queue: queue.clone(),
            keys: keys.to_vec(),
            ..AddItemsRequest::default()
        };
        let reply = client.add_items(request).await?.into_inner();
        sum.queued += reply.queued;
        sum.merged += reply.merged;
        sum.dirty += reply.dirty;
    }
    let mut line = format!("{queue}: {} queued", sum.queued);
    if sum.merged > 0 {
        line += &format!(", {} queued already", sum.merged);
    }
    if sum.dirty > 0 {
        line += &format!(", {} again after the worker that has it is done", sum.dirty);
    }
    print(io, &(line + "\n")).await
}

async fn drain(args: QueueDrainArgs, io: &mut Io<'_>) -> Result<(), CliError> {
    let name = full_name(&args.name)?;
    let mut client = queues(&connect(args.server.server.as_deref()).await?);
    let mode = if args.stop { DrainMode::Stop } else { DrainMode::Finish };
    let mut request = Request::new(DrainQueueRequest {
        name: name.clone(),
        mode: mode.into(),
        timeout: Some(wire(args.timeout)),
    });
    request.set_timeout(args.timeout + GRACE);
    let queue = client
        .drain_queue(request)
        .await?
        .into_inner()
        .queue
        .unwrap_or_default();
    if queue.state() == QueueState::Drained {
        return print(io, &format!("{name} drained\n")).await;
    }
    let stats = queue.stats.unwrap_or_default();
    Err(CliError::Failed(format!(
        "{name} is not drained yet: {} ready, {} leased, {} withheld; it goes on draining",
        stats.ready, stats.leased, stats.gated
    )))
}

async fn delete(args: QueueDeleteArgs, io: &mut Io<'_>) -> Result<(), CliError> {
    let name = full_name(&args.name)?;
    let mut client = queues(&connect(args.server.server.as_deref()).await?);
    let request = DeleteQueueRequest {
        name: name.clone(),
        force: args.force,
    };
    client.delete_queue(request).await?;
    print(io, &format!("{name} deleted\n")).await
}

impl From<QueueItemState> for ItemState {
    fn from(state: QueueItemState) -> Self {
        match state {
            QueueItemState::Ready => Self::Ready,
            QueueItemState::Delayed => Self::Delayed,
            QueueItemState::Leased => Self::Leased,
            QueueItemState::Gated => Self::Gated,
            QueueItemState::Parked => Self::Parked,
            QueueItemState::Stale => Self::Stale,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_as_people_write_them() {
        for (text, want) in [
            ("a/b", Some(("a", "b"))),
            ("node-1", Some(("", "node-1"))),
            ("", None),
            ("/b", None),
            ("a/", None),
            ("a/b/c", None),
        ] {
            match (key(text), want) {
                (Ok(key), Some((namespace, name))) => assert_eq!((&*key.namespace, &*key.name), (namespace, name)),
                (Err(error), None) => assert_eq!(error.exit_code(), 2, "{text}"),
                (got, want) => panic!("{text}: {got:?} instead of {want:?}"),
            }
        }
    }

    #[test]
    fn a_queue_is_named_short_or_in_full() {
        assert_eq!(full_name("q").expect("valid"), "queues/q");
        assert_eq!(full_name("queues/q").expect("valid"), "queues/q");
        assert_eq!(full_name("queues/").expect_err("empty").exit_code(), 2);
    }
}
