//! The settings that decide which terms a text has.

use crate::analyze::normalize::Normalization;
use crate::analyze::words::preparation::Preparation;
use crate::count::term_value::Value;

/// What a text is cut into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Words as [`crate::analyze::tokens::tokenize`] finds them.
    Word,
    /// Characters; a run of white space is one space.
    Char,
    /// Characters within words between white space, with a space before and after each word.
    CharWb,
    /// Words, and characters within words.
    Both,
}

/// The prefix of n-grams of characters if words are terms too.
pub const CHAR_MARK: &str = "char:";

/// How texts become terms.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What a text is cut into.
    pub unit: Unit,
    /// The shortest and the longest n-gram: of words, or of characters if words are not terms.
    pub ngrams: (usize, usize),
    /// The shortest and the longest n-gram of characters if words are terms too.
    pub char_ngrams: (usize, usize),
    /// What is done to a text before it is cut.
    pub normalization: Normalization,
    /// What is done to a word.
    pub preparation: Preparation,
    /// The number of bits of a bucket's number, or 0 if terms keep their names.
    pub hash_bits: u32,
    /// What a term counts in a document.
    pub value: Value,
    /// Whether every document has unit length: its terms count their value divided by the length of the document.
    pub equal: bool,
    /// Whether a text consists of tokens that were made elsewhere, with [`crate::analyze::tokens::tokenize::GIVEN`]
    /// between them.
    pub given: bool,
}

impl Settings {
    /// N-grams of words or characters, with or without lower case.
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
