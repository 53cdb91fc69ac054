//! Solve: rows of documents and their classes go in, the weights of linear classifiers come out.
//!
//! - [`ordered_rows`]: the rows in an order that depends on nothing but the documents
//! - [`linear`]: one problem per class, shared out among threads
//! - [`descent`]: the solver of one problem

mod descent;
pub mod linear;
pub mod ordered_rows;
