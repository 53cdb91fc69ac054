//! Weights, and what was made of them to score much text: faster tables, which take a tenth of a second.
//!
//! **Invariant.** The tables give every term the numbers that the weights and the vocabulary give it, bit by bit. The
//! tests score the same texts with and without them.

use crate::analyze::analyzer::Analyzer;
use crate::analyze::characters::char_units::Bounds;
use crate::count::counts::Counts;
use crate::score::compact_rows::CompactRows;
use crate::score::deltas::Deltas;
use crate::score::near_terms::NearTerms;
use crate::score::weights::Weights;
use crate::vocabulary::packed_phrases::{PackedPhrases, WithLongest};
use crate::vocabulary::term_ids::Vocabulary;
use std::sync::Arc;

/// How much text will be scored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// So little that no table is worth the time.
    Once,
    /// At least some megabytes.
    Much,
}

/// Weights as they score. They never change.
pub struct Compiled {
    pub(super) weights: Arc<Weights>,
    tables: Tables,
}

enum Tables {
    /// None are needed, or none are possible.
    None,
    /// All terms, and what they add.
    Near(Box<NearTerms>),
    /// The longest n-grams of a vocabulary with this number of terms, with their ids.
    Longest(usize, PackedPhrases),
    /// The rows of n-grams of characters.
    Compact(Box<CompactRows>),
}

impl Weights {
    /// The weights as they score texts with this analyzer, whose terms are in the vocabulary of these counts.
    pub fn compile(self: Arc<Self>, analyzer: &Analyzer, counts: &Counts, effort: Effort) -> Compiled {
        match effort {
            Effort::Once => Compiled::once(self),
            Effort::Much => Compiled { tables: self.tables(analyzer, self.vocabulary(counts)), weights: self },
        }
    }

    /// Whether the n-grams of characters are added up word by word: no class that lacks a term is impossible, and words
    /// are read as they are.
    pub(super) fn adds_by_word(&self, analyzer: &Analyzer) -> bool {
        let is_additive = self.is_linear() && self.absent == 0.0 && self.reading.is_none();
        is_additive && matches!(analyzer.characters(), Some((Bounds::Words, _)))
    }

    fn tables(&self, analyzer: &Analyzer, vocabulary: &Vocabulary) -> Tables {
        if self.reading.is_some() {
            return Tables::None;
        }
        if !self.adds_by_word(analyzer) {
            return analyzer.longest_phrase().map_or(Tables::None, |longest| self.phrases(vocabulary, longest));
        }
        match &self.deltas {
            Deltas::Sparse(sparse) => CompactRows::new(sparse, vocabulary, analyzer)
                .map_or(Tables::None, |compact| Tables::Compact(Box::new(compact))),
            Deltas::Dense(_) => Tables::None,
        }
    }
}

impl Weights {
    fn phrases(&self, vocabulary: &Vocabulary, longest: usize) -> Tables {
        // If the frequency of a term matters, its id does, too.
        if let Deltas::Dense(dense) = &self.deltas
            && self.is_linear()
            && let Some(near) = NearTerms::new(vocabulary, longest, dense)
        {
            return Tables::Near(Box::new(near));
        }
        PackedPhrases::of_longest(vocabulary, longest)
            .map_or(Tables::None, |phrases| Tables::Longest(vocabulary.len(), phrases))
    }
}

impl Compiled {
    /// Weights as they are.
    pub(super) fn once(weights: Arc<Weights>) -> Self {
        Self { weights, tables: Tables::None }
    }

