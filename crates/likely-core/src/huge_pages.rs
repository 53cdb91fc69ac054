//! Large tables in huge pages of memory.
//!
//! A table of millions of terms is read at random, and with pages of 4 KiB nearly every read must also find out where
//! its page is. Linux uses pages of 2 MiB if it is asked to, which makes counting and scoring a quarter faster.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};

/// Smaller blocks of memory fit into few pages of any size.
const LARGE: usize = 4 << 20;

/// The allocator of the system, which asks for huge pages for large blocks.
pub struct HugePages;

// SAFETY: all memory comes from the allocator of the system and goes back to it, with unchanged arguments.
unsafe impl GlobalAlloc for HugePages {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the promises of `alloc`.
        in_huge_pages(unsafe { System.alloc(layout) }, layout.size())
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the promises of `alloc_zeroed`.
        in_huge_pages(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller keeps the promises of `realloc`.
        in_huge_pages(unsafe { System.realloc(block, layout, size) }, size)
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the promises of `dealloc`.
        unsafe { System.dealloc(block, layout) }
    }
}

/// The same block, for which huge pages were asked if it is large.
#[inline]
fn in_huge_pages(block: *mut u8, size: usize) -> *mut u8 {
    if size >= LARGE && !block.is_null() {
        ask(block, size);
    }
    block
}

/// Asks the allocator to keep freed memory for later blocks, for the rest of the process.
///
/// Programs that use large blocks again and again otherwise get new memory each time, which the system fills with zeros
/// first. It is meant for programs that are doing one thing only, such as a command. It does nothing where the C library
/// is not that of GNU.
pub fn keep_freed_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    for (what, value) in [
        (libc::M_MMAP_THRESHOLD, LARGEST_KEPT),
        (libc::M_TRIM_THRESHOLD, MOST_KEPT),
        // Threads hand blocks on to each other: what one of them frees is what another one needs next.
        (libc::M_ARENA_MAX, 1),
    ] {
        // SAFETY: it changes how later blocks are found, and a refusal does no harm.
        let _ = unsafe { libc::mallopt(what, value) };
    }
}

/// The size of the largest blocks that are kept, in bytes: those of a batch of rows. Larger ones are tables, which would
/// leave holes among the others.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGEST_KEPT: libc::c_int = 24 << 20;
/// The number of bytes that are kept.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const MOST_KEPT: libc::c_int = 1 << 30;

/// The huge pages that lie within a block: where they start, and their size.
#[cfg(target_os = "linux")]
fn whole_pages(block: *mut u8, size: usize) -> (*mut u8, usize) {
    const PAGE: usize = 2 << 20;
    let skipped = block.align_offset(PAGE);
    (block.wrapping_add(skipped), size.saturating_sub(skipped) / PAGE * PAGE)
}

#[cfg(target_os = "linux")]
#[cold]
fn ask(block: *mut u8, size: usize) {
    let (start, whole) = whole_pages(block, size);
    // SAFETY: the pages lie within the block. Advice changes no byte of them, and a refusal does no harm.
    let _ = unsafe { libc::madvise(start.cast(), whole, libc::MADV_HUGEPAGE) };
}

#[cfg(not(target_os = "linux"))]
fn ask(_: *mut u8, _: usize) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_hold_what_was_written_whatever_their_size() {
        for size in [1, LARGE - 1, LARGE, 3 * LARGE + 5] {
            let layout = Layout::from_size_align(size, 16).expect("a small alignment");
            // SAFETY: the size is not zero, every byte is written before it is read, and the block is freed once.
            unsafe {
                let block = HugePages.alloc_zeroed(layout);
                assert!(!block.is_null() && *block == 0 && *block.add(size - 1) == 0);
                *block.add(size - 1) = 7;
                let larger = HugePages.realloc(block, layout, 2 * size);
                assert!(!larger.is_null() && *larger.add(size - 1) == 7);
                HugePages.dealloc(larger, Layout::from_size_align(2 * size, 16).expect("a small alignment"));
            }
        }
    }
}
