//! Count.

pub mod cells;
pub mod counting;
pub mod counts;
pub mod fixed_point;
pub mod lengths;
pub(crate) mod log_frequency;
