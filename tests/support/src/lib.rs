//! The rig of the integration tests.
//!
//! ```text
//!   test ──► Proxy ──► kube-apiserver ──► etcd        every process runs under `guard`,
//!     │      cut        pause, restart     compact    which holds the other end of a pipe
//!     │      refuse                                   of the test: when the test ends, in
//!     │      freeze                                   whatever way, the process ends too
//!     ├──► Workload   pods, nodes, churn
//!     ├──► Kubectl    the reference for what the cluster holds
//!     └──► Sidecar    informerd itself, and its commands
//! ```
//!
//! The programs come from `tests/build-tools`; `tests/run` builds them and sets
//! `INFORMERD_TEST_BIN`. Without it a test fails: a test that skips itself proves nothing.
//!
//! This is a crate of its own, not a `mod support;` of each test, so that it is compiled
//! once and the compiler can tell unused code from code that one test does not use. It does
//! not depend on informerd. Being test code, it panics where something goes wrong, with the
//! end of the log of the process that caused it.

mod contract;
mod control_plane;
mod etcd;
pub mod fuzz;
pub mod inspect;
mod kubeconfig;
mod kubectl;
mod peer;
mod process;
mod proxy;
mod random;
mod sidecar;
mod wait;
mod workload;

pub use contract::object_hash;
pub use control_plane::{ADMIN, ControlPlane, Options};
pub use kubectl::Kubectl;
pub use peer::Peer;
pub use process::{Process, Spawn, test_bin, test_tool};
pub use proxy::Proxy;
pub use random::Random;
pub use sidecar::{Sidecar, Tail};
pub use wait::{DEADLINE, eventually, free_port, until};
pub use workload::{Churn, PodShape, Workload, pod};
