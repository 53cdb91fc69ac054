//! What the words of a document add up to, roughly, with a bound on the error: for callers that only ask whether a score
//! is on one side of a threshold, which the rough sums decide for most texts.
//!
//! A number of a word takes two bytes instead of eight, so that four times as many words are remembered, and a quarter of
//! the memory is read.

use crate::analyze::terms::grams_by_word::TermsOfWords;
use crate::score::compact_rows::CLASSES;
use crate::score::sums::{Sums, WORD_NUMBERS};
use crate::score::word_rows::{Numbering, ThreadWords, WordRows};
use crate::score::word_sums::{RowsOfTerms, SumsOfWords};
use crate::vector::vectorized;

/// How many steps of a rough number make 1, unless the numbers of its word are too large for that.
const STEPS: f64 = 512.0;
/// How many words ahead the memory of a row is asked for.
const AHEAD: usize = 8;
/// A word that is added more often than this is added apart, because the sums of many such words might overflow.
const OFTEN: i32 = 64;
/// How many words may be added before the sums might overflow.
const MOST: usize = (i32::MAX / (i16::MAX as i32 * (OFTEN - 1))) as usize;
/// A sum of a word that has to be halved more often, because it is above 60 billion or infinite, is unknown.
const MOST_HALVINGS: i16 = 30;
/// What exact sums lose by rounding is far less than this.
const ROUNDING: f64 = 1e-6;

/// The sums of a document. The row of a word consists of its numbers: how many terms it has, how many of them are known,
/// and how often the largest of its sums had to be halved; and of its sums, class by class.
#[derive(Default)]
pub(super) struct RoughSums {
    pub(super) words: ThreadWords<i16>,
    /// The sums of some words, in steps.
    some: Vec<i32>,
    /// The sums of all words, in steps, after [`WORD_NUMBERS`].
    totals: Vec<f64>,
    terms: u64,
    known: u64,
    /// How many times half a step the sums may be wrong.
    halves: u64,
}

impl RoughSums {
    /// By how much a sum of the last document may differ from the exact one.
    pub(super) fn doubt(&self) -> f64 {
        if self.halves == u64::MAX {
            return f64::INFINITY;
        }
        self.halves as f64 * (0.5 + ROUNDING) / STEPS + ROUNDING
    }
}

impl SumsOfWords for RoughSums {
    type Number = i16;

    fn begin<'a>(&mut self, width: usize, shared: &'a WordRows<i16>, memory: usize) -> Numbering<'a> {
        let stride = (width + WORD_NUMBERS).next_multiple_of(16);
        self.totals.clear();
        self.totals.resize(stride, 0.0);
        self.some.clear();
        self.some.resize(stride - WORD_NUMBERS, 0);
        (self.terms, self.known, self.halves) = (0, 0, 0);
        self.words.begin(stride, shared, memory)
    }

    fn learn(&mut self, rows: &RowsOfTerms<'_>, grams: &TermsOfWords, tokens: &TermsOfWords) {
        let (stride, table) = (self.totals.len(), self.words.new_rows());
        for word in 0..grams.ends.len() {
            let (numbers, sums) = rows.compact_sums([grams, tokens], word);
            append(numbers, &sums[..CLASSES.min(stride - WORD_NUMBERS)], stride, table);
        }
    }

    fn add(&mut self, shared: &WordRows<i16>, words: &[(u32, u32)]) {
        for part in words.chunks(MOST) {
            self.add_some(shared, part);
            for (total, sum) in self.totals[WORD_NUMBERS..].iter_mut().zip(&mut self.some) {
                *total += f64::from(std::mem::take(sum));
            }
        }
        self.words.drop_rest();
    }

    fn finish(&mut self, numbering: Numbering<'_>, sums: &mut Sums) -> [u64; 2] {
        self.words.end(numbering);
        self.totals[WORD_NUMBERS..].iter_mut().for_each(|total| *total /= STEPS);
        self.totals[..WORD_NUMBERS].copy_from_slice(&[
            self.terms as f64,
            self.known as f64,
            self.known as f64,
            0.0,
        ]);
        sums.add_words(&self.totals, &vec![0.0; self.totals.len()]);
        [self.terms, self.known]
    }
}

impl RoughSums {
    fn add_some(&mut self, shared: &WordRows<i16>, words: &[(u32, u32)]) {
        for (at, &(word, times)) in words.iter().enumerate() {
            if let Some(&(next, _)) = words.get(at + AHEAD) {
                self.words.prefetch(shared, next);
            }
            let Some(&[terms, known, halvings, _, ref row @ ..]) = self.words.row(shared, word) else { continue };
            self.terms += u64::from(times) * terms as u64;
            self.known += u64::from(times) * known as u64;
            let factor = if halvings > MOST_HALVINGS { u64::MAX } else { u64::from(times) << halvings };
            self.halves = self.halves.saturating_add(factor);
            match i32::try_from(factor) {
                Ok(factor) if factor < OFTEN => add_row(row, factor, &mut self.some),
                _ => {
                    let totals = self.totals[WORD_NUMBERS..].iter_mut();
                    totals.zip(row).for_each(|(total, &sum)| *total += factor as f64 * f64::from(sum));
                }
            }
        }
    }
}

