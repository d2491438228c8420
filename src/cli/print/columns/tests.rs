use serde_json::json;

use super::*;

const NOW: i64 = 1_767_225_600 + 90;

fn row(group: &str, resource: &str, mut object: Value, wide: bool) -> String {
    object["metadata"]["name"] = json!("x");
    object["metadata"]["creationTimestamp"] = json!("2026-01-01T00:00:00Z");
    let columns = Columns::of(group, resource);
    let cells = columns.row(&object, &Context { now: NOW, wide });
    assert_eq!(cells.len(), columns.header(wide).len(), "{resource}");
    cells.join(" | ")
}

#[test]
fn rows_are_those_of_the_api_server() {
    let template = json!({"spec": {"containers": [{"name": "c", "image": "i"}, {"name": "d", "image": "j"}]}});
    let selector =
        json!({"matchLabels": {"b": "c"}, "matchExpressions": [{"key": "a", "operator": "In", "values": ["z", "y"]}]});
    for (group, resource, object, wide, want) in [
        ("x.io", "foos", json!({}), false, "x | 90s"),
        (
            "",
            "namespaces",
            json!({"status": {"phase": "Active"}}),
            false,
            "x | Active | 90s",
        ),
        (
            "",
            "configmaps",
            json!({"data": {"a": "", "b": ""}, "binaryData": {"c": ""}}),
            false,
            "x | 3 | 90s",
        ),
        (
            "",
            "secrets",
            json!({"type": "Opaque", "data": {"a": ""}}),
            false,
            "x | Opaque | 1 | 90s",
        ),
        (
            "apps",
            "deployments",
            json!({"spec": {"replicas": 3, "template": template, "selector": selector},
                "status": {"readyReplicas": 2, "updatedReplicas": 3, "availableReplicas": 1}}),
            true,
            "x | 2/3 | 3 | 1 | 90s | c,d | i,j | a in (y,z),b=c",
        ),
        (
            "apps",
            "replicasets",
            json!({"spec": {"replicas": 3}, "status": {"replicas": 2}}),
            false,
            "x | 3 | 2 | 0 | 90s",
        ),
        (
            "apps",
            "statefulsets",
            json!({"spec": {"replicas": 1}}),
            false,
            "x | 0/1 | 90s",
        ),
        (
            "apps",
            "daemonsets",
            json!({"status": {"numberReady": 4}}),
            false,
            "x | 0 | 0 | 4 | 0 | 0 | <none> | 90s",
        ),
    ] {
        assert_eq!(row(group, resource, object, wide), want);
    }
}

#[test]
fn services_show_where_they_are_reached() {
    for (object, want) in [
        (
            json!({"spec": {"type": "ClusterIP", "clusterIPs": ["10.0.0.1"], "ports": [{"port": 80, "protocol": "TCP"}], "selector": {"a": "b"}}}),
            "x | ClusterIP | 10.0.0.1 | <none> | 80/TCP | 90s | a=b",
        ),
        (
            json!({"spec": {"type": "NodePort", "ports": [{"port": 80, "nodePort": 30080, "protocol": "TCP"}, {"port": 53, "protocol": "UDP"}]}}),
            "x | NodePort | <none> | <none> | 80:30080/TCP,53/UDP | 90s | <none>",
        ),
        (
            json!({"spec": {"type": "LoadBalancer"}}),
            "x | LoadBalancer | <none> | <pending> | <none> | 90s | <none>",
        ),
        (
            json!({"spec": {"type": "LoadBalancer", "externalIPs": ["1.2.3.4"]}, "status": {"loadBalancer": {"ingress": [{"hostname": "h"}, {"ip": "5.6.7.8"}]}}}),
            "x | LoadBalancer | <none> | 5.6.7.8,h,1.2.3.4 | <none> | 90s | <none>",
        ),
        (
            json!({"spec": {"type": "ExternalName", "externalName": "example.org"}}),
            "x | ExternalName | <none> | example.org | <none> | 90s | <none>",
        ),
    ] {
        assert_eq!(row("", "services", object, true), want);
    }
}

#[test]
fn nodes_show_status_and_roles() {
    let node = json!({
        "metadata": {"labels": {"node-role.kubernetes.io/worker": "", "node-role.kubernetes.io/control-plane": "", "kubernetes.io/role": "worker"}},
        "spec": {"unschedulable": true},
        "status": {"conditions": [{"type": "Ready", "status": "True"}], "addresses": [{"type": "InternalIP", "address": "10.0.0.1"}],
            "nodeInfo": {"kubeletVersion": "v1.37.2", "kernelVersion": "6.1", "architecture": "amd64"}},
    });
    assert_eq!(
        row("", "nodes", node, true),
        "x | Ready,SchedulingDisabled | control-plane,worker | 90s | v1.37.2 | 10.0.0.1 | <none> | <unknown> | 6.1 (amd64) | <unknown>"
    );
    assert_eq!(row("", "nodes", json!({}), false), "x | Unknown | <none> | 90s | ");
}
