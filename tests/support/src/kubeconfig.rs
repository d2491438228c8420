//! Kubeconfig files and client configurations for one user at one address.

use std::io::Write as _;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use kube::Client;

/// Writes a kubeconfig for `user` at `address`. JSON is YAML, so no YAML writer is needed.
pub(crate) fn write(dir: &Path, user: &str, address: SocketAddr, ca: &Path, token: &str) -> PathBuf {
    let config = serde_json::json!({
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": "test", "cluster": {
            "server": format!("https://{address}"),
            "certificate-authority": ca,
        }}],
        "users": [{"name": user, "user": {"token": token}}],
        "contexts": [{"name": "test", "context": {"cluster": "test", "user": user}}],
        "current-context": "test",
    });
    let path = dir.join(format!("kubeconfig-{user}-{}", address.port()));
    // Tests that share a control plane write the same file at once: each reader finds it whole.
    let mut file = tempfile::NamedTempFile::new_in(dir).expect("a file for a kubeconfig");
    write!(file, "{config}").expect("write a kubeconfig");
    file.persist(&path).expect("put the kubeconfig in its place");
    path
}

/// A client from such a file. Must be called inside the runtime that will use it.
pub(crate) async fn client(path: &Path) -> Client {
    let kubeconfig = kube::config::Kubeconfig::read_from(path).expect("read the kubeconfig");
    let config = kube::Config::from_custom_kubeconfig(kubeconfig, &Default::default())
        .await
        .expect("use the kubeconfig");
    Client::try_from(config).expect("a client")
}
