//! informerd against the real control plane: what the cache and its streams say is what the cluster says.
//!
//! ```text
//!            ┌── truth: list and watch of the API server itself ──────────────┐
//!  apiserver ┤                                                                ├ equal
//!            └── (Proxy) ── informerd ── get, watch, gRPC ── Replay, Recorder ┘
//! ```
//!
//! `INFORMERD_TEST_PODS` and `INFORMERD_TEST_CHURN` set the size of the parity test (1000 pods, 300 changes).

mod cuts;
mod parity;
mod recorder;
mod replay;
mod resume;
mod truth;

/// The program under test.
const INFORMERD: &str = env!("CARGO_BIN_EXE_informerd");
