//! A world that changes: resources, versions, rights and tasks.

use super::*;
use crate::{
    service::health::HealthApi,
    upstream::{UpstreamState, UpstreamStatus},
};
use tonic_health::pb::{HealthCheckRequest, health_check_response::ServingStatus, health_server::Health as _};

const SOON: Duration = Duration::from_secs(10);

impl Rig {
    async fn declare(&self, resource: &str, namespaces: &[&str]) -> Result<pb::Informer, Status> {
        let spec = pb::InformerSpec {
            resource: Some(pb::ResourceRef {
                resource: resource.into(),
                ..Default::default()
            }),
            namespaces: namespaces.iter().map(|n| (*n).to_owned()).collect(),
            ..Default::default()
        };
        let request = pb::CreateInformerRequest {
            informer_id: String::new(),
            spec: Some(spec),
        };
        let reply = self.api.create_informer(Request::new(request)).await?;
        Ok(reply.into_inner().informer.unwrap())
    }

    async fn show(&self, name: &str) -> pb::Informer {
        let request = pb::GetInformerRequest { name: name.into() };
        let reply = self.api.get_informer(Request::new(request)).await.unwrap();
        reply.into_inner().informer.unwrap()
    }

    async fn healthy(&self, service: &str) -> bool {
        let health = HealthApi::new(self.factory.clone());
        let request = HealthCheckRequest {
            service: service.into(),
        };
        let reply = health.check(Request::new(request)).await.unwrap();
        reply.into_inner().status == i32::from(ServingStatus::Serving)
    }

    async fn reaches(&self, name: &str, wanted: impl Fn(&UpstreamStatus) -> bool) -> UpstreamStatus {
        let informer = self.factory.get(name).unwrap();
        tokio::time::timeout(SOON, informer.upstream_reaches(wanted))
            .await
            .unwrap_or_else(|_| panic!("{:?}", informer.upstream()));
        informer.upstream()
    }
}

fn state(informer: &pb::Informer) -> pb::UpstreamState {
    informer.status.as_ref().unwrap().upstream_state()
}

fn message(informer: &pb::Informer) -> &str {
    let error = informer.status.as_ref().unwrap().last_error.as_ref();
    error.map_or("", |e| e.message.as_str())
}

#[tokio::test(start_paused = true)]
async fn case_28_a_resource_that_is_not_served_yet_is_waited_for_and_said() {
    let rig = rig();
    let waiting = rig.declare("widgets.example.com", &[]).await.unwrap();
    assert_eq!(waiting.name, "informers/widgets.example.com");
    let again = rig.declare("widgets.example.com", &[]).await.unwrap();
    assert_eq!(again.name, waiting.name, "declared twice is one informer");
    let shown = rig.reaches(&waiting.name, |s| s.state == UpstreamState::Waiting).await;
    assert!(shown.last_error.unwrap().message.contains("widgets.example.com"));
    assert!(!rig.healthy("").await && !rig.healthy(&waiting.name).await);
    let error = wait(&rig.api, 0).await.unwrap_err();
    assert!(error.message().contains("widgets.example.com"), "{error:?}");

    // Others are not affected.
    let pods = rig.declare("pods", &[]).await.unwrap();
    rig.upstream
        .reflector("pods")
        .await
        .list([object("a/x", 1, "")], 2)
        .await;
    assert!(rig.healthy(&pods.name).await);

    rig.upstream.serve("widgets.example.com", "v1");
    let before = Instant::now();
    let reflector = rig.upstream.reflector("widgets").await;
    assert!(before.elapsed() < SOON, "{:?}", before.elapsed());
    assert_eq!(reflector.resource().to_string(), "widgets.v1.example.com");
    reflector.list([object("a/w", 5, "")], 6).await;
    let served = rig.show(&waiting.name).await;
    assert_eq!((state(&served), served.object_count), (pb::UpstreamState::Watching, 1));
    assert_eq!((served.kind.as_str(), served.namespaced), ("Widget", true));
    assert!(rig.healthy("").await);
}

#[tokio::test(start_paused = true)]
async fn case_28_a_bare_name_is_a_slip_and_is_refused() {
    let rig = rig();
    let error = rig.declare("widgets", &[]).await.unwrap_err();
    assert_eq!(error.code(), Code::NotFound, "{error:?}");
    assert!(rig.factory.list().is_empty());
    // So is a read of what nobody declared; of what is declared it says that it is not there yet.
    let query = ResourceQuery::named("widgets.example.com");
    assert!(rig.factory.for_resource(&query, &Default::default()).await.is_err());
    assert!(rig.factory.list().is_empty());
    let declared = rig.declare("widgets.example.com", &[]).await.unwrap();
    let found = rig.factory.for_resource(&query, &Default::default()).await.unwrap();
    assert_eq!(found.name(), declared.name);
}

