//! Vocabulary.

pub(crate) mod sealed;
pub(crate) mod table;
pub mod term_ids;
pub(crate) mod word;
