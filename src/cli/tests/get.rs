//! `get`.

use serde_json::{Value, json};

use super::{Fake, Script, on};

#[tokio::test]
async fn names_come_from_all_pages() {
    let fake = Fake::start(Script::default()).await;
    let all = on(&fake, "get po -A -o name").await;
    assert_eq!(
        (all.code, all.out.as_str(), all.notes.as_str()),
        (0, "pod/p1\npod/p2\npod/p3\npod/p1\n", "")
    );
    let one = on(&fake, "get po -o name -n default").await;
    assert_eq!(one.out, "pod/p1\npod/p2\npod/p3\n");
    let default = on(&fake, "get po -o name").await;
    assert_eq!(default.out, one.out);
}

#[tokio::test]
async fn a_snapshot_that_expired_between_pages_is_read_again_once() {
    let want = "pod/p1\npod/p2\npod/p3\npod/p1\n";
    let fake = Fake::start(Script {
        expire: 1,
        ..Script::default()
    })
    .await;
    assert_eq!(on(&fake, "get po -A -o name").await.out, want);
    let fake = Fake::start(Script {
        expire: 2,
        ..Script::default()
    })
    .await;
    let outcome = on(&fake, "get po -A -o json").await;
    assert_eq!((outcome.code, outcome.out.as_str()), (1, ""));
    assert!(
        outcome.notes.contains("ABORTED/PAGE_SNAPSHOT_EXPIRED"),
        "{}",
        outcome.notes
    );
}

#[tokio::test]
async fn a_table_has_kubectls_columns() {
    let fake = Fake::start(Script::default()).await;
    let table = on(&fake, "get pods").await;
    let lines: Vec<_> = table.out.lines().collect();
    assert_eq!(lines[0], "NAME   READY   STATUS    RESTARTS   AGE");
    assert!(
        lines[1].starts_with("p1     0/0     Running   0          "),
        "{}",
        lines[1]
    );
    assert_eq!(lines.len(), 4);
    let all = on(&fake, "get pods -A --no-headers").await;
    assert!(all.out.starts_with("default   p1    0/0"), "{}", all.out);
    let both = on(&fake, "get pods,no -A").await;
    assert!(both.out.contains("\n\nNAME "), "{}", both.out);
    assert!(
        both.out.contains("pod/p1 ") && both.out.contains("node/n1 "),
        "{}",
        both.out
    );
}

#[tokio::test]
async fn cluster_scoped_resources_need_no_namespace() {
    let fake = Fake::start(Script::default()).await;
    for line in [
        "get no -o name",
        "get nodes -A -o name",
        "get nodes n1 -o name",
        "get no/n1 -o name",
    ] {
        let nodes = on(&fake, line).await;
        assert_eq!(
            (nodes.code, nodes.out.as_str()),
            (0, "node/n1\n"),
            "{line}: {}",
            nodes.notes
        );
    }
}

#[tokio::test]
async fn one_named_object_is_printed_as_itself_and_more_as_a_list() {
    let fake = Fake::start(Script::default()).await;
    let one = on(&fake, "get pod p1 -o json").await;
    assert!(
        one.out
            .starts_with("{\n    \"apiVersion\": \"v1\",\n    \"kind\": \"Pod\","),
        "{}",
        one.out
    );
    let list: Value = serde_json::from_str(&on(&fake, "get pod p2 p1 -o json").await.out).expect("JSON");
    assert_eq!(list["kind"], "List");
    assert_eq!(
        (
            &list["items"][0]["metadata"]["name"],
            &list["items"][1]["metadata"]["name"]
        ),
        (&json!("p2"), &json!("p1"))
    );
    let yaml = on(&fake, "get pod/p1 -o yaml").await;
    assert!(
        yaml.out.starts_with("apiVersion: v1\nkind: Pod\nmetadata:\n"),
        "{}",
        yaml.out
    );
}

#[tokio::test]
async fn a_missing_object_is_told_and_the_others_are_printed() {
    let fake = Fake::start(Script::default()).await;
    let outcome = on(&fake, "get pods p1 x -o name").await;
    assert_eq!((outcome.code, outcome.out.as_str()), (1, "pod/p1\n"));
    assert_eq!(outcome.notes, "Error from server (NotFound): pods \"x\" not found\n");
    let alone = on(&fake, "get pods x -o json").await;
    assert_eq!((alone.code, alone.out.as_str()), (1, ""));
}

#[tokio::test]
async fn nothing_found_is_success_and_a_note() {
    let fake = Fake::start(Script::default()).await;
    for (line, note) in [
        ("get pods -n empty", "No resources found in empty namespace.\n"),
        ("get pods -A -l none=here", "No resources found\n"),
    ] {
        let outcome = on(&fake, line).await;
        assert_eq!(
            (outcome.code, outcome.out.as_str(), outcome.notes.as_str()),
            (0, "", note),
            "{line}"
        );
    }
    let json = on(&fake, "get pods -n empty -o json").await;
    assert!(json.out.contains("\"items\": []") && json.notes.is_empty());
}
