//! Scopes that change while the informer runs: UpdateInformer, and namespaces by label.

use super::*;
use crate::{processor::Processor, service::testing::FakeReflector};

impl Rig {
    async fn create(&self, spec: pb::InformerSpec) -> Result<String, Status> {
        let spec = pb::InformerSpec {
            resource: Some(pb::ResourceRef {
                resource: "pods".into(),
                ..Default::default()
            }),
            ..spec
        };
        let request = pb::CreateInformerRequest {
            informer_id: String::new(),
            spec: Some(spec),
        };
        let reply = self.api.create_informer(Request::new(request)).await?;
        Ok(reply.into_inner().informer.unwrap().name)
    }

    async fn update(&self, name: &str, spec: pb::InformerSpec, paths: &[&str]) -> Result<pb::Informer, Status> {
        let request = pb::UpdateInformerRequest {
            name: name.into(),
            spec: Some(spec),
            update_mask: Some(prost_types::FieldMask {
                paths: paths.iter().map(|p| (*p).to_owned()).collect(),
            }),
        };
        let reply = self.api.update_informer(Request::new(request)).await?;
        Ok(reply.into_inner().informer.unwrap())
    }

    fn processor(&self, name: &str) -> Arc<Processor> {
        self.factory.get(name).unwrap().processor().clone()
    }

    async fn scopes(&self, name: &str, want: &[&str]) {
        let informer = self.factory.get(name).unwrap();
        let now = || {
            informer
                .reflectors()
                .into_iter()
                .map(|r| r.namespace)
                .collect::<Vec<_>>()
        };
        let waited = tokio::time::timeout(Duration::from_secs(5), informer.upstream_reaches(|_| now() == want));
        assert!(waited.await.is_ok(), "{:?}", now());
    }

    async fn pods(&self) -> FakeReflector {
        self.upstream.reflector("pods").await
    }
}

fn within(namespaces: &[&str]) -> pb::InformerSpec {
    pb::InformerSpec {
        namespaces: namespaces.iter().map(|n| (*n).to_owned()).collect(),
        ..Default::default()
    }
}

fn labelled(selector: &str) -> pb::InformerSpec {
    pb::InformerSpec {
        namespace_selector: selector.into(),
        ..Default::default()
    }
}

fn keys(processor: &Processor) -> Vec<String> {
    let state = processor.load();
    state
        .snapshot
        .in_namespace(None)
        .map(|(_, o)| o.key.to_string())
        .collect()
}

#[tokio::test(start_paused = true)]
async fn case_31_update_informer_widens_and_narrows_and_leaves_the_rest_alone() {
    let rig = rig();
    let name = rig.create(within(&["a", "b"])).await.unwrap();
    let (a, b) = (rig.pods().await, rig.pods().await);
    a.list([object("a/x", 3, "")], 4).await;
    b.list([object("b/y", 3, "")], 4).await;
    let processor = rig.processor(&name);
    let updated = rig.update(&name, within(&["b", "c"]), &["namespaces"]).await.unwrap();
    assert_eq!(updated.spec.unwrap().namespaces, ["b", "c"]);
    assert_eq!(keys(&processor), ["b/y"], "what has left is gone when the answer comes");
    let c = rig.pods().await;
    assert_eq!(c.namespace(), "c");
    assert!(processor.load().snapshot.position().synced);
    c.list([object("c/z", 5, "")], 6).await;
    b.added(&object("b/later", 7, "")).await;
    assert_eq!(keys(&processor), ["b/later", "b/y", "c/z"]);
    let updated = rig.update(&name, within(&[]), &["namespaces"]).await.unwrap();
    assert_eq!(updated.reflectors.len(), 1);
    let all = rig.pods().await;
    assert_eq!(all.namespace(), "");
    assert_eq!(keys(&processor).len(), 3, "served while the wider list comes in");
    let objects = [object("b/later", 7, ""), object("c/z", 5, ""), object("d/q", 8, "")];
    all.list(objects, 9).await;
    assert_eq!(keys(&processor), ["b/later", "c/z", "d/q"]);
    // The same again changes nothing.
    let revision = processor.load().snapshot.position().revision;
    let again = rig.update(&name, within(&[]), &["namespaces"]).await.unwrap();
    assert_eq!(again.status.unwrap().revision, revision);
}

