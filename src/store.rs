//! The Indexer over the Store: one writer, many readers.
//!
//! ```text
//!   Controller ──upsert/remove──▶ Indexer ──snapshot()──▶ Snapshot (immutable, shared)
//!                                                           ├ objects   ordered by key, each with its slot
//!                                                           ├ slots     object by slot number
//!                                                           ├ indexes   value ─▶ set of slots
//!                                                           └ changes   revision ─▶ slot, tombstones
//! ```
//!
//! All parts are persistent structures: a snapshot is a cheap clone, readers never take a lock and never see a half-applied
//! change (row S2), and a pinned snapshot costs only what has changed since.

mod changes;
mod index;
mod indexer;
mod query;
mod snapshot;

pub use changes::{Changes, Tombstone};
pub use index::{IndexError, IndexKey, IndexSpec, Indexes};
pub use indexer::Indexer;
pub use query::{Query, QueryError, QuerySpec};
pub use snapshot::{Position, Slot, Snapshot};
