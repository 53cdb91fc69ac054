//! Which instructions are used: the one place that asks what the processor can do.
//!
//! **Warning.** A vector function does the same operations on each number as the plain one beside it, so that both give
//! the same bits: no fused multiply-add, no sum in another order. The tests of a room compare the two; with
//! `LIKELY_PLAIN=1` in the environment every test runs on the plain way, which is that of other processors.
//!
//! - [`vectorized`] runs plain code that the compiler makes wider instructions of.
//! - [`widest!`] calls the first of some functions whose instructions there are, for code written by hand.
#![allow(unsafe_code)]

use std::sync::atomic::{AtomicU8, Ordering};

/// Whether no vector instructions are used: `LIKELY_PLAIN=1` was in the environment when this was first asked.
#[inline]
pub fn is_plain() -> bool {
    match ANSWER.load(Ordering::Relaxed) {
        PLAIN => true,
        VECTORS => false,
        _ => ask(),
    }
}

/// Not asked yet, or one of the answers. There is no lock, which a fork could leave locked.
static ANSWER: AtomicU8 = AtomicU8::new(0);
const PLAIN: u8 = 1;
const VECTORS: u8 = 2;

#[cold]
fn ask() -> bool {
    let plain = std::env::var_os("LIKELY_PLAIN").is_some_and(|value| value == "1");
    ANSWER.store(if plain { PLAIN } else { VECTORS }, Ordering::Relaxed);
    plain
}

/// Whether a feature of the processor may be used: `has!("x86_64", "avx2")`.
macro_rules! has {
    ($arch:tt, $feature:tt) => {{
        #[cfg(target_arch = $arch)]
        let found = !$crate::vector::is_plain() && $crate::vector::detected!($arch, $feature);
        #[cfg(not(target_arch = $arch))]
        let found = false;
        found
    }};
}

macro_rules! detected {
    ("x86_64", $feature:tt) => {
        std::arch::is_x86_feature_detected!($feature)
    };
    ("aarch64", $feature:tt) => {
        std::arch::is_aarch64_feature_detected!($feature)
    };
}

/// Calls the first of some functions whose instructions may be used; the last one needs none:
/// `widest!("x86_64" "avx512bw" => in_512 as (a, b), "x86_64" "avx2" => in_256 as (a, b); plain(a, b))`. Each must be a safe
/// function with `#[target_feature]` for this feature; arguments are mere names, so that nothing else is called unsafely.
macro_rules! widest {
    ($($arch:tt $feature:tt => $wide:ident as ($($argument:ident),*)),+; $plain:expr) => {{
        $(
            #[cfg(target_arch = $arch)]
            if $crate::vector::has!($arch, $feature) {
                // SAFETY: the processor has these instructions, and the function needs nothing else.
                return unsafe { $wide($($argument),*) };
            }
        )+
        $plain
    }};
}

#[allow(unused_imports)] // each room takes what it needs
pub(crate) use {detected, has, widest};

/// What some code returns, which the compiler may make the widest instructions of. All that it calls should be
/// `#[inline(always)]`.
#[inline]
pub(crate) fn vectorized<R>(work: impl FnOnce() -> R) -> R {
    widest!("x86_64" "avx2" => in_avx2 as (work); work())
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn in_avx2<R>(work: impl FnOnce() -> R) -> R {
    work()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_decides_and_nothing_else() {
        let wanted = std::env::var_os("LIKELY_PLAIN").is_some_and(|value| value == "1");
        assert_eq!((is_plain(), is_plain()), (wanted, wanted));
        assert!(!(wanted && has!("x86_64", "sse2")));
    }

    #[test]
    fn work_is_done_once_whatever_the_instructions() {
        let numbers: Vec<f64> = (0..100).map(f64::from).collect();
        let mut sums = vec![0.0; 100];
        let sum: f64 = vectorized(|| {
            sums.iter_mut().zip(&numbers).for_each(|(sum, number)| *sum += number);
            sums.iter().sum()
        });
        assert_eq!(sum, 4950.0);
    }
}
