//! What the objects look like. A pod resembles one that a Deployment with an injected
//! sidecar makes: about 6 KB of JSON before the apiserver adds its part.

use serde_json::{Value, json};

/// How the pods of a workload are spread.
#[derive(Clone, Debug)]
pub struct PodShape {
    /// Nodes (`node-0` and so on) that `spec.nodeName` is spread over.
    pub nodes: usize,
    /// Applications (label `app`), each with its ReplicaSet as owner.
    pub apps: usize,
    /// Bytes of an extra annotation, for large objects.
    pub padding: usize,
}

impl Default for PodShape {
    fn default() -> Self {
        Self {
            nodes: 20,
            apps: 25,
            padding: 0,
        }
    }
}

/// The pod number `i`, which decides its name, node, application and labels.
pub fn pod(shape: &PodShape, namespace: &str, i: usize) -> Value {
    let app = format!("app-{}", i % shape.apps.max(1));
    let hash = format!("{:010x}", (i % shape.apps.max(1)).wrapping_mul(0x9e37_79b9) as u32);
    let mut pod = json!({
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": format!("{app}-{hash}-{i:06}"),
            "namespace": namespace,
            "labels": {
                "app": app,
                "app.kubernetes.io/name": app,
                "app.kubernetes.io/instance": format!("{app}-{namespace}"),
                "app.kubernetes.io/component": (["api", "worker", "web"][i % 3]),
                "app.kubernetes.io/managed-by": "Helm",
                "pod-template-hash": hash,
                "tier": (["front", "back"][i % 2]),
                "shard": format!("{}", i % 16),
            },
            "annotations": {
                "checksum/config": format!("{:064x}", i),
                "kubectl.kubernetes.io/default-container": "main",
                "prometheus.io/scrape": "true",
                "prometheus.io/port": "9090",
                "prometheus.io/path": "/metrics",
                "cluster-autoscaler.kubernetes.io/safe-to-evict": "true",
            },
            "ownerReferences": [{
                "apiVersion": "apps/v1",
                "kind": "ReplicaSet",
                "name": format!("{app}-{hash}"),
                "uid": format!("00000000-0000-4000-8000-{:012x}", i % shape.apps.max(1)),
                "controller": true,
                "blockOwnerDeletion": true,
            }],
        },
        "spec": {
            "nodeName": format!("node-{}", i % shape.nodes.max(1)),
            "restartPolicy": "Always",
            "terminationGracePeriodSeconds": 30,
            "securityContext": {"runAsNonRoot": true, "seccompProfile": {"type": "RuntimeDefault"}},
            "initContainers": [container("init", &app, 5)],
            "containers": [container("main", &app, 20), container("proxy", &app, 10)],
            "affinity": {"podAntiAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [{
                "weight": 100,
                "podAffinityTerm": {
                    "topologyKey": "kubernetes.io/hostname",
                    "labelSelector": {"matchLabels": {"app": app}},
                },
            }]}},
            "tolerations": [
                {"key": "dedicated", "operator": "Equal", "value": "apps", "effect": "NoSchedule"},
            ],
            "volumes": [
                {"name": "config", "configMap": {"name": format!("{app}-config")}},
                {"name": "secrets", "secret": {"secretName": format!("{app}-secrets")}},
                {"name": "tmp", "emptyDir": {"sizeLimit": "64Mi"}},
            ],
        },
    });
    if shape.padding > 0 {
        pod["metadata"]["annotations"]["padding"] = "x".repeat(shape.padding).into();
    }
    pod
}

