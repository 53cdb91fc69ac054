//! Rows of numbers on two sides go in; the weights that separate them come out: linear classifiers, one problem per
//! class.
//!
//! Each problem is to find the `w` and `b` that minimize
//!
//! ```text
//! (|w|^2 + b^2) / 2 + sum over rows i of cost_i * loss(y_i (w . r x_i + b))        y_i = 1 on one side, -1 on the
//! other
//! ```
//!
//! Here `r` are the factors of the columns, which differ from problem to problem, and the loss is `max(0, 1 - m)^2` or
//! `log(1 + exp(-m))`. Both are solved in their dual, one row at a time: the squared hinge after Hsieh, Chang, Lin,
//! Keerthi and Sundararajan, *A Dual Coordinate Descent Method for Large-scale Linear SVM* (2008), with shrinking; the
//! logistic loss after Yu, Huang and Lin, *Dual Coordinate Descent Methods for Logistic Regression and Maximum Entropy
//! Models* (2011). Rows are visited in an order that is drawn anew each time, always from the same seed, and each
//! problem is solved by one thread. So the result is the same for any number of threads.

use crate::error::{Error, Result};
use crate::parallel;
use crate::solve::descent::Descent;

/// The cost of a row that is not far enough on its side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// The square of the difference between the margin and 1.
    Hinge,
    /// The logarithm of one over the probability.
    Logistic,
}

/// Sparse rows of numbers: those of row `i` are `starts[i]..starts[i + 1]`.
#[derive(Clone, Copy, Debug)]
pub struct Sparse<'a> {
    /// Where each row starts; the last number is the end.
    pub starts: &'a [i64],
    /// The column of each number.
    pub columns: &'a [u32],
    /// The numbers.
    pub values: &'a [f32],
}

/// When a solution is good enough.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// It is good enough if no row pulls harder than this.
    pub tolerance: f64,
    /// The number of visits of all rows at most.
    pub most: usize,
}

/// Problems on the same rows.
pub struct Problems<'a> {
    /// The rows.
    pub rows: Sparse<'a>,
    /// How many columns there are.
    pub width: usize,
    /// The class of each row.
    pub own: &'a [u32],
    /// The cost of each row's loss, above 0.
    pub costs: &'a [f64],
    /// The class of each problem, whose rows are on the one side.
    pub sides: &'a [u32],
    /// The factor of each column in each problem, problem after problem.
    pub factors: &'a [f64],
    /// The loss.
    pub loss: Loss,
    /// When to stop.
    pub limits: Limits,
}

impl Sparse<'_> {
    /// Whether all is there that the parts refer to.
    pub fn is_sound(&self, width: usize) -> bool {
        self.columns.len() == self.values.len()
            && self.starts.first() == Some(&0)
            && self.starts.last() == Some(&(self.columns.len() as i64))
            && self.starts.is_sorted()
            && self.columns.iter().all(|&column| (column as usize) < width)
    }

    pub(super) fn row(&self, row: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let range = self.starts[row] as usize..self.starts[row + 1] as usize;
        self.columns[range.clone()]
            .iter()
            .zip(&self.values[range])
            .map(|(&column, &value)| (column as usize, f64::from(value)))
    }
}

