//! A second apiserver on the etcd of a control plane, for changes while the first one cannot make any.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use kube::Client;

use crate::kubeconfig;
use crate::process::Process;

/// A second apiserver. It has the users, tokens and certificates of the first one.
#[derive(Debug)]
pub struct Peer {
    pub(crate) _process: Process,
    pub(crate) address: SocketAddr,
    pub(crate) kubeconfig: PathBuf,
}

// === impl Peer ===

impl Peer {
    /// A client of the administrator. It belongs to the runtime in which it was made.
    pub async fn client(&self) -> Client {
        kubeconfig::client(&self.kubeconfig).await
    }

    /// The kubeconfig of the administrator.
    pub fn kubeconfig(&self) -> &Path {
        &self.kubeconfig
    }

    /// Its address.
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}
