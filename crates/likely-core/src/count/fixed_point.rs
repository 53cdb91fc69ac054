//! Sums of weights as fixed-point numbers, so that adding and subtracting are exact in any order.

/// A number >= 0 with 64 bits before the binary point and 64 bits after it.
///
/// Whole numbers below 2^64 are exact, and so is every double from 2^-11 on. A smaller weight is rounded to a multiple
/// of 2^-64 once, when it comes in, and is exact from then on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Amount(u128);

impl Amount {
    /// Zero.
    pub const ZERO: Self = Self(0);
    /// The smallest number above zero, 2^-64, as a double.
    pub const LEAST: f64 = 1.0 / Self::LIMIT;
    /// The first number that is too large, 2^64, as a double.
    pub const LIMIT: f64 = 18_446_744_073_709_551_616.0;
    /// One.
    pub const ONE: Self = Self(1 << 64);

    /// The amount with these parts before and after the point.
    #[inline]
    pub fn new(whole: u64, fraction: u64) -> Self {
        Self(u128::from(whole) << 64 | u128::from(fraction))
    }

    /// The amount that is nearest to a number; `None` if the number is negative, not a number or too large.
    pub fn from_f64(number: f64) -> Option<Self> {
        if !(0.0..Self::LIMIT).contains(&number) {
            return None;
        }
        let whole = number.trunc();
        let fraction = ((number - whole) * Self::LIMIT).round();
        // The fraction cannot round up to 1: the difference is a multiple of 2^-53, or the number is below 1/2.
        Some(Self::new(whole as u64, fraction as u64))
    }

    /// The nearest double.
    #[inline]
    pub fn to_f64(self) -> f64 {
        self.whole() as f64 + self.fraction() as f64 * Self::LEAST
    }

    /// The part before the point.
    #[inline]
    pub fn whole(self) -> u64 {
        (self.0 >> 64) as u64
    }

    /// The part after the point, in units of 2^-64.
    #[inline]
    pub fn fraction(self) -> u64 {
        self.0 as u64
    }

    /// Whether it is zero.
    #[inline]
    pub fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// The sum, if it fits.
    #[inline]
    pub fn checked_add(self, other: Self) -> Option<Self> {
        self.0.checked_add(other.0).map(Self)
    }

    /// The difference, if it is not negative.
    #[inline]
    pub fn checked_sub(self, other: Self) -> Option<Self> {
        self.0.checked_sub(other.0).map(Self)
    }

    /// The product, cut off after 64 bits behind the point, if it fits.
    pub fn checked_product(self, other: Self) -> Option<Self> {
        let (a, b) = (u128::from(self.whole()), u128::from(self.fraction()));
        let (c, d) = (u128::from(other.whole()), u128::from(other.fraction()));
        let whole = Self(u128::from(u64::try_from(a * c).ok()?) << 64);
        let mixed = Self(a * d).checked_add(Self(b * c))?;
        whole.checked_add(mixed)?.checked_add(Self((b * d) >> 64))
    }

    /// The product with a whole number, if it fits.
    #[inline]
    pub fn checked_times(self, count: u64) -> Option<Self> {
        if self.fraction() == 0 {
            return self.whole().checked_mul(count).map(|whole| Self::new(whole, 0));
        }
        self.0.checked_mul(u128::from(count)).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_go_in_and_out() {
        for number in [0.0, 1.0, 0.1, 0.3, 2.5, 1e-3, 123456789.125, 9.007199254740993e15] {
            assert_eq!(Amount::from_f64(number).map(Amount::to_f64), Some(number));
        }
        for refused in [-0.1, f64::NAN, f64::INFINITY, 1.9e19] {
            assert_eq!(Amount::from_f64(refused), None);
        }
        assert_eq!(Amount::from_f64(1e-30), Some(Amount::ZERO));
        assert_eq!(Amount::from_f64(Amount::LEAST), Some(Amount::new(0, 1)));
        assert_eq!((Amount::LEAST, Amount::from_f64(Amount::LIMIT)), ((-64f64).exp2(), None));
    }

    #[test]
    fn a_tenth_added_and_taken_away_leaves_nothing() {
        let tenth = Amount::from_f64(0.1).unwrap_or_default();
        let sum = (0..10).try_fold(Amount::ZERO, |sum, _| sum.checked_add(tenth)).unwrap_or_default();
        assert_eq!(tenth.checked_times(10), Some(sum));
        assert_eq!((0..10).try_fold(sum, |sum, _| sum.checked_sub(tenth)), Some(Amount::ZERO));
        assert_eq!(Amount::ZERO.checked_sub(tenth), None);
        assert_eq!(tenth.checked_product(Amount::ONE), Some(tenth));
        let product = tenth.checked_product(Amount::new(1 << 40, 1 << 63)).map(Amount::to_f64);
        assert_eq!(product, Some(0.1 * ((1u64 << 40) as f64 + 0.5)));
        assert_eq!(Amount::new(1 << 33, 0).checked_product(Amount::new(1 << 33, 0)), None);
    }
}
