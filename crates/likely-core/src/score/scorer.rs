//! One text goes in, its scores come out: one thread's part of the work.

use crate::analyze::analyzer::{Analyzer, Scratch};
use crate::analyze::frequencies::Frequencies;
use crate::analyze::terms::grams_by_word::Part;
use crate::compensated_sum::CompensatedSum;
use crate::count::term_value::Value;
use crate::parallel::Pulse;
use crate::score::compact_rows::CompactRows;
use crate::score::deltas::Deltas;
use crate::score::rough_sums::RoughSums;
use crate::score::sums::Sums;
use crate::score::weights::Weights;
use crate::score::word_rows::WordRows;
use crate::score::word_sums::{RowsOfTerms, SumsOfWords, WordSums};
use crate::spell::reading::Spelled;
use crate::vocabulary::packed_phrases::WithLongest;
use crate::vocabulary::term_ids::Vocabulary;

/// A number in place of a class among the columns: it asks for the length of the document, which is the sum of the
/// scaled values of its known terms.
pub const LENGTH: u32 = u32::MAX;

/// A number in place of a class among the columns: it asks for the share of the terms of the document, each as often
/// as it occurs, that the weights know; 0 for a document without terms.
pub const KNOWN: u32 = u32::MAX - 1;

/// A number in place of a class among the columns: it asks for the number of terms of the document, known or not.
pub const TERMS: u32 = u32::MAX - 2;

/// A number in place of a class among the columns: it allows rough scores, and asks by how much any of the scores may
/// differ from the exact one; 0 if they are exact.
pub const DOUBT: u32 = u32::MAX - 3;

/// One thread's memory for scoring.
#[derive(Default)]
pub(super) struct Scorer {
    memory: TermMemory,
    /// What is remembered of words (used only if it does not matter which terms a document has in all).
    pub(super) words: WordSums,
    /// The same for rough scores.
    pub(super) rough: RoughSums,
}

#[derive(Default)]
struct TermMemory {
    scratch: Scratch,
    sums: Sums,
    /// The frequencies of the terms (used only if they must be known before the terms are added up).
    frequencies: Frequencies,
    /// How many terms the document has, and how many of them the weights know (used only if that is asked for).
    share: Share,
}

#[derive(Clone, Copy, Default)]
struct Share {
    terms: u64,
    known: u64,
}

impl Share {
    #[inline]
    fn add(&mut self, to: &Call<'_>, ids: &[u32]) {
        if !to.shares {
            return;
        }
        self.terms += ids.len() as u64;
        self.known += ids.iter().filter(|&&id| to.deltas.scale(id) > 0.0).count() as u64;
    }

    fn add_some(&mut self, terms: u64, known: u64) {
        self.terms += terms;
        self.known += known;
    }

    fn of_known(self) -> f64 {
        if self.terms == 0 { 0.0 } else { self.known as f64 / self.terms as f64 }
    }
}

impl Scorer {
    /// Writes the scores of one text; returns false if it was stopped.
    pub(super) fn score(&mut self, to: &Call<'_>, text: &[u8], scores: &mut [f64], pulse: &Pulse<'_>) -> bool {
        let Self { memory, words, rough } = self;
        memory.sums.begin(to.deltas, to.weights.classes.len());
        memory.share = Share::default();
        let done = match to.way {
            Way::Rough => memory.add_words(rough, to.rough, to, text, pulse),
            Way::Words => memory.add_words(words, to.words, to, text, pulse),
            Way::Terms => memory.add_terms(to, text, pulse),
            Way::Frequencies => memory.add_frequencies(to, text, pulse),
        };
        for (score, &class) in scores.iter_mut().zip(to.columns) {
            *score = match class {
                LENGTH => memory.sums.length(to.deltas),
                KNOWN => memory.share.of_known(),
                TERMS => memory.share.terms as f64,
                DOUBT if to.way == Way::Rough => rough.doubt() * to.weights.largest_factor(),
                DOUBT => 0.0,
                class => memory.sums.score(to.weights, class as usize),
            };
        }
        done
    }
}

