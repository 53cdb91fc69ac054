//! A text goes in; its words come out as numbers, and the terms of words that are new.
//!
//! A word has the same n-grams of characters wherever it occurs, so that whoever knows the number of a word need not see
//! them again. The same holds for the tokens of a word, if they need no preparation and are terms one by one.

use crate::analyze::analyzer::{Analyzer, STRETCH, Scratch};
use crate::analyze::characters::char_units::Bounds;
use crate::analyze::terms::char_terms::{CharTerms, next_word};
use crate::analyze::terms::distinct_words::DistinctWords;
use crate::analyze::terms::staged_words::look_up_more;
use crate::analyze::terms::word_grams::LONGEST_WORD;
use crate::vocabulary::lexicon::Lexicon;
use crate::vocabulary::term_ids::{JOINT, UNKNOWN, Vocabulary};
use crate::vocabulary::term_rows::TermRows;
use crate::vocabulary::word::Word;
use std::ops::Range;

/// How many n-grams are looked up at a time: few enough that the memory they lead to stays near.
const GRAMS: usize = 512;
/// The longest word that is not numbered and whose terms are handed on by row, in bytes: its characters are read at once.
const LONGEST_BY_ROW: usize = 256;

/// Some of the terms of a text, by word.
pub(crate) enum Part<'a> {
    /// The terms of the next words that are numbered: first their n-grams, then their tokens.
    NewWords(&'a TermsOfWords, &'a TermsOfWords),
    /// The numbers of some words of the text, and how often each occurs. After that, the numbers of words that were
    /// not kept are free again.
    Words(&'a [(u32, u32)]),
    /// The ids of terms of words that are too long to be numbered.
    Terms(&'a [u32]),
    /// The rows of terms of such words, if they are wanted.
    Rows(&'a [u32]),
}

/// Terms of some words, by id or by row: those of the first word up to the first end, and so on.
#[derive(Default)]
pub(crate) struct TermsOfWords {
    pub(crate) terms: Vec<u32>,
    pub(crate) ends: Vec<usize>,
}

impl TermsOfWords {
    fn clear(&mut self) {
        self.terms.clear();
        self.ends.clear();
    }

    /// Where the terms of a word of these are.
    pub(crate) fn of(&self, word: usize) -> Range<usize> {
        let start = if word == 0 { 0 } else { self.ends[word - 1] };
        start..self.ends[word]
    }
}

/// The numbers of words: first those that are shared, which are only read here, then one's own.
pub(crate) struct WordNumbers<'a> {
    pub(crate) shared: &'a Vocabulary,
    pub(crate) own: &'a mut Vocabulary,
    /// How many of one's own are kept; further words are numbered each time they occur.
    pub(crate) most: usize,
    /// If the terms of new words are wanted by row instead of by id.
    pub(crate) rows: Option<&'a TermRows>,
}

impl WordNumbers<'_> {
    fn len(&self) -> usize {
        self.shared.len() + self.own.len()
    }

    #[inline]
    fn prefetch(&self, word: &Word) {
        self.shared.prefetch_word(word);
        self.own.prefetch_word(word);
    }

    /// The number of a word; None if it is new. It is kept if there is room.
    #[inline]
    fn number(&mut self, word: &Word, bytes: &[u8]) -> Option<u32> {
        let id = self.shared.find_word(word, bytes);
        if id != UNKNOWN {
            return Some(id);
        }
        let (before, mut own) = (self.own.len(), &mut *self.own);
        let id = if before < self.most { own.word(word, bytes) } else { own.find_word(word, bytes) };
        let is_new = id == UNKNOWN || id as usize == before;
        (!is_new).then(|| self.shared.len() as u32 + id)
    }
}

/// Memory that is reused from text to text.
#[derive(Default)]
pub(crate) struct ByWord {
    folded: Vec<u8>,
    distinct: DistinctWords,
    round: Vec<(u32, u32)>,
    new: NewWords,
    grams: TermsOfWords,
    tokens: TermsOfWords,
}

/// The new words of a round.
#[derive(Default)]
struct NewWords {
    /// The words, with a space behind each.
    joined: Vec<u8>,
    /// Where each word ends.
    ends: Vec<usize>,
}

