//! A term goes in; the number of a bucket comes out. The names of terms are not kept.
//!
//! The hash is the same in every process and on every machine, because a model file holds the buckets. An attacker who
//! knows the hash can make words collide; a model that must withstand this keeps the names.

use crate::vocabulary::table;
use crate::vocabulary::term_ids::JOINT;
use crate::vocabulary::word::{Word, halves};

const SEEDS: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0xd1b5_4a32_d192_ed03];

#[inline]
fn mix(a: u64, b: u64) -> u64 {
    // The hash has 63 bits, so that it never equals the number that stands for no hash.
    table::mix(a ^ SEEDS[0], b ^ SEEDS[1]) >> 1
}

/// The hash of a word or of characters.
#[inline]
pub(crate) fn hash_of_term(bytes: &[u8]) -> u64 {
    bytes.chunks(16).fold(mix(bytes.len() as u64, 0), |hash, chunk| {
        let mut padded = [0; 16];
        padded[..chunk.len()].copy_from_slice(chunk);
        let (low, high) = halves(padded);
        mix(hash ^ low, hash.rotate_left(32) ^ high)
    })
}

/// The hash of a word. `bytes` may be empty if the key holds the whole word.
#[inline]
pub(crate) fn hash_of_word(word: &Word, bytes: &[u8]) -> u64 {
    if !word.is_short() {
        return hash_of_term(bytes);
    }
    let length = word.key.high >> 56;
    let start = mix(length, 0);
    if length == 0 { start } else { mix(start ^ word.key.low, start.rotate_left(32) ^ (word.key.high << 8 >> 8)) }
}

/// The hash of an n-gram from the hash of the n-gram before its last word and the hash of that word.
#[inline]
pub(crate) fn hash_of_phrase(parent: u64, last: u64) -> u64 {
    mix(parent.rotate_left(17), last)
}

/// The hash of a term as it is spelled, with its words joined.
pub(crate) fn hash_of_spelled(term: &[u8], phrases: bool) -> u64 {
    if !phrases {
        return hash_of_term(term);
    }
    let mut words = term.split(|&byte| byte == JOINT).map(hash_of_term);
    let first = words.next().unwrap_or_default();
    words.fold(first, hash_of_phrase)
}

/// The name of the bucket of a hash: a hexadecimal number, as a word of the vocabulary.
#[inline]
pub(crate) fn bucket(hash: u64, bits: u32) -> Word {
    let length = bits.div_ceil(4);
    let number = hash << 1 >> (64 - bits);
    // All eight digits are made at once: each byte takes half a byte, the first digit lowest; then they become
    // characters.
    let mut digits = number << (32 - 4 * length);
    digits = (digits | digits << 16) & 0x0000_ffff_0000_ffff;
    digits = (digits | digits << 8) & 0x00ff_00ff_00ff_00ff;
    digits = (digits | digits << 4) & 0x0f0f_0f0f_0f0f_0f0f;
    let letters = (digits + 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101;
    let name = (digits + 0x3030_3030_3030_3030 + letters * 0x27).swap_bytes();
    let low = name & (u64::MAX >> (64 - 8 * length));
    Word::short(low, 0, length, table::seeds())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_the_same_everywhere() {
        let hashes = [b"".as_slice(), b"good", b"a word that is longer than sixteen bytes"].map(hash_of_term);
        assert_eq!(hashes, [7_738_807_353_936_663_713, 4_615_896_922_678_978_567, 2_003_512_606_626_586_973]);
        for word in ["a", "exactly15bytes!", "sixteen bytes!!!", ""] {
            assert_eq!(hash_of_word(&Word::new(word.as_bytes()), word.as_bytes()), hash_of_term(word.as_bytes()));
        }
        assert_eq!(hash_of_spelled(b"so good", true), hash_of_phrase(hash_of_term(b"so"), hash_of_term(b"good")));
    }

    #[test]
    fn buckets_have_hexadecimal_names() {
        for (bits, digits) in [(10, 3), (12, 3), (20, 5), (29, 8), (30, 8)] {
            for number in [0, 1, 0xabc & ((1 << bits) - 1), (1 << bits) - 1] {
                let word = bucket(number << (63 - bits), bits);
                let expected = format!("{number:0digits$x}");
                assert_eq!(word.short_text(&word.short_bytes()), expected.as_bytes());
            }
        }
    }

    #[test]
    fn buckets_fill_evenly() {
        let mut seen = [0u32; 1024];
        for number in 0..102_400 {
            let hash = hash_of_term(format!("w{number}").as_bytes());
            seen[(hash << 1 >> 54) as usize] += 1;
        }
        assert!(seen.iter().all(|&count| (50..160).contains(&count)));
    }
}
