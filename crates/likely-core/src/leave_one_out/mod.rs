//! Leave one out: learned documents go in, sums over the terms of each come out.
//!
//! The score of a document by a model that has not seen it is a sum over its terms, in which the document itself is
//! subtracted from what is counted of each term. What the sums mean is decided by the caller.
//!
//! - [`rows`]: the terms of each document
//! - [`groups`]: terms that have the same counts, so that the caller works out each number once per group
//! - [`sums`]: numbers of the groups, added up document by document
//! - [`log_sums`]: the same for logarithms that depend on the document

pub mod groups;
pub mod log_sums;
pub mod rows;
pub mod sums;
