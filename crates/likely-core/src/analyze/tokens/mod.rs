//! Tokens: a text goes in, the spans of its pieces come out.
//!
//! - [`tokenize`]: the words, single characters of unspaced scripts, and emoji of a text
//! - [`rules`]: the same, character by character
//! - [`wide_block`], [`block_tokens`]: the tokens of 64 bytes at a time
//! - [`entities`]: URLs, email addresses, mentions and hashtags, found before the text is cut into words
//! - [`punctuation`]: punctuation, emoticons, the ends of clauses, and the shape of numbers
//! - [`pieces`]: all of these in the order of the text
//! - [`wanted`]: the kinds of pieces, and which of them a caller wants

mod block_tokens;
pub(crate) mod entities;
pub(crate) mod pieces;
pub(crate) mod punctuation;
mod rules;
pub mod tokenize;
pub mod wanted;
mod wide_block;
