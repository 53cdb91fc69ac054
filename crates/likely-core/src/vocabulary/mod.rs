//! Vocabulary: terms go in, ids come out, and back.
//!
//! - [`term_ids`]: the vocabulary itself
//! - [`lexicon`]: looking up terms, with or without adding those that are new
//! - [`sorted_terms`]: terms that come sorted, as a model file has them
//! - [`order`]: the order of terms
//! - [`translate`]: the ids of one vocabulary in another
//! - [`sealed`]: a vocabulary that can only be read and takes less than half of the memory
//! - [`table`] and [`word`]: the hash table of words, and the key of a word in it
//! - [`phrase_table`]: the hash table of n-grams
//! - [`term_rows`]: where the row of each term is
//! - [`packed_phrases`]: a smaller one for the longest n-grams, which cannot grow

pub(crate) mod lexicon;
pub(crate) mod order;
pub(crate) mod packed_phrases;
pub(crate) mod phrase_table;
mod sealed;
pub(crate) mod sorted_terms;
pub(crate) mod table;
pub mod term_ids;
pub(crate) mod term_rows;
mod translate;
pub(crate) mod word;
