//! The work queue with worker processes that die, a sidecar that dies, and caches that lag.
//!
//! ```text
//!  Sim ── informerd ──socket── 8 workers (this binary again) ──socket── Checker: the store that fences, and the judge
//!   └──────────── events, with the time of each ─────────────────────────────▲
//! ```
//!
//! `INFORMERD_TEST_QUEUE_KEYS` (1000), `INFORMERD_TEST_QUEUE_RATE` (200 events a second) and `INFORMERD_TEST_QUEUE_SECONDS`
//! (8) set the size of the crowd test; 10000, 500 and 20 is its full size.

mod checker;
mod crowd;
mod gate;
mod rpc;
mod worker;

/// The program under test.
const INFORMERD: &str = env!("CARGO_BIN_EXE_informerd");
