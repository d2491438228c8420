//! SharedInformer and SharedInformerFactory: one pipeline for everyone who asks for the same resource, namespaces and
//! selectors; different ones never mix (field case 32).
//!
//! ```text
//!   SharedInformerFactory ──▶ SharedInformer
//!     by identity              ├ Keeper: starts and ends what is below, as the world changes
//!                              ├ reflectors, one per namespace (through the Upstream port), supervised
//!                              ├ DeltaFifo ▶ Controller
//!                              └ Processor: what readers and listeners see
//! ```

mod factory;
mod keeper;
mod namespaces;
mod rounds;
mod shared;
mod spec;
mod supervise;
mod update;

pub use factory::{FactoryError, FactoryOptions, SharedInformerFactory, is_id, scoped};
pub use shared::{IndexerError, ReflectorStatus, SharedInformer};
pub use spec::{InformerSpec, SpecError, SpecRequest, StartPolicy};
pub use update::SpecUpdate;
