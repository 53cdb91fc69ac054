//! What a term counts in one document: the `v_t` of every variant of naive Bayes.

use crate::count::fixed_point::Amount;
use crate::count::log_frequency::{log_frequency, log_frequency_f64};

/// What `v_t` is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// The number of occurrences.
    Count,
    /// 1 for a term that occurs.
    Presence,
    /// 1 + log of the number of occurrences.
    Damped,
}

impl Value {
    /// What a term counts that occurs so often.
    #[inline]
    pub(crate) fn of(self, frequency: u32) -> f64 {
        match self {
            Self::Count => f64::from(frequency),
            Self::Presence => 1.0,
            Self::Damped => log_frequency_f64(frequency),
        }
    }

    /// The same over a length, as an amount; `None` if that does not fit.
    #[inline]
    pub(crate) fn over(self, frequency: u32, length: f64) -> Option<Amount> {
        match self {
            Self::Damped if length == 1.0 => Some(log_frequency(frequency)),
            _ => Amount::from_f64(self.of(frequency) / length),
        }
    }
}
