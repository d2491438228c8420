//! A scripted API server, a reflector that runs against it, and a store that applies what comes out.

use std::{
    collections::BTreeMap,
    io,
    sync::{Arc, Mutex},
    time::Duration,
};

use bytes::Bytes;
use futures::{StreamExt, stream::BoxStream};
use http::{Request, Response};
use http_body_util::StreamBody;
use hyper::body::Frame;
use kube::{Client, client::Body};
use tokio::{
    sync::{mpsc, oneshot},
    task::JoinHandle,
    time::{Instant, timeout},
};

use crate::{
    delta::{Delta, DeltaFifo, KnownObjects},
    object::{Object, ObjectKey, PointerSet, Scanner, Transform},
    reflector::{Randomness, Reflector, ReflectorConfig},
    upstream::{ListMode, ReflectorJob, Resource, StatusCell, UpstreamState, UpstreamStatus},
};

type Chunks = BoxStream<'static, Result<Frame<Bytes>, io::Error>>;
type Answer = Result<Response<StreamBody<Chunks>>, io::Error>;

/// Everything of one test.
pub(super) struct Harness {
    requests: mpsc::UnboundedReceiver<Asked>,
    deltas: mpsc::UnboundedReceiver<String>,
    pub(super) status: StatusCell,
    pub(super) reflector: JoinHandle<()>,
    pub(super) store: Arc<Store>,
    /// While someone holds it, nothing is applied.
    pub(super) gate: Arc<tokio::sync::Mutex<()>>,
    consumer: JoinHandle<()>,
}

/// A request that waits for its answer.
pub(super) struct Asked {
    pub(super) request: Request<()>,
    pub(super) at: Instant,
    answer: oneshot::Sender<Answer>,
}

/// The sending end of a body.
pub(super) struct Stream(mpsc::UnboundedSender<Result<Frame<Bytes>, io::Error>>);

#[derive(Default)]
pub(super) struct Store(Mutex<(u32, Slots)>);

type Slots = BTreeMap<ObjectKey, (u32, Arc<Object>)>;

/// The kinds of request.
pub(super) const WATCH_LIST: &str = "watch-list";
pub(super) const LIST: &str = "list";
pub(super) const WATCH: &str = "watch";

pub(super) fn pods() -> Resource {
    Resource {
        group: String::new(),
        version: "v1".into(),
        plural: "pods".into(),
        kind: "Pod".into(),
        namespaced: true,
    }
}

pub(super) fn pod(name: &str, version: u64) -> String {
    format!(
        r#"{{"kind":"Pod","apiVersion":"v1","metadata":{{"name":"{name}","namespace":"n","uid":"uid-{name}","resourceVersion":"{version}"}}}}"#
    )
}

pub(super) fn event(event_type: &str, object: &str) -> String {
    format!("{{\"type\":\"{event_type}\",\"object\":{object}}}\n")
}

pub(super) fn added(name: &str, version: u64) -> String {
    event("ADDED", &pod(name, version))
}

