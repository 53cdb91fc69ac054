//! One linear problem on its way to the solution: dual coordinate descent, one row at a time.

use crate::parallel::Pulse;
use crate::solve::linear::{Problem, Problems};
use crate::solve::losses::{Place, Rule};

/// The columns that at least two rows have. What the others weigh follows from the dual of their row, at the end.
pub(super) struct Shared {
    /// The columns below this number are shared, with few exceptions if the columns are not sorted by frequency.
    width: usize,
    /// Where the entries of these columns end in each row.
    ends: Vec<usize>,
}

impl Shared {
    /// The shared columns of rows whose columns ascend.
    pub(super) fn of(problems: &Problems<'_>) -> Self {
        let rows = problems.rows;
        let mut seen = vec![0u8; rows.width()];
        rows.columns().iter().for_each(|&column| seen[column as usize] = 2.min(seen[column as usize] + 1));
        let width = seen.iter().rposition(|&times| times == 2).map_or(0, |last| last + 1);
        let end = |row| {
            let entries = rows.row(row);
            entries.start + rows.columns()[entries].partition_point(|&column| (column as usize) < width)
        };
        Self { width, ends: (0..rows.rows()).map(end).collect() }
    }
}

/// One problem on its way to the solution.
pub(super) struct Descent<'a, R: Rule> {
    problems: &'a Problems<'a>,
    shared: &'a Shared,
    factors: &'a [f64],
    /// For each shared column, the weight times the factor, and the squared factor, side by side in memory.
    weights: Vec<[f64; 2]>,
    bias: f64,
    places: Vec<Place>,
    duals: Vec<R::Dual>,
    /// The rows of the problem; those that are visited are the first.
    order: Vec<u32>,
    random: u64,
}

impl<'a, R: Rule> Descent<'a, R> {
    /// A problem at its beginning.
    pub(super) fn new(problems: &'a Problems<'a>, problem: Problem<'a>, shared: &'a Shared) -> Self {
        let weights = problem.factors[..shared.width].iter().map(|factor| [0.0, factor * factor]).collect();
        let rows = problems.rows.rows();
        let mut made = Self {
            problems,
            shared,
            factors: problem.factors,
            weights,
            bias: 0.0,
            places: Vec::with_capacity(rows),
            duals: Vec::with_capacity(rows),
            order: Vec::with_capacity(rows),
            random: 0x9e37_79b9_7f4a_7c15,
        };
        for row in 0..rows {
            let place = made.place(row, problem.costs[row], problem.scales[row]);
            made.places.push(place);
            made.duals.push(R::first(place.cost));
            if place.cost > 0.0 {
                made.order.push(row as u32);
                made.move_by(row, R::amount(made.duals[row]));
            }
        }
        made
    }

    fn place(&self, row: usize, cost: f64, scale: f64) -> Place {
        let (side, cost, square) = (cost.signum(), cost.abs(), scale * scale);
        if cost == 0.0 {
            return Place::default();
        }
        let shared: f64 = self.entries(row).map(|(column, value)| self.weights[column][1] * value * value).sum();
        let lone: f64 = self.lone(row).map(|(column, value)| (self.factors[column] * value).powi(2)).sum();
        Place { side, scale, cost, square: 1.0 + square * (shared + lone), lone: square * lone }
    }

    /// The entries of a row in shared columns.
    #[inline]
    fn entries(&self, row: usize) -> impl Iterator<Item = (usize, f64)> + use<'a, R> {
        self.problems.entries(self.problems.rows.row(row).start..self.shared.ends[row])
    }

    /// The entries of a row in columns that no other row has.
    fn lone(&self, row: usize) -> impl Iterator<Item = (usize, f64)> + use<'a, R> {
        self.problems.entries(self.shared.ends[row]..self.problems.rows.row(row).end)
    }

    /// How far a row is on its side.
    #[inline]
    fn margin(&self, row: usize) -> f64 {
        let place = &self.places[row];
        let sum: f64 = self.entries(row).map(|(column, value)| self.weights[column][0] * value).sum();
        place.side * (place.scale * sum + self.bias) + R::amount(self.duals[row]) * place.lone
    }

    /// Moves the weights by `step` times a row, towards its side.
    #[inline]
    fn move_by(&mut self, row: usize, step: f64) {
        if step == 0.0 {
            return;
        }
        let step = step * self.places[row].side;
        self.bias += step;
        let step = step * self.places[row].scale;
        for (column, value) in self.entries(row) {
            let [weight, square] = &mut self.weights[column];
            *weight += step * *square * value;
        }
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

    /// Visits rows until the solution is good enough; returns false if it was stopped.
    pub(super) fn descend(&mut self, pulse: &Pulse<'_>) -> bool {
        let limits = self.problems.limits;
        let (mut active, mut progress) = (self.order.len(), R::begin(limits));
        for _ in 0..limits.most {
            self.shuffle(active);
            let mut at = 0;
            while at < active {
                if at.is_multiple_of(256) && !pulse.beat() {
                    return false;
                }
                let row = self.order[at] as usize;
                let dual = self.duals[row];
                if let Some(next) = R::step(&mut progress, &self.places[row], self.margin(row), dual) {
                    self.duals[row] = next;
                    self.move_by(row, R::amount(next) - R::amount(dual));
                    at += 1;
                } else {
                    active -= 1;
                    self.order.swap(at, active);
                }
            }
            if R::end_round(&mut progress) {
                if active == self.order.len() {
                    break;
                }
                active = self.order.len();
            }
        }
        true
    }

    /// Writes one weight per column, and then the bias.
    pub(super) fn write(&self, solved: &mut [f64]) {
        for (to, [weight, _]) in solved.iter_mut().zip(&self.weights) {
            *to = *weight;
        }
        for (row, place) in self.places.iter().enumerate() {
            let step = R::amount(self.duals[row]) * place.side * place.scale;
            for (column, value) in self.lone(row) {
                solved[column] = step * self.factors[column].powi(2) * value;
            }
        }
        if let Some(bias) = solved.last_mut() {
            *bias = self.bias;
        }
    }
}
