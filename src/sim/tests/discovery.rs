use super::*;

#[tokio::test]
async fn kube_discovers_every_builtin_resource_and_a_crd_at_once() {
    let (sim, http) = start().await;
    sim.apply_yaml(WIDGETS).unwrap();
    let run = [
        kube::discovery::Discovery::new(http.client.clone())
            .run()
            .await
            .unwrap(),
        kube::discovery::Discovery::new(http.client.clone())
            .run_aggregated()
            .await
            .unwrap(),
    ];
    for discovery in run {
        let mut found = Vec::new();
        for group in discovery.groups() {
            for (resource, capabilities) in group.recommended_resources() {
                assert!(capabilities.supports_operation("watch"), "{resource:?}");
                found.push(format!("{}.{}", resource.plural, resource.group));
            }
        }
        for expected in [
            "pods.",
            "nodes.",
            "deployments.apps",
            "leases.coordination.k8s.io",
            "widgets.example.com",
        ] {
            assert!(found.iter().any(|f| f == expected), "{expected} in {found:?}");
        }
        let widgets = discovery.get("example.com").unwrap();
        assert_eq!(widgets.preferred_version(), Some("v1"));
    }
}

#[tokio::test]
async fn plain_discovery_tells_short_names_categories_and_status() {
    let (_sim, http) = start().await;
    let (_, core) = http.get("/api/v1").await;
    let resources = core["resources"].as_array().unwrap();
    let pods = resources.iter().find(|r| r["name"] == "pods").unwrap();
    assert_eq!(pods["shortNames"], json!(["po"]));
    assert_eq!(pods["singularName"], "pod");
    assert_eq!(pods["categories"], json!(["all"]));
    assert!(resources.iter().any(|r| r["name"] == "pods/status"));
    let nodes = resources.iter().find(|r| r["name"] == "nodes").unwrap();
    assert_eq!(nodes["namespaced"], false);
    assert_eq!(
        http.get("/apis/apps").await.1["preferredVersion"]["groupVersion"],
        "apps/v1"
    );
    assert_eq!(http.get("/apis/none/v1").await.0, 404);
    assert_eq!(http.get("/version").await.1["gitVersion"], "v1.37.0");
    assert_eq!(http.text("/readyz").await, "ok");
}

#[tokio::test]
async fn aggregated_discovery_comes_only_if_accepted_and_switched_on() {
    for (on, accept, expected) in [
        (true, super::super::discovery::AGGREGATED, "APIGroupDiscoveryList"),
        (true, "application/json", "APIGroupList"),
        (false, super::super::discovery::AGGREGATED, "APIGroupList"),
    ] {
        let sim = Sim::builder().aggregated_discovery(on).start().await.unwrap();
        let request = Request::get("/apis").header("accept", accept).body(Vec::new()).unwrap();
        let (_, body) = Http::new(&sim).send(request).await;
        let document: Value = serde_json::from_slice(&body.collect().await.unwrap().to_bytes()).unwrap();
        assert_eq!(document["kind"], expected);
    }
}

#[tokio::test]
async fn a_deleted_crd_takes_its_resource_along() {
    let (sim, http) = start().await;
    sim.apply_yaml(WIDGETS).unwrap();
    let path = "/apis/example.com/v1/widgets";
    assert_eq!(names(&http.get(path).await.1), ["default/w1"]);
    sim.delete(
        "customresourcedefinitions.apiextensions.k8s.io",
        None,
        "widgets.example.com",
    )
    .unwrap();
    assert_eq!(http.get(path).await.0, 404);
    assert_eq!(http.get("/apis/example.com").await.0, 404);
}

#[tokio::test]
async fn the_kubeconfig_leads_to_the_server() {
    let (sim, _) = start().await;
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("config");
    sim.write_kubeconfig(&file).unwrap();
    let kubeconfig = kube::config::Kubeconfig::read_from(&file).unwrap();
    let config = kube::Config::from_custom_kubeconfig(kubeconfig, &Default::default())
        .await
        .unwrap();
    let client = kube::Client::try_from(config).unwrap();
    assert_eq!(client.apiserver_version().await.unwrap().minor, "37");
}
