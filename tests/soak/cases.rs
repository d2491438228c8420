//! Field cases of crowds: small ones, that count and do not measure (`benches/pressure.rs` measures).

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use informerd::{
    proto::v1alpha1::{
        InformerSelector, Overflow, WatchRequest, WatchResponse, informer_selector::By,
        subscription_service_client::SubscriptionServiceClient, watch_response::Control,
    },
    sim::{Sim, Verb},
};
use serde_json::json;
use tokio::{sync::watch, time::timeout};
use tonic::{Streaming, transport::Channel};

use super::{
    client::{self, Habits, Seen},
    in_one_thread,
    sidecar::{Declared, Restartable},
    view::{Key, State},
};

const ALL: &[Declared] = &[("all", &[], 1_000)];
const FILLING: usize = 2_000;
const LIMIT: Duration = Duration::from_secs(600);

async fn sim_with(count: usize) -> Sim {
    let sim = Sim::builder()
        .history_limit(4_000)
        .start()
        .await
        .expect("a simulated cluster");
    for i in 0..count {
        change(&sim, i, 0);
    }
    sim
}

fn change(sim: &Sim, i: usize, round: usize) {
    let object = json!({
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": format!("c{i}"), "namespace": "default"},
        // More in all than transports buffer.
        "data": {"round": round.to_string(), "filling": "x".repeat(FILLING)},
    });
    sim.apply(object).expect("a valid object");
}

fn truth(sim: &Sim) -> BTreeMap<Key, State> {
    let objects = sim.list("configmaps").expect("ConfigMaps are known");
    let text = |field: &serde_json::Value| field.as_str().unwrap_or("").to_owned();
    let state = |object: &serde_json::Value| {
        let metadata = &object["metadata"];
        let version = text(&metadata["resourceVersion"]).parse().expect("a number");
        (
            (text(&metadata["namespace"]), text(&metadata["name"])),
            (text(&metadata["uid"]), version),
        )
    };
    objects.iter().map(state).collect()
}

fn habits(name: &'static str, pause: Duration) -> Habits {
    Habits {
        name,
        informer: "all",
        namespaces: &[],
        labels: "",
        overflow: Overflow::Coalesce,
        pause,
        outstanding: 0,
        ack_every: 0,
        hashes: false,
        leaves_after: 0,
        resync: None,
    }
}

/// Waits until the client holds the truth.
async fn agrees(seen: &Seen, sim: &Sim) {
    let wanted = truth(sim);
    let mut state = seen.state.subscribe();
    let equal = async {
        while *seen.view.lock().objects() != wanted {
            assert_eq!(state.borrow_and_update().1, None);
            state.changed().await.expect("the client runs");
        }
    };
    timeout(LIMIT, equal)
        .await
        .unwrap_or_else(|_| panic!("{} does not get the truth", seen.habits.name));
}

/// Requests for ConfigMaps by what they do.
fn asked(sim: &Sim) -> (usize, usize) {
    let log = sim.request_log();
    let of = |verbs: &[Verb]| {
        let about = |r: &&informerd::sim::LoggedRequest| r.resource.as_deref() == Some("configmaps");
        log.iter().filter(about).filter(|r| verbs.contains(&r.verb)).count()
    };
    (of(&[Verb::List, Verb::WatchList]), of(&[Verb::Watch]))
}

