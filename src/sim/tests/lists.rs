use super::*;
use crate::sim::filter::Filter;
use crate::sim::query::Query;

#[tokio::test]
async fn pages_show_the_first_page_s_version_in_etcd_key_order() {
    let (sim, http) = start().await;
    for (namespace, name) in [("b", "x"), ("a", "y"), ("a-b", "z"), ("a", "x"), ("c", "gone")] {
        sim.create(pod(namespace, name, "web")).unwrap();
    }
    let (_, first) = http.get("/api/v1/pods?limit=2").await;
    assert_eq!(names(&first), ["a-b/z", "a/x"]);
    assert_eq!(first["metadata"]["remainingItemCount"], 3);
    sim.delete("pods", Some("c"), "gone").unwrap();
    sim.create(pod("b", "later", "web")).unwrap();
    sim.patch_merge("pods", Some("b"), "x", json!({"metadata": {"labels": {"app": "new"}}}))
        .unwrap();
    let token = first["metadata"]["continue"].as_str().unwrap();
    let (_, second) = http.get(&format!("/api/v1/pods?limit=10&continue={token}")).await;
    assert_eq!(names(&second), ["a/y", "b/x", "c/gone"]);
    assert_eq!(second["items"][1]["metadata"]["labels"]["app"], "web");
    assert_eq!(
        second["metadata"]["resourceVersion"],
        first["metadata"]["resourceVersion"]
    );
    assert!(second["metadata"].get("continue").is_none());
}

#[tokio::test]
async fn a_page_beyond_the_history_is_410_with_a_token_to_go_on() {
    let (sim, http) = start().await;
    for name in ["a", "b", "c"] {
        sim.create(pod("default", name, "web")).unwrap();
    }
    let (_, first) = http.get("/api/v1/namespaces/default/pods?limit=1").await;
    assert_eq!(first["metadata"]["remainingItemCount"], 2);
    sim.create(pod("default", "d", "web")).unwrap();
    sim.compact();
    let token = first["metadata"]["continue"].as_str().unwrap();
    let (code, refused) = http
        .get(&format!("/api/v1/namespaces/default/pods?limit=9&continue={token}"))
        .await;
    assert_eq!((code, &refused["reason"]), (410, &json!("Expired")));
    let token = refused["metadata"]["continue"].as_str().unwrap();
    let (_, rest) = http
        .get(&format!("/api/v1/namespaces/default/pods?limit=9&continue={token}"))
        .await;
    assert_eq!(names(&rest), ["default/b", "default/c", "default/d"]);
}

