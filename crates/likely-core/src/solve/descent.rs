//! One linear problem on its way to the solution: dual coordinate descent, one row at a time.

use crate::parallel::Pulse;
use crate::solve::linear::{Loss, Problems};

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

/// A row in one problem, and its dual.
#[derive(Clone, Copy)]
struct DualRow {
    /// 1 on the one side, -1 on the other.
    side: f64,
    /// What the numbers of the row are multiplied by.
    scale: f64,
    /// The cost of the row's loss.
    cost: f64,
    /// How many times the row is contained in the weights.
    dual: f64,
    /// The square of the row's length; 0 if it is not known yet.
    square: f64,
    /// The part of this square that is of columns in which no other row has a number.
    lone: f64,
}

/// One problem on its way to the solution.
pub(super) struct Descent<'a> {
    problem: Problems<'a>,
    shared: &'a Shared,
    /// For each shared column, the weight times the factor.
    weights: Vec<f64>,
    bias: f64,
    rows: Vec<DualRow>,
    random: u64,
}

impl<'a> Descent<'a> {
    /// A problem at its beginning.
    pub(super) fn new(problem: Problems<'a>, shared: &'a Shared) -> Self {
        let row = |(&cost, &scale): (&f64, &f64)| DualRow {
            side: cost.signum(),
            scale,
            cost: cost.abs(),
            dual: 0.0,
            square: 0.0,
            lone: 0.0,
        };
        let mut made = Self {
            problem,
            shared,
            weights: vec![0.0; shared.width],
            bias: 0.0,
            rows: problem.costs.iter().zip(problem.scales).map(row).collect(),
            random: 0x9e37_79b9_7f4a_7c15,
        };
        // The dual of the logistic loss is never 0.
        for at in 0..made.rows.len() {
            let cost = made.rows[at].cost;
            if problem.loss == Loss::Logistic && cost > 0.0 {
                made.move_to(at, (0.001 * cost).min(1e-8));
            }
        }
        made
    }

    /// The square of a row's length without the bias, in some of its entries.
    fn square(&self, row: &DualRow, entries: std::ops::Range<usize>) -> f64 {
        let sum: f64 =
            self.problem.entries(entries).map(|(at, value)| (self.problem.factors[at] * value).powi(2)).sum();
        row.scale * row.scale * sum
    }

    /// How far a row is on its side.
    #[inline]
    fn margin(&self, at: usize, row: &DualRow) -> f64 {
        let sum = self.problem.dot(self.problem.rows.row(at).start..self.shared.ends[at], &self.weights);
        row.side * (row.scale * sum + self.bias) + row.dual * row.lone
    }

    /// Moves the weights until they contain a row so many times.
    #[inline]
    fn move_to(&mut self, at: usize, dual: f64) {
        let row = &mut self.rows[at];
        let step = (dual - row.dual) * row.side;
        row.dual = dual;
        if step == 0.0 {
            return;
        }
        self.bias += step;
        let step = step * row.scale;
        for (column, value) in self.problem.entries(self.problem.rows.row(at).start..self.shared.ends[at]) {
            self.weights[column] += step * self.problem.factors[column].powi(2) * value;
        }
    }

    /// Draws a new order of some rows (Fisher and Yates, with the random numbers of Marsaglia's xorshift).
    fn shuffle(&mut self, rows: &mut [u32]) {
        for at in (1..rows.len()).rev() {
            self.random ^= self.random << 13;
            self.random ^= self.random >> 7;
            self.random ^= self.random << 17;
            rows.swap(at, (self.random % (at as u64 + 1)) as usize);
        }
    }

    /// Visits some rows, moves the weights if it `moves`, and keeps only the rows that may matter for the solution.
    ///
    /// Returns the duality gap as a share of what is to be least; `None` if it was stopped. Both are sums over rows
    /// because the square of the weights is the sum of the duals times the margins. No term of the gap is below 0, and a
    /// row that is left out has the term 0, as long as it is far enough on its side.
    fn visit(&mut self, rows: &mut Vec<u32>, moves: bool, pulse: &Pulse<'_>) -> Option<f64> {
        let (mut gap, mut primal, mut visited, mut goes_on) = (0.0, 0.0, 0usize, true);
        rows.retain(|&at| {
            goes_on = goes_on && (!visited.is_multiple_of(256) || pulse.beat());
            visited += 1;
            if !goes_on {
                return true;
            }
            let at = at as usize;
            let mut row = self.rows[at];
            let margin = self.margin(at, &row);
            if row.dual == 0.0 && margin >= 1.0 {
                return false;
            }
            let (loss, conjugate) = self.problem.loss.and_conjugate(row.cost, margin, row.dual);
            gap += row.dual * margin + loss + conjugate;
            primal += 0.5 * row.dual * margin + loss;
            if moves {
                if row.square == 0.0 {
                    let (entries, end) = (self.problem.rows.row(at), self.shared.ends[at]);
                    row.lone = self.square(&row, end..entries.end);
                    row.square = 1.0 + self.square(&row, entries.start..end) + row.lone;
                    self.rows[at] = row;
                }
                self.move_to(at, self.problem.loss.next(row.cost, row.square, margin, row.dual));
            }
            true
        });
        goes_on.then_some(gap / primal.max(f64::MIN_POSITIVE))
    }