pub(super) fn bookmark(version: u64) -> String {
    event(
        "BOOKMARK",
        &format!(r#"{{"kind":"Pod","apiVersion":"v1","metadata":{{"resourceVersion":"{version}"}}}}"#),
    )
}

pub(super) fn initial_end(version: u64) -> String {
    event(
        "BOOKMARK",
        &format!(
            r#"{{"kind":"Pod","apiVersion":"v1","metadata":{{"resourceVersion":"{version}","annotations":{{"k8s.io/initial-events-end":"true"}}}}}}"#
        ),
    )
}

pub(super) fn status(code: u16, reason: &str) -> String {
    format!(
        r#"{{"kind":"Status","apiVersion":"v1","status":"Failure","code":{code},"reason":"{reason}","message":"said so"}}"#
    )
}

pub(super) fn list(version: &str, token: &str, items: &[String]) -> String {
    format!(
        r#"{{"kind":"PodList","apiVersion":"v1","metadata":{{"resourceVersion":"{version}","continue":"{token}"}},"items":[{}]}}"#,
        items.join(",")
    )
}

// === impl Harness ===

impl Harness {
    pub(super) fn start(list_mode: ListMode) -> Self {
        Self::with(|job, _| job.list_mode = list_mode)
    }

    pub(super) fn with(change: impl FnOnce(&mut ReflectorJob, &mut ReflectorConfig)) -> Self {
        let (ask, requests) = mpsc::unbounded_channel();
        let service = tower::service_fn(move |request: Request<Body>| {
            let (answer, answered) = oneshot::channel();
            let at = Instant::now();
            let request = request.map(|_| ());
            let sent = ask.send(Asked { request, at, answer });
            async move {
                sent.map_err(io::Error::other)?;
                answered.await.map_err(io::Error::other)?
            }
        });
        let store = Arc::new(Store::default());
        let (mut fifo, deltas) = DeltaFifo::new(1 << 20, store.clone());
        let (tell, told) = mpsc::unbounded_channel();
        let applied = store.clone();
        let gate = Arc::new(tokio::sync::Mutex::new(()));
        let pass = gate.clone();
        let consumer = tokio::spawn(async move {
            while let Some(batch) = fifo.pop_batch(16).await {
                for item in batch {
                    let _pass = pass.lock().await;
                    let _ = tell.send(applied.apply(&item.delta));
                }
            }
        });
        let status = StatusCell::new();
        let mut job = ReflectorJob {
            resource: pods(),
            namespace: None,
            label_selector: None,
            field_selector: None,
            metadata_only: false,
            list_mode: ListMode::Auto,
            scanner: Arc::new(Scanner::new(
                pods().type_meta(),
                Transform::default(),
                PointerSet::default(),
            )),
            deltas,
            status: status.clone(),
        };
        let mut config = ReflectorConfig {
            randomness: Randomness::new(|| 0.0),
            ..ReflectorConfig::default()
        };
        change(&mut job, &mut config);
        let reflector = Reflector::new(Arc::new(Client::new(service, "default")), config);
        Self {
            requests,
            deltas: told,
            status,
            reflector: tokio::spawn(async move { reflector.run(job).await }),
            store,
            gate,
            consumer,
        }
    }

    /// A reflector that has its state by list, at `version`, and whose watch waits for its answer.
    pub(super) async fn listed(version: u64) -> (Self, Asked) {
        let mut h = Self::start(ListMode::List);
        h.next_is(LIST).await.json(&list(&version.to_string(), "", &[]));
        h.delta_is(&format!("REPLACED @{version}")).await;
        let watch = h.next_is(WATCH).await;
        (h, watch)
    }

    /// The next request, however long it takes.
    pub(super) async fn next(&mut self) -> Asked {
        timeout(Duration::from_secs(3600), self.requests.recv())
            .await
            .expect("a request within the hour")
            .expect("the reflector runs")
    }

    /// The next request, of this kind.
    pub(super) async fn next_is(&mut self, kind: &str) -> Asked {
        let asked = self.next().await;
        assert_eq!(asked.kind(), kind, "{}", asked.request.uri());
        asked
    }

    pub(super) async fn no_request_for(&mut self, time: Duration) {
        if let Ok(Some(asked)) = timeout(time, self.requests.recv()).await {
            panic!("unexpected {}", asked.request.uri());
        }
    }

    pub(super) async fn delta(&mut self) -> String {
        timeout(Duration::from_secs(3600), self.deltas.recv())
            .await
            .expect("a delta within the hour")
            .expect("the consumer runs")
    }

    pub(super) async fn delta_is(&mut self, want: &str) {
        assert_eq!(self.delta().await, want);
    }

    pub(super) fn no_delta(&mut self) {
        if let Ok(delta) = self.deltas.try_recv() {
            panic!("unexpected {delta}");
        }
    }

    /// The status once the reflector is in `state`.
    pub(super) async fn state(&self, state: UpstreamState) -> UpstreamStatus {
        let mut status = self.status.subscribe();
        let found = timeout(Duration::from_secs(3600), status.wait_for(|s| s.state == state)).await;
        found
            .expect("the state within the hour")
            .expect("the cell lives")
            .clone()
    }

    /// The informer stops.
    pub(super) fn stop(&self) {
        self.consumer.abort();
    }
}

impl Drop for Harness {
    fn drop(&mut self) {
        self.reflector.abort();
    }
}

// === impl Asked ===

impl Asked {
    pub(super) fn kind(&self) -> &'static str {
        let query = self.request.uri().query().unwrap_or_default();
        match (query.contains("watch=true"), query.contains("sendInitialEvents=true")) {
            (true, true) => WATCH_LIST,
            (true, false) => WATCH,
            (false, _) => LIST,
        }
    }

    pub(super) fn param(&self, name: &str) -> Option<String> {
        let query = self.request.uri().query().unwrap_or_default();
        let mut pairs = url::form_urlencoded::parse(query.as_bytes());
        pairs.find(|(k, _)| k == name).map(|(_, v)| v.into_owned())
    }

    /// resourceVersion; "" if there is none.
    pub(super) fn version(&self) -> String {
        self.param("resourceVersion").unwrap_or_default()
    }

    pub(super) fn header(&self, name: &str) -> &str {
        self.request.headers()[name].to_str().unwrap()
    }

    /// 200 with a whole body.
    pub(super) fn json(self, body: &str) {
        self.status(200, body);
    }

    pub(super) fn status(self, code: u16, body: &str) {
        self.full(Response::builder().status(code), body);
    }

    pub(super) fn full(self, head: http::response::Builder, body: &str) {
        let chunk = Ok(Frame::data(Bytes::copy_from_slice(body.as_bytes())));
        let chunks: Chunks = futures::stream::iter([chunk]).boxed();
        let _ = self.answer.send(Ok(head.body(StreamBody::new(chunks)).unwrap()));
    }

    /// 200 with a body that the test goes on writing.
    pub(super) fn stream(self) -> Stream {
        let (tx, rx) = mpsc::unbounded_channel();
        let chunks: Chunks = tokio_stream::wrappers::UnboundedReceiverStream::new(rx).boxed();
        let _ = self.answer.send(Ok(Response::new(StreamBody::new(chunks))));
        Stream(tx)
    }

    /// No connection.
    pub(super) fn refuse(self) {
        let error = io::Error::new(io::ErrorKind::ConnectionRefused, "connection refused");
        let _ = self.answer.send(Err(error));
    }
}