impl NewWords {
    fn clear(&mut self) {
        self.joined.clear();
        self.ends.clear();
    }

    fn add(&mut self, word: &[u8]) {
        self.joined.extend_from_slice(word);
        self.ends.push(self.joined.len());
        self.joined.push(JOINT);
    }

    fn words(&self) -> impl Iterator<Item = &[u8]> {
        let starts = [0].into_iter().chain(self.ends.iter().map(|end| end + 1));
        starts.zip(&self.ends).map(|(start, &end)| &self.joined[start..end])
    }
}

impl Analyzer {
    /// Whether a token is a term wherever it stands, so that the words of a text have all its terms.
    pub(crate) fn has_plain_tokens(&self) -> bool {
        self.has_words() && self.is_plain() && self.words == (1, 1)
    }

    /// Calls `sink` with the n-grams of characters within words, and with the tokens of the words if these are plain,
    /// until it returns false.
    pub(crate) fn grams_by_word<L: Lexicon>(
        &self,
        text: &[u8],
        lexicon: &mut L,
        scratch: &mut Scratch,
        mut words: WordNumbers<'_>,
        mut sink: impl FnMut(Part<'_>) -> bool,
    ) -> bool {
        let mut memory = std::mem::take(&mut scratch.by_word);
        let ByWord { folded, distinct, round, new, grams, tokens } = &mut memory;
        // Whoever waits is asked after every stretch, in case that he does not want the rest of a long text.
        let mut ask = || sink(Part::Words(&[]));
        let (text, mut go_on) = self.fold_ascii(text, folded, &mut ask);
        let (mut at, mut asked) = (0, 0);
        while go_on && at < text.len() {
            distinct.clear();
            while go_on && !distinct.is_full() {
                if at - asked > STRETCH {
                    asked = at;
                    go_on = sink(Part::Words(&[]));
                }
                let Some(word) = next_word(text, &mut at) else { break };
                if word.len() > LONGEST_WORD {
                    go_on = self.long_word(word, lexicon, scratch, words.rows, &mut sink);
                } else if let Some(key) = distinct.add(text, at - word.len(), at) {
                    words.prefetch(&key);
                }
            }
            new.clear();
            round.clear();
            let first_new = words.len();
            for word in distinct.words() {
                let [start, end] = word.span.map(|at| at as usize);
                let number = words.number(&word.key, &text[start..end]).unwrap_or_else(|| {
                    new.add(&text[start..end]);
                    (first_new + new.ends.len() - 1) as u32
                });
                round.push((number, word.times));
            }
            self.look_up_grams(new, lexicon, &mut scratch.grams, words.rows, grams);
            self.look_up_tokens(new, lexicon, scratch, words.rows, tokens);
            // Words that are remembered must be learned, also if nobody wants to go on.
            go_on &= sink(Part::NewWords(grams, tokens));
            go_on &= sink(Part::Words(round));
        }
        scratch.by_word = memory;
        go_on
    }

    /// The text with the capitals of ASCII in lower case, if all text is put in lower case: fewer words are distinct.
    /// With it comes whether to go on, which is asked after every stretch.
    pub(super) fn fold_ascii<'a>(
        &self,
        text: &'a [u8],
        folded: &'a mut Vec<u8>,
        ask: &mut impl FnMut() -> bool,
    ) -> (&'a [u8], bool) {
        if !self.preparation.lowercase {
            return (text, true);
        }
        folded.clear();
        folded.reserve(text.len());
        let go_on = text.chunks(STRETCH).all(|stretch| {
            folded.extend(stretch.iter().map(u8::to_ascii_lowercase));
            folded.len() < STRETCH || ask()
        });
        (folded, go_on)
    }

