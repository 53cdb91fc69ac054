//! Vectorize.

pub(crate) mod counted;
pub(crate) mod lexicon;
pub(crate) mod pattern;
pub(crate) mod single;
