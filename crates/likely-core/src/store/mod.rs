//! Store.

pub mod delta_strings;
