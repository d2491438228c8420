//! informerd.

pub mod selector;
