//! informerd: one watched, indexed cache of Kubernetes objects, served to any language over gRPC.

pub mod clock;
pub mod cluster;
pub mod delta;
pub mod object;
pub mod proto;
pub mod reflector;
pub mod selector;
pub mod store;
pub mod upstream;
