//! Matrix: columns and counts go in, a matrix in compressed sparse rows comes out.
//!
//! - [`sparse`]: the matrix
//! - [`piece`]: rows of consecutive texts, packed until the whole matrix is known
//! - [`row`]: the entries of one row, brought in order

pub(super) mod piece;
pub(super) mod row;
pub mod sparse;
