//! Solve: rows of documents and their classes go in, the weights of linear classifiers come out.
//!
//! - [`ordered_rows`]: the rows in an order that depends on nothing but the documents
//! - [`linear`]: problems on the same rows, shared out among threads
//! - [`descent`]: the solver of one problem, and the step of one row for each loss

mod descent;
pub mod linear;
pub mod ordered_rows;
