//! How a simulated cluster starts.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use serde_json::{Value, json};

use super::connection::{self, Connections};
use super::fault::Faults;
use super::log::RequestLog;
use super::store::Store;
use super::{Inner, Sim, SimError};

/// Builds a [`Sim`].
#[derive(Debug, Clone)]
pub struct Builder {
    settings: Settings,
    seed: u64,
    first_version: u64,
    history_limit: usize,
    manifests: Vec<Manifests>,
}

#[derive(Debug, Clone)]
enum Manifests {
    Text(String),
    Path(PathBuf),
}

/// What holds while it runs.
#[derive(Debug, Clone)]
pub(super) struct Settings {
    pub(super) address: SocketAddr,
    pub(super) bookmark_period: Duration,
    pub(super) watch_list: bool,
    pub(super) aggregated_discovery: bool,
    version: (u32, u32),
}

// === impl Builder ===

impl Default for Builder {
    /// 127.0.0.1 on a free port, version 1.37, watch-list and aggregated discovery on, a bookmark each minute,
    /// 100,000 changes of history.
    fn default() -> Self {
        Self {
            settings: Settings {
                address: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
                bookmark_period: Duration::from_secs(60),
                watch_list: true,
                aggregated_discovery: true,
                version: (1, 37),
            },
            seed: 0,
            first_version: 1_000,
            history_limit: 100_000,
            manifests: Vec::new(),
        }
    }
}

impl Builder {
    /// Starts with these objects (YAML documents); CRDs before what they define. May be called again.
    pub fn with_manifests(mut self, yaml: impl Into<String>) -> Self {
        self.manifests.push(Manifests::Text(yaml.into()));
        self
    }

    /// Starts with the objects of a file, or of a directory's `.yaml`, `.yml` and `.json` files in name order.
    pub fn with_manifest_path(mut self, path: impl Into<PathBuf>) -> Self {
        self.manifests.push(Manifests::Path(path.into()));
        self
    }

    /// Chance: uids, generated names, shuffles, timeouts, garbage.
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Where to listen; port 0 takes a free one.
    pub fn address(mut self, address: SocketAddr) -> Self {
        self.settings.address = address;
        self
    }

    /// How often watches that allow bookmarks get one.
    pub fn bookmark_period(mut self, period: Duration) -> Self {
        self.settings.bookmark_period = period.max(Duration::from_millis(1));
        self
    }

    /// Whether `sendInitialEvents` is known; if not it is refused with 422, as with the feature gate off.
    pub fn watch_list(mut self, on: bool) -> Self {
        self.settings.watch_list = on;
        self
    }

    /// Whether discovery comes aggregated to those who accept it.
    pub fn aggregated_discovery(mut self, on: bool) -> Self {
        self.settings.aggregated_discovery = on;
        self
    }

    /// The version that `/version` tells.
    pub fn version(mut self, major: u32, minor: u32) -> Self {
        self.settings.version = (major, minor);
        self
    }

    /// The resource version before the first write.
    pub fn first_resource_version(self, first_version: u64) -> Self {
        Self { first_version, ..self }
    }

    /// How many changes are remembered; what is older gets 410.
    pub fn history_limit(self, history_limit: usize) -> Self {
        Self { history_limit, ..self }
    }

    /// Starts it.
    pub async fn start(self) -> Result<Sim, SimError> {
        let inner = Arc::new(Inner {
            store: Arc::new(Store::new(self.seed, self.first_version, self.history_limit)),
            faults: Faults::default(),
            log: RequestLog::new(),
            connections: Connections::new(),
            settings: self.settings,
            address: OnceLock::new(),
        });
        let guard = inner.connections.shutdown().clone().drop_guard();
        let sim = Sim {
            inner: inner.clone(),
            _shutdown: Arc::new(guard),
        };
        let namespaces = ["default", "kube-node-lease", "kube-public", "kube-system"];
        for name in namespaces {
            let object = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}});
            sim.create(object)
                .map_err(|source| SimError::Refused { document: 0, source })?;
        }
        for manifests in self.manifests {
            for text in manifests.read()? {
                sim.apply_yaml(&text)?;
            }
        }
        let asked = inner.settings.address;
        let address = connection::listen(&inner, asked).await;
        let address = address.map_err(|source| SimError::Io {
            what: format!("listen on {asked}"),
            source,
        })?;
        // Nobody else has this cell yet, so it is empty.
        let _ = inner.address.set(address);
        Ok(sim)
    }
}

// === impl Manifests ===

impl Manifests {
    fn read(self) -> Result<Vec<String>, SimError> {
        let path = match self {
            Self::Text(text) => return Ok(vec![text]),
            Self::Path(path) => path,
        };
        let failed = |path: &std::path::Path| {
            let what = format!("read {}", path.display());
            move |source| SimError::Io { what, source }
        };
        if !path.is_dir() {
            return Ok(vec![std::fs::read_to_string(&path).map_err(failed(&path))?]);
        }
        let entries = std::fs::read_dir(&path).map_err(failed(&path))?;
        let mut files: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        files.retain(|file| {
            file.extension()
                .is_some_and(|e| e == "yaml" || e == "yml" || e == "json")
        });
        files.sort();
        files
            .iter()
            .map(|file| std::fs::read_to_string(file).map_err(failed(file)))
            .collect()
    }
}

// === impl Settings ===

impl Settings {
    pub(super) fn version_document(&self) -> Value {
        let (major, minor) = self.version;
        json!({
            "major": major.to_string(),
            "minor": minor.to_string(),
            "gitVersion": format!("v{major}.{minor}.0"),
            "gitCommit": "simulated",
            "gitTreeState": "clean",
            "buildDate": "1970-01-01T00:00:00Z",
            "goVersion": "none",
            "compiler": "none",
            "platform": "simulated",
        })
    }
}
