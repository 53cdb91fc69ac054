//! Terms and weights to scores: the one linear form that every variant of naive Bayes is.
//!
//! ```text
//! score_c(d) = bias_c + sum over known terms t of v_t * (base_c + delta_tc)
//! ```
//!
//! `v_t` is how often the term occurs, or 1 however often. With few classes the deltas lie dense, one short row of
//! numbers a term; with many only those that differ from `absent` are kept, so that a term costs what its non-zero
//! counts cost. Sums carry their rounding error along (Knuth's two-sum), so that a document of a million tokens is
//! scored as exactly as one of ten, and dense and sparse agree to the last bit or two.

use crate::analyze::{Analyzer, Scratch};
use crate::counts::Counts;
use crate::error::{Error, Result};
use crate::exact::Exact;
use crate::parallel::{self, Pulse};
use crate::vocabulary::{UNKNOWN, Vocabulary};
use crate::weights::{ClassWeight, Deltas, Dense, Sparse, Value, Weights};

/// One thread's memory for scoring.
#[derive(Default)]
struct Scorer {
    scratch: Scratch,
    sums: Vec<f64>,
    errors: Vec<f64>,
    /// In how many known terms a class had a part (only where nothing is smoothed).
    hits: Vec<f64>,
    /// The last document each term was seen in (only for presence).
    seen: Vec<u32>,
    serial: u32,
}

impl Scorer {
    /// The scores of one text, or false if told to stop.
    fn score(&mut self, to: &Task<'_>, text: &[u8], scores: &mut [f64], pulse: &Pulse<'_>) -> bool {
        match &to.weights.deltas {
            Deltas::Dense(dense) => self.score_dense(to, dense, text, scores, pulse),
            Deltas::Sparse(sparse) => self.score_sparse(to, sparse, text, scores, pulse),
        }
    }

    fn score_dense(
        &mut self,
        to: &Task<'_>,
        dense: &Dense,
        text: &[u8],
        scores: &mut [f64],
        pulse: &Pulse<'_>,
    ) -> bool {
        self.sums.clear();
        self.sums.resize(dense.stride, 0.0);
        self.errors.clear();
        self.errors.resize(dense.stride, 0.0);
        self.next_serial();
        let Self { scratch, sums, errors, seen, serial, .. } = self;
        let mut vocabulary = to.vocabulary;
        let done = to.analyzer.terms(text, &mut vocabulary, scratch, |ids, _| {
            if to.weights.value == Value::Presence {
                add_rows(dense, first_seen(ids, seen, *serial), sums, errors);
            } else {
                add_rows(dense, ids.iter().copied(), sums, errors);
            }
            pulse.beat()
        });
        for (score, &class) in scores.iter_mut().zip(to.columns) {
            *score = match to.weights.classes.get(class as usize) {
                Some(weight) => {
                    let class = class as usize + 1;
                    finish(weight, sums[0], Exact { sum: sums[class], error: errors[class] })
                }
                None => f64::NEG_INFINITY,
            };
        }
        done
    }

    fn score_sparse(
        &mut self,
        to: &Task<'_>,
        sparse: &Sparse,
        text: &[u8],
        scores: &mut [f64],
        pulse: &Pulse<'_>,
    ) -> bool {
        for memory in [&mut self.sums, &mut self.errors, &mut self.hits] {
            memory.clear();
            memory.resize(to.weights.classes.len(), 0.0);
        }
        self.next_serial();
        let Self { scratch, sums, errors, hits, seen, serial } = self;
        let mut vocabulary = to.vocabulary;
        let mut known = 0.0;
        let done = to.analyzer.terms(text, &mut vocabulary, scratch, |ids, _| {
            let mut each = |id: u32| {
                let (start, length) = sparse.rows.get(id as usize).copied().unwrap_or_default();
                known += f64::from(u8::from(length > 0));
                for at in start as usize..(start + length) as usize {
                    let class = sparse.classes[at] as usize;
                    let mut exact = Exact { sum: sums[class], error: errors[class] };
                    exact.add(sparse.deltas[at]);
                    (sums[class], errors[class]) = (exact.sum, exact.error);
                    hits[class] += 1.0;
                }
            };
            if to.weights.value == Value::Presence {
                first_seen(ids, seen, *serial).for_each(&mut each);
            } else {
                ids.iter().copied().filter(|&id| id != UNKNOWN).for_each(&mut each);
            }
            pulse.beat()
        });
        for (score, &class) in scores.iter_mut().zip(to.columns) {
            let class = class as usize;
            let Some(weight) = to.weights.classes.get(class) else {
                *score = f64::NEG_INFINITY;
                continue;
            };
            let mut sum = Exact { sum: sums[class], error: errors[class] };
            if to.weights.absent != 0.0 && hits[class] < known {
                sum.add(to.weights.absent);
            }
            *score = finish(weight, known, sum);
        }
        done
    }

