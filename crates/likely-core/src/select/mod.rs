//! Select: texts go in; the counts of hashed terms, a sum of weights per text and a noise per row come out.
//!
//! This is all that importance resampling needs of each document (Xie et al. 2023, *Data Selection for Language Models
//! via Importance Resampling*). What the weights are is decided by the caller.
//!
//! - [`buckets`]: texts to counts per bucket, and to one sum of weights per text
//! - [`hashed`]: terms to 31-bit hashes, without a vocabulary
//! - [`noise`]: the noise of a row, which depends on nothing but the seed and the number of the row

pub mod buckets;
mod hashed;
pub mod noise;
