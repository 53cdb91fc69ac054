//! Words and n-grams to ids, with or without adding those that are new.

use crate::vocabulary::packed_phrases::PackedPhrases;
use crate::vocabulary::term_ids::{UNKNOWN, Vocabulary};
use crate::vocabulary::word::Word;

/// Turns words and n-grams into ids: `&Vocabulary` looks them up, `&mut Vocabulary` also adds those that are new.
pub(crate) trait Lexicon {
    /// The vocabulary behind it, in which words and n-grams are looked up unless the following say otherwise.
    fn vocabulary(&self) -> &Vocabulary;

    /// The id of a word. `bytes` may be empty if the key holds the whole word.
    #[inline(always)]
    fn word(&mut self, word: &Word, bytes: &[u8]) -> u32 {
        self.vocabulary().find_word(word, bytes)
    }

    /// The id of the n-gram that consists of the n-gram `parent` and the word `last`.
    #[inline]
    fn phrase(&mut self, parent: u32, last: u32) -> u32 {
        self.vocabulary().find_phrase(parent, last)
    }

    /// The vocabulary, if words are only looked up in it.
    #[inline(always)]
    fn reads(&self) -> Option<&Vocabulary> {
        None
    }

    /// A table of the longest n-grams, which are not part of any others, if they are looked up there.
    #[inline(always)]
    fn longest(&self) -> Option<&PackedPhrases> {
        None
    }
}

impl Lexicon for &Vocabulary {
    fn vocabulary(&self) -> &Vocabulary {
        self
    }

    #[inline(always)]
    fn reads(&self) -> Option<&Vocabulary> {
        Some(self)
    }
}

impl Lexicon for &mut Vocabulary {
    fn vocabulary(&self) -> &Vocabulary {
        self
    }

    #[inline(always)]
    fn word(&mut self, word: &Word, bytes: &[u8]) -> u32 {
        match self.find_word(word, bytes) {
            UNKNOWN => self.add_word(word, bytes),
            id => id,
        }
    }

    #[inline]
    fn phrase(&mut self, parent: u32, last: u32) -> u32 {
        match self.find_phrase(parent, last) {
            UNKNOWN => self.add_phrase(parent, last),
            id => id,
        }
    }
}
