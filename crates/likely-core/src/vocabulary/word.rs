//! The key of a word in the hash table.

use crate::vocabulary::table::{mix, seeds};

/// The longest word that a key holds completely.
pub(crate) const SHORT: usize = 15;
/// The last byte of the key of a longer word. A short word has its length there.
const LONG: u64 = 0xff;

/// What the table of words compares: for at most 15 bytes the word itself, otherwise its hash and length.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Key {
    pub(crate) low: u64,
    pub(crate) high: u64,
}

impl PartialEq for Key {
    /// Both halves are compared at once, because a branch between them could not be foreseen.
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        (self.low ^ other.low) | (self.high ^ other.high) == 0
    }
}

/// A word as the tables know it: its key and its hash.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Word {
    pub(crate) key: Key,
    pub(crate) hash: u64,
}

impl Word {
    /// The key of at most 15 bytes, padded with zeros, the first byte lowest.
    #[inline(always)]
    pub(crate) fn short(low: u64, high: u64, length: u32, [a, b]: [u64; 2]) -> Self {
        let key = Key { low, high: high | u64::from(length) << 56 };
        Self { key, hash: mix(key.low ^ a, key.high ^ b) }
    }

    /// The key of bytes of any length.
    #[inline]
    pub(crate) fn new(bytes: &[u8]) -> Self {
        if bytes.len() <= SHORT {
            let (low, high) = short_halves(bytes);
            return Self::short(low, high, bytes.len() as u32, seeds());
        }
        let hash = hash_of_bytes(bytes);
        Self { key: Key { low: hash, high: LONG << 56 | bytes.len() as u64 }, hash }
    }

    /// Whether the key holds the whole word.
    #[inline(always)]
    pub(crate) fn is_short(&self) -> bool {
        self.key.high < LONG << 56
    }

    /// The sixteen bytes of the key. Those of a short word begin with the word.
    pub(crate) fn short_bytes(&self) -> [u8; 16] {
        (u128::from(self.key.high) << 64 | u128::from(self.key.low)).to_le_bytes()
    }

    /// The bytes of a short word, from the bytes of its key.
    pub(crate) fn short_text<'a>(&self, bytes: &'a [u8; 16]) -> &'a [u8] {
        &bytes[..usize::from(bytes[SHORT]).min(SHORT)]
    }

    /// The number of bytes that the key does not hold.
    pub(crate) fn beyond(&self) -> usize {
        if self.is_short() { 0 } else { (self.key.high << 8 >> 8) as usize }
    }
}

/// Sixteen bytes as two numbers, the first byte lowest.
#[inline(always)]
pub(crate) fn halves(bytes: [u8; 16]) -> (u64, u64) {
    let whole = u128::from_le_bytes(bytes);
    (whole as u64, (whole >> 64) as u64)
}

/// At most 15 bytes, padded with zeros, as two numbers, the first byte lowest. They are read in pieces that may overlap.
#[inline]
fn short_halves(bytes: &[u8]) -> (u64, u64) {
    let length = bytes.len();
    if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        return (u64::from_le_bytes(*first), u64::from_le_bytes(*last) >> 1 >> (8 * (16 - length) - 1));
    }
    if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        let [first, last] = [first, last].map(|piece| u64::from(u32::from_le_bytes(*piece)));
        return (first | last << (8 * (length - 4)), 0);
    }
    (bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)), 0)
}

pub(crate) fn hash_of_key(key: Key) -> u64 {
    if key.high >= LONG << 56 {
        return key.low;
    }
    let [a, b] = seeds();
    mix(key.low ^ a, key.high ^ b)
}

/// Whether two words of at least 16 bytes are equal. Most of them have at most 32 bytes.
#[inline]
pub(crate) fn are_equal(a: &[u8], b: &[u8]) -> bool {
    let chunks = |word| <[u8]>::as_chunks::<16>(word).0.iter().chain(<[u8]>::last_chunk::<16>(word));
    a.len() == b.len() && chunks(a).zip(chunks(b)).all(|(a, b)| u128::from_le_bytes(*a) == u128::from_le_bytes(*b))
}

/// The hash of at least 16 bytes.
#[inline]
fn hash_of_bytes(bytes: &[u8]) -> u64 {
    let [a, b] = seeds();
    let start = mix(bytes.len() as u64 ^ a, b);
    // The last chunk may overlap the one before it, so that all have the same length.
    bytes.as_chunks::<16>().0.iter().chain(bytes.last_chunk()).fold(start, |hash, &chunk| {
        let (low, high) = halves(chunk);
        mix(low ^ hash ^ a, high ^ hash.rotate_left(32) ^ b)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_words_are_their_bytes() {
        let bytes: Vec<u8> = (0x81..0x90).collect();
        for length in 0..=SHORT {
            let mut padded = [0; 16];
            padded[..length].copy_from_slice(&bytes[..length]);
            assert_eq!(short_halves(&bytes[..length]), halves(padded));
            padded[SHORT] = length as u8;
            assert_eq!(Word::new(&bytes[..length]).short_bytes(), padded);
        }
    }

    #[test]
    fn long_words_differ_in_every_byte() {
        for length in 16..70 {
            let word = vec![b'a'; length];
            assert!(are_equal(&word, &word.clone()));
            assert!(!are_equal(&word, &word[1..]));
            for at in 0..length {
                let mut other = word.clone();
                other[at] = b'b';
                assert!(!are_equal(&word, &other));
                assert_ne!(Word::new(&word).key, Word::new(&other).key);
            }
        }
    }
}