    fn next_serial(&mut self) {
        self.serial = self.serial.wrapping_add(1);
        if self.serial == 0 {
            self.seen.fill(0);
            self.serial = 1;
        }
    }
}

#[inline]
fn finish(weight: &ClassWeight, known: f64, mut sum: Exact) -> f64 {
    sum.add_times(known, weight.base);
    sum.add(weight.bias);
    sum.total()
}

/// The terms among `ids` that this document has not shown before.
fn first_seen<'a>(ids: &'a [u32], seen: &'a mut Vec<u32>, serial: u32) -> impl Iterator<Item = u32> + 'a {
    ids.iter().copied().filter(move |&id| {
        if id == UNKNOWN {
            return false;
        }
        if seen.len() <= id as usize {
            seen.resize((id as usize + 1).next_power_of_two(), 0);
        }
        std::mem::replace(&mut seen[id as usize], serial) != serial
    })
}

#[inline]
fn add_rows(dense: &Dense, ids: impl Iterator<Item = u32>, sums: &mut [f64], errors: &mut [f64]) {
    if let (4, Some(sums), Some(errors)) = (dense.stride, sums.first_chunk_mut(), errors.first_chunk_mut()) {
        return add_rows_of::<4>(dense, ids, sums, errors);
    }
    for id in ids {
        let start = id as usize * dense.stride;
        let Some(row) = dense.table.get(start..start + dense.stride) else {
            continue;
        };
        for ((sum, error), &delta) in sums.iter_mut().zip(errors.iter_mut()).zip(row) {
            let mut exact = Exact { sum: *sum, error: *error };
            exact.add(delta);
            (*sum, *error) = (exact.sum, exact.error);
        }
    }
}

/// As [`add_rows`] for rows of a known size, whose sums then stay in registers.
#[inline]
fn add_rows_of<const N: usize>(
    dense: &Dense,
    ids: impl Iterator<Item = u32>,
    sums: &mut [f64; N],
    errors: &mut [f64; N],
) {
    let (mut s, mut e) = (*sums, *errors);
    let rows = dense.table.as_chunks::<N>().0;
    for id in ids {
        let Some(row) = rows.get(id as usize) else { continue };
        for i in 0..N {
            let mut exact = Exact { sum: s[i], error: e[i] };
            exact.add(row[i]);
            (s[i], e[i]) = (exact.sum, exact.error);
        }
    }
    (*sums, *errors) = (s, e);
}

/// What all threads of a call share.
struct Task<'a> {
    analyzer: &'a Analyzer,
    vocabulary: &'a Vocabulary,
    weights: &'a Weights,
    columns: &'a [u32],
}

