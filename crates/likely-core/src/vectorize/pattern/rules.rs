//! A text goes in, its terms come out, by the rules of scikit-learn's vectorizers.
//!
//! The rules differ from ours ([`crate::analyze::analyzer`]): the whole text is folded first, a word is a run of `\w`,
//! and stop words are left out before n-grams are made.

use crate::analyze::characters::ascii_blocks::{self, Classify};
use crate::analyze::tokens::tokenize::Span;
use crate::analyze::words::word_cache::WordCache;
use crate::vectorize::pattern::alphabet::Alphabet;
use crate::vectorize::pattern::fold::Folded;
use crate::vectorize::pattern::lookup::{Lookup, extend};
use crate::vectorize::pattern::units::Units;
use crate::vocabulary::lexicon::Lexicon;
use crate::vocabulary::term_ids::{UNKNOWN, Vocabulary};
use std::sync::Arc;

/// What a text is cut into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatternUnit {
    /// Runs of at least this many word characters.
    Word(usize),
    /// Characters; a run of two or more white space characters is one space.
    Char,
    /// Characters of words between white space, with a space before and after each word.
    CharInWord,
}

/// How texts become terms.
#[derive(Clone)]
pub struct Pattern {
    pub(super) unit: PatternUnit,
    pub(super) shortest: usize,
    pub(super) longest: usize,
    case: u8,
    /// The words that are left out. They have the first ids of every vocabulary.
    stops: Vocabulary,
    pub(super) alphabet: Option<Arc<Alphabet>>,
    classify: Classify,
}

/// Memory that is reused from text to text.
#[derive(Default)]
pub struct PatternScratch {
    pub(super) folded: Folded,
    pub(super) bounds: Vec<u32>,
    pub(super) spans: Vec<Span>,
    pub(super) lookup: Lookup,
    pub(super) ids: Vec<u32>,
    pub(super) level: Vec<u32>,
    pub(super) units: Units,
    pub(super) remembered: Option<WordCache<Box<[u32]>>>,
}

impl Pattern {
    /// The pattern for n-grams of `shortest` to `longest` units. Without an alphabet it must be used for ASCII only.
    pub fn new(
        unit: PatternUnit,
        shortest: usize,
        longest: usize,
        lowercase: bool,
        stop_words: impl Iterator<Item = Vec<u8>>,
    ) -> Self {
        let shortest = shortest.max(1);
        let mut stops = Vocabulary::default();
        if matches!(unit, PatternUnit::Word(_)) {
            stop_words.for_each(|word| _ = stops.intern(&word, false));
        }
        let case = if lowercase { 0x20 } else { 0 };
        let (longest, classify) = (longest.max(shortest), ascii_blocks::fastest());
        Self { unit, shortest, longest, case, stops, alphabet: None, classify }
    }

    /// The same pattern for texts of all characters.
    pub fn with_alphabet(&self, alphabet: Arc<Alphabet>) -> Self {
        Self { alphabet: Some(alphabet), ..self.clone() }
    }

    /// Memory for many texts and one vocabulary.
    pub(crate) fn scratch(&self) -> PatternScratch {
        let remembered = (self.unit == PatternUnit::CharInWord).then(WordCache::default);
        PatternScratch { remembered, ..PatternScratch::default() }
    }

    /// A vocabulary to begin with, with room for the terms of about `bytes` bytes of text.
    pub(crate) fn vocabulary(&self, bytes: usize) -> Vocabulary {
        let mut vocabulary = Vocabulary::for_text(bytes, self.makes_phrases());
        let stops: Vec<u32> = (0..self.stops.len() as u32).collect();
        vocabulary.adopt(&self.stops, &stops);
        vocabulary
    }

    /// Whether terms may consist of several words, joined by [`JOINT`](crate::vocabulary::term_ids::JOINT).
    pub fn makes_phrases(&self) -> bool {
        matches!(self.unit, PatternUnit::Word(_)) && self.longest > 1
    }

    /// Calls `sink` with the ids of all terms of `text`, some at a time, until `sink` returns false. An id may be
    /// [`UNKNOWN`].
    #[inline]
    pub(crate) fn terms<L: Lexicon>(
        &self,
        text: &[u8],
        lexicon: &mut L,
        scratch: &mut PatternScratch,
        sink: impl FnMut(&[u32], &Vocabulary) -> bool,
    ) -> bool {
        scratch.folded.fold(text, self.case, self.classify, self.alphabet.as_deref());
        match self.unit {
            PatternUnit::Word(least) => self.word_terms(least, lexicon, scratch, sink),
            _ if scratch.remembered.is_some() => self.remembered_terms(lexicon, scratch, sink),
            PatternUnit::Char | PatternUnit::CharInWord => self.char_terms(lexicon, scratch, sink),
        }
    }

    fn word_terms<L: Lexicon>(
        &self,
        least: usize,
        lexicon: &mut L,
        scratch: &mut PatternScratch,
        mut sink: impl FnMut(&[u32], &Vocabulary) -> bool,
    ) -> bool {
        let PatternScratch { folded, bounds, lookup, ids, level, .. } = scratch;
        lookup.ids(folded.words(least, bounds), folded.text().1, lexicon, ids);
        if !self.stops.is_empty() {
            ids.retain(|&id| id as usize >= self.stops.len());
        }
        if self.shortest == 1 && !sink(ids, lexicon.vocabulary()) {
            return false;
        }
        if self.longest == 1 {
            return true;
        }
        level.clone_from(ids);
        for n in 2..=self.longest.min(ids.len()) {
            level.truncate(ids.len() + 1 - n);
            extend(level, &ids[n - 1..], lexicon);
            if n >= self.shortest && !sink(level, lexicon.vocabulary()) {
                return false;
            }
        }
        true
    }

