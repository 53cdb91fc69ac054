//! A hash table from n-grams to numbers that is made once, from all n-grams that it will ever hold.
//!
//! It takes half of the memory of [`crate::vocabulary::phrase_table`], so that more of it stays near the processor. An
//! n-gram is a pair of ids, and thus a number of few bits. These are mixed in a way that can be undone; the high bits
//! of the result say in which bucket the n-gram is, so that only the low bits must be stored to know it exactly.
#![allow(unsafe_code)]

use crate::prefetch::prefetch;
use crate::vocabulary::phrase_table::Phrase;
use crate::vocabulary::table::{MISSING, seeds};

const ROOM: usize = 8;
/// The average numbers of n-grams per bucket that are tried. With 5 of them, one n-gram in 37 is not where it belongs.
const USED: [usize; 2] = [5, 3];
/// The bits of a tag that are stored of an n-gram. The others say how far its bucket is from where it belongs.
const LOW_BITS: u32 = 28;
/// Only lesser distances can be stored.
const FARTHEST: u32 = 15;
/// A tag that no n-gram has.
const EMPTY: u32 = FARTHEST << LOW_BITS;
/// For how many n-grams memory is asked before they are put in.
const STAGED: usize = 64;
/// In the first number of a bucket, whether an n-gram that belongs there is in one of the next buckets.
const IS_FULL: u32 = 1 << 31;

#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Bucket {
    tags: [u32; ROOM],
    numbers: [u32; ROOM],
}

impl Bucket {
    /// Whether a tag is in the bucket, and its number, or 0.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn find(&self, tag: u32) -> (bool, u32) {
        use core::arch::x86_64::*;
        // SAFETY: every processor of this kind has these instructions, and both halves of an array are within it. The
        // bucket is aligned to more than 16 bytes.
        unsafe {
            let half = |array: &[u32; ROOM], at: usize| _mm_load_si128(array.as_ptr().add(at).cast());
            let tag = _mm_set1_epi32(tag.cast_signed());
            let [first, second] = [0, 4].map(|at| _mm_cmpeq_epi32(half(&self.tags, at), tag));
            let first_number = _mm_and_si128(first, half(&self.numbers, 0));
            let number = _mm_or_si128(first_number, _mm_and_si128(second, half(&self.numbers, 4)));
            let number = _mm_or_si128(number, _mm_shuffle_epi32::<0b00_00_11_10>(number));
            let number = _mm_or_si128(number, _mm_shuffle_epi32::<0b00_00_00_01>(number));
            let is_here = _mm_movemask_epi8(_mm_or_si128(first, second)) != 0;
            (is_here, _mm_cvtsi128_si32(number).cast_unsigned())
        }
    }

    /// Whether a tag is in the bucket, and its number, or 0.
    #[cfg(not(target_arch = "x86_64"))]
    #[inline(always)]
    fn find(&self, tag: u32) -> (bool, u32) {
        let place = self.tags.iter().position(|&other| other == tag);
        (place.is_some(), place.map_or(0, |at| self.numbers[at]))
    }
}

/// N-grams to numbers.
pub(crate) struct PackedPhrases {
    /// There are some more at the end, so that no n-gram goes from the end to the start.
    buckets: Vec<Bucket>,
    /// The number of buckets to which n-grams belong.
    home: u64,
    /// How many bits an id has.
    id_bits: u32,
    low: u32,
}

/// Where an n-gram belongs, and its tag there.
#[derive(Clone, Copy, Default)]
pub(crate) struct Place {
    bucket: u32,
    tag: u32,
}

impl PackedPhrases {
    /// The table of some n-grams, whose ids are all less than `ids` and whose numbers are less than 2^31, or nothing
    /// if there are none or they do not fit.
    pub(crate) fn new(ids: usize, phrases: impl Iterator<Item = (Phrase, u32)> + Clone) -> Option<Self> {
        phrases.clone().next()?;
        let size = phrases.clone().count();
        USED.iter().find_map(|used| Self::with_buckets(size / used + 1, ids, phrases.clone()))
    }