/// Scores texts for the classes `columns` into `scores`, a row of as many numbers each; a class that the weights do
/// not know is impossible.
pub fn score(
    analyzer: &Analyzer,
    counts: &Counts,
    weights: &Weights,
    columns: &[u32],
    texts: &[&[u8]],
    scores: &mut [f64],
    threads: usize,
    stop: &dyn Fn() -> bool,
) -> Result<()> {
    if let Some((row, long)) = texts.iter().enumerate().find(|(_, text)| text.len() > analyzer.longest_text()) {
        return Err(Error::TextTooLong { row, bytes: long.len() });
    }
    let task = Task { analyzer, vocabulary: counts.vocabulary(), weights, columns };
    let width = columns.len();
    if width == 0 {
        return Ok(());
    }
    let bytes = texts.iter().map(|text| text.len()).sum();
    let mut scorers: Vec<Scorer> = Vec::new();
    scorers.resize_with(parallel::threads_for(bytes, threads), Scorer::default);
    let mut rest = scores;
    let blocks = parallel::blocks(texts.iter().map(|text| text.len())).into_iter().map(move |block| {
        let (rows, after) = std::mem::take(&mut rest).split_at_mut(block.len() * width);
        rest = after;
        (block, rows)
    });
    let done = parallel::share(&mut scorers, blocks, stop, |scorer, (block, rows), pulse| {
        texts[block].iter().zip(rows.chunks_mut(width)).all(|(text, row)| scorer.score(&task, text, row, pulse))
    });
    if done { Ok(()) } else { Err(Error::Interrupted) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::amount::Amount;
    use crate::analyze::Unit;
    use crate::count::{Counting, Document};

    fn counts(analyzer: &Analyzer, classes: u32) -> Counts {
        let texts: Vec<String> = (0..classes * 3).map(|i| format!("w{} w{} all all", i % 7, i)).collect();
        let documents: Vec<Document<'_>> = texts
            .iter()
            .enumerate()
            .map(|(i, text)| Document { text: text.as_bytes(), class: i as u32 % classes, weight: Amount::ONE })
            .collect();
        let mut counting = Counting::new(analyzer, 1);
        counting.add(&documents, &|| false).expect("nothing stops it");
        counting.finish(&|| false).expect("small")
    }

    fn weights(counts: &Counts, value: Value, absent: f64, dense: bool) -> Weights {
        let classes = vec![ClassWeight { bias: -1.5, base: -2.25 }; counts.totals().len()];
        let mut weights = Weights::new(value, absent, classes.len(), 0, 0);
        weights.set_classes(classes);
        if !dense {
            weights.deltas = Deltas::Sparse(Sparse::default());
        }
        let ids: Vec<u32> = counts.ids().collect();
        let deltas: Vec<f64> = ids
            .iter()
            .flat_map(|&id| counts.row(id).map(|cell| cell.count.to_f64() * 0.1 + f64::from(cell.class)))
            .collect();
        weights.set_rows(counts, &ids, &deltas);
        weights
    }

    fn scores(
        analyzer: &Analyzer,
        counts: &Counts,
        weights: &Weights,
        texts: &[&str],
        threads: usize,
    ) -> Vec<f64> {
        let texts: Vec<&[u8]> = texts.iter().map(|text| text.as_bytes()).collect();
        let columns: Vec<u32> = (0..counts.totals().len() as u32).rev().collect();
        let mut scores = vec![f64::NAN; texts.len() * columns.len()];
        score(analyzer, counts, weights, &columns, &texts, &mut scores, threads, &|| false)
            .expect("nothing stops it");
        scores
    }

    const TEXTS: [&str; 4] = ["all w1 w2 unseen", "", "unseen", "w0 w0 w0 w3 all"];

    #[test]
    fn dense_and_sparse_agree() {
        let analyzer = Analyzer::plain(Unit::Word, 1, 1, true);
        for classes in [1, 2, 3, 5, 40] {
            let counts = counts(&analyzer, classes);
            for value in [Value::Count, Value::Presence] {
                for absent in [0.0, f64::NEG_INFINITY] {
                    let dense = scores(&analyzer, &counts, &weights(&counts, value, absent, true), &TEXTS, 1);
                    let sparse = scores(&analyzer, &counts, &weights(&counts, value, absent, false), &TEXTS, 1);
                    assert_eq!(dense, sparse, "{classes} classes, {value:?}, {absent}");
                    assert!(!dense.iter().any(|score| score.is_nan()));
                }
            }
        }
    }

    #[test]
    fn a_batch_scores_as_its_texts_do() {
        let analyzer = Analyzer::plain(Unit::Word, 1, 1, true);
        let counts = counts(&analyzer, 3);
        let weights = weights(&counts, Value::Count, 0.0, true);
        let long = "all w1 w2 w3 unseen ".repeat(40_000);
        let texts: Vec<&str> = TEXTS.iter().copied().chain([long.as_str(); 3]).collect();
        let one_by_one: Vec<f64> =
            texts.iter().flat_map(|text| scores(&analyzer, &counts, &weights, &[text], 1)).collect();
        assert_eq!(scores(&analyzer, &counts, &weights, &texts, 1), one_by_one);
        assert_eq!(scores(&analyzer, &counts, &weights, &texts, 4), one_by_one);
    }

    #[test]
    fn an_empty_or_unknown_text_scores_its_bias() {
        let analyzer = Analyzer::plain(Unit::Word, 1, 1, true);
        let counts = counts(&analyzer, 2);
        let weights = weights(&counts, Value::Count, 0.0, true);
        assert_eq!(scores(&analyzer, &counts, &weights, &["", "unseen"], 1), [-1.5; 4]);
    }
}
