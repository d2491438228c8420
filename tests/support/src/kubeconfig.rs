//! Kubeconfig files and client configurations for one user at one address.

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
    // Renamed into place: tests that share a control plane ask for the same file while others read it.
    let mut written = tempfile::NamedTempFile::new_in(dir).expect("create a kubeconfig");
    std::io::Write::write_all(&mut written, config.to_string().as_bytes()).expect("write a kubeconfig");
    written.persist(&path).expect("place a kubeconfig");
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
