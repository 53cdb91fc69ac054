//! The amounts of a term go in, class by class; their exact sum comes out, and the sum without each one of them.
//!
//! The sums are rounded once, at the end, so they do not depend on the order of the classes.

use crate::count::fixed_point::Amount;

/// An exact sum of amounts, however many there are.
#[derive(Clone, Copy, Debug, Default)]
pub struct ClassSum {
    whole: u128,
    /// In units of 2^-64; at most a few times 2^64, because it is not carried over.
    fraction: u128,
}

impl ClassSum {
    /// The sum of some amounts.
    #[inline]
    pub fn of(amounts: impl Iterator<Item = Amount>) -> Self {
        amounts.fold(Self::default(), |sum, amount| Self {
            whole: sum.whole + u128::from(amount.whole()),
            fraction: sum.fraction + u128::from(amount.fraction()),
        })
    }

    /// The sum without one of its amounts.
    pub fn without(self, amount: Amount) -> Self {
        // The fraction of the sum is not carried over, so it is at least that of each amount.
        Self {
            whole: self.whole - u128::from(amount.whole()),
            fraction: self.fraction - u128::from(amount.fraction()),
        }
    }

    /// The nearest double.
    #[inline]
    pub fn to_f64(self) -> f64 {
        let (whole, fraction) = (self.whole + (self.fraction >> 64), self.fraction as u64);
        // Numbers of 128 bits take long to convert, and nearly all are smaller.
        let whole = u64::try_from(whole).map_or_else(|_| whole as f64, |whole| whole as f64);
        whole + fraction as f64 * Amount::LEAST
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_exact_in_any_order() {
        let amounts = [0.1, 0.7, 1e15, 0.2, 3.0].map(|number| Amount::from_f64(number).unwrap_or_default());
        let forward = ClassSum::of(amounts.into_iter());
        assert_eq!(forward.to_f64(), ClassSum::of(amounts.into_iter().rev()).to_f64());
        assert_eq!(forward.without(amounts[2]).to_f64(), 4.0);
        let nothing = amounts.iter().fold(forward, |sum, &amount| sum.without(amount));
        assert_eq!(nothing.to_f64(), 0.0);
    }

    #[test]
    fn sums_may_exceed_the_largest_amount() {
        let large = Amount::new(u64::MAX, u64::MAX);
        let sum = ClassSum::of([large, large, Amount::ONE].into_iter());
        assert_eq!(sum.to_f64(), 2.0 * Amount::LIMIT);
        assert_eq!(sum.without(large).without(large).to_f64(), 1.0);
    }
}
