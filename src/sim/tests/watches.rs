use super::*;
use std::time::Duration;

#[tokio::test]
async fn a_watch_resumes_after_its_version_in_order() {
    let (sim, http) = start().await;
    sim.create(pod("default", "before", "web")).unwrap();
    let rv = sim.resource_version();
    sim.create(pod("default", "a", "web")).unwrap();
    sim.create(pod("other", "b", "web")).unwrap();
    sim.patch_merge("pods", Some("default"), "a", json!({"status": {"phase": "Running"}}))
        .unwrap();
    let mut all = http.watch(&format!("/api/v1/pods?watch=1&resourceVersion={rv}")).await;
    let mut one = http
        .watch(&format!(
            "/api/v1/namespaces/other/pods?watch=true&resourceVersion={rv}"
        ))
        .await;
    assert_eq!(all.events().await, ["ADDED a", "ADDED b", "MODIFIED a"]);
    assert_eq!(one.event().await, "ADDED b");
    sim.delete("pods", Some("default"), "a").unwrap();
    let deleted = all.value().await;
    assert_eq!(deleted["type"], "DELETED");
    assert_eq!(
        deleted["object"]["metadata"]["resourceVersion"],
        sim.resource_version().to_string()
    );
    assert_eq!(deleted["object"]["status"]["phase"], "Running");
}

#[tokio::test]
async fn without_a_version_a_watch_begins_with_the_present_state() {
    let (sim, http) = start().await;
    sim.create(pod("default", "a", "web")).unwrap();
    sim.patch_merge("pods", Some("default"), "a", json!({"status": {"phase": "Running"}}))
        .unwrap();
    for query in ["watch=1", "watch=1&resourceVersion=0"] {
        let mut watch = http.watch(&format!("/api/v1/pods?{query}")).await;
        assert_eq!(watch.event().await, "ADDED a");
    }
}

#[tokio::test]
async fn a_watch_list_ends_its_initial_events_with_the_annotated_bookmark() {
    let (sim, http) = start().await;
    sim.apply_yaml(WIDGETS).unwrap();
    sim.create(pod("default", "a", "web")).unwrap();
    let query = "watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
    for (resource, name, deletable) in [
        ("/api/v1/pods", "a", "pods"),
        ("/apis/example.com/v1/widgets", "w1", "widgets.example.com"),
    ] {
        let mut watch = http.watch(&format!("{resource}?{query}")).await;
        assert_eq!(watch.event().await, format!("ADDED {name}"));
        let bookmark = watch.value().await;
        let metadata = &bookmark["object"]["metadata"];
        assert_eq!(bookmark["type"], "BOOKMARK");
        assert_eq!(metadata["annotations"]["k8s.io/initial-events-end"], "true");
        assert_eq!(metadata["resourceVersion"], sim.resource_version().to_string());
        sim.delete(deletable, Some("default"), name).unwrap();
        assert_eq!(watch.event().await, format!("DELETED {name}"));
    }
    for bad in [
        "sendInitialEvents=true",
        "sendInitialEvents=true&resourceVersionMatch=Exact",
        "resourceVersionMatch=NotOlderThan",
    ] {
        assert_eq!(http.get(&format!("/api/v1/pods?watch=1&{bad}")).await.0, 422, "{bad}");
    }
    let old = Sim::builder().watch_list(false).start().await.unwrap();
    assert_eq!(Http::new(&old).get(&format!("/api/v1/pods?{query}")).await.0, 422);
}

#[tokio::test]
async fn selector_transitions_are_added_and_deleted() {
    let (sim, http) = start().await;
    sim.create(pod("default", "a", "web")).unwrap();
    let mut watch = http.watch("/api/v1/pods?watch=1&labelSelector=app%3Dweb").await;
    let mut node = http
        .watch("/api/v1/pods?watch=1&fieldSelector=spec.nodeName%3Dn1")
        .await;
    assert_eq!(
        (watch.event().await, node.event().await),
        ("ADDED a".to_owned(), "ADDED a".to_owned())
    );
    let relabel = |app: &str| {
        sim.patch_merge(
            "pods",
            Some("default"),
            "a",
            json!({"metadata": {"labels": {"app": app}}}),
        )
        .unwrap()
    };
    relabel("db");
    let left = watch.value().await;
    assert_eq!(left["type"], "DELETED");
    // The last state that matched, under the version of the change that ended it.
    assert_eq!(left["object"]["metadata"]["labels"]["app"], "web");
    assert_eq!(
        left["object"]["metadata"]["resourceVersion"],
        sim.resource_version().to_string()
    );
    relabel("other"); // invisible
    relabel("web");
    assert_eq!(watch.event().await, "ADDED a");
    assert_eq!(node.events().await, ["MODIFIED a", "MODIFIED a", "MODIFIED a"]);
    sim.patch_merge("pods", Some("default"), "a", json!({"spec": {"nodeName": "n2"}}))
        .unwrap();
    assert_eq!(node.event().await, "DELETED a");
    assert_eq!(watch.event().await, "MODIFIED a");
}

