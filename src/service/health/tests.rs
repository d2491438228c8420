use futures::StreamExt as _;
use tokio::time::sleep;

use super::*;
use crate::{
    informer::{FactoryOptions, SpecRequest},
    service::testing::{FakeReflector, FakeUpstream, object},
    upstream::ResourceQuery,
};

struct Rig {
    health: HealthApi,
    reflector: FakeReflector,
}

/// Synced pods, and when the test's time began.
async fn rig() -> Rig {
    let upstream = FakeUpstream::new();
    let factory = upstream.factory(FactoryOptions::default());
    let health = HealthApi::new(factory.clone());
    let request = SpecRequest {
        resource: ResourceQuery::named("pods"),
        ..SpecRequest::default()
    };
    factory.create(Some("pods"), request).await.unwrap();
    let reflector = upstream.reflector("pods").await;
    let rig = Rig { health, reflector };
    rig.expect("", false).await;
    rig.expect("informers/pods", false).await;
    rig.reflector.list(&[object("a/p", 1, "")], 10).await;
    rig
}

impl Rig {
    async fn serves(&self, service: &str) -> bool {
        let request = HealthCheckRequest {
            service: service.into(),
        };
        let reply = self.health.check(Request::new(request)).await.unwrap().into_inner();
        reply.status() == ServingStatus::Serving
    }

    async fn expect(&self, service: &str, serving: bool) {
        assert_eq!(self.serves(service).await, serving, "{service:?}");
    }

    fn cut(&self) {
        self.reflector.fail(UpstreamState::Backoff, 0, "Unreachable");
    }
}

#[tokio::test(start_paused = true)]
async fn case_2_a_dead_watch_turns_the_informers_health_within_its_deadline_and_back() {
    let rig = rig().await;
    rig.expect("informers/pods", true).await;
    // Looked at, and some time until the next look.
    sleep(LOOK + Duration::from_millis(300)).await;
    rig.cut();
    let cut = Instant::now();
    sleep(GRACE).await;
    rig.expect("informers/pods", true).await;
    // It fails again and again; that is the same outage.
    rig.cut();
    while rig.serves("informers/pods").await {
        sleep(Duration::from_millis(100)).await;
        assert!(
            cut.elapsed() <= GRACE + LOOK + Duration::from_millis(200),
            "not noticed in time"
        );
    }
    // At once when the watch is open again, though nothing has looked yet.
    rig.reflector.list(&[object("a/p", 1, "")], 20).await;
    rig.expect("informers/pods", true).await;
    // And the next outage has a grace of its own.
    sleep(LOOK).await;
    rig.cut();
    sleep(GRACE - LOOK).await;
    rig.expect("informers/pods", true).await;
    sleep(LOOK * 3).await;
    rig.expect("informers/pods", false).await;
}

#[tokio::test(start_paused = true)]
async fn case_2_ordinary_re_watches_and_relists_do_not_flap() {
    let rig = rig().await;
    let request = HealthCheckRequest {
        service: "informers/pods".into(),
    };
    let mut watched = rig.health.watch(Request::new(request)).await.unwrap().into_inner();
    let mut told = Vec::new();
    let changes = async {
        while let Some(status) = watched.next().await {
            told.push(status.unwrap().status());
        }
    };
    let hour = async {
        // Each five minutes the watch ends; each time it takes some seconds to come back.
        for n in 0..12 {
            sleep(Duration::from_secs(300)).await;
            rig.cut();
            sleep(Duration::from_secs(20)).await;
            rig.reflector.list(&[object("a/p", 1, "")], 20 + n).await;
        }
    };
    tokio::select! {
        () = changes => panic!("the stream goes on"),
        () = hour => {}
    }
    assert_eq!(told, [ServingStatus::Serving]);
}

#[tokio::test(start_paused = true)]
async fn case_2_readiness_outlives_an_outage_of_the_api_server() {
    let rig = rig().await;
    rig.cut();
    for _ in 0..60 {
        sleep(Duration::from_secs(60)).await;
        rig.expect("", true).await;
        rig.expect("informer.v1alpha1.CacheService", true).await;
        rig.expect("informers/pods", false).await;
    }
}

#[tokio::test(start_paused = true)]
async fn case_2_lost_rights_show_at_once_and_a_refused_credential_has_its_grace() {
    let rig = rig().await;
    rig.reflector.fail(UpstreamState::Forbidden, 403, "Forbidden");
    rig.expect("informers/pods", false).await;
    rig.reflector.list(&[object("a/p", 1, "")], 20).await;
    rig.reflector.fail(UpstreamState::Forbidden, 401, "Unauthorized");
    sleep(LOOK).await;
    rig.expect("informers/pods", true).await;
    sleep(GRACE + LOOK).await;
    rig.expect("informers/pods", false).await;
    rig.reflector.list(&[object("a/p", 1, "")], 30).await;
    rig.reflector.fail(UpstreamState::Gone, 404, "NotFound");
    rig.expect("informers/pods", false).await;
}

#[tokio::test(start_paused = true)]
async fn an_unknown_service_is_not_found() {
    let rig = rig().await;
    let request = HealthCheckRequest {
        service: "informers/none".into(),
    };
    let error = rig.health.check(Request::new(request)).await.unwrap_err();
    assert_eq!(error.code(), tonic::Code::NotFound);
}
