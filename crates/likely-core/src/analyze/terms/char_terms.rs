//! A text goes in; the ids of its n-grams of characters come out.
//!
//! There are three ways: within words, each distinct word is cut only once; ASCII is cut from a folded copy; all other
//! text is cut character by character ([`crate::analyze::characters::char_units`]), which covers every rule.

use crate::analyze::analyzer::{Analyzer, Scratch};
use crate::analyze::characters::char_units::{Bounds, CharUnits, slide, white_space_at};
use crate::analyze::settings::Unit;
use crate::analyze::spans::mark_gram;
use crate::analyze::terms::hashed_terms;
use crate::analyze::terms::staged_words::{BEYOND_WORD, long_word, look_up, short_word};
use crate::analyze::terms::word_grams::LONGEST_WORD;
use crate::analyze::words::word_cache::WordCache;
use crate::vocabulary::lexicon::Lexicon;
use crate::vocabulary::term_ids::Vocabulary;
use crate::vocabulary::term_rows::CharKey;
use crate::vocabulary::word::{SHORT, Word};

/// How many terms are handed on at a time.
const ROUND: usize = 1024;

/// Memory that is reused from text to text.
#[derive(Default)]
pub(crate) struct CharTerms {
    pub(super) words: Vec<Word>,
    pub(super) marked: Vec<u8>,
    pub(super) beyond: Vec<u8>,
    pub(super) ids: Vec<u32>,
    folded: Vec<u8>,
    pub(super) keys: Vec<CharKey>,
    pub(super) characters: CharUnits,
    cache: WordCache<Box<[u32]>>,
}

impl Analyzer {
    /// As [`Analyzer::terms`] for n-grams of characters.
    pub(crate) fn char_terms<L: Lexicon>(
        &self,
        text: &[u8],
        bounds: Bounds,
        ngrams: (usize, usize),
        lexicon: &mut L,
        scratch: &mut Scratch,
        sink: &mut impl FnMut(&[u32], &Vocabulary) -> bool,
    ) -> bool {
        let grams = &mut scratch.grams;
        if bounds == Bounds::Words {
            return self.grams_of_words(text, ngrams, lexicon, grams, sink);
        }
        if self.hash_bits == 0 && ngrams.1 <= SHORT && text.is_ascii() {
            return self.ascii_grams(text, ngrams, lexicon, grams, sink);
        }
        self.any_grams(text, bounds, ngrams, lexicon, grams, sink)
    }

    pub(super) fn any_grams<L: Lexicon>(
        &self,
        text: &[u8],
        bounds: Bounds,
        (shortest, longest): (usize, usize),
        lexicon: &mut L,
        grams: &mut CharTerms,
        mut sink: impl FnMut(&[u32], &Vocabulary) -> bool,
    ) -> bool {
        let CharTerms { words, marked, beyond, ids, characters, .. } = grams;
        characters.read(text, self.preparation.lowercase, bounds, longest, |units| {
            words.clear();
            beyond.clear();
            units.grams(shortest, longest, |gram, _| {
                let word = self.gram_word(gram, marked, beyond);
                lexicon.vocabulary().prefetch_word(&word);
                words.push(word);
            });
            look_up(words, beyond, lexicon, ids);
            sink(ids, lexicon.vocabulary())
        })
    }

    /// The key of an n-gram of characters in the vocabulary. The bytes that do not fit the key are appended to
    /// `beyond`.
    #[inline]
    pub(super) fn gram_word(&self, gram: &[u8], marked: &mut Vec<u8>, beyond: &mut Vec<u8>) -> Word {
        let bytes = if self.unit == Unit::Both {
            mark_gram(gram, marked);
            marked.as_slice()
        } else {
            gram
        };
        if self.hash_bits > 0 {
            return hashed_terms::bucket(hashed_terms::hash_of_term(bytes), self.hash_bits);
        }
        long_word(bytes, beyond)
    }

