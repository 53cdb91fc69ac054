//! A hash table from n-grams to ids, in which a look-up touches one cache line.
//!
//! The table consists of buckets of 64 bytes, each with room for five n-grams; a look-up compares all five without a
//! branch. An n-gram whose bucket is full is in the next one that is not, and the full one says so. The place of a
//! bucket grows with the hash, so that the table can be copied into a larger one from start to end.

use crate::prefetch::prefetch;
use crate::vocabulary::table::{MISSING, mix, seeds};

/// An n-gram: the id of all but its last word, and the id of the last word.
pub(crate) type Phrase = [u32; 2];

const ROOM: usize = 5;
/// The average number of n-grams per bucket at which the table grows. One bucket in 12 is then full.
const MOST: usize = 3;
const SMALLEST: usize = 16;
/// A key that no n-gram has, because no id is [`MISSING`].
const EMPTY: u64 = u64::MAX;

#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Bucket {
    keys: [u64; ROOM],
    ids: [u32; ROOM],
    /// Whether an n-gram had to go to the next bucket.
    is_full: u32,
}

const NOTHING: Bucket = Bucket { keys: [EMPTY; ROOM], ids: [MISSING; ROOM], is_full: 0 };

/// N-grams to ids.
#[derive(Clone)]
pub(crate) struct PhraseTable {
    buckets: Vec<Bucket>,
    used: usize,
}

impl PhraseTable {
    /// A table with room for this number of n-grams before it grows.
    pub(crate) fn with_room(phrases: usize) -> Self {
        Self { buckets: vec![NOTHING; (phrases / MOST + 1).max(SMALLEST)], used: 0 }
    }

    /// Asks for the memory that a look-up will touch.
    #[inline]
    pub(crate) fn prefetch(&self, phrase: Phrase) {
        prefetch(&self.buckets, self.place(key_of(phrase)));
    }

    /// The id of an n-gram, or [`MISSING`].
    #[inline(always)]
    pub(crate) fn find(&self, phrase: Phrase) -> u32 {
        let key = key_of(phrase);
        let mut at = self.place(key);
        loop {
            let bucket = &self.buckets[at];
            let mut id = MISSING;
            for (&other, &its_id) in bucket.keys.iter().zip(&bucket.ids) {
                id = if other == key { its_id } else { id };
            }
            if id != MISSING || bucket.is_full == 0 {
                return id;
            }
            at = self.next(at);
        }
    }

    /// Adds an n-gram that is not in the table yet.
    #[inline]
    pub(crate) fn insert(&mut self, phrase: Phrase, id: u32) {
        if self.used >= self.buckets.len() * MOST {
            self.resize(self.buckets.len() * 2);
        }
        self.used += 1;
        self.put(key_of(phrase), id);
    }

    #[inline]
    fn put(&mut self, key: u64, id: u32) {
        let mut at = self.place(key);
        loop {
            let bucket = &mut self.buckets[at];
            if let Some(free) = bucket.keys.iter().position(|&other| other == EMPTY) {
                (bucket.keys[free], bucket.ids[free]) = (key, id);
                return;
            }
            bucket.is_full = 1;
            at = self.next(at);
        }
    }

    #[cold]
    fn resize(&mut self, size: usize) {
        for bucket in std::mem::replace(&mut self.buckets, vec![NOTHING; size]) {
            for (&key, &id) in bucket.keys.iter().zip(&bucket.ids).filter(|&(&key, _)| key != EMPTY) {
                self.put(key, id);
            }
        }
    }

    /// The bucket of a key.
    #[inline]
    fn place(&self, key: u64) -> usize {
        let [a, b] = seeds();
        ((u128::from(mix(key ^ a, b)) * self.buckets.len() as u128) >> 64) as usize
    }

    #[inline]
    fn next(&self, at: usize) -> usize {
        if at + 1 < self.buckets.len() { at + 1 } else { 0 }
    }
}

#[inline]
fn key_of([parent, last]: Phrase) -> u64 {
    u64::from(parent) << 32 | u64::from(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phrases(size: u32) -> impl Iterator<Item = (Phrase, u32)> {
        (0..size).map(|id| ([id % 97, id / 97], id))
    }

    #[test]
    fn holds_what_was_put_in() {
        for room in [0, 5_000] {
            let mut table = PhraseTable::with_room(room);
            assert_eq!(table.find([0, 0]), MISSING);
            for (phrase, id) in phrases(20_000) {
                table.insert(phrase, id);
            }
            for (phrase, id) in phrases(20_000) {
                assert_eq!(table.find(phrase), id);
                assert_eq!(table.find([phrase[0] + 97, phrase[1]]), MISSING);
            }
        }
    }

    #[test]
    fn full_buckets_are_followed_by_others_from_the_end_to_the_start() {
        let mut table = PhraseTable::with_room(0);
        table.used = usize::MAX / 2; // so that it does not grow
        table.buckets = vec![NOTHING; SMALLEST];
        for (phrase, id) in phrases((SMALLEST * ROOM) as u32 - 1) {
            table.put(key_of(phrase), id);
        }
        assert!(phrases((SMALLEST * ROOM) as u32 - 1).all(|(phrase, id)| table.find(phrase) == id));
        assert_eq!(table.find([98, 98]), MISSING);
    }

    #[test]
    fn a_bucket_is_a_cache_line() {
        assert_eq!((size_of::<Bucket>(), align_of::<Bucket>()), (64, 64));
    }
}
