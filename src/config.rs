//! Settings of `informerd serve`, from three sources.
//!
//! ```text
//! flag > environment (INFORMERD_*) > --config file > default
//! ```
//! Flags and environment arrive as one [`Settings`] (clap has merged them), the file as another; [`Settings::over`] lays
//! the first over the second and [`Settings::resolve`] fills the defaults. A key of the file is the long name of a flag,
//! an unknown key is an error: a misspelt setting must not be silently without effect.

pub mod duration;

use std::{
    fs, io,
    net::SocketAddr,
    path::{Path, PathBuf},
    str::FromStr,
    time::Duration,
};

use serde::{Deserialize, Deserializer, de::Error as _};

/// The socket that server and client commands use when none is named.
pub const DEFAULT_SOCKET: &str = "/run/informerd/informerd.sock";

/// Why settings cannot be used. All of them are mistakes of the caller.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read the configuration file {path}: {source}")]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file is not valid.
    #[error("configuration file {path}: {source}")]
    Parse {
        /// The file.
        path: PathBuf,
        /// Why, with line and column.
        source: serde_yaml_ng::Error,
    },
    /// A setting is out of its range, or settings contradict each other.
    #[error("{0}")]
    Invalid(String),
}

/// Where the Unix socket is, if there is one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SocketChoice {
    /// Serve on this path.
    Path(PathBuf),
    /// Do not serve on a Unix socket.
    None,
}

/// Spelling of log lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// For people.
    #[default]
    Text,
    /// One JSON object a line.
    Json,
}

/// Settings of one source; what is not set is left to the next one.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Settings {
    /// Kubeconfig file; default: in-cluster configuration, `KUBECONFIG`, `~/.kube/config`.
    pub kubeconfig: Option<PathBuf>,
    /// Context of the kubeconfig.
    pub context: Option<String>,
    /// Unix socket.
    pub socket: Option<SocketChoice>,
    /// TCP addresses.
    #[serde(deserialize_with = "one_or_many")]
    pub listen: Vec<SocketAddr>,
    /// Callers over TCP may delete and change what others declared; default: only those over the socket may.
    pub tcp_admin: Option<bool>,
    /// TCP address of the metrics; default: none.
    pub metrics_listen: Option<SocketAddr>,
    /// Resources whose informers start at once.
    #[serde(deserialize_with = "one_or_many")]
    pub resource: Vec<String>,
    /// Namespaces of informers that no client has declared; empty means all.
    #[serde(deserialize_with = "one_or_many")]
    pub namespace: Vec<String>,
    /// Label selector of their namespaces, instead of a list.
    pub namespace_selector: Option<String>,
    /// Label selector of the same informers.
    pub selector: Option<String>,
    /// Resync period of watches that give none.
    #[serde(deserialize_with = "humane")]
    pub resync: Option<Duration>,
    /// Log filter.
    pub log_level: Option<String>,
    /// Log format.
    pub log_format: Option<LogFormat>,
}

/// What `informerd serve` runs with.
#[derive(Debug, Clone, PartialEq)]
pub struct ServeConfig {
    /// Kubeconfig file, if one was named.
    pub kubeconfig: Option<PathBuf>,
    /// Context of the kubeconfig, if one was named.
    pub context: Option<String>,
    /// Unix socket; `None` means TCP only.
    pub socket: Option<PathBuf>,
    /// TCP addresses; may be empty.
    pub listen: Vec<SocketAddr>,
    /// Callers over TCP may delete and change what others declared.
    pub tcp_admin: bool,
    /// TCP address of the metrics, if they are served.
    pub metrics_listen: Option<SocketAddr>,
    /// Resources whose informers start at once, as kubectl accepts them.
    pub resources: Vec<String>,
    /// Namespaces of informers that no client has declared; empty means all.
    pub namespaces: Vec<String>,
    /// Label selector of their namespaces; empty means that they are not selected by label.
    pub namespace_selector: String,
    /// Label selector of the same informers; empty means everything.
    pub selector: String,
    /// Resync period of watches that give none; `None` means never.
    pub resync: Option<Duration>,
}

// === impl SocketChoice ===

impl FromStr for SocketChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "" => Err("is empty; give a path, or `none` to serve on no socket".into()),
            "none" => Ok(Self::None),
            path => Ok(Self::Path(path.into())),
        }
    }
}

impl<'de> Deserialize<'de> for SocketChoice {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from)?
            .parse()
            .map_err(|e| D::Error::custom(format!("socket {e}")))
    }
}

// === impl Settings ===

