//! Solve.

pub mod linear;
pub mod ordered_rows;
