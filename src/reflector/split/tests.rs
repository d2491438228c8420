use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

type Split = Result<(Vec<Value>, ListEnd), SplitError>;

fn split_at(body: &[u8], sizes: &[usize]) -> Split {
    let mut splitter = Splitter::new();
    let mut items = Vec::new();
    let mut from = 0;
    let mut sizes = sizes.iter().cycle();
    while from < body.len() {
        let to = (from + sizes.next().copied().unwrap_or(body.len()).max(1)).min(body.len());
        splitter.push(&body[from..to], |raw| items.push(serde_json::from_slice(raw).unwrap()))?;
        from = to;
    }
    Ok((items, splitter.finish()?))
}

/// Every split into two chunks, and one byte at a time.
fn same_in_all_chunkings(body: &str) -> Split {
    let whole = split_at(body.as_bytes(), &[body.len()]);
    let shown = |s: &Split| match s {
        // The place is only as exact as the chunk.
        Err(SplitError::Malformed { what, .. }) => (*what).to_owned(),
        other => format!("{other:?}"),
    };
    assert_eq!(shown(&split_at(body.as_bytes(), &[1])), shown(&whole), "byte by byte");
    for cut in 1..body.len() {
        assert_eq!(
            shown(&split_at(body.as_bytes(), &[cut, body.len()])),
            shown(&whole),
            "cut at {cut}"
        );
    }
    whole
}

#[test]
fn a_list_as_the_api_server_writes_it() {
    let body = r#"{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"12","continue":"abc","remainingItemCount":7},"items":[{"metadata":{"name":"a\"]}\\"}},{"x":[{"y":"}"},"["]}]}
"#;
    let (items, end) = same_in_all_chunkings(body).unwrap();
    assert_eq!(
        items,
        [json!({"metadata":{"name":"a\"]}\\"}}), json!({"x":[{"y":"}"},"["]})]
    );
    assert_eq!(
        end,
        ListEnd {
            kind: "PodList".into(),
            api_version: "v1".into(),
            resource_version: "12".into(),
            continue_token: "abc".into(),
            remaining: Some(7),
        }
    );
}

#[test]
fn keys_in_any_order_null_items_and_unknown_members() {
    let body = r#" { "items" : null , "future":[1,{"items":[{}]}], "n": -1.5e3,"metadata":{"resourceVersion":"3"},"kind":"XList"} "#;
    let (items, end) = same_in_all_chunkings(body).unwrap();
    assert!(items.is_empty());
    assert_eq!((&*end.resource_version, &*end.kind), ("3", "XList"));
}

#[test]
fn what_is_no_list_is_an_error_and_never_an_empty_list() {
    let bodies = [
        "",
        "{}",
        "[]",
        "null",
        "<html>",
        r#"{"kind":"Status"}"#,
        r#"{"items":{}}"#,
        r#"{"items":[1]}"#,
        r#"{"items":[{}],}"#,
        r#"{"items":[{},]}"#,
        r#"{"items":[{}]"#,
        r#"{"items":[{]}"#,
        r#"{"items":[{}}"#,
        r#"{"items":[]}x"#,
        r#"{"items":[],"items":[]}"#,
        r#"{"items":[],"metadata":7}"#,
        r#"{"items":[],"x":nul}"#,
        r#"{"items" []}"#,
        r#"{items:[]}"#,
    ];
    for body in bodies {
        let got = if body.is_empty() {
            split_at(b"", &[1])
        } else {
            same_in_all_chunkings(body)
        };
        assert!(got.is_err(), "{body}");
    }
}

#[test]
fn r17_a_table_is_an_error() {
    let body = r#"{"kind":"Table","apiVersion":"meta.k8s.io/v1","rows":[{"object":{}}]}"#;
    assert_eq!(same_in_all_chunkings(body).unwrap_err(), SplitError::Table);
}

#[test]
fn an_endless_item_is_an_error_before_it_is_memory() {
    let mut splitter = Splitter::with_limit(1 << 16);
    splitter.push(br#"{"items":[{"a":""#, |_| {}).unwrap();
    let mut pushed = 0;
    let error = loop {
        match splitter.push(&[b'x'; 1024], |_| {}) {
            Ok(()) => pushed += 1024,
            Err(e) => break e,
        }
        assert!(pushed <= 1 << 16);
    };
    assert_eq!(error, SplitError::ItemTooLarge(1 << 16));
    assert!(splitter.carried() <= 1 << 17);
}

#[test]
fn nesting_is_bounded() {
    let body = format!(r#"{{"items":[{{"a":{}"#, "[".repeat(100_000));
    assert!(matches!(
        split_at(body.as_bytes(), &[4096]),
        Err(SplitError::Malformed { .. })
    ));
}

fn json_value() -> impl Strategy<Value = Value> {
    let text = r#"[a-z\\"{}\[\],: é\n]{0,8}"#;
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f32>()
            .prop_filter("finite", |f| f.is_finite())
            .prop_map(|f| json!(f64::from(f))),
        text.prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::btree_map(text, inner, 0..5).prop_map(|m| Value::Object(m.into_iter().collect())),
        ]
    })
}

fn json_object() -> impl Strategy<Value = Value> {
    prop::collection::btree_map("[a-z]{1,6}", json_value(), 0..5).prop_map(|m| Value::Object(m.into_iter().collect()))
}

proptest! {
    #[test]
    fn any_chunking_of_any_list_gives_what_serde_json_gives(
        items in prop::collection::vec(json_object(), 0..6),
        extra in json_value(),
        version in "[0-9]{0,6}",
        token in r#"[a-z\\"]{0,6}"#,
        remaining in proptest::option::of(any::<i64>()),
        order in Just(["kind", "apiVersion", "metadata", "items", "extra"].to_vec()).prop_shuffle(),
        pretty in any::<bool>(),
        sizes in prop::collection::vec(1usize..40, 1..12),
    ) {
        let member = |key: &str| match key {
            "kind" => json!("ThingList"),
            "apiVersion" => json!("example.org/v1"),
            "metadata" => json!({"resourceVersion": version, "continue": token, "remainingItemCount": remaining}),
            "items" => Value::from(items.clone()),
            _ => extra.clone(),
        };
        let write = |v: &Value| if pretty { serde_json::to_string_pretty(v) } else { serde_json::to_string(v) }.unwrap();
        let members: Vec<String> = order.iter().map(|k| format!("\"{k}\":{}", write(&member(k)))).collect();
        let body = format!("{{{}}}", members.join(","));
        let (got, end) = split_at(body.as_bytes(), &sizes).unwrap();
        let want: Value = serde_json::from_str(&body).unwrap();
        prop_assert_eq!(Value::from(got), want["items"].clone());
        prop_assert_eq!(end, ListEnd {
            kind: "ThingList".into(),
            api_version: "example.org/v1".into(),
            resource_version: version,
            continue_token: token,
            remaining,
        });
    }

    #[test]
    fn no_bytes_make_it_panic(body in prop::collection::vec(prop::sample::select(br#"{}[]",:\ nulitems1"#.to_vec()), 0..80), size in 1usize..10) {
        let mut splitter = Splitter::new();
        let mut fine = true;
        for chunk in body.chunks(size) {
            if splitter.push(chunk, |_| {}).is_err() {
                fine = false;
                break;
            }
        }
        if fine {
            let _ = splitter.finish();
        }
    }
}
