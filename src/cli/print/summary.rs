//! One object in a few words, for the lines of `watch` and `demo`.

use serde_json::Value;

use super::{age, at, cell::Context, columns::Columns, number, pods, text};

/// What is worth knowing first: a pod's status and node, a workload's replicas, a map's size; else its columns.
#[must_use]
pub fn of(group: &str, resource: &str, object: &Value, now: i64) -> String {
    let ready = || {
        format!(
            "ready {}/{}",
            number(object, &["status", "readyReplicas"]),
            number(object, &["spec", "replicas"])
        )
    };
    match (group, resource) {
        ("", "pods") => match text(object, &["spec", "nodeName"]) {
            "" => pods::status(object),
            node => format!("{} on {node}", pods::status(object)),
        },
        ("apps", "deployments" | "replicasets" | "statefulsets") => ready(),
        ("", "configmaps" | "secrets") => match at(object, &["data"]).as_object().map_or(0, serde_json::Map::len) {
            1 => "1 key".into(),
            keys => format!("{keys} keys"),
        },
        _ => {
            let columns = Columns::of(group, resource);
            if !columns.needs_body {
                return format!(
                    "age {}",
                    age::since(text(object, &["metadata", "creationTimestamp"]), now)
                );
            }
            let cells = columns.row(object, &Context { now, wide: false });
            cells.into_iter().skip(1).collect::<Vec<_>>().join(" ")
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn summaries_say_what_matters() {
        for (group, resource, object, want) in [
            ("", "pods", json!({"status": {"phase": "Pending"}}), "Pending"),
            (
                "",
                "pods",
                json!({"status": {"phase": "Running"}, "spec": {"nodeName": "n"}}),
                "Running on n",
            ),
            (
                "apps",
                "deployments",
                json!({"spec": {"replicas": 3}, "status": {"readyReplicas": 2}}),
                "ready 2/3",
            ),
            ("", "configmaps", json!({"data": {"a": "b"}}), "1 key"),
            ("", "configmaps", json!({}), "0 keys"),
            (
                "x.io",
                "foos",
                json!({"metadata": {"creationTimestamp": "1970-01-01T00:00:00Z"}}),
                "age 45s",
            ),
        ] {
            assert_eq!(of(group, resource, &object, 45), want, "{resource}");
        }
    }
}