fn container(name: &str, app: &str, variables: usize) -> Value {
    let variable = |i: usize| {
        json!({"name": format!("{}_SETTING_{i}", name.to_uppercase()),
               "value": format!("https://service-{i}.{app}.example.internal:8443/v1")})
    };
    let probe = json!({"httpGet": {"path": "/healthz", "port": 8080, "scheme": "HTTP"},
                       "periodSeconds": 10, "timeoutSeconds": 1, "failureThreshold": 3});
    let mut container = json!({
        "name": name,
        "image": format!("registry.example/{app}/{name}:v1.2.3"),
        "imagePullPolicy": "IfNotPresent",
        "args": [format!("--app={app}"), "--log-format=json", "--listen=:8080"],
        "env": (0..variables).map(variable).collect::<Vec<_>>(),
        "resources": {"requests": {"cpu": "100m", "memory": "128Mi"}, "limits": {"memory": "256Mi"}},
        "securityContext": {"allowPrivilegeEscalation": false, "capabilities": {"drop": ["ALL"]}},
        "volumeMounts": [
            {"name": "config", "mountPath": "/etc/app", "readOnly": true},
            {"name": "secrets", "mountPath": "/var/secrets", "readOnly": true},
            {"name": "tmp", "mountPath": "/scratch"},
        ],
    });
    if name != "init" {
        container["ports"] = json!([{"name": format!("http-{}", name.len()), "containerPort": 8080}]);
        container["readinessProbe"] = probe.clone();
        container["livenessProbe"] = probe;
    }
    container
}

/// The status of a running pod, as a merge patch.
pub(crate) fn running(address: usize) -> Value {
    json!({"status": {
        "phase": "Running",
        "podIP": format!("10.1.{}.{}", address / 200, address % 200 + 1),
        "podIPs": [{"ip": format!("10.1.{}.{}", address / 200, address % 200 + 1)}],
        "conditions": [
            {"type": "Ready", "status": "True", "lastTransitionTime": "2026-01-01T00:00:00Z"},
            {"type": "ContainersReady", "status": "True", "lastTransitionTime": "2026-01-01T00:00:00Z"},
        ],
    }})
}

/// A namespace.
pub(crate) fn namespace(name: &str) -> Value {
    json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
}

/// The node number `i`.
pub(crate) fn node(i: usize) -> Value {
    json!({"apiVersion": "v1", "kind": "Node", "metadata": {
        "name": format!("node-{i}"),
        "labels": {
            "kubernetes.io/hostname": format!("node-{i}"),
            "topology.kubernetes.io/zone": format!("zone-{}", i % 3),
        },
    }})
}

/// The deployment number `i` of a namespace.
pub(crate) fn deployment(namespace: &str, i: usize, replicas: usize) -> Value {
    let app = format!("deployment-{i}");
    let labels = json!({"app": app, "tier": (["front", "back"][i % 2])});
    json!({
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": app, "namespace": namespace, "labels": labels},
        "spec": {
            "replicas": replicas,
            "selector": {"matchLabels": {"app": app}},
            "template": {
                "metadata": {"labels": labels},
                "spec": {"containers": [{"name": "main", "image": "registry.example/main:1"}]},
            },
        },
    })
}

/// A custom resource with two versions, a status and no conversion.
pub(crate) fn widget_definition() -> Value {
    let version = |name: &str, storage: bool| {
        json!({
            "name": name,
            "served": true,
            "storage": storage,
            "subresources": {"status": {}},
            "schema": {"openAPIV3Schema": {
                "type": "object",
                "x-kubernetes-preserve-unknown-fields": true,
            }},
        })
    };
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "widgets.informerd.test"},
        "spec": {
            "group": "informerd.test",
            "scope": "Namespaced",
            "names": {"plural": "widgets", "singular": "widget", "kind": "Widget",
                      "listKind": "WidgetList", "shortNames": ["wd"]},
            "versions": [version("v1", true), version("v1alpha1", false)],
        },
    })
}

/// The widget number `i` of a namespace.
pub(crate) fn widget(namespace: &str, i: usize) -> Value {
    json!({
        "apiVersion": "informerd.test/v1",
        "kind": "Widget",
        "metadata": {"name": format!("widget-{i:04}"), "namespace": namespace,
                     "labels": {"color": (["red", "green", "blue"][i % 3])}},
        "spec": {"size": i, "parts": [{"name": "a"}, {"name": format!("part-{}", i % 5)}]},
    })
}
