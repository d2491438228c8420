//! Field case 23: credentials and authorities change under a running sidecar.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use informerd::upstream::UpstreamState;
use serde_json::json;
use support::{ADMIN, ControlPlane, Options, Workload, eventually, test_bin};

use crate::world::{World, quick, write};

/// A kubeconfig whose credentials are files.
fn kubeconfig(dir: &Path, plane: &ControlPlane, user: serde_json::Value) -> PathBuf {
    let config = json!({
        "apiVersion": "v1", "kind": "Config", "current-context": "c",
        "clusters": [{"name": "c", "cluster": {"server": plane.url(), "certificate-authority": dir.join("ca.crt")}}],
        "users": [{"name": "u", "user": user}],
        "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}],
    });
    let path = dir.join("kubeconfig");
    fs::write(&path, config.to_string()).expect("write a kubeconfig");
    path
}

/// Puts a file in the place of another at once, as a volume of secrets does.
fn replace(from: &Path, to: &Path) {
    let new = to.with_extension("new");
    fs::copy(from, &new).expect("copy a file");
    fs::rename(&new, to).expect("rename a file");
}

#[tokio::test(flavor = "multi_thread")]
async fn case_23_a_client_certificate_that_is_replaced_is_used_without_a_restart() {
    let plane = ControlPlane::start(Options::new().user("alice").user("bob"));
    let binding = json!({
        "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding", "metadata": {"name": "bob"},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "cluster-admin"},
        "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": "bob"}],
    });
    plane.kubectl().apply(&binding.to_string());
    let client = plane.client().await;
    let namespaces = Workload::new(client.clone(), 7)
        .create_namespaces("certificate", 1)
        .await;
    let dir = tempfile::tempdir().expect("a directory");
    let (certificate, key) = (dir.path().join("tls.crt"), dir.path().join("tls.key"));
    replace(&plane.ca_file(), &dir.path().join("ca.crt"));
    let use_of = |user: &str| {
        let (new_certificate, new_key) = plane.client_certificate(user);
        // Not at once: between the two the pair does not fit.
        replace(&new_certificate, &certificate);
        replace(&new_key, &key);
    };
    // Alice may authenticate and nothing else.
    use_of("alice");
    let user = json!({"client-certificate": certificate, "client-key": key});
    let path = kubeconfig(dir.path(), &plane, user);
    // She may ask what there is.
    let world = World::start(quick(&path), &namespaces).await;
    let denied = world.status("denied", |s| s.state == UpstreamState::Forbidden).await;
    assert_eq!(denied.last_error.map(|e| e.http_status), Some(403));
    use_of("bob");
    world.watching().await;
    write(&client, &namespaces[0], "seen").await;
    world.sees("seen").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn case_23_a_new_authority_and_serving_certificate_are_taken_without_a_restart() {
    let plane = ControlPlane::start(Options::new());
    let namespaces = Workload::new(plane.client().await, 8)
        .create_namespaces("authority", 1)
        .await;
    let dir = tempfile::tempdir().expect("a directory");
    let ca = dir.path().join("ca.crt");
    replace(&plane.ca_file(), &ca);
    let path = kubeconfig(dir.path(), &plane, json!({"token": plane.token(ADMIN)}));
    let world = World::start(quick(&path), &namespaces).await;
    world.watching().await;
    // Another authority, and a serving certificate of it.
    let keys = dir.path().join("keys");
    fs::create_dir(&keys).expect("a directory");
    let mut genkeys = Command::new(test_bin().join("genkeys"));
    let made = genkeys.arg("-dir").arg(&keys).status().expect("run genkeys");
    assert!(made.success());
    for name in ["ca.crt", "serving.crt", "serving.key"] {
        replace(&keys.join(name), &plane.dir().join(name));
    }
    plane.restart_apiserver();
    let distrusted = world
        .status("the new certificate is not trusted", |s| {
            let text = s.last_error.as_ref().map(|e| e.message.as_str()).unwrap_or_default();
            s.state == UpstreamState::Backoff && text.contains("certificate")
        })
        .await;
    assert_eq!(distrusted.lists, 1);
    replace(&keys.join("ca.crt"), &ca);
    let status = world.watching().await;
    write(&plane.client().await, &namespaces[0], "seen").await;
    world.sees("seen").await;
    eprintln!("{status:?}");
    eventually("what it was, is told no more", || async {
        world.informer.upstream().last_error.is_none().then_some(())
    })
    .await;
}
