//! A block of 64 bytes goes in; masks of its most common characters beyond ASCII come out: small letters of French and
//! Russian, and Han.
//!
//! Every other character is looked up in a table ([`crate::analyze::characters::wide_blocks`]); so are these on a
//! processor without the instructions that are needed here.
#![allow(unsafe_code)]

use crate::analyze::characters::wide_blocks::SEEN;

/// The first bytes of common characters, one bit per byte, lowest bit first. They lie in the block completely, and do
/// not change in lower case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Common {
    /// Letters of two bytes: à to ÿ and а to џ.
    pub(super) letters: u64,
    /// Han characters of three bytes: U+4E00 to U+9FFF.
    pub(super) han: u64,
}

/// The common characters of a block and of the bytes after it; none if the processor cannot find them fast.
#[inline]
pub(super) fn common_characters(bytes: &[u8; SEEN]) -> Common {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: AVX2 was detected.
        return unsafe { x86::avx2(bytes) };
    }
    let _ = bytes;
    Common::default()
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Common, SEEN};
    use core::arch::x86_64::*;

    #[target_feature(enable = "avx2")]
    pub(super) fn avx2(bytes: &[u8; SEEN]) -> Common {
        let mut found = Common::default();
        for half in 0..2 {
            let load = |offset: usize| {
                let part: &[u8] = &bytes[32 * half + offset..32 * half + offset + 32];
                // SAFETY: `part` is 32 readable bytes and the load is unaligned.
                unsafe { _mm256_loadu_si256(part.as_ptr().cast()) }
            };
            let (first, second, third) = (load(0), load(1), load(2));
            let is = |x, byte: u8| _mm256_cmpeq_epi8(x, _mm256_set1_epi8(byte as i8));
            let within = |x, low: u8, count: u8| {
                let shifted = _mm256_sub_epi8(x, _mm256_set1_epi8(low as i8));
                _mm256_cmpeq_epi8(_mm256_min_epu8(shifted, _mm256_set1_epi8((count - 1) as i8)), shifted)
            };
            let and = |a, b| _mm256_and_si256(a, b);
            let or = |a, b| _mm256_or_si256(a, b);
            // Between the letters of Latin-1 stands the sign of division.
            let latin = and(is(first, 0xc3), _mm256_andnot_si256(is(second, 0xb7), within(second, 0xa0, 0x20)));
            let cyrillic = or(
                and(is(first, 0xd0), within(second, 0xb0, 0x10)),
                and(is(first, 0xd1), within(second, 0x80, 0x20)),
            );
            let han = or(within(first, 0xe5, 5), and(is(first, 0xe4), within(second, 0xb8, 0x08)));
            let han = and(han, and(within(second, 0x80, 0x40), within(third, 0x80, 0x40)));
            let mask = |x| u64::from(_mm256_movemask_epi8(x) as u32) << (32 * half);
            found.letters |= mask(or(latin, cyrillic));
            found.han |= mask(han);
        }
        Common { letters: found.letters & u64::MAX >> 1, han: found.han & u64::MAX >> 2 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::characters::char_class::{Class, changes_in_lowercase, class};

    #[test]
    fn common_characters_are_what_the_table_says() {
        let mut seen = 0;
        for c in (0x80..=0x10ffff).filter_map(char::from_u32) {
            let mut bytes = [b' '; SEEN];
            let at = c as usize % 61;
            c.encode_utf8(&mut bytes[at..at + 4]);
            let found = common_characters(&bytes);
            let common = matches!(c, 'à'..='ö' | 'ø'..='ÿ' | 'а'..='џ') as u64;
            let han = matches!(c, '\u{4e00}'..='\u{9fff}') as u64;
            if found == Common::default() && common + han == 0 {
                continue;
            }
            seen += 1;
            if found != Common::default() {
                assert_eq!(found, Common { letters: common << at, han: han << at }, "{c:?}");
                assert_eq!(class(c), if han == 1 { Class::Single } else { Class::Word }, "{c:?}");
                assert!(!changes_in_lowercase(c), "{c:?}");
            }
        }
        assert_eq!(seen, 31 + 48 + 0x5200);
    }

    #[test]
    fn a_character_that_leaves_the_block_is_not_found() {
        let mut bytes = [b' '; SEEN];
        bytes[62..65].copy_from_slice("漢".as_bytes());
        assert_eq!(common_characters(&bytes), Common::default());
        bytes[63..65].copy_from_slice("é".as_bytes());
        assert_eq!(common_characters(&bytes), Common::default());
    }
}
