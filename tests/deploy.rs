//! `deploy/sidecar.yaml` on a real kube-apiserver whose Pod Security admission enforces "restricted".

use serde::Deserialize;
use serde_json::{Value, json};
use support::ControlPlane;

const MANIFEST: &str = include_str!("../deploy/sidecar.yaml");

/// A namespace in which Pod Security "restricted" is enforced, and the manifest as it is to be applied there.
fn restricted_namespace(plane: &ControlPlane, name: &str) -> Vec<Value> {
    let labels = json!({
        "pod-security.kubernetes.io/enforce": "restricted",
        "pod-security.kubernetes.io/enforce-version": "latest",
    });
    let namespace = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "labels": labels}});
    plane.kubectl().apply(&namespace.to_string());
    serde_yaml_ng::Deserializer::from_str(MANIFEST)
        .map(|document| {
            let mut object = Value::deserialize(document).expect("valid YAML");
            assert!(
                object["metadata"].get("namespace").is_none(),
                "a namespace is built in: {object}"
            );
            object["metadata"]["namespace"] = name.into();
            if object["kind"] == "RoleBinding" {
                // The one place that the manifest tells its user to set.
                object["subjects"][0]["namespace"] = name.into();
            }
            object
        })
        .collect()
}

fn of_kind<'a>(objects: &'a [Value], kind: &str) -> &'a Value {
    let found = objects.iter().find(|object| object["kind"] == kind);
    found.unwrap_or_else(|| panic!("no {kind} in the manifest"))
}

/// The pod that a Deployment's controller would make. A Deployment is accepted whatever its template says, only with a
/// warning; the pod is what admission decides on.
fn pod_of(deployment: &Value, name: &str) -> Value {
    let template = &deployment["spec"]["template"];
    json!({
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": name,
            "namespace": deployment["metadata"]["namespace"],
            "labels": template["metadata"]["labels"],
        },
        "spec": template["spec"],
    })
}

#[test]
fn the_sidecar_manifest_is_accepted_under_pod_security_restricted() {
    let plane = ControlPlane::shared();
    let objects = restricted_namespace(plane, "restricted-accepts");
    for object in &objects {
        plane.kubectl().apply(&object.to_string());
    }
    plane
        .kubectl()
        .apply(&pod_of(of_kind(&objects, "Deployment"), "app-1").to_string());

    // What the API server kept is still a native sidecar: it drops fields that it does not know.
    let kept = plane
        .kubectl()
        .run(&["get", "pod", "app-1", "-n", "restricted-accepts", "-o", "json"]);
    let kept: Value = serde_json::from_str(&kept).expect("kubectl prints JSON");
    let sidecar = &kept["spec"]["initContainers"][0];
    assert_eq!(
        (&sidecar["name"], &sidecar["restartPolicy"]),
        (&json!("informerd"), &json!("Always"))
    );
    assert!(sidecar["startupProbe"]["exec"]["command"].is_array(), "{sidecar}");
}

#[test]
fn pod_security_restricted_is_what_the_namespace_enforces() {
    let plane = ControlPlane::shared();
    let objects = restricted_namespace(plane, "restricted-refuses");
    // Each of these alone must make a difference, or the acceptance above proves nothing about it.
    let weakened: [(&str, &str, Value); 5] = [
        (
            "seccompProfile",
            "/spec/securityContext/seccompProfile",
            json!({"type": "Unconfined"}),
        ),
        ("runAsNonRoot", "/spec/securityContext/runAsNonRoot", json!(false)),
        (
            "allowPrivilegeEscalation",
            "/spec/initContainers/0/securityContext/allowPrivilegeEscalation",
            json!(true),
        ),
        (
            "capabilities",
            "/spec/initContainers/0/securityContext/capabilities/drop",
            json!([]),
        ),
        (
            "capabilities",
            "/spec/containers/0/securityContext/capabilities/drop",
            json!([]),
        ),
    ];
    for (named, pointer, value) in weakened {
        let mut pod = pod_of(of_kind(&objects, "Deployment"), "weak");
        *pod.pointer_mut(pointer)
            .unwrap_or_else(|| panic!("{pointer} is not set")) = value;
        let dir = tempfile::tempdir().expect("a directory");
        let file = dir.path().join("pod.json");
        std::fs::write(&file, pod.to_string()).expect("write the pod");
        let output = plane.kubectl().try_run(&["apply", "-f", &file.display().to_string()]);
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "{pointer} was accepted");
        assert!(
            message.contains("PodSecurity") && message.contains(named),
            "{pointer}: {message}"
        );
    }
}

#[test]
fn the_service_account_may_do_what_the_sidecar_needs_and_nothing_else() {
    let plane = ControlPlane::shared();
    let namespace = "restricted-rights";
    for object in restricted_namespace(plane, namespace) {
        plane.kubectl().apply(&object.to_string());
    }
    let can = |verb: &str, resource: &str, namespace: &str| {
        let user = "--as=system:serviceaccount:restricted-rights:app";
        let output = plane
            .kubectl()
            .try_run(&["auth", "can-i", verb, resource, "-n", namespace, user]);
        String::from_utf8_lossy(&output.stdout).trim() == "yes"
    };
    // The authorizer learns of the binding by a watch of its own.
    support::until("the sidecar may list pods", || {
        can("list", "pods", namespace).then_some(())
    });
    let granted: Vec<&str> = [
        "get",
        "list",
        "watch",
        "create",
        "update",
        "patch",
        "delete",
        "deletecollection",
    ]
    .into_iter()
    .filter(|verb| can(verb, "pods", namespace))
    .collect();
    assert_eq!(granted, ["get", "list", "watch"]);
    // What it says of itself (field case 29).
    assert!(can("create", "events", namespace) && !can("get", "events", namespace));
    for resource in ["secrets", "configmaps", "nodes", "deployments.apps"] {
        assert!(!can("get", resource, namespace), "{resource}");
    }
    assert!(!can("list", "pods", "default"), "another namespace");
}

#[test]
fn the_manifest_starts_informerd_with_arguments_that_it_knows() {
    let objects: Vec<Value> = serde_yaml_ng::Deserializer::from_str(MANIFEST)
        .map(|document| Value::deserialize(document).expect("valid YAML"))
        .collect();
    let spec = &of_kind(&objects, "Deployment")["spec"]["template"]["spec"];
    let sidecar = &spec["initContainers"][0];
    let strings = |list: &Value| -> Vec<String> {
        let list = list.as_array().expect("a list");
        list.iter()
            .map(|item| item.as_str().expect("a string").to_owned())
            .collect()
    };
    // Arguments are parsed in order, so an unknown one is exit code 2 although help is asked for after it.
    let informerd = |arguments: &[String]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_informerd"));
        let output = command.args(arguments).arg("--help").output().expect("run informerd");
        (
            output.status.code(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    };
    assert_eq!(
        informerd(&["serve".to_owned(), "--no-such-argument".to_owned()]).0,
        Some(2)
    );
    let (code, stderr) = informerd(&strings(&sidecar["args"]));
    assert_eq!(code, Some(0), "{stderr}");
    for probe in ["startupProbe", "readinessProbe"] {
        let command = strings(&sidecar[probe]["exec"]["command"]);
        assert_eq!(command[0], "/informerd");
        let (code, stderr) = informerd(&command[1..]);
        assert_eq!(code, Some(0), "{probe}: {stderr}");
    }
}
