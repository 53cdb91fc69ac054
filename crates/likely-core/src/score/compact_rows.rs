//! Sparse rows in a quarter of the memory.
//!
//! Where a delta follows from a count alone, as in multinomial naive Bayes, only a few thousand deltas are distinct. A
//! class and the number of a delta fit four bytes, so that most rows fit one cache line. Rows of many classes come first:
//! they belong to frequent terms, and stay near the processor.

use crate::analyze::analyzer::Analyzer;
use crate::prefetch::prefetch;
use crate::score::dense_rows::add_plain_row;
use crate::score::sparse_rows::{Entry, Own, Sparse};
use crate::score::sums::Sums;
use crate::vocabulary::term_ids::{UNKNOWN, Vocabulary};
use crate::vocabulary::term_rows::{CharKey, LONGEST, TermRows};
use std::collections::HashMap;
use std::ops::Range;

/// The class of an entry has eight bits; the others are the number of a delta.
pub(super) const CLASSES: usize = 1 << 8;
const CLASS_BITS: u32 = CLASSES.trailing_zeros();
/// The largest number of distinct deltas: more would not stay in the second cache.
const DELTAS: usize = 1 << 14;
/// In place of a number of entries: the row is one of those that are written out, and its number follows.
const FULL: u32 = u32::MAX;
/// How many rows ahead memory is asked for: a row is added in a few nanoseconds.
const AHEAD: usize = 12;
/// The number of entries in a cache line.
const LINE: usize = 16;

/// What each term adds to the score of each class.
pub(super) struct CompactRows {
    rows: TermRows,
    /// For each row the number of its entries, and the entries; or [`FULL`] and the number of a written-out row.
    blocks: Vec<u32>,
    /// The distinct deltas, by number. All numbers are below the length, so that none need be checked.
    deltas: Box<[f64; DELTAS]>,
}

impl CompactRows {
    /// The rows of all terms; None if they cannot be compact.
    pub(super) fn new(sparse: &Sparse, vocabulary: &Vocabulary, analyzer: &Analyzer) -> Option<Self> {
        let (_, (_, longest)) = analyzer.characters()?;
        let is_plain = |id: u32| {
            let row = sparse.row(id).0;
            row.scale == 0.0 || row.scale == 1.0 && row.rest == 0.0
        };
        let ids = 0..vocabulary.len() as u32;
        if longest > LONGEST || analyzer.hash_bits > 0 || sparse.width > CLASSES || !ids.clone().all(is_plain) {
            return None;
        }
        let mut by_length: Vec<u32> = ids.filter(|&id| sparse.row(id).0.scale > 0.0).collect();
        by_length.sort_by_cached_key(|&id| std::cmp::Reverse(length_of(sparse, id)));
        // A row has a first number, and its entries or the number of a written-out row.
        let blocks = Vec::with_capacity(sparse.entries.len() + 2 * by_length.len());
        let mut found = Self { rows: TermRows::new(Vec::new(), 0), blocks, deltas: Box::new([0.0; DELTAS]) };
        let (mut numbers, mut by_id) = (HashMap::new(), vec![UNKNOWN; vocabulary.len()]);
        for &id in &by_length {
            by_id[id as usize] = u32::try_from(found.blocks.len()).ok()?;
            found.write(sparse, id, &mut numbers)?;
        }
        let characters = |id: u32| characters_of(vocabulary.word_bytes(id), analyzer);
        let grams = by_length.iter().filter(|&&id| characters(id).is_some()).count();
        let mut rows = TermRows::new(by_id, grams);
        for &id in &by_length {
            if let Some(gram) = characters(id) {
                rows.add_characters(gram, rows.of_id(id));
            }
        }
        Some(Self { rows, ..found })
    }

