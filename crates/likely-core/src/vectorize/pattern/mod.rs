//! Pattern.

pub mod alphabet;
pub(crate) mod fold;
pub(crate) mod lookup;
pub(crate) mod remembered;
pub mod rules;
pub(crate) mod units;
