//! informerd: one watched, indexed cache of Kubernetes objects, served to any language over gRPC.

pub mod proto;
pub mod selector;
pub mod sim;
