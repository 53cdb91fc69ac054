//! Words as they stand in texts to what they are counted as: worked out once for each distinct word.

use crate::buckets;
use crate::preparation::{NEGATED, Preparation, is_word};
use crate::vocabulary::{Lexicon, Vocabulary};
use crate::word::Word;

/// From so many distinct words on the memory of them is begun anew.
const MOST: usize = 1 << 22;
/// What is not known yet, and a stop word.
const UNSET: u64 = u64::MAX;
const DROPPED: u64 = u64::MAX - 1;

const NEGATOR: u8 = 1;
const CAN_BE_NEGATED: u8 = 2;

/// The words that one thread has met. It belongs to one preparation and one vocabulary.
#[derive(Default)]
pub(crate) struct Surface {
    pub(crate) words: Vocabulary,
    /// What each is counted as: the id of a term, or its hash.
    plain: Vec<u64>,
    negated: Vec<u64>,
    flags: Vec<u8>,
    negating: bool,
    counted: String,
}

impl Surface {
    /// Begins a text.
    pub(crate) fn begin(&mut self) {
        self.negating = false;
        if self.words.len() > MOST {
            *self = Self::default();
        }
    }

    /// Appends what some words, by their ids in `words`, are counted as; `breaks` tells before which a clause ended.
    pub(crate) fn resolve<L: Lexicon>(
        &mut self,
        ids: &[u32],
        breaks: impl Fn(usize) -> bool,
        preparation: &Preparation,
        hashed: bool,
        lexicon: &mut L,
        out: &mut Vec<u64>,
    ) {
        self.plain.resize(self.words.len(), UNSET);
        if preparation.negators.is_empty() {
            for &id in ids {
                let known = self.plain[id as usize];
                let value =
                    if known == UNSET { self.find(id, false, preparation, hashed, lexicon) } else { known };
                if value != DROPPED {
                    out.push(value);
                }
            }
            return;
        }
        self.negated.resize(self.words.len(), UNSET);
        self.learn_flags(preparation);
        for (at, &id) in ids.iter().enumerate() {
            self.negating &= !breaks(at);
            let flags = self.flags[id as usize];
            let negated = self.negating && flags & (NEGATOR | CAN_BE_NEGATED) == CAN_BE_NEGATED;
            let known = if negated { self.negated[id as usize] } else { self.plain[id as usize] };
            let value = if known == UNSET { self.find(id, negated, preparation, hashed, lexicon) } else { known };
            if value != DROPPED {
                out.push(value);
            }
            self.negating |= flags & NEGATOR != 0;
        }
    }

    fn learn_flags(&mut self, preparation: &Preparation) {
        for id in self.flags.len()..self.words.len() {
            let word = self.words.term(id as u32);
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
    ) -> u64 {
        self.counted.clear();
        self.counted.push_str(if negated { NEGATED } else { "" });
        let stays = preparation.counted(&self.words.term(id), &mut self.counted);
        let value = if !stays {
            DROPPED
        } else if hashed {
            buckets::hash_of_term(self.counted.as_bytes())
        } else {
            u64::from(lexicon.word(&Word::new(self.counted.as_bytes()), self.counted.as_bytes()))
        };
        let values = if negated { &mut self.negated } else { &mut self.plain };
        values[id as usize] = value;
        value
    }
}