impl Problems<'_> {
    /// Solves all problems. The result of each is one weight per column, already multiplied by its factor, and then
    /// `b`.
    ///
    /// `stop` is asked from time to time whether to give up.
    pub fn solve(&self, threads: usize, stop: &dyn Fn() -> bool) -> Result<Vec<f64>> {
        let size = self.width + 1;
        let mut solved = vec![0.0; self.sides.len() * size];
        let mut workers = vec![(); threads.clamp(1, self.sides.len().max(1))];
        let blocks = solved.chunks_mut(size).enumerate();
        let done = parallel::share(&mut workers, blocks, stop, |(), (problem, solved), pulse| {
            let factors = &self.factors[problem * self.width..][..self.width];
            let mut descent = Descent::new(self, self.sides[problem], factors);
            let done = match self.loss {
                Loss::Hinge => descent.hinge(self.limits, pulse),
                Loss::Logistic => descent.logistic(self.limits, pulse),
            };
            descent
                .weights
                .iter()
                .map(|weight| weight[0])
                .chain([descent.bias])
                .zip(solved)
                .for_each(|(w, to)| *to = w);
            done
        });
        if done { Ok(solved) } else { Err(Error::Interrupted) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STARTS: [i64; 5] = [0, 2, 3, 5, 5];
    const COLUMNS: [u32; 5] = [0, 1, 1, 0, 2];
    const VALUES: [f32; 5] = [1.0, 0.5, 2.0, 1.0, 1.0];
    const OWN: [u32; 4] = [1, 0, 0, 1];
    const FACTORS: [f64; 3] = [1.5, -2.0, 0.5];

    fn problems<'a>(loss: Loss, sides: &'a [u32], factors: &'a [f64], tolerance: f64) -> Problems<'a> {
        Problems {
            rows: Sparse { starts: &STARTS, columns: &COLUMNS, values: &VALUES },
            width: 3,
            own: &OWN,
            costs: &[1.0, 0.5, 2.0, 1.0],
            sides,
            factors,
            loss,
            limits: Limits { tolerance, most: 10_000 },
        }
    }

    /// What is to be least, for weights before they are multiplied with the factors.
    fn objective(problems: &Problems<'_>, weights: &[f64], bias: f64) -> f64 {
        let mut sum = weights.iter().map(|w| w * w).sum::<f64>() / 2.0 + bias * bias / 2.0;
        for (row, &own) in problems.own.iter().enumerate() {
            let dot: f64 = problems.rows.row(row).map(|(c, v)| weights[c] * problems.factors[c] * v).sum();
            let margin = if own == problems.sides[0] { dot + bias } else { -dot - bias };
            sum += problems.costs[row]
                * match problems.loss {
                    Loss::Hinge => (1.0 - margin).max(0.0).powi(2),
                    Loss::Logistic => (-margin).exp().ln_1p(),
                };
        }
        sum
    }

    #[test]
    fn the_solution_is_the_least_of_its_surroundings() {
        for loss in [Loss::Hinge, Loss::Logistic] {
            let problems = problems(loss, &[1], &FACTORS, 1e-10);
            let solved = problems.solve(1, &|| false).expect("nothing stops it");
            let weights: Vec<f64> = solved.iter().zip(FACTORS).map(|(v, r)| v / r).collect();
            let least = objective(&problems, &weights, solved[3]);
            for at in 0..4 {
                for step in [-1e-3, 1e-3] {
                    let (mut moved, mut bias) = (weights.clone(), solved[3]);
                    moved.get_mut(at).map_or_else(|| bias += step, |weight| *weight += step);
                    let there = objective(&problems, &moved, bias);
                    assert!(there > least, "{loss:?} {at} {step}: {there} {least}");
                }
            }
        }
    }

    #[test]
    fn threads_change_nothing_and_two_sides_mirror_each_other() {
        for loss in [Loss::Hinge, Loss::Logistic] {
            let factors = [FACTORS, FACTORS].concat();
            let problems = problems(loss, &[0, 1], &factors, 1e-12);
            let [one, two] = [1, 2].map(|threads| problems.solve(threads, &|| false).expect("nothing stops it"));
            assert_eq!(one, two);
            assert!(one[..4].iter().zip(&one[4..]).all(|(a, b)| (a + b).abs() < 1e-6), "{one:?}");
        }
    }

    #[test]
    fn it_stops_when_told_and_knows_rows_that_are_not_sound() {
        let problems = problems(Loss::Hinge, &[1], &FACTORS, 0.0);
        let begun = std::time::Instant::now();
        let slow = || begun.elapsed().as_millis() > 60;
        let endless = Problems { limits: Limits { tolerance: -1.0, most: usize::MAX }, ..problems };
        assert_eq!(endless.solve(1, &slow), Err(Error::Interrupted));
        assert!(endless.rows.is_sound(3) && !endless.rows.is_sound(2));
    }
}