#[tokio::test(start_paused = true)]
async fn update_informer_refuses_what_it_cannot_change_and_changes_nothing_then() {
    let rig = rig();
    let name = rig.create(within(&["a"])).await.unwrap();
    let other = rig.create(within(&["b"])).await.unwrap();
    let refused = async |spec, paths: &[&str]| rig.update(&name, spec, paths).await.unwrap_err();
    for (error, says) in [
        (refused(within(&["b"]), &[]).await, "update_mask"),
        (
            refused(within(&["c"]), &["namespaces", "label_selector"]).await,
            "label_selector",
        ),
        (refused(within(&["Not a name"]), &["namespaces"]).await, "Not a name"),
        (
            refused(labelled("a in"), &["namespace_selector"]).await,
            "namespace_selector",
        ),
        (refused(labelled("a=b"), &["namespace_selector"]).await, "excludes"),
    ] {
        assert_eq!(error.code(), Code::InvalidArgument, "{error:?}");
        assert!(error.message().contains(says), "{error:?}");
    }
    let short = pb::InformerSpec {
        max_staleness: Some(prost_types::Duration { seconds: 0, nanos: 5 }),
        ..Default::default()
    };
    let error = refused(short, &["max_staleness"]).await;
    assert!(error.message().contains("max_staleness"), "{error:?}");
    let error = refused(within(&["b"]), &["namespaces"]).await;
    assert_eq!(error.code(), Code::AlreadyExists);
    assert!(error.message().contains(&other), "{error:?}");
    let error = rig
        .update("informers/none", within(&[]), &["namespaces"])
        .await
        .unwrap_err();
    assert_eq!(error.code(), Code::NotFound);
    let spec = rig.factory.get(&name).unwrap().spec();
    assert_eq!(spec.namespaces.into_iter().collect::<Vec<_>>(), ["a"]);
    let stale = pb::InformerSpec {
        max_staleness: seconds(80),
        ..Default::default()
    };
    let updated = rig.update(&name, stale, &["max_staleness"]).await.unwrap();
    assert_eq!(updated.spec.unwrap().max_staleness, seconds(80));
}

#[tokio::test(start_paused = true)]
async fn case_31_namespaces_by_label_come_and_go() {
    let rig = rig();
    let name = rig.create(labelled("team=red")).await.unwrap();
    let other = rig.create(labelled("team=blue")).await.unwrap();
    let namespaces = rig.upstream.reflector("namespaces").await;
    let processor = rig.processor(&name);
    assert!(
        !processor.load().snapshot.position().synced,
        "nobody knows the namespaces yet"
    );
    namespaces
        .list([object("a", 3, "team=red"), object("b", 3, "team=blue")], 4)
        .await;
    rig.scopes(&name, &["a"]).await;
    rig.scopes(&other, &["b"]).await;
    let of = |r: FakeReflector| (r.namespace().to_owned(), r);
    let mut reflectors: std::collections::BTreeMap<_, _> = [of(rig.pods().await), of(rig.pods().await)].into();
    let a = reflectors.remove("a").unwrap();
    a.list([object("a/x", 5, "")], 6).await;
    assert!(processor.load().snapshot.position().synced);
    namespaces.updated(&object("b", 7, "team=red")).await;
    rig.scopes(&name, &["a", "b"]).await;
    rig.scopes(&other, &[]).await;
    let b = rig.pods().await;
    b.list([object("b/y", 8, "")], 9).await;
    assert_eq!(keys(&processor), ["a/x", "b/y"]);
    namespaces.deleted(&object("a", 10, "team=red")).await;
    rig.scopes(&name, &["b"]).await;
    assert_eq!(keys(&processor), ["b/y"]);
    assert!(processor.load().snapshot.position().synced);
    assert_eq!(rig.factory.list().len(), 2, "the informer of namespaces is nobody's");
    let shared = tokio::time::timeout(Duration::from_secs(60), rig.upstream.reflector("namespaces"));
    assert!(shared.await.is_err(), "one for all selectors");
}

#[tokio::test(start_paused = true)]
async fn case_31_without_the_right_to_see_namespaces_the_informer_says_so() {
    let rig = rig();
    let name = rig.create(labelled("team=red")).await.unwrap();
    let namespaces = rig.upstream.reflector("namespaces").await;
    namespaces.fail(crate::upstream::UpstreamState::Forbidden, 403, "Forbidden");
    let informer = rig.factory.get(&name).unwrap();
    let said = informer.upstream_reaches(|s| s.state == crate::upstream::UpstreamState::Forbidden);
    assert!(tokio::time::timeout(Duration::from_secs(5), said).await.is_ok());
    assert!(
        tokio::time::timeout(Duration::from_secs(5), informer.refused())
            .await
            .is_ok()
    );
    namespaces.list([object("a", 3, "team=red")], 4).await;
    rig.scopes(&name, &["a"]).await;
}

#[tokio::test(start_paused = true)]
async fn case_31_a_selector_excludes_a_list_and_fits_no_cluster_scoped_resource() {
    let rig = rig();
    let both = pb::InformerSpec {
        namespace_selector: "team".into(),
        ..within(&["a"])
    };
    assert_eq!(rig.create(both).await.unwrap_err().code(), Code::InvalidArgument);
    let nodes = pb::CreateInformerRequest {
        informer_id: String::new(),
        spec: Some(pb::InformerSpec {
            resource: Some(pb::ResourceRef {
                resource: "nodes".into(),
                ..Default::default()
            }),
            ..labelled("team")
        }),
    };
    let error = rig.api.create_informer(Request::new(nodes)).await.unwrap_err();
    assert!(error.message().contains("cluster-scoped"), "{error:?}");
}
