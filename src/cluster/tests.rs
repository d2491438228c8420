use std::{fmt::Write as _, fs};

use super::*;
use crate::upstream::ResolveError;

mod rotation;

fn kubeconfig(dir: &tempfile::TempDir, users: &str) -> PathBuf {
    let mut text = String::from("apiVersion: v1\nkind: Config\ncurrent-context: one\n");
    let _ = write!(
        text,
        "clusters: [{{name: c, cluster: {{server: 'http://127.0.0.1:1'}}}}]\n\
         contexts:\n\
         - {{name: one, context: {{cluster: c, user: u, namespace: first}}}}\n\
         - {{name: two, context: {{cluster: c, user: u, namespace: second}}}}\n\
         users: [{{name: u, user: {users}}}]\n"
    );
    let path = dir.path().join("config");
    fs::write(&path, text).unwrap();
    path
}

async fn connect(path: PathBuf, context: Option<&str>) -> Result<Cluster, ClusterError> {
    Cluster::connect(ClusterOptions {
        kubeconfig: Some(path),
        context: context.map(str::to_owned),
        ..ClusterOptions::default()
    })
    .await
}

#[tokio::test]
async fn connecting_needs_no_api_server_and_takes_the_contexts_namespace() {
    let dir = tempfile::tempdir().unwrap();
    let path = kubeconfig(&dir, "{token: t}");
    let cluster = connect(path.clone(), None).await.unwrap();
    assert_eq!(
        (cluster.namespace(), cluster.server()),
        ("first", "http://127.0.0.1:1/")
    );
    assert_eq!(connect(path, Some("two")).await.unwrap().namespace(), "second");
    let error = cluster.resolve(&ResourceQuery::named("pods")).await.unwrap_err();
    let ResolveError::Unavailable(error) = error else {
        panic!("{error}")
    };
    assert_eq!((error.http_status, &*error.reason), (0, "Unreachable"));
}

#[tokio::test]
async fn a_kubeconfig_that_cannot_work_is_an_error_that_names_it() {
    let dir = tempfile::tempdir().unwrap();
    let missing = dir.path().join("missing");
    let error = connect(missing, None).await.unwrap_err().to_string();
    assert!(error.contains("missing"), "{error}");
    let error = connect(kubeconfig(&dir, "{}"), Some("three"))
        .await
        .unwrap_err()
        .to_string();
    assert!(error.contains("three"), "{error}");
    let error = connect(
        kubeconfig(&dir, "{client-certificate: /nowhere, client-key: /nowhere}"),
        None,
    )
    .await;
    assert!(error.is_err());
}

#[tokio::test]
async fn an_exec_plugin_that_fails_now_may_work_later() {
    let dir = tempfile::tempdir().unwrap();
    let token = dir.path().join("token");
    let plugin = format!(
        "{{exec: {{apiVersion: client.authentication.k8s.io/v1, command: cat, args: ['{}'], interactiveMode: Never}}}}",
        token.display()
    );
    let cluster = connect(kubeconfig(&dir, &plugin), None).await.unwrap();
    let reason = async || match cluster.resolve(&ResourceQuery::named("pods")).await {
        Err(ResolveError::Unavailable(error)) => error.reason,
        other => panic!("{other:?}"),
    };
    assert_eq!(reason().await, "AuthenticationFailed");
    let credential =
        r#"{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":"t"}}"#;
    fs::write(&token, credential).unwrap();
    // Now it comes as far as to the address where no server is.
    assert_eq!(reason().await, "Unreachable");
}
