//! Count: documents with their classes and weights go in, counts come out.
//!
//! The counts hold, for each term and class, how often the term occurs and in how many documents. They are exact sums,
//! so that they do not depend on the order of the documents, and a document that was added can be taken away again.
//!
//! - [`counting`] and [`counter`]: documents to counts, on several threads
//! - [`block`] and [`tallies`]: the two halves of a counter: texts to terms, terms to counts
//! - [`lengths`]: the same for documents of unit length, in a second pass over the texts
//! - [`counts`] and [`algebra`]: the counts, and how they are added and subtracted
//! - [`cells`] and [`stored_cells`]: the sparse table below, and its numbers in few bytes
//! - [`gathered`]: numbers of many terms at once
//! - [`class_sums`]: what a term counts in all classes, or in all but one
//! - [`term_value`]: what a term counts in one document
//! - [`fixed_point`] and [`log_frequency`]: exact numbers, and exact logarithms

mod algebra;
mod block;
pub mod cells;
pub mod class_sums;
mod counter;
pub mod counting;
pub mod counts;
pub mod fixed_point;
mod gathered;
pub mod lengths;
mod log_frequency;
pub(crate) mod stored_cells;
mod tallies;
pub mod term_value;
