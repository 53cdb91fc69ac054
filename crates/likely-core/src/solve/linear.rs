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
use crate::ragged::Ragged;
use crate::solve::descent::Descent;

/// The cost of a row that is not far enough on its side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// The square of the difference between the margin and 1.
    Hinge,
    /// The logarithm of one over the probability.
    Logistic,
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
    pub rows: Ragged<'a>,
    /// The numbers of the rows.
    pub values: &'a [f32],
    /// The class of each row.
    pub classes: &'a [u32],
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

impl Problems<'_> {
    /// Whether every row has a class and a cost above 0, every number a place, and every problem its factors.
    pub fn is_sound(&self) -> bool {
        let rows = self.rows.rows();
        self.values.len() == self.rows.entries()
            && [self.classes.len(), self.costs.len()] == [rows; 2]
            && self.factors.len() == self.sides.len() * self.rows.width()
            && self.costs.iter().all(|&cost| cost > 0.0)
    }

    /// Solves all problems. The result of each is one weight per column, already multiplied by its factor, and then
    /// `b`.
    ///
    /// `stop` is asked from time to time whether to give up.
    pub fn solve(&self, threads: usize, stop: &dyn Fn() -> bool) -> Result<Vec<f64>> {
        let size = self.rows.width() + 1;
        let mut solved = vec![0.0; self.sides.len() * size];
        let mut workers = vec![(); threads.clamp(1, self.sides.len().max(1))];
        let blocks = solved.chunks_mut(size).enumerate();
        let done = parallel::share(&mut workers, blocks, stop, |(), (problem, solved), pulse| {
            let factors = &self.factors[problem * (size - 1)..][..size - 1];
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
    const CLASSES: [u32; 4] = [1, 0, 0, 1];
    const FACTORS: [f64; 3] = [1.5, -2.0, 0.5];

    fn problems<'a>(loss: Loss, sides: &'a [u32], factors: &'a [f64], tolerance: f64) -> Problems<'a> {
        Problems {
            rows: Ragged::new(&STARTS, &COLUMNS, 3).expect("sound"),
            values: &VALUES,
            classes: &CLASSES,
            costs: &[1.0, 0.5, 2.0, 1.0],
            sides,
            factors,
            loss,
            limits: Limits { tolerance, most: 10_000 },
        }
    }

    fn row_of(problems: &Problems<'_>, row: usize) -> impl Iterator<Item = (usize, f64)> {
        problems.rows.row_with(row, problems.values).map(|(column, value)| (column as usize, f64::from(value)))
    }

    /// What is to be least, for weights before they are multiplied with the factors.
    fn objective(problems: &Problems<'_>, weights: &[f64], bias: f64) -> f64 {
        let mut sum = weights.iter().map(|w| w * w).sum::<f64>() / 2.0 + bias * bias / 2.0;
        for (row, &class) in problems.classes.iter().enumerate() {
            let dot: f64 = row_of(problems, row).map(|(c, v)| weights[c] * problems.factors[c] * v).sum();
            let margin = if class == problems.sides[0] { dot + bias } else { -dot - bias };
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
    fn it_stops_when_told() {
        let problems = problems(Loss::Hinge, &[1], &FACTORS, 0.0);
        let begun = std::time::Instant::now();
        let slow = || begun.elapsed().as_millis() > 60;
        let endless = Problems { limits: Limits { tolerance: -1.0, most: usize::MAX }, ..problems };
        assert_eq!(endless.solve(1, &slow), Err(Error::Interrupted));
    }

    #[test]
    fn what_does_not_fit_is_known() {
        let sound = || problems(Loss::Hinge, &[1], &FACTORS, 0.0);
        assert!(sound().is_sound());
        for unsound in [
            Problems { values: &VALUES[1..], ..sound() },
            Problems { classes: &CLASSES[1..], ..sound() },
            Problems { costs: &[1.0; 3], ..sound() },
            Problems { costs: &[1.0, 0.0, 1.0, 1.0], ..sound() },
            Problems { costs: &[1.0, f64::NAN, 1.0, 1.0], ..sound() },
            Problems { factors: &FACTORS[1..], ..sound() },
        ] {
            assert!(!unsound.is_sound());
        }
    }
}
