//! Terms to columns by their hashes, without a vocabulary, as scikit-learn's `HashingVectorizer` does.

use crate::error::Result;
use crate::gather::{Gathering, Work};
use crate::pattern::Pattern;

/// How hashes become columns.
#[derive(Clone, Copy, Debug)]
pub struct Hashing {
    columns: u32,
    /// Whether half of the terms count negatively, so that those that share a column cancel out on average.
    signed: bool,
}

impl Hashing {
    /// Hashing to fewer than 2^31 columns.
    pub fn new(columns: u32, signed: bool) -> Self {
        Self { columns: columns.clamp(1, i32::MAX as u32), signed }
    }

    /// Adds a row for each text.
    pub fn add(
        self,
        gathering: &mut Gathering,
        pattern: &Pattern,
        texts: &[&[u8]],
        stop: &dyn Fn() -> bool,
    ) -> Result<()> {
        gathering.add(texts, stop, |text, Work { scratch, row }, go_on| {
            row.begin(self.columns as usize);
            pattern.spelled(text, scratch, |bytes, spans| {
                for &[start, end] in spans {
                    let (column, amount) = self.column(&bytes[start as usize..end as usize]);
                    row.add(column, amount as u32);
                }
                go_on()
            })
        })
    }

    /// The column of a term, and what it counts there: 1 or -1.
    #[inline]
    pub fn column(self, term: &[u8]) -> (u32, i32) {
        let hash = murmur3(term) as i32;
        (hash.unsigned_abs() % self.columns, if self.signed && hash < 0 { -1 } else { 1 })
    }
}

/// Austin Appleby's MurmurHash3, the variant x86_32, with the seed 0.
fn murmur3(bytes: &[u8]) -> u32 {
    let scramble = |block: u32| block.wrapping_mul(0xcc9e_2d51).rotate_left(15).wrapping_mul(0x1b87_3593);
    let (blocks, tail) = bytes.as_chunks::<4>();
    let mut hash = blocks.iter().fold(0u32, |hash, &block| {
        let mixed = (hash ^ scramble(u32::from_le_bytes(block))).rotate_left(13);
        mixed.wrapping_mul(5).wrapping_add(0xe654_6b64)
    });
    let last = tail.iter().rev().fold(0, |last, &byte| last << 8 | u32::from(byte));
    hash ^= scramble(last) ^ bytes.len() as u32;
    hash = (hash ^ hash >> 16).wrapping_mul(0x85eb_ca6b);
    hash = (hash ^ hash >> 13).wrapping_mul(0xc2b2_ae35);
    hash ^ hash >> 16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::Unit;
    use crate::sparse::Rows;

    #[test]
    fn hashes_are_those_of_the_reference() {
        for (bytes, hash) in [
            (&b""[..], 0),
            (b"\0\0\0\0", 0x2362_f9de),
            (b"a", 0x3c25_69b2),
            (b"abc", 0xb3dd_93fa),
            (b"Hello, world!", 0xc036_3e43),
            (b"The quick brown fox jumps over the lazy dog", 0x2e4f_f723),
        ] {
            assert_eq!(murmur3(bytes), hash, "{bytes:?}");
        }
    }

    #[test]
    fn what_shares_a_column_is_added_up() {
        let pattern = Pattern::new(Unit::Word(1), 1, 1, true, std::iter::empty());
        let mut gathering = Gathering::new(1, true);
        let texts: [&[u8]; 2] = [b"abc a abc Hello a a", b""];
        Hashing::new(1, true).add(&mut gathering, &pattern, &texts, &|| false).expect("nothing stops it");
        let rows: Rows<f64> = gathering.finish(false, &|| false).expect("nothing stops it");
        let hello = if (murmur3(b"hello") as i32) < 0 { -1.0 } else { 1.0 };
        assert_eq!((rows.starts, rows.columns, rows.values), (vec![0, 1, 1], vec![0], vec![1.0 + hello]));
    }
}
