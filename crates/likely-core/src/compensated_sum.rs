//! Sums of doubles that keep what rounding cuts off (Knuth's two-sum).

/// A sum and the part of it that rounding has cut off so far.
#[derive(Clone, Copy, Default)]
pub(crate) struct CompensatedSum {
    pub(crate) sum: f64,
    pub(crate) error: f64,
}

impl CompensatedSum {
    #[inline(always)]
    pub(crate) fn add(&mut self, more: f64) {
        let sum = self.sum + more;
        let part = sum - self.sum;
        self.error += (self.sum - (sum - part)) + (more - part);
        self.sum = sum;
    }

    /// Adds a whole number below 2^27 times a double. The products with both halves of the double are exact.
    #[inline]
    pub(crate) fn add_times(&mut self, count: f64, number: f64) {
        let high = f64::from_bits(number.to_bits() & !0x7ff_ffff);
        self.add(count * high);
        self.add(count * (number - high));
    }

    #[inline]
    pub(crate) fn total(self) -> f64 {
        // Once the sum is infinite, the error is not a number.
        if self.error.is_nan() { self.sum } else { self.sum + self.error }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_keep_what_rounding_cuts_off() {
        let mut exact = CompensatedSum::default();
        for _ in 0..1_000_000 {
            exact.add(0.1);
        }
        // Added plainly it would be 100000.00000133288.
        assert_eq!(exact.total(), 100_000.0);
        let mut product = CompensatedSum::default();
        product.add_times(230.0, -9.123_456_789_012_345);
        product.add(230.0 * 9.0);
        assert_eq!(product.total(), f64::mul_add(230.0, -9.123_456_789_012_345, 2070.0));
    }
}
