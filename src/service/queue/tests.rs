use futures::StreamExt as _;
use pb::run_worker_session_response::Event;

use super::*;
use crate::{
    clock::Clock,
    informer::FactoryOptions,
    service::testing::{FakeReflector, FakeUpstream, object},
    upstream::UpstreamState,
};

mod sessions;

struct Rig {
    api: QueueApi,
    upstream: Arc<FakeUpstream>,
}

fn rig() -> Rig {
    let upstream = FakeUpstream::new();
    let clock = Clock::start();
    Rig {
        api: QueueApi::new(
            upstream.factory(FactoryOptions::default()),
            Queues::new(clock, "epoch".into()),
            CancellationToken::new(),
        ),
        upstream,
    }
}

fn pods() -> pb::QueueSource {
    let resource = pb::ResourceRef {
        resource: "pods".into(),
        ..Default::default()
    };
    pb::QueueSource {
        informer: Some(pb::InformerSelector {
            by: Some(pb::informer_selector::By::Resource(resource)),
        }),
        ..Default::default()
    }
}

fn spec(sources: Vec<pb::QueueSource>) -> pb::QueueSpec {
    pb::QueueSpec {
        sources,
        restart_hold: Some(prost_types::Duration::default()),
        ..Default::default()
    }
}

fn key(text: &str) -> pb::ObjectKey {
    let (namespace, name) = text.split_once('/').unwrap_or(("", text));
    pb::ObjectKey {
        namespace: namespace.into(),
        name: name.into(),
    }
}

fn seconds(seconds: i64) -> Option<prost_types::Duration> {
    Some(prost_types::Duration { seconds, nanos: 0 })
}

fn done(item: &pb::WorkItem, outcome: pb::Outcome) -> pb::Completion {
    pb::Completion {
        lease_id: item.lease.as_ref().unwrap().lease_id.clone(),
        outcome: outcome.into(),
        ..Default::default()
    }
}

fn names(items: &[pb::WorkItem]) -> Vec<String> {
    let name = |i: &pb::WorkItem| i.key.as_ref().map(|k| format!("{}/{}", k.namespace, k.name));
    items.iter().filter_map(name).collect()
}

impl Rig {
    async fn create(&self, spec: pb::QueueSpec) -> pb::Queue {
        let request = pb::CreateQueueRequest {
            queue_id: "q".into(),
            spec: Some(spec),
        };
        let response = self.api.create_queue(Request::new(request)).await.unwrap();
        response.into_inner().queue.unwrap()
    }

    /// A queue over pods, and the reflector that a test plays.
    async fn over_pods(&self, source: pb::QueueSource) -> FakeReflector {
        self.create(spec(vec![source])).await;
        self.upstream.reflector("pods").await
    }

    async fn add(&self, keys: &[&str]) {
        let request = pb::AddItemsRequest {
            queue: "queues/q".into(),
            keys: keys.iter().map(|k| key(k)).collect(),
            ..Default::default()
        };
        self.api.add_items(Request::new(request)).await.unwrap();
    }

    fn poll(&self, worker: &str, max: u32) -> pb::AcquireItemsRequest {
        pb::AcquireItemsRequest {
            queue: "queues/q".into(),
            worker_id: worker.into(),
            max_items: max,
            wait_timeout: seconds(5),
            ..Default::default()
        }
    }

    async fn acquire(&self, worker: &str, max: u32) -> Vec<pb::WorkItem> {
        self.acquire_as(self.poll(worker, max)).await.items
    }

    async fn acquire_as(&self, request: pb::AcquireItemsRequest) -> pb::AcquireItemsResponse {
        self.api
            .acquire_items(Request::new(request))
            .await
            .unwrap()
            .into_inner()
    }

    async fn complete(&self, completion: pb::Completion) -> pb::ItemResult {
        let request = pb::CompleteItemsRequest {
            queue: "queues/q".into(),
            completions: vec![completion],
        };
        let response = self.api.complete_items(Request::new(request)).await.unwrap();
        response.into_inner().results.remove(0)
    }
}

