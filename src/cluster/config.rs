//! Finds and reads the client configuration. kube reads kubeconfig files, service accounts, client certificates, token
//! files and exec plugins; here is only what we choose among them.

use std::path::{Path, PathBuf};

use http::{HeaderValue, header};
use kube::{
    Config,
    config::{InferConfigError, KubeConfigOptions, Kubeconfig, KubeconfigError},
};

/// A configuration that cannot work.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// The kubeconfig given is of no use.
    #[error("kubeconfig {}: {source}", path.display())]
    Kubeconfig {
        /// The file.
        path: PathBuf,
        /// Why.
        source: KubeconfigError,
    },
    /// The context given is of no use.
    #[error("kubeconfig context {context:?}: {source}")]
    Context {
        /// The context.
        context: String,
        /// Why.
        source: KubeconfigError,
    },
    /// There is none.
    #[error("no usable kubeconfig (flag, KUBECONFIG or ~/.kube/config) and no service account of a pod: {0}")]
    NotFound(#[source] InferConfigError),
    /// TLS, proxy or credentials are wrong.
    #[error("the client cannot be set up: {0}")]
    Client(#[source] kube::Error),
}

// === loading ===

pub(super) async fn load(kubeconfig: Option<&Path>, context: Option<&str>) -> Result<Config, ClusterError> {
    let options = KubeConfigOptions {
        context: context.map(str::to_owned),
        ..KubeConfigOptions::default()
    };
    let mut config = match (kubeconfig, context) {
        (Some(path), _) => {
            let fail = |source| ClusterError::Kubeconfig {
                path: path.to_owned(),
                source,
            };
            let file = Kubeconfig::read_from(path).map_err(fail)?;
            Config::from_custom_kubeconfig(file, &options).await.map_err(fail)?
        }
        (None, Some(context)) => Config::from_kubeconfig(&options)
            .await
            .map_err(|source| ClusterError::Context {
                context: context.to_owned(),
                source,
            })?,
        (None, None) => Config::infer().await.map_err(ClusterError::NotFound)?,
    };
    // Delays are the reflector's matter: kube would retry a watch's start for minutes without telling.
    config.default_retry = false;
    // It would cut a quiet watch. The reflector has its own limits for each kind of wait.
    config.read_timeout = None;
    let agent = concat!("informerd/", env!("CARGO_PKG_VERSION"));
    if !config.headers.iter().any(|(name, _)| name == header::USER_AGENT) {
        config
            .headers
            .push((header::USER_AGENT, HeaderValue::from_static(agent)));
    }
    Ok(config)
}
