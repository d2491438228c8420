//! What of each object is sent: pointers, transforms, old objects, and updates that change nothing of it.

use serde_json::{Value, json};

use super::*;
use crate::{informer::SpecRequest, object::Transform, upstream::ResourceQuery};

/// A Pod whose spec has parts; `managed` stands in managedFields.
fn pod(name: &str, rv: u64, node: &str, phase: &str) -> String {
    json!({
        "metadata": {
            "name": name, "namespace": "a", "uid": format!("uid-{name}"), "resourceVersion": rv.to_string(),
            "generation": 1, "labels": {"app": "web"}, "managedFields": [{"time": rv}],
        },
        "spec": {"nodeName": node, "containers": [{"name": "c", "image": "i"}, {"name": "d"}]},
        "status": {"phase": phase},
    })
    .to_string()
}

fn projected(pointers: &[&str]) -> pb::WatchRequest {
    pb::WatchRequest {
        projection: Some(pb::Projection {
            json_pointers: pointers.iter().map(|p| (*p).to_owned()).collect(),
            ..pb::Projection::default()
        }),
        ..pods()
    }
}

fn of_view(view: pb::View) -> pb::WatchRequest {
    pb::WatchRequest {
        projection: Some(pb::Projection {
            view: view.into(),
            ..pb::Projection::default()
        }),
        suppress_unchanged: true,
        ..pods()
    }
}

fn json_of(payload: Option<&pb::ObjectPayload>) -> Value {
    serde_json::from_slice(&payload.unwrap().data).unwrap()
}

#[tokio::test]
async fn case_24_pointers_select_what_is_sent_of_new_and_old() {
    let rig = rig();
    let request = pb::WatchRequest {
        old_object: pb::OldObject::Full.into(),
        ..projected(&[
            "/spec/nodeName",
            "/spec/containers/*/image",
            "/metadata/labels",
            "/none",
        ])
    };
    let (mut responses, reflector) = rig.synced(request, &[pod("x", 5, "n1", "Pending")]).await;
    reflector.updated(&pod("x", 11, "n2", "Running")).await;
    let event = next(&mut responses).await.events.remove(0);
    let want = |rv: &str, node: &str| {
        json!({
            "kind": "Pod", "apiVersion": "v1",
            "metadata": {
                "name": "x", "namespace": "a", "uid": "uid-x", "resourceVersion": rv, "labels": {"app": "web"},
            },
            "spec": {"nodeName": node, "containers": [{"image": "i"}, {}]},
        })
    };
    assert_eq!(json_of(event.object.as_ref()), want("11", "n2"));
    assert_eq!(json_of(event.old_object.as_ref()), want("5", "n1"));
}

#[tokio::test]
async fn a_large_object_of_which_little_is_wanted_fits() {
    let rig = rig();
    let request = pb::WatchRequest {
        max_receive_bytes: 256 << 10,
        ..projected(&["/spec/nodeName"])
    };
    let (mut responses, reflector) = rig.synced(request, &[]).await;
    reflector.added(&padded("a/x", 11, 1 << 20)).await;
    let event = next(&mut responses).await.events.remove(0);
    assert_eq!(json_of(event.object.as_ref())["spec"], json!({"nodeName": "node-1"}));
}

#[tokio::test]
async fn pointers_that_cannot_be_used_are_refused_by_name() {
    let rig = rig();
    let many: Vec<_> = (0..65).map(|i| format!("/p{i}")).collect();
    let many: Vec<_> = many.iter().map(String::as_str).collect();
    let mut with_view = projected(&["/spec"]);
    with_view.projection.as_mut().unwrap().view = pb::View::Metadata.into();
    for (request, reason) in [
        (projected(&["spec"]), "INVALID_POINTER"),
        (projected(&["/a", "/b//c"]), "INVALID_POINTER"),
        (projected(&many), "INVALID_FIELD"),
        (with_view, "INVALID_FIELD"),
    ] {
        let want = (Code::InvalidArgument, reason.into(), "projection.json_pointers".into());
        assert_eq!(rig.refused(request).await, want);
    }
}

