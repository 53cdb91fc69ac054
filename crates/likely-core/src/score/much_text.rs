//! What makes scoring faster, but takes a tenth of a second, so that it is done only for weights that score much text.

use crate::analyze::analyzer::Analyzer;
use crate::count::counts::Counts;
use crate::score::compact_rows::CompactRows;
use crate::score::deltas::Deltas;
use crate::score::near_terms::NearTerms;
use crate::score::weights::Weights;
use crate::vocabulary::longest_phrases::WithLongest;
use crate::vocabulary::packed_phrases::PackedPhrases;
use crate::vocabulary::term_ids::Vocabulary;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// This many bytes of text are much.
const MUCH_TEXT: usize = 16 << 20;
/// This many are, if scores may be rough: whoever allows that has large files.
const MUCH_ROUGH_TEXT: usize = 4 << 20;

/// What was scored with some weights. A copy of them starts anew.
#[derive(Default)]
pub(super) struct Scored {
    bytes: AtomicUsize,
    prepared: OnceLock<Prepared>,
    compact: OnceLock<Option<CompactRows>>,
    /// Whether a thread makes, or has made, the compact rows.
    making: AtomicBool,
}

impl Clone for Scored {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// Tables that are made of those of a vocabulary and of weights.
struct Prepared {
    /// The number of terms that the vocabulary had.
    terms: usize,
    longest: usize,
    tables: Tables,
}

enum Tables {
    /// All tables.
    Near(Box<NearTerms>),
    /// Only the longest n-grams, with their ids.
    Longest(PackedPhrases),
}

/// Terms, and what they add to scores, as they are read while scoring.
pub(super) struct Ready<'a> {
    pub(super) lexicon: WithLongest<'a>,
    pub(super) deltas: &'a Deltas,
}

impl Weights {
    /// Must be called before some bytes of text are scored. If the n-grams of words have a longest length, and
    /// [`Weights::ready`] will be asked for them, it is `longest`.
    pub(super) fn prepare_for(&self, bytes: usize, counts: &Counts, longest: Option<usize>) {
        let before = self.scored.bytes.fetch_add(bytes, Ordering::Relaxed);
        if before >= MUCH_TEXT || before + bytes < MUCH_TEXT {
            return;
        }
        let vocabulary = self.vocabulary(counts);
        let tables = longest.and_then(|longest| Some((longest, self.tables(vocabulary, longest)?)));
        if !matches!(tables, Some((_, Tables::Near(_)))) {
            vocabulary.gather();
            self.deltas.gather();
        }
        if let Some((longest, tables)) = tables {
            let _ = self.scored.prepared.set(Prepared { terms: vocabulary.len(), longest, tables });
        }
    }

    fn tables(&self, vocabulary: &Vocabulary, longest: usize) -> Option<Tables> {
        // If the frequency of a term matters, its id does, too.
        if let Deltas::Dense(dense) = &self.deltas
            && self.is_linear()
            && let Some(near) = NearTerms::new(vocabulary, longest, dense)
        {
            return Some(Tables::Near(Box::new(near)));
        }
        let phrases = vocabulary.longest_phrases(longest).map(|(id, parts)| (parts, id));
        PackedPhrases::new(vocabulary.len(), phrases).map(Tables::Longest)
    }

    /// The terms of the vocabulary in faster tables, if there are any for it and for n-grams of this length.
    pub(super) fn ready<'a>(&'a self, vocabulary: &'a Vocabulary, longest: Option<usize>) -> Option<Ready<'a>> {
        let prepared = self.scored.prepared.get()?;
        if prepared.terms != vocabulary.len() || Some(prepared.longest) != longest {
            return None;
        }
        Some(match &prepared.tables {
            Tables::Longest(phrases) => {
                Ready { lexicon: WithLongest { vocabulary, phrases }, deltas: &self.deltas }
            }
            Tables::Near(near) => {
                let NearTerms { vocabulary, deltas, phrases } = &**near;
                Ready { lexicon: WithLongest { vocabulary, phrases }, deltas }
            }
        })
    }

