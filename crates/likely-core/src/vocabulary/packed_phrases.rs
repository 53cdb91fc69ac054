//! A hash table from n-grams to numbers that is made once, from all n-grams that it will ever hold.
//!
//! It takes a quarter or half of the memory of [`crate::vocabulary::phrase_table`], so that more of it stays near the
//! processor. An n-gram is a pair of ids, and thus a number of few bits. These are mixed in a way that can be undone;
//! the high bits of the result say in which bucket the n-gram is, so that only the low bits must be stored to know it
//! exactly.

use crate::prefetch::prefetch;
use crate::vector::vectorized;
use crate::vocabulary::phrase_buckets::{Bucket, Narrow, Wide};
use crate::vocabulary::phrase_table::Phrase;
use crate::vocabulary::table::{MISSING, Table, mix, seeds};

/// For how many n-grams memory is asked before they are put in.
const STAGED: usize = 64;

/// N-grams to numbers.
pub(crate) struct PackedPhrases {
    buckets: Buckets,
    mixing: Mixing,
    /// What is added to the numbers in the buckets.
    first: u32,
    /// The n-grams for which the buckets had no room.
    beyond: Table<u64>,
}

/// The last bucket is always empty.
enum Buckets {
    Narrow(Vec<Narrow>),
    Wide(Vec<Wide>),
}

/// Where some n-grams belong, and their tags there.
#[derive(Default)]
pub(crate) struct Places {
    buckets: Vec<u32>,
    tags: Vec<u32>,
}

impl PackedPhrases {
    /// The table of some n-grams, whose ids are all less than `ids` and whose numbers are less than 2^31, or nothing
    /// if there are none or they do not fit.
    pub(crate) fn new(ids: usize, phrases: impl Iterator<Item = (Phrase, u32)> + Clone) -> Option<Self> {
        let numbers = || phrases.clone().map(|(_, number)| number);
        let (size, first, last) = (numbers().count(), numbers().min()?, numbers().max()?);
        let mixing = Mixing::new(ids, size / Narrow::USED + 1)?;
        if Narrow::fits(mixing.low_bits, last - first) {
            let (buckets, beyond) = filled(mixing, phrases.map(|(phrase, number)| (phrase, number - first)));
            return Some(Self { buckets: Buckets::Narrow(buckets), mixing, first, beyond });
        }
        let mixing = Mixing::new(ids, size / Wide::USED + 1)?;
        let (buckets, beyond) = filled(mixing, phrases);
        let fits = Wide::fits(mixing.low_bits, last);
        fits.then_some(Self { buckets: Buckets::Wide(buckets), mixing, first: 0, beyond })
    }

    /// Finds out where the n-grams belong that consist of these parents, each followed by the last word at the same
    /// place, and asks for that memory. Parts may be [`MISSING`].
    #[inline]
    pub(crate) fn locate(&self, parents: &[u32], lasts: &[u32], places: &mut Places) {
        vectorized(|| self.mixing.locate(parents, lasts, places));
        self.prefetch_all(places);
    }

    fn prefetch_all(&self, places: &Places) {
        let buckets = places.buckets.iter().map(|&bucket| bucket as usize);
        match &self.buckets {
            Buckets::Narrow(all) => buckets.for_each(|bucket| prefetch(all, bucket)),
            Buckets::Wide(all) => buckets.for_each(|bucket| prefetch(all, bucket)),
        }
    }

    /// Appends the numbers of the n-grams at these places, or [`MISSING`].
    #[inline]
    pub(crate) fn find(&self, places: &Places, numbers: &mut Vec<u32>) {
        vectorized(|| self.find_in_any(places, numbers));
    }

    #[inline(always)]
    fn find_in_any(&self, places: &Places, numbers: &mut Vec<u32>) {
        match &self.buckets {
            Buckets::Narrow(buckets) => self.find_in(buckets, places, numbers),
            Buckets::Wide(buckets) => self.find_in(buckets, places, numbers),
        }
    }

