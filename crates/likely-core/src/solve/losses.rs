//! The step of one row in one problem, for each loss.

use crate::solve::linear::Limits;

/// A row in one problem.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    /// 1 on the one side, -1 on the other.
    pub(super) side: f64,
    /// What the numbers of the row are multiplied by.
    pub(super) scale: f64,
    /// The cost of the row's loss.
    pub(super) cost: f64,
    /// The square of the row's length.
    pub(super) square: f64,
    /// The part of this square that is of columns in which no other row has a number.
    pub(super) lone: f64,
}

/// How the dual of one row is solved, while all others stay as they are.
pub(super) trait Rule {
    /// The dual of a row.
    type Dual: Copy;
    /// What a problem remembers of a round.
    type Progress;

    /// What a problem remembers at the beginning.
    fn begin(limits: Limits) -> Self::Progress;
    /// The first dual of a row with this cost.
    fn first(cost: f64) -> Self::Dual;
    /// How many times the row is contained in the weights.
    fn amount(dual: Self::Dual) -> f64;
    /// The next dual of a row; `None` if the row will most probably stay as it is.
    fn step(progress: &mut Self::Progress, place: &Place, margin: f64, dual: Self::Dual) -> Option<Self::Dual>;
    /// Ends a round; returns whether the solution is good enough for the rows that were visited.
    fn end_round(progress: &mut Self::Progress) -> bool;
}

/// The duality gap of a problem, and what is to be least: sums over the rows that were visited in a round.
///
/// Both are sums over rows because the square of the weights is the sum of the duals times the margins. No term of the
/// gap is below 0, and a row that is left out has the term 0, as long as it is as far on its side as it was.
#[derive(Clone, Copy, Debug, Default)]
struct Gap {
    gap: f64,
    primal: f64,
}

impl Gap {
    /// Adds a row with the conjugate of its loss at its dual.
    #[inline]
    fn add(&mut self, dual: f64, margin: f64, loss: f64, conjugate: f64) {
        self.gap += dual * margin + loss + conjugate;
        self.primal += 0.5 * dual * margin + loss;
    }

    /// Whether the gap is at most this share of what is to be least.
    fn is_at_most(&self, tolerance: f64) -> bool {
        self.gap <= tolerance * self.primal
    }
}

/// The squared hinge: Algorithm 3 of Hsieh et al.
pub(super) struct Hinge;

/// The gap of a round, the strongest pull back, and how far on its side a row must be to be left out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pulls {
    tolerance: f64,
    gap: Gap,
    highest: f64,
    far: f64,
}

impl Rule for Hinge {
    type Dual = f64;
    type Progress = Pulls;

    fn begin(limits: Limits) -> Pulls {
        Pulls { tolerance: limits.tolerance, gap: Gap::default(), highest: f64::NEG_INFINITY, far: f64::INFINITY }
    }

    fn first(_: f64) -> f64 {
        0.0
    }

    fn amount(dual: f64) -> f64 {
        dual
    }

    #[inline]
    fn step(pulls: &mut Pulls, place: &Place, margin: f64, dual: f64) -> Option<f64> {
        let own = 0.5 / place.cost;
        let gradient = margin - 1.0 + dual * own;
        if dual == 0.0 && gradient > 0.0 {
            return (gradient <= pulls.far).then_some(dual);
        }
        let lack = (1.0 - margin).max(0.0);
        pulls.gap.add(dual, margin, place.cost * lack * lack, dual * (0.5 * dual * own - 1.0));
        pulls.highest = pulls.highest.max(gradient);
        Some((dual - gradient / (place.square + own)).max(0.0))
    }

    fn end_round(pulls: &mut Pulls) -> bool {
        let enough = pulls.gap.is_at_most(pulls.tolerance);
        let far = if pulls.highest > 0.0 && !enough { pulls.highest } else { f64::INFINITY };
        *pulls = Pulls { gap: Gap::default(), highest: f64::NEG_INFINITY, far, ..*pulls };
        enough
    }
}

/// The logistic loss: Algorithm 5 of Yu et al.
pub(super) struct Logistic;

/// The gap of a round, and how exactly single rows are solved.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exactness {
    tolerance: f64,
    gap: Gap,
    inner: f64,
    steps: usize,
    rows: usize,
}

impl Rule for Logistic {
    type Dual = [f64; 2];
    type Progress = Exactness;

    fn begin(limits: Limits) -> Exactness {
        Exactness { tolerance: limits.tolerance, gap: Gap::default(), inner: 1e-2, steps: 0, rows: 0 }
    }

    fn first(cost: f64) -> [f64; 2] {
        let dual = (0.001 * cost).min(1e-8);
        [dual, cost - dual]
    }

    fn amount(dual: [f64; 2]) -> f64 {
        dual[0]
    }

    fn step(exactness: &mut Exactness, place: &Place, margin: f64, duals: [f64; 2]) -> Option<[f64; 2]> {
        let loss =
            place.cost * (if margin < 0.0 { margin.exp().ln_1p() - margin } else { (-margin).exp().ln_1p() });
        let conjugate: f64 = duals.map(|dual| dual * (dual / place.cost).ln()).iter().sum();
        exactness.gap.add(duals[0], margin, loss, conjugate);
        let (steps, next) = OneDual::new(place, margin, duals).solve(exactness.inner);
        exactness.steps += steps;
        exactness.rows += 1;
        Some(if steps > 0 { next } else { duals })
    }

    fn end_round(exactness: &mut Exactness) -> bool {
        let enough = exactness.gap.is_at_most(exactness.tolerance);
        let exact = exactness.steps <= exactness.rows / 10;
        let inner = if exact { (0.1 * exactness.inner).max(1e-12) } else { exactness.inner };
        *exactness = Exactness { gap: Gap::default(), inner, steps: 0, rows: 0, ..*exactness };
        enough
    }
}

/// The dual of one row, which is solved alone: it is `z`, or on the other branch the cost minus `z`.
struct OneDual {
    cost: f64,
    square: f64,
    upper: bool,
    margin: f64,
    old: f64,
}

impl OneDual {
    fn new(place: &Place, margin: f64, duals: [f64; 2]) -> Self {
        let upper = 0.5 * place.square * (duals[1] - duals[0]) + margin < 0.0;
        Self { cost: place.cost, square: place.square, upper, margin, old: duals[usize::from(upper)] }
    }

    fn slope(&self, z: f64) -> f64 {
        let margin = if self.upper { -self.margin } else { self.margin };
        self.square * (z - self.old) + margin + (z / (self.cost - z)).ln()
    }

    /// Newton's method, kept above 0 (Algorithm 4 of Yu et al.); returns the number of steps and the duals.
    fn solve(&self, tolerance: f64) -> (usize, [f64; 2]) {
        let mut z = if self.cost - self.old < 0.5 * self.cost { 0.1 * self.old } else { self.old };
        let (mut slope, mut steps) = (self.slope(z), 0);
        while slope.abs() >= tolerance && steps <= 100 {
            let next = z - slope / (self.square + self.cost / (self.cost - z) / z);
            z = if next <= 0.0 { 0.1 * z } else { next };
            slope = self.slope(z);
            steps += 1;
        }
        (steps, if self.upper { [self.cost - z, z] } else { [z, self.cost - z] })
    }
}
