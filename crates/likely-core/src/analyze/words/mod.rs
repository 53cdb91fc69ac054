//! Words: a word of a text goes in, what it is counted as comes out.
//!
//! - [`preparation`]: lower case, masks, stop words, negation and stems
//! - [`stem`]: the stem of a word
//! - [`prepared_words`]: the same for many words, each distinct one only once
//! - [`word_cache`]: what is known of words that have occurred before

pub mod preparation;
pub(crate) mod prepared_words;
pub mod stem;
pub(crate) mod word_cache;
