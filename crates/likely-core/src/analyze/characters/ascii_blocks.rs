//! Sixty-four bytes go in; masks of their letters and digits, apostrophes, underscores and non-ASCII bytes come out,
//! and a copy with its ASCII in lower case.
//!
//! **Warning.** All variants must do the same for every block; a test compares them with the rules for one byte.
#![allow(unsafe_code)]

use crate::vector;

/// The classes of the 64 bytes of a block, one bit per byte, lowest bit first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Masks {
    /// ASCII letters and digits.
    pub word: u64,
    /// ASCII apostrophes.
    pub apostrophe: u64,
    /// Underscores.
    pub underscore: u64,
    /// Bytes of 0x80 and above.
    pub wide: u64,
    /// Bytes of 0xc0 and above, with which a character of several bytes begins.
    pub lead: u64,
}

/// A function from a block to its masks. It also copies the block and changes each ASCII capital by `case`: 0x20 makes
/// it lower case, 0 leaves it as it is.
pub type Classify = fn(&[u8; 64], case: u8, copy: &mut [u8; 64]) -> Masks;

/// The variants that this machine can run, by name, slowest first.
pub fn variants() -> Vec<(&'static str, Classify)> {
    let mut all: Vec<(&'static str, Classify)> = vec![("plain", plain)];
    if vector::has!("x86_64", "sse2") {
        all.push(("sse2", by_sixteen));
    }
    if vector::has!("x86_64", "avx512bw") {
        all.push(("avx512", at_once));
    }
    if vector::has!("aarch64", "neon") {
        all.push(("neon", by_sixteen));
    }
    all
}

/// The fastest variant of this machine.
pub fn fastest() -> Classify {
    variants().last().map_or(plain, |(_, classify)| *classify)
}

/// The 64 bytes of a text from `at` on, with zeros behind its end. `padded` is memory for them.
#[inline]
pub(crate) fn block_at<'a>(text: &'a [u8], at: usize, padded: &'a mut [u8; 64]) -> &'a [u8; 64] {
    text[at..].first_chunk().unwrap_or_else(|| {
        *padded = [0; 64];
        padded[..text.len() - at].copy_from_slice(&text[at..]);
        padded
    })
}

/// The reference: it looks at one byte at a time.
fn plain(block: &[u8; 64], case: u8, copy: &mut [u8; 64]) -> Masks {
    let mut masks = Masks::default();
    for (bit, &byte) in block.iter().enumerate() {
        copy[bit] = if byte.is_ascii_uppercase() { byte | case } else { byte };
        masks.word |= u64::from(byte.is_ascii_alphanumeric()) << bit;
        masks.apostrophe |= u64::from(byte == b'\'') << bit;
        masks.underscore |= u64::from(byte == b'_') << bit;
        masks.wide |= u64::from(byte >= 0x80) << bit;
        masks.lead |= u64::from(byte >= 0xc0) << bit;
    }
    masks
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
use plain as by_sixteen;

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
fn by_sixteen(block: &[u8; 64], case: u8, copy: &mut [u8; 64]) -> Masks {
    use crate::lanes::Lanes;
    let mut masks = Masks::default();
    let parts = block.as_chunks().0.iter().zip(copy.as_chunks_mut().0);
    for (part, (bytes, copy)) in parts.enumerate() {
        let bytes = Lanes::load(bytes);
        bytes.or(bytes.within(b'A', 26).and(Lanes::all(case))).store(copy);
        let letter = bytes.or(Lanes::all(0x20)).within(b'a', 26);
        let shift = 16 * part;
        masks.word |= letter.or(bytes.within(b'0', 10)).mask() << shift;
        masks.apostrophe |= bytes.is(b'\'').mask() << shift;
        masks.underscore |= bytes.is(b'_').mask() << shift;
        masks.wide |= bytes.mask() << shift;
        masks.lead |= bytes.within(0xc0, 0x40).mask() << shift;
    }
    masks
}

fn at_once(block: &[u8; 64], case: u8, copy: &mut [u8; 64]) -> Masks {
    vector::widest!("x86_64" "avx512bw" => avx512 as (block, case, copy); plain(block, case, copy))
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512bw")]
fn avx512(block: &[u8; 64], case: u8, copy: &mut [u8; 64]) -> Masks {
    use core::arch::x86_64::*;
    // SAFETY: `block` is 64 readable bytes and the load is unaligned.
    let bytes = unsafe { _mm512_loadu_si512(block.as_ptr().cast()) };
    let all = |byte: u8| _mm512_set1_epi8(byte.cast_signed());
    let within = |x, low: u8, count: u8| _mm512_cmplt_epu8_mask(_mm512_sub_epi8(x, all(low)), all(count));
    let capital = _mm512_maskz_mov_epi8(within(bytes, b'A', 26), all(case));
    // SAFETY: `copy` is 64 bytes and the store is unaligned.
    unsafe { _mm512_storeu_si512(copy.as_mut_ptr().cast(), _mm512_or_si512(bytes, capital)) };
    let letter = within(_mm512_or_si512(bytes, all(0x20)), b'a', 26);
    Masks {
        word: letter | within(bytes, b'0', 10),
        apostrophe: _mm512_cmpeq_epi8_mask(bytes, all(b'\'')),
        underscore: _mm512_cmpeq_epi8_mask(bytes, all(b'_')),
        wide: _mm512_movepi8_mask(bytes),
        lead: _mm512_cmpge_epu8_mask(bytes, all(0xc0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(block: &[u8; 64]) {
        let mask = |is: fn(&u8) -> bool| block.iter().rev().fold(0, |mask, byte| mask << 1 | u64::from(is(byte)));
        let masks = Masks {
            word: mask(u8::is_ascii_alphanumeric),
            apostrophe: mask(|&byte| byte == b'\''),
            underscore: mask(|&byte| byte == b'_'),
            wide: mask(|&byte| byte >= 0x80),
            lead: mask(|&byte| byte >= 0xc0),
        };
        for (name, classify) in variants() {
            for (case, expected) in [(0, *block), (0x20, block.map(|byte| byte.to_ascii_lowercase()))] {
                let mut copy = [0; 64];
                assert_eq!(classify(block, case, &mut copy), masks, "{name} on {block:?}");
                assert_eq!(copy, expected, "{name} on {block:?}");
            }
        }
    }

    #[test]
    fn every_variant_follows_the_rules_for_one_byte() {
        let mut state = 1u64;
        for round in 0..2000u64 {
            check(&std::array::from_fn(|_| {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(round | 1);
                (state >> 56) as u8
            }));
        }
        (0..=255).for_each(|byte| check(&[byte; 64]));
    }
}
