//! An open-addressing hash table from keys of a fixed size to ids, made for few cache misses.
//!
//! The seeds are drawn once per process, so that nobody can choose texts that collide. The caller hands out the ids,
//! so nothing that leaves the kernel depends on the seeds.

use crate::prefetch::prefetch;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::OnceLock;

/// The id of a key that is not in the table.
pub(crate) const MISSING: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct Slot<K> {
    key: K,
    id: u32,
}

/// Keys to ids. The table is at most five eighths full; it probes linearly and uses the high bits of the hash first.
#[derive(Clone)]
pub(crate) struct Table<K> {
    slots: Vec<Slot<K>>,
    used: usize,
    shift: u32,
}

impl<K: Copy + Default + PartialEq> Table<K> {
    const SMALLEST: usize = 64;

    pub(crate) fn new() -> Self {
        Self::with_slots(Self::SMALLEST)
    }

    /// A table with room for `slots` slots, which saves it from growing again and again.
    pub(crate) fn with_slots(slots: usize) -> Self {
        let size = slots.next_power_of_two().max(Self::SMALLEST);
        Self { slots: Self::empty(size), used: 0, shift: 64 - size.trailing_zeros() }
    }

    fn empty(size: usize) -> Vec<Slot<K>> {
        vec![Slot { key: K::default(), id: MISSING }; size]
    }

    /// Asks for the memory that a look-up of this hash will touch.
    #[inline]
    pub(crate) fn prefetch(&self, hash: u64) {
        prefetch(&self.slots, (hash >> self.shift) as usize);
    }

    /// The id of a key, or [`MISSING`].
    #[inline(always)]
    pub(crate) fn find(&self, hash: u64, key: K) -> u32 {
        let mask = self.slots.len() - 1;
        let mut at = (hash >> self.shift) as usize;
        loop {
            let slot = &self.slots[at & mask];
            // Whether a key is known cannot be foreseen, so that both tests are one branch. Most keys end it at once.
            if (slot.key == key) | (slot.id == MISSING) {
                return slot.id;
            }
            at += 1;
        }
    }

    /// The id where a key is looked for first, and whether another key has that place, so that [`Table::find`] must look
    /// farther.
    #[inline(always)]
    pub(crate) fn find_first(&self, hash: u64, key: K) -> (u32, bool) {
        let slot = &self.slots[(hash >> self.shift) as usize & (self.slots.len() - 1)];
        (slot.id, (slot.key != key) & (slot.id != MISSING))
    }

    /// Like [`Table::find`], for keys that do not hold the whole term: `same` decides whether an id is meant.
    #[cold]
    pub(crate) fn find_same(&self, hash: u64, key: K, same: impl Fn(u32) -> bool) -> u32 {
        let mask = self.slots.len() - 1;
        let mut at = (hash >> self.shift) as usize;
        loop {
            let slot = &self.slots[at & mask];
            if slot.id == MISSING || slot.key == key && same(slot.id) {
                return slot.id;
            }
            at += 1;
        }
    }

    /// Adds a key that is not in the table yet; `rehash` gives the hash of a key when the table grows.
    pub(crate) fn insert(&mut self, hash: u64, key: K, id: u32, rehash: impl Fn(K) -> u64) {
        // Clearing the memory of a larger table costs more than the longer probes of a fuller one.
        if (self.used + 1) * 8 > self.slots.len() * 5 {
            self.grow(rehash);
        }
        self.put(hash, key, id);
        self.used += 1;
    }

    /// Makes room for this number of further keys, which saves the table from growing again and again.
    pub(crate) fn reserve(&mut self, keys: usize, rehash: impl Fn(K) -> u64) {
        let size = (2 * (self.used + keys + 1)).next_power_of_two();
        if size > self.slots.len() {
            self.resize(size, rehash);
        }
    }

    fn put(&mut self, hash: u64, key: K, id: u32) {
        let mask = self.slots.len() - 1;
        let mut at = (hash >> self.shift) as usize & mask;
        while self.slots[at].id != MISSING {
            at = (at + 1) & mask;
        }
        self.slots[at] = Slot { key, id };
    }

    #[cold]
    fn grow(&mut self, rehash: impl Fn(K) -> u64) {
        self.resize(self.slots.len() * 2, rehash);
    }

    /// Moves all keys to a table of this size, a power of two.
    fn resize(&mut self, size: usize, rehash: impl Fn(K) -> u64) {
        let old = std::mem::replace(&mut self.slots, Self::empty(size));
        self.shift = 64 - size.trailing_zeros();
        for slot in old.into_iter().filter(|slot| slot.id != MISSING) {
            self.put(rehash(slot.key), slot.key, slot.id);
        }
    }
}

/// Two secret numbers, which are the same in the whole process.
pub(crate) fn seeds() -> [u64; 2] {
    static SEEDS: OnceLock<[u64; 2]> = OnceLock::new();
    *SEEDS.get_or_init(|| {
        [0u64, 1].map(|i| {
            let mut hasher = RandomState::new().build_hasher();
            hasher.write_u64(i);
            hasher.finish() | 1
        })
    })
}

/// Multiplies to 128 bits and folds the halves.
#[inline]
pub(crate) fn mix(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holds_what_was_put_in() {
        let hash = |key: u64| mix(key ^ 7, 0x9e37_79b9_7f4a_7c15);
        let mut table = Table::new();
        assert_eq!(table.find(hash(0), 0), MISSING);
        for key in 0..5000u64 {
            table.insert(hash(key), key, key as u32 * 2, hash);
        }
        for key in 0..5000 {
            assert_eq!(table.find(hash(key), key), key as u32 * 2);
            assert_eq!(table.find_same(hash(key), key, |id| id == key as u32 * 2), key as u32 * 2);
        }
        table.reserve(20_000, hash);
        assert_eq!((table.slots.len(), table.find(hash(4999), 4999)), (1 << 16, 9998));
        assert_eq!(table.find(hash(5000), 5000), MISSING);
        assert_eq!(table.find_same(hash(3), 3, |_| false), MISSING);
    }
}
