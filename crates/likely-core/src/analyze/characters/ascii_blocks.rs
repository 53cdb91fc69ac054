//! Sixty-four bytes go in; masks of their letters and digits, apostrophes, underscores and non-ASCII bytes come out,
//! and a copy with its ASCII in lower case.
//!
//! This is the only place with `unsafe` arithmetic on bytes. Every variant must do the same as [`plain`], which needs
//! no special instructions; a test compares them.
#![allow(unsafe_code)]

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
    #[allow(unused_mut)]
    let mut all: Vec<(&'static str, Classify)> = vec![("plain", plain)];
    #[cfg(target_arch = "x86_64")]
    {
        all.push(("sse2", x86::sse2));
        if is_x86_feature_detected!("avx2") {
            all.push(("avx2", x86::avx2_checked));
        }
        if is_x86_feature_detected!("avx512bw") {
            all.push(("avx512", x86::avx512_checked));
        }
    }
    all
}

/// The fastest variant of this machine.
pub fn fastest() -> Classify {
    static CHOICE: std::sync::OnceLock<Classify> = std::sync::OnceLock::new();
    *CHOICE.get_or_init(|| variants().last().map_or(plain as Classify, |(_, classify)| *classify))
}

/// The reference: it looks at one byte at a time.
pub fn plain(block: &[u8; 64], case: u8, copy: &mut [u8; 64]) -> Masks {
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

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::Masks;
    use core::arch::x86_64::*;

    /// SSE2 is part of every x86-64 processor, so this variant needs no check.
    pub(super) fn sse2(block: &[u8; 64], case: u8, copy: &mut [u8; 64]) -> Masks {
        let mut masks = Masks::default();
        let parts = block.as_chunks::<16>().0.iter().zip(copy.as_chunks_mut::<16>().0);
        for (i, (part, copy)) in parts.enumerate() {
            // SAFETY: `part` and `copy` are 16 bytes each; loads and stores are unaligned. In `lead`, the highest bit
            // of a byte is set if its two highest bits were.
            let (word, apostrophe, underscore, wide, lead) = unsafe {
                let bytes = _mm_loadu_si128(part.as_ptr().cast());
                let within = |x, low: u8, count: u8| {
                    let shifted = _mm_sub_epi8(x, _mm_set1_epi8(low as i8));
                    _mm_cmpeq_epi8(_mm_min_epu8(shifted, _mm_set1_epi8((count - 1) as i8)), shifted)
                };
                let capital = within(bytes, b'A', 26);
                let lower = _mm_or_si128(bytes, _mm_and_si128(capital, _mm_set1_epi8(case as i8)));
                _mm_storeu_si128(copy.as_mut_ptr().cast(), lower);
                let letter = within(_mm_or_si128(bytes, _mm_set1_epi8(0x20)), b'a', 26);
                let digit = within(bytes, b'0', 10);
                (
                    _mm_movemask_epi8(_mm_or_si128(letter, digit)),
                    _mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(b'\'' as i8))),
                    _mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(b'_' as i8))),
                    _mm_movemask_epi8(bytes),
                    _mm_movemask_epi8(_mm_and_si128(bytes, _mm_slli_epi16::<1>(bytes))),
                )
            };
            masks.word |= u64::from(word as u16) << (16 * i);
            masks.apostrophe |= u64::from(apostrophe as u16) << (16 * i);
            masks.underscore |= u64::from(underscore as u16) << (16 * i);
            masks.wide |= u64::from(wide as u16) << (16 * i);
            masks.lead |= u64::from(lead as u16) << (16 * i);
        }
        masks
    }

    pub(super) fn avx2_checked(block: &[u8; 64], case: u8, copy: &mut [u8; 64]) -> Masks {
        // SAFETY: `variants` offers this function only where AVX2 was detected.
        unsafe { avx2(block, case, copy) }
    }

    #[target_feature(enable = "avx2")]
    fn avx2(block: &[u8; 64], case: u8, copy: &mut [u8; 64]) -> Masks {
        let mut masks = Masks::default();
        let parts = block.as_chunks::<32>().0.iter().zip(copy.as_chunks_mut::<32>().0);
        for (i, (part, copy)) in parts.enumerate() {
            // SAFETY: `part` is 32 readable bytes and the load is unaligned.
            let bytes = unsafe { _mm256_loadu_si256(part.as_ptr().cast()) };
            let within = |x, low: u8, count: u8| {
                let shifted = _mm256_sub_epi8(x, _mm256_set1_epi8(low as i8));
                _mm256_cmpeq_epi8(_mm256_min_epu8(shifted, _mm256_set1_epi8((count - 1) as i8)), shifted)
            };
            let capital = within(bytes, b'A', 26);
            let lower = _mm256_or_si256(bytes, _mm256_and_si256(capital, _mm256_set1_epi8(case as i8)));
            // SAFETY: `copy` is 32 bytes and the store is unaligned.
            unsafe { _mm256_storeu_si256(copy.as_mut_ptr().cast(), lower) };
            let letter = within(_mm256_or_si256(bytes, _mm256_set1_epi8(0x20)), b'a', 26);
            let digit = within(bytes, b'0', 10);
            let apostrophe = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(b'\'' as i8));
            let underscore = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(b'_' as i8));
            // The highest bit of a byte is set if the two highest bits were.
            let lead = _mm256_and_si256(bytes, _mm256_slli_epi16::<1>(bytes));
            let shift = 32 * i;
            masks.word |= u64::from(_mm256_movemask_epi8(_mm256_or_si256(letter, digit)) as u32) << shift;
            masks.apostrophe |= u64::from(_mm256_movemask_epi8(apostrophe) as u32) << shift;
            masks.underscore |= u64::from(_mm256_movemask_epi8(underscore) as u32) << shift;
            masks.wide |= u64::from(_mm256_movemask_epi8(bytes) as u32) << shift;
            masks.lead |= u64::from(_mm256_movemask_epi8(lead) as u32) << shift;
        }
        masks
    }

    pub(super) fn avx512_checked(block: &[u8; 64], case: u8, copy: &mut [u8; 64]) -> Masks {
        // SAFETY: `variants` offers this function only where AVX-512BW was detected.
        unsafe { avx512(block, case, copy) }
    }

    #[target_feature(enable = "avx512f,avx512bw")]
    fn avx512(block: &[u8; 64], case: u8, copy: &mut [u8; 64]) -> Masks {
        // SAFETY: `block` is 64 readable bytes and the load is unaligned.
        let bytes = unsafe { _mm512_loadu_si512(block.as_ptr().cast()) };
        let within = |x, low: u8, count: u8| {
            let shifted = _mm512_sub_epi8(x, _mm512_set1_epi8(low as i8));
            _mm512_cmplt_epu8_mask(shifted, _mm512_set1_epi8(count as i8))
        };
        let capital = _mm512_maskz_mov_epi8(within(bytes, b'A', 26), _mm512_set1_epi8(case as i8));
        // SAFETY: `copy` is 64 bytes and the store is unaligned.
        unsafe { _mm512_storeu_si512(copy.as_mut_ptr().cast(), _mm512_or_si512(bytes, capital)) };
        let letter = within(_mm512_or_si512(bytes, _mm512_set1_epi8(0x20)), b'a', 26);
        let digit = within(bytes, b'0', 10);
        Masks {
            word: letter | digit,
            apostrophe: _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(b'\'' as i8)),
            underscore: _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(b'_' as i8)),
            wide: _mm512_movepi8_mask(bytes),
            lead: _mm512_cmpge_epu8_mask(bytes, _mm512_set1_epi8(0xc0u8 as i8)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(block: &[u8; 64]) {
        for case in [0, 0x20] {
            let mut expected = [0; 64];
            let masks = plain(block, case, &mut expected);
            for (name, classify) in variants() {
                let mut copy = [0; 64];
                assert_eq!(classify(block, case, &mut copy), masks, "{name} on {block:?}");
                assert_eq!(copy, expected, "{name} on {block:?}");
            }
        }
    }

    #[test]
    fn every_variant_does_as_the_reference() {
        let mut state = 1u64;
        for round in 0..2000u64 {
            check(&std::array::from_fn(|_| {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(round | 1);
                (state >> 56) as u8
            }));
        }
        (0..=255).for_each(|byte| check(&[byte; 64]));
    }

    #[test]
    fn the_copy_is_in_lower_case() {
        let mut copy = [0; 64];
        plain(&[b'Q'; 64], 0x20, &mut copy);
        assert_eq!(copy, [b'q'; 64]);
    }
}
