//! Vectorize.

pub mod gather;
pub mod hashing;
pub mod lexicon;
pub(crate) mod order;
pub mod pattern;
pub(crate) mod piece;
pub(crate) mod row;
pub mod sparse;
pub mod tfidf;
pub mod vectorizing;
