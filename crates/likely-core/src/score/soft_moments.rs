//! Scores of documents and a factor per document go in; moments of the scores under their softmax come out.
//!
//! They are what the fit of a calibration needs of a row of scores, in one pass and without a copy of the scores.

use crate::error::{Error, Result};
use crate::parallel;

/// The numbers of a document: the logarithm of the sum of the exponentials of its scaled scores, and the mean and the
/// variance of the scaled scores under the softmax.
pub const MOMENTS: usize = 3;
/// How many scores a thread takes at a time.
const BLOCK: usize = 1 << 14;

/// The moments of each row of `scores` (`width` scores per row), scaled by the row's factor; `None` if there is not one
/// factor per row. No score may be above 0, and the largest of a row should be 0; an impossible class has the score
/// minus infinity, and is left out. `stop` is asked from time to time whether to give up.
pub fn soft_moments(
    scores: &[f64],
    width: usize,
    factors: &[f64],
    threads: usize,
    stop: &dyn Fn() -> bool,
) -> Result<Option<Vec<f64>>> {
    if width == 0 || factors.len().checked_mul(width) != Some(scores.len()) {
        return Ok(None);
    }
    let mut moments = vec![0.0; factors.len() * MOMENTS];
    let rows = (BLOCK / width).max(1);
    let blocks = moments.chunks_mut(rows * MOMENTS).zip(scores.chunks(rows * width)).zip(factors.chunks(rows));
    let mut workers = vec![(); threads.min(scores.len() / BLOCK).max(1)];
    let done = parallel::share(&mut workers, blocks, stop, |(), ((moments, scores), factors), _| {
        let rows = moments.as_chunks_mut::<MOMENTS>().0.iter_mut().zip(scores.chunks(width)).zip(factors);
        rows.for_each(|((moments, scores), &factor)| *moments = moments_of(scores, factor));
        true
    });
    if done { Ok(Some(moments)) } else { Err(Error::Interrupted) }
}

fn moments_of(scores: &[f64], factor: f64) -> [f64; MOMENTS] {
    let [mut sum, mut first, mut second] = [0.0; 3];
    for score in scores.iter().filter(|score| score.is_finite()).map(|score| score * factor) {
        let weight = score.exp();
        sum += weight;
        first += weight * score;
        second += weight * score * score;
    }
    let mean = first / sum;
    [sum.ln(), mean, second / sum - mean * mean]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_those_of_the_softmax() {
        let scores = [0.0, -(3.0f64.ln()), 0.0, f64::NEG_INFINITY];
        let found = soft_moments(&scores, 2, &[1.0, 5.0], 1, &|| false).expect("nothing stops it").expect("sound");
        let mean = -0.25 * 3.0f64.ln();
        let variance = 0.25 * 3.0f64.ln().powi(2) - mean * mean;
        let expected = [(4.0f64 / 3.0).ln(), mean, variance, 0.0, 0.0, 0.0];
        assert!(found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-15));
    }

    #[test]
    fn threads_change_nothing() {
        let scores: Vec<f64> = (0..60_000).map(|at| -f64::from(at % 17)).collect();
        let factors: Vec<f64> = (0..20_000).map(|at| 1.0 / f64::from(at + 1)).collect();
        let of = |threads| soft_moments(&scores, 3, &factors, threads, &|| false).expect("nothing stops it");
        assert_eq!(of(1), of(3));
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        for (width, factors) in [(2, 1), (0, 0), (3, 2)] {
            let found = soft_moments(&[0.0; 4], width, &vec![1.0; factors], 1, &|| false);
            assert!(found.expect("nothing stops it").is_none());
        }
        assert!(matches!(soft_moments(&[0.0], 1, &[1.0], 1, &|| true), Ok(Some(_)) | Err(Error::Interrupted)));
    }
}