impl Settings {
    /// Reads a configuration file.
    pub fn load(path: &Path) -> Result<Self, ConfigError> {
        let text = fs::read_to_string(path).map_err(|source| ConfigError::Read {
            path: path.into(),
            source,
        })?;
        Self::parse(&text).map_err(|source| ConfigError::Parse {
            path: path.into(),
            source,
        })
    }

    /// Reads the text of a configuration file. An empty one sets nothing.
    pub fn parse(yaml: &str) -> Result<Self, serde_yaml_ng::Error> {
        let nothing = yaml.lines().all(|l| {
            let l = l.trim();
            l.is_empty() || l.starts_with('#') || l == "---"
        });
        if nothing {
            Ok(Self::default())
        } else {
            serde_yaml_ng::from_str(yaml)
        }
    }

    /// Lays `self` over `below`: what `self` sets wins, lists as a whole.
    #[must_use]
    pub fn over(self, below: Self) -> Self {
        let list = |upper: Vec<String>, lower| if upper.is_empty() { lower } else { upper };
        // Both say which namespaces: whoever sets one of them above sets neither below.
        let by_list = self.namespace_selector.is_none();
        let by_label = self.namespace.is_empty();
        Self {
            kubeconfig: self.kubeconfig.or(below.kubeconfig),
            context: self.context.or(below.context),
            socket: self.socket.or(below.socket),
            listen: if self.listen.is_empty() {
                below.listen
            } else {
                self.listen
            },
            tcp_admin: self.tcp_admin.or(below.tcp_admin),
            metrics_listen: self.metrics_listen.or(below.metrics_listen),
            resource: list(self.resource, below.resource),
            namespace: list(self.namespace, if by_list { below.namespace } else { Vec::new() }),
            namespace_selector: self
                .namespace_selector
                .or(below.namespace_selector.filter(|_| by_label)),
            selector: self.selector.or(below.selector),
            resync: self.resync.or(below.resync),
            log_level: self.log_level.or(below.log_level),
            log_format: self.log_format.or(below.log_format),
        }
    }

    /// Fills the defaults and checks what can be checked without a cluster.
    pub fn resolve(self) -> Result<ServeConfig, ConfigError> {
        let socket = match self.socket {
            None => Some(DEFAULT_SOCKET.into()),
            Some(SocketChoice::Path(path)) => Some(path),
            Some(SocketChoice::None) => None,
        };
        if socket.is_none() && self.listen.is_empty() {
            return Err(ConfigError::Invalid(
                "nothing to serve on: the socket is off and no --listen address is given".into(),
            ));
        }
        let resync = self.resync.filter(|period| !period.is_zero());
        if resync.is_some_and(|period| period < Duration::from_secs(1)) {
            return Err(ConfigError::Invalid("resync must be 0 (never) or at least 1s".into()));
        }
        let namespaces = distinct(self.namespace);
        let namespace_selector = self.namespace_selector.unwrap_or_default().trim().to_owned();
        if !namespaces.is_empty() && !namespace_selector.is_empty() {
            return Err(ConfigError::Invalid(
                "namespace and namespace-selector exclude each other: give a list or labels".into(),
            ));
        }
        Ok(ServeConfig {
            kubeconfig: self.kubeconfig,
            context: self.context,
            socket,
            listen: self.listen,
            tcp_admin: self.tcp_admin.unwrap_or_default(),
            metrics_listen: self.metrics_listen,
            resources: distinct(self.resource),
            namespaces,
            namespace_selector,
            selector: self.selector.unwrap_or_default(),
            resync,
        })
    }
}

/// Trimmed, without empty and repeated entries, in the order given: `pods, deployments,pods` names two resources.
fn distinct(list: Vec<String>) -> Vec<String> {
    let mut seen: Vec<String> = Vec::with_capacity(list.len());
    for item in list {
        let item = item.trim();
        if !item.is_empty() && !seen.iter().any(|s| s == item) {
            seen.push(item.to_owned());
        }
    }
    seen
}

/// `key: a` and `key: [a, b]` both are a list; one flag given once looks like the first.
fn one_or_many<'de, D, T>(from: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected a value or a list of values of the right form")]
    enum OneOrMany<T> {
        One(T),
        Many(Vec<T>),
    }
    Ok(match OneOrMany::deserialize(from)? {
        OneOrMany::One(one) => vec![one],
        OneOrMany::Many(many) => many,
    })
}

fn humane<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Duration>, D::Error> {
    match Option::<String>::deserialize(from)? {
        None => Ok(None),
        Some(text) => duration::parse(&text).map(Some).map_err(D::Error::custom),
    }
}

#[cfg(test)]
mod tests;
