//! Sixty-four bytes of a JSON string go in; a mask of those that are not simply characters of the string comes out.
#![allow(unsafe_code)]

/// The number of bytes of a block.
pub(crate) const BLOCK: usize = 64;

/// Whether a byte ends a string, begins an escape, or may not be in a string.
pub(crate) fn is_special(byte: u8) -> bool {
    byte == b'"' || byte == b'\\' || byte < 0x20
}

/// The special bytes of a block, one bit per byte, lowest bit first.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(crate) fn specials(block: &[u8; BLOCK]) -> u64 {
    use core::arch::x86_64::*;
    let mut mask = 0;
    for (i, part) in block.as_chunks::<16>().0.iter().enumerate() {
        // SAFETY: `part` is 16 bytes, the load is unaligned, and SSE2 is part of every x86-64 processor.
        let special = unsafe {
            let bytes = _mm_loadu_si128(part.as_ptr().cast());
            let quote = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(b'"' as i8));
            let backslash = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(b'\\' as i8));
            let control = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1f)), bytes);
            _mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quote, backslash), control))
        };
        mask |= u64::from(special as u16) << (16 * i);
    }
    mask
}

/// The special bytes of a block, one bit per byte, lowest bit first.
#[cfg(not(target_arch = "x86_64"))]
#[inline]
pub(crate) fn specials(block: &[u8; BLOCK]) -> u64 {
    plain(block)
}

/// The reference: it looks at one byte at a time.
#[cfg(any(test, not(target_arch = "x86_64")))]
fn plain(block: &[u8; BLOCK]) -> u64 {
    block.iter().rev().fold(0, |mask, &byte| mask << 1 | u64::from(is_special(byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_at_every_place() {
        for place in 0..BLOCK {
            for byte in 0..=u8::MAX {
                let mut block = [b'a'; BLOCK];
                block[place] = byte;
                assert_eq!(specials(&block), plain(&block));
                assert_eq!(specials(&block), u64::from(is_special(byte)) << place);
            }
        }
    }
}