    fn with_buckets(home: usize, ids: usize, mut phrases: impl Iterator<Item = (Phrase, u32)>) -> Option<Self> {
        let id_bits = (usize::BITS - ids.leading_zeros()).max(1);
        // The numbers that share a bucket follow each other, so that their low bits differ.
        let low_bits = (2 * id_bits).saturating_sub(home.ilog2());
        if id_bits > 31 || u32::try_from(home).is_err() || low_bits > LOW_BITS {
            return None;
        }
        let nothing = Bucket { tags: [EMPTY; ROOM], numbers: [0; ROOM] };
        let buckets = vec![nothing; home + FARTHEST as usize];
        let mut table = Self { buckets, home: home as u64, id_bits, low: (1 << low_bits) - 1 };
        let mut staged = Vec::with_capacity(STAGED);
        loop {
            staged.extend(phrases.by_ref().take(STAGED).map(|(phrase, number)| (table.prefetch(phrase), number)));
            if staged.is_empty() {
                return Some(table);
            }
            if !staged.drain(..).all(|(place, number)| table.put(place, number)) {
                return None;
            }
        }
    }

    /// Returns whether there was room.
    fn put(&mut self, Place { bucket: home, tag }: Place, number: u32) -> bool {
        for distance in 0..FARTHEST {
            let bucket = &mut self.buckets[(home + distance) as usize];
            if let Some(free) = bucket.tags.iter().position(|&other| other == EMPTY) {
                bucket.tags[free] = tag | distance << LOW_BITS;
                bucket.numbers[free] |= number;
                return true;
            }
            bucket.numbers[0] |= IS_FULL;
        }
        false
    }

    /// Asks for the memory that a look-up will touch; returns where that is.
    #[inline(always)]
    pub(crate) fn prefetch(&self, phrase: Phrase) -> Place {
        let place = self.place(phrase);
        prefetch(&self.buckets, place.bucket as usize);
        place
    }

    /// The number of an n-gram of two ids, or [`MISSING`].
    #[inline(always)]
    pub(crate) fn find(&self, Place { bucket, mut tag }: Place) -> u32 {
        let mut bucket = bucket as usize;
        loop {
            let here = &self.buckets[bucket];
            let (is_here, number) = here.find(tag);
            // Whether an n-gram is known cannot be foreseen, so that this is not a branch. A full bucket is rare.
            let missing = u32::from(is_here).wrapping_sub(1);
            if here.numbers[0] & IS_FULL & missing == 0 {
                return number & !IS_FULL | missing;
            }
            (bucket, tag) = (bucket + 1, tag + (1 << LOW_BITS));
            if tag >= EMPTY {
                return MISSING;
            }
        }
    }

    /// Every step of the mixing can be undone: an odd factor has an inverse, and so has the addition of the high half
    /// to the low one.
    #[inline(always)]
    fn place(&self, [parent, last]: Phrase) -> Place {
        let [a, b] = seeds();
        let bits = 2 * self.id_bits;
        let pair = u64::from(parent) << self.id_bits | u64::from(last);
        let mixed = pair.wrapping_mul(a) & ((1 << bits) - 1);
        let mixed = (mixed ^ mixed >> self.id_bits).wrapping_mul(b);
        let share = mixed << (64 - bits);
        let bucket = ((u128::from(share) * u128::from(self.home)) >> 64) as u32;
        Place { bucket, tag: mixed as u32 & self.low }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phrases(size: u32) -> impl Iterator<Item = (Phrase, u32)> + Clone {
        (0..size).map(|number| ([number % 97, number / 97], number))
    }

    #[test]
    fn holds_what_was_put_in() {
        for size in [1, 5, 1000, 300_000] {
            let table = PackedPhrases::new(4000, phrases(size)).expect("they fit");
            for (phrase, number) in phrases(size) {
                assert_eq!(table.find(table.prefetch(phrase)), number);
                assert_eq!(table.find(table.prefetch([phrase[0] + 97, phrase[1]])), MISSING);
            }
        }
    }

    #[test]
    fn a_table_without_room_is_not_made() {
        // All n-grams belong to a few buckets.
        let same = (0..(ROOM as u32 * FARTHEST)).map(|number| ([1, 2], number));
        assert!(PackedPhrases::new(4, same.clone()).is_some());
        assert!(PackedPhrases::new(4, same.chain([([1, 2], 0)])).is_none());
        // So few buckets say too little about so large ids.
        assert!(PackedPhrases::new(1 << 20, phrases(7)).is_none());
    }

    #[test]
    fn a_bucket_is_a_cache_line() {
        assert_eq!((size_of::<Bucket>(), align_of::<Bucket>()), (64, 64));
    }
}
