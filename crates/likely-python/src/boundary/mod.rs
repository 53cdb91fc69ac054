//! Boundary: Python objects go in, what the kernel works on comes out, and back.
//!
//! - [`texts`]: batches of texts from lists, iterables and Arrow data ([`encoded`], [`imported`], [`arrow`])
//! - [`strings`]: texts that belong to the kernel
//! - [`documents`]: batches of texts with their classes and weights
//! - [`labels`]: labels to numbers
//! - [`ragged`]: tables whose rows have different lengths
//! - [`exact`]: amounts that are exact sums
//! - [`detached`]: work without the interpreter
//! - [`settings`]: settings and choices by name
//! - [`errors`]: errors of the kernel to exceptions of `likely.errors`
//! - [`shared`]: data that many threads read while one thread changes them

mod arrow;
pub(crate) mod detached;
pub(crate) mod documents;
pub(crate) mod encoded;
pub(crate) mod errors;
pub(crate) mod exact;
mod imported;
pub(crate) mod labels;
pub(crate) mod ragged;
pub(crate) mod settings;
pub(crate) mod shared;
pub(crate) mod strings;
pub(crate) mod texts;