    /// The vocabulary of the weights, with its longest n-grams in a table if there is one, and what terms add to scores.
    pub(super) fn lexicon<'a>(
        &'a self,
        counts: &'a Counts,
    ) -> (&'a Vocabulary, Option<WithLongest<'a>>, &'a Deltas) {
        let vocabulary = self.weights.vocabulary(counts);
        match &self.tables {
            Tables::Near(near) => {
                let lexicon = WithLongest { vocabulary: &near.vocabulary, phrases: &near.phrases };
                (vocabulary, Some(lexicon), &near.deltas)
            }
            // If terms were learned since, the table cannot tell their n-grams from others.
            Tables::Longest(terms, phrases) if *terms == vocabulary.len() => {
                (vocabulary, Some(WithLongest { vocabulary, phrases }), &self.weights.deltas)
            }
            _ => (vocabulary, None, &self.weights.deltas),
        }
    }

    /// The rows of n-grams of characters in compact form, if there is one.
    pub(super) fn compact(&self) -> Option<&CompactRows> {
        match &self.tables {
            Tables::Compact(compact) => Some(compact),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::settings::Unit;
    use crate::count::term_value::Value;
    use crate::score::fixtures::{self, counted, weigh};
    use crate::score::scorer::{KNOWN, LENGTH, TERMS};
    use crate::score::session::Session;

    const CLASSES: u32 = 3;

    /// Texts of few different words, so that some of their n-grams are known and most counts are equal.
    fn texts(size: usize) -> Vec<String> {
        let word = |at: usize| format!("w{}", at * at % 23 % 9);
        (0..size).map(|text| (0..=text % 17).map(|at| word(at * 7 + text) + " ").collect()).collect()
    }

    fn counts(analyzer: &Analyzer, texts: &[String]) -> Counts {
        counted(analyzer, texts, |at| at as u32 % CLASSES)
    }

    fn weights(value: Value, normalized: bool, absent: f64, classes: usize, counts: &Counts) -> Weights {
        let mut weights = Weights::new(value, normalized, absent, classes, usize::MAX >> 8);
        // Terms that are not known have a scale of 0.
        let scales: Vec<f64> = counts.ids().map(|id| f64::from(u8::from(id % 5 != 4))).collect();
        weigh(&mut weights, counts, &scales, &[], |cell| cell.count.to_f64().ln_1p());
        weights
    }

    fn scores(analyzer: &Analyzer, counts: &Counts, session: &mut Session, threads: usize) -> Vec<u64> {
        let columns: Vec<u32> = (0..CLASSES).chain([LENGTH, KNOWN, TERMS]).collect();
        let scores = fixtures::scores(session, analyzer, counts, &columns, &texts(300), threads);
        scores.into_iter().map(f64::to_bits).collect()
    }

    #[test]
    fn scores_have_the_same_bits_with_and_without_tables() {
        for (shortest, longest) in [(1, 1), (1, 2), (2, 2), (1, 3), (3, 4)] {
            let analyzer = Analyzer::plain(Unit::Word, shortest, longest, true);
            let counts = counts(&analyzer, &texts(40));
            for (value, normalized) in [(Value::Count, false), (Value::Presence, false), (Value::Count, true)] {
                for (absent, many) in [(0.0, 0), (f64::NEG_INFINITY, 0), (0.0, 40)] {
                    let classes = CLASSES as usize + many;
                    let weights = Arc::new(weights(value, normalized, absent, classes, &counts));
                    let mut session = Session::new(Arc::clone(&weights), 1 << 20);
                    let before = scores(&analyzer, &counts, &mut session, 1);
                    session.compile(&analyzer, &counts);
                    assert_eq!(matches!(session.compiled.tables, Tables::None), longest == 1);
                    assert_eq!(
                        scores(&analyzer, &counts, &mut session, 1),
                        before,
                        "{longest} {value:?} {absent}"
                    );
                    assert_eq!(scores(&analyzer, &counts, &mut session, 3), before);
                }
            }
        }
    }

    #[test]
    fn terms_that_are_learned_later_stay_unknown() {
        let analyzer = Analyzer::plain(Unit::Word, 1, 2, true);
        let mut counts = counts(&analyzer, &texts(12));
        for value in [Value::Count, Value::Presence] {
            let weights = Arc::new(weights(value, false, 0.0, CLASSES as usize, &counts));
            let mut session = Session::new(weights, 1 << 20);
            let before = scores(&analyzer, &counts, &mut session, 1);
            session.compile(&analyzer, &counts);
            for text in texts(300) {
                for pair in text.split(' ').collect::<Vec<_>>().windows(2) {
                    analyzer.intern(counts.vocabulary_mut(), &pair.join(" "));
                }
            }
            assert_eq!(scores(&analyzer, &counts, &mut session, 2), before);
        }
    }
}
