use serde_json::json;

use super::*;

/// `testdata/kubectl.yaml` is what kubectl 1.32 prints for `testdata/input.json`: a zoo of strings that need quotes.
#[test]
fn the_output_is_kubectls_byte_for_byte() {
    let value: Value = serde_json::from_str(include_str!("testdata/input.json")).expect("valid JSON");
    let (got, want) = (object(&value), include_str!("testdata/kubectl.yaml"));
    for (got, want) in got.lines().zip(want.lines()) {
        assert_eq!(got, want);
    }
    assert_eq!(got.len(), want.len());
}

#[test]
fn what_is_written_reads_back_the_same() {
    let value: Value = serde_json::from_str(include_str!("testdata/input.json")).expect("valid JSON");
    // The reader is of YAML 1.2, which the library's escapes and quotes must satisfy too. It cannot hold big integers.
    let mut want = value;
    if let Some(spec) = want["spec"].as_object_mut() {
        spec.retain(|_, v| !v.is_number());
    }
    let got: Value = serde_yaml_ng::from_str(&object(&want)).expect("valid YAML");
    assert_eq!(got, want);
}

#[test]
fn several_objects_are_a_list() {
    let (a, b) = (json!({"kind": "A", "items": [1]}), json!({"kind": "B"}));
    assert_eq!(
        list([&a, &b]),
        "apiVersion: v1\nitems:\n- items:\n  - 1\n  kind: A\n- kind: B\nkind: List\nmetadata:\n  resourceVersion: \"\"\n"
    );
    assert_eq!(
        list([]),
        "apiVersion: v1\nitems: []\nkind: List\nmetadata:\n  resourceVersion: \"\"\n"
    );
}
