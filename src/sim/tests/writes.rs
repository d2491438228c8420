use super::*;

const PODS: &str = "/api/v1/namespaces/default/pods";
const JSON: &str = "application/json";
const MERGE: &str = "application/merge-patch+json";

#[tokio::test]
async fn created_objects_get_identity_defaults_and_managed_fields() {
    let (_sim, http) = start().await;
    let mut object = pod("default", "a", "web");
    object["status"] = json!({"phase": "Running"});
    let (code, made) = http.call("POST", PODS, object.clone(), JSON).await;
    assert_eq!(code, 201);
    assert_eq!(
        made["status"]["phase"], "Pending",
        "clients write status by its subresource only"
    );
    assert_eq!(made["metadata"]["uid"].as_str().unwrap().len(), 36);
    assert_eq!(made["metadata"]["creationTimestamp"].as_str().unwrap().len(), 20);
    assert_eq!(made["metadata"]["generation"], 1);
    assert_eq!(made["metadata"]["managedFields"][0]["operation"], "Update");
    assert_eq!(http.call("POST", PODS, object, JSON).await.0, 409);
    let generated = json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"generateName": "g-"}, "spec": {}});
    let (_, made) = http.call("POST", PODS, generated, JSON).await;
    let name = made["metadata"]["name"].as_str().unwrap();
    assert!(name.starts_with("g-") && name.len() == 7, "{name}");
}

#[tokio::test]
async fn bad_writes_are_refused_each_with_its_code() {
    let (_sim, http) = start().await;
    let deployment = json!({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "d"}});
    let with_metadata = |metadata: Value| json!({"apiVersion": "v1", "kind": "Pod", "metadata": metadata});
    for (method, path, body, kind, code) in [
        ("POST", PODS, deployment, JSON, 400),
        ("POST", PODS, with_metadata(json!({"name": "UPPER"})), JSON, 422),
        ("POST", PODS, with_metadata(json!({})), JSON, 422),
        (
            "POST",
            PODS,
            with_metadata(json!({"name": "a", "namespace": "other"})),
            JSON,
            400,
        ),
        (
            "POST",
            PODS,
            with_metadata(json!({"name": "a", "labels": "x"})),
            JSON,
            400,
        ),
        ("POST", PODS, with_metadata(json!("x")), JSON, 400),
        ("POST", PODS, json!([1]), JSON, 400),
        (
            "POST",
            "/api/v1/namespaces/none/pods",
            with_metadata(json!({"name": "a"})),
            JSON,
            404,
        ),
        ("POST", "/api/v1/pods", with_metadata(json!({"name": "a"})), JSON, 404),
        (
            "PUT",
            "/api/v1/namespaces/default/pods/none",
            with_metadata(json!({"name": "none"})),
            JSON,
            404,
        ),
        (
            "PATCH",
            "/api/v1/namespaces/default/pods/none",
            json!({}),
            "application/json-patch+json",
            415,
        ),
        ("DELETE", "/api/v1/namespaces/default/pods/none", Value::Null, JSON, 404),
        ("GET", "/api/v1/namespaces/default/pods/none", Value::Null, JSON, 404),
        ("GET", "/api/v1/unknowns", Value::Null, JSON, 404),
        ("GET", "/api/v1/pods/a", Value::Null, JSON, 404),
        ("GET", "/api/v1/namespaces/default/nodes", Value::Null, JSON, 404),
        ("POST", "/api/v1/namespaces/default/pods/a", json!({}), JSON, 405),
    ] {
        let (got, status) = http.call(method, path, body.clone(), kind).await;
        assert_eq!(
            (got, &status["status"]),
            (code, &json!("Failure")),
            "{method} {path} {body}: {status}"
        );
    }
}

#[tokio::test]
async fn updates_check_the_version_and_split_spec_from_status() {
    let (sim, http) = start().await;
    let path = format!("{PODS}/a");
    let (_, first) = http.call("POST", PODS, pod("default", "a", "web"), JSON).await;
    let mut second = first.clone();
    second["metadata"]["labels"]["app"] = json!("db");
    second["status"]["phase"] = json!("Failed");
    let (code, second) = http.call("PUT", &path, second, JSON).await;
    assert_eq!(code, 200);
    assert_eq!(
        (&second["metadata"]["labels"]["app"], &second["status"]["phase"]),
        (&json!("db"), &json!("Pending"))
    );
    let (code, conflict) = http.call("PUT", &path, first, JSON).await;
    assert_eq!(
        (code, &conflict["reason"], &conflict["details"]["name"]),
        (409, &json!("Conflict"), &json!("a"))
    );
    let status = json!({"status": {"phase": "Running"}, "spec": {"nodeName": "other"}});
    let (_, third) = http.call("PATCH", &format!("{path}/status"), status, MERGE).await;
    assert_eq!(
        (&third["status"]["phase"], &third["spec"]["nodeName"]),
        (&json!("Running"), &json!("n1"))
    );
    assert_eq!(third["metadata"]["managedFields"][1]["subresource"], "status");
    let (_, fourth) = http
        .call("PATCH", &path, json!({"spec": {"nodeName": "n2"}}), MERGE)
        .await;
    assert_eq!(fourth["metadata"]["generation"], 2);
    let before = sim.resource_version();
    let (_, same) = http
        .call("PATCH", &path, json!({"spec": {"nodeName": "n2"}}), MERGE)
        .await;
    assert_eq!(same, fourth, "a write that changes nothing is not written");
    assert_eq!(sim.resource_version(), before);
}

