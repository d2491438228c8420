use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::{
    object::{Pointer, Scanner, Transform, TypeMeta},
    store::{IndexKey, Query, QueryError, QuerySpec},
};

fn pod(scanner: &Scanner, namespace: &str, name: &str, app: &str, node: &str, rv: u64) -> Arc<Object> {
    let raw = format!(
        r#"{{"metadata":{{"namespace":"{namespace}","name":"{name}","uid":"u-{name}","resourceVersion":"{rv}","labels":{{"app":"{app}"}},
        "ownerReferences":[{{"uid":"o-{app}"}}]}},"spec":{{"nodeName":"{node}"}}}}"#
    );
    Arc::new(scanner.scan(raw.as_bytes()).unwrap())
}

fn scanner() -> Scanner {
    Scanner::new(TypeMeta::new("v1", "Pod"), Transform::default(), PointerSet::default())
}

fn node_index() -> IndexSpec {
    IndexSpec::new("node", Pointer::parse("/spec/nodeName").unwrap()).unwrap()
}

fn names(snapshot: &Snapshot, spec: &QuerySpec) -> Vec<String> {
    let query = Query::compile(spec, snapshot.indexes()).unwrap();
    snapshot.select(&query, None).map(|o| o.key.to_string()).collect()
}

fn by_index(name: &str, values: &[&str]) -> QuerySpec {
    QuerySpec {
        index: Some((name.into(), values.iter().map(|v| v.to_string()).collect())),
        ..QuerySpec::default()
    }
}

#[test]
fn s4_an_update_moves_the_object_between_values_and_empty_sets_vanish() {
    let s = scanner();
    let mut indexer = Indexer::new(&[node_index()]).unwrap();
    indexer.upsert(pod(&s, "a", "x", "web", "n1", 1), 1);
    indexer.upsert(pod(&s, "a", "x", "db", "n2", 2), 1);
    let now = indexer.snapshot();
    assert!(names(&now, &by_index("node", &["n1"])).is_empty());
    for (index, value) in [
        ("node", "n2"),
        ("label:app", "db"),
        ("owner-uid", "o-db"),
        ("namespace", "a"),
    ] {
        assert_eq!(names(&now, &by_index(index, &[value])), ["a/x"], "{index}");
        let key = now.indexes().find(index).unwrap();
        assert_eq!(now.indexes().values(&key, None).count(), 1, "{index}");
    }
    indexer.remove(&ObjectKey::new("a", "x"), None, 2);
    let now = indexer.snapshot();
    for index in ["node", "label:app", "owner-uid", "namespace"] {
        let key = now.indexes().find(index).unwrap();
        assert_eq!(now.indexes().values(&key, None).count(), 0, "{index}");
    }
    assert_eq!(now.bytes(), 0);
}

#[test]
fn s2_a_snapshot_does_not_see_later_changes() {
    let s = scanner();
    let mut indexer = Indexer::new(&[]).unwrap();
    indexer.upsert(pod(&s, "a", "x", "web", "n1", 1), 1);
    let before = indexer.snapshot();
    indexer.upsert(pod(&s, "a", "y", "web", "n1", 2), 1);
    indexer.remove(&ObjectKey::new("a", "x"), None, 2);
    assert_eq!(names(&before, &QuerySpec::default()), ["a/x"]);
    assert_eq!(names(&indexer.snapshot(), &QuerySpec::default()), ["a/y"]);
}

#[test]
fn s5_late_indexes_cover_what_is_stored_and_a_conflict_adds_none() {
    let s = scanner();
    let mut indexer = Indexer::new(&[]).unwrap();
    indexer.upsert(pod(&s, "a", "x", "web", "n1", 1), 1);
    indexer.add_indexers(&[node_index()]).unwrap();
    indexer.add_indexers(&[node_index()]).unwrap();
    assert_eq!(names(&indexer.snapshot(), &by_index("node", &["n1", "n9"])), ["a/x"]);
    let other = IndexSpec::new("phase", Pointer::parse("/status/phase").unwrap()).unwrap();
    let conflict = IndexSpec::new("node", Pointer::parse("/spec/other").unwrap()).unwrap();
    assert!(matches!(
        indexer.add_indexers(&[other, conflict]),
        Err(IndexError::Conflict { .. })
    ));
    let err = Query::compile(&by_index("phase", &["Running"]), indexer.current().indexes()).unwrap_err();
    assert!(matches!(err, QueryError::Index(IndexError::NotFound { .. })));
    assert!(err.to_string().contains("node"), "{err}");
    indexer.remove_indexers(&["node".into()]).unwrap();
    assert!(indexer.remove_indexers(&["node".into()]).is_err());
}

