//! Vectorize: see the room of the same name in the core.

pub(crate) mod counted;
pub(crate) mod hashing;
pub(crate) mod lexicon;
pub(crate) mod matrix;
pub(crate) mod pattern;
pub(crate) mod single;
pub(crate) mod tfidf;