    /// Hands on the terms of a word that is too long to be numbered.
    fn long_word<L: Lexicon>(
        &self,
        word: &[u8],
        lexicon: &mut L,
        scratch: &mut Scratch,
        rows: Option<&TermRows>,
        sink: &mut impl FnMut(Part<'_>) -> bool,
    ) -> bool {
        let Some((_, ngrams)) = self.characters() else { return true };
        let CharTerms { keys, ids, characters, .. } = &mut scratch.grams;
        keys.clear();
        let by_row = rows.filter(|_| word.len() <= LONGEST_BY_ROW).filter(|rows| {
            self.characters_of_grams(word, characters, |key| {
                rows.prefetch(key);
                keys.push(key);
            })
        });
        let done = if let Some(rows) = by_row {
            ids.clear();
            ids.extend(keys.iter().map(|&key| rows.of_characters(key)));
            sink(Part::Rows(ids))
        } else {
            let hand_on = |ids: &[u32], _: &Vocabulary| sink(Part::Terms(ids));
            self.any_grams(word, Bounds::Words, ngrams, lexicon, &mut scratch.grams, hand_on)
        };
        let hand_on = |ids: &[u32], _: &Vocabulary| sink(Part::Terms(ids));
        done && (!self.has_plain_tokens() || self.plain_terms(word, lexicon, scratch, hand_on))
    }

    /// The n-grams of some words. They are looked up some hundreds at a time, so that the memory that they lead to can be
    /// asked for.
    fn look_up_grams<L: Lexicon>(
        &self,
        new: &NewWords,
        lexicon: &mut L,
        grams: &mut CharTerms,
        rows: Option<&TermRows>,
        found: &mut TermsOfWords,
    ) {
        found.clear();
        let mut words = new.words().peekable();
        while words.peek().is_some() {
            match rows {
                Some(rows) => self.look_up_rows(&mut words, lexicon, grams, rows, found),
                None => self.look_up_ids(&mut words, lexicon, grams, found),
            }
        }
    }

    /// The ids of the n-grams of the next words.
    fn look_up_ids<'a, L: Lexicon>(
        &self,
        words: &mut impl Iterator<Item = &'a [u8]>,
        lexicon: &mut L,
        grams: &mut CharTerms,
        found: &mut TermsOfWords,
    ) {
        grams.words.clear();
        grams.beyond.clear();
        while grams.words.len() < GRAMS {
            let Some(word) = words.next() else { break };
            self.stage_grams(word, lexicon.vocabulary(), grams);
            found.ends.push(found.terms.len() + grams.words.len());
        }
        look_up_more(&grams.words, &grams.beyond, lexicon, &mut found.terms);
    }

    /// The rows of the n-grams of the next words. A word with a character that does not fit takes the way through ids.
    fn look_up_rows<'a, L: Lexicon>(
        &self,
        words: &mut impl Iterator<Item = &'a [u8]>,
        lexicon: &mut L,
        grams: &mut CharTerms,
        rows: &TermRows,
        found: &mut TermsOfWords,
    ) {
        grams.keys.clear();
        let mut unfit = None;
        while grams.keys.len() < GRAMS && unfit.is_none() {
            let Some(word) = words.next() else { break };
            let CharTerms { keys, characters, .. } = grams;
            let fits = self.characters_of_grams(word, characters, |key| {
                rows.prefetch(key);
                keys.push(key);
            });
            if fits {
                found.ends.push(found.terms.len() + keys.len());
            } else {
                unfit = Some(word);
            }
        }
        found.terms.extend(grams.keys.iter().map(|&key| rows.of_characters(key)));
        if let Some(word) = unfit {
            let before = found.terms.len();
            self.look_up_ids(&mut [word].into_iter(), lexicon, grams, found);
            found.terms[before..].iter_mut().for_each(|term| *term = rows.of_id(*term));
        }
    }

    /// The tokens of some words, if they are plain.
    fn look_up_tokens<L: Lexicon>(
        &self,
        new: &NewWords,
        lexicon: &mut L,
        scratch: &mut Scratch,
        rows: Option<&TermRows>,
        found: &mut TermsOfWords,
    ) {
        found.clear();
        if self.has_plain_tokens() {
            let Scratch { tokens, stages, .. } = scratch;
            self.each_plain_word(&new.joined, lexicon, tokens, stages, |end, id| {
                while new.ends[found.ends.len()] < end {
                    found.ends.push(found.terms.len());
                }
                found.terms.push(rows.map_or(id, |rows| rows.of_id(id)));
            });
        }
        found.ends.resize(new.ends.len(), found.terms.len());
    }
}
