//! Terms.

pub(crate) mod char_terms;
pub(crate) mod hashed_terms;
pub(crate) mod word_terms;