    #[inline(always)]
    fn find_in(&self, all: &[impl Bucket], Places { buckets, tags }: &Places, numbers: &mut Vec<u32>) {
        let old = numbers.len();
        numbers.resize(old + tags.len(), MISSING);
        let (first, low_bits) = (self.first, self.mixing.low_bits);
        for (number, (&bucket, &tag)) in numbers[old..].iter_mut().zip(buckets.iter().zip(tags)) {
            let here = &all[bucket as usize];
            let [found, missing] = here.find(tag, low_bits);
            *number = found.wrapping_add(first) | missing;
            // This is rare, unlike n-grams that are not known.
            if here.is_full() & missing != 0 {
                *number = self.find_beyond(bucket, tag);
            }
        }
    }

    #[cold]
    fn find_beyond(&self, bucket: u32, tag: u32) -> u32 {
        let key = Place { bucket, tag }.key();
        match self.beyond.find(hash_of(key), key) {
            MISSING => MISSING,
            number => self.first + number,
        }
    }
}

/// The buckets with some n-grams, and those for which there was no room.
fn filled<B: Bucket>(mixing: Mixing, mut phrases: impl Iterator<Item = (Phrase, u32)>) -> (Vec<B>, Table<u64>) {
    let mut buckets = vec![B::EMPTY; mixing.home as usize + 1];
    let mut beyond = Table::new();
    let mut staged = Vec::with_capacity(STAGED);
    loop {
        staged.extend(phrases.by_ref().take(STAGED).map(|(phrase, number)| {
            let place = mixing.place(phrase);
            prefetch(&buckets, place.bucket as usize);
            (place, number)
        }));
        if staged.is_empty() {
            return (buckets, beyond);
        }
        for (place, number) in staged.drain(..) {
            if !buckets[place.bucket as usize].put(place.tag, number, mixing.low_bits) {
                beyond.insert(hash_of(place.key()), place.key(), number, hash_of);
            }
        }
    }
}

fn hash_of(key: u64) -> u64 {
    let [a, b] = seeds();
    mix(key ^ a, b)
}

/// Where an n-gram belongs, and its tag there.
#[derive(Clone, Copy)]
struct Place {
    bucket: u32,
    tag: u32,
}

impl Place {
    fn key(self) -> u64 {
        u64::from(self.bucket) << 32 | u64::from(self.tag)
    }
}

/// From n-grams to places. Numbers of 32 bits are enough, so that wide instructions do several n-grams at once.
#[derive(Clone, Copy)]
struct Mixing {
    /// How many bits an id has.
    id_bits: u32,
    /// The number of buckets to which n-grams belong.
    home: u32,
    /// How many bits a tag has.
    low_bits: u32,
    factors: [u32; 3],
}

impl Mixing {
    fn new(ids: usize, home: usize) -> Option<Self> {
        let id_bits = (usize::BITS - ids.leading_zeros()).max(1);
        // The numbers that share a bucket follow each other, so that their low bits differ.
        let low_bits = (2 * id_bits).saturating_sub(home.ilog2());
        let [a, b] = seeds();
        let factors = [a, a >> 32, b].map(|seed| seed as u32 | 1);
        let home = u32::try_from(home).ok().filter(|_| id_bits < 32 && low_bits < 32)?;
        Some(Self { id_bits, home, low_bits, factors })
    }

    #[inline(always)]
    fn locate(&self, parents: &[u32], lasts: &[u32], Places { buckets, tags }: &mut Places) {
        buckets.resize(lasts.len(), 0);
        tags.resize(lasts.len(), 0);
        for ((bucket, tag), (&parent, &last)) in buckets.iter_mut().zip(tags).zip(parents.iter().zip(lasts)) {
            let place = self.place([parent, last]);
            let is_known = (parent != MISSING) & (last != MISSING);
            // The last bucket is empty.
            *bucket = if is_known { place.bucket } else { self.home };
            *tag = place.tag;
        }
    }