    /// Visits rows until the solution is good enough; returns `None` if it was stopped.
    ///
    /// Few rows matter for the solution of most problems: the weights move until it is good enough for the rows that
    /// seemed to matter, and only then all rows are looked at again.
    pub(super) fn descend(&mut self, pulse: &Pulse<'_>) -> Option<()> {
        let tolerance = self.problem.limits.tolerance;
        let all: Vec<u32> =
            (0..self.rows.len()).filter(|&at| self.rows[at].cost > 0.0).map(|at| at as u32).collect();
        let (mut rows, mut enough) = (all.clone(), MUCH_LESS);
        for _ in 0..self.problem.limits.most {
            self.shuffle(&mut rows);
            if self.visit(&mut rows, true, pulse)? > enough {
                continue;
            }
            rows.clone_from(&all);
            let share = self.visit(&mut rows, false, pulse)?;
            if share > tolerance {
                enough = (MUCH_LESS * share).max(0.5 * tolerance);
            } else {
                break;
            }
        }
        Some(())
    }

    /// Writes one weight per column, and then the bias.
    pub(super) fn write(&self, solved: &mut [f64]) {
        solved[..self.weights.len()].copy_from_slice(&self.weights);
        for (at, row) in self.rows.iter().enumerate() {
            let step = row.dual * row.side * row.scale;
            for (column, value) in self.problem.entries(self.shared.ends[at]..self.problem.rows.row(at).end) {
                solved[column] = step * self.problem.factors[column].powi(2) * value;
            }
        }
        if let Some(bias) = solved.last_mut() {
            *bias = self.bias;
        }
    }
}

/// All rows are looked at once the duality gap of those that seemed to matter is this share of the gap before.
const MUCH_LESS: f64 = 0.1;

impl Loss {
    /// The loss of a row with this margin, and the conjugate of the loss at its dual.
    #[inline]
    fn and_conjugate(self, cost: f64, margin: f64, dual: f64) -> (f64, f64) {
        match self {
            Self::Hinge => {
                let lack = (1.0 - margin).max(0.0);
                (cost * lack * lack, dual * (0.25 * dual / cost - 1.0))
            }
            Self::Logistic => {
                let part = |dual: f64| dual * (dual / cost).ln();
                (cost * ((-margin.abs()).exp().ln_1p() + (-margin).max(0.0)), part(dual) + part(cost - dual))
            }
        }
    }

    /// The dual that is best for a row while all others stay as they are; `square` is the square of the row's length.
    #[inline]
    fn next(self, cost: f64, square: f64, margin: f64, dual: f64) -> f64 {
        match self {
            Self::Hinge => (dual - (margin - 1.0 + 0.5 * dual / cost) / (square + 0.5 / cost)).max(0.0),
            Self::Logistic => logistic(cost, square, margin, dual),
        }
    }
}

/// How near to 0 and to the cost a dual of the logistic loss comes, and how exactly it is found.
const NEAREST: f64 = 1e-15;
const EXACTLY: f64 = 1e-10;

/// Newton's method for `z`, which is the dual or the cost minus the dual, kept above 0 (Algorithm 4 of Yu et al.).
fn logistic(cost: f64, square: f64, margin: f64, dual: f64) -> f64 {
    let upper = 0.5 * square * (cost - 2.0 * dual) + margin < 0.0;
    let (old, margin) = if upper { (cost - dual, -margin) } else { (dual, margin) };
    let mut z = if old > 0.5 * cost { 0.1 * old } else { old };
    for _ in 0..100 {
        let slope = square * (z - old) + margin + (z / (cost - z)).ln();
        if slope.abs() < EXACTLY {
            break;
        }
        let next = z - slope / (square + cost / (cost - z) / z);
        z = if next <= 0.0 { 0.1 * z } else { next };
    }
    (if upper { cost - z } else { z }).clamp(NEAREST * cost, (1.0 - NEAREST) * cost)
}