#[tokio::test]
async fn resource_version_and_match_choose_what_is_shown() {
    let (sim, http) = start().await;
    sim.create(pod("default", "a", "web")).unwrap();
    let old = sim.resource_version();
    sim.create(pod("default", "b", "web")).unwrap();
    for (query, expected) in [
        ("".to_owned(), 2),
        ("?resourceVersion=0&limit=1".to_owned(), 2), // the watch cache ignores a limit at 0
        (format!("?resourceVersion={old}"), 2),
        (format!("?resourceVersion={old}&resourceVersionMatch=NotOlderThan"), 2),
        (
            format!("?resourceVersion={old}&resourceVersionMatch=NotOlderThan&limit=1"),
            1,
        ),
        (format!("?resourceVersion={old}&resourceVersionMatch=Exact"), 1),
        (format!("?resourceVersion={old}&limit=5"), 1), // limited without a match: exact
    ] {
        let (code, list) = http.get(&format!("/api/v1/pods{query}")).await;
        assert_eq!((code, names(&list).len()), (200, expected), "{query}");
    }
    for (query, code) in [
        ("?resourceVersionMatch=Exact", 422),
        ("?resourceVersion=0&resourceVersionMatch=Exact", 422),
        ("?resourceVersion=1&resourceVersionMatch=Sometimes", 422),
        ("?resourceVersion=1&resourceVersionMatch=Exact", 410),
        ("?resourceVersion=x", 400),
        ("?limit=x", 400),
        ("?continue=garbage", 400),
        ("?labelSelector=a,,b", 400),
        ("?fieldSelector=spec.unknown=1", 400),
    ] {
        let (got, status) = http.get(&format!("/api/v1/pods{query}")).await;
        assert_eq!(
            (got, &status["kind"], &status["code"]),
            (code, &json!("Status"), &json!(code)),
            "{query}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_version_of_the_future_is_waited_for_then_refused_with_its_cause() {
    let store = store::Store::new(1, 10, 100);
    let kind = store.read().registry.by_name("pods").unwrap();
    let query = Query::parse("resourceVersion=12");
    let filter = Filter::default();
    let refused = list::page(&store, &kind, &filter, &query, false)
        .await
        .map(|page| page.rv)
        .map_err(|r| r.status);
    let status = refused.unwrap_err();
    assert_eq!(status.code, 504);
    assert!(status.body().contains("ResourceVersionTooLarge"), "{}", status.body());
    let ahead = async {
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
        store.write(|state| state.skip_versions(2));
    };
    let (page, ()) = tokio::join!(list::page(&store, &kind, &filter, &query, false), ahead);
    assert_eq!(page.map(|page| page.rv).map_err(|r| r.status), Ok(12));
}

#[tokio::test]
async fn selectors_and_namespaces_narrow_a_list() {
    let (sim, http) = start().await;
    for (namespace, name, app) in [("a", "p1", "web"), ("a", "p2", "db"), ("b", "p3", "web")] {
        sim.create(pod(namespace, name, app)).unwrap();
    }
    sim.patch_merge("pods", Some("b"), "p3", json!({"spec": {"nodeName": "n2"}}))
        .unwrap();
    for (path, expected) in [
        ("/api/v1/namespaces/a/pods", vec!["a/p1", "a/p2"]),
        ("/api/v1/namespaces/none/pods", vec![]),
        ("/api/v1/pods?labelSelector=app%3Dweb", vec!["a/p1", "b/p3"]),
        ("/api/v1/pods?labelSelector=app%20notin%20(web)", vec!["a/p2"]),
        ("/api/v1/pods?fieldSelector=spec.nodeName%3Dn2", vec!["b/p3"]),
        (
            "/api/v1/pods?fieldSelector=metadata.name%3Dp1,status.phase%3DPending",
            vec!["a/p1"],
        ),
        ("/api/v1/pods?fieldSelector=metadata.namespace!%3Da", vec!["b/p3"]),
        (
            "/api/v1/pods?fieldSelector=spec.hostNetwork%3Dfalse&limit=2&labelSelector=app",
            vec!["a/p1", "a/p2"],
        ),
    ] {
        assert_eq!(names(&http.get(path).await.1), expected, "{path}");
    }
}

#[tokio::test]
async fn builtin_items_lack_their_type_and_end_metadata_with_managed_fields() {
    let (sim, http) = start().await;
    sim.create(pod("default", "a", "web")).unwrap();
    let text = http.text("/api/v1/pods").await;
    let rv = sim.resource_version();
    assert!(text.starts_with(&format!(
        r#"{{"kind":"PodList","apiVersion":"v1","metadata":{{"resourceVersion":"{rv}"}},"items":[{{"metadata":{{"name":"a","namespace":"default","uid":""#
    )), "{text}");
    let object = http.text("/api/v1/namespaces/default/pods/a").await;
    assert!(
        object.starts_with(r#"{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","#),
        "{object}"
    );
    let (metadata, rest) = object.split_once(r#"},"spec":"#).unwrap();
    assert!(
        metadata.ends_with("]") && metadata.contains(r#""managedFields":[{"#),
        "{metadata}"
    );
    assert!(
        rest.ends_with("\"status\":{\"phase\":\"Pending\",\"qosClass\":\"BestEffort\"}}\n"),
        "{rest}"
    );
    let fields = &serde_json::from_str::<Value>(&object).unwrap()["metadata"]["managedFields"][0];
    assert_eq!(fields["fieldsV1"]["f:metadata"]["f:labels"]["f:app"], json!({}));
    assert_eq!(
        fields["fieldsV1"]["f:spec"]["f:containers"][r#"k:{"name":"c"}"#]["f:image"],
        json!({})
    );
}

#[tokio::test]
async fn custom_resources_are_whole_and_sorted_so_managed_fields_precede_the_name() {
    let (sim, http) = start().await;
    sim.apply_yaml(WIDGETS).unwrap();
    let text = http.text("/apis/example.com/v1/widgets").await;
    assert!(text.starts_with(r#"{"apiVersion":"example.com/v1","items":[{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"creationTimestamp":"#), "{text}");
    assert!(text.find("managedFields").unwrap() < text.find(r#""name":"w1""#).unwrap());
    let rv = sim.resource_version();
    let tail = format!("],\"kind\":\"WidgetList\",\"metadata\":{{\"continue\":\"\",\"resourceVersion\":\"{rv}\"}}}}\n");
    assert!(text.ends_with(&tail), "{text}");
    // Another served version of the same objects, and a field that the CRD declares selectable.
    let (_, beta) = http
        .get("/apis/example.com/v1beta1/namespaces/default/widgets/w1")
        .await;
    assert_eq!(beta["apiVersion"], "example.com/v1beta1");
    let (_, red) = http
        .get("/apis/example.com/v1/widgets?fieldSelector=spec.color%3Dred")
        .await;
    assert_eq!(names(&red), ["default/w1"]);
    assert_eq!(
        http.get("/apis/example.com/v1beta1/widgets?fieldSelector=spec.color%3Dred")
            .await
            .0,
        400
    );
}

#[tokio::test]
async fn a_long_list_comes_in_pieces_and_is_complete() {
    let (sim, http) = start().await;
    let padding = "x".repeat(2_000);
    for i in 0..500 {
        let mut object = pod("default", &format!("p{i:03}"), "web");
        object["metadata"]["annotations"] = json!({"padding": padding});
        sim.create(object).unwrap();
    }
    let (_, list) = http.get("/api/v1/pods").await;
    let expected: Vec<_> = (0..500).map(|i| format!("default/p{i:03}")).collect();
    assert_eq!(names(&list), expected);
}
