//! Names, indexes, selectors and scopes that do not exist or do not fit.

use informerd::proto::v1alpha1::{
    AckWatchRequest, AddIndexersRequest, CountObjectsRequest, DeleteInformerRequest, GetInformerRequest,
    GetObjectRequest, Indexer, InformerSpec, ListIndexValuesRequest, ListObjectsRequest, ObjectKey, ReadOptions,
    RemoveIndexersRequest, ResourceRef, WaitForCacheSyncRequest, WaitForResourceVersionRequest, WatchRequest,
    read_options::Freshness,
};
use tonic::Code::{self, AlreadyExists, FailedPrecondition, InvalidArgument, NotFound, Unavailable};

use super::{
    World,
    ask::{filter, index, invalid, list, spec, still_well, try_create, try_list, try_watch, watch},
    in_a, patient,
    refusal::{Refusal, refused},
    sidecar::{named, resource},
};

#[tokio::test(flavor = "multi_thread")]
async fn what_does_not_exist_is_not_found() {
    let World { bench, sim, _dir } = World::start().await;
    for name in [
        "widgets",
        "deployments.v9.apps",
        "pods.v9",
        "pods.none.example",
        "v1",
        ".",
        "päds",
    ] {
        let expected = Refusal::new(NotFound, "RESOURCE_NOT_FOUND", "informer.resource");
        let informer = || resource(name);
        let request = ListObjectsRequest {
            informer: informer(),
            ..list()
        };
        assert_eq!(refused(try_list(&bench, request).await), expected, "{name}");
        let request = WatchRequest {
            informer: informer(),
            ..watch()
        };
        assert_eq!(refused(try_watch(&bench, request).await), expected, "{name}");
        // A CustomResourceDefinition of that group may come: who declares it waits for it (field case 28).
        if name == "pods.none.example" {
            continue;
        }
        let created = refused(try_create(&bench, "", spec(name)).await);
        assert_eq!(
            (created.code, created.reason.as_str()),
            (NotFound, "RESOURCE_NOT_FOUND"),
            "{name}"
        );
    }
    let parts = ResourceRef {
        group: "apps".into(),
        version: "v9".into(),
        resource: "deployments".into(),
    };
    let request = InformerSpec {
        resource: Some(parts),
        ..InformerSpec::default()
    };
    assert_eq!(
        refused(try_create(&bench, "", request).await).reason,
        "RESOURCE_NOT_FOUND"
    );

    let unknown = "informers/none";
    let expected = |field| Refusal::new(NotFound, "INFORMER_NOT_FOUND", field);
    let request = ListObjectsRequest {
        informer: named(unknown),
        ..list()
    };
    assert_eq!(refused(try_list(&bench, request).await), expected("informer.name"));
    let request = WatchRequest {
        informer: named(unknown),
        ..watch()
    };
    assert_eq!(refused(try_watch(&bench, request).await), expected("informer.name"));
    let name = || unknown.to_owned();
    let mut informers = bench.informers();
    let request = GetInformerRequest { name: name() };
    assert_eq!(refused(informers.get_informer(request).await), expected("name"));
    let request = DeleteInformerRequest {
        name: name(),
        force: true,
    };
    assert_eq!(refused(informers.delete_informer(request).await), expected("name"));
    let request = AddIndexersRequest {
        name: name(),
        indexers: Vec::new(),
    };
    assert_eq!(refused(informers.add_indexers(request).await), expected("name"));
    let request = RemoveIndexersRequest {
        name: name(),
        index_names: Vec::new(),
    };
    assert_eq!(refused(informers.remove_indexers(request).await), expected("name"));
    let request = WaitForCacheSyncRequest {
        names: vec![name()],
        timeout: None,
    };
    assert_eq!(refused(informers.wait_for_cache_sync(request).await), expected("names"));

    let object = |namespace: &str, name: &str| GetObjectRequest {
        informer: resource("pods"),
        key: Some(ObjectKey {
            namespace: namespace.into(),
            name: name.into(),
        }),
        read: patient(),
        ..GetObjectRequest::default()
    };
    for (namespace, name) in [("a", "none"), ("none", "p1"), ("", "p1")] {
        let answer = refused(bench.cache().get_object(object(namespace, name)).await);
        assert_eq!((answer.code, answer.reason.as_str()), (NotFound, "OBJECT_NOT_FOUND"));
    }
    let request = AckWatchRequest {
        watch_id: "none".into(),
        sequence: 1,
    };
    let answer = refused(bench.subscriptions().ack_watch(request).await);
    assert_eq!((answer.code, answer.reason.as_str()), (NotFound, "WATCH_NOT_FOUND"));
    still_well(&bench).await;
    bench.stop().await;
    drop(sim);
}

