//! Connections to the real API server that die without saying so, credentials that change, and what is left of many
//! connections.
//!
//! ```text
//!   kube-apiserver ── Proxy (freezes, cuts) ── Cluster ── SharedInformer, in the test's own process
//! ```

mod half_open;
mod rotation;
mod sockets;
mod world;