    /// Cuts ASCII from a copy with white space folded, in which each n-gram is read at once.
    fn ascii_grams<L: Lexicon>(
        &self,
        text: &[u8],
        (shortest, longest): (usize, usize),
        lexicon: &mut L,
        grams: &mut CharTerms,
        sink: &mut impl FnMut(&[u32], &Vocabulary) -> bool,
    ) -> bool {
        let CharTerms { words, ids, folded, .. } = grams;
        fold(text, self.preparation.lowercase, folded);
        let length = folded.len();
        folded.resize(length + BEYOND_WORD, 0);
        let seeds = crate::vocabulary::table::seeds();
        let mut first = 0;
        while first < length {
            let end = length.min(first + ROUND.div_ceil(longest - shortest + 1));
            words.clear();
            slide(first + 1..end + 1, false, (shortest, longest), |from, to| {
                let word = short_word(&folded[from..from + BEYOND_WORD], (to - from) as u32, seeds);
                lexicon.vocabulary().prefetch_word(&word);
                words.push(word);
            });
            look_up(words, &[], lexicon, ids);
            if !sink(ids, lexicon.vocabulary()) {
                return false;
            }
            first = end;
        }
        true
    }

    /// Cuts words, and finds the terms of each distinct word only once.
    fn grams_of_words<L: Lexicon>(
        &self,
        text: &[u8],
        ngrams: (usize, usize),
        lexicon: &mut L,
        grams: &mut CharTerms,
        sink: &mut impl FnMut(&[u32], &Vocabulary) -> bool,
    ) -> bool {
        let mut folded = std::mem::take(&mut grams.folded);
        let (text, mut go_on) = self.fold_ascii(text, &mut folded, &mut || sink(&[], lexicon.vocabulary()));
        grams.cache.begin();
        let mut round: Vec<u32> = Vec::with_capacity(2 * ROUND);
        let mut at = 0;
        while go_on {
            let Some(word) = next_word(text, &mut at) else { break };
            if word.len() > LONGEST_WORD {
                go_on = self.any_grams(word, Bounds::Words, ngrams, lexicon, grams, &mut *sink);
                continue;
            }
            let number = (&mut grams.cache.words).word(&Word::new(word), word);
            if number as usize == grams.cache.values.len() {
                grams.words.clear();
                grams.beyond.clear();
                self.stage_grams(word, lexicon.vocabulary(), grams);
                look_up(&grams.words, &grams.beyond, lexicon, &mut grams.ids);
                grams.cache.add(grams.ids.len(), grams.ids.as_slice().into());
            }
            round.extend_from_slice(&grams.cache.values[number as usize]);
            if round.len() >= ROUND {
                go_on = sink(&round, lexicon.vocabulary());
                round.clear();
            }
        }
        grams.folded = folded;
        go_on && sink(&round, lexicon.vocabulary())
    }
}

/// Replaces `out` by ASCII with each run of white space as one space, in lower case if asked.
fn fold(text: &[u8], lowercase: bool, out: &mut Vec<u8>) {
    out.clear();
    out.reserve(text.len() + BEYOND_WORD);
    let mut in_space = false;
    for &byte in text {
        let space = char::from(byte).is_whitespace();
        if !(space && in_space) {
            out.push(match byte {
                _ if space => b' ',
                b'A'..=b'Z' if lowercase => byte | 0x20,
                _ => byte,
            });
        }
        in_space = space;
    }
}

/// The next run of bytes without white space, starting at `at`, which moves behind it.
pub(super) fn next_word<'a>(text: &'a [u8], at: &mut usize) -> Option<&'a [u8]> {
    while let Some(width) = white_space_at(text, *at) {
        *at += width;
    }
    let start = *at;
    while *at < text.len() {
        let byte = text[*at];
        if (byte > b' ' && byte < 0x80) || white_space_at(text, *at).is_none() {
            // The bytes within a character never look like white space.
            *at += 1;
        } else {
            break;
        }
    }
    (start < *at).then(|| &text[start..*at])
}
