//! One etcd and one kube-apiserver, as released, on free ports of the loopback interface.
//!
//! How to make a resuming watch get a real 410 (all three ways are proven in `tests/rig.rs`):
//! - [`ControlPlane::restart_apiserver`]: the new process fills its watch cache at the current
//!   revision and answers any older resource version with an ERROR event of code 410.
//!   No compaction is needed for this, and with one it is the same.
//! - `--watch-cache=false` and [`ControlPlane::compact_etcd`]: the watch goes to etcd, which
//!   has forgotten the revision: an ERROR event of code 410 as well.
//! - [`ControlPlane::compact_etcd`] and an old `continue` token of a paged list: an HTTP
//!   response with status 410.
//!
//! Compaction alone does not do it: the apiserver serves old resource versions from the
//! events that its watch cache holds in memory.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use kube::Client;
use tempfile::TempDir;

use crate::kubectl::Kubectl;
use crate::peer::Peer;
use crate::process::{Process, Spawn, test_bin};
use crate::proxy::Proxy;
use crate::wait::{block_on, free_port, until};
use crate::{etcd, kubeconfig};

/// The administrator: in the group `system:masters`, so no authorizer is asked.
pub const ADMIN: &str = "admin";

/// The name of the apiserver that every control plane has, which is that of its log.
const FIRST: &str = "kube-apiserver";

/// What to start. The default is etcd and an apiserver with RBAC and only the administrator.
#[derive(Clone, Debug, Default)]
pub struct Options {
    users: Vec<String>,
    apiserver_args: Vec<String>,
    etcd_args: Vec<String>,
    controller_manager: bool,
}

/// A running control plane. Dropping it ends the processes and removes their files.
#[derive(Debug)]
pub struct ControlPlane {
    // In the order in which they must end.
    controller_manager: Option<Process>,
    apiserver: Mutex<Option<Process>>,
    _etcd: Process,
    etcd_address: SocketAddr,
    address: SocketAddr,
    options: Options,
    dir: TempDir,
}

// === impl Options ===

impl Options {
    /// The default: etcd and an apiserver with only the administrator.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a user with a token and without groups or rights.
    pub fn user(mut self, name: &str) -> Self {
        self.users.push(name.to_owned());
        self
    }

    /// Adds a flag of the apiserver, as `--name=value`. It comes after the rig's own.
    pub fn apiserver_arg(mut self, arg: &str) -> Self {
        self.apiserver_args.push(arg.to_owned());
        self
    }

    /// Adds a flag of etcd, as `--name=value`.
    pub fn etcd_arg(mut self, arg: &str) -> Self {
        self.etcd_args.push(arg.to_owned());
        self
    }

    /// Starts a kube-controller-manager too: Deployments make ReplicaSets make Pods, and
    /// namespaces and owned objects are really deleted. Create nodes before pods that name
    /// them: its garbage collector deletes pods of unknown nodes.
    pub fn with_controller_manager(mut self) -> Self {
        self.controller_manager = true;
        self
    }
}

// === impl ControlPlane ===

impl ControlPlane {
    /// Starts one and returns when it is ready.
    pub fn start(options: Options) -> Self {
        let bin = test_bin();
        let mut dir = TempDir::with_prefix("informerd-test-").expect("a temporary directory");
        // For looking at the logs afterwards.
        let keep = std::env::var_os("INFORMERD_TEST_KEEP").is_some();
        dir.disable_cleanup(keep);
        write_credentials(&bin, dir.path(), &options);
        let (etcd, etcd_address) = on_free_port(|port| start_etcd(&bin, dir.path(), port, &options, keep));
        let (apiserver, address) =
            on_free_port(|port| start_apiserver(&bin, dir.path(), FIRST, port, etcd_address, &options));
        let mut plane = Self {
            controller_manager: None,
            apiserver: Mutex::new(Some(apiserver)),
            _etcd: etcd,
            etcd_address,
            address,
            options,
            dir,
        };
        if plane.options.controller_manager {
            plane.controller_manager = Some(plane.start_controller_manager(&bin));
        }
        plane
    }

