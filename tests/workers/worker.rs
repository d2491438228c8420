//! One worker process. It takes keys with their objects, does some work, writes to the checker under its fencing tokens, and
//! completes with its next request. It outlives the sidecar: then it creates the queue anew and says what it holds.

use std::{
    io::{BufRead, BufReader, Write},
    os::unix::net::UnixStream,
    path::PathBuf,
    time::Duration,
};

use informerd::proto::v1alpha1::{
    AcquireItemsRequest, AcquireItemsResponse, HeldItem, Lease, ObjectKey, ObjectRequest, Outcome,
    RunWorkerSessionRequest, run_worker_session_response::Event,
};
use serde_json::{Value, json};
use support::{Process, Spawn};
use tokio::task::JoinHandle;
use tonic::{Code, Status};

use crate::rpc::{self, Queues};

const SIDECAR: &str = "INFORMERD_TEST_WORKER_SIDECAR";
const CHECKER: &str = "INFORMERD_TEST_WORKER_CHECKER";
const NAME: &str = "INFORMERD_TEST_WORKER_NAME";

/// What the work on a batch takes; a worker holds keys for most of the time, so that a kill finds it at work.
const WORK: Duration = Duration::from_millis(40);
/// Before the next look whether the sidecar is back.
const AGAIN: Duration = Duration::from_millis(50);
const BATCH: u32 = 16;

/// Starts a worker.
pub(crate) fn spawn(name: &str, sidecar: PathBuf, checker: PathBuf, dir: &std::path::Path) -> Process {
    let program = std::env::current_exe().expect("this program");
    Spawn::new(name, program, dir)
        .args(["--exact", "worker::is_a_worker_if_started_as_one", "--nocapture"])
        .env(SIDECAR, sidecar.display().to_string())
        .env(CHECKER, checker.display().to_string())
        .env(NAME, name)
        .start()
}

/// The entry of the worker processes; in the run of all tests there is no sidecar to work for.
#[test]
fn is_a_worker_if_started_as_one() {
    let (Some(sidecar), Some(checker)) = (std::env::var_os(SIDECAR), std::env::var_os(CHECKER)) else {
        return;
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let checker = UnixStream::connect(checker).expect("the checker listens");
    let worker = Worker {
        name: std::env::var(NAME).expect("a name"),
        reader: BufReader::new(checker.try_clone().expect("a second handle")),
        writer: checker,
        done: Vec::new(),
        epoch: String::new(),
    };
    runtime.expect("a runtime").block_on(worker.run(sidecar.into()));
}

struct Worker {
    name: String,
    reader: BufReader<UnixStream>,
    writer: UnixStream,
    /// Written, and not known to be completed.
    done: Vec<(ObjectKey, Lease)>,
    epoch: String,
}

// === impl Worker ===

impl Worker {
    async fn run(mut self, sidecar: PathBuf) {
        loop {
            if let Some(queues) = rpc::connect(&sidecar).await
                && let Err(status) = self.serve(queues).await
            {
                let expected = [
                    Code::Unavailable,
                    Code::Unknown,
                    Code::Cancelled,
                    Code::Internal,
                    Code::Aborted,
                    Code::NotFound,
                ];
                assert!(expected.contains(&status.code()), "{status:?}");
                eprintln!("{}: {status}", self.name);
            }
            tokio::time::sleep(AGAIN).await;
        }
    }

    /// Works until the server or the queue is another one.
    async fn serve(&mut self, mut queues: Queues) -> Result<(), Status> {
        rpc::create(&mut queues, rpc::short_leases()).await?;
        let session = self.open_session(&mut queues).await?;
        while !session.is_finished() {
            let request = AcquireItemsRequest {
                queue: rpc::QUEUE.into(),
                worker_id: self.name.clone(),
                max_items: BATCH,
                object: Some(ObjectRequest::default()),
                completions: self
                    .done
                    .iter()
                    .map(|(_, lease)| rpc::completion(&lease.lease_id, Outcome::Success))
                    .collect(),
                epoch: self.epoch.clone(),
                ..AcquireItemsRequest::default()
            };
            let response = queues.acquire_items(request).await?.into_inner();
            self.work(response).await;
        }
        Ok(())
    }

    /// The leases of what is still held are exchanged if they are of an earlier run of the server.
    async fn open_session(&mut self, queues: &mut Queues) -> Result<JoinHandle<()>, Status> {
        // What has ended meanwhile may be another worker's.
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let now = now.expect("a clock after 1970").as_nanos() as u64;
        self.done.retain(|(_, lease)| nanos(lease) > now);
        let held_items = self.done.iter().map(|(key, lease)| HeldItem {
            key: Some(key.clone()),
            lease_id: lease.lease_id.clone(),
        });
        let request = RunWorkerSessionRequest {
            queue: rpc::QUEUE.into(),
            worker_id: self.name.clone(),
            held_items: held_items.collect(),
            heartbeat_interval: rpc::seconds(1),
        };
        let mut stream = queues.run_worker_session(request).await?.into_inner();
        let first = stream.message().await?.and_then(|message| message.event);
        let Some(Event::Started(started)) = first else {
            return Err(Status::unavailable("the session ended before it began"));
        };
        self.epoch = started.epoch;
        let mut renewed = Vec::new();
        let held = std::mem::take(&mut self.done);
        for ((key, old), result) in held.into_iter().zip(started.held_items) {
            if let Some(lease) = result.lease {
                renewed.push(json!({
                    "key": rpc::name_of(Some(&key)), "was": old.fencing_token, "token": lease.fencing_token,
                    "expires": nanos(&lease),
                }));
                self.done.push((key, lease));
            }
        }
        self.tell(&json!({"worker": self.name, "renewed": renewed}));
        Ok(tokio::spawn(async move {
            // Hints and heartbeats; what counts is the end.
            while let Ok(Some(_)) = stream.message().await {}
        }))
    }

    async fn work(&mut self, response: AcquireItemsResponse) {
        let (mut completed, mut refused) = (Vec::new(), Vec::new());
        for ((_, lease), result) in std::mem::take(&mut self.done).iter().zip(&response.completions) {
            match result.code {
                0 => completed.push(lease.fencing_token),
                _ => refused.push(lease.fencing_token),
            }
        }
        let begun: Vec<_> = response
            .items
            .iter()
            .map(|item| {
                let lease = item.lease.as_ref().expect("a lease");
                json!({
                    "key": rpc::name_of(item.key.as_ref()), "token": lease.fencing_token, "expires": nanos(lease),
                    "version": rpc::version_of(item),
                })
            })
            .collect();
        self.tell(&json!({
            "worker": self.name, "epoch": response.epoch, "completed": completed, "refused": refused, "begun": begun,
        }));
        if begun.is_empty() {
            return;
        }
        tokio::time::sleep(WORK).await;
        self.tell(&json!({"worker": self.name, "written": begun}));
        let items = response.items.into_iter();
        self.done = items.filter_map(|item| Some((item.key?, item.lease?))).collect();
    }

    /// Returns when the checker has taken it.
    fn tell(&mut self, message: &Value) {
        writeln!(self.writer, "{message}").expect("the checker reads");
        let mut reply = String::new();
        self.reader.read_line(&mut reply).expect("the checker answers");
        assert_eq!(reply, "taken\n");
    }
}

fn nanos(lease: &Lease) -> u64 {
    let time = lease.expire_time.as_ref().expect("an end");
    time.seconds as u64 * 1_000_000_000 + time.nanos as u64
}
