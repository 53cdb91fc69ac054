//! An unknown word goes in; the known word that it misspells comes out, if one is close.
//!
//! The distance of two words is the number of characters that are inserted, deleted, substituted, or swapped with a
//! neighbour, none of them twice: the optimal string alignment distance. The result does not depend on hash seeds or
//! on the order of the known words, and the time per word is bounded for any word and any known words.

use crate::analyze::characters::char_class::{Class, class};
use crate::error::{Error, Result};
use crate::spell::delete_index::{DeleteIndex, PREFIX, Remains};
use crate::spell::distance::distance;
use crate::vocabulary::table::MISSING;

/// Shorter words are not corrected: too many words are close to them, most of which are as probable as they are.
pub const SHORTEST: usize = 4;
/// From this length on two errors are allowed, below it only one: as a rule, one error per four letters.
pub const LONG: usize = 8;
/// Longer words are neither known nor corrected, because hardly any of them is a word.
pub const LONGEST: usize = 40;
/// How many known words are compared with a word at most, the frequent ones first in each look-up; then the best of
/// these is taken. This limit never changed an answer for the words of IMDB, and words that are made on purpose cannot
/// make us slow.
const PATIENCE: usize = 256;
/// How many words that were compared in vain are remembered: words that match in one way often match in many.
const REMEMBERED: usize = 64;
/// At most this many words are known, the most frequent ones, so that 32 bits number everything.
const MOST_WORDS: usize = 1 << 24;
/// After how many words the caller is asked whether to stop.
const PULSE: usize = 1 << 12;

/// The known words, best first: the more frequent word is better, and of equally frequent words the one that sorts
/// first.
pub struct Spelling {
    ids: Vec<u32>,
    frequencies: Vec<f64>,
    letters: Vec<char>,
    /// Where the letters of each word start; the last number is the end.
    starts: Vec<u32>,
    index: DeleteIndex,
}

// A word with fewer deletions than the word that asks for it must be indexed completely.
const _: () = assert!(PREFIX >= LONG);

/// The best word that was found so far.
struct Best {
    distance: usize,
    rank: u32,
}

