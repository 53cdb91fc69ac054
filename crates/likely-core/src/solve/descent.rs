//! One linear problem on its way to the solution: dual coordinate descent, one row at a time.

use crate::parallel::Pulse;
use crate::ragged::Ragged;
use crate::solve::linear::{Limits, Problems};

/// One problem on its way to the solution.
pub(super) struct Descent<'a> {
    rows: Ragged<'a>,
    values: &'a [f32],
    costs: &'a [f64],
    sides: Vec<f64>,
    /// For each column, the weight times the factor, and the squared factor, side by side in memory.
    pub(super) weights: Vec<[f64; 2]>,
    pub(super) bias: f64,
    /// For each row, the square of its length.
    squares: Vec<f64>,
    order: Vec<u32>,
    random: u64,
}

impl<'a> Descent<'a> {
    pub(super) fn new(problems: &'a Problems<'_>, side: u32, factors: &[f64]) -> Self {
        let rows = problems.rows;
        let sides: Vec<f64> =
            problems.classes.iter().map(|&class| if class == side { 1.0 } else { -1.0 }).collect();
        let weights: Vec<[f64; 2]> = factors.iter().map(|factor| [0.0, factor * factor]).collect();
        let square = |row| {
            1.0 + numbers(rows, problems.values, row)
                .map(|(column, value)| weights[column][1] * value * value)
                .sum::<f64>()
        };
        let squares = (0..sides.len()).map(square).collect();
        let order = (0..sides.len() as u32).collect();
        Self {
            rows,
            values: problems.values,
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
        let sum: f64 =
            numbers(self.rows, self.values, row).map(|(column, value)| self.weights[column][0] * value).sum();
        self.sides[row] * (sum + self.bias)
    }

    /// Moves the weights by `step` times a row, towards its side.
    fn move_by(&mut self, row: usize, step: f64) {
        let step = step * self.sides[row];
        for (column, value) in numbers(self.rows, self.values, row) {
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

    /// Algorithm 3 of Hsieh et al. for the squared hinge; returns false if it was stopped.
    pub(super) fn hinge(&mut self, limits: Limits, pulse: &Pulse<'_>) -> bool {
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
                    // The row is far on its side, where it will most probably stay.
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

    /// Algorithm 5 of Yu et al.; returns false if it was stopped.
    pub(super) fn logistic(&mut self, limits: Limits, pulse: &Pulse<'_>) -> bool {
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

/// The columns and numbers of a row.
#[inline]
fn numbers<'a>(rows: Ragged<'a>, values: &'a [f32], row: usize) -> impl Iterator<Item = (usize, f64)> + 'a {
    rows.row_with(row, values).map(|(column, value)| (column as usize, f64::from(value)))
}

/// The dual of one row, which is solved alone: it is `z`, or on the other branch the cost minus `z`.
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
