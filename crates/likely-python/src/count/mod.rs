//! Count: see the room of the same name in the core.

pub(crate) mod counts;
pub(crate) mod lengths;
