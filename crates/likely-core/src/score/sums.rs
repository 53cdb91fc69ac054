//! What the terms of one document add up to, class by class.
//!
//! Every sum keeps the part that rounding cuts off, so that a document of a million tokens is scored as exactly as one
//! of ten, and dense and sparse rows agree to the last bit or two.

use crate::compensated_sum::CompensatedSum;
use crate::score::deltas::Deltas;
use crate::score::dense_rows::{add_exact_row, add_rows};
use crate::score::sparse_rows::{Own, Sparse};
use crate::score::weights::{ClassWeight, Weights};
use crate::vocabulary::term_ids::UNKNOWN;

/// What the terms of a document add up to, class by class.
#[derive(Default)]
pub(super) struct Sums {
    sums: Vec<f64>,
    errors: Vec<f64>,
    /// The scales of all known terms, added up.
    known: f64,
    /// The deltas of all known terms in classes that lack them (used only if the deltas are sparse).
    rest: CompensatedSum,
    /// For each class, the scales of the terms that have a delta of their own in it (used only if the deltas are
    /// sparse).
    hits: Vec<f64>,
}

/// How many numbers of a word precede its sums: its terms, those that are known, their scales and their rests.
pub(super) const WORD_NUMBERS: usize = 4;

impl Sums {
    /// How many sums there are.
    pub(super) fn width(&self) -> usize {
        self.sums.len()
    }

    /// Adds what words add up to: each begins with its [`WORD_NUMBERS`].
    pub(super) fn add_words(&mut self, totals: &[f64], errors: &[f64]) {
        self.known += totals[2];
        self.rest.add(totals[3]);
        self.rest.error += errors[3];
        for (class, (&total, &error)) in totals[WORD_NUMBERS..].iter().zip(&errors[WORD_NUMBERS..]).enumerate() {
            if class < self.sums.len() {
                self.add_one(class, total);
                self.errors[class] += error;
            }
        }
    }

    pub(super) fn begin(&mut self, deltas: &Deltas, classes: usize) {
        let width = match deltas {
            Deltas::Dense(dense) => dense.stride,
            Deltas::Sparse(sparse) => classes.max(sparse.width),
        };
        (self.known, self.rest) = (0.0, CompensatedSum::default());
        for memory in [&mut self.sums, &mut self.errors, &mut self.hits] {
            memory.clear();
            memory.resize(width, 0.0);
        }
    }

    /// Adds some terms, which may be unknown: the term at each place `times` that place.
    #[inline]
    pub(super) fn add(&mut self, deltas: &Deltas, ids: &[u32], times: impl Fn(usize) -> f64) {
        match deltas {
            Deltas::Dense(dense) => add_rows(dense, ids, times, &mut self.sums, &mut self.errors),
            Deltas::Sparse(sparse) => {
                for (at, &id) in ids.iter().enumerate() {
                    sparse.prefetch_ahead(ids, at);
                    if id != UNKNOWN {
                        self.add_sparse(sparse, id, times(at));
                    }
                }
            }
        }
    }

    fn add_sparse(&mut self, sparse: &Sparse, id: u32, value: f64) {
        let (row, own) = sparse.row(id);
        let scale = value * row.scale;
        self.known += scale;
        self.rest.add(value * row.rest);
        match own {
            Own::Few(entries) => {
                for entry in entries {
                    let class = entry.class as usize;
                    self.add_one(class, value * entry.delta);
                    self.hits[class] += scale;
                }
            }
            // The hits are not counted: rows are written out only if nobody asks for them.
            Own::Full(deltas) => add_exact_row(deltas, value, &mut self.sums, &mut self.errors),
        }
    }

    /// Adds a row that has a number for every class.
    pub(super) fn add_row(&mut self, row: &[f64]) {
        add_exact_row(row, 1.0, &mut self.sums, &mut self.errors);
    }

    /// Counts some known terms whose scales are 1.
    pub(super) fn add_known(&mut self, known: u64) {
        self.known += known as f64;
    }

    #[inline]
    pub(super) fn add_one(&mut self, class: usize, more: f64) {
        let mut exact = CompensatedSum { sum: self.sums[class], error: self.errors[class] };
        exact.add(more);
        (self.sums[class], self.errors[class]) = (exact.sum, exact.error);
    }

    /// The score of a class; minus infinity for a class that the weights do not know.
    pub(super) fn score(&self, weights: &Weights, class: usize) -> f64 {
        match weights.classes.get(class) {
            Some(weight) => self.finish(weights, class, weight),
            None => f64::NEG_INFINITY,
        }
    }

    /// The scales of all known terms, added up.
    pub(super) fn length(&self, deltas: &Deltas) -> f64 {
        match deltas {
            Deltas::Dense(_) => self.sums[0],
            Deltas::Sparse(_) => self.known,
        }
    }

    fn finish(&self, weights: &Weights, class: usize, weight: &ClassWeight) -> f64 {
        if let Deltas::Dense(_) = weights.deltas {
            let sum = CompensatedSum { sum: self.sums[class + 1], error: self.errors[class + 1] };
            return finish(weight, self.length(&weights.deltas), sum);
        }
        let mut sum = CompensatedSum { sum: self.sums[class], error: self.errors[class] };
        sum.add(self.rest.sum);
        sum.add(self.rest.error);
        if weights.absent != 0.0 && self.hits[class] < self.known {
            sum.add(weights.absent);
        }
        finish(weight, self.known, sum)
    }
}

#[inline]
fn finish(weight: &ClassWeight, known: f64, mut sum: CompensatedSum) -> f64 {
    sum.add_times(known, weight.base);
    if weight.factor != 1.0 {
        return weight.bias + weight.factor * sum.total();
    }
    sum.add(weight.bias);
    sum.total()
}
