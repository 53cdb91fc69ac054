//! Rows of numbers on two sides go in; the weights that separate them come out: linear classifiers, several on the same
//! rows.
//!
//! Each problem is to find the `w` and `b` that minimize
//!
//! ```text
//! (|w|^2 + b^2) / 2 + sum over rows i of cost_i * loss(y_i (w . r s_i x_i + b))        y_i = 1 on one side, -1 on the
//! other
//! ```
//!
//! Here `r` are the factors of the columns and `s` the scales of the rows, which differ from problem to problem, and the
//! loss is `max(0, 1 - m)^2` or `log(1 + exp(-m))`. Both are solved in their dual, one row at a time: the squared hinge
//! after Hsieh, Chang, Lin, Keerthi and Sundararajan, *A Dual Coordinate Descent Method for Large-scale Linear SVM*
//! (2008); the logistic loss after Yu, Huang and Lin, *Dual Coordinate Descent Methods for Logistic
//! Regression and Maximum Entropy Models* (2011). Rows are visited in an order that is drawn anew each time, always from
//! the same seed, and the solution of a problem does not depend on the problems that are solved beside it. So the result
//! is the same for any number of threads.

use crate::error::{Error, Result};
use crate::parallel;
use crate::ragged::Ragged;
use crate::solve::descent::{Descent, Shared};
use std::ops::Range;

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
    /// It is good enough if the duality gap is at most this share of what is to be least.
    pub tolerance: f64,
    /// The number of visits of all rows at most.
    pub most: usize,
}

/// Problems on the same rows, or one of them. What differs from problem to problem is there for all of them, problem after problem.
#[derive(Clone, Copy)]
pub struct Problems<'a> {
    /// The rows. Their columns ascend.
    pub rows: Ragged<'a>,
    /// The numbers of the rows.
    pub values: &'a [f32],
    /// The cost of each row's loss in each problem: below 0 on the other side, 0 if the row is not in the problem.
    pub costs: &'a [f64],
    /// What each row is multiplied by in each problem.
    pub scales: &'a [f64],
    /// The factor of each column in each problem.
    pub factors: &'a [f64],
    /// The loss.
    pub loss: Loss,
    /// When to stop.
    pub limits: Limits,
}

