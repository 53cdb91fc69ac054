//! Terms go in; columns come out by their hashes, without a vocabulary, as in scikit-learn's `HashingVectorizer`.

use crate::analyze::tokens::tokenize::Span;
use crate::error::Result;
use crate::vectorize::gather::{Gathering, Work};
use crate::vectorize::matrix::row::entry;
use crate::vectorize::pattern::rules::Pattern;

/// How hashes become columns.
#[derive(Clone, Copy, Debug)]
pub struct Hashing {
    columns: u32,
    /// Whether half of the terms count -1, so that terms that share a column cancel out on average.
    signed: bool,
}

impl Hashing {
    /// Hashing to this number of columns, below 2^31.
    pub fn new(columns: u32, signed: bool) -> Self {
        Self { columns: columns.clamp(1, i32::MAX as u32), signed }
    }

    /// Adds one row per text.
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
                row.extend(spans.iter().map(|&span| self.entry_of(murmur3(bytes, span))));
                go_on()
            })
        })
    }

    /// The entry of a hash. A count of -1 has wrapped around.
    #[inline]
    fn entry_of(self, hash: u32) -> u64 {
        let (size, is_negative) = ((hash as i32).unsigned_abs(), (hash as i32) < 0);
        // The usual number of columns is a power of two, for which no division is needed.
        let column = if self.columns.is_power_of_two() { size & (self.columns - 1) } else { size % self.columns };
        entry(column, if self.signed && is_negative { u32::MAX } else { 1 })
    }
}

/// Austin Appleby's MurmurHash3, variant x86_32 with seed 0, of a part of `bytes`. Some bytes more must be there to
/// read.
#[inline]
fn murmur3(bytes: &[u8], [start, end]: Span) -> u32 {
    let scramble = |block: u32| block.wrapping_mul(0xcc9e_2d51).rotate_left(15).wrapping_mul(0x1b87_3593);
    let (start, length) = (start as usize, end - start);
    let block = |at: usize| bytes[at..].first_chunk::<4>().map_or(0, |&block| u32::from_le_bytes(block));
    let mut hash = 0u32;
    for at in (start..).step_by(4).take(length as usize / 4) {
        hash = (hash ^ scramble(block(at))).rotate_left(13).wrapping_mul(5).wrapping_add(0xe654_6b64);
    }
    let last = block(start + (length & !3) as usize) & ((1 << (8 * (length & 3))) - 1);
    hash ^= scramble(last) ^ length;
    hash = (hash ^ hash >> 16).wrapping_mul(0x85eb_ca6b);
    hash = (hash ^ hash >> 13).wrapping_mul(0xc2b2_ae35);
    hash ^ hash >> 16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vectorize::matrix::sparse::Matrix;
    use crate::vectorize::pattern::rules::PatternUnit;

    /// The hash of all of `bytes`.
    fn murmur3_of(bytes: &[u8]) -> u32 {
        murmur3(&[bytes, &[0; 4]].concat(), [0, bytes.len() as u32])
    }

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
            assert_eq!(murmur3_of(bytes), hash, "{bytes:?}");
        }
    }

    #[test]
    fn what_shares_a_column_is_added_up() {
        let pattern = Pattern::new(PatternUnit::Word(1), 1, 1, true, std::iter::empty());
        let mut gathering = Gathering::new(1, true);
        let texts: [&[u8]; 2] = [b"abc a abc Hello a a", b""];
        Hashing::new(1, true).add(&mut gathering, &pattern, &texts, &|| false).expect("nothing stops it");
        let rows: Matrix<f64> = gathering.finish(false, &|| false).expect("nothing stops it");
        let hello = if (murmur3_of(b"hello") as i32) < 0 { -1.0 } else { 1.0 };
        assert_eq!((rows.starts, rows.columns, rows.values), (vec![0, 1, 1], vec![0], vec![1.0 + hello]));
    }
}
