//! Score: texts and weights go in, one score per text and class comes out.
//!
//! Every variant of naive Bayes is the same linear form:
//!
//! ```text
//! score_c(d) = bias_c + sum over known terms t of v_t * scale_t * (base_c + delta_tc)
//! ```
//!
//! `v_t` is how often the term occurs in the document, or 1 however often it occurs, or 1 plus the logarithm of its
//! frequency; `scale_t` is 1, or the weight of the term in all documents.
//!
//! - [`weights`]: the numbers of this form
//! - [`deltas`] and [`sparse_rows`]: its largest part, dense or sparse
//! - [`compact_rows`]: sparse rows in a quarter of the memory, if few deltas are distinct
//! - [`dense_rows`]: adding dense rows
//! - [`distinct_rows`]: terms that have the same row
//! - [`sums`]: what the terms of a document add up to
//! - [`word_sums`]: what the characters of a word add up to
//! - [`rough_sums`]: the same in less memory, with a bound on the error
//! - [`kept_words`]: words that have occurred before
//! - [`much_text`]: what makes scoring of much text faster
//! - [`near_terms`]: terms and rows in less memory
//! - [`scorer`]: texts to scores, on several threads
//! - [`soft_moments`]: what the fit of a calibration needs of scores

mod compact_rows;
pub mod compiled;
mod deltas;
mod dense_rows;
mod rough_sums;
pub mod scorer;
pub mod session;
mod shared_rows;
pub mod soft_moments;
mod sparse_rows;
mod sums;
pub mod weights;
mod word_cache;
mod word_sums;
