//! The settings that decide which terms a text has.

use crate::analyze::normalize::Normalization;
use crate::analyze::preparation::Preparation;
use crate::count::term_value::Value;

/// What a text is cut into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Words, as [`crate::analyze::tokens::tokenize`] finds them.
    Word,
    /// Characters; a run of white space is one space.
    Char,
    /// Characters between white space, with a space before and after them.
    CharWb,
    /// Words, and characters between white space.
    Both,
}

/// What the n-grams of characters begin with where there are words too.
pub(crate) const CHAR_MARK: &[u8] = b"char:";

/// How texts become terms.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What a text is cut into.
    pub unit: Unit,
    /// The shortest and the longest n-gram: of words, or of characters where there are no words.
    pub ngrams: (usize, usize),
    /// The same of characters beside words.
    pub char_ngrams: (usize, usize),
    /// What is done to a text.
    pub normalization: Normalization,
    /// What is done to a word.
    pub preparation: Preparation,
    /// How many bits the number of a bucket has; 0 where terms keep their names.
    pub hash_bits: u32,
    /// What a term counts that occurs so often in a document.
    pub value: Value,
    /// Whether all documents count the same: as their terms over the length of the document.
    pub equal: bool,
    /// Whether texts come as tokens with [`crate::analyze::tokens::tokenize::GIVEN`] between them.
    pub given: bool,
}

impl Settings {
    /// N-grams of words or characters, in lower case or not.
    pub fn plain(unit: Unit, shortest: usize, longest: usize, lowercase: bool) -> Self {
        Self {
            unit,
            ngrams: (shortest, longest),
            char_ngrams: (1, 1),
            normalization: Normalization::default(),
            preparation: Preparation { lowercase, ..Preparation::default() },
            hash_bits: 0,
            value: Value::Count,
            equal: false,
            given: false,
        }
    }
}
