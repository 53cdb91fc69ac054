//! What the n-grams of characters within a word add up to, for words that have occurred before.
//!
//! A word has the same n-grams wherever it occurs, so that their rows need be added up only once. The result does not
//! depend on which words are remembered: the numbers of a word are added up apart from the document in any case.

use crate::score::deltas::{Deltas, Dense};
use crate::score::dense_rows::add_rows;
use crate::score::sums::{Sums, WORD_NUMBERS};
use crate::vocabulary::term_ids::Vocabulary;

/// The memory for the numbers of words, in bytes per thread.
const MEMORY: usize = 64 << 20;
/// When the memory is full, and this many times as many words were not found in it, it starts anew.
const PATIENCE: usize = 16;

/// The words that one thread has met, and what their terms add up to.
#[derive(Default)]
pub(crate) struct WordSums {
    /// The words.
    pub(crate) words: Vocabulary,
    /// One row per word, by its id.
    rows: Dense,
    /// Memory for the terms of one word.
    word: Sums,
    totals: Vec<f64>,
    errors: Vec<f64>,
    /// The number of words that were not remembered, because the memory was full.
    missed: usize,
}

impl WordSums {
    /// Begins a document.
    pub(super) fn begin(&mut self, deltas: &Deltas, classes: usize) {
        self.word.begin(deltas, classes);
        let stride = (self.word.width() + WORD_NUMBERS).next_multiple_of(4);
        if stride != self.rows.stride || self.missed > PATIENCE * self.most() {
            self.words = Vocabulary::default();
            self.rows = Dense { stride, table: Vec::new() };
            self.missed = 0;
        }
        for memory in [&mut self.totals, &mut self.errors] {
            memory.clear();
            memory.resize(stride, 0.0);
        }
    }

    /// The number of words that may be remembered.
    pub(super) fn most(&self) -> usize {
        (MEMORY / (8 * self.rows.stride.max(1))).max(1)
    }

    /// Adds up the terms of the next word.
    pub(super) fn learn(&mut self, deltas: &Deltas, classes: usize, ids: &[u32]) {
        self.word.begin(deltas, classes);
        self.word.add(deltas, ids, |_| 1.0);
        self.word.write(deltas, ids, &mut self.rows.table);
        let size = self.rows.table.len().next_multiple_of(self.rows.stride);
        self.rows.table.resize(size, 0.0);
    }

    /// Adds some words to the document, and drops what is not remembered.
    pub(super) fn add(&mut self, words: &[u32]) {
        add_rows(&self.rows, words, |_| 1.0, &mut self.totals, &mut self.errors);
        let kept = self.most() * self.rows.stride;
        self.missed += self.rows.table.len().saturating_sub(kept) / self.rows.stride;
        self.rows.table.truncate(kept);
    }

    /// Adds the words of the document to what its other terms add up to; returns the number of their terms, and how
    /// many of these are known.
    pub(super) fn finish(&self, sums: &mut Sums) -> [u64; 2] {
        sums.add_words(&self.totals, &self.errors);
        [self.totals[0] as u64, self.totals[1] as u64]
    }
}
