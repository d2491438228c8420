//! The reflector against a scripted API server in memory, on a paused clock: each test sees every request, answers it, and
//! sees every delta.

mod cases;
mod era;
mod harness;
mod initial;
mod list;
mod trouble;
mod watch;