impl Spelling {
    /// From ids, words and their frequencies. Words that nobody can mean (see [`is_word`]) are left out.
    pub fn new<'a>(words: impl Iterator<Item = (u32, &'a [u8], f64)>) -> Self {
        let mut words: Vec<_> = words
            .filter_map(|(id, word, frequency)| Some((id, std::str::from_utf8(word).ok()?, frequency)))
            .filter(|(_, word, _)| is_word(word))
            .collect();
        words.sort_unstable_by(|(id, word, frequency), (id_b, word_b, frequency_b)| {
            frequency_b.total_cmp(frequency).then_with(|| (word, id).cmp(&(word_b, id_b)))
        });
        words.truncate(MOST_WORDS);
        let mut spelling = Self {
            ids: words.iter().map(|&(id, ..)| id).collect(),
            frequencies: words.iter().map(|&(.., frequency)| frequency).collect(),
            letters: Vec::new(),
            starts: vec![0],
            index: DeleteIndex::new(std::iter::empty()),
        };
        for (_, word, _) in words {
            spelling.letters.extend(word.chars());
            spelling.starts.push(spelling.letters.len() as u32);
        }
        // A word is indexed under as many deletions as it is allowed errors. What a longer word, which is allowed more
        // errors, needs beyond that is deleted from the longer word.
        spelling.index = DeleteIndex::new((0..spelling.ids.len()).map(|rank| {
            let word = spelling.word(rank as u32);
            (word, allowed(word.len()))
        }));
        spelling
    }

    /// The closest known word within one error, or within two for a long word. Of equally close words it is the most
    /// frequent one, and of these the one that sorts first. A word that is known is closest to itself.
    pub fn closest(&self, word: &str) -> Option<u32> {
        if !is_word(word) {
            return None;
        }
        let word: Vec<char> = word.chars().collect();
        self.search(&word, allowed(word.len()), self.ids.len() as u32, |_| true)
            .map(|rank| self.ids[rank as usize])
    }

    /// Which words, of frequency `rare` at most, misspell a word that is at least `times` as frequent: pairs of ids,
    /// sorted. No word is on both sides.
    ///
    /// A rare word is mostly right as it is, so this is strict: one error, inside a long frequent word. Of the words
    /// of IMDB that occur in a single review and that fold, 5% also occur in edited texts and so are words. It would
    /// be 11% with words of six or seven letters, 17% with another last letter, and a quarter with another first
    /// letter or two errors.
    pub fn folds(&self, rare: f64, times: f64, stop: &dyn Fn() -> bool) -> Result<Vec<(u32, u32)>> {
        let first = self.frequencies.partition_point(|&frequency| frequency > rare);
        let mut folds = Vec::new();
        for rank in first..self.ids.len() {
            if rank.is_multiple_of(PULSE) && stop() {
                return Err(Error::Interrupted);
            }
            let least = times * self.frequencies[rank];
            let end = self.frequencies[..first].partition_point(|&frequency| frequency >= least);
            let word = self.word(rank as u32);
            if let Some(frequent) = self.search(word, 1, end as u32, |known| is_slip(word, known)) {
                folds.push((self.ids[rank], self.ids[frequent as usize]));
            }
        }
        folds.sort_unstable();
        Ok(folds)
    }

    /// The closest of the first `end` words, within `allowed` errors, for which `fits` returns true.
    fn search(&self, word: &[char], allowed: usize, end: u32, fits: impl Fn(&[char]) -> bool) -> Option<u32> {
        if allowed == 0 {
            return None;
        }
        let mut best = Best { distance: allowed + 1, rank: MISSING };
        let mut patience = PATIENCE;
        let mut refused = [MISSING; REMEMBERED];
        let mut look_up = |hash: u64, least: usize| {
            for rank in self.index.find(hash).take_while(|&rank| rank < end) {
                // A word that comes later must be closer to be better.
                let most = allowed.min(best.distance.saturating_sub(usize::from(rank >= best.rank)));
                if most < least || patience == 0 {
                    break;
                }
                let last = &mut refused[rank as usize % REMEMBERED];
                if *last == rank {
                    continue;
                }
                patience -= 1;
                let known = self.word(rank);
                match distance(word, known, most).filter(|_| fits(known)) {
                    Some(distance) => best = Best { distance, rank },
                    None => *last = rank,
                }
            }
            best.distance
        };
        let remains = Remains::of(word);
        let near = remains.up_to_one().map(|hash| look_up(hash, 0)).last();
        // Every word within one error has been found by now.
        if allowed == 2 && near > Some(1) {
            remains.two().for_each(|hash| self.index.prefetch(hash));
            remains.two().for_each(|hash| _ = look_up(hash, 2));
        }
        (best.rank != MISSING).then_some(best.rank)
    }

    fn word(&self, rank: u32) -> &[char] {
        let rank = rank as usize;
        &self.letters[self.starts[rank] as usize..self.starts[rank + 1] as usize]
    }
}

/// How many errors are allowed in a word of this number of characters.
pub fn allowed(length: usize) -> usize {
    match length {
        ..SHORTEST => 0,
        SHORTEST..LONG => 1,
        LONG.. => 2,
    }
}

/// Whether this can be misspelled or meant: it consists of letters with their marks and apostrophes, and not of too
/// many. Numbers, codes and emoji are never corrected.
fn is_word(word: &str) -> bool {
    let is_letter = |c: char| match class(c) {
        Class::Word => c.is_alphabetic(),
        Class::Mark | Class::Apostrophe | Class::Joiner => true,
        _ => false,
    };
    word.len() <= LONGEST * 4 && word.chars().all(is_letter) && word.chars().count() <= LONGEST
}