#[tokio::test]
async fn finalizers_hold_a_deletion_and_preconditions_are_checked() {
    let (sim, http) = start().await;
    let mut object = pod("default", "a", "web");
    object["metadata"]["finalizers"] = json!(["example.com/hold"]);
    sim.create(object).unwrap();
    let mut watch = http
        .watch(&format!(
            "/api/v1/pods?watch=1&resourceVersion={}",
            sim.resource_version()
        ))
        .await;
    let path = format!("{PODS}/a");
    let wrong = json!({"preconditions": {"uid": "wrong"}});
    assert_eq!(http.call("DELETE", &path, wrong, JSON).await.0, 409);
    let (_, marked) = http.call("DELETE", &path, Value::Null, JSON).await;
    assert!(marked["metadata"]["deletionTimestamp"].is_string());
    http.call("PATCH", &path, json!({"metadata": {"finalizers": null}}), MERGE)
        .await;
    assert_eq!(watch.events().await, ["MODIFIED a", "DELETED a"]);
    sim.create(pod("default", "b", "web")).unwrap();
    let (_, status) = http.call("DELETE", &format!("{PODS}/b"), Value::Null, JSON).await;
    assert_eq!(
        (&status["status"], &status["details"]["name"]),
        (&json!("Success"), &json!("b"))
    );
}

#[tokio::test]
async fn collections_and_namespaces_are_deleted_with_what_is_in_them() {
    let (sim, http) = start().await;
    for (namespace, name, app) in [("a", "p1", "web"), ("a", "p2", "db"), ("b", "p3", "web")] {
        sim.create(pod(namespace, name, app)).unwrap();
    }
    http.call(
        "DELETE",
        "/api/v1/namespaces/a/pods?labelSelector=app%3Dweb",
        Value::Null,
        JSON,
    )
    .await;
    assert_eq!(names(&http.get("/api/v1/pods").await.1), ["a/p2", "b/p3"]);
    http.call("DELETE", "/api/v1/namespaces/a", Value::Null, JSON).await;
    assert_eq!(names(&http.get("/api/v1/pods").await.1), ["b/p3"]);
    assert!(!names(&http.get("/api/v1/namespaces").await.1).contains(&"a".to_owned()));
}

#[tokio::test]
async fn manifests_say_which_document_is_wrong() {
    let sim = Sim::builder().with_manifests(WIDGETS).start().await.unwrap();
    assert_eq!(sim.list("widgets.example.com").unwrap().len(), 1);
    let list = "kind: List\nitems:\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: new}}\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: b}}\n";
    assert_eq!(sim.apply_yaml(list).unwrap(), 2);
    assert!(sim.get("namespaces", None, "new").is_ok());
    assert_eq!(sim.apply_yaml(list).unwrap(), 2, "applied again");
    let error = sim.apply_yaml("---\n---\n{apiVersion: v9, kind: Pod}").unwrap_err();
    assert!(error.to_string().contains("document"), "{error}");
    assert!(sim.apply_yaml(": :\n- x").is_err());
}

#[tokio::test]
async fn the_same_seed_makes_the_same_identities() {
    let uid = |sim: Sim| sim.create(pod("default", "a", "web")).unwrap()["metadata"]["uid"].clone();
    let (a, b, c) = tokio::join!(
        Sim::builder().seed(1).start(),
        Sim::builder().seed(1).start(),
        Sim::builder().seed(2).start()
    );
    let (a, b, c) = (uid(a.unwrap()), uid(b.unwrap()), uid(c.unwrap()));
    assert_eq!(a, b);
    assert_ne!(a, c);
}

#[test]
fn timestamps_are_civil() {
    let at = |seconds| meta::timestamp(std::time::UNIX_EPOCH + std::time::Duration::from_secs(seconds));
    assert_eq!(at(0), "1970-01-01T00:00:00Z");
    assert_eq!(at(951_782_399), "2000-02-28T23:59:59Z");
    assert_eq!(at(951_782_400), "2000-02-29T00:00:00Z");
    assert_eq!(at(1_798_761_599), "2026-12-31T23:59:59Z");
    assert_eq!(at(4_107_542_400), "2100-03-01T00:00:00Z");
}
