//! Boundary.

pub(crate) mod documents;
pub(crate) mod errors;
pub(crate) mod labels;
pub(crate) mod shared;
pub(crate) mod texts;
