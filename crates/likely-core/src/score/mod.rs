//! Score.

pub mod scorer;
pub mod weights;
