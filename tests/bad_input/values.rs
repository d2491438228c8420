//! Values out of their range: each is refused with its field, none passes for the default.

use informerd::proto::v1alpha1::{
    BatchGetObjectsRequest, GetObjectRequest, InformerSpec, ListIndexValuesRequest, ListInformersRequest,
    ListObjectKeysRequest, ListObjectsRequest, ListWatchesRequest, ObjectKey, Projection, ReadOptions,
    StreamObjectsRequest, WatchRequest,
};

use super::{
    World,
    ask::{invalid, list, seconds, spec, still_well, try_create, try_list, try_watch, watch},
    refusal::refused,
    sidecar::resource,
};

#[tokio::test(flavor = "multi_thread")]
async fn values_out_of_their_range_are_refused_by_name() {
    let World { bench, sim, _dir } = World::start().await;
    let projection = |change: fn(&mut Projection)| {
        let mut projection = Projection::default();
        change(&mut projection);
        Some(projection)
    };
    // Enum values that this server does not know must not pass for the default.
    for (change, expected) in [
        (
            (|p| p.view = 99) as fn(&mut Projection),
            invalid("INVALID_FIELD", "projection.view"),
        ),
        (
            |p| p.encoding = 99,
            invalid("ENCODING_NOT_AVAILABLE", "projection.encoding"),
        ),
        (
            |p| p.encoding = 2,
            invalid("ENCODING_NOT_AVAILABLE", "projection.encoding"),
        ),
        (
            |p| p.json_pointers = vec!["metadata".into()],
            invalid("INVALID_POINTER", "projection.json_pointers"),
        ),
    ] {
        let request = ListObjectsRequest {
            projection: projection(change),
            ..list()
        };
        assert_eq!(refused(try_list(&bench, request).await), expected);
        let request = WatchRequest {
            projection: projection(change),
            ..watch()
        };
        assert_eq!(refused(try_watch(&bench, request).await), expected);
    }
    for (request, field) in [
        (
            WatchRequest {
                old_object: 99,
                ..watch()
            },
            "old_object",
        ),
        (
            WatchRequest {
                overflow: 99,
                ..watch()
            },
            "overflow",
        ),
        (
            WatchRequest {
                event_types: vec![1, 99],
                ..watch()
            },
            "event_types",
        ),
        (
            WatchRequest {
                max_receive_bytes: 1,
                ..watch()
            },
            "max_receive_bytes",
        ),
        (
            WatchRequest {
                resync_period: seconds(-1),
                ..watch()
            },
            "resync_period",
        ),
        (
            WatchRequest {
                bookmark_interval: seconds(-1),
                ..watch()
            },
            "bookmark_interval",
        ),
        (
            WatchRequest {
                client_id: "line\nbreak".into(),
                ..watch()
            },
            "client_id",
        ),
        (
            WatchRequest {
                informer: None,
                ..watch()
            },
            "informer",
        ),
    ] {
        assert_eq!(
            refused(try_watch(&bench, request).await),
            invalid("INVALID_FIELD", field),
            "{field}"
        );
    }
    for (request, field) in [
        (
            InformerSpec {
                list_mode: 99,
                ..spec("pods")
            },
            "spec.list_mode",
        ),
        (
            InformerSpec {
                start: 99,
                ..spec("pods")
            },
            "spec.start",
        ),
        (
            InformerSpec {
                store_view: 99,
                ..spec("pods")
            },
            "spec.store_view",
        ),
        (
            InformerSpec {
                resync_default: seconds(-5),
                ..spec("pods")
            },
            "spec.resync_default",
        ),
        (
            InformerSpec {
                namespaces: vec!["Not_A_Name".into()],
                ..spec("pods")
            },
            "spec.namespaces",
        ),
        (
            InformerSpec {
                namespaces: vec!["a".into()],
                ..spec("nodes")
            },
            "spec.namespaces",
        ),
        (spec(""), "spec.resource.resource"),
    ] {
        assert_eq!(
            refused(try_create(&bench, "", request).await),
            invalid("INVALID_FIELD", field),
            "{field}"
        );
    }
    for id in ["UPPER", "-x", "ä", "a b"] {
        let expected = invalid("INVALID_FIELD", "informer_id");
        assert_eq!(refused(try_create(&bench, id, spec("pods")).await), expected, "{id}");
    }
    let read = |read: ReadOptions| ListObjectsRequest {
        read: Some(read),
        ..list()
    };
    for (request, expected) in [
        (
            ListObjectsRequest {
                page_size: -1,
                ..list()
            },
            invalid("INVALID_FIELD", "page_size"),
        ),
        (
            read(ReadOptions {
                freshness_timeout: seconds(-1),
                ..ReadOptions::default()
            }),
            invalid("INVALID_FIELD", "read.freshness_timeout"),
        ),
        (
            read(ReadOptions {
                freshness_timeout: seconds(3600),
                ..ReadOptions::default()
            }),
            invalid("INVALID_FIELD", "read.freshness_timeout"),
        ),
    ] {
        assert_eq!(refused(try_list(&bench, request).await), expected);
    }
    let mut cache = bench.cache();
    let negative = invalid("INVALID_FIELD", "page_size");
    let request = ListObjectKeysRequest {
        informer: resource("pods"),
        page_size: -1,
        ..ListObjectKeysRequest::default()
    };
    assert_eq!(refused(cache.list_object_keys(request).await), negative);
    let request = ListIndexValuesRequest {
        informer: resource("pods"),
        index: "namespace".into(),
        page_size: -1,
        ..ListIndexValuesRequest::default()
    };
    assert_eq!(refused(cache.list_index_values(request).await), negative);
    let request = ListInformersRequest {
        page_size: -1,
        ..ListInformersRequest::default()
    };
    assert_eq!(refused(bench.informers().list_informers(request).await), negative);
    let request = ListWatchesRequest {
        page_size: -1,
        ..ListWatchesRequest::default()
    };
    assert_eq!(refused(bench.subscriptions().list_watches(request).await), negative);
    let request = StreamObjectsRequest {
        informer: resource("pods"),
        max_receive_bytes: 1,
        ..StreamObjectsRequest::default()
    };
    assert_eq!(
        refused(cache.stream_objects(request).await.map(drop)),
        invalid("INVALID_FIELD", "max_receive_bytes")
    );
    let request = GetObjectRequest {
        informer: resource("pods"),
        ..GetObjectRequest::default()
    };
    assert_eq!(
        refused(cache.get_object(request).await),
        invalid("INVALID_FIELD", "key.name")
    );
    for keys in [0, 1001] {
        let key = ObjectKey {
            namespace: "a".into(),
            name: "p1".into(),
        };
        let request = BatchGetObjectsRequest {
            informer: resource("pods"),
            keys: vec![key; keys],
            ..BatchGetObjectsRequest::default()
        };
        assert_eq!(
            refused(cache.batch_get_objects(request).await),
            invalid("INVALID_FIELD", "keys"),
            "{keys}"
        );
    }
    still_well(&bench).await;
    bench.stop().await;
    drop(sim);
}