    /// The rows in compact form, after much text, if there is one. Rough scores need it, so that it is made earlier.
    pub(super) fn compact_rows(
        &self,
        vocabulary: &Vocabulary,
        analyzer: &Analyzer,
        for_rough: bool,
    ) -> Option<&CompactRows> {
        let Deltas::Sparse(sparse) = &self.deltas else { return None };
        let much = if for_rough { MUCH_ROUGH_TEXT } else { MUCH_TEXT };
        if self.scored.bytes.load(Ordering::Relaxed) < much {
            return None;
        }
        // One thread makes the rows, and nobody waits for it: after a fork, it may not exist in this process.
        if !self.scored.making.swap(true, Ordering::Relaxed) {
            let _ = self.scored.compact.set(CompactRows::new(sparse, vocabulary, analyzer));
        }
        self.scored.compact.get()?.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::settings::Unit;
    use crate::count::counting::{Counting, Document};
    use crate::count::fixed_point::Amount;
    use crate::count::term_value::Value;
    use crate::score::scorer::{KNOWN, LENGTH, TERMS, score};
    use crate::score::weights::ClassWeight;

    const CLASSES: u32 = 3;

    /// Texts of few different words, so that some of their n-grams are known and most counts are equal.
    fn texts(size: usize) -> Vec<String> {
        let word = |at: usize| format!("w{}", at * at % 23 % 9);
        (0..size).map(|text| (0..=text % 17).map(|at| word(at * 7 + text) + " ").collect()).collect()
    }

    fn counts(analyzer: &Analyzer) -> Counts {
        let texts = texts(40);
        let documents: Vec<Document<'_>> = texts
            .iter()
            .enumerate()
            .map(|(at, text)| Document { text: text.as_bytes(), class: at as u32 % CLASSES, weight: Amount::ONE })
            .collect();
        let mut counting = Counting::new(analyzer, 1);
        counting.add(&documents, &|| false).expect("nothing stops it");
        counting.finish(&|| false).expect("small")
    }

    fn set_rows(weights: &mut Weights, counts: &Counts, factor: f64) {
        let ids: Vec<u32> = counts.ids().collect();
        let deltas: Vec<f64> =
            ids.iter().flat_map(|&id| counts.row(id).map(|cell| factor * cell.count.to_f64().ln_1p())).collect();
        // Terms that are not known have a scale of 0.
        let scales: Vec<f64> = ids.iter().map(|id| f64::from(u8::from(id % 5 != 4))).collect();
        weights.set_rows(counts, &ids, &scales, &[], &deltas);
    }

    fn scores(analyzer: &Analyzer, counts: &Counts, weights: &Weights, threads: usize) -> Vec<u64> {
        let texts = texts(300);
        let texts: Vec<&[u8]> = texts.iter().map(|text| text.as_bytes()).collect();
        let columns: Vec<u32> = (0..CLASSES).chain([LENGTH, KNOWN, TERMS]).collect();
        let mut scores = vec![f64::NAN; texts.len() * columns.len()];
        score(analyzer, counts, weights, &columns, &texts, &mut scores, threads, &|| false)
            .expect("nothing stops it");
        scores.into_iter().map(f64::to_bits).collect()
    }

    #[test]
    fn scores_have_the_same_bits_before_and_after_much_text() {
        for (shortest, longest) in [(1, 2), (2, 2), (1, 3), (3, 4)] {
            let analyzer = Analyzer::plain(Unit::Word, shortest, longest, true);
            let counts = counts(&analyzer);
            for (value, normalized) in [(Value::Count, false), (Value::Presence, false), (Value::Count, true)] {
                for (absent, many) in [(0.0, 0), (f64::NEG_INFINITY, 0), (0.0, 40)] {
                    let classes = CLASSES as usize + many;
                    let mut weights = Weights::new(value, normalized, absent, classes, usize::MAX >> 8);
                    weights.set_classes(vec![ClassWeight { bias: -1.5, base: -2.25, factor: 1.0 }; classes]);
                    set_rows(&mut weights, &counts, 1.0);
                    let before = scores(&analyzer, &counts, &weights, 1);
                    assert!(weights.ready(weights.vocabulary(&counts), analyzer.longest_phrase()).is_none());
                    weights.prepare_for(MUCH_TEXT, &counts, analyzer.longest_phrase());
                    assert!(weights.ready(weights.vocabulary(&counts), analyzer.longest_phrase()).is_some());
                    assert_eq!(scores(&analyzer, &counts, &weights, 1), before, "{longest} {value:?} {absent}");
                    assert_eq!(scores(&analyzer, &counts, &weights, 3), before);
                }
            }
        }
    }

    #[test]
    fn changed_weights_and_copies_start_anew() {
        let analyzer = Analyzer::plain(Unit::Word, 1, 2, true);
        let counts = counts(&analyzer);
        let mut weights = Weights::new(Value::Count, false, 0.0, CLASSES as usize, 1000);
        set_rows(&mut weights, &counts, 1.0);
        weights.prepare_for(MUCH_TEXT, &counts, analyzer.longest_phrase());
        let is_prepared =
            |weights: &Weights| weights.ready(counts.vocabulary(), analyzer.longest_phrase()).is_some();
        assert!(is_prepared(&weights) && !is_prepared(&weights.clone()));
        let first = scores(&analyzer, &counts, &weights, 1);
        set_rows(&mut weights, &counts, 2.0);
        assert!(!is_prepared(&weights));
        assert_ne!(scores(&analyzer, &counts, &weights, 1), first);
    }

    #[test]
    fn analyzers_without_phrases_need_no_table_of_them() {
        let analyzer = Analyzer::plain(Unit::Word, 1, 1, true);
        let counts = counts(&analyzer);
        let mut weights = Weights::new(Value::Count, false, 0.0, CLASSES as usize, 1000);
        set_rows(&mut weights, &counts, 1.0);
        weights.prepare_for(MUCH_TEXT, &counts, analyzer.longest_phrase());
        assert!(weights.ready(counts.vocabulary(), analyzer.longest_phrase()).is_none());
    }
}
