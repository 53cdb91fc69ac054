//! Count: Python texts with their classes and weights go in, `Counts` come out.
//!
//! - [`counts`]: counting, and what can be done with counts
//! - [`lengths`]: counting documents of unit length in a second pass

pub(crate) mod counts;
pub(crate) mod lengths;
