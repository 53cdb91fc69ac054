//! The places of the set bits of a mask, as numbers.
//!
//! **Warning.** How many bits are set cannot be foreseen, so that no branch depends on it, or only few do: places are
//! written that are not wanted, and cut off. Both ways give the same numbers; a test compares them.
#![allow(unsafe_code)]

use crate::vector;

/// Appends the places of the set bits, lowest first, each plus `base`.
#[inline]
pub(crate) fn push_places(places: &mut Vec<u32>, base: u32, bits: u64) {
    vector::widest!("x86_64" "avx512vbmi2" => push_all_at_once as (places, base, bits); push_some_at_a_time(places, base, bits))
}

#[inline]
fn push_some_at_a_time(places: &mut Vec<u32>, base: u32, mut bits: u64) {
    let end = places.len() + bits.count_ones() as usize;
    while places.len() < end {
        let some: [u32; 8] = std::array::from_fn(|_| {
            let place = base.wrapping_add(bits.trailing_zeros());
            bits &= bits.wrapping_sub(1);
            place
        });
        places.extend_from_slice(&some);
    }
    places.truncate(end);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vbmi2,popcnt")]
fn push_all_at_once(places: &mut Vec<u32>, base: u32, bits: u64) {
    use core::arch::x86_64::*;
    const ALL: [u8; 64] = {
        let mut all = [0; 64];
        let mut at = 0;
        while at < 64 {
            all[at] = at as u8;
            at += 1;
        }
        all
    };
    let (start, size) = (places.len(), bits.count_ones() as usize);
    places.resize(start + 64, 0);
    let base = _mm512_set1_epi32(base.cast_signed());
    // SAFETY: it reads 64 bytes.
    let all = unsafe { _mm512_loadu_si512(ALL.as_ptr().cast()) };
    let packed = _mm512_maskz_compress_epi8(bits, all);
    let mut write = |at: usize, sixteen: __m128i| {
        let numbers = _mm512_add_epi32(base, _mm512_cvtepu8_epi32(sixteen));
        // SAFETY: the slice is checked to be sixteen numbers.
        unsafe { _mm512_storeu_si512(places[start + at..start + at + 16].as_mut_ptr().cast(), numbers) };
    };
    write(0, _mm512_castsi512_si128(packed));
    write(16, _mm512_extracti32x4_epi32::<1>(packed));
    if size > 32 {
        write(32, _mm512_extracti32x4_epi32::<2>(packed));
        write(48, _mm512_extracti32x4_epi32::<3>(packed));
    }
    places.truncate(start + size);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(base: u32, bits: u64) {
        let expected = (0..64).filter(|bit| bits >> bit & 1 == 1).map(|bit| base + bit);
        let expected: Vec<u32> = [7].into_iter().chain(expected).collect();
        for push in [push_places, push_some_at_a_time] {
            let mut places = vec![7];
            push(&mut places, base, bits);
            assert_eq!(places, expected);
        }
    }

    #[test]
    fn masks_of_any_size() {
        (0..64).for_each(|size| check(1000, u64::MAX >> size));
        (0..64).for_each(|size| check(1000, u64::MAX << size));
        check(0, 0);
    }

    proptest! {
        #[test]
        fn any_mask(base in 0u32..1 << 31, bits: u64) {
            check(base, bits);
        }
    }
}
