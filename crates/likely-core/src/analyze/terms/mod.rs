//! Terms: the pieces of a text go in, the ids of its terms come out.
//!
//! - [`word_terms`]: words and their n-grams
//! - [`char_terms`]: n-grams of characters
//! - [`hashed_terms`]: numbered buckets instead of names
//! - [`staged_words`]: the loop that looks up a few hundred words at a time

pub(crate) mod char_terms;
pub(crate) mod hashed_terms;
pub(crate) mod staged_words;
pub(crate) mod word_terms;