    /// Every step can be undone, because it changes one of the ids by a number that follows from the other one (a
    /// Feistel network). Together they are a number of twice `id_bits` bits.
    #[inline(always)]
    fn place(&self, [parent, last]: Phrase) -> Place {
        let Self { id_bits, home, low_bits, factors: [a, b, c] } = *self;
        let mixed = |id: u32, factor: u32| id.wrapping_mul(factor) >> (32 - id_bits);
        let parent = parent ^ mixed(last, a);
        let last = last ^ mixed(parent, b);
        let parent = parent ^ mixed(last, c);
        // Its highest 32 bits say which share of all buckets are before its own.
        let [left, right] = [32u32.saturating_sub(2 * id_bits), (2 * id_bits).saturating_sub(32)];
        let share = parent << (32 - id_bits) | last << left >> right;
        let bucket = (u64::from(share) * u64::from(home)) >> 32;
        Place { bucket: bucket as u32, tag: (parent << id_bits | last) & ((1 << low_bits) - 1) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl PackedPhrases {
        /// The number of one n-gram.
        pub(crate) fn number(&self, [parent, last]: Phrase) -> u32 {
            let (mut places, mut numbers) = (Places::default(), Vec::new());
            self.locate(&[parent], &[last], &mut places);
            self.find(&places, &mut numbers);
            numbers[0]
        }
    }

    fn phrases(size: u32, step: u32) -> impl Iterator<Item = (Phrase, u32)> + Clone {
        (0..size).map(move |at| ([at % 97, at / 97], 1000 + at * step % 20_000_000))
    }

    #[test]
    fn holds_what_was_put_in() {
        for (size, step) in [(1, 1), (5, 1), (1000, 1), (300_000, 0), (300_000, 997)] {
            let table = PackedPhrases::new(4000, phrases(size, step)).expect("they fit");
            assert_eq!(matches!(table.buckets, Buckets::Narrow(_)), step < 997);
            for (phrase, number) in phrases(size, step) {
                assert_eq!(table.number(phrase), number);
                assert_eq!(table.number([phrase[0] + 97, phrase[1]]), MISSING);
            }
            assert_eq!(table.number([0, MISSING]), MISSING);
            assert_eq!(table.number([MISSING, 0]), MISSING);
        }
    }

    #[test]
    fn n_grams_of_any_ids_have_places_of_their_own() {
        for ids in [1, 2, 3, 255, 256, 70_000, 1 << 20] {
            let some = (0..ids).step_by(1 + ids / 300);
            let all: Vec<(Phrase, u32)> = some
                .clone()
                .flat_map(|parent| some.clone().map(move |last| [parent as u32, last as u32]))
                .zip(0..)
                .collect();
            for used in [1, 5, 40] {
                let mixing = Mixing::new(ids, all.len() / used + 1).expect("they fit");
                let places: std::collections::HashSet<u64> =
                    all.iter().map(|&(phrase, _)| mixing.place(phrase).key()).collect();
                assert_eq!(places.len(), all.len(), "{ids} {used}");
            }
            let table = PackedPhrases::new(ids, all.iter().copied()).expect("they fit");
            assert!(all.iter().all(|&(phrase, number)| table.number(phrase) == number), "{ids}");
        }
    }

    #[test]
    fn plain_and_wide_instructions_find_the_same() {
        let table = PackedPhrases::new(4000, phrases(20_000, 7)).expect("they fit");
        let (parents, lasts): (Vec<u32>, Vec<u32>) = (0..5000u32).map(|at| (at % 120, at * at % 300)).unzip();
        let (mut places, mut plain) = (Places::default(), Places::default());
        table.locate(&parents, &lasts, &mut places);
        table.mixing.locate(&parents, &lasts, &mut plain);
        assert_eq!((&places.buckets, &places.tags), (&plain.buckets, &plain.tags));
        let (mut numbers, mut plain_numbers) = (vec![7], vec![7]);
        table.find(&places, &mut numbers);
        table.find_in_any(&places, &mut plain_numbers);
        assert_eq!(numbers, plain_numbers);
    }

    #[test]
    fn ids_may_be_too_large() {
        assert!(PackedPhrases::new(1 << 31, phrases(7, 1)).is_none());
        assert!(PackedPhrases::new(4000, phrases(0, 1)).is_none());
    }
}
