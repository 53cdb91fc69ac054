//! Texts go in; how often each bucket occurs comes out, or the sum of the weights of the buckets of each text.

use crate::analyze::analyzer::{Analyzer, Scratch};
use crate::error::{Error, Result, check_lengths};
use crate::parallel;
use crate::select::hashed::{HashedTerms, bucket};

/// Weights and their sums are whole numbers of 2^-32, so that a sum is exact, in whatever order it is made.
pub const ONE: f64 = 4_294_967_296.0;

/// The terms of texts, hashed into a number of buckets.
pub struct Buckets<'a> {
    analyzer: &'a Analyzer,
    number: u32,
}

impl<'a> Buckets<'a> {
    /// The buckets for the terms of an analyzer; there is at least one.
    pub fn new(analyzer: &'a Analyzer, number: u32) -> Self {
        Self { analyzer, number: number.max(1) }
    }

    /// How many terms of the texts fall into each bucket.
    pub fn count(&self, texts: &[&[u8]], threads: usize, stop: &dyn Fn() -> bool) -> Result<Vec<u64>> {
        check_lengths(texts.iter().map(|text| text.len()), self.analyzer.longest_text())?;
        let bytes = texts.iter().map(|text| text.len()).sum();
        let empty = || (Scratch::default(), HashedTerms::default(), vec![0; self.number as usize]);
        let mut workers = parallel::workers(bytes, threads, empty);
        let blocks = parallel::blocks(texts.iter().map(|text| text.len())).into_iter();
        let done = parallel::share(&mut workers, blocks, stop, |(scratch, terms, counts), block, pulse| {
            texts[block].iter().all(|text| {
                self.analyzer.terms(text, terms, scratch, |hashes, _| {
                    for &hash in hashes {
                        counts[bucket(hash, self.number)] += 1;
                    }
                    pulse.beat()
                })
            })
        });
        let mut counts = vec![0; self.number as usize];
        for (_, _, more) in workers {
            counts.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        }
        if done { Ok(counts) } else { Err(Error::Interrupted) }
    }

    /// The sum of the weights of each text, and its number of words. There is one weight per bucket, in units of
    /// 1 / [`ONE`]. A sum that does not fit stays at the largest number.
    pub fn sums(
        &self,
        texts: &[&[u8]],
        weights: &[i64],
        threads: usize,
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<(i64, u64)>> {
        check_lengths(texts.iter().map(|text| text.len()), self.analyzer.longest_text())?;
        let mut found = vec![(0_i64, 0); texts.len()];
        let blocks = parallel::blocks(texts.iter().map(|text| text.len()));
        let blocks = parallel::with_rows(blocks, &mut found, 1);
        let bytes = texts.iter().map(|text| text.len()).sum();
        let mut workers = parallel::workers(bytes, threads, <(Scratch, HashedTerms)>::default);
        let done = parallel::share(&mut workers, blocks, stop, |(scratch, terms), (block, rows), pulse| {
            texts[block].iter().zip(rows).all(|(text, (sum, words))| {
                let mut number = 0;
                let done = self.analyzer.terms(text, terms, scratch, |hashes, _| {
                    number += hashes.len() as u64;
                    *sum = hashes
                        .iter()
                        .fold(*sum, |sum: i64, &hash| sum.saturating_add(weights[bucket(hash, self.number)]));
                    pulse.beat()
                });
                *words = words_of(number, self.analyzer.words);
                done
            })
        });
        if done { Ok(found) } else { Err(Error::Interrupted) }
    }
}

/// The number of words of a text with this number of n-grams. A text that is too short for any has no words.
///
/// A text of w words has w - n + 1 n-grams of each length n, as long as this is above 0.
fn words_of(terms: u64, (shortest, longest): (usize, usize)) -> u64 {
    let (shortest, longest) = (shortest as u64, longest as u64);
    let lengths = longest - shortest + 1;
    if terms == 0 {
        return 0;
    }
    if terms >= lengths * (lengths - 1) / 2 {
        return (2 * terms + lengths * (shortest + longest)) / (2 * lengths) - 1;
    }
    (1..lengths).find(|words| words * (words + 1) / 2 >= terms).unwrap_or_default() + shortest - 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::settings::Unit;
    use crate::vocabulary::lexicon::Lexicon;
    use crate::vocabulary::word::Word;
    use proptest::prelude::*;

    const NUMBER: u32 = 50;

    fn hash(terms: &mut HashedTerms, word: &str) -> u32 {
        terms.word(&Word::new(word.as_bytes()), word.as_bytes())
    }

    /// The buckets of the unigrams and bigrams of a text, in plain words.
    fn plain_buckets(text: &str) -> Vec<usize> {
        let mut terms = HashedTerms::default();
        let hashes: Vec<u32> = text.split_whitespace().map(|word| hash(&mut terms, word)).collect();
        let pairs: Vec<u32> = hashes.windows(2).map(|pair| terms.phrase(pair[0], pair[1])).collect();
        hashes.iter().chain(&pairs).map(|&hash| bucket(hash, NUMBER)).collect()
    }

    proptest! {
        #[test]
        fn counts_and_sums_are_those_of_the_definition(
            texts in prop::collection::vec("([a-d]{1,18} ){0,120}", 0..6),
            threads in 1usize..4,
        ) {
            let analyzer = Analyzer::plain(Unit::Word, 1, 2, true);
            let buckets = Buckets::new(&analyzer, NUMBER);
            let slices: Vec<&[u8]> = texts.iter().map(|text| text.as_bytes()).collect();
            let mut expected = vec![0; NUMBER as usize];
            texts.iter().flat_map(|text| plain_buckets(text)).for_each(|bucket| expected[bucket] += 1);
            prop_assert_eq!(buckets.count(&slices, threads, &|| false).expect("not stopped"), expected);
            let weights: Vec<i64> = (0..i64::from(NUMBER)).map(|bucket| bucket * 7 - 100).collect();
            let found = buckets.sums(&slices, &weights, threads, &|| false).expect("not stopped");
            let sum = |text: &String| plain_buckets(text).into_iter().map(|bucket| weights[bucket]).sum();
            let words = |text: &String| text.split_whitespace().count() as u64;
            let expected: Vec<(i64, u64)> = texts.iter().map(|text| (sum(text), words(text))).collect();
            prop_assert_eq!(found, expected);
        }

        #[test]
        fn the_number_of_words_follows_from_that_of_n_grams(words in 0u64..60, shortest in 1u64..5, more in 0u64..5) {
            let longest = shortest + more;
            let terms = (shortest..=longest).map(|n| (words + 1).saturating_sub(n)).sum();
            let expected = if terms == 0 { 0 } else { words };
            prop_assert_eq!(words_of(terms, (shortest as usize, longest as usize)), expected);
        }
    }

    #[test]
    fn it_stops_when_asked() {
        let analyzer = Analyzer::plain(Unit::Word, 1, 2, true);
        let text = "good fun ".repeat(4_000_000);
        let texts = [text.as_bytes()];
        let buckets = Buckets::new(&analyzer, NUMBER);
        assert_eq!(buckets.count(&texts, 1, &|| true), Err(Error::Interrupted));
        assert_eq!(buckets.sums(&texts, &[0; NUMBER as usize], 1, &|| true), Err(Error::Interrupted));
    }
}
