//! Terms: the pieces of a text go in, the ids of its terms come out.
//!
//! - [`word_terms`]: words and their n-grams
//! - [`char_terms`]: n-grams of characters
//! - [`grams_by_word`]: n-grams of characters, by the word in which they lie
//! - [`word_grams`]: the n-grams of one word
//! - [`distinct_words`]: the distinct words of a stretch of text
//! - [`hashed_terms`]: numbered buckets instead of names
//! - [`staged_words`]: the loop that looks up a few hundred words at a time

pub(crate) mod char_terms;
pub(crate) mod distinct_words;
pub(crate) mod grams_by_word;
pub(crate) mod hashed_terms;
pub(crate) mod staged_words;
mod word_grams;
pub(crate) mod word_terms;
