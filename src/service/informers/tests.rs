//! Declarations, and waiting for them, over a fake API server.

use super::*;
use crate::{
    informer::FactoryOptions,
    proto::v1alpha1::informer_service_server::InformerService as _,
    service::testing::{FakeUpstream, object},
    upstream::ResourceQuery,
};

mod transforms;
mod update;
mod worlds;

struct Rig {
    upstream: Arc<FakeUpstream>,
    factory: Arc<SharedInformerFactory>,
    api: InformerApi,
}

fn rig() -> Rig {
    let upstream = FakeUpstream::new();
    let factory = upstream.factory(FactoryOptions::default());
    Rig {
        api: InformerApi::new(factory.clone()),
        upstream,
        factory,
    }
}

fn seconds(seconds: i64) -> Option<prost_types::Duration> {
    Some(prost_types::Duration { seconds, nanos: 0 })
}

async fn wait(api: &InformerApi, timeout: i64) -> Result<usize, Status> {
    let request = pb::WaitForCacheSyncRequest {
        timeout: seconds(timeout),
        ..Default::default()
    };
    let reply = api.wait_for_cache_sync(Request::new(request)).await?;
    Ok(reply.into_inner().statuses.len())
}

async fn create(api: &InformerApi, id: &str, labels: &str, indexers: &[(&str, &str)]) -> Result<pb::Informer, Status> {
    let indexer = |(name, pointer): &(&str, &str)| pb::Indexer {
        name: (*name).into(),
        json_pointer: (*pointer).into(),
    };
    let request = pb::CreateInformerRequest {
        informer_id: id.into(),
        spec: Some(pb::InformerSpec {
            resource: Some(pb::ResourceRef {
                resource: "pods".into(),
                ..Default::default()
            }),
            label_selector: labels.into(),
            indexers: indexers.iter().map(indexer).collect(),
            ..Default::default()
        }),
    };
    let reply = api.create_informer(Request::new(request)).await?;
    Ok(reply.into_inner().informer.unwrap())
}

fn indexes(informer: &pb::Informer) -> Vec<&str> {
    let spec = informer.spec.as_ref().unwrap();
    spec.indexers.iter().map(|i| i.name.as_str()).collect()
}

#[tokio::test(start_paused = true)]
async fn h9_waiting_for_all_waits_for_informers_that_cannot_be_created_yet() {
    let rig = rig();
    rig.factory.expect("pods");
    let mut waiting = Box::pin(wait(&rig.api, 60));
    assert!(futures::poll!(&mut waiting).is_pending());
    let query = ResourceQuery::named("pods");
    rig.factory.for_scope(&query).await.unwrap();
    rig.factory.arrived("pods");
    assert!(futures::poll!(&mut waiting).is_pending(), "created, not synced");
    let reflector = rig.upstream.reflector("pods").await;
    reflector.list([object("a/x", 1, "")], 2).await;
    assert_eq!(waiting.await.unwrap(), 1);
}

#[tokio::test(start_paused = true)]
async fn h9_what_never_arrives_is_named_when_the_time_is_over() {
    let rig = rig();
    rig.factory.expect("pods");
    rig.factory.still_waiting("pods", "no route to host");
    let before = Instant::now();
    let status = wait(&rig.api, 60).await.unwrap_err();
    assert_eq!(before.elapsed(), Duration::from_secs(60));
    assert_eq!(status.code(), Code::DeadlineExceeded);
    assert!(status.message().contains("no route to host"), "{status:?}");
}

#[tokio::test]
async fn who_declares_what_is_cached_already_shares_it_and_gets_its_own_indexes() {
    let rig = rig();
    let first = create(&rig.api, "", "", &[("node", "/spec/nodeName")]).await.unwrap();
    let second = create(
        &rig.api,
        "other",
        "",
        &[("node", "/spec/nodeName"), ("pad", "/spec/pad")],
    )
    .await
    .unwrap();
    assert_eq!(second.name, first.name);
    assert_eq!(indexes(&second), ["node", "pad"]);
    let conflict = create(&rig.api, "", "", &[("pad", "/spec/other")]).await.unwrap_err();
    assert_eq!(conflict.code(), Code::AlreadyExists);
    assert_eq!(rig.factory.list().len(), 1);
}

#[tokio::test]
async fn a_default_id_that_somebody_has_taken_is_no_obstacle() {
    let rig = rig();
    let chosen = create(&rig.api, "pods", "app=web", &[]).await.unwrap();
    let default = create(&rig.api, "", "", &[]).await.unwrap();
    assert_eq!(chosen.name, "informers/pods");
    assert_ne!(default.name, chosen.name);
    assert!(default.name.starts_with("informers/pods-"), "{}", default.name);
    // A second declaration finds it again.
    assert_eq!(create(&rig.api, "", "", &[]).await.unwrap().name, default.name);
}