#[tokio::test]
async fn a_version_below_the_history_gets_410_in_the_stream() {
    let (sim, http) = start().await;
    let rv = sim.resource_version();
    sim.create(pod("default", "a", "web")).unwrap();
    sim.compact();
    let mut watch = http.watch(&format!("/api/v1/pods?watch=1&resourceVersion={rv}")).await;
    let error = watch.value().await;
    assert_eq!(
        (&error["type"], &error["object"]["code"], &error["object"]["reason"]),
        (&json!("ERROR"), &json!(410), &json!("Expired"))
    );
    assert_eq!(watch.line().await, None);
    let mut newest = http
        .watch(&format!(
            "/api/v1/pods?watch=1&resourceVersion={}",
            sim.resource_version()
        ))
        .await;
    sim.create(pod("default", "b", "web")).unwrap();
    assert_eq!(newest.event().await, "ADDED b");
}

#[tokio::test]
async fn the_history_is_bounded() {
    let sim = Sim::builder().history_limit(3).start().await.unwrap();
    for i in 0..5 {
        sim.create(pod("default", &format!("p{i}"), "web")).unwrap();
    }
    assert_eq!(sim.oldest_resource_version(), sim.resource_version() - 3);
    let http = Http::new(&sim);
    let oldest = sim.oldest_resource_version();
    let mut watch = http
        .watch(&format!("/api/v1/pods?watch=1&resourceVersion={oldest}"))
        .await;
    assert_eq!(watch.events().await, ["ADDED p2", "ADDED p3", "ADDED p4"]);
    let mut late = http
        .watch(&format!("/api/v1/pods?watch=1&resourceVersion={}", oldest - 1))
        .await;
    assert_eq!(late.value().await["type"], "ERROR");
}

#[tokio::test]
async fn bookmarks_come_only_if_allowed_and_never_ahead_of_events() {
    let sim = Sim::builder()
        .bookmark_period(Duration::from_millis(5))
        .start()
        .await
        .unwrap();
    let http = Http::new(&sim);
    sim.skip_resource_versions(10); // other resources have moved on
    let rv = sim.resource_version();
    let mut watch = http
        .watch(&format!(
            "/api/v1/pods?watch=1&allowWatchBookmarks=true&resourceVersion={rv}"
        ))
        .await;
    let mut plain = http.watch(&format!("/api/v1/pods?watch=1&resourceVersion={rv}")).await;
    sim.skip_resource_versions(5);
    let mut seen = rv;
    while seen < rv + 5 {
        let bookmark = watch.value().await;
        assert_eq!(bookmark["type"], "BOOKMARK");
        assert!(bookmark["object"]["metadata"].get("annotations").is_none());
        seen = bookmark["object"]["metadata"]["resourceVersion"]
            .as_str()
            .unwrap()
            .parse()
            .unwrap();
    }
    let created = sim.create(pod("default", "a", "web")).unwrap();
    let version = |event: &Value| {
        event["object"]["metadata"]["resourceVersion"]
            .as_str()
            .unwrap()
            .parse::<u64>()
            .unwrap()
    };
    loop {
        let event = watch.value().await;
        if event["type"] == "ADDED" {
            assert_eq!(event["object"]["metadata"]["uid"], created["metadata"]["uid"]);
            break;
        }
        assert!(version(&event) < sim.resource_version());
    }
    assert_eq!(plain.event().await, "ADDED a");
}

#[tokio::test]
async fn a_watch_ends_in_good_order_at_its_timeout() {
    let (sim, http) = start().await;
    sim.create(pod("default", "a", "web")).unwrap();
    let mut watch = http.watch("/api/v1/pods?watch=1&timeoutSeconds=1").await;
    assert_eq!(watch.event().await, "ADDED a");
    assert_eq!(watch.line().await, None);
}

#[tokio::test]
async fn one_object_can_be_watched_by_its_path() {
    let (sim, http) = start().await;
    sim.create(pod("default", "a", "web")).unwrap();
    sim.create(pod("default", "b", "web")).unwrap();
    let mut watch = http.watch("/api/v1/namespaces/default/pods/b?watch=1").await;
    assert_eq!(watch.event().await, "ADDED b");
    sim.delete("pods", Some("default"), "a").unwrap();
    sim.delete("pods", Some("default"), "b").unwrap();
    assert_eq!(watch.event().await, "DELETED b");
}

#[tokio::test]
async fn after_a_restore_versions_are_used_again_and_old_watchers_hear_nothing_until_then() {
    let (sim, http) = start().await;
    sim.create(pod("default", "kept", "web")).unwrap();
    let backup = sim.resource_version();
    sim.create(pod("default", "lost", "web")).unwrap();
    let seen = sim.resource_version();
    let mut old = http
        .watch(&format!("/api/v1/pods?watch=1&resourceVersion={seen}"))
        .await;
    sim.restore(backup).unwrap();
    assert!(old.line().await.is_none_or(|line| line.is_err()));
    assert_eq!(sim.resource_version(), backup);
    assert_eq!(sim.list("pods").unwrap().len(), 1);
    let mut ahead = http
        .watch(&format!("/api/v1/pods?watch=1&resourceVersion={seen}"))
        .await;
    sim.create(pod("default", "again", "web")).unwrap(); // at the version of "lost": not told
    sim.create(pod("default", "next", "web")).unwrap();
    assert_eq!(ahead.event().await, "ADDED next");
    sim.compact();
    assert_eq!(sim.restore(backup).unwrap_err().code, 410);
}
