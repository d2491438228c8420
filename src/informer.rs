//! SharedInformer and SharedInformerFactory: one pipeline for everyone who asks for the same resource, namespaces and
//! selectors; different ones never mix (field case 32).
//!
//! ```text
//!   SharedInformerFactory ──▶ SharedInformer
//!     by identity              ├ reflectors, one per namespace (through the Upstream port)
//!                              ├ DeltaFifo ▶ Controller
//!                              └ Processor: what readers and listeners see
//! ```

mod factory;
mod shared;
mod spec;

pub use factory::{FactoryError, FactoryOptions, SharedInformerFactory, is_id, scoped};
pub use shared::{IndexerError, SharedInformer};
pub use spec::{InformerSpec, SpecError, SpecRequest, StartPolicy};