impl Problems<'_> {
    /// Whether every number has a place, and every problem a finite cost and scale per row and a factor per column.
    pub fn is_sound(&self) -> bool {
        let (rows, count) = (self.rows.rows(), self.count());
        let ascend = |row| self.rows.columns()[self.rows.row(row)].is_sorted_by(|a, b| a < b);
        self.values.len() == self.rows.entries()
            && [self.costs.len(), self.scales.len()] == [rows * count; 2]
            && self.factors.len() == self.rows.width() * count
            && self.costs.iter().all(|cost| cost.is_finite())
            && (0..rows).all(ascend)
    }

    /// The number of problems.
    pub fn count(&self) -> usize {
        self.costs.len().checked_div(self.rows.rows()).unwrap_or(0)
    }

    /// One of the problems.
    fn of(&self, number: usize) -> Self {
        let (rows, width) = (self.rows.rows(), self.rows.width());
        Self {
            costs: &self.costs[number * rows..][..rows],
            scales: &self.scales[number * rows..][..rows],
            factors: &self.factors[number * width..][..width],
            ..*self
        }
    }

    /// The columns and numbers of some entries.
    #[inline]
    pub(super) fn entries(&self, places: Range<usize>) -> impl Iterator<Item = (usize, f64)> {
        let (columns, values) = (&self.rows.columns()[places.clone()], &self.values[places]);
        columns.iter().zip(values).map(|(&column, &value)| (column as usize, f64::from(value)))
    }

    /// The sum of the numbers of some entries times the weights of their columns.
    #[inline]
    pub(super) fn dot(&self, places: Range<usize>, weights: &[f64]) -> f64 {
        let (columns, values) = (&self.rows.columns()[places.clone()], &self.values[places]);
        let product = |column: u32, value: f32| weights[column as usize] * f64::from(value);
        let (fours, others) = (columns.as_chunks::<4>(), values.as_chunks::<4>());
        // Four sums at a time, because each addition waits for the one before.
        let mut sums = [0.0; 4];
        for (columns, values) in fours.0.iter().zip(others.0) {
            (0..4).for_each(|at| sums[at] += product(columns[at], values[at]));
        }
        let rest: f64 = fours.1.iter().zip(others.1).map(|(&column, &value)| product(column, value)).sum();
        (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
    }

    /// Solves all problems. The result of each is one weight per column, already multiplied by its factor, and then
    /// `b`.
    ///
    /// `stop` is asked from time to time whether to give up.
    pub fn solve(&self, threads: usize, stop: &dyn Fn() -> bool) -> Result<Vec<f64>> {
        let size = self.rows.width() + 1;
        let mut solved = vec![0.0; self.count() * size];
        let mut workers = vec![(); threads.clamp(1, self.count().max(1))];
        let shared = Shared::of(self);
        let blocks = solved.chunks_mut(size).enumerate();
        let done = parallel::share(&mut workers, blocks, stop, |(), (number, solved), pulse| {
            let mut descent = Descent::new(self.of(number), &shared);
            let done = descent.descend(pulse).is_some();
            descent.write(solved);
            done
        });
        if done { Ok(solved) } else { Err(Error::Interrupted) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Column 2 is in one row only, column 3 in none; row 3 is empty.
    const STARTS: [i64; 6] = [0, 2, 3, 5, 5, 7];
    const COLUMNS: [u32; 7] = [0, 1, 1, 0, 2, 0, 1];
    const VALUES: [f32; 7] = [1.0, 0.5, 2.0, 1.0, 1.0, 0.25, 1.5];
    const COSTS: [f64; 5] = [1.0, -0.5, -2.0, 1.0, 4.0];
    const SCALES: [f64; 5] = [0.5, 1.0, 2.0, 1.0, 0.75];
    const FACTORS: [f64; 4] = [1.5, -2.0, 0.5, 3.0];

    fn problems<'a>(loss: Loss, costs: &'a [f64], scales: &'a [f64], factors: &'a [f64]) -> Problems<'a> {
        Problems {
            rows: Ragged::new(&STARTS, &COLUMNS, 4).expect("sound"),
            values: &VALUES,
            costs,
            scales,
            factors,
            loss,
            limits: Limits { tolerance: 1e-14, most: 10_000 },
        }
    }

    /// The entries of a row of the first problem, with its scale and the factors.
    fn row_of(problems: &Problems<'_>, row: usize) -> impl Iterator<Item = (usize, f64)> {
        let entries = problems.rows.row_with(row, problems.values);
        entries.map(move |(at, value)| {
            (at as usize, problems.scales[row] * problems.factors[at as usize] * f64::from(value))
        })
    }

    /// What the rows pull at each weight, and at the bias; the solution is where it equals the weights and the bias.
    fn pulls(problems: &Problems<'_>, weights: &[f64], bias: f64) -> Vec<f64> {
        let mut pulls = vec![0.0; weights.len() + 1];
        for (row, cost) in problems.costs[..problems.rows.rows()].iter().enumerate() {
            let sum: f64 = row_of(problems, row).map(|(at, number)| weights[at] * number).sum();
            let margin = cost.signum() * (sum + bias);
            let pull = cost
                * match problems.loss {
                    Loss::Hinge => 2.0 * (1.0 - margin).max(0.0),
                    Loss::Logistic => 1.0 / (1.0 + margin.exp()),
                };
            row_of(problems, row).for_each(|(at, number)| pulls[at] += pull * number);
            pulls[weights.len()] += pull;
        }
        pulls
    }

    fn solved(problems: &Problems<'_>, threads: usize) -> Vec<f64> {
        assert!(problems.is_sound());
        problems.solve(threads, &|| false).expect("nothing stops it")
    }

    #[test]
    fn the_solution_is_where_the_rows_pull_as_hard_as_the_weights() {
        for loss in [Loss::Hinge, Loss::Logistic] {
            for left_out in 0..6 {
                let mut costs = COSTS;
                costs.iter_mut().skip(left_out).take(1).for_each(|cost| *cost = 0.0);
                let problems = problems(loss, &costs, &SCALES, &FACTORS);
                let found = solved(&problems, 1);
                let weights: Vec<f64> =
                    found.iter().zip(FACTORS).map(|(weight, factor)| weight / factor).collect();
                let expected = pulls(&problems, &weights, found[4]);
                let close = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-5;
                assert!(
                    weights.iter().chain([&found[4]]).zip(&expected).all(close),
                    "{loss:?} {found:?} {expected:?}"
                );
            }
        }
    }

    /// The starts, columns and values of rows of seeded random numbers.
    type Rows = (Vec<i64>, Vec<u32>, Vec<f32>);

    /// Rows, and the costs, scales and factors of many problems.
    fn many() -> (Rows, [Vec<f64>; 3]) {
        let mut state = 7_u64;
        let mut random = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as f64 / (1_u64 << 31) as f64
        };
        let (mut starts, mut columns, mut values) = (vec![0], vec![], vec![]);
        for _ in 0..200 {
            for column in (0..60).filter(|_| random() < 0.15).collect::<Vec<u32>>() {
                columns.push(column);
                values.push(random() as f32);
            }
            starts.push(columns.len() as i64);
        }
        let costs = (0..200 * 11).map(|_| 3.0 * random() - 1.5).collect();
        let scales = (0..200 * 11).map(|_| 0.5 + random()).collect();
        let factors = (0..60 * 11).map(|_| 4.0 * random() - 2.0).collect();
        ((starts, columns, values), [costs, scales, factors])
    }

    #[test]
    fn rows_that_did_not_seem_to_matter_are_looked_at_again() {
        let ((starts, columns, values), [costs, scales, factors]) = many();
        let (costs, scales, factors) = (&costs[..200], &scales[..200], &factors[..60]);
        let rows = Ragged::new(&starts, &columns, 60).expect("sound");
        for loss in [Loss::Hinge, Loss::Logistic] {
            let limits = Limits { tolerance: 1e-12, most: 10_000 };
            let one = Problems { rows, values: &values, costs, scales, factors, loss, limits };
            let found = solved(&one, 1);
            let weights: Vec<f64> = found.iter().zip(factors).map(|(weight, factor)| weight / factor).collect();
            let expected = pulls(&one, &weights, found[60]);
            assert!(
                weights.iter().chain([&found[60]]).zip(&expected).all(|(a, b)| (a - b).abs() < 1e-4),
                "{loss:?}"
            );
        }
    }

    #[test]
    fn a_problem_has_the_same_solution_whatever_is_solved_beside_it() {
        let ((starts, columns, values), [costs, scales, factors]) = many();
        let rows = Ragged::new(&starts, &columns, 60).expect("sound");
        let limits = Limits { tolerance: 1e-3, most: 1_000 };
        for loss in [Loss::Hinge, Loss::Logistic] {
            let all = Problems {
                rows,
                values: &values,
                costs: &costs,
                scales: &scales,
                factors: &factors,
                loss,
                limits,
            };
            let expected = solved(&all, 1);
            assert_eq!(solved(&all, 2), expected);
            assert_eq!(solved(&all, 5), expected);
            for problem in 0..11 {
                assert_eq!(solved(&all.of(problem), 2), expected[problem * 61..][..61]);
            }
        }
    }

    #[test]
    fn two_sides_mirror_each_other() {
        for loss in [Loss::Hinge, Loss::Logistic] {
            let costs: Vec<f64> = COSTS.into_iter().chain(COSTS.map(|cost| -cost)).collect();
            let (scales, factors) = ([SCALES, SCALES].concat(), [FACTORS, FACTORS].concat());
            let found = solved(&problems(loss, &costs, &scales, &factors), 1);
            assert!(found[..5].iter().zip(&found[5..]).all(|(a, b)| (a + b).abs() < 1e-6), "{found:?}");
        }
    }

    #[test]
    fn it_stops_when_told() {
        let begun = std::time::Instant::now();
        let slow = || begun.elapsed().as_millis() > 60;
        let limits = Limits { tolerance: -1.0, most: usize::MAX };
        let endless = Problems { limits, ..problems(Loss::Hinge, &COSTS, &SCALES, &FACTORS) };
        assert_eq!(endless.solve(1, &slow), Err(Error::Interrupted));
    }

    #[test]
    fn what_does_not_fit_is_known() {
        let sound = || problems(Loss::Hinge, &COSTS, &SCALES, &FACTORS);
        assert!(sound().is_sound());
        for unsound in [
            Problems { values: &VALUES[1..], ..sound() },
            Problems { costs: &COSTS[1..], ..sound() },
            Problems { costs: &[1.0, f64::NAN, 1.0, 1.0, 1.0], ..sound() },
            Problems { scales: &SCALES[1..], ..sound() },
            Problems { factors: &FACTORS[1..], ..sound() },
            Problems { rows: Ragged::new(&STARTS, &[1, 0, 1, 0, 2, 0, 1], 4).expect("sound"), ..sound() },
        ] {
            assert!(!unsound.is_sound());
        }
    }
}