#[tokio::test(start_paused = true)]
async fn h10_an_update_that_changes_nothing_of_the_projection_is_not_sent() {
    let rig = rig();
    let request = pb::WatchRequest {
        suppress_unchanged: true,
        ..projected(&["/spec/nodeName"])
    };
    let (mut responses, reflector) = rig.synced(request, &[pod("x", 5, "n1", "Pending")]).await;
    reflector.updated(&pod("x", 11, "n1", "Running")).await;
    reflector.updated(&pod("x", 12, "n1", "Failed")).await;
    // Nothing is said, and the bookmark moves the position over it.
    let response = next(&mut responses).await;
    let Some(Control::Bookmark(bookmark)) = &response.control else {
        panic!("{response:?}");
    };
    assert_eq!((bookmark.object_count, bookmark.digest, bookmark.lag_events), (1, 0, 0));
    assert_eq!(bookmark.status.as_ref().unwrap().resource_version, "12");
    // Resumed from there nothing is owed.
    let resumed = pb::WatchRequest {
        start: resume(response.resume_token.clone(), pb::ResumeFailure::Fail).start,
        suppress_unchanged: true,
        ..projected(&["/spec/nodeName"])
    };
    let mut resumed = rig.watch(resumed).await;
    assert_eq!(read(&mut resumed).await, "created WATCH_MODE_REPLAY");
    assert_eq!(read(&mut resumed).await, "synced 1, token");
    // What changes the projection is sent, to both, compared with the state before and not the one sent last.
    reflector.updated(&pod("x", 13, "n2", "Failed")).await;
    for watch in [&mut responses, &mut resumed] {
        assert_eq!(read(watch).await, "UPDATED/LIVE x, token");
    }
    reflector.deleted(&pod("x", 14, "n2", "Failed")).await;
    assert_eq!(read(&mut responses).await, "DELETED/LIVE x, token");
}

#[tokio::test]
async fn h10_what_counts_as_unchanged_depends_on_the_view() {
    let rig = rig();
    rig.whole_pods().await;
    let (mut full, reflector) = rig
        .synced(of_view(pb::View::Full), &[pod("x", 5, "n1", "Pending")])
        .await;
    let mut metadata = rig.watch(of_view(pb::View::Metadata)).await;
    let mut reference = rig.watch(of_view(pb::View::Reference)).await;
    for watch in [&mut metadata, &mut reference] {
        while !read(watch).await.starts_with("synced") {}
    }
    // Only resourceVersion and managedFields: nothing for anybody.
    reflector.updated(&pod("x", 11, "n1", "Pending")).await;
    // The status: for those who see it.
    reflector.updated(&pod("x", 12, "n1", "Running")).await;
    assert_eq!(read(&mut full).await, "UPDATED/LIVE x, token");
    // A label: for those who see metadata.
    let labelled = pod("x", 13, "n1", "Running").replace("\"web\"", "\"db\"");
    reflector.updated(&labelled).await;
    assert_eq!(read(&mut full).await, "UPDATED/LIVE x, token");
    assert_eq!(read(&mut metadata).await, "UPDATED/LIVE x, token");
    // The generation: for all.
    reflector
        .updated(
            &labelled
                .replace("\"13\"", "\"14\"")
                .replace("\"generation\":1", "\"generation\":2"),
        )
        .await;
    for watch in [&mut full, &mut metadata, &mut reference] {
        assert_eq!(read(watch).await, "UPDATED/LIVE x, token");
        assert!(futures::poll!(watch.next()).is_pending());
    }
}

#[tokio::test]
async fn h10_the_end_of_a_group_is_told_although_its_last_event_is_not() {
    let rig = rig();
    let request = pb::WatchRequest {
        suppress_unchanged: true,
        batch: Some(pb::BatchOptions {
            max_events: 1,
            ..Default::default()
        }),
        ..projected(&["/spec/nodeName"])
    };
    let held = [pod("gone", 5, "n1", "Pending"), pod("x", 6, "n1", "Pending")];
    let (mut responses, reflector) = rig.synced(request, &held).await;
    reflector.list([pod("x", 11, "n1", "Running")], 12).await;
    assert_eq!(read(&mut responses).await, "DELETED/REPLACED gone, …");
    assert_eq!(read(&mut responses).await, "token");
}

