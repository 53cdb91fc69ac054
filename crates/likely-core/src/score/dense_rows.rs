//! Dense rows are added up, with the widest instructions that the processor has.
//!
//! All ways do the same operations on each number, so that they give the same bits.
#![allow(unsafe_code)]

use crate::compensated_sum::CompensatedSum;
use crate::prefetch::prefetch;
use crate::score::deltas::Dense;
use crate::vector::{vectorized, widest};

/// How many terms ahead the memory of rows is asked for. Adding is slow enough that more would come too early.
const AHEAD: usize = 32;

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
    widest!(
        "x86_64" "avx2" => add_rows_in_avx2 as (dense, ids, times, sums, errors);
        add_rows_of_any_size(dense, ids, times, sums, errors)
    )
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn add_rows_in_avx2(
    dense: &Dense,
    ids: &[u32],
    times: impl Fn(usize) -> f64,
    sums: &mut [f64],
    errors: &mut [f64],
) {
    match dense.stride {
        4 => add_rows_in_registers::<4, 1>(dense, ids, times, sums, errors),
        8 => add_rows_in_registers::<8, 2>(dense, ids, times, sums, errors),
        12 => add_rows_in_registers::<12, 3>(dense, ids, times, sums, errors),
        _ => add_rows_of_any_size(dense, ids, times, sums, errors),
    }
}

/// Rows of `N` numbers, which are `REGISTERS` times four.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn add_rows_in_registers<const N: usize, const REGISTERS: usize>(
    dense: &Dense,
    ids: &[u32],
    times: impl Fn(usize) -> f64,
    sums: &mut [f64],
    errors: &mut [f64],
) {
    use core::arch::x86_64::*;
    let (sums, errors) =
        (&mut sums.as_chunks_mut::<4>().0[..REGISTERS], &mut errors.as_chunks_mut::<4>().0[..REGISTERS]);
    // SAFETY: every chunk is four numbers.
    let load = |four: &[f64; 4]| unsafe { _mm256_loadu_pd(four.as_ptr()) };
    let mut sum: [__m256d; REGISTERS] = std::array::from_fn(|at| load(&sums[at]));
    let mut error: [__m256d; REGISTERS] = std::array::from_fn(|at| load(&errors[at]));
    each_known_row::<N>(dense, ids, |row, at| {
        let times = _mm256_set1_pd(times(at));
        for (at, four) in row.as_chunks::<4>().0.iter().enumerate() {
            // As in `CompensatedSum::add`.
            let more = _mm256_mul_pd(times, load(four));
            let new = _mm256_add_pd(sum[at], more);
            let part = _mm256_sub_pd(new, sum[at]);
            let lost = _mm256_add_pd(_mm256_sub_pd(sum[at], _mm256_sub_pd(new, part)), _mm256_sub_pd(more, part));
            (sum[at], error[at]) = (new, _mm256_add_pd(error[at], lost));
        }
    });
    for at in 0..REGISTERS {
        // SAFETY: every chunk is four numbers.
        unsafe {
            _mm256_storeu_pd(sums[at].as_mut_ptr(), sum[at]);
            _mm256_storeu_pd(errors[at].as_mut_ptr(), error[at]);
        }
    }
}

/// Adds one row `times` a number.
#[inline]
pub(super) fn add_exact_row(row: &[f64], times: f64, sums: &mut [f64], errors: &mut [f64]) {
    vectorized(|| add_row(row, times, sums, errors));
}

/// Adds one row, and does not keep what rounding cuts off.
#[inline]
pub(super) fn add_plain_row(row: &[f64], sums: &mut [f64]) {
    vectorized(|| sums.iter_mut().zip(row).for_each(|(sum, &delta)| *sum += delta));
}

/// Adds one row `times` a number, and does not keep what rounding cuts off.
#[inline]
pub(super) fn add_row_times(row: &[f64], times: f64, sums: &mut [f64]) {
    vectorized(|| sums.iter_mut().zip(row).for_each(|(sum, &delta)| *sum += times * delta));
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
    each_known_row::<N>(dense, ids, |row, at| add_row(row, times(at), &mut sums, &mut errors));
    (*all_sums, *all_errors) = (sums, errors);
}

/// Calls `add` with the row of each known term, and with its place.
#[inline(always)]
fn each_known_row<const N: usize>(dense: &Dense, ids: &[u32], mut add: impl FnMut(&[f64; N], usize)) {
    let rows = dense.table.as_chunks::<N>().0;
    // The first number of each cache line, and the last number of the row, which may be in one more.
    let ask = |id: u32| {
        let start = id as usize * N;
        (0..N).step_by(8).for_each(|column| prefetch(&dense.table, start + column));
        prefetch(&dense.table, start + N - 1);
    };
    let (mut known, mut places) = ([0; CHUNK + AHEAD], [0; CHUNK]);
    for (chunk, ids) in ids.chunks(CHUNK).enumerate() {
        // The known terms are listed without a branch, which could not be foreseen.
        let mut size = 0;
        for (at, &id) in ids.iter().enumerate() {
            (known[size % CHUNK], places[size % CHUNK]) = (id, chunk * CHUNK + at);
            size += usize::from((id as usize) < rows.len());
        }
        // Beyond the last one, there is any term.
        known[..AHEAD].iter().for_each(|&id| ask(id));
        for ((&id, &at), &later) in known[..size].iter().zip(&places).zip(&known[AHEAD..]) {
            ask(later);
            add(&rows[id as usize], at);
        }
    }
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

    #[test]
    fn plain_and_vector_instructions_add_the_same_bits() {
        for stride in [4, 8, 12, 24, 28] {
            let table: Vec<f64> = (0..stride * 500).map(|at| (at as f64 * 0.37).sin() * 1e3).collect();
            let dense = Dense { stride, table, scaled: false };
            let ids: Vec<u32> = (0..1000u32).map(|at| at * at % 600).collect();
            let [mut sums, mut errors, mut plain_sums, mut plain_errors] = [(); 4].map(|()| vec![0.0; stride]);
            add_rows(&dense, &ids, |at| at as f64, &mut sums, &mut errors);
            add_rows_of_any_size(&dense, &ids, |at| at as f64, &mut plain_sums, &mut plain_errors);
            assert_eq!((sums, errors), (plain_sums, plain_errors), "{stride}");
        }
    }
}
