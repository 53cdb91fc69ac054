//! Analyze.

pub(crate) mod analyzer;
pub(crate) mod stem;