impl TermMemory {
    /// Adds up the terms as they come, and those within words word by word.
    fn add_words<W: SumsOfWords>(
        &mut self,
        words: &mut W,
        shared: &WordRows<W::Number>,
        to: &Call<'_>,
        text: &[u8],
        pulse: &Pulse<'_>,
    ) -> bool {
        let Self { scratch, sums, share, .. } = self;
        let deltas = to.deltas;
        let rows = RowsOfTerms { deltas, compact: to.compact };
        let mut numbering = words.begin(sums.width(), shared, to.memory);
        let numbers = numbering.numbers(to.compact.map(CompactRows::rows));
        let done = to.analyzer.terms_by_word(text, &mut { to.vocabulary }, scratch, numbers, |part| {
            match part {
                Part::NewWords(grams, tokens) => words.learn(&rows, grams, tokens),
                Part::Words(ids) => words.add(shared, ids),
                Part::Terms(ids) => {
                    sums.add(deltas, ids, |_| 1.0);
                    share.add(to, ids);
                }
                Part::Rows(ids) => share.add_some(ids.len() as u64, rows.add_exactly(ids, sums)),
            }
            pulse.beat()
        });
        let [terms, known] = words.finish(numbering, sums);
        share.add_some(terms, known);
        done
    }

    /// Adds up the terms as they come.
    fn add_terms(&mut self, to: &Call<'_>, text: &[u8], pulse: &Pulse<'_>) -> bool {
        let Self { scratch, sums, share, .. } = self;
        let deltas = to.deltas;
        let counts_known = deltas.counts_known();
        let done = to.terms(text, scratch, |ids, _| {
            sums.add(deltas, ids, |_| 1.0);
            if counts_known {
                share.terms += ids.len() as u64;
            } else {
                // Their rows have just been read.
                share.add(to, ids);
            }
            pulse.beat()
        });
        if counts_known {
            share.known = sums.length(deltas) as u64;
        }
        done
    }

    /// Counts the terms first, and then adds up their values.
    fn add_frequencies(&mut self, to: &Call<'_>, text: &[u8], pulse: &Pulse<'_>) -> bool {
        let Self { scratch, sums, frequencies, share, .. } = self;
        frequencies.begin();
        let done = to.terms(text, scratch, |ids, _| {
            share.add(to, ids);
            frequencies.add(ids);
            pulse.beat()
        });
        let (value, deltas) = (to.weights.value, to.deltas);
        let (terms, of) = (frequencies.terms(), frequencies.of());
        if !to.weights.normalized {
            match value {
                Value::Presence => sums.add(deltas, terms, |_| 1.0),
                _ => sums.add(deltas, terms, |at| value.of(of[at])),
            }
            return done;
        }
        let mut squares = CompensatedSum::default();
        for (at, &id) in terms.iter().enumerate() {
            deltas.prefetch_ahead(terms, at);
            squares.add((value.of(of[at]) * deltas.scale(id)).powi(2));
        }
        let length = squares.total().sqrt();
        if length > 0.0 {
            sums.add(deltas, terms, |at| value.of(of[at]) / length);
        }
        done
    }
}

/// The ways through the scorer; see the picture in [`crate::score`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    Rough,
    Words,
    Terms,
    Frequencies,
}

/// What all threads of a call share.
pub(super) struct Call<'a> {
    pub(super) analyzer: &'a Analyzer,
    pub(super) vocabulary: &'a Vocabulary,
    pub(super) weights: &'a Weights,
    /// The vocabulary with a table of its longest n-grams, if there is one.
    pub(super) lexicon: Option<WithLongest<'a>>,
    /// What the terms of the lexicon, or else of the vocabulary, add to scores.
    pub(super) deltas: &'a Deltas,
    pub(super) columns: &'a [u32],
    /// Whether one of the columns is [`KNOWN`] or [`TERMS`].
    pub(super) shares: bool,
    pub(super) way: Way,
    /// The deltas in a form that is faster to reach, if words are added up.
    pub(super) compact: Option<&'a CompactRows>,
    /// The words that the session remembers, and the memory that it may use for them, in bytes.
    pub(super) words: &'a WordRows<f64>,
    pub(super) rough: &'a WordRows<i16>,
    pub(super) memory: usize,
}

