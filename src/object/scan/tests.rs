use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::object::Pointer;

const LAST_APPLIED_KEY: &str = "kubectl.kubernetes.io/last-applied-configuration";

fn scanner(transform: Transform, pointers: &[&str]) -> Scanner {
    let pointers = pointers.iter().map(|p| Pointer::parse(p).unwrap());
    Scanner::new(TypeMeta::new("v1", "Pod"), transform, PointerSet::new(pointers))
}

fn body(object: &Object) -> String {
    String::from_utf8(object.body().bytes().to_vec()).unwrap()
}

const POD: &str = r#"{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"ns","uid":"7f3d2a10-9f1c-4d7e-8a55-0123456789ab","resourceVersion":"42","generation":3,"deletionTimestamp":"2026-01-01T00:00:00Z","labels":{"app":"web","tier":"b\u0061ck"},"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{\"managedFields\":[]}","note":"\"managedFields\":1"},"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"rs","uid":"u1","controller":true}],"managedFields":[{"manager":"x","fieldsV1":{"f:a":{}}}]},"spec":{"nodeName":"n1","big":12345678901234567890123,"float":1.0e2}}"#;

#[test]
fn reads_metadata_and_cuts_by_range() {
    let object = scanner(Transform::default(), &["/spec/nodeName"])
        .scan(POD.as_bytes())
        .unwrap();
    assert_eq!(object.key.to_string(), "ns/a");
    assert_eq!(object.meta.uid.to_string(), "7f3d2a10-9f1c-4d7e-8a55-0123456789ab");
    assert_eq!(object.resource_version().to_string(), "42");
    assert_eq!(object.meta.generation, 3);
    assert!(object.meta.deleting);
    assert_eq!(object.label("tier"), Some("back"));
    assert_eq!(&*object.meta.owners[0].name, "rs");
    assert!(object.meta.owners[0].controller);
    let node = Pointer::parse("/spec/nodeName").unwrap();
    assert_eq!(&*object.values_at(&node)[0], "n1");
    let want = POD
        .replace(r#","managedFields":[{"manager":"x","fieldsV1":{"f:a":{}}}]"#, "")
        .replace(
            r#""kubectl.kubernetes.io/last-applied-configuration":"{\"managedFields\":[]}","#,
            "",
        );
    assert_eq!(body(&object), want);
    let metadata: Value = serde_json::from_slice(&object.metadata_json()).unwrap();
    let full: Value = serde_json::from_str(&want).unwrap();
    assert_eq!(
        metadata,
        json!({"kind": "Pod", "apiVersion": "v1", "metadata": full["metadata"]})
    );
}

#[test]
fn pointers_to_the_type_have_values_however_the_object_comes() {
    let pointers = ["/kind", "/apiVersion", "/*"];
    for raw in [
        r#"{"metadata":{"name":"a"}}"#,
        r#"{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"}}"#,
    ] {
        let object = scanner(Transform::default(), &pointers).scan(raw.as_bytes()).unwrap();
        for (pointer, want) in pointers.into_iter().zip([&["Pod"][..], &["v1"], &["Pod", "v1"]]) {
            let pointer = Pointer::parse(pointer).unwrap();
            assert_eq!(
                *object.values_at(&pointer),
                *want.iter().map(|s| Arc::from(*s)).collect::<Vec<Arc<str>>>()
            );
            assert_eq!(*object.values_at(&pointer), *pointer.read(&object.body().bytes()));
        }
    }
}

#[test]
fn keeps_every_byte_when_nothing_is_cut() {
    let object = scanner(Transform::none(), &[]).scan(POD.as_bytes()).unwrap();
    assert_eq!(body(&object), POD);
}

#[test]
fn custom_resources_come_key_sorted() {
    let raw = r#"{"apiVersion":"x.io/v1","kind":"W","metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{}"},"managedFields":[1,[2]] , "name":"w","uid":"u"},"spec":{}}"#;
    let object = scanner(Transform::default(), &[]).scan(raw.as_bytes()).unwrap();
    assert_eq!(
        body(&object),
        r#"{"apiVersion":"x.io/v1","kind":"W","metadata":{"annotations":{} , "name":"w","uid":"u"},"spec":{}}"#
    );
    assert_eq!(&*object.type_meta.kind, "W");
}

#[test]
fn a_member_cut_from_the_front_takes_the_comma_behind_it() {
    let raw = r#"{"metadata":{ "managedFields":[] , "name":"w"}}"#;
    let object = scanner(Transform::default(), &[]).scan(raw.as_bytes()).unwrap();
    let value: Value = serde_json::from_str(&body(&object)).unwrap();
    assert_eq!(
        value,
        json!({"kind": "Pod", "apiVersion": "v1", "metadata": {"name": "w"}})
    );
}

#[test]
fn list_items_get_the_type_that_they_come_without() {
    let raw = r#"{"metadata":{"name":"a"},"spec":{}}"#;
    let object = scanner(Transform::default(), &[]).scan(raw.as_bytes()).unwrap();
    assert_eq!(
        body(&object),
        r#"{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"},"spec":{}}"#
    );
    assert!(
        object
            .metadata_json()
            .starts_with(br#"{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"}"#)
    );
}

#[test]
fn pointers_read_on_arrival_equal_those_read_later_from_the_body() {
    let texts = [
        "/metadata/labels/app",
        "/metadata/annotations/note",
        "/spec/float",
        "/metadata/managedFields/*/manager",
    ];
    let early = scanner(Transform::default(), &texts).scan(POD.as_bytes()).unwrap();
    let late = scanner(Transform::default(), &[]).scan(POD.as_bytes()).unwrap();
    for text in texts {
        let pointer = Pointer::parse(text).unwrap();
        assert_eq!(early.values_at(&pointer), late.values_at(&pointer), "{text}");
    }
    assert!(early.values_at(&Pointer::parse(texts[3]).unwrap()).is_empty());
}

#[test]
fn refuses_what_it_cannot_key() {
    let scanner = scanner(Transform::default(), &[]);
    for bad in [
        "",
        "{",
        "null",
        "[]",
        "{}",
        r#"{"metadata":{}}"#,
        r#"{"metadata":{"name":""}}"#,
        r#"{"metadata":{"name":"a"}} x"#,
        r#"{"metadata":{"name":"a"},"spec":{"x":tru}}"#,
        r#"{"metadata":{"name":"a"},}"#,
        r#"{"metadata":null}"#,
    ] {
        assert!(scanner.scan(bad.as_bytes()).is_err(), "{bad}");
    }
    assert!(scanner.scan(b"{\"metadata\":{\"name\":\"a\"},\"s\":\"\xff\"}").is_err());
}

#[test]
fn odd_types_pass_unharmed() {
    let raw = r#"{"metadata":{"name":"a","labels":null,"generation":null,"annotations":[],"ownerReferences":{},"uid":5},"x":[]}"#;
    let object = scanner(Transform::default(), &[]).scan(raw.as_bytes()).unwrap();
    assert!(object.meta.labels.is_empty());
    assert!(serde_json::from_str::<Value>(&body(&object)).is_ok());
}

const DEPLOYMENT: &str = r#"{"metadata":{"annotations":{"a":"1","b":"2"},"generation":7,"labels":{"app":"web","big":"x"},"name":"d","namespace":"ns","ownerReferences":[{"kind":"A","name":"o1"},{"kind":"B","name":"o2"}],"resourceVersion":"9","uid":"u"},"spec":{"replicas":3,"template":{"spec":{"containers":[{"image":"i1","env":[1]},{"env":[2],"image":"i2"}]}}},"status":{"ready":2}}"#;

fn dropping(texts: &[&str], indexed: &[&str]) -> Scanner {
    scanner(Transform::drop(texts.iter().copied()).unwrap(), indexed)
}

#[test]
fn h15_drop_pointers_reach_everywhere_and_the_rest_is_what_came() {
    let texts = [
        "/status",
        "/spec/template/spec/containers/*/env",
        "/metadata/labels/big",
        "/metadata/annotations/*",
        "/metadata/ownerReferences/0",
    ];
    let object = dropping(&texts, &[]).scan(DEPLOYMENT.as_bytes()).unwrap();
    assert_eq!(
        body(&object),
        r#"{"kind":"Pod","apiVersion":"v1","metadata":{"annotations":{},"generation":7,"labels":{"app":"web"},"name":"d","namespace":"ns","ownerReferences":[{"kind":"B","name":"o2"}],"resourceVersion":"9","uid":"u"},"spec":{"replicas":3,"template":{"spec":{"containers":[{"image":"i1"},{"image":"i2"}]}}}}"#
    );
    // Selectors and owners see what is stored, as in client-go.
    assert_eq!((object.label("app"), object.label("big")), (Some("web"), None));
    assert_eq!(object.meta.owners.iter().map(|o| &*o.name).collect::<Vec<_>>(), ["o2"]);
    let metadata: Value = serde_json::from_slice(&object.metadata_json()).unwrap();
    let whole: Value = serde_json::from_str(&body(&object)).unwrap();
    assert_eq!(metadata["metadata"], whole["metadata"]);
}

#[test]
fn h15_keep_pointers_leave_what_identifies_and_routes_an_object() {
    let transform = Transform::keep(["/spec/replicas", "/metadata/annotations/b"].into_iter()).unwrap();
    let object = scanner(transform, &["/status/ready", "/spec/replicas"])
        .scan(DEPLOYMENT.as_bytes())
        .unwrap();
    assert_eq!(
        body(&object),
        r#"{"kind":"Pod","apiVersion":"v1","metadata":{"annotations":{"b":"2"},"generation":7,"labels":{"app":"web","big":"x"},"name":"d","namespace":"ns","ownerReferences":[{"kind":"A","name":"o1"},{"kind":"B","name":"o2"}],"resourceVersion":"9","uid":"u"},"spec":{"replicas":3}}"#
    );
    assert_eq!((object.meta.generation, object.meta.owners.len()), (7, 2));
    let values = |text| object.values_at(&Pointer::parse(text).unwrap()).len();
    assert_eq!((values("/status/ready"), values("/spec/replicas")), (0, 1));
}

#[test]
fn h15_indexes_see_the_object_after_the_transform_whether_read_early_or_late() {
    let indexed = [
        "/spec/template/spec/containers/*/image",
        "/spec/template/spec/containers/1/image",
        "/metadata/labels/app",
        "/metadata/annotations/b",
        "/status/ready",
    ];
    let drops = [
        "/spec/template/spec/containers/0",
        "/metadata/annotations/a",
        "/status/ready",
    ];
    let early = dropping(&drops, &indexed).scan(DEPLOYMENT.as_bytes()).unwrap();
    let late = dropping(&drops, &[]).scan(DEPLOYMENT.as_bytes()).unwrap();
    let mut found = Vec::new();
    for text in indexed {
        let pointer = Pointer::parse(text).unwrap();
        assert_eq!(early.values_at(&pointer), late.values_at(&pointer), "{text}");
        found.push(early.values_at(&pointer).len());
    }
    assert_eq!(found, [1, 0, 1, 1, 0]);
}

#[test]
fn r19_a_transform_that_cannot_be_applied_keeps_the_object_whole_and_counts_it() {
    let scanner = dropping(
        &["/spec/list/*/x", "/metadata/labels/app"],
        &["/spec/list/*/x", "/spec/y"],
    );
    let raw = |elements: usize| {
        let list = vec![r#"{"x":1,"z":0}"#; elements].join(",");
        format!(r#"{{"metadata":{{"name":"n","labels":{{"app":"web"}}}},"spec":{{"list":[{list}],"y":"1"}}}}"#)
    };
    let cut = scanner.scan(raw(1000).as_bytes()).unwrap();
    assert_eq!((cut.label("app"), scanner.kept_whole()), (None, 0));
    let text = raw(MAX_CUTS + 1);
    let whole = scanner.scan(text.as_bytes()).unwrap();
    assert_eq!((whole.label("app"), scanner.kept_whole()), (Some("web"), 1));
    assert!(body(&whole).ends_with(&text[1..]));
    assert_eq!(&*whole.values_at(&Pointer::parse("/spec/y").unwrap())[0], "1");
    // A part of another type than the pointer expects is not reached; nothing is lost either.
    let odd = scanner
        .scan(br#"{"metadata":{"name":"n","labels":[]},"spec":{"list":{"x":"s"}}}"#)
        .unwrap();
    assert!(body(&odd).contains(r#""list":{"x":"s"}"#));
}

#[test]
fn a_type_that_is_no_string_is_refused_and_never_stands_beside_the_default() {
    for raw in [
        r#"{"kind":null,"metadata":{"name":"a"}}"#,
        r#"{"kind":"Pod","apiVersion":["v1"],"metadata":{"name":"a"}}"#,
    ] {
        let refused = scanner(Transform::default(), &[]).scan(raw.as_bytes()).unwrap_err();
        assert!(matches!(refused, ScanError::Malformed(_)), "{refused}");
    }
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[a-zA-Z~/\"\\\\]{0,6}", inner, 0..4)
                .prop_map(|m| Value::Object(m.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn never_panics_on_garbage(raw in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = scanner(Transform::default(), &["/spec/a"]).scan(&raw);
    }

    #[test]
    fn a_cut_removes_the_parts_and_nothing_else(
        managed in any_json(), last in any_json(), note in any_json(), spec in any_json(), pretty in any::<bool>(),
    ) {
        let mut value = json!({
            "metadata": {
                "annotations": {LAST_APPLIED_KEY: last, "z": note},
                "managedFields": managed,
                "name": "n",
            },
            "spec": spec,
        });
        let raw = if pretty { serde_json::to_vec_pretty(&value) } else { serde_json::to_vec(&value) }.unwrap();
        let object = scanner(Transform::default(), &[]).scan(&raw).unwrap();
        value["metadata"].as_object_mut().unwrap().remove("managedFields");
        value["metadata"]["annotations"].as_object_mut().unwrap().remove(LAST_APPLIED_KEY);
        value["kind"] = "Pod".into();
        value["apiVersion"] = "v1".into();
        prop_assert_eq!(serde_json::from_str::<Value>(&body(&object)).unwrap(), value);
    }

    /// Whatever is cut around and inside of metadata, its place in the body is known.
    #[test]
    fn h15_metadata_is_found_after_any_cut(
        a in any_json(), spec in any_json(), note in any_json(), keep in any::<bool>(), pretty in any::<bool>(),
        texts in prop::collection::vec(prop_oneof![
            Just("/a"), Just("/spec"), Just("/spec/*"), Just("/*/x"), Just("/metadata/annotations"), Just("/z"),
            Just("/metadata/labels/*"), Just("/metadata/annotations/note"), Just("/a/0"), Just("/metadata/*/k"),
        ], 0..6),
    ) {
        let value = json!({
            "a": a,
            "metadata": {"annotations": {"note": note}, "labels": {"k": "v", "l": "w"}, "name": "n", "uid": "u"},
            "spec": spec,
            "z": 1,
        });
        let raw = if pretty { serde_json::to_vec_pretty(&value) } else { serde_json::to_vec(&value) }.unwrap();
        let texts = texts.into_iter();
        let transform = if keep { Transform::keep(texts) } else { Transform::drop(texts) }.unwrap();
        let object = scanner(transform, &[]).scan(&raw).unwrap();
        let whole: Value = serde_json::from_str(&body(&object)).unwrap();
        let metadata: Value = serde_json::from_slice(&object.metadata_json()).unwrap();
        prop_assert_eq!(&metadata["metadata"], &whole["metadata"]);
        prop_assert_eq!(&whole["metadata"]["name"], "n");
        let stored: Vec<_> = whole["metadata"]["labels"].as_object().unwrap().keys().cloned().collect();
        let read: Vec<_> = object.meta.labels.iter().map(|(k, _)| k.to_string()).collect();
        prop_assert_eq!(read, stored);
    }
}
