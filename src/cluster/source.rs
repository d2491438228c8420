//! Where the client configuration comes from, and whether that has changed since. Tokens, certificates and authorities are
//! rotated by writing files; who reads them once is locked out some time later (field case 23).

use std::path::{Path, PathBuf};

use kube::{Config, config::Kubeconfig};

use super::{ClusterError, config};
use crate::hash::fnv64;

/// Where the configuration is found.
#[derive(Clone, Debug)]
pub(super) struct Source {
    /// A kubeconfig; without one kube's order of places.
    pub(super) kubeconfig: Option<PathBuf>,
    /// A context of it.
    pub(super) context: Option<String>,
}

/// A configuration with the files that it was read from.
#[derive(Debug)]
pub(super) struct Loaded {
    pub(super) config: Config,
    pub(super) files: Vec<PathBuf>,
}

/// What files hold, as a hash: secrets are not kept twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fingerprint(u64);

// === impl Source ===

impl Source {
    pub(super) async fn load(&self) -> Result<Loaded, ClusterError> {
        let config = config::load(self.kubeconfig.as_deref(), self.context.as_deref()).await?;
        let mut files = self.kubeconfigs();
        for path in files.clone() {
            // What cannot be read did not make the configuration.
            if let Ok(file) = Kubeconfig::read_from(&path) {
                // Of all clusters and users: one too many costs a needless look.
                files.extend(
                    file.clusters
                        .iter()
                        .filter_map(|c| path_of(&c.cluster.as_ref()?.certificate_authority)),
                );
                for user in file.auth_infos.iter().filter_map(|u| u.auth_info.as_ref()) {
                    let named = [&user.client_certificate, &user.client_key, &user.token_file];
                    files.extend(named.into_iter().filter_map(path_of));
                }
            }
        }
        // A pod's service account has no kubeconfig.
        files.extend(config.root_cert_file.clone());
        files.extend(path_of(&config.auth_info.token_file));
        files.sort();
        files.dedup();
        Ok(Loaded { config, files })
    }

    /// The kubeconfig files that are there.
    fn kubeconfigs(&self) -> Vec<PathBuf> {
        let paths = match (&self.kubeconfig, std::env::var_os("KUBECONFIG")) {
            (Some(path), _) => vec![path.clone()],
            (None, Some(list)) if !list.is_empty() => std::env::split_paths(&list).collect(),
            _ => std::env::home_dir()
                .map(|home| home.join(".kube/config"))
                .into_iter()
                .collect(),
        };
        paths.into_iter().filter(|p| p.is_file()).collect()
    }
}

fn path_of(path: &Option<String>) -> Option<PathBuf> {
    path.as_deref().filter(|p| !p.is_empty()).map(PathBuf::from)
}

// === impl Fingerprint ===

impl Fingerprint {
    /// Reads the files, which are small.
    pub(super) fn of(files: &[PathBuf]) -> Self {
        let each = files.iter().flat_map(|path| hash_of(path).to_le_bytes());
        Self(fnv64(&each.collect::<Vec<u8>>()))
    }
}

/// A file that cannot be read has a hash too: coming back is a change.
fn hash_of(path: &Path) -> u64 {
    std::fs::read(path).map_or(0, |bytes| fnv64(&bytes))
}
