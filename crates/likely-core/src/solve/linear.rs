//! Rows of numbers on two sides to the weights that part them: linear classifiers, one problem a class.
//!
//! Each problem is to find `w` and `b` with the least
//!
//! ```text
//! (|w|^2 + b^2) / 2 + sum over rows i of cost_i * loss(y_i (w . r x_i + b))        y_i = 1 on one side, -1 on the other
//! ```
//!
//! where `r` are factors of the columns, other ones in each problem, and the loss is `max(0, 1 - m)^2` or
//! `log(1 + exp(-m))`. Both are solved in their dual, a row at a time: the squared hinge after Hsieh, Chang, Lin,
//! Keerthi and Sundararajan, *A Dual Coordinate Descent Method for Large-scale Linear SVM* (2008), with shrinking; the
//! logistic loss after Yu, Huang and Lin, *Dual Coordinate Descent Methods for Logistic Regression and Maximum Entropy
//! Models* (2011). Rows are visited in an order that is drawn anew each time, by the same seed always; problems are shared
//! out among threads. So the result is the same for any number of threads.

use crate::error::{Error, Result};
use crate::parallel::{self, Pulse};

/// How far a row of the wrong side is from where it should be, as a cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// The square of what a margin lacks to 1.
    Hinge,
    /// The logarithm of one over the probability.
    Logistic,
}

/// Sparse rows of numbers: those of row `i` are `starts[i]..starts[i + 1]`.
#[derive(Clone, Copy, Debug)]
pub struct Sparse<'a> {
    /// Where each row starts, and one more for the end.
    pub starts: &'a [i64],
    /// The column of each number.
    pub columns: &'a [u32],
    /// The numbers.
    pub values: &'a [f32],
}

/// When a solution is good enough.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// When no row pulls harder than this.
    pub tolerance: f64,
    /// After so many visits of all rows in any case.
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
    /// What each row's loss costs; above 0.
    pub costs: &'a [f64],
    /// The class of each problem: its rows are on the one side.
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

    fn row(&self, row: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let range = self.starts[row] as usize..self.starts[row + 1] as usize;
        self.columns[range.clone()]
            .iter()
            .zip(&self.values[range])
            .map(|(&column, &value)| (column as usize, f64::from(value)))
    }
}

impl Problems<'_> {
    /// Solves all problems: for each a weight a column, already times its factor, and then `b`.
    ///
    /// `stop` is asked every now and then whether to give up.
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

/// One problem on its way to the solution.
struct Descent<'a> {
    rows: Sparse<'a>,
    costs: &'a [f64],
    sides: Vec<f64>,
    /// By column: the weight times the factor, and the factor squared, side by side in memory.
    weights: Vec<[f64; 2]>,
    bias: f64,
    /// By row: the square of its length.
    squares: Vec<f64>,
    order: Vec<u32>,
    random: u64,
}

impl<'a> Descent<'a> {
    fn new(problems: &'a Problems<'_>, side: u32, factors: &[f64]) -> Self {
        let rows = problems.rows;
        let sides: Vec<f64> = problems.own.iter().map(|&own| if own == side { 1.0 } else { -1.0 }).collect();
        let weights: Vec<[f64; 2]> = factors.iter().map(|factor| [0.0, factor * factor]).collect();
        let square =
            |row| 1.0 + rows.row(row).map(|(column, value)| weights[column][1] * value * value).sum::<f64>();
        let squares = (0..sides.len()).map(square).collect();
        let order = (0..sides.len() as u32).collect();
        Self {
            rows,
            costs: problems.costs,
            sides,
            weights,
            bias: 0.0,
            squares,
            order,
            random: 0x9e37_79b9_7f4a_7c15,
        }
    }

    /// How far a row is on its side.
    fn margin(&self, row: usize) -> f64 {
        let sum: f64 = self.rows.row(row).map(|(column, value)| self.weights[column][0] * value).sum();
        self.sides[row] * (sum + self.bias)
    }

    /// Moves the weights by so much of a row, towards its side.
    fn move_by(&mut self, row: usize, step: f64) {
        let step = step * self.sides[row];
        for (column, value) in self.rows.row(row) {
            let [weight, square] = &mut self.weights[column];
            *weight += step * *square * value;
        }
        self.bias += step;
    }

    /// Draws a new order of the first rows (Fisher and Yates, with the random numbers of Marsaglia's xorshift).
    fn shuffle(&mut self, active: usize) {
        for at in (1..active).rev() {
            self.random ^= self.random << 13;
            self.random ^= self.random >> 7;
            self.random ^= self.random << 17;
            self.order.swap(at, (self.random % (at as u64 + 1)) as usize);
        }
    }