#[tokio::test(start_paused = true)]
async fn keys_come_in_store_order_after_the_cache_holds_the_object() {
    let rig = rig();
    let reflector = rig.over_pods(pods()).await;
    reflector.list([object("a/x", 5, ""), object("a/y", 6, "")], 9).await;
    let mut request = rig.poll("w", 10);
    request.object = Some(pb::ObjectRequest::default());
    let first = rig.acquire_as(request.clone()).await;
    assert_eq!(names(&first.items), ["a/x", "a/y"]);
    // E6: what was there before is less urgent than what happens now.
    assert!(first.items.iter().all(|i| i.priority == -100 && i.object.is_some()));
    assert!(first.statuses[0].synced);
    // Added while leased: handed out again after the completion (row Q1), and a deletion yields its key.
    reflector.updated(&object("a/x", 10, "")).await;
    reflector.deleted(&object("a/y", 11, "")).await;
    reflector.added(&object("a/z", 12, "")).await;
    let live = rig.acquire_as(request.clone()).await;
    assert_eq!(names(&live.items), ["a/z"]);
    for item in &first.items {
        assert_eq!(rig.complete(done(item, pb::Outcome::Success)).await.code, 0);
    }
    let again = rig.acquire_as(request).await;
    assert_eq!(names(&again.items), ["a/x", "a/y"]);
    let version = |i: &pb::WorkItem| {
        i.object
            .as_ref()
            .map(|o| o.r#ref.as_ref().unwrap().resource_version.clone())
    };
    assert_eq!(version(&again.items[0]).as_deref(), Some("10"));
    assert!(again.items[1].object_missing);
}

#[tokio::test(start_paused = true)]
async fn p8_a_relist_neither_loses_nor_doubles_keys() {
    let rig = rig();
    let reflector = rig.over_pods(pods()).await;
    reflector
        .list(
            [object("a/gone", 5, ""), object("a/same", 6, ""), object("a/upd", 7, "")],
            9,
        )
        .await;
    for item in rig.acquire("w", 10).await {
        rig.complete(done(&item, pb::Outcome::Success)).await;
    }
    reflector
        .list(
            [
                object("a/new", 11, ""),
                object("a/same", 6, ""),
                object("a/upd", 12, ""),
            ],
            20,
        )
        .await;
    assert_eq!(names(&rig.acquire("w", 10).await), ["a/gone", "a/new", "a/upd"]);
    let mut none = rig.poll("w", 10);
    none.wait_timeout = seconds(0);
    assert!(rig.acquire_as(none).await.items.is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_queue_survives_rights_that_are_revoked_and_a_resource_that_goes_and_comes_back() {
    let rig = rig();
    let reflector = rig.over_pods(pods()).await;
    reflector.list([object("a/x", 5, ""), object("a/y", 6, "")], 9).await;
    let mut waiting = rig.acquire("w", 10).await;
    for (state, status, rv) in [(UpstreamState::Forbidden, 403, 20), (UpstreamState::Gone, 404, 30)] {
        reflector.fail(state, status, "Refused");
        // What was handed out before is completed, and what is queued is handed out, as if nothing was the matter.
        for item in &waiting {
            assert_eq!(rig.complete(done(item, pb::Outcome::Success)).await.code, 0);
        }
        reflector
            .list([object("a/x", 5, ""), object("a/y", rv, "")], rv + 1)
            .await;
        waiting = rig.acquire("w", 10).await;
        assert_eq!(names(&waiting), ["a/y"]);
    }
}

#[tokio::test(start_paused = true)]
async fn e4_e5_predicates_and_mappers_choose_the_keys() {
    let rig = rig();
    let source = pb::QueueSource {
        predicates: vec![pb::PredicateGroup {
            any_of: vec![pb::Predicate::LabelsChanged.into()],
        }],
        mapper: Some(pb::KeyMapper {
            by: Some(pb::key_mapper::By::Label("app".into())),
            ..Default::default()
        }),
        ..pods()
    };
    let reflector = rig.over_pods(source).await;
    reflector.list([object("a/x", 5, "app=web")], 9).await;
    let first = rig.acquire("w", 10).await;
    assert_eq!(names(&first), ["a/web"]);
    rig.complete(done(&first[0], pb::Outcome::Success)).await;
    // The labels are the same: nothing to do.
    reflector.updated(&object("a/x", 10, "app=web")).await;
    // Both the former and the new owner learn of a change.
    reflector.updated(&object("a/x", 11, "app=db")).await;
    let both = rig.acquire("w", 10).await;
    assert_eq!(names(&both), ["a/web", "a/db"]);
    for item in &both {
        rig.complete(done(item, pb::Outcome::Success)).await;
    }
    reflector.deleted(&object("a/x", 12, "app=db")).await;
    assert_eq!(names(&rig.acquire("w", 10).await), ["a/db"]);
}

#[tokio::test(start_paused = true)]
async fn long_polls_are_served_in_order_and_one_whose_client_is_gone_takes_nothing() {
    let rig = rig();
    rig.create(spec(vec![])).await;
    let mut first = Box::pin(rig.acquire("first", 1));
    let mut second = Box::pin(rig.acquire("second", 1));
    assert!(futures::poll!(&mut first).is_pending());
    assert!(futures::poll!(&mut second).is_pending());
    drop(first);
    rig.add(&["a/x"]).await;
    assert_eq!(names(&second.await), ["a/x"]);
    // Handed over, but the client goes before it reads the reply: the key comes back at once.
    let mut leaving = Box::pin(rig.acquire("leaving", 1));
    assert!(futures::poll!(&mut leaving).is_pending());
    rig.add(&["a/y"]).await;
    drop(leaving);
    let item = rig.acquire("next", 1).await.remove(0);
    assert_eq!(
        (names(std::slice::from_ref(&item)), item.failures),
        (vec!["a/y".to_owned()], 0)
    );
}

#[tokio::test(start_paused = true)]
async fn case_f_a_lease_expires_and_a_late_completion_has_no_effect() {
    let rig = rig();
    rig.create(spec(vec![])).await;
    rig.add(&["a/x"]).await;
    let lost = rig.acquire("dead", 1).await.remove(0);
    tokio::time::advance(Duration::from_secs(31)).await;
    let again = rig.acquire("alive", 1).await.remove(0);
    assert_eq!(
        (again.failures, again.last_failure()),
        (1, pb::FailureReason::LeaseExpired)
    );
    assert!(again.lease.as_ref().unwrap().fencing_token > lost.lease.as_ref().unwrap().fencing_token);
    let late = rig.complete(done(&lost, pb::Outcome::Success)).await;
    assert_eq!((late.code, late.reason.as_str()), (Code::Aborted as i32, "LEASE_LOST"));
    assert_eq!(rig.complete(done(&again, pb::Outcome::Success)).await.code, 0);
}

#[tokio::test(start_paused = true)]
async fn kep_5647_a_key_is_withheld_until_the_cache_has_seen_its_own_write() {
    let rig = rig();
    let reflector = rig.over_pods(pods()).await;
    reflector.list([object("a/x", 5, "")], 9).await;
    let write = |rv: &str| pb::WrittenVersion {
        informer: "informers/pods".into(),
        resource_version: rv.into(),
    };
    let item = rig.acquire("w", 1).await.remove(0);
    let mut completion = done(&item, pb::Outcome::Success);
    completion.wait_for = vec![write("12")];
    rig.complete(completion).await;
    // An event older than the write does not hand the key out.
    reflector.updated(&object("a/x", 11, "")).await;
    let mut now = rig.poll("w", 1);
    now.wait_timeout = seconds(0);
    assert!(rig.acquire_as(now.clone()).await.items.is_empty());
    reflector.updated(&object("a/x", 12, "")).await;
    let seen = rig.acquire("w", 1).await.remove(0);
    assert!(!seen.stale);
    // A write that never shows is waited for no longer than the cap, and the key says so.
    let mut completion = done(&seen, pb::Outcome::Release);
    completion.wait_for = vec![write("99")];
    rig.complete(completion).await;
    assert!(rig.acquire_as(now).await.items.is_empty());
    tokio::time::advance(Duration::from_secs(71)).await;
    assert!(rig.acquire("w", 1).await.remove(0).stale);
}

#[tokio::test(start_paused = true)]
async fn bad_input_has_its_own_reasons_and_empty_batches_do_nothing() {
    use tonic_types::StatusExt as _;
    let rig = rig();
    rig.create(spec(vec![])).await;
    let reason = |status: Status| {
        let info = status.get_details_error_info().unwrap();
        (status.code(), info.reason)
    };
    let unknown = rig.api.get_queue_stats(Request::new(pb::GetQueueStatsRequest {
        queue: "queues/none".into(),
    }));
    assert_eq!(
        reason(unknown.await.unwrap_err()),
        (Code::NotFound, "QUEUE_NOT_FOUND".into())
    );
    let other = pb::CreateQueueRequest {
        queue_id: "q".into(),
        spec: Some(pb::QueueSpec {
            lease_duration: seconds(60),
            ..spec(vec![])
        }),
    };
    let conflict = rig.api.create_queue(Request::new(other)).await.unwrap_err();
    assert_eq!(reason(conflict), (Code::AlreadyExists, "QUEUE_SPEC_CONFLICT".into()));
    // The same declaration, with the defaults written out, is the same queue.
    let same = pb::QueueSpec {
        lease_duration: seconds(30),
        max_items_per_worker: 10_000,
        ..spec(vec![])
    };
    assert_eq!(rig.create(same).await.name, "queues/q");
    let mut epoch = rig.poll("w", 1);
    epoch.epoch = "another".into();
    let changed = rig.api.acquire_items(Request::new(epoch)).await.unwrap_err();
    assert_eq!(reason(changed), (Code::Aborted, "EPOCH_CHANGED".into()));
    for (lease_id, want) in [
        ("garbage", "INVALID_FIELD"),
        ("another-0.1", "EPOCH_CHANGED"),
        ("epoch-0.1", "LEASE_LOST"),
    ] {
        let completion = pb::Completion {
            lease_id: lease_id.into(),
            outcome: pb::Outcome::Success.into(),
            ..Default::default()
        };
        assert_eq!(rig.complete(completion).await.reason, want);
    }
    // Negative delays are no delays, and nothing is nothing.
    let negative = pb::AddItemsRequest {
        queue: "queues/q".into(),
        keys: vec![key("a/x")],
        after: seconds(-5),
        ..Default::default()
    };
    assert_eq!(
        rig.api
            .add_items(Request::new(negative))
            .await
            .unwrap()
            .into_inner()
            .queued,
        1
    );
    let nothing = pb::AddItemsRequest {
        queue: "queues/q".into(),
        ..Default::default()
    };
    assert_eq!(
        rig.api
            .add_items(Request::new(nothing))
            .await
            .unwrap()
            .into_inner()
            .queued,
        0
    );
    assert_eq!(names(&rig.acquire("w", 10).await), ["a/x"]);
    // In use, drained, gone.
    let delete = |force| {
        rig.api.delete_queue(Request::new(pb::DeleteQueueRequest {
            name: "queues/q".into(),
            force,
        }))
    };
    assert_eq!(reason(delete(false).await.unwrap_err()).1, "QUEUE_IN_USE");
    let drain = pb::DrainQueueRequest {
        name: "queues/q".into(),
        mode: pb::DrainMode::Stop.into(),
        timeout: None,
    };
    let drained = rig.api.drain_queue(Request::new(drain)).await.unwrap().into_inner();
    assert_eq!(drained.queue.unwrap().state(), pb::QueueState::Drained);
    assert!(rig.acquire("w", 1).await.is_empty());
    let refused = pb::AddItemsRequest {
        queue: "queues/q".into(),
        keys: vec![key("a/y")],
        ..Default::default()
    };
    let refused = rig.api.add_items(Request::new(refused)).await.unwrap_err();
    assert_eq!(reason(refused), (Code::FailedPrecondition, "QUEUE_DRAINING".into()));
    delete(true).await.unwrap();
    assert_eq!(reason(delete(true).await.unwrap_err()).1, "QUEUE_NOT_FOUND");
}
