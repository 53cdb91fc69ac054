//! Sixteen bytes at a time (SIMD), with instructions that every processor of its kind has: SSE2 on x86-64, NEON on ARM of
//! 64 bits. Elsewhere, and with `LIKELY_PLAIN=1`, whoever uses [`Lanes`] goes byte by byte.
//!
//! **Warning.** Both kinds must do the same in every operation. What is made of them is compared with rules for one byte or
//! one character: in tests of `ascii_blocks` and of `wide_blocks`.
#![allow(unsafe_code)]

#[cfg(target_arch = "aarch64")]
use core::arch::aarch64::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

#[cfg(target_arch = "aarch64")]
type Register = uint8x16_t;
#[cfg(target_arch = "x86_64")]
type Register = __m128i;

/// Sixteen bytes. Comparisons set all bits of the bytes for which they hold.
#[derive(Clone, Copy)]
pub(crate) struct Lanes(Register);

/// The instructions of x86-64 or those of ARM.
macro_rules! either {
    ($x86:expr, $arm:expr) => {
        // SAFETY: every processor of its kind has these instructions. Those that load or store do it with sixteen bytes,
        // which need not be aligned.
        unsafe {
            #[cfg(target_arch = "x86_64")]
            let done = $x86;
            #[cfg(target_arch = "aarch64")]
            let done = $arm;
            done
        }
    };
}

impl Lanes {
    #[inline(always)]
    pub(crate) fn load(bytes: &[u8; 16]) -> Self {
        Self(either!(_mm_loadu_si128(bytes.as_ptr().cast()), vld1q_u8(bytes.as_ptr())))
    }

    #[inline(always)]
    pub(crate) fn store(self, bytes: &mut [u8; 16]) {
        either!(_mm_storeu_si128(bytes.as_mut_ptr().cast(), self.0), vst1q_u8(bytes.as_mut_ptr(), self.0))
    }

    /// The same byte sixteen times.
    #[inline(always)]
    pub(crate) fn all(byte: u8) -> Self {
        Self(either!(_mm_set1_epi8(byte.cast_signed()), vdupq_n_u8(byte)))
    }

    #[inline(always)]
    pub(crate) fn and(self, other: Self) -> Self {
        Self(either!(_mm_and_si128(self.0, other.0), vandq_u8(self.0, other.0)))
    }

    #[inline(always)]
    pub(crate) fn or(self, other: Self) -> Self {
        Self(either!(_mm_or_si128(self.0, other.0), vorrq_u8(self.0, other.0)))
    }

    /// Which bytes are this one.
    #[inline(always)]
    pub(crate) fn is(self, byte: u8) -> Self {
        let wanted = Self::all(byte).0;
        Self(either!(_mm_cmpeq_epi8(self.0, wanted), vceqq_u8(self.0, wanted)))
    }

    /// Which bytes are among the `count` (at least one) from `low` on.
    #[inline(always)]
    pub(crate) fn within(self, low: u8, count: u8) -> Self {
        let (low, most) = (Self::all(low).0, Self::all(count - 1).0);
        // Differences wrap around, and x86-64 compares no numbers without a sign.
        Self(either!(
            {
                let above = _mm_sub_epi8(self.0, low);
                _mm_cmpeq_epi8(_mm_min_epu8(above, most), above)
            },
            vcleq_u8(vsubq_u8(self.0, low), most)
        ))
    }

    /// The highest bit of each byte, that of the first byte lowest.
    #[inline(always)]
    pub(crate) fn mask(self) -> u64 {
        either!(_mm_movemask_epi8(self.0) as u64, {
            // Each byte keeps the bit of its place; the bits of eight bytes are added up to one byte.
            let sign = vreinterpretq_u8_s8(vshrq_n_s8::<7>(vreinterpretq_s8_u8(self.0)));
            let bits = vandq_u8(sign, vreinterpretq_u8_u64(vdupq_n_u64(0x8040_2010_0804_0201)));
            u64::from(vaddv_u8(vget_low_u8(bits))) | u64::from(vaddv_u8(vget_high_u8(bits))) << 8
        })
    }
}