    /// One control plane for all tests of this binary, with the users `alice` and `bob`.
    /// Tests that share it use namespaces of their own and no faults of the server.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<ControlPlane> = OnceLock::new();
        SHARED.get_or_init(|| Self::start(Options::new().user("alice").user("bob")))
    }

    /// The directory of this control plane's files; tests may put theirs there.
    pub fn dir(&self) -> &Path {
        self.dir.path()
    }

    /// The kubeconfig of the administrator.
    pub fn kubeconfig(&self) -> PathBuf {
        self.kubeconfig_for(ADMIN)
    }

    /// The kubeconfig of a user.
    pub fn kubeconfig_for(&self, user: &str) -> PathBuf {
        self.kubeconfig_at(user, self.address)
    }

    /// The kubeconfig of a user who goes through the proxy.
    pub fn kubeconfig_via(&self, user: &str, proxy: &Proxy) -> PathBuf {
        self.kubeconfig_at(user, proxy.address())
    }

    /// The kubeconfig of a user for any address that leads to this apiserver.
    pub fn kubeconfig_at(&self, user: &str, address: SocketAddr) -> PathBuf {
        let ca = self.ca_file();
        kubeconfig::write(self.dir(), user, address, &ca, &self.token(user))
    }

    /// A client of the administrator. It belongs to the runtime in which it was made.
    pub async fn client(&self) -> Client {
        kubeconfig::client(&self.kubeconfig()).await
    }

    /// A client from any of the kubeconfigs.
    pub async fn client_from(&self, kubeconfig: &Path) -> Client {
        kubeconfig::client(kubeconfig).await
    }

    /// kubectl as the administrator.
    pub fn kubectl(&self) -> Kubectl {
        Kubectl::new(&self.kubeconfig())
    }

    /// The URL of the apiserver.
    pub fn url(&self) -> String {
        format!("https://{}", self.address)
    }

    /// The address of the apiserver, for [`Proxy::start`].
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The certificate of the authority that signed the serving certificate.
    pub fn ca_file(&self) -> PathBuf {
        self.dir().join("ca.crt")
    }

    /// Certificate and key with which a user can authenticate instead of with the token.
    pub fn client_certificate(&self, user: &str) -> (PathBuf, PathBuf) {
        let file = |kind| self.dir().join(format!("client-{user}.{kind}"));
        (file("crt"), file("key"))
    }

    /// The bearer token of a user.
    pub fn token(&self, user: &str) -> String {
        token(user)
    }

    /// The URL of etcd.
    pub fn etcd_url(&self) -> String {
        format!("http://{}", self.etcd_address)
    }

    /// etcd's current revision: the newest resource version in the cluster.
    pub fn revision(&self) -> i64 {
        etcd::revision(self.etcd_address)
    }

    /// Compacts etcd to its current revision, which is returned. See the module's comment for
    /// what that does and does not do to watches.
    pub fn compact_etcd(&self) -> i64 {
        etcd::compact(self.etcd_address)
    }

    /// Stops the apiserver without ending it (SIGSTOP): connections stay, nothing moves.
    pub fn pause(&self) {
        self.signal("STOP");
    }

    /// Lets it go on (SIGCONT).
    pub fn resume(&self) {
        self.signal("CONT");
    }

    /// Kills the apiserver (SIGKILL); etcd keeps the data.
    pub fn kill_apiserver(&self) {
        // Dropping the process kills it.
        drop(self.apiserver().take());
    }

    /// Starts the apiserver again, on the port it had, after [`Self::kill_apiserver`].
    pub fn start_apiserver(&self) {
        let mut apiserver = self.apiserver();
        if apiserver.is_none() {
            let port = self.address.port();
            let started = start_apiserver(&test_bin(), self.dir(), FIRST, port, self.etcd_address, &self.options);
            *apiserver = Some(started.unwrap_or_else(|taken| panic!("{taken}")));
        }
    }

    /// Kills and starts it: all connections break, and the watch cache begins anew.
    pub fn restart_apiserver(&self) {
        self.kill_apiserver();
        self.start_apiserver();
    }

    /// Starts another apiserver on the same etcd, with the same users. It lives as long as the value.
    pub fn start_peer(&self) -> Peer {
        let start = |port| {
            let name = format!("{FIRST}-{port}");
            start_apiserver(&test_bin(), self.dir(), &name, port, self.etcd_address, &self.options)
        };
        let (process, address) = on_free_port(start);
        Peer {
            _process: process,
            address,
            kubeconfig: self.kubeconfig_at(ADMIN, address),
        }
    }

    /// The process id of the apiserver, if it runs.
    pub fn apiserver_pid(&self) -> Option<u32> {
        self.apiserver().as_ref().map(Process::pid)
    }

    /// The end of the apiserver's log.
    pub fn apiserver_log(&self) -> String {
        self.apiserver().as_ref().map(Process::log_tail).unwrap_or_default()
    }

    /// The process ids of everything that runs.
    pub fn pids(&self) -> Vec<u32> {
        let manager = self.controller_manager.as_ref().map(Process::pid);
        self.apiserver_pid()
            .into_iter()
            .chain(manager)
            .chain([self._etcd.pid()])
            .collect()
    }

    fn signal(&self, name: &str) {
        self.apiserver().as_ref().expect("the apiserver runs").signal(name);
    }

    /// A test that failed elsewhere while it held the lock did not damage the process.
    fn apiserver(&self) -> MutexGuard<'_, Option<Process>> {
        self.apiserver.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn start_controller_manager(&self, bin: &Path) -> Process {
        Spawn::new(
            "kube-controller-manager",
            bin.join("kube-controller-manager"),
            self.dir(),
        )
        .arg(format!("--kubeconfig={}", self.kubeconfig().display()))
        .arg(format!("--root-ca-file={}", self.ca_file().display()))
        .arg(format!(
            "--service-account-private-key-file={}",
            self.dir().join("sa.key").display()
        ))
        .args(["--leader-elect=false", "--secure-port=0"])
        .start()
    }
}