/// Whether the known word is long, and the other word begins and ends like it. Most misspellings do; most other forms
/// of a word, and other words, do not.
fn is_slip(word: &[char], known: &[char]) -> bool {
    known.len() >= LONG && word.first() == known.first() && word.last() == known.last()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spell::distance::tests::reference;
    use proptest::prelude::*;

    fn spelling(words: &[(&str, f64)]) -> Spelling {
        Spelling::new((0..).zip(words).map(|(id, &(word, frequency))| (id, word.as_bytes(), frequency)))
    }

    fn folds(spelling: &Spelling, rare: f64, times: f64) -> Vec<(u32, u32)> {
        spelling.folds(rare, times, &|| false).unwrap()
    }

    fn chars(word: &str) -> Vec<char> {
        word.chars().collect()
    }

    #[test]
    fn the_closest_is_meant_then_the_most_frequent_then_the_first() {
        let known =
            spelling(&[("terrible", 9.0), ("terribly", 7.0), ("table", 1.0), ("cable", 1.0), ("the", 50.0)]);
        assert_eq!(known.closest("terible"), Some(0));
        assert_eq!(known.closest("terriblyy"), Some(1));
        assert_eq!(known.closest("terriblx"), Some(0));
        assert_eq!(known.closest("eterrbile"), Some(0));
        assert_eq!(known.closest("wable"), Some(3));
        assert_eq!(known.closest("table"), Some(2));
        assert_eq!(known.closest("tabel"), Some(2));
        assert_eq!(known.closest("thee"), Some(4));
        for other in ["", "teh", "tables2", "tab-le", "t😀ble", "tbale x", "tabbbe", "terrxxxle"] {
            assert_eq!(known.closest(other), None, "{other}");
        }
    }

    #[test]
    fn what_is_no_word_is_never_meant() {
        let known = spelling(&[("route66", 1.0), ("co-op", 1.0), ("smile😀", 1.0), ("don't", 1.0), ("नमस्ते", 1.0)]);
        for other in ["routes", "coop", "smilee", "rout66"] {
            assert_eq!(known.closest(other), None, "{other}");
        }
        assert_eq!(known.closest("dont"), Some(3));
        assert_eq!(known.closest("नमसते"), Some(4));
        assert_eq!(Spelling::new([(0, &b"wo\xffrd"[..], 1.0)].into_iter()).closest("word"), None);
    }

    #[test]
    fn long_words_are_left_alone() {
        let (longest, longer) = ("a".repeat(LONGEST), "a".repeat(LONGEST + 1));
        let known = spelling(&[(&longest, 1.0), (&longer, 2.0)]);
        assert_eq!(known.closest(&longest), Some(0));
        assert_eq!(known.closest(&longer), None);
        assert_eq!(known.closest(&"a".repeat(1 << 20)), None);
    }

    #[test]
    fn a_crowd_does_not_hold_us_up() {
        let crowd: Vec<String> = ('一'..).take(5000).map(|c| format!("g{c}oodgreat")).collect();
        let hangul: Vec<String> = ('가'..).take(5000).map(|c| format!("g{c}oodgreat")).collect();
        let words: Vec<_> = crowd.iter().chain(&hangul).map(|word| (word.as_str(), 1.0)).collect();
        assert_eq!(spelling(&words).closest("goodgreatt"), Some(5000));
    }

    #[test]
    fn rare_words_fold_into_frequent_ones() {
        let known =
            [("terrible", 500.0), ("terible", 2.0), ("terrble", 20.0), ("watching", 900.0), ("matching", 1.0)];
        assert_eq!(folds(&spelling(&known), 2.0, 50.0), [(1, 0)]);
        assert_eq!(folds(&spelling(&known), 20.0, 10.0), [(1, 0), (2, 0)]);
        assert_eq!(folds(&spelling(&known), 0.0, 0.0), []);
        let stopped = spelling(&known[..1]).folds(900.0, 1.0, &|| true);
        assert_eq!(stopped, Err(Error::Interrupted));
    }

    proptest! {
        #[test]
        fn closest_is_what_comparing_all_finds(
            known in prop::collection::btree_map("[abé]{3,14}", 0u8..4, 0..60),
            asked in "[abé]{2,14}",
        ) {
            let words: Vec<(&str, f64)> = known.iter().map(|(word, &n)| (word.as_str(), f64::from(n))).collect();
            let asked_letters = chars(&asked);
            let expected = (0..words.len())
                .map(|id| (reference(&asked_letters, &chars(words[id].0)), -words[id].1 as i32, id as u32))
                .filter(|&(distance, ..)| distance <= allowed(asked_letters.len()) && asked_letters.len() >= SHORTEST)
                .min();
            prop_assert_eq!(spelling(&words).closest(&asked), expected.map(|(.., id)| id));
        }

        #[test]
        fn no_input_is_too_strange(words in prop::collection::vec((any::<String>(), any::<f64>()), 0..20), asked: String) {
            let words: Vec<(&str, f64)> = words.iter().map(|(word, n)| (word.as_str(), *n)).collect();
            let known = spelling(&words);
            known.closest(&asked);
            folds(&known, 2.0, 1.0);
        }
    }
}
