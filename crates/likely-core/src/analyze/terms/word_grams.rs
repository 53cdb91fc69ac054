//! The n-grams of the characters of one word: their keys in a vocabulary, or their characters.

use crate::analyze::analyzer::Analyzer;
use crate::analyze::characters::char_units::{Bounds, CharUnits, slide};
use crate::analyze::settings::{CHAR_MARK, Unit};
use crate::analyze::spans::CHAR_SPACE;
use crate::analyze::terms::char_terms::CharTerms;
use crate::vocabulary::table::seeds;
use crate::vocabulary::term_ids::{JOINT, Vocabulary};
use crate::vocabulary::term_rows::CharKey;
use crate::vocabulary::word::{SHORT, Word, halves};

/// The longest word, in bytes.
pub(super) const LONGEST_WORD: usize = 64;

impl Analyzer {
    /// Makes the keys of the n-grams of a word, and asks for the memory that their look-ups will touch.
    pub(super) fn stage_grams(&self, word: &[u8], vocabulary: &Vocabulary, grams: &mut CharTerms) {
        let Some((_, (shortest, longest))) = self.characters() else { return };
        let (mark, space) = self.spelling_of_grams();
        let fits = mark.len() + longest + 2 * (space.len() - 1) <= SHORT;
        let CharTerms { words, marked, beyond, characters, .. } = grams;
        if fits && self.hash_bits == 0 && word.is_ascii() {
            return ascii_grams(word, (shortest, longest), (mark, space), |word| {
                vocabulary.prefetch_word(&word);
                words.push(word);
            });
        }
        characters.read(word, self.preparation.lowercase, Bounds::Words, longest, |units| {
            units.grams(shortest, longest, |gram, _| {
                let word = self.gram_word(gram, marked, beyond);
                vocabulary.prefetch_word(&word);
                words.push(word);
            });
            true
        });
    }

    /// What an n-gram of characters begins with in the vocabulary, and what it has for a space.
    pub(crate) fn spelling_of_grams(&self) -> (&'static str, &'static str) {
        if self.unit == Unit::Both { (CHAR_MARK, CHAR_SPACE) } else { ("", " ") }
    }

    /// Calls `each` with the characters of each n-gram of a word, in the order of [`CharUnits::grams`]; returns false,
    /// and has called nothing, if a character does not fit.
    #[inline]
    pub(super) fn characters_of_grams(
        &self,
        word: &[u8],
        characters: &mut CharUnits,
        each: impl FnMut(CharKey),
    ) -> bool {
        let Some((_, ngrams)) = self.characters() else { return true };
        if word.is_ascii() {
            return !word.contains(&0) && {
                last_characters(word.iter().map(|&byte| char::from(byte)), ngrams, each);
                true
            };
        }
        let mut fits = false;
        let mut each = Some(each);
        characters.read(word, self.preparation.lowercase, Bounds::Words, ngrams.1, |units| {
            let word = units.text().trim_matches(' ');
            // In a vocabulary with words, the sign for a space and a space are the same.
            fits = word.chars().all(CharKey::fits) && !word.contains(CHAR_SPACE);
            if let (true, Some(each)) = (fits, each.take()) {
                last_characters(word.chars(), ngrams, each);
            }
            true
        });
        fits
    }
}

/// Calls `each` with the characters of each n-gram of a word between spaces.
#[inline]
fn last_characters(word: impl Iterator<Item = char>, ngrams: (usize, usize), mut each: impl FnMut(CharKey)) {
    let (mut last, mut length) = (CharKey::default(), 0);
    let mut word = [' '].into_iter().chain(word).chain([' ']).peekable();
    while let Some(character) = word.next() {
        last = last.followed_by(character);
        length += 1;
        slide(length..length + 1, word.peek().is_none(), ngrams, |from, to| each(last.last(to - from)));
    }
}