#[test]
fn a_query_outlives_the_index_it_was_compiled_with() {
    let s = scanner();
    let mut indexer = Indexer::new(&[node_index()]).unwrap();
    indexer.upsert(pod(&s, "a", "x", "web", "n1", 1), 1);
    let query = Query::compile(&by_index("node", &["n1"]), indexer.current().indexes()).unwrap();
    indexer.remove_indexers(&["node".into()]).unwrap();
    assert_eq!(indexer.current().select(&query, None).count(), 1);
}

/// The same answers as a linear scan, whatever the path through the indexes.
#[derive(Clone, Debug)]
enum Op {
    Put(u8, u8, u8, u8),
    Del(u8, u8),
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        3 => (0..3u8, 0..12u8, 0..3u8, 0..4u8).prop_map(|(a, b, c, d)| Op::Put(a, b, c, d)),
        1 => (0..3u8, 0..12u8).prop_map(|(a, b)| Op::Del(a, b)),
    ]
}

proptest! {
    #[test]
    fn queries_agree_with_a_linear_scan(ops in prop::collection::vec(op(), 0..80), after in 0..12u8) {
        let s = scanner();
        let mut indexer = Indexer::new(&[node_index()]).unwrap();
        let mut model: BTreeMap<ObjectKey, Arc<Object>> = BTreeMap::new();
        for (rv, op) in ops.iter().enumerate() {
            match op {
                Op::Put(ns, n, app, node) => {
                    let o = pod(&s, &format!("ns{ns}"), &format!("p{n:02}"), &format!("a{app}"), &format!("n{node}"), rv as u64 + 1);
                    let had = model.insert(o.key.clone(), o.clone());
                    prop_assert_eq!(indexer.upsert(o, rv as u64 + 1).map(|o| o.meta.resource_version.clone()), had.map(|o| o.meta.resource_version.clone()));
                }
                Op::Del(ns, n) => {
                    let key = ObjectKey::new(format!("ns{ns}"), format!("p{n:02}"));
                    prop_assert_eq!(indexer.remove(&key, None, rv as u64 + 1).is_some(), model.remove(&key).is_some());
                }
            }
        }
        let now = indexer.snapshot();
        prop_assert_eq!(now.len(), model.len());
        prop_assert_eq!(now.bytes(), model.values().map(|o| o.body().len() as u64).sum::<u64>());
        let specs = [
            QuerySpec::default(),
            by_index("node", &["n1", "n2"]),
            by_index("label:app", &["a1"]),
            QuerySpec { namespaces: vec!["ns1".into()], label_selector: "app in (a0,a1),app!=a0".into(), ..by_index("node", &["n1", "n3"]) },
            QuerySpec { names: vec!["p03".into()], field_selector: "spec.nodeName!=n1".into(), ..QuerySpec::default() },
            QuerySpec { namespaces: vec!["ns0".into(), "ns2".into()], field_selector: "metadata.name=p01".into(), ..QuerySpec::default() },
        ];
        let after = ObjectKey::new("ns1", format!("p{after:02}"));
        for spec in &specs {
            let query = Query::compile(spec, now.indexes()).unwrap();
            for after in [None, Some(&after)] {
                let got: Vec<_> = now.select(&query, after).map(|o| o.key.clone()).collect();
                let want: Vec<_> = model.values()
                    .filter(|o| after.is_none_or(|a| o.key > *a) && query.matches(o))
                    .map(|o| o.key.clone()).collect();
                prop_assert_eq!(got, want);
            }
        }
        let key = IndexKey::Namespace;
        for ns in ["ns0", "ns1", "ns2"] {
            let got = now.in_namespace(Some(ns)).count();
            prop_assert_eq!(got, model.keys().filter(|k| k.namespace() == ns).count());
            prop_assert_eq!(now.indexes().slots(&key, ns).map_or(0, |s| s.len()) as usize, got);
        }
    }
}
