//! What a term counts in one document: the `v_t` of every variant of naive Bayes.

use crate::count::fixed_point::Amount;
use crate::count::log_frequency::{log_frequency, log_frequency_f64};

/// How the value `v_t` of a term depends on its frequency in the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// The number of occurrences.
    Count,
    /// 1, however often the term occurs.
    Presence,
    /// 1 + log of the number of occurrences.
    Damped,
}

impl Value {
    /// The value of a term of this frequency.
    #[inline]
    pub(crate) fn of(self, frequency: u32) -> f64 {
        match self {
            Self::Count => f64::from(frequency),
            Self::Presence => 1.0,
            Self::Damped => log_frequency_f64(frequency),
        }
    }

    /// The value divided by a length, as an exact number; `None` if it does not fit.
    #[inline]
    pub(crate) fn over(self, frequency: u32, length: f64) -> Option<Amount> {
        match self {
            Self::Damped if length == 1.0 => Some(log_frequency(frequency)),
            _ => Amount::from_f64(self.of(frequency) / length),
        }
    }
}
