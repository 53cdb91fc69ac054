//! The n-grams of the words that were seen.

use crate::vocabulary::term_ids::Vocabulary;

/// The n-grams of the words that were seen, as ids of one vocabulary, so that those of a frequent word are looked up
/// once.
#[derive(Default)]
pub(crate) struct Remembered {
    pub(crate) words: Vocabulary,
    pub(crate) grams: Vec<u32>,
    /// Where the n-grams of each word end.
    pub(crate) ends: Vec<usize>,
}

impl Remembered {
    /// If there are more n-grams than this, all are forgotten.
    pub(crate) const MOST: usize = 1 << 24;

    pub(crate) fn of_word(&self, word: u32) -> &[u32] {
        let word = word as usize;
        let start = if word == 0 { 0 } else { self.ends[word - 1] };
        &self.grams[start..self.ends[word]]
    }
}