impl Call<'_> {
    fn terms(&self, text: &[u8], scratch: &mut Scratch, sink: impl FnMut(&[u32], &Vocabulary) -> bool) -> bool {
        match &self.weights.reading {
            Some(reading) => {
                let mut spelled = Spelled { vocabulary: self.vocabulary, reading };
                self.analyzer.terms(text, &mut spelled, scratch, sink)
            }
            None => match self.lexicon {
                Some(mut lexicon) => self.analyzer.terms(text, &mut lexicon, scratch, sink),
                None => self.analyzer.terms(text, &mut { self.vocabulary }, scratch, sink),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::settings::Unit;
    use crate::count::counts::Counts;
    use crate::score::deltas::Dense;
    use crate::score::fixtures::{self, CLASS, counted, weigh};
    use crate::score::session::Session;
    use crate::score::sparse_rows::Sparse;
    use std::sync::Arc;

    fn session(weights: &Weights) -> Session {
        Session::new(Arc::new(weights.clone()), 16 << 20)
    }

    fn counts(analyzer: &Analyzer, classes: u32) -> Counts {
        let texts: Vec<String> = (0..classes * 3).map(|i| format!("w{} w{} all all", i % 7, i)).collect();
        counted(analyzer, &texts, |i| i as u32 % classes)
    }

    fn weights(counts: &Counts, value: Value, absent: f64, dense: bool) -> Weights {
        weights_with(counts, value, absent, dense, vec![])
    }

    fn weights_with(counts: &Counts, value: Value, absent: f64, dense: bool, rests: Vec<f64>) -> Weights {
        let classes = counts.totals().len();
        let mut weights = Weights::new(value, false, absent, classes, usize::MAX >> 8);
        weights.deltas = if dense {
            Deltas::Dense(Dense { stride: (classes + 1).next_multiple_of(4), ..Dense::default() })
        } else {
            Deltas::Sparse(Sparse::new(if absent == 0.0 { classes } else { 0 }))
        };
        weigh(&mut weights, counts, &[], &rests, |cell| cell.count.to_f64() * 0.1 + f64::from(cell.class));
        weights
    }

    fn scores(
        analyzer: &Analyzer,
        counts: &Counts,
        weights: &Weights,
        texts: &[&str],
        threads: usize,
    ) -> Vec<f64> {
        let columns: Vec<u32> = (0..counts.totals().len() as u32).rev().collect();
        fixtures::scores(&mut session(weights), analyzer, counts, &columns, texts, threads)
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
    fn dense_and_sparse_agree_on_what_terms_count_elsewhere() {
        let analyzer = Analyzer::plain(Unit::Word, 1, 1, true);
        let counts = counts(&analyzer, 40);
        let rests: Vec<f64> = counts.ids().map(|id| -0.5 - f64::from(id) / 8.0).collect();
        let [dense, sparse] = [true, false].map(|dense| {
            let weights = weights_with(&counts, Value::Count, 0.0, dense, rests.clone());
            scores(&analyzer, &counts, &weights, &TEXTS, 1)
        });
        assert!(dense.iter().zip(&sparse).all(|(a, b)| (a - b).abs() < 1e-12));
        assert_ne!(dense, scores(&analyzer, &counts, &weights(&counts, Value::Count, 0.0, true), &TEXTS, 1));
    }

    #[test]
    fn words_that_were_met_before_do_not_change_scores() {
        let analyzer = Analyzer::plain(Unit::CharWb, 2, 4, true);
        let long = "w1".repeat(40);
        let texts = ["all w1 w2 unseen", "", &long, "w2 all all", "w1 unseen, w2 all"];
        for (classes, dense) in [(3, true), (40, false)] {
            let counts = counts(&analyzer, classes);
            let weights = weights(&counts, Value::Count, 0.0, dense);
            let apart: Vec<f64> =
                texts.iter().flat_map(|text| scores(&analyzer, &counts, &weights, &[text], 1)).collect();
            let mut session = session(&weights);
            let columns: Vec<u32> = (0..classes).rev().collect();
            for _ in 0..2 {
                assert_eq!(fixtures::scores(&mut session, &analyzer, &counts, &columns, &texts, 1), apart);
            }
        }
    }

    #[test]
    fn a_vocabulary_of_their_own_does_not_change_scores() {
        let analyzer = Analyzer::plain(Unit::Word, 1, 3, true);
        let texts = ["all w1 w2 unseen", "w0 w0 all all", "w3 w3 all all w5 w5 all all"];
        for (classes, dense) in [(3, true), (40, false)] {
            let counts = counts(&analyzer, classes);
            let few: Vec<u32> = counts.ids().filter(|id| id % 3 != 1).collect();
            let deltas: Vec<f64> =
                few.iter().flat_map(|&id| counts.row(id).map(move |cell| f64::from(id + cell.class))).collect();
            let [with, without] = [true, false].map(|own| {
                let mut weights = weights(&Counts::default(), Value::Presence, 0.0, dense);
                weights.set_classes(vec![CLASS; classes as usize]);
                if own {
                    weights.keep_own_terms();
                }
                weights.set_rows(&counts, &few, &[], &[], &deltas);
                scores(&analyzer, &counts, &weights, &texts, 1)
            });
            assert_eq!(with, without);
            assert!(with.iter().any(|&score| score != with[0]));
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
    fn the_share_of_known_terms_is_of_all_terms() {
        let texts = ["all w1 w2 unseen", "", "unseen", "w0 w0 w0 nobody"];
        let expected = [(1, [0.75, 0.0, 0.0, 0.75]), (2, [3.0 / 7.0, 0.0, 0.0, 5.0 / 7.0])];
        for (longest, expected) in expected {
            let analyzer = Analyzer::plain(Unit::Word, 1, longest, true);
            let counts = counts(&analyzer, 3);
            for (value, dense) in [(Value::Count, true), (Value::Presence, false), (Value::Damped, true)] {
                let weights = weights(&counts, value, 0.0, dense);
                for columns in [&[KNOWN][..], &[0, KNOWN]] {
                    let scores = fixtures::scores(&mut session(&weights), &analyzer, &counts, columns, &texts, 2);
                    let shares: Vec<f64> =
                        scores.chunks(columns.len()).map(|row| row[columns.len() - 1]).collect();
                    assert_eq!(shares, expected, "{longest} words, {value:?}");
                }
            }
        }
    }

    #[test]
    fn all_terms_of_a_text_are_counted() {
        let analyzer = Analyzer::plain(Unit::Word, 1, 1, true);
        let counts = counts(&analyzer, 3);
        let weights = weights(&counts, Value::Count, 0.0, true);
        let (session, texts) = (&mut session(&weights), ["all w1 w1 unseen", ""]);
        let numbers = fixtures::scores(session, &analyzer, &counts, &[TERMS, LENGTH], &texts, 1);
        assert_eq!(numbers, [4.0, 3.0, 0.0, 0.0]);
    }

    #[test]
    fn an_empty_or_unknown_text_scores_its_bias() {
        let analyzer = Analyzer::plain(Unit::Word, 1, 1, true);
        let counts = counts(&analyzer, 2);
        let weights = weights(&counts, Value::Count, 0.0, true);
        assert_eq!(scores(&analyzer, &counts, &weights, &["", "unseen"], 1), [-1.5; 4]);
    }
}
