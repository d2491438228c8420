//! What operators see of a running sidecar: the queue commands and the metrics. All in one process, over the simulated
//! cluster and real sockets.

mod hop;
mod metrics;
mod queue_command;
mod rig;
