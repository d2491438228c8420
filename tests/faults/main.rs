//! The field cases of docs/guarantees.md that need a real API server in trouble, and a sidecar that is a process.
//!
//! ```text
//!  changes ──► peer ──► etcd ◄── kube-apiserver ◄── (Proxy) ◄── informerd ──► Recorder, Go, Python, Java, CLI
//!                │                 STOP, KILL         cuts       killed          │
//!                └── Witness: a watch that nobody disturbs ────── equal ─────────┘
//! ```
//!
//! The defaults take about a minute. The sizes of the field are set by environment variables:
//! `INFORMERD_TEST_STALL` (seconds that the API server is stopped, 15; the field case has 120), `INFORMERD_TEST_DOWN` (seconds
//! that it is killed beyond the changes, 0; 180), `INFORMERD_TEST_AWAY` (seconds that a consumer is away, 0; 120),
//! `INFORMERD_TEST_RESTARTS` (of the sidecar, 5; 20) and `INFORMERD_TEST_SECRETS` (1000; 20000).

mod apiserver;
mod consumers;
mod cuts;
mod gap;
#[path = "../acceptance/recorder.rs"]
mod recorder;
#[path = "../acceptance/replay.rs"]
mod replay;
mod scene;
mod secrets;
mod standby;
#[path = "../acceptance/truth.rs"]
mod truth;

/// The program under test.
const INFORMERD: &str = env!("CARGO_BIN_EXE_informerd");
