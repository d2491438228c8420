//! informerd: one watched, indexed cache of Kubernetes objects, served to any language over gRPC.

pub mod cli;
pub mod clock;
pub mod cluster;
pub mod config;
pub mod controller;
pub mod delta;
pub mod hash;
pub mod informer;
pub mod object;
pub mod processor;
pub mod proto;
pub mod queue;
pub mod queues;
pub mod reflector;
pub mod run;
pub mod selector;
pub mod service;
pub mod sim;
pub mod store;
pub mod telemetry;
pub mod upstream;