    /// Appends the row of a term; None if there are too many deltas or classes.
    fn write(&mut self, sparse: &Sparse, id: u32, numbers: &mut HashMap<u64, u32>) -> Option<()> {
        let entries = match sparse.row(id) {
            (_, Own::Few(entries)) => entries,
            (row, Own::Full(_)) => {
                self.blocks.extend([FULL, row.start]);
                return Some(());
            }
        };
        self.blocks.push(entries.len() as u32);
        for &Entry { class, delta } in entries {
            if class as usize >= CLASSES {
                return None;
            }
            let next = numbers.len() as u32;
            let number = *numbers.entry(delta.to_bits()).or_insert(next);
            *self.deltas.get_mut(number as usize)? = delta;
            self.blocks.push(number << CLASS_BITS | class);
        }
        Some(())
    }

    /// Where the row of each term is.
    pub(super) fn rows(&self) -> &TermRows {
        &self.rows
    }

    /// Adds some of the rows, which may be unknown, to the sums; returns how many are known. All classes are below the
    /// number of sums, so that none need be checked.
    pub(super) fn add(
        &self,
        sparse: &Sparse,
        rows: &[u32],
        some: Range<usize>,
        sums: &mut [f64; CLASSES],
    ) -> usize {
        let add_one = |sums: &mut [f64; CLASSES], class: usize, delta| sums[class] += delta;
        self.each(sparse, rows, some, sums, |sums, row| add_plain_row(row, sums), add_one)
    }

    /// Adds some rows, which may be unknown, to the sums of a document as exactly as those of `sparse`; returns how many
    /// are known.
    pub(super) fn add_exactly(&self, sparse: &Sparse, rows: &[u32], sums: &mut Sums) -> u64 {
        let known = self.each(sparse, rows, 0..rows.len(), sums, Sums::add_row, Sums::add_one) as u64;
        sums.add_known(known);
        known
    }

    /// Adds some of the rows to sums by two functions, for a row that is written out and for a class; returns how many
    /// rows are known.
    #[inline(always)]
    fn each<S>(
        &self,
        sparse: &Sparse,
        rows: &[u32],
        some: Range<usize>,
        sums: &mut S,
        add_row: impl Fn(&mut S, &[f64]),
        add_one: impl Fn(&mut S, usize, f64),
    ) -> usize {
        let mut known = 0;
        for at in some {
            self.prefetch_ahead(sparse, rows, at);
            let Some(block) = self.blocks.get(rows[at] as usize..) else { continue };
            known += 1;
            match *block {
                [FULL, number, ..] => add_row(sums, sparse.full_row(number)),
                [length, ref entries @ ..] => {
                    for &entry in &entries[..length as usize] {
                        let number = (entry >> CLASS_BITS) as usize % DELTAS;
                        add_one(sums, entry as usize % CLASSES, self.deltas[number]);
                    }
                }
                [] => {}
            }
        }
        known
    }

    /// Asks for a row that will be added soon, and a little later for the rest of it, if it is long.
    #[inline]
    fn prefetch_ahead(&self, sparse: &Sparse, rows: &[u32], at: usize) {
        if let Some(&row) = rows.get(at + 2 * AHEAD) {
            prefetch(&self.blocks, row as usize);
        }
        match rows.get(at + AHEAD).and_then(|&row| self.blocks.get(row as usize..)) {
            Some(&[FULL, number, ..]) => {
                let row = sparse.full_row(number);
                (0..row.len()).step_by(LINE / 2).for_each(|at| prefetch(row, at));
            }
            Some(block @ &[length, ..]) => {
                (LINE..length as usize).step_by(LINE).for_each(|at| prefetch(block, at));
            }
            _ => {}
        }
    }
}

/// The characters of a term, if it is a short n-gram of characters.
fn characters_of(term: &[u8], analyzer: &Analyzer) -> Option<CharKey> {
    let (mark, space) = analyzer.spelling_of_grams();
    let gram = std::str::from_utf8(term.strip_prefix(mark.as_bytes())?).ok()?;
    let spaced = |character| if space.contains(character) { ' ' } else { character };
    CharKey::of(gram.chars().map(spaced)).filter(|_| !gram.is_empty())
}

