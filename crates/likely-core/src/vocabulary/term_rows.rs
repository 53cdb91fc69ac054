//! Where the row of each term is: by its id, and for a short n-gram of characters by the characters themselves.
//!
//! Characters to ids and ids to rows would be two reads of memory that is far away. For n-grams of at most four
//! characters, which is what a model of languages counts, it is one.

use crate::vocabulary::phrase_table::{Phrase, PhraseTable};
use crate::vocabulary::term_ids::UNKNOWN;

/// The longest n-gram whose characters fit its key.
pub(crate) const LONGEST: usize = 4;
const BITS: usize = 16;

/// Terms to rows.
pub(crate) struct TermRows {
    by_id: Vec<u32>,
    by_characters: PhraseTable,
}

impl TermRows {
    /// The rows of all terms, by their ids; [`UNKNOWN`] for a term without a row. There is room for this number of
    /// n-grams.
    pub(crate) fn new(by_id: Vec<u32>, grams: usize) -> Self {
        Self { by_id, by_characters: PhraseTable::with_room(grams) }
    }

    /// From now on, the row of this n-gram of characters can be found without an id.
    pub(crate) fn add_characters(&mut self, gram: CharKey, row: u32) {
        self.by_characters.insert(gram.halves(), row);
    }

    /// The row of a term, or [`UNKNOWN`].
    #[inline]
    pub(crate) fn of_id(&self, id: u32) -> u32 {
        self.by_id.get(id as usize).copied().unwrap_or(UNKNOWN)
    }

    /// Asks for the memory that a look-up will touch.
    #[inline]
    pub(crate) fn prefetch(&self, gram: CharKey) {
        self.by_characters.prefetch(gram.halves());
    }

    /// The row of an n-gram of characters, or [`UNKNOWN`].
    #[inline]
    pub(crate) fn of_characters(&self, gram: CharKey) -> u32 {
        self.by_characters.find(gram.halves())
    }
}

/// The last few characters of a text, 16 bits each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CharKey(u64);

impl CharKey {
    /// The key of a whole n-gram; None if it is too long, or if a character does not fit.
    pub(crate) fn of(gram: impl Iterator<Item = char>) -> Option<Self> {
        let (mut key, mut length) = (Self::default(), 0);
        for character in gram {
            key = key.followed_by(character);
            length += 1;
            if length > LONGEST || !Self::fits(character) {
                return None;
            }
        }
        Some(key)
    }

    /// Whether a character has 16 bits. Zero stands for no character, and four times the largest number for no key.
    #[inline]
    pub(crate) fn fits(character: char) -> bool {
        (1..0xffff).contains(&u32::from(character))
    }

    /// The last four characters after another one.
    #[inline]
    pub(crate) fn followed_by(self, character: char) -> Self {
        Self(self.0 << BITS | u64::from(character))
    }

    /// The last `count` characters, from 1 to 4.
    #[inline]
    pub(crate) fn last(self, count: usize) -> Self {
        Self(self.0 & u64::MAX >> (BITS * (LONGEST - count)))
    }

    #[inline]
    fn halves(self) -> Phrase {
        [(self.0 >> 32) as u32, self.0 as u32]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn n_grams_are_found_by_their_characters() {
        let mut rows = TermRows::new(vec![5, UNKNOWN, 7], 0);
        let grams = ["a", " a", "ab", "abcd", "\u{10d}\u{4e2d}\u{fffd}", "    "];
        for (row, gram) in grams.iter().enumerate() {
            rows.add_characters(CharKey::of(gram.chars()).expect("it is short"), row as u32);
        }
        for (row, gram) in grams.iter().enumerate() {
            let key = CharKey::of(gram.chars()).expect("it is short");
            assert_eq!(rows.of_characters(key), row as u32);
        }
        let end = "xabcd".chars().fold(CharKey::default(), CharKey::followed_by);
        assert_eq!(
            (end.last(4), end.last(1)),
            (CharKey::of("abcd".chars()).unwrap(), CharKey::of("d".chars()).unwrap())
        );
        assert_eq!(rows.of_characters(end.last(2)), UNKNOWN);
        assert_eq!([0, 1, 2, 3].map(|id| rows.of_id(id)), [5, UNKNOWN, 7, UNKNOWN]);
    }

    #[test]
    fn other_n_grams_have_no_key() {
        for gram in ["abcde", "a\0", "\u{1f600}", "\u{ffff}"] {
            assert_eq!(CharKey::of(gram.chars()), None);
        }
    }
}
