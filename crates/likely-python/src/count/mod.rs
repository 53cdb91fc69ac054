//! Count.

pub(crate) mod counts;
pub(crate) mod lengths;