/// Appends the row of a word with these numbers of terms and of known terms, and these sums.
fn append([terms, known]: [usize; 2], sums: &[f64], stride: usize, table: &mut Vec<i16>) {
    let largest = largest_of(sums);
    let is_too_large = |halvings: i16| largest * STEPS > f64::from(i16::MAX - 1) * f64::from(1 << halvings);
    let mut halvings = 0;
    while halvings <= MOST_HALVINGS && is_too_large(halvings) {
        halvings += 1;
    }
    let start = table.len();
    table.extend([terms as i16, known as i16, halvings, 0]);
    table.resize(start + stride, 0);
    if halvings <= MOST_HALVINGS {
        round_all(sums, STEPS / f64::from(1 << halvings), &mut table[start + WORD_NUMBERS..]);
    }
}

/// The largest sum, whatever its sign.
#[inline]
fn largest_of(sums: &[f64]) -> f64 {
    // Several at a time, which do not wait for each other.
    let mut largest = [0.0; 8];
    for some in sums.chunks(largest.len()) {
        largest.iter_mut().zip(some).for_each(|(largest, sum)| *largest = f64::max(*largest, sum.abs()));
    }
    largest.into_iter().fold(0.0, f64::max)
}

/// Some numbers times a factor, rounded to whole ones.
#[inline]
fn round_all(sums: &[f64], factor: f64, rounded: &mut [i16]) {
    /// Adding it to a number leaves the nearest whole number in the last bits (1.5 times 2 to the power of 52).
    const MAGIC: f64 = 6_755_399_441_055_744.0;
    let round = |(rounded, sum): (&mut i16, &f64)| *rounded = (sum * factor + MAGIC).to_bits() as i16;
    vectorized(|| rounded.iter_mut().zip(sums).for_each(round));
}

#[inline]
fn add_row(row: &[i16], times: i32, sums: &mut [i32]) {
    vectorized(|| sums.iter_mut().zip(row).for_each(|(sum, &more)| *sum += times * i32::from(more)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::lexicon::Lexicon;
    use crate::vocabulary::term_ids::Vocabulary;
    use crate::vocabulary::word::Word;
    use proptest::prelude::*;

    const WIDTH: usize = 3;

    /// The sums of words with these sums, each as often as the number beside it says, and their doubt.
    fn added(words: &[([f64; WIDTH], u32)]) -> (Vec<f64>, f64) {
        let (mut sums, shared) = (RoughSums::default(), WordRows::default());
        let mut numbering = sums.begin(WIDTH, &shared, 1 << 20);
        let numbers = numbering.numbers(None);
        let ids: Vec<(u32, u32)> = words.iter().enumerate().map(|(at, &(_, times))| (at as u32, times)).collect();
        let mut own: &mut Vocabulary = numbers.own;
        for (at, (word, _)) in words.iter().enumerate() {
            let name = at.to_string();
            own.word(&Word::new(name.as_bytes()), name.as_bytes());
            append([7, 5], word, sums.totals.len(), sums.words.new_rows());
        }
        sums.add(&shared, &ids);
        let all: u64 = words.iter().map(|&(_, times)| u64::from(times)).sum();
        assert_eq!((sums.terms, sums.known), (7 * all, 5 * all));
        (sums.totals[WORD_NUMBERS..][..WIDTH].iter().map(|total| total / STEPS).collect(), sums.doubt())
    }

    fn any_sum() -> impl Strategy<Value = f64> {
        prop_oneof![-10.0..300.0, -1e6..1e6, Just(0.0), Just(1e10)]
    }

    proptest! {
        #[test]
        fn sums_are_wrong_by_at_most_the_doubt(
            words in prop::collection::vec((prop::array::uniform3(any_sum()), 1u32..200), 0..50),
        ) {
            let (found, doubt) = added(&words);
            for class in 0..WIDTH {
                let exact: f64 = words.iter().map(|(word, times)| word[class] * f64::from(*times)).sum();
                prop_assert!((found[class] - exact).abs() <= doubt * (1.0 + 1e-9), "{} {exact} {doubt}", found[class]);
            }
        }
    }

    #[test]
    fn of_a_word_whose_sums_are_too_large_nothing_is_known() {
        for large in [1e12, f64::NEG_INFINITY] {
            let (found, doubt) = added(&[([large, 1.0, 2.0], 3), ([1.0, 1.0, 1.0], 1)]);
            assert!(found.iter().all(|sum| sum.is_finite()) && doubt == f64::INFINITY);
        }
    }

    #[test]
    fn a_word_that_occurs_a_million_times_among_the_largest_does_not_overflow() {
        let largest = f64::from(i16::MAX - 1) / STEPS;
        let words: Vec<([f64; WIDTH], u32)> = (0..3000)
            .map(|at| ([largest, -largest, 0.0], if at == 7 { 1_000_000 } else { OFTEN as u32 - 1 }))
            .collect();
        let (found, _) = added(&words);
        let times = 1_000_000.0 + 2999.0 * f64::from(OFTEN - 1);
        assert_eq!(found, [times * largest, -times * largest, 0.0]);
    }
}