/// The number of classes of a term that have a delta of their own.
fn length_of(sparse: &Sparse, id: u32) -> usize {
    match sparse.row(id).1 {
        Own::Few(entries) => entries.len(),
        Own::Full(deltas) => deltas.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::analyzer::Scratch;
    use crate::analyze::settings::{Settings, Unit};
    use crate::count::counts::Counts;
    use crate::count::term_value::Value;
    use crate::score::fixtures;
    use crate::score::scorer::{DOUBT, KNOWN, LENGTH, TERMS};
    use crate::score::session::Session;
    use crate::score::weights::Weights;
    use proptest::prelude::*;
    use std::sync::Arc;

    const TRAINED: [&str; 12] = [
        "a b ab ba",
        "the of the",
        "der die das",
        "le la les",
        "Москва и мир",
        "中文字 中文",
        "ab ab abc",
        "bc ca",
        "x\0y \0 ␣a a␣b",
        "don't you",
        "é É e\u{301}",
        "\u{1f600} smile \u{1f600}\u{fffd}",
    ];

    fn counted(analyzer: &Analyzer) -> Counts {
        // The last text is learned by all classes, so that some rows are written out.
        let texts = [TRAINED, ["the a"; TRAINED.len()]].concat();
        fixtures::counted(analyzer, &texts, |at| (at % TRAINED.len()) as u32)
    }

    fn weighed(counts: &Counts) -> Weights {
        let mut weights = Weights::new(Value::Count, false, 0.0, TRAINED.len(), usize::MAX >> 8);
        fixtures::weigh(&mut weights, counts, &[], &[], |cell| (1.0 + cell.count.to_f64() * 10.0).ln());
        weights
    }

    fn scored(more: &[u32], analyzer: &Analyzer, counts: &Counts, session: &mut Session, text: &[u8]) -> Vec<f64> {
        let columns: Vec<u32> = (0..TRAINED.len() as u32).chain(more.iter().copied()).collect();
        fixtures::scores(session, analyzer, counts, &columns, &[text], 1)
    }

    /// The scores by definition: term by term.
    fn expected(analyzer: &Analyzer, counts: &Counts, text: &[u8]) -> Vec<f64> {
        let (mut sums, mut terms, mut known) = (vec![-1.5; TRAINED.len()], 0.0, 0.0);
        analyzer.terms(text, &mut counts.vocabulary(), &mut Scratch::default(), |ids, _| {
            for &id in ids {
                terms += 1.0;
                if id != UNKNOWN {
                    known += 1.0;
                    sums.iter_mut().for_each(|sum| *sum -= 2.25);
                    counts
                        .row(id)
                        .for_each(|cell| sums[cell.class as usize] += (1.0 + cell.count.to_f64() * 10.0).ln());
                }
            }
            true
        });
        let share = if terms == 0.0 { 0.0 } else { known / terms };
        sums.into_iter().chain([share, terms, known]).collect()
    }

    fn check(unit: Unit, ngrams: (usize, usize), text: &[u8]) {
        let settings = if unit == Unit::Both {
            Settings::plain(unit, 1, 1, true)
        } else {
            Settings::plain(unit, ngrams.0, ngrams.1, true)
        };
        let analyzer = Analyzer::new(Settings { char_ngrams: ngrams, ..settings });
        let counts = counted(&analyzer);
        let (weights, exact) = (Arc::new(weighed(&counts)), [KNOWN, TERMS, LENGTH]);
        let mut session = Session::new(Arc::clone(&weights), 16 << 20);
        let found = scored(&exact, &analyzer, &counts, &mut session, text);
        let close = |(a, b): (&f64, f64)| (a - b).abs() <= 1e-9 * (1.0 + b.abs());
        assert!(found.iter().zip(expected(&analyzer, &counts, text)).all(close), "{found:?}");
        session.compile(&analyzer, &counts);
        assert_eq!(session.compiled.compact().is_some(), ngrams.1 <= LONGEST);
        assert_eq!(scored(&exact, &analyzer, &counts, &mut session, text), found);
        for _ in 0..2 {
            // Words that are met, and words that are remembered.
            let rough = scored(&[KNOWN, TERMS, LENGTH, DOUBT], &analyzer, &counts, &mut session, text);
            let (classes, doubt) = (TRAINED.len(), rough[rough.len() - 1]);
            let is_near = |(a, b): (&f64, &f64)| (a - b).abs() <= doubt;
            assert!(rough[..classes].iter().zip(&found[..classes]).all(is_near), "{rough:?}, {found:?}");
            assert_eq!(rough[classes..classes + 3], found[classes..]);
            assert_eq!(doubt > 0.0, ngrams.1 <= LONGEST);
        }
        // Without any word that is remembered, and with room for hardly any.
        for memory in [0, 16 << 20] {
            let mut fresh = Session::new(Arc::clone(&weights), memory);
            fresh.compile(&analyzer, &counts);
            assert_eq!(scored(&exact, &analyzer, &counts, &mut fresh, text), found);
        }
    }

    #[test]
    fn every_word_of_a_long_text_is_added() {
        let words: Vec<String> = (0..5000).map(|at| format!("w{at} the {}", "ab".repeat(at % 50))).collect();
        for unit in [Unit::CharWb, Unit::Both] {
            check(unit, (2, 4), words.join(" ").as_bytes());
        }
    }

    #[test]
    fn too_many_classes_or_deltas_and_scales_are_refused() {
        let analyzer = Analyzer::plain(Unit::CharWb, 2, 4, true);
        let vocabulary = counted(&analyzer).vocabulary().clone();
        let refused = |classes: usize, id: u32, scale: f64, class: u32| {
            let mut sparse = Sparse::new(classes);
            sparse.set(id, scale, 0.0, [(class, 1.0)].into_iter());
            CompactRows::new(&sparse, &vocabulary, &analyzer).is_none()
        };
        assert!(!refused(200, 3, 1.0, 199) && !refused(200, 3, 0.0, 199));
        assert!(refused(200, 3, 2.0, 199) && refused(200, 3, 1.0, 256) && refused(300, 3, 1.0, 0));
        let mut sparse = Sparse::new(0);
        for id in 0..vocabulary.len() as u32 {
            let per_term = DELTAS / vocabulary.len() + 1;
            let deltas = (0..per_term as u32).map(|at| (at, 1.0 + f64::from(id * per_term as u32 + at)));
            sparse.set(id, 1.0, 0.0, deltas);
        }
        assert!(CompactRows::new(&sparse, &vocabulary, &analyzer).is_none());
    }

    fn any_word() -> impl Strategy<Value = String> {
        let separated = (prop_oneof!["[a-cA-C.,'É␣]{0,6}", "\\PC{0,4}", ".{0,3}"], "[ \n\u{a0}\u{3000}]{0,2}");
        let trained = prop::sample::select(TRAINED.to_vec()).prop_map(|text| format!("{text} "));
        prop_oneof![separated.prop_map(|(word, space)| word + &space), trained]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn words_add_up_to_the_terms_of_their_text(
            words in prop::collection::vec(any_word(), 0..60),
            broken in prop::collection::vec(any::<u8>(), 0..8),
            unit in prop_oneof![Just(Unit::CharWb), Just(Unit::Both)],
            ngrams in prop_oneof![Just((1, 1)), Just((2, 4)), Just((1, 3)), Just((3, 5))],
        ) {
            let text: Vec<u8> = words.concat().into_bytes().into_iter().chain(broken).collect();
            check(unit, ngrams, &text);
        }
    }
}
