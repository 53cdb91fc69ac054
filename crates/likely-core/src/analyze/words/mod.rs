//! Words: a word of a text goes in, what it is counted as comes out.
//!
//! - [`preparation`]: lower case, masks, stop words, negation and stems
//! - [`stem`]: the stem of a word
//! - [`prepared_words`]: the same for many words, each distinct one only once

pub mod preparation;
pub(crate) mod prepared_words;
pub mod stem;