impl Rig {
    /// An informer of pods that cuts nothing.
    async fn whole_pods(&self) {
        self.pods_cut_by(Transform::none()).await;
    }

    async fn pods_cut_by(&self, transform: Transform) -> Arc<crate::informer::SharedInformer> {
        let request = SpecRequest {
            resource: ResourceQuery {
                resource: "pods".into(),
                ..ResourceQuery::default()
            },
            transform,
            ..SpecRequest::default()
        };
        self.api.factory.create(Some("cut"), request).await.unwrap()
    }
}

#[tokio::test]
async fn h15_test_transforming_informer_list_watch_and_delete_objects_are_cut_once_and_alike() {
    let rig = rig();
    let transform = Transform::drop(["/status", "/spec/containers/0"].into_iter()).unwrap();
    let informer = rig.pods_cut_by(transform).await;
    let named = pb::WatchRequest {
        informer: Some(pb::InformerSelector {
            by: Some(pb::informer_selector::By::Name("informers/cut".into())),
        }),
        old_object: pb::OldObject::Full.into(),
        // TestTransformingInformerRace: a resync sends the cached object, which must not be cut again.
        resync_period: Some(crate::service::convert::duration_pb(Duration::from_secs(1))),
        ..pods()
    };
    tokio::time::pause();
    let mut responses = rig.watch(named).await;
    let reflector = rig.upstream.reflector("pods").await;
    reflector.list([pod("x", 5, "n1", "Pending")], 10).await;
    // Cut twice it would lose the second container too.
    let check = |payload: Option<&pb::ObjectPayload>, node: &str| {
        let object = json_of(payload);
        assert_eq!(object["spec"], json!({"nodeName": node, "containers": [{"name": "d"}]}));
        assert!(object.get("status").is_none(), "{object}");
    };
    let mut seen = Vec::new();
    while !seen.contains(&pb::EventType::Deleted) {
        let Some(event) = next(&mut responses).await.events.pop() else {
            continue;
        };
        seen.push(event.r#type());
        match event.r#type() {
            pb::EventType::Added => check(event.object.as_ref(), "n1"),
            pb::EventType::Resync => {
                check(event.object.as_ref(), "n1");
                reflector.updated(&pod("x", 11, "n2", "Running")).await;
            }
            pb::EventType::Updated => {
                check(event.object.as_ref(), "n2");
                check(event.old_object.as_ref(), "n1");
                reflector.deleted(&pod("x", 12, "n3", "Failed")).await;
            }
            _ => check(event.object.as_ref(), "n3"),
        }
    }
    assert_eq!(
        seen,
        [
            pb::EventType::Added,
            pb::EventType::Resync,
            pb::EventType::Updated,
            pb::EventType::Deleted
        ]
    );
    assert_eq!(informer.kept_whole(), 0);
}

#[tokio::test]
async fn case_32_who_names_only_the_resource_gets_no_objects_that_somebody_has_cut() {
    let rig = rig();
    rig.pods_cut_by(Transform::drop(["/status"].into_iter()).unwrap()).await;
    let cut = rig.upstream.reflector("pods").await;
    cut.list([pod("x", 5, "n1", "Pending")], 10).await;
    let mut responses = rig.watch(pods()).await;
    let whole = rig.upstream.reflector("pods").await;
    whole.list([pod("x", 5, "n1", "Pending")], 10).await;
    let _created = next(&mut responses).await;
    let event = next(&mut responses).await.events.remove(0);
    assert_eq!(json_of(event.object.as_ref())["status"], json!({"phase": "Pending"}));
    assert_eq!(rig.api.factory.list().len(), 2);
}