    /// Algorithm 3 of Hsieh et al. for the squared hinge; false if told to stop.
    fn hinge(&mut self, limits: Limits, pulse: &Pulse<'_>) -> bool {
        let mut duals = vec![0.0; self.sides.len()];
        let (mut active, mut highest_before) = (duals.len(), f64::INFINITY);
        for _ in 0..limits.most {
            let (mut highest, mut lowest) = (f64::NEG_INFINITY, f64::INFINITY);
            self.shuffle(active);
            let mut at = 0;
            while at < active {
                if at.is_multiple_of(256) && !pulse.beat() {
                    return false;
                }
                let row = self.order[at] as usize;
                let dual: f64 = duals[row];
                let own = 0.5 / self.costs[row];
                let gradient = self.margin(row) - 1.0 + dual * own;
                if dual == 0.0 && gradient > highest_before {
                    // Far on its side, where it will most likely stay.
                    active -= 1;
                    self.order.swap(at, active);
                    continue;
                }
                let pull = if dual == 0.0 { gradient.min(0.0) } else { gradient };
                (highest, lowest) = (highest.max(pull), lowest.min(pull));
                if pull.abs() > 1e-12 {
                    duals[row] = (dual - gradient / (self.squares[row] + own)).max(0.0);
                    self.move_by(row, duals[row] - dual);
                }
                at += 1;
            }
            highest_before = if highest > 0.0 { highest } else { f64::INFINITY };
            if highest - lowest <= limits.tolerance {
                if active == duals.len() {
                    break;
                }
                (active, highest_before) = (duals.len(), f64::INFINITY);
            }
        }
        true
    }

    /// Algorithm 5 of Yu et al.; false if told to stop.
    fn logistic(&mut self, limits: Limits, pulse: &Pulse<'_>) -> bool {
        let mut duals: Vec<[f64; 2]> = Vec::with_capacity(self.sides.len());
        for row in 0..self.sides.len() {
            let cost = self.costs[row];
            let dual = (0.001 * cost).min(1e-8);
            duals.push([dual, cost - dual]);
            self.move_by(row, dual);
        }
        let (mut inner, least_inner) = (1e-2, limits.tolerance.min(1e-8));
        for _ in 0..limits.most {
            let (mut highest, mut steps): (f64, usize) = (0.0, 0);
            self.shuffle(duals.len());
            for at in 0..duals.len() {
                if at.is_multiple_of(256) && !pulse.beat() {
                    return false;
                }
                let row = self.order[at] as usize;
                let step =
                    OneDual::new(self.costs[row], self.squares[row], self.margin(row), duals[row]).solve(inner);
                highest = highest.max(step.pull);
                steps += step.steps;
                if step.steps > 0 {
                    duals[row] = step.duals;
                    self.move_by(row, step.change);
                }
            }
            if highest < limits.tolerance {
                break;
            }
            if steps <= duals.len() / 10 {
                inner = (0.1 * inner).max(least_inner);
            }
        }
        true
    }
}

/// The dual of one row, to be solved for itself: it is `z` or, on the other branch, what the cost is more than that.
struct OneDual {
    cost: f64,
    square: f64,
    sign: f64,
    margin: f64,
    old: f64,
}

struct Step {
    pull: f64,
    steps: usize,
    duals: [f64; 2],
    change: f64,
}

impl OneDual {
    fn new(cost: f64, square: f64, margin: f64, duals: [f64; 2]) -> Self {
        let other = 0.5 * square * (duals[1] - duals[0]) + margin < 0.0;
        let (sign, old) = if other { (-1.0, duals[1]) } else { (1.0, duals[0]) };
        Self { cost, square, sign, margin, old }
    }

    fn slope(&self, z: f64) -> f64 {
        self.square * (z - self.old) + self.sign * self.margin + (z / (self.cost - z)).ln()
    }

    /// Newton's method, kept above 0 (Algorithm 4 of Yu et al.).
    fn solve(&self, tolerance: f64) -> Step {
        let mut z = if self.cost - self.old < 0.5 * self.cost { 0.1 * self.old } else { self.old };
        let mut slope = self.slope(z);
        let pull = slope.abs();
        let mut steps = 0;
        while slope.abs() >= tolerance && steps <= 100 {
            let next = z - slope / (self.square + self.cost / (self.cost - z) / z);
            z = if next <= 0.0 { 0.1 * z } else { next };
            slope = self.slope(z);
            steps += 1;
        }
        let duals = if self.sign > 0.0 { [z, self.cost - z] } else { [self.cost - z, z] };
        Step { pull, steps, duals, change: self.sign * (z - self.old) }
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
