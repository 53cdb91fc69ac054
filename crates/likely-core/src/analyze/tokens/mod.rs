//! Tokens: a text goes in, the spans of its pieces come out.
//!
//! - [`tokenize`]: the words, single characters of unspaced scripts, and emoji of a text
//! - [`entities`]: URLs, email addresses, mentions and hashtags, found before the text is cut into words
//! - [`punctuation`]: punctuation, emoticons, the ends of clauses, and the shape of numbers
//! - [`pieces`]: all of these in the order of the text
//! - [`wanted`]: the kinds of pieces, and which of them a caller wants

pub(crate) mod entities;
pub(crate) mod pieces;
pub(crate) mod punctuation;
pub mod tokenize;
pub mod wanted;