    /// Calls `sink` with a text that is longer by [`BEYOND`](crate::vectorize::pattern::fold::BEYOND), and with the
    /// spans of terms in it, until `sink` returns false or all terms of `text` were named.
    pub(crate) fn spelled(
        &self,
        text: &[u8],
        scratch: &mut PatternScratch,
        mut sink: impl FnMut(&[u8], &[Span]) -> bool,
    ) -> bool {
        scratch.folded.fold(text, self.case, self.classify, self.alphabet.as_deref());
        let PatternUnit::Word(least) = self.unit else {
            let PatternScratch { folded, spans, units, .. } = scratch;
            self.cut_characters(folded, units);
            return self.char_grams(units, spans, |spans| sink(&units.bytes, spans));
        };
        let PatternScratch { folded, bounds, spans, units, .. } = scratch;
        let (found, (_, text)) = (folded.words(least, bounds), folded.text());
        if self.longest == 1 && self.stops.is_empty() {
            return sink(text, found);
        }
        let is_stop =
            |&[start, end]: &Span| self.stops.find(&text[start as usize..end as usize], false) != UNKNOWN;
        spans.clear();
        spans.extend(found.iter().filter(|span| !is_stop(span)));
        if self.longest == 1 {
            return sink(text, spans);
        }
        units.join(text, spans);
        for n in self.shortest..=self.longest.min(spans.len()) {
            spans.clear();
            spans.extend(units.spans.windows(n).map(|gram| [gram[0][0], gram[n - 1][1]]));
            if !sink(&units.bytes, spans) {
                return false;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(unit: PatternUnit, shortest: usize, longest: usize, stops: &[&str]) -> Pattern {
        let stops = stops.iter().map(|stop| stop.as_bytes().to_vec());
        let alphabet = Alphabet::new(&[[0xc0, 0x250]], &[[0xa0, 0xa1]], [(0xc9, "é".as_bytes())].into_iter());
        Pattern::new(unit, shortest, longest, true, stops).with_alphabet(Arc::new(alphabet))
    }

    /// The terms as they are counted, after a check that they are spelled alike.
    fn terms(pattern: &Pattern, text: &str) -> Vec<String> {
        let (mut vocabulary, mut scratch) = (pattern.vocabulary(0), PatternScratch::default());
        let mut counted = Vec::new();
        pattern.terms(text.as_bytes(), &mut &mut vocabulary, &mut scratch, |ids, vocabulary| {
            counted.extend(ids.iter().map(|&id| vocabulary.term(id)));
            true
        });
        let mut scratch = pattern.scratch();
        for _ in 0..2 {
            let mut again = Vec::new();
            pattern.terms(text.as_bytes(), &mut &mut vocabulary, &mut scratch, |ids, vocabulary| {
                again.extend(ids.iter().map(|&id| vocabulary.term(id)));
                true
            });
            assert_eq!(again, counted);
        }
        let mut spelled = Vec::new();
        pattern.spelled(text.as_bytes(), &mut scratch, |bytes, spans| {
            let term =
                |&[start, end]: &Span| String::from_utf8_lossy(&bytes[start as usize..end as usize]).into_owned();
            spelled.extend(spans.iter().map(term));
            true
        });
        assert_eq!(counted, spelled);
        counted
    }

    #[test]
    fn words_are_runs_of_word_characters() {
        let found = terms(&pattern(PatternUnit::Word(2), 1, 1, &[]), "Don't snake_case a É été, 3.14 x");
        assert_eq!(found, ["don", "snake_case", "été", "14"]);
        assert_eq!(terms(&pattern(PatternUnit::Word(1), 1, 1, &[]), "a É b\u{a0}c"), ["a", "é", "b", "c"]);
    }

    #[test]
    fn stop_words_go_before_n_grams_are_made() {
        let found = terms(&pattern(PatternUnit::Word(2), 1, 2, &["of", "the"]), "The end OF the world");
        assert_eq!(found, ["end", "world", "end world"]);
        assert_eq!(terms(&pattern(PatternUnit::Word(2), 3, 9, &[]), "ab cd"), [""; 0]);
        assert_eq!(terms(&pattern(PatternUnit::Word(2), 2, 3, &[]), "ab cd ef"), ["ab cd", "cd ef", "ab cd ef"]);
    }

    #[test]
    fn characters_fold_only_long_white_space() {
        assert_eq!(terms(&pattern(PatternUnit::Char, 2, 2, &[]), "a\nB \u{a0}É"), ["a\n", "\nb", "b ", " é"]);
        assert_eq!(terms(&pattern(PatternUnit::Char, 3, 4, &[]), "ab"), [""; 0]);
    }

    #[test]
    fn characters_in_words_have_spaces_around_them() {
        let found = terms(&pattern(PatternUnit::CharInWord, 3, 5, &[]), " \tab \n c ");
        assert_eq!(found, [" ab", "ab ", " ab ", " c "]);
        assert_eq!(terms(&pattern(PatternUnit::CharInWord, 1, 2, &[]), "a"), [" ", "a", " a", " ", "a "]);
        assert_eq!(terms(&pattern(PatternUnit::CharInWord, 1, 1, &[]), ""), [""; 0]);
    }
}