/// Calls `each` with the key of each n-gram of a word of ASCII in its final case, in the order of
/// [`crate::analyze::characters::char_units::CharUnits::grams`]. A key begins with the mark, and has `space` for a space.
#[inline]
fn ascii_grams(word: &[u8], ngrams: (usize, usize), (mark, space): (&str, &str), mut each: impl FnMut(Word)) {
    const ROOM: usize = LONGEST_WORD + 2 * SHORT + 16;
    debug_assert!(!word.contains(&JOINT) && word.len() <= LONGEST_WORD);
    let (mut bytes, width) = ([0; ROOM], space.len());
    bytes[..width].copy_from_slice(space.as_bytes());
    bytes[width..width + word.len()].copy_from_slice(word);
    bytes[width + word.len()..2 * width + word.len()].copy_from_slice(space.as_bytes());
    let (characters, seeds, marked) = (word.len() + 2, seeds(), short_number(mark.as_bytes()));
    // Where a character starts: all have one byte, except for the first and the last.
    let start = |at: usize| match at {
        0 => 0,
        at if at < characters => width + at - 1,
        _ => 2 * width + word.len(),
    };
    slide(1..characters + 1, true, ngrams, |first, last| {
        let (from, to) = (start(first), start(last));
        let gram: [u8; 16] = bytes[from..from + 16].try_into().unwrap_or_default();
        let gram = u128::from_le_bytes(gram) & (u128::MAX >> (128 - 8 * (to - from)));
        let (low, high) = halves((gram << (8 * mark.len()) | marked).to_le_bytes());
        each(Word::short(low, high, (mark.len() + to - from) as u32, seeds));
    });
}

/// At most 15 bytes as a number, the first byte lowest.
fn short_number(bytes: &[u8]) -> u128 {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | u128::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::settings::Settings;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn keys_of_ascii_are_those_of_any_text(
            word in "[!-@\\[-~]{1,64}",
            unit in prop_oneof![Just(Unit::CharWb), Just(Unit::Both)],
            shortest in 1usize..5,
            more in 0usize..3,
        ) {
            let ngrams = (shortest, shortest + more);
            let analyzer = Analyzer::new(Settings { char_ngrams: ngrams, ..Settings::plain(unit, ngrams.0, ngrams.1, true) });
            let (mark, space) = analyzer.spelling_of_grams();
            prop_assume!(mark.len() + ngrams.1 + 2 * (space.len() - 1) <= SHORT);
            let (mut fast, mut slow) = (Vec::new(), Vec::new());
            ascii_grams(word.as_bytes(), ngrams, (mark, space), |word| fast.push(word.key));
            let mut grams = CharTerms::default();
            let CharTerms { marked, beyond, characters, .. } = &mut grams;
            characters.read(word.as_bytes(), true, Bounds::Words, ngrams.1, |units| {
                units.grams(ngrams.0, ngrams.1, |gram, _| slow.push(analyzer.gram_word(gram, marked, beyond).key));
                true
            });
            prop_assert_eq!(fast, slow);
        }

        #[test]
        fn characters_are_those_of_the_n_grams(word in "[a-zA-Z\u{c0}-\u{17f}\u{410}-\u{44f}]{1,30}", shortest in 1usize..5) {
            let analyzer = Analyzer::plain(Unit::CharWb, shortest, 4, true);
            let word = word.to_ascii_lowercase();
            let (mut fast, mut slow, mut characters) = (Vec::new(), Vec::new(), CharUnits::default());
            prop_assert!(analyzer.characters_of_grams(word.as_bytes(), &mut characters, |key| fast.push(key)));
            characters.read(word.as_bytes(), true, Bounds::Words, 4, |units| {
                units.grams(shortest, 4, |gram, _| slow.push(CharKey::of(std::str::from_utf8(gram).expect("text").chars())));
                true
            });
            prop_assert_eq!(fast.into_iter().map(Some).collect::<Vec<_>>(), slow);
        }
    }

    #[test]
    fn a_word_with_a_character_that_does_not_fit_is_refused() {
        let analyzer = Analyzer::plain(Unit::CharWb, 1, 4, true);
        for word in ["a\0", "\u{1f600}", "é\0", CHAR_SPACE] {
            assert!(!analyzer.characters_of_grams(word.as_bytes(), &mut CharUnits::default(), |_| ()));
        }
    }
}
