//! informerd.
