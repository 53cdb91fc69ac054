//! What the n-grams of characters within a word add up to, for words that have occurred before.
//!
//! A word has the same n-grams wherever it occurs, so that their rows need be added up only once. The result does not
//! depend on which words are remembered: the numbers of a word are added up apart from the document in any case.

use crate::score::deltas::{Deltas, Dense};
use crate::score::dense_rows::{add_plain_row, add_rows};
use crate::score::sparse_rows::Own;
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
    totals: Vec<f64>,
    errors: Vec<f64>,
    /// The number of words that were not remembered, because the memory was full.
    missed: usize,
}

impl WordSums {
    /// Begins a document with this number of sums.
    pub(super) fn begin(&mut self, width: usize) {
        let stride = (width + WORD_NUMBERS).next_multiple_of(4);
        if stride != self.rows.stride || self.missed > PATIENCE * self.most() {
            self.words = Vocabulary::default();
            self.rows = Dense { stride, ..Dense::default() };
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

    /// Adds up the terms of the next words, of the first word up to the first end, and so on. A word is so short that
    /// what rounding cuts off need not be kept.
    pub(super) fn learn(&mut self, deltas: &Deltas, ids: &[u32], ends: &[usize]) {
        let mut start = 0;
        for &end in ends {
            let from = self.rows.table.len();
            self.rows.table.resize(from + self.rows.stride, 0.0);
            let (numbers, sums) = self.rows.table[from..].split_at_mut(WORD_NUMBERS);
            numbers[0] = (end - start) as f64;
            for at in start..end {
                deltas.prefetch_ahead(ids, at);
                numbers[1] += f64::from(deltas.scale(ids[at]) > 0.0);
                add_term(deltas, ids[at], numbers, sums);
            }
            start = end;
        }
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

/// Adds a term to the sums of a word.
#[inline]
fn add_term(deltas: &Deltas, id: u32, numbers: &mut [f64], sums: &mut [f64]) {
    match deltas {
        Deltas::Dense(dense) => {
            let start = id as usize * dense.stride;
            if let Some(row) = dense.table.get(start..start + dense.stride) {
                add_plain_row(row, sums);
            }
        }
        Deltas::Sparse(sparse) => {
            let (row, own) = sparse.row(id);
            numbers[2] += row.scale;
            numbers[3] += row.rest;
            match own {
                Own::Few(entries) => entries.iter().for_each(|entry| sums[entry.class as usize] += entry.delta),
                Own::Wide(deltas) => add_plain_row(deltas, sums),
            }
        }
    }
}
