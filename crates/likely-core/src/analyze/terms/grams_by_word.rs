//! A text goes in; its words come out as numbers, and the n-grams of the characters of words that are new.
//!
//! A word has the same n-grams wherever it occurs, so that whoever knows the number of a word need not see them again.

use crate::analyze::analyzer::Analyzer;
use crate::analyze::characters::char_units::Bounds;
use crate::analyze::settings::{CHAR_MARK, Unit};
use crate::analyze::spans::CHAR_SPACE;
use crate::analyze::terms::char_terms::{CharTerms, next_word};
use crate::analyze::terms::staged_words::look_up_more;
use crate::vocabulary::lexicon::Lexicon;
use crate::vocabulary::table::seeds;
use crate::vocabulary::term_ids::{JOINT, UNKNOWN, Vocabulary};
use crate::vocabulary::word::{SHORT, Word, halves};

/// How many words are handed on at a time.
const ROUND: usize = 1024;
/// How many n-grams are looked up at a time: few enough that the memory they lead to stays near.
const GRAMS: usize = 512;
/// Words of more bytes are cut each time they occur, because hardly any of them occurs twice.
const LONGEST: usize = 64;

/// Some of the n-grams of the characters of a text, by word.
pub(crate) enum Part<'a> {
    /// The terms of the next words that are numbered: of the first word up to the first end, and so on.
    NewWords(&'a [u32], &'a [usize]),
    /// The numbers of some words of the text. After that, the numbers of words that were not kept are free again.
    Words(&'a [u32]),
    /// Terms of words that are too long to be numbered.
    Terms(&'a [u32]),
}

/// The numbers of words: first those that are shared, which are only read here, then one's own.
pub(crate) struct WordNumbers<'a> {
    pub(crate) shared: &'a Vocabulary,
    pub(crate) own: &'a mut Vocabulary,
    /// How many of one's own are kept; further words are numbered each time they occur.
    pub(crate) most: usize,
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

impl Analyzer {
    /// Calls `sink` with the n-grams of characters within words, until it returns false.
    pub(crate) fn grams_by_word<L: Lexicon>(
        &self,
        text: &[u8],
        lexicon: &mut L,
        grams: &mut CharTerms,
        mut words: WordNumbers<'_>,
        mut sink: impl FnMut(Part<'_>) -> bool,
    ) -> bool {
        let Some((_, ngrams)) = self.characters() else { return true };
        let mut folded = std::mem::take(&mut grams.folded);
        let text = self.fold_ascii(text, &mut folded);
        let (mut staged, mut round, mut new) = (Vec::with_capacity(ROUND), Vec::with_capacity(ROUND), Vec::new());
        let (mut found, mut ends) = (Vec::new(), Vec::new());
        let (mut at, mut go_on) = (0, true);
        while go_on && at < text.len() {
            while let (true, Some(word)) = (go_on && staged.len() < ROUND, next_word(text, &mut at)) {
                if word.len() > LONGEST {
                    go_on = self
                        .any_grams(word, Bounds::Words, ngrams, lexicon, grams, |ids, _| sink(Part::Terms(ids)));
                    continue;
                }
                let key = Word::new(word);
                words.prefetch(&key);
                staged.push((key, word));
            }
            let first_new = words.len();
            round.extend(staged.drain(..).map(|(key, word)| {
                words.number(&key, word).unwrap_or_else(|| {
                    new.push(word);
                    (first_new + new.len() - 1) as u32
                })
            }));
            self.look_up_grams(&mut new, lexicon, grams, &mut found, &mut ends);
            // Words that are remembered must be learned, also if nobody wants to go on.
            go_on &= sink(Part::NewWords(&found, &ends));
            go_on &= sink(Part::Words(&round));
            found.clear();
            ends.clear();
            round.clear();
        }
        grams.folded = folded;
        go_on
    }

    /// The text with the capitals of ASCII in lower case, if all text is put in lower case: fewer words are distinct.
    fn fold_ascii<'a>(&self, text: &'a [u8], folded: &'a mut Vec<u8>) -> &'a [u8] {
        if !self.preparation.lowercase {
            return text;
        }
        folded.clear();
        folded.extend(text.iter().map(u8::to_ascii_lowercase));
        folded
    }

    /// The ids of the n-grams of some words, and where those of each word end. They are looked up some hundreds at a
    /// time, so that the memory that they lead to can be asked for.
    fn look_up_grams<L: Lexicon>(
        &self,
        new: &mut Vec<&[u8]>,
        lexicon: &mut L,
        grams: &mut CharTerms,
        found: &mut Vec<u32>,
        ends: &mut Vec<usize>,
    ) {
        grams.words.clear();
        grams.beyond.clear();
        for word in new.drain(..) {
            self.stage_grams(word, lexicon.vocabulary(), grams);
            ends.push(found.len() + grams.words.len());
            if grams.words.len() >= GRAMS {
                look_up_more(&grams.words, &grams.beyond, lexicon, found);
                grams.words.clear();
                grams.beyond.clear();
            }
        }
        look_up_more(&grams.words, &grams.beyond, lexicon, found);
    }

    /// Makes the keys of the n-grams of a word, and asks for the memory that their look-ups will touch.
    fn stage_grams(&self, word: &[u8], vocabulary: &Vocabulary, grams: &mut CharTerms) {
        let Some((_, (shortest, longest))) = self.characters() else { return };
        let (mark, space) = if self.unit == Unit::Both { (CHAR_MARK, CHAR_SPACE) } else { ("", " ") };
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
}

/// Calls `each` with the key of each n-gram of a word of ASCII in its final case, in the order of
/// [`crate::analyze::characters::char_units::CharUnits::grams`]. A key begins with the mark, and has `space` for a space.
#[inline]
fn ascii_grams(
    word: &[u8],
    (shortest, longest): (usize, usize),
    (mark, space): (&str, &str),
    mut each: impl FnMut(Word),
) {
    const ROOM: usize = LONGEST + 2 * SHORT + 16;
    debug_assert!(!word.contains(&JOINT) && word.len() <= LONGEST);
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
    for end in 1..=characters {
        let least = if end == characters { shortest.min(end) } else { shortest };
        for n in least..=longest.min(end) {
            let (from, to) = (start(end - n), start(end));
            let gram: [u8; 16] = bytes[from..from + 16].try_into().unwrap_or_default();
            let gram = u128::from_le_bytes(gram) & (u128::MAX >> (128 - 8 * (to - from)));
            let (low, high) = halves((gram << (8 * mark.len()) | marked).to_le_bytes());
            each(Word::short(low, high, (mark.len() + to - from) as u32, seeds));
        }
    }
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
            let (mark, space) = if unit == Unit::Both { (CHAR_MARK, CHAR_SPACE) } else { ("", " ") };
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
    }
}
