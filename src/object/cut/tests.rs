use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

fn pointers(texts: &[impl AsRef<str>]) -> Vec<Pointer> {
    texts.iter().map(|t| Pointer::parse(t.as_ref()).unwrap()).collect()
}

fn applied(cut: &Cut, document: &str) -> String {
    let kept = cut.apply(&Bytes::copy_from_slice(document.as_bytes()));
    String::from_utf8(kept.to_vec()).unwrap()
}

/// The same on a tree. `pointers` are what is left of those that lead here; `None` if the value goes.
fn on_tree(value: &Value, pointers: &[Vec<String>], keep: bool) -> Option<Value> {
    if pointers.iter().any(Vec::is_empty) {
        return keep.then(|| value.clone());
    }
    if pointers.is_empty() {
        return (!keep).then(|| value.clone());
    }
    let below = |key: &str| -> Vec<Vec<String>> {
        let leads = |p: &&Vec<String>| p[0] == "*" || p[0] == key;
        pointers.iter().filter(leads).map(|p| p[1..].to_vec()).collect()
    };
    match value {
        Value::Object(members) => {
            let kept = members
                .iter()
                .filter_map(|(k, v)| Some((k.clone(), on_tree(v, &below(k), keep)?)));
            Some(Value::Object(kept.collect()))
        }
        Value::Array(elements) => {
            let kept = elements.iter().enumerate();
            let kept = kept.filter_map(|(i, v)| on_tree(v, &below(&i.to_string()), keep));
            Some(Value::Array(kept.collect()))
        }
        _ => (!keep).then(|| value.clone()),
    }
}

fn segments(text: &str) -> Vec<String> {
    let parts = text.split('/').skip(1);
    parts.map(|s| s.replace("~1", "/").replace("~0", "~")).collect()
}

#[test]
fn commas_and_empty_containers_are_right_wherever_the_cut_is() {
    let document = r#"{ "a" : 1 , "b":[ {"x":1}, {"x":2,"y":[3]} ,4], "c":{"d":null} }"#;
    let table: &[(&[&str], &str)] = &[
        (&["/a"], r#"{ "b":[ {"x":1}, {"x":2,"y":[3]} ,4], "c":{"d":null} }"#),
        (&["/c"], r#"{ "a" : 1 , "b":[ {"x":1}, {"x":2,"y":[3]} ,4] }"#),
        (&["/a", "/b", "/c"], "{ }"),
        (&["/b/*"], r#"{ "a" : 1 , "b":[], "c":{"d":null} }"#),
        (&["/b/0"], r#"{ "a" : 1 , "b":[ {"x":2,"y":[3]} ,4], "c":{"d":null} }"#),
        (
            &["/b/*/x", "/b/2"],
            r#"{ "a" : 1 , "b":[ {}, {"y":[3]}], "c":{"d":null} }"#,
        ),
        (&["/c/d"], r#"{ "a" : 1 , "b":[ {"x":1}, {"x":2,"y":[3]} ,4], "c":{} }"#),
        // Nothing of the kind is there: not a byte is touched.
        (&["/a/b", "/c/d/e", "/none", "/b/x", "/b/00"], document),
    ];
    for (texts, want) in table {
        let got = applied(&Cut::drop(pointers(texts)), document);
        let tree = |s: &str| serde_json::from_str::<Value>(s).unwrap();
        assert_eq!(tree(&got), tree(want), "{texts:?}: {got}");
    }
    assert_eq!(applied(&Cut::drop(pointers(&["/none", "/a/b"])), document), document);
    assert_eq!(
        applied(
            &Cut::keep(pointers(&["/b/*/y", "/a"])),
            r#"{"a":1,"b":[{"x":1,"y":2},5],"c":3}"#
        ),
        r#"{"a":1,"b":[{"y":2}]}"#
    );
}

#[test]
fn nested_and_overlapping_pointers_are_one_cut() {
    let document = r#"{"a":{"b":{"c":1,"d":2},"e":3},"f":{"b":{"c":4}}}"#;
    let cut = Cut::drop(pointers(&["/a/b", "/a/b/c", "/*/b/c", "/a/*/d"]));
    assert_eq!(applied(&cut, document), r#"{"a":{"e":3},"f":{"b":{}}}"#);
}

fn documents() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<i32>().prop_map(Value::from),
        "[ ,:\\]}\"\\\\a]{0,6}".prop_map(Value::from),
    ];
    let inner = leaf.prop_recursive(4, 40, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::btree_map("[abc/~0]", inner, 0..5).prop_map(|m| Value::Object(m.into_iter().collect())),
        ]
    });
    prop::collection::btree_map("[abc/~0]", inner, 0..6).prop_map(|m| Value::Object(m.into_iter().collect()))
}

fn texts() -> impl Strategy<Value = Vec<String>> {
    let segment =
        prop_oneof![3 => "[abc01]", 1 => Just("~1".to_owned()), 1 => Just("~0".to_owned()), 2 => Just("*".to_owned())];
    let text = prop::collection::vec(segment, 1..5).prop_map(|s| format!("/{}", s.join("/")));
    prop::collection::vec(text, 0..6)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn h15_cutting_bytes_is_removing_from_the_tree(
        document in documents(), texts in texts(), keep in any::<bool>(), pretty in any::<bool>(),
    ) {
        let raw = if pretty { serde_json::to_string_pretty(&document) } else { serde_json::to_string(&document) }.unwrap();
        let cut = if keep { Cut::keep(pointers(&texts)) } else { Cut::drop(pointers(&texts)) };
        let segments: Vec<_> = texts.iter().map(|t| segments(t)).collect();
        // The document itself always stays.
        let want = on_tree(&document, &segments, keep).unwrap_or_else(|| json!({}));
        let got = applied(&cut, &raw);
        prop_assert_eq!(serde_json::from_str::<Value>(&got).expect(&got), want, "{}", got);
    }
}
