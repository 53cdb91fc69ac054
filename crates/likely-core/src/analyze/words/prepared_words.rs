//! Words go in; what they are counted as comes out. Each distinct word is prepared only once.

use crate::analyze::terms::hashed_terms;
use crate::analyze::words::preparation::{NEGATED, Preparation, is_word};
use crate::analyze::words::word_cache::WordCache;
use crate::vocabulary::lexicon::Lexicon;
use crate::vocabulary::word::Word;

/// A word that has not been prepared yet, and a stop word. No term has one of these ids.
const UNSET: u32 = u32::MAX - 2;
const DROPPED: u32 = u32::MAX - 1;

/// What is known of a word.
#[derive(Clone, Copy)]
pub(crate) struct Prepared {
    /// What the word is counted as, plain and negated: the id of a term, or the index of its hash.
    values: [u32; 2],
    is_negator: bool,
    can_be_negated: bool,
}

/// The words that one thread has met. They belong to one preparation and one vocabulary.
#[derive(Default)]
pub(crate) struct PreparedWords {
    pub(crate) cache: WordCache<Prepared>,
    pub(crate) hashes: Vec<u64>,
    negating: bool,
    counted: String,
}

impl PreparedWords {
    /// Begins a text.
    pub(crate) fn begin(&mut self) {
        self.negating = false;
        self.cache.begin();
        if self.cache.values.is_empty() {
            self.hashes.clear();
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
        self.learn(preparation);
        out.clear();
        out.reserve(ids.len());
        if !preparation.negators.is_empty() {
            return self.resolve_negated(ids, breaks, preparation, hashed, lexicon, out);
        }
        for &id in ids {
            let value = match self.cache.values[id as usize].values[0] {
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
        let mut breaks = breaks.iter().copied().chain([u32::MAX]);
        let mut next_break = breaks.next();
        for (at, &id) in ids.iter().enumerate() {
            if next_break == Some(at as u32) {
                self.negating = false;
                next_break = breaks.next();
            }
            let word = self.cache.values[id as usize];
            let negated = self.negating && word.can_be_negated;
            let value = match word.values[usize::from(negated)] {
                UNSET => self.find(id, negated, preparation, hashed, lexicon),
                known => known,
            };
            if value != DROPPED {
                out.push(value);
            }
            self.negating |= word.is_negator;
        }
    }

    /// Notes what is known of words that are new.
    fn learn(&mut self, preparation: &Preparation) {
        for id in self.cache.values.len()..self.cache.words.len() {
            let (mut is_negator, mut can_be_negated) = (false, false);
            if !preparation.negators.is_empty() {
                let word = String::from_utf8_lossy(self.cache.words.word_bytes(id as u32));
                is_negator = preparation.is_negator(&word);
                can_be_negated = !is_negator && is_word(&word);
            }
            self.cache.add(4, Prepared { values: [UNSET; 2], is_negator, can_be_negated });
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
        let word = String::from_utf8_lossy(self.cache.words.word_bytes(id));
        let stays = preparation.counted(&word, &mut self.counted);
        let value = if !stays {
            DROPPED
        } else if hashed {
            self.hashes.push(hashed_terms::hash_of_term(self.counted.as_bytes()));
            self.hashes.len() as u32 - 1
        } else {
            lexicon.word(&Word::new(self.counted.as_bytes()), self.counted.as_bytes())
        };
        self.cache.values[id as usize].values[usize::from(negated)] = value;
        value
    }
}