#[test]
fn case_26_a_subscriber_that_never_reads_costs_bounded_work_and_delays_nobody() {
    const OBJECTS: usize = 200;
    const UPDATES: usize = 3_000;
    in_one_thread(async {
        let sim = sim_with(OBJECTS).await;
        let sidecar = Restartable::start(&sim, ALL).await;
        let (hurry, _) = watch::channel(false);
        let start = |habits, seed| client::start(habits, sidecar.socket.clone(), hurry.subscribe(), seed);
        let other: Arc<Seen> = start(habits("other", Duration::ZERO), 1);
        // It takes the first message and then none, until it is told to.
        let stuck: Arc<Seen> = start(habits("stuck", Duration::from_secs(1 << 30)), 2);
        agrees(&other, &sim).await;
        for i in 0..UPDATES {
            change(&sim, i % OBJECTS, i + 1);
            if i % 500 == 0 {
                agrees(&other, &sim).await;
            }
        }
        agrees(&other, &sim).await;
        let events = other.view.lock().events;
        assert_eq!(events, (OBJECTS + UPDATES) as u64, "the other one gets each change");
        assert!(stuck.view.lock().objects().is_empty(), "it has not read");
        hurry.send_replace(true);
        agrees(&stuck, &sim).await;
        let (events, folded) = {
            // Locked once: both guards of one statement would live to its end, and wait for each other.
            let view = stuck.view.lock();
            (view.events, view.folded)
        };
        assert!(
            events < UPDATES as u64 / 2 && folded > 0,
            "{events} events, {folded} folded: nothing is heaped up"
        );
        // The paused clock leaps while sockets are waited for, so a watch may reach its end and go on with another one
        // (and look at one object, for the history of the server); all objects are never asked for again.
        let log = sim.request_log();
        let all = |r: &&informerd::sim::LoggedRequest| {
            let lists = matches!(r.verb, Verb::List | Verb::WatchList);
            lists && r.resource.as_deref() == Some("configmaps") && r.parameter("limit").as_deref() != Some("1")
        };
        assert_eq!(
            log.iter().filter(all).count(),
            1,
            "nor is the API server listed again: {log:?}"
        );
    });
}

#[test]
fn case_19_objects_relisted_unchanged_bring_no_delta() {
    const OBJECTS: usize = 2_000;
    in_one_thread(async {
        let sim = sim_with(OBJECTS).await;
        let sidecar = Restartable::start(&sim, ALL).await;
        let (hurry, _) = watch::channel(false);
        let seen = client::start(
            habits("fast", Duration::ZERO),
            sidecar.socket.clone(),
            hurry.subscribe(),
            1,
        );
        agrees(&seen, &sim).await;
        sim.skip_resource_versions(10);
        sim.compact();
        sim.cut_all();
        sim.wait_for_requests(|_| asked(&sim).0 == 2).await;
        sidecar.synced().await;
        change(&sim, OBJECTS, 1);
        agrees(&seen, &sim).await;
        let events = seen.view.lock().events;
        assert_eq!(events, OBJECTS as u64 + 1, "the snapshot and one change");
        assert_eq!(asked(&sim).0, 2, "one relist");
    });
}

#[test]
fn case_38_200_subscribers_cost_one_list_and_one_watch_and_their_restart_costs_nothing() {
    const SUBSCRIBERS: usize = 200;
    in_one_thread(async {
        let sim = sim_with(20).await;
        let sidecar = Restartable::start(&sim, ALL).await;
        for round in 0..2 {
            let channel = sidecar.channel().await;
            let mut streams = Vec::new();
            for _ in 0..SUBSCRIBERS {
                streams.push(subscribe(&channel).await);
            }
            for stream in &mut streams {
                synced(stream).await;
            }
            // A live change reaches all of them.
            change(&sim, 0, round + 1);
            for stream in &mut streams {
                while stream
                    .message()
                    .await
                    .expect("the watch goes on")
                    .expect("a message")
                    .events
                    .is_empty()
                {}
            }
            // The watch-list is the list and goes on as the watch.
            assert_eq!(asked(&sim), (1, 0), "round {round}");
        }
    });
}

async fn subscribe(channel: &Channel) -> Streaming<WatchResponse> {
    let request = WatchRequest {
        informer: Some(InformerSelector {
            by: Some(By::Name("informers/all".to_owned())),
        }),
        ..WatchRequest::default()
    };
    let mut service = SubscriptionServiceClient::new(channel.clone());
    service.watch(request).await.expect("a watch").into_inner()
}

async fn synced(stream: &mut Streaming<WatchResponse>) {
    loop {
        let message = stream.message().await.expect("the watch goes on").expect("a message");
        if matches!(message.control, Some(Control::Synced(_))) {
            return;
        }
    }
}
