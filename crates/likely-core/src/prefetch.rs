//! Hints to the processor about memory that will be needed soon.
#![allow(unsafe_code)]

/// How many steps ahead memory is asked for.
pub(crate) const AHEAD: usize = 8;

/// Starts loading an element of a slice into the cache. It does nothing on processors without such an instruction.
#[inline]
pub(crate) fn prefetch<T>(slice: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Some(element) = slice.get(index) {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch reads nothing, and the address is that of an element.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(element).cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (slice, index);
}
