//! Words go in; what they are counted as comes out. Each distinct word is prepared only once.

use crate::analyze::terms::hashed_terms;
use crate::analyze::words::preparation::{NEGATED, Preparation, is_word};
use crate::vocabulary::lexicon::Lexicon;
use crate::vocabulary::term_ids::Vocabulary;
use crate::vocabulary::word::Word;

/// After this many distinct words the memory of them starts anew.
const MOST: usize = 1 << 22;
/// A word that has not been prepared yet, and a stop word. No term has one of these ids.
const UNSET: u32 = u32::MAX - 2;
const DROPPED: u32 = u32::MAX - 1;

const NEGATOR: u8 = 1;
const CAN_BE_NEGATED: u8 = 2;

/// The words that one thread has met. They belong to one preparation and one vocabulary.
#[derive(Default)]
pub(crate) struct PreparedWords {
    pub(crate) words: Vocabulary,
    /// What each word is counted as, plain and negated: the id of a term, or the index of its hash.
    values: Vec<[u32; 2]>,
    pub(crate) hashes: Vec<u64>,
    flags: Vec<u8>,
    negating: bool,
    counted: String,
}

impl PreparedWords {
    /// Begins a text.
    pub(crate) fn begin(&mut self) {
        self.negating = false;
        if self.words.len() > MOST {
            *self = Self::default();
        }
    }

    /// Replaces `out` by what some words are counted as. The words are given by their ids in `words`; `breaks` are the
    /// places of words before which a clause ended.
    #[inline]
    pub(crate) fn resolve<L: Lexicon>(
        &mut self,
        ids: &[u32],
        breaks: &[u32],
        preparation: &Preparation,
        hashed: bool,
        lexicon: &mut L,
        out: &mut Vec<u32>,
    ) {
        self.values.resize(self.words.len(), [UNSET; 2]);
        out.clear();
        out.reserve(ids.len());
        if !preparation.negators.is_empty() {
            return self.resolve_negated(ids, breaks, preparation, hashed, lexicon, out);
        }
        for &id in ids {
            let value = match self.values[id as usize][0] {
                UNSET => self.find(id, false, preparation, hashed, lexicon),
                known => known,
            };
            if value != DROPPED {
                out.push(value);
            }
        }
    }

    fn resolve_negated<L: Lexicon>(
        &mut self,
        ids: &[u32],
        breaks: &[u32],
        preparation: &Preparation,
        hashed: bool,
        lexicon: &mut L,
        out: &mut Vec<u32>,
    ) {
        self.learn_flags(preparation);
        let mut breaks = breaks.iter().copied().chain([u32::MAX]);
        let mut next_break = breaks.next();
        for (at, &id) in ids.iter().enumerate() {
            if next_break == Some(at as u32) {
                self.negating = false;
                next_break = breaks.next();
            }
            let flags = self.flags[id as usize];
            let negated = self.negating && flags == CAN_BE_NEGATED;
            let value = match self.values[id as usize][usize::from(negated)] {
                UNSET => self.find(id, negated, preparation, hashed, lexicon),
                known => known,
            };
            if value != DROPPED {
                out.push(value);
            }
            self.negating |= flags & NEGATOR != 0;
        }
    }

    fn learn_flags(&mut self, preparation: &Preparation) {
        for id in self.flags.len()..self.words.len() {
            let word = String::from_utf8_lossy(self.words.word_bytes(id as u32));
            let negator = if preparation.is_negator(&word) { NEGATOR } else { 0 };
            self.flags.push(negator | if is_word(&word) { CAN_BE_NEGATED } else { 0 });
        }
    }

    #[cold]
    fn find<L: Lexicon>(
        &mut self,
        id: u32,
        negated: bool,
        preparation: &Preparation,
        hashed: bool,
        lexicon: &mut L,
    ) -> u32 {
        self.counted.clear();
        self.counted.push_str(if negated { NEGATED } else { "" });
        let word = String::from_utf8_lossy(self.words.word_bytes(id));
        let stays = preparation.counted(&word, &mut self.counted);
        let value = if !stays {
            DROPPED
        } else if hashed {
            self.hashes.push(hashed_terms::hash_of_term(self.counted.as_bytes()));
            self.hashes.len() as u32 - 1
        } else {
            lexicon.word(&Word::new(self.counted.as_bytes()), self.counted.as_bytes())
        };
        self.values[id as usize][usize::from(negated)] = value;
        value
    }
}