// === impl Stream ===

impl Stream {
    pub(super) fn send(&self, text: &str) {
        let _ = self.0.send(Ok(Frame::data(Bytes::copy_from_slice(text.as_bytes()))));
    }

    /// The connection breaks.
    pub(super) fn cut(self) {
        let _ = self
            .0
            .send(Err(io::Error::new(io::ErrorKind::ConnectionReset, "connection reset")));
    }

    /// The server ends the body.
    pub(super) fn close(self) {}

    /// Waits until the reflector has dropped the body.
    pub(super) async fn dropped(&self) {
        timeout(Duration::from_secs(3600), self.0.closed())
            .await
            .expect("dropped within the hour");
    }
}

// === impl Store ===

impl KnownObjects for Store {
    fn known(&self, key: &ObjectKey) -> Option<(u32, Arc<Object>)> {
        self.0.lock().unwrap().1.get(key).cloned()
    }
}

impl Store {
    /// `name@version` of all objects.
    pub(super) fn all(&self) -> Vec<String> {
        self.0.lock().unwrap().1.values().map(|(_, o)| text(o)).collect()
    }

    /// Applies a delta as the real store would, and says in words what it was.
    fn apply(&self, delta: &Delta) -> String {
        let mut guard = self.0.lock().unwrap();
        let (next, objects) = &mut *guard;
        let mut put = |objects: &mut BTreeMap<_, _>, o: &Arc<Object>| {
            *next += 1;
            objects.insert(o.key.clone(), (*next, o.clone()));
        };
        match delta {
            Delta::Added(o) => {
                put(objects, o);
                format!("ADDED {}", text(o))
            }
            Delta::Updated(o) => {
                put(objects, o);
                format!("UPDATED {}", text(o))
            }
            Delta::Deleted(o) => {
                objects.remove(&o.key);
                format!("DELETED {}", text(o))
            }
            Delta::Bookmark(version) => format!("BOOKMARK @{version}"),
            Delta::Replaced(r) => {
                let word = if r.anew { "ANEW" } else { "REPLACED" };
                let mut words = vec![format!("{word} @{}", r.resource_version)];
                objects.retain(|key, (slot, o)| {
                    if r.unchanged.contains(*slot) {
                        words.push(format!("={}", text(o)));
                    } else if !r.changed.contains_key(key) {
                        words.push(format!("-{}", key.name()));
                        return false;
                    }
                    true
                });
                for o in r.changed.values() {
                    words.push(format!("+{}", text(o)));
                    put(objects, o);
                }
                words.join(" ")
            }
        }
    }
}

fn text(o: &Object) -> String {
    format!("{}@{}", o.key.name(), o.resource_version())
}