// === starting ===

/// The port was taken between its choice and its use.
type Taken = String;

/// Tries other ports while the chosen one turns out to be taken.
fn on_free_port(start: impl Fn(u16) -> Result<Process, Taken>) -> (Process, SocketAddr) {
    let mut taken = String::new();
    for _ in 0..5 {
        let port = free_port();
        match start(port) {
            Ok(process) => return (process, (Ipv4Addr::LOCALHOST, port).into()),
            Err(error) => taken = error,
        }
    }
    panic!("{taken}");
}

fn token(user: &str) -> String {
    format!("token-of-{user}")
}

/// Makes keys and certificates, and the file of tokens.
fn write_credentials(bin: &Path, dir: &Path, options: &Options) {
    let mut genkeys = Command::new(bin.join("genkeys"));
    genkeys.arg("-dir").arg(dir).args(["-user", "admin:system:masters"]);
    let mut tokens = format!("{},{ADMIN},{ADMIN},\"system:masters\"\n", token(ADMIN));
    for user in &options.users {
        genkeys.args(["-user", user]);
        tokens.push_str(&format!("{},{user},{user}\n", token(user)));
    }
    let output = genkeys.output().expect("run genkeys");
    assert!(
        output.status.success(),
        "genkeys: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    std::fs::write(dir.join("tokens.csv"), tokens).expect("write the tokens");
}

fn start_etcd(bin: &Path, dir: &Path, port: u16, options: &Options, keep: bool) -> Result<Process, Taken> {
    let url = format!("http://127.0.0.1:{port}");
    let spawn = Spawn::new("etcd", bin.join("etcd"), dir)
        .arg(format!("--data-dir={}", dir.join("etcd").display()))
        .arg(format!("--listen-client-urls={url}"))
        .arg(format!("--advertise-client-urls={url}"))
        .args(["--listen-peer-urls=http://127.0.0.1:0", "--log-level=warn"])
        // The data is thrown away with the test.
        .args(["--unsafe-no-fsync", "--quota-backend-bytes=8589934592"])
        .args(&options.etcd_args);
    // A control plane in a static is never dropped: then only guard can remove the files.
    let spawn = if keep { spawn } else { spawn.cleanup(dir) };
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    ready(spawn.start(), || std::net::TcpStream::connect(address).is_ok())
}

fn start_apiserver(
    bin: &Path,
    dir: &Path,
    name: &str,
    port: u16,
    etcd: SocketAddr,
    options: &Options,
) -> Result<Process, Taken> {
    let file = |name: &str| dir.join(name).display().to_string();
    let process = Spawn::new(name, bin.join("kube-apiserver"), dir)
        .arg(format!("--etcd-servers=http://{etcd}"))
        .arg(format!("--secure-port={port}"))
        .args(["--bind-address=127.0.0.1", "--advertise-address=127.0.0.1"])
        // Nobody connects by the `kubernetes` service, and loopback is no valid endpoint.
        .arg("--endpoint-reconciler-type=none")
        .arg(format!("--cert-dir={}", file("certs")))
        .arg(format!("--tls-cert-file={}", file("serving.crt")))
        .arg(format!("--tls-private-key-file={}", file("serving.key")))
        .arg(format!("--client-ca-file={}", file("ca.crt")))
        .arg(format!("--token-auth-file={}", file("tokens.csv")))
        .arg("--service-account-issuer=https://kubernetes.default.svc")
        .arg(format!("--service-account-key-file={}", file("sa.pub")))
        .arg(format!("--service-account-signing-key-file={}", file("sa.key")))
        .args(["--service-cluster-ip-range=10.0.0.0/24", "--authorization-mode=RBAC"])
        .args(["--allow-privileged", "--disable-admission-plugins=ServiceAccount"])
        .args(&options.apiserver_args)
        .start();
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let kubeconfig = kubeconfig::write(dir, ADMIN, address, &dir.join("ca.crt"), &token(ADMIN));
    let probe = || block_on(serves(&kubeconfig));
    ready(process, probe)
}

/// Whether `/readyz` says ok and the first namespace is there, without which a test could
/// create nothing.
async fn serves(kubeconfig: &Path) -> bool {
    let client = kubeconfig::client(kubeconfig).await;
    for path in ["/readyz", "/api/v1/namespaces/default"] {
        let request = http::Request::get(path).body(Vec::new()).expect("a valid request");
        if client.request_text(request).await.is_err() {
            return false;
        }
    }
    true
}

/// Waits until the process serves. An end because the port was taken is an error of which
/// the caller knows the remedy; any other end is a panic with the log.
fn ready(mut process: Process, serves: impl Fn() -> bool) -> Result<Process, Taken> {
    let what = format!("start of pid {}", process.pid());
    until(&what, || {
        if let Some(code) = process.exit_code() {
            let log = process.log_tail();
            if log.contains("address already in use") {
                return Some(Err(log));
            }
            panic!("ended with {code} while it was started\n{log}");
        }
        serves().then_some(Ok(()))
    })
    .map(|()| process)
}