#[tokio::test(start_paused = true)]
async fn case_28_a_watch_by_full_name_waits_too() {
    let rig = rig();
    let query = ResourceQuery {
        group: "example.com".into(),
        version: "v1".into(),
        resource: "widgets".into(),
    };
    let waiting = rig.factory.for_watch(&query, &Default::default()).await.unwrap();
    let loose = ResourceQuery::named("gadgets.example.com");
    assert!(rig.factory.for_watch(&loose, &Default::default()).await.is_err());
    rig.upstream.serve("widgets.example.com", "v1");
    rig.upstream
        .reflector("widgets")
        .await
        .list([object("a/w", 5, "")], 6)
        .await;
    assert_eq!(waiting.processor().load().snapshot.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn case_28_who_asks_first_once_it_is_served_finds_the_informer_that_waits() {
    let rig = rig();
    let waiting = rig.declare("widgets.example.com", &[]).await.unwrap();
    rig.reaches(&waiting.name, |s| s.state == UpstreamState::Waiting).await;
    rig.upstream.serve("widgets.example.com", "v1");
    let query = ResourceQuery::named("widgets");
    let found = rig.factory.for_resource(&query, &Default::default()).await.unwrap();
    assert_eq!(found.name(), waiting.name);
    assert_eq!(rig.factory.list().len(), 1, "no second informer of the same");
}

#[tokio::test(start_paused = true)]
async fn case_30_gone_is_said_the_cache_stays_and_what_comes_back_is_compared() {
    let rig = rig();
    rig.upstream.serve("widgets.example.com", "v1");
    let name = rig.declare("widgets.v1.example.com", &[]).await.unwrap().name;
    let reflector = rig.upstream.reflector("widgets").await;
    reflector.list([object("a/w", 5, "")], 6).await;
    rig.upstream.withdraw("widgets.example.com");
    reflector.fail(UpstreamState::Gone, 404, "NotFound");
    rig.reaches(&name, |s| {
        s.last_error.as_ref().is_some_and(|e| e.reason == "NotServed")
    })
    .await;
    let gone = rig.show(&name).await;
    assert_eq!((state(&gone), gone.object_count), (pb::UpstreamState::Gone, 1));
    assert!(!rig.healthy(&name).await);
    // Another version is not what was declared, and which one there is, is said.
    rig.upstream.serve("widgets.example.com", "v2");
    rig.reaches(&name, |s| {
        s.last_error
            .as_ref()
            .is_some_and(|e| e.message.contains("it serves v2"))
    })
    .await;
    assert!(message(&rig.show(&name).await).contains("v1"), "{gone:?}");
    rig.upstream.serve("widgets.example.com", "v1");
    let before = Instant::now();
    let again = rig.upstream.reflector("widgets").await;
    assert!(before.elapsed() < SOON);
    again.list([object("a/new", 9, "")], 10).await;
    let back = rig.show(&name).await;
    assert_eq!(
        (state(&back), back.object_count, back.restart_count),
        (pb::UpstreamState::Watching, 1, 0)
    );
    assert_eq!(back.list_count, 2, "what the first reflector did counts on");
}

#[tokio::test(start_paused = true)]
async fn case_30_without_a_version_the_informer_moves_to_the_one_that_is_served() {
    let rig = rig();
    rig.upstream.serve("widgets.example.com", "v1alpha1");
    let name = rig.declare("widgets.example.com", &[]).await.unwrap().name;
    let reflector = rig.upstream.reflector("widgets").await;
    reflector.list([object("a/w", 5, "")], 6).await;
    rig.upstream.serve("widgets.example.com", "v1");
    reflector.fail(UpstreamState::Gone, 404, "NotFound");
    let again = rig.upstream.reflector("widgets").await;
    assert_eq!(again.resource().version, "v1");
    let informer = rig.factory.get(&name).unwrap();
    let revision = informer.processor().load().snapshot.position().revision;
    again.list([object("a/w", 5, "")], 6).await;
    let state = informer.processor().load();
    assert_eq!(
        state.snapshot.position().revision,
        revision + 1,
        "updated, though nothing was written"
    );
    let (_, object) = state.snapshot.in_namespace(None).next().unwrap();
    assert!(String::from_utf8_lossy(&object.body().bytes()).contains("example.com/v1\""));
    assert_eq!(rig.show(&name).await.name, name);
}

#[tokio::test(start_paused = true)]
async fn case_30_attempts_of_the_reflector_do_not_put_the_look_off() {
    let rig = rig();
    rig.upstream.serve("widgets.example.com", "v1alpha1");
    rig.declare("widgets.example.com", &[]).await.unwrap();
    let reflector = rig.upstream.reflector("widgets").await;
    reflector.list([object("a/w", 5, "")], 6).await;
    rig.upstream.serve("widgets.example.com", "v1");
    let trying = async {
        loop {
            reflector.fail(UpstreamState::Gone, 404, "NotFound");
            tokio::time::sleep(Duration::from_secs(1)).await;
            reflector.attempt();
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let again = tokio::select! {
        again = tokio::time::timeout(SOON, rig.upstream.reflector("widgets")) => again.expect("in time"),
        () = trying => unreachable!(),
    };
    assert_eq!(again.resource().version, "v1");
}

#[tokio::test(start_paused = true)]
async fn case_29_each_namespace_has_its_own_state() {
    let rig = rig();
    let name = rig.declare("pods", &["a", "b"]).await.unwrap().name;
    let (a, b) = (
        rig.upstream.reflector("pods").await,
        rig.upstream.reflector("pods").await,
    );
    assert_eq!((a.namespace(), b.namespace()), ("a", "b"));
    b.fail(UpstreamState::Forbidden, 403, "Forbidden");
    rig.reaches(&name, |s| s.state == UpstreamState::Forbidden).await;
    a.list([object("a/x", 3, "")], 4).await;
    let shown = rig.show(&name).await;
    let states: Vec<_> = shown
        .reflectors
        .iter()
        .map(|r| (r.namespace.as_str(), r.state(), r.resource_version.as_str()))
        .collect();
    assert_eq!(
        states,
        [
            ("a", pb::UpstreamState::Watching, "4"),
            ("b", pb::UpstreamState::Forbidden, "")
        ]
    );
    assert_eq!(shown.reflectors[1].last_error.as_ref().unwrap().http_status, 403);
    let status = shown.status.as_ref().unwrap();
    assert!(status.synced, "what can be read is served");
    assert_eq!(status.upstream_state(), pb::UpstreamState::Forbidden);
    // A question about the namespace that cannot be read has no answer, least of all an empty one.
    let filter = |namespace: &str| crate::store::QuerySpec {
        namespaces: vec![namespace.into()],
        ..Default::default()
    };
    let informer = rig.factory.get(&name).unwrap();
    assert!(SharedInformerFactory::check_namespaces(&informer, &filter("a")).is_ok());
    let refused = SharedInformerFactory::check_namespaces(&informer, &filter("b")).unwrap_err();
    let refused = Status::from(ApiError::from(refused));
    assert_eq!(refused.code(), Code::FailedPrecondition, "{refused:?}");
    b.list([object("b/y", 5, "")], 6).await;
    assert!(SharedInformerFactory::check_namespaces(&informer, &filter("b")).is_ok());
    let granted = rig.show(&name).await;
    assert_eq!(
        (state(&granted), granted.object_count),
        (pb::UpstreamState::Watching, 2)
    );
}

#[tokio::test(start_paused = true)]
async fn case_35_a_reflector_that_dies_is_started_again_counted_and_shown() {
    let rig = rig();
    rig.upstream.doom(2);
    let name = rig.declare("pods", &[]).await.unwrap().name;
    let dead = rig.reaches(&name, |s| s.state == UpstreamState::Backoff).await;
    assert_eq!(dead.last_error.unwrap().reason, "ReflectorDied");
    assert!(!rig.healthy(&name).await);
    let reflector = rig.upstream.reflector("pods").await;
    reflector.list([object("a/x", 3, "")], 4).await;
    let alive = rig.show(&name).await;
    assert_eq!((alive.restart_count, state(&alive)), (2, pb::UpstreamState::Watching));
    assert!(rig.healthy(&name).await);
}

#[tokio::test(start_paused = true)]
async fn case_35_a_controller_that_dies_is_noticed_and_nothing_is_lost() {
    let rig = rig();
    let name = rig.declare("pods", &[]).await.unwrap().name;
    let first = rig.upstream.reflector("pods").await;
    first.list([object("a/kept", 3, ""), object("a/gone", 3, "")], 4).await;
    let informer = rig.factory.get(&name).unwrap();
    let before = informer.processor().load().snapshot.position().clone();
    informer.kill_controller();
    let dead = rig.reaches(&name, |s| s.state == UpstreamState::Backoff).await;
    assert_eq!(dead.last_error.unwrap().reason, "ControllerDied");
    assert_eq!(rig.show(&name).await.object_count, 2, "what was published stays");
    let second = rig.upstream.reflector("pods").await;
    second.list([object("a/kept", 3, ""), object("a/new", 7, "")], 8).await;
    second.added(&object("a/later", 9, "")).await;
    let after = rig.show(&name).await;
    assert_eq!((after.restart_count, after.object_count), (1, 3));
    assert_eq!(state(&after), pb::UpstreamState::Watching);
    // One revision for the differences, one for the event: no reader had to start over.
    assert_eq!(after.status.unwrap().revision, before.revision + 2);
    let indexed = informer.add_indexers(
        indexers(
            "i",
            vec![pb::Indexer {
                name: "node".into(),
                json_pointer: "/spec/nodeName".into(),
            }],
        )
        .unwrap(),
    );
    indexed.await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn case_28_nobody_looks_while_everything_is_served() {
    let rig = rig();
    rig.declare("pods", &[]).await.unwrap();
    rig.upstream
        .reflector("pods")
        .await
        .list([object("a/x", 3, "")], 4)
        .await;
    tokio::time::sleep(Duration::from_secs(300)).await;
    assert_eq!(rig.upstream.looks(), 0);
    rig.declare("widgets.example.com", &[]).await.unwrap();
    tokio::time::sleep(Duration::from_secs(300)).await;
    let looks = rig.upstream.looks();
    assert!((300 / 10..=300 / 6).contains(&looks), "{looks}");
}
