//! What the n-grams of characters within a word add up to, for words that have occurred before.
//!
//! A word has the same n-grams wherever it occurs, so that their rows need be added up only once. The result does not
//! depend on which words are remembered: the numbers of a word are added up apart from the document in any case.

use crate::analyze::terms::grams_by_word::TermsOfWords;
use crate::score::compact_rows::{CLASSES, CompactRows};
use crate::score::deltas::Deltas;
use crate::score::dense_rows::{add_exact_row, add_plain_row, add_row_times};
use crate::score::sparse_rows::Own;
use crate::score::sums::{Sums, WORD_NUMBERS};
use crate::score::word_rows::{Numbering, ThreadWords, WordRows};
use crate::vocabulary::term_ids::UNKNOWN;

/// How many words are added up before what rounding cuts off is kept.
const GROUP: usize = 8;

/// What the words of a document add up to.
pub(super) trait SumsOfWords {
    /// A number of the row of a word.
    type Number: Copy;

    /// Begins a document with this number of sums. `shared` has the words that all threads know, and `memory` is what
    /// these may use.
    fn begin<'a>(&mut self, width: usize, shared: &'a WordRows<Self::Number>, memory: usize) -> Numbering<'a>;

    /// Adds up the terms of the next words: their n-grams, then their tokens.
    fn learn(&mut self, rows: &RowsOfTerms<'_>, grams: &TermsOfWords, tokens: &TermsOfWords);

    /// Adds some words to the document, each as often as it occurs, and drops what is not remembered.
    fn add(&mut self, shared: &WordRows<Self::Number>, words: &[(u32, u32)]);

    /// Adds the words of the document to what its other terms add up to; returns the number of their terms, and how
    /// many of these are known.
    fn finish(&mut self, numbering: Numbering<'_>, sums: &mut Sums) -> [u64; 2];
}

/// The sums of a document, as exact as its terms one by one.
#[derive(Default)]
pub(super) struct WordSums {
    pub(super) words: ThreadWords<f64>,
    totals: Vec<f64>,
    errors: Vec<f64>,
    /// The sums of a few words.
    group: Vec<f64>,
}

impl SumsOfWords for WordSums {
    type Number = f64;

    fn begin<'a>(&mut self, width: usize, shared: &'a WordRows<f64>, memory: usize) -> Numbering<'a> {
        let stride = (width + WORD_NUMBERS).next_multiple_of(4);
        for memory in [&mut self.totals, &mut self.errors, &mut self.group] {
            memory.clear();
            memory.resize(stride, 0.0);
        }
        self.words.begin(stride, shared, memory)
    }

    /// A word is so short that what rounding cuts off need not be kept.
    fn learn(&mut self, rows: &RowsOfTerms<'_>, grams: &TermsOfWords, tokens: &TermsOfWords) {
        let (stride, table) = (self.totals.len(), self.words.new_rows());
        for word in 0..grams.ends.len() {
            let from = table.len();
            table.resize(from + stride, 0.0);
            let (numbers, sums) = table[from..].split_at_mut(WORD_NUMBERS);
            rows.add_up([grams, tokens], word, numbers, sums);
        }
    }

    /// The words are added up in small groups, and of the groups what rounding cuts off is kept.
    fn add(&mut self, shared: &WordRows<f64>, words: &[(u32, u32)]) {
        let Self { words: known, totals, errors, group } = self;
        for (at, few) in words.chunks(GROUP).enumerate() {
            for &(word, _) in words.iter().skip((at + 1) * GROUP).take(GROUP) {
                known.prefetch(shared, word);
            }
            for &(word, times) in few {
                if let Some(row) = known.row(shared, word) {
                    add_row_times(row, f64::from(times), group);
                }
            }
            add_exact_row(group, 1.0, totals, errors);
            group.fill(0.0);
        }
        known.drop_rest();
    }

    fn finish(&mut self, numbering: Numbering<'_>, sums: &mut Sums) -> [u64; 2] {
        self.words.end(numbering);
        sums.add_words(&self.totals, &self.errors);
        [self.totals[0] as u64, self.totals[1] as u64]
    }
}

/// The rows of terms, in one of two forms.
#[derive(Clone, Copy)]
pub(super) struct RowsOfTerms<'a> {
    pub(super) deltas: &'a Deltas,
    /// Another form of the same numbers, in which terms are given by their rows.
    pub(super) compact: Option<&'a CompactRows>,
}

impl RowsOfTerms<'_> {
    /// Adds some terms, given by their rows, to the sums of a document; returns how many are known.
    pub(super) fn add_exactly(&self, rows: &[u32], sums: &mut Sums) -> u64 {
        match (self.compact, self.deltas) {
            (Some(compact), Deltas::Sparse(sparse)) => compact.add_exactly(sparse, rows, sums),
            _ => 0,
        }
    }

    /// What the terms of a word add up to, by compact rows: how many there are, how many are known, and their sums.
    #[inline]
    pub(super) fn compact_sums(&self, terms: [&TermsOfWords; 2], word: usize) -> ([usize; 2], [f64; CLASSES]) {
        let (mut numbers, mut sums) = ([0; 2], [0.0; CLASSES]);
        if let (Some(compact), Deltas::Sparse(sparse)) = (self.compact, self.deltas) {
            for some in terms {
                numbers[0] += some.of(word).len();
                numbers[1] += compact.add(sparse, &some.terms, some.of(word), &mut sums);
            }
        }
        (numbers, sums)
    }

    /// Adds up the terms of a word: their numbers, and their sums.
    #[inline]
    fn add_up(&self, terms: [&TermsOfWords; 2], word: usize, numbers: &mut [f64], sums: &mut [f64]) {
        if self.compact.is_some() {
            let ([all, known], found) = self.compact_sums(terms, word);
            (numbers[0], numbers[1], numbers[2]) = (all as f64, known as f64, known as f64);
            return sums.iter_mut().zip(found).for_each(|(sum, found)| *sum = found);
        }
        for some in terms {
            numbers[0] += some.of(word).len() as f64;
        }
        for some in terms {
            for at in some.of(word) {
                self.deltas.prefetch_ahead(&some.terms, at);
                let id = some.terms[at];
                if id != UNKNOWN {
                    numbers[1] += f64::from(self.deltas.scale(id) > 0.0);
                    add_term(self.deltas, id, numbers, sums);
                }
            }
        }
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
                Own::Full(deltas) => add_plain_row(deltas, sums),
            }
        }
    }
}
