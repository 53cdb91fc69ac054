//! Hints to the processor about memory that will be needed soon.
#![allow(unsafe_code)]

/// How many steps ahead memory is asked for.
pub(crate) const AHEAD: usize = 8;

/// Starts loading an element of a slice into the cache. It does nothing on processors without such an instruction.
#[inline]
pub(crate) fn prefetch<T>(slice: &[T], index: usize) {
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    if let Some(element) = slice.get(index) {
        let address = std::ptr::from_ref(element);
        // SAFETY: a prefetch reads nothing, and the address is that of an element.
        unsafe {
            #[cfg(target_arch = "x86_64")]
            core::arch::x86_64::_mm_prefetch::<{ core::arch::x86_64::_MM_HINT_T0 }>(address.cast());
            #[cfg(target_arch = "aarch64")]
            core::arch::asm!("prfm pldl1keep, [{}]", in(reg) address, options(nostack, preserves_flags, readonly));
        }
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let _ = (slice, index);
}
