//! An open-addressing hash table from fixed-size keys to ids, made for few cache misses.
//!
//! Seeds are drawn once a process, so that nobody can choose texts that collide; ids are handed out by the caller, so
//! nothing that leaves the kernel depends on the seeds.

use crate::prefetch::prefetch;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::OnceLock;

const EMPTY: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct Slot<K> {
    key: K,
    id: u32,
}

/// Keys to ids. At most two thirds full, linear probing, high bits of the hash first.
#[derive(Clone)]
pub(crate) struct Table<K> {
    slots: Vec<Slot<K>>,
    used: usize,
    shift: u32,
}

impl<K: Copy + Default + PartialEq> Table<K> {
    const SMALLEST: usize = 64;

    pub(crate) fn new() -> Self {
        Self {
            slots: Vec::new(),
            used: 0,
            shift: 63,
        }
    }

    /// Asks for the memory a look-up of this hash will touch.
    #[inline]
    pub(crate) fn prefetch(&self, hash: u64) {
        prefetch(&self.slots, (hash >> self.shift) as usize);
    }

    /// The id of a key; `same` decides for keys that do not hold the whole term.
    #[inline(always)]
    pub(crate) fn find(&self, hash: u64, key: K, same: impl Fn(u32) -> bool) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let mask = self.slots.len() - 1;
        let mut at = (hash >> self.shift) as usize & mask;
        loop {
            let slot = &self.slots[at];
            if slot.key == key && slot.id != EMPTY && same(slot.id) {
                return Some(slot.id);
            }
            if slot.id == EMPTY {
                return None;
            }
            at = (at + 1) & mask;
        }
    }

    /// Adds a key that is not there yet; `rehash` gives the hash of a key when the table grows.
    pub(crate) fn insert(&mut self, hash: u64, key: K, id: u32, rehash: impl Fn(K) -> u64) {
        if (self.used + 1) * 3 > self.slots.len() * 2 {
            self.grow(rehash);
        }
        self.put(hash, key, id);
        self.used += 1;
    }

    fn put(&mut self, hash: u64, key: K, id: u32) {
        let mask = self.slots.len() - 1;
        let mut at = (hash >> self.shift) as usize & mask;
        while self.slots[at].id != EMPTY {
            at = (at + 1) & mask;
        }
        self.slots[at] = Slot { key, id };
    }

    #[cold]
    fn grow(&mut self, rehash: impl Fn(K) -> u64) {
        let size = (self.slots.len() * 2).max(Self::SMALLEST);
        let old = std::mem::replace(
            &mut self.slots,
            vec![
                Slot {
                    key: K::default(),
                    id: EMPTY
                };
                size
            ],
        );
        self.shift = 64 - size.trailing_zeros();
        for slot in old.into_iter().filter(|slot| slot.id != EMPTY) {
            self.put(rehash(slot.key), slot.key, slot.id);
        }
    }
}

/// Two secret numbers, the same for the whole process.
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
        assert_eq!(table.find(hash(0), 0, |_| true), None);
        for key in 0..5000u64 {
            table.insert(hash(key), key, key as u32 * 2, hash);
        }
        for key in 0..5000 {
            assert_eq!(table.find(hash(key), key, |_| true), Some(key as u32 * 2));
        }
        assert_eq!(table.find(hash(5000), 5000, |_| true), None);
        assert_eq!(table.find(hash(3), 3, |_| false), None);
    }
}
