//! A frequency in a document goes in; 1 + log tf (Salton and Buckley, 1988) comes out as an exact number.
//!
//! The logarithm is computed in whole numbers, so that it is the same to the last bit on every machine: what is added
//! when a document is learned must be what is subtracted when it is forgotten.

use crate::count::fixed_point::Amount;
use std::sync::OnceLock;

/// The number of bits after the point with which logarithms are computed, before they are rounded to 64.
const BITS: u32 = 100;
const ONE: u128 = 1 << BITS;
const ROUNDED: u32 = BITS - 64;
/// Logarithms of numbers up to this one are in a table.
const TABLE: u64 = 4096;

/// 1 + log of a frequency >= 1.
#[inline]
pub(crate) fn log_frequency(frequency: u32) -> Amount {
    match small().get(frequency as usize) {
        Some((amount, _)) => *amount,
        None => rounded(ONE + logarithm(u64::from(frequency))),
    }
}

/// The same as a double.
#[inline]
pub(crate) fn log_frequency_f64(frequency: u32) -> f64 {
    match small().get(frequency as usize) {
        Some((_, number)) => *number,
        None => log_frequency(frequency).to_f64(),
    }
}

/// The values of small frequencies, which are the most common.
#[inline]
fn small() -> &'static [(Amount, f64)] {
    static SMALL: OnceLock<Vec<(Amount, f64)>> = OnceLock::new();
    SMALL.get_or_init(|| {
        let amounts = (0..256).map(|frequency: u64| rounded(ONE + logarithm(frequency.max(1))));
        amounts.map(|amount| (amount, amount.to_f64())).collect()
    })
}

fn rounded(number: u128) -> Amount {
    let number = (number + (1 << (ROUNDED - 1))) >> ROUNDED;
    Amount::new((number >> 64) as u64, number as u64)
}

/// The natural logarithm of a whole number >= 1.
fn logarithm(number: u64) -> u128 {
    let table = table();
    if number <= TABLE {
        return table[number as usize];
    }
    // number = 2^k (a + f / 2^k) with a in the upper half of the table.
    let k = number.ilog2() - (TABLE.ilog2() - 1);
    let (a, f) = (number >> k, number & ((1 << k) - 1));
    let ratio = twice_artanh(u128::from(f), u128::from(2 * (a << k) + f));
    u128::from(k) * table[2] + table[a as usize] + ratio
}

/// log((1 + x) / (1 - x)) for x = above / below: twice the sum of x^n / n over odd n.
fn twice_artanh(above: u128, below: u128) -> u128 {
    let x = ((above << BITS.min(above.leading_zeros())) / below) << (BITS - BITS.min(above.leading_zeros()));
    let square = times(x, x);
    let (mut power, mut sum, mut n) = (x, 0, 1);
    while power > 0 {
        sum += power / n;
        power = times(power, square);
        n += 2;
    }
    2 * sum
}

/// The product of two numbers below 1.
fn times(a: u128, b: u128) -> u128 {
    const HALF: u32 = BITS / 2;
    let low = (1u128 << HALF) - 1;
    let (a_high, a_low, b_high, b_low) = (a >> HALF, a & low, b >> HALF, b & low);
    a_high * b_high + ((a_high * b_low + a_low * b_high + ((a_low * b_low) >> HALF)) >> HALF)
}

fn table() -> &'static [u128] {
    static LOGARITHMS: OnceLock<Vec<u128>> = OnceLock::new();
    LOGARITHMS.get_or_init(|| {
        let mut sum = 0;
        let mut logarithms = vec![0, 0];
        for n in 2..=u128::from(TABLE) {
            sum += twice_artanh(1, 2 * n - 1); // log n - log (n - 1)
            logarithms.push(sum);
        }
        logarithms
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_those_of_the_textbook() {
        assert_eq!(log_frequency(1), Amount::ONE);
        for frequency in (2..5000).chain([1 << 13, 12_345, 1 << 20, 999_999_937, u32::MAX - 1]) {
            let (found, expected) = (log_frequency(frequency).to_f64(), 1.0 + f64::from(frequency).ln());
            assert!((found - expected).abs() <= 4e-16 * expected, "{frequency}: {found} {expected}");
        }
    }

    #[test]
    fn logarithms_do_not_change() {
        // log 2 in units of 2^-64, rounded: floor(0.693147180559945309417232121458... * 2^64 + 1/2).
        assert_eq!(log_frequency(2), Amount::new(1, 0xb172_17f7_d1cf_79ac));
    }
}
