//! Dense rows are added up, with the widest instructions that the processor has.
//!
//! All ways do the same operations on each number, so that they give the same bits.
#![allow(unsafe_code)]

use crate::compensated_sum::CompensatedSum;
use crate::prefetch::prefetch;
use crate::score::deltas::Dense;

/// A table with at most this many numbers stays in the second cache of the processor.
const NEAR: usize = 1 << 16;

/// How many terms are looked at before their rows are added: few enough that the rows fit into the first cache.
const CHUNK: usize = 128;

/// Adds the rows of some terms, which may be unknown, to the sums and the errors of the sums. The term at each place
/// is added `times` that place.
#[inline]
pub(super) fn add_rows(
    dense: &Dense,
    ids: &[u32],
    times: impl Fn(usize) -> f64,
    sums: &mut [f64],
    errors: &mut [f64],
) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has these instructions.
        return unsafe { add_rows_wide(dense, ids, times, sums, errors) };
    }
    add_rows_of_any_size(dense, ids, times, sums, errors);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn add_rows_wide(dense: &Dense, ids: &[u32], times: impl Fn(usize) -> f64, sums: &mut [f64], errors: &mut [f64]) {
    add_rows_of_any_size(dense, ids, times, sums, errors);
}

/// Adds one row `times` a number.
#[inline]
pub(super) fn add_wide_row(row: &[f64], times: f64, sums: &mut [f64], errors: &mut [f64]) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has these instructions.
        return unsafe { add_row_wide(row, times, sums, errors) };
    }
    add_row(row, times, sums, errors);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn add_row_wide(row: &[f64], times: f64, sums: &mut [f64], errors: &mut [f64]) {
    add_row(row, times, sums, errors);
}

/// Adds one row, and does not keep what rounding cuts off.
#[inline]
pub(super) fn add_plain_row(row: &[f64], sums: &mut [f64]) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has these instructions.
        return unsafe { add_plain_row_wide(row, sums) };
    }
    sums.iter_mut().zip(row).for_each(|(sum, &delta)| *sum += delta);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn add_plain_row_wide(row: &[f64], sums: &mut [f64]) {
    sums.iter_mut().zip(row).for_each(|(sum, &delta)| *sum += delta);
}

/// Adds one row `times` a number, and does not keep what rounding cuts off.
#[inline]
pub(super) fn add_row_times(row: &[f64], times: f64, sums: &mut [f64]) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has these instructions.
        return unsafe { add_row_times_wide(row, times, sums) };
    }
    sums.iter_mut().zip(row).for_each(|(sum, &delta)| *sum += times * delta);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn add_row_times_wide(row: &[f64], times: f64, sums: &mut [f64]) {
    sums.iter_mut().zip(row).for_each(|(sum, &delta)| *sum += times * delta);
}

/// For rows of some sizes, the sums stay in registers.
#[inline(always)]
fn add_rows_of_any_size(
    dense: &Dense,
    ids: &[u32],
    times: impl Fn(usize) -> f64,
    sums: &mut [f64],
    errors: &mut [f64],
) {
    match dense.stride {
        4 => add_rows_of::<4>(dense, ids, times, sums, errors),
        8 => add_rows_of::<8>(dense, ids, times, sums, errors),
        12 => add_rows_of::<12>(dense, ids, times, sums, errors),
        24 => add_rows_of::<24>(dense, ids, times, sums, errors),
        _ => {
            for (at, &id) in ids.iter().enumerate() {
                dense.prefetch_ahead(ids, at);
                let start = id as usize * dense.stride;
                if let Some(row) = dense.table.get(start..start + dense.stride) {
                    add_row(row, times(at), sums, errors);
                }
            }
        }
    }
}

#[inline(always)]
fn add_rows_of<const N: usize>(
    dense: &Dense,
    ids: &[u32],
    times: impl Fn(usize) -> f64,
    sums: &mut [f64],
    errors: &mut [f64],
) {
    let (Some(all_sums), Some(all_errors)) = (sums.first_chunk_mut::<N>(), errors.first_chunk_mut::<N>()) else {
        return;
    };
    let (mut sums, mut errors) = (*all_sums, *all_errors);
    let rows = dense.table.as_chunks::<N>().0;
    // A small table is near anyway.
    let is_far = rows.len() * N > NEAR;
    let mut known = [0; CHUNK];
    for (chunk, ids) in ids.chunks(CHUNK).enumerate() {
        // The known terms are listed without a branch, which could not be foreseen.
        let mut size = 0;
        for (at, &id) in ids.iter().enumerate() {
            known[size] = at;
            size += usize::from((id as usize) < rows.len());
        }
        if is_far {
            for &at in &known[..size] {
                let row = &rows[ids[at] as usize];
                // The first number of each cache line, and the last number of the row, which may be in one more.
                (0..N).step_by(8).for_each(|column| prefetch(row, column));
                prefetch(row, N - 1);
            }
        }
        for &at in &known[..size] {
            add_row(&rows[ids[at] as usize], times(chunk * CHUNK + at), &mut sums, &mut errors);
        }
    }
    (*all_sums, *all_errors) = (sums, errors);
}

#[inline(always)]
fn add_row(row: &[f64], times: f64, sums: &mut [f64], errors: &mut [f64]) {
    for ((sum, error), &delta) in sums.iter_mut().zip(errors).zip(row) {
        let mut exact = CompensatedSum { sum: *sum, error: *error };
        exact.add(times * delta);
        (*sum, *error) = (exact.sum, exact.error);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::term_ids::UNKNOWN;

    #[test]
    fn every_size_gives_the_same_bits() {
        for stride in [4, 8, 12, 16, 24, 28, 40] {
            let table: Vec<f64> = (0..stride * 9).map(|at| (at as f64 * 0.37).sin() * 1e3).collect();
            let dense = Dense { stride, table, scaled: false };
            let ids = [3, UNKNOWN, 8, 3, 0, 100];
            let (mut sums, mut errors) = (vec![0.1; stride], vec![0.0; stride]);
            add_rows(&dense, &ids, |at| 1.0 / (1 + at) as f64, &mut sums, &mut errors);
            for column in 0..stride {
                let mut exact = CompensatedSum { sum: 0.1, error: 0.0 };
                for (at, id) in [(0, 3), (2, 8), (3, 3), (4, 0)] {
                    exact.add(1.0 / (1 + at) as f64 * dense.table[id * stride + column]);
                }
                assert_eq!((sums[column], errors[column]), (exact.sum, exact.error), "{stride} {column}");
            }
        }
    }
}