#[tokio::test(flavor = "multi_thread")]
async fn indexes_that_do_not_exist_are_not_found_and_wrong_ones_not_declared() {
    let World { bench, sim, _dir } = World::start().await;
    still_well(&bench).await;
    let expected = |field| Refusal::new(NotFound, "INDEX_NOT_FOUND", field);
    let request = ListObjectsRequest {
        filter: index("none", &["x"]),
        ..list()
    };
    assert_eq!(refused(try_list(&bench, request).await), expected("filter.index.name"));
    let request = WatchRequest {
        filter: index("none", &["x"]),
        ..watch()
    };
    assert_eq!(refused(try_watch(&bench, request).await), expected("filter.index.name"));
    let request = ListIndexValuesRequest {
        informer: resource("pods"),
        index: "none".into(),
        ..ListIndexValuesRequest::default()
    };
    assert_eq!(
        refused(bench.cache().list_index_values(request).await),
        expected("index")
    );
    let request = CountObjectsRequest {
        informer: resource("pods"),
        group_by_index: "none".into(),
        ..CountObjectsRequest::default()
    };
    assert_eq!(
        refused(bench.cache().count_objects(request).await),
        expected("group_by_index")
    );
    let request = RemoveIndexersRequest {
        name: "informers/pods".into(),
        index_names: vec!["none".into()],
    };
    assert_eq!(
        refused(bench.informers().remove_indexers(request).await),
        expected("index_names")
    );

    let request = ListObjectsRequest {
        filter: index("namespace", &[]),
        ..list()
    };
    assert_eq!(
        refused(try_list(&bench, request).await),
        invalid("INVALID_FIELD", "filter.index.values")
    );
    let add = |name: &str, pointer: &str| AddIndexersRequest {
        name: "informers/pods".into(),
        indexers: vec![Indexer {
            name: name.into(),
            json_pointer: pointer.into(),
        }],
    };
    for (name, pointer, expected) in [
        (
            "node",
            "spec/nodeName",
            invalid("INVALID_POINTER", "indexers.json_pointer"),
        ),
        ("node", "/spec/~2", invalid("INVALID_POINTER", "indexers.json_pointer")),
        ("Node", "/spec/nodeName", invalid("INVALID_FIELD", "indexers.name")),
        ("", "/spec/nodeName", invalid("INVALID_FIELD", "indexers.name")),
        ("namespace", "/spec/nodeName", invalid("INVALID_FIELD", "indexers.name")),
    ] {
        assert_eq!(
            refused(bench.informers().add_indexers(add(name, pointer)).await),
            expected,
            "{name} {pointer}"
        );
    }
    bench
        .informers()
        .add_indexers(add("node", "/spec/nodeName"))
        .await
        .expect("an index");
    let conflict = refused(bench.informers().add_indexers(add("node", "/spec/other")).await);
    assert_eq!(conflict, Refusal::new(AlreadyExists, "INDEX_CONFLICT", "indexers"));
    still_well(&bench).await;
    bench.stop().await;
    drop(sim);
}

