//! The seed and the number of a row go in; Gumbel noise comes out.
//!
//! The n rows with the largest sums of log weight and Gumbel noise are a sample of n rows without replacement, in which
//! each next row is drawn with a probability proportional to its weight (Kool, van Hoof and Welling 2019, *Stochastic
//! Beams and Where to Find Them*).

use crate::sample::mixed;
use crate::select::buckets::ONE;

/// The increment of SplitMix64, with which neighbouring numbers are spread.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The noise of `number` rows from row `first` on, in units of 1 / [`ONE`].
///
/// It depends on nothing but the seed and the number of a row: not on the threads, nor on the order in which rows are
/// read. It is `None` if there is not memory for as many.
pub fn gumbel_noise(seed: u64, first: u64, number: usize) -> Option<Vec<i64>> {
    let key = mixed(mixed(seed.wrapping_add(GOLDEN)));
    let mut noise = Vec::new();
    noise.try_reserve_exact(number).ok()?;
    let row = |at: u64| first.wrapping_add(at + 1).wrapping_mul(GOLDEN);
    noise.extend((0..number as u64).map(|at| gumbel(mixed(key.wrapping_add(row(at))))));
    Some(noise)
}

/// Gumbel noise from a random number, by the inverse of its distribution function: -log(-log u).
fn gumbel(random: u64) -> i64 {
    // With 52 bits, u is exact, and neither 0 nor 1.
    let u = ((random >> 12) as f64 + 0.5) / (1u64 << 52) as f64;
    (-(-u.ln()).ln() * ONE).round() as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_noise_of_a_row_does_not_depend_on_the_rows_read_with_it() {
        let all = gumbel_noise(7, 0, 1000).expect("room");
        assert_eq!(gumbel_noise(7, 400, 300).expect("room"), all[400..700]);
        assert_ne!(gumbel_noise(8, 0, 3).expect("room"), all[..3]);
        assert_eq!(gumbel_noise(7, 0, usize::MAX), None);
        assert_eq!(all[..3], [12_771_138_141, 8_822_929_965, 9_715_719_664]);
    }

    #[test]
    fn the_distribution_is_that_of_gumbel() {
        let noise = gumbel_noise(0, 0, 200_000).expect("room");
        let noise: Vec<f64> = noise.into_iter().map(|noise| noise as f64 / ONE).collect();
        let mean = noise.iter().sum::<f64>() / noise.len() as f64;
        // Euler's constant, with a standard error of 0.003.
        assert!((mean - 0.577_215_66).abs() < 0.015, "{mean}");
        for (at, share) in [(-1.0f64, 0.065_988), (0.0, 0.367_879), (1.0, 0.692_201), (3.0, 0.951_432)] {
            let below = noise.iter().filter(|&&noise| noise < at).count() as f64 / noise.len() as f64;
            assert!((below - share).abs() < 0.006, "{at}: {below}");
        }
    }

    #[test]
    fn the_extremes_are_finite() {
        assert_eq!([0, u64::MAX].map(|random| (gumbel(random) as f64 / ONE).round()), [-4.0, 37.0]);
    }
}