#[tokio::test(flavor = "multi_thread")]
async fn malformed_selectors_are_refused_by_name() {
    let World { bench, sim, _dir } = World::start().await;
    for labels in ["a in b", "=", "a in (", "a,,b", "a b", "!", "a notin ()x", "-a=b"] {
        let filter = || filter(|f| f.label_selector = labels.into());
        let expected = invalid("INVALID_SELECTOR", "filter.label_selector");
        let request = ListObjectsRequest {
            filter: filter(),
            ..list()
        };
        assert_eq!(refused(try_list(&bench, request).await), expected, "{labels:?}");
        let request = WatchRequest {
            filter: filter(),
            ..watch()
        };
        assert_eq!(refused(try_watch(&bench, request).await), expected, "{labels:?}");
        let request = CountObjectsRequest {
            informer: resource("pods"),
            filter: filter(),
            ..CountObjectsRequest::default()
        };
        assert_eq!(
            refused(bench.cache().count_objects(request).await),
            expected,
            "{labels:?}"
        );
        let request = InformerSpec {
            label_selector: labels.into(),
            ..spec("pods")
        };
        let expected = invalid("INVALID_SELECTOR", "spec.label_selector");
        assert_eq!(refused(try_create(&bench, "", request).await), expected, "{labels:?}");
    }
    for fields in ["a", "=x", "a==b==c", "a>b", "a,"] {
        let request = ListObjectsRequest {
            filter: filter(|f| f.field_selector = fields.into()),
            ..list()
        };
        let expected = invalid("INVALID_SELECTOR", "filter.field_selector");
        match try_list(&bench, request).await {
            // What kubectl accepts is accepted.
            Ok(()) => assert!(matches!(fields, "a==b==c" | "a,"), "{fields:?}"),
            Err(status) => assert_eq!(Refusal::of(&status), expected, "{fields:?}"),
        }
    }
    // One that only the API server can judge: the informer exists and says why it does not sync.
    let request = InformerSpec {
        field_selector: "data.key=x".into(),
        ..spec("configmaps")
    };
    let name = try_create(&bench, "", request).await.expect("an informer");
    let request = ListObjectsRequest {
        informer: named(&name),
        ..list()
    };
    let answer = bench.cache().list_objects(request).await.expect_err("cannot sync");
    assert_eq!(Refusal::of(&answer), Refusal::new(Unavailable, "CACHE_NOT_SYNCED", ""));
    assert!(answer.message().contains("data.key"), "{answer}");
    still_well(&bench).await;
    bench.stop().await;
    drop(sim);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_cache_cannot_know_is_no_empty_answer() {
    let World { bench, sim, _dir } = World::start().await;
    let narrow = InformerSpec {
        namespaces: vec!["a".into()],
        ..spec("pods")
    };
    let name = try_create(&bench, "narrow", narrow).await.expect("an informer");
    let elsewhere = || filter(|f| f.namespaces = vec!["a".into(), "b".into()]);
    let expected = invalid("NAMESPACE_NOT_CACHED", "filter.namespaces");
    let request = ListObjectsRequest {
        informer: named(&name),
        filter: elsewhere(),
        ..list()
    };
    assert_eq!(refused(try_list(&bench, request).await), expected);
    let request = WatchRequest {
        informer: named(&name),
        filter: elsewhere(),
        ..watch()
    };
    assert_eq!(refused(try_watch(&bench, request).await), expected);
    let request = GetObjectRequest {
        informer: named(&name),
        key: Some(ObjectKey {
            namespace: "b".into(),
            name: "p1".into(),
        }),
        ..GetObjectRequest::default()
    };
    let answer = refused(bench.cache().get_object(request).await);
    assert_eq!(
        (answer.code, answer.reason.as_str()),
        (InvalidArgument, "NAMESPACE_NOT_CACHED")
    );
    // The same id for something else, or in use.
    let conflict = refused(try_create(&bench, "narrow", spec("pods")).await);
    assert_eq!(
        conflict,
        Refusal::new(AlreadyExists, "INFORMER_SPEC_CONFLICT", "informer_id")
    );
    let open = bench
        .subscriptions()
        .watch(WatchRequest {
            informer: named(&name),
            ..watch()
        })
        .await
        .expect("a watch");
    let mut open = open.into_inner();
    open.message().await.expect("a message");
    let request = DeleteInformerRequest {
        name: name.clone(),
        force: false,
    };
    let answer = refused(bench.informers().delete_informer(request).await);
    assert_eq!(
        (answer.code, answer.reason.as_str()),
        (FailedPrecondition, "INFORMER_IN_USE")
    );

    for version in ["abc", "-1", "1e3", "07", "1.5"] {
        let expected = |field| Refusal::new(FailedPrecondition, "RESOURCE_VERSION_INCOMPARABLE", field);
        let freshness = Some(Freshness::MinResourceVersion(version.into()));
        let request = ListObjectsRequest {
            read: Some(ReadOptions {
                freshness,
                ..ReadOptions::default()
            }),
            ..list()
        };
        assert_eq!(
            refused(try_list(&bench, request).await),
            expected("read.min_resource_version"),
            "{version}"
        );
        let request = WaitForResourceVersionRequest {
            informer: resource("pods"),
            resource_version: version.into(),
            timeout: None,
        };
        assert_eq!(
            refused(bench.cache().wait_for_resource_version(request).await),
            expected("resource_version"),
            "{version}"
        );
    }
    let freshness = Some(Freshness::MinRevision(1_000_000));
    let freshness_timeout = Some(prost_types::Duration {
        seconds: 0,
        nanos: 1_000_000,
    });
    still_well(&bench).await;
    let read = ReadOptions {
        freshness,
        freshness_timeout,
        ..ReadOptions::default()
    };
    let answer = refused(
        try_list(
            &bench,
            ListObjectsRequest {
                filter: in_a(),
                read: Some(read),
                ..list()
            },
        )
        .await,
    );
    assert_eq!(answer, Refusal::new(Code::Unavailable, "CACHE_NOT_FRESH", ""));
    drop(open);
    bench.stop().await;
    drop(sim);
}
