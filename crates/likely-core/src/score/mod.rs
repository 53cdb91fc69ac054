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
//! There are four ways through the scorer. The model decides which one is taken; with much text, tables that a session
//! compiles make some of them faster, with the same bits:
//!
//! ```text
//! v_t is a count, documents have any length?
//! |- no: FREQUENCIES  count the terms of a text, then add each row once
//! '- yes: n-grams of characters within words, no class is impossible, words are read as they are?
//!    |- no: TERMS  add rows as terms come          much text: NearTerms (few classes) or PackedPhrases
//!    '- yes: WORDS  add up each new word once, then words, remembered from text to text
//!            many classes, much text: CompactRows; and if the caller allows it
//!            '- ROUGH  words in two bytes per class, with a bound on the error
//!
//! Weights (a value) -> compile(effort) -> Compiled (never changes) -> Session (memory of one owner) -> scores
//! ```
//!
//! Rows are dense (a number per class) for few classes and sparse (CSR: only classes with a delta of their own) for many.
//!
//! - [`weights`]: the numbers of this form
//! - [`deltas`] and [`sparse_rows`]: its largest part, dense or sparse
//! - [`compiled`]: weights with the tables for much text
//! - [`near_terms`]: terms and dense rows in less memory
//! - [`compact_rows`]: sparse rows in a quarter of the memory, if few deltas are distinct
//! - [`session`]: texts to scores, on several threads, and what is remembered from call to call
//! - [`scorer`]: one thread's part of it
//! - [`dense_rows`]: adding dense rows
//! - [`sums`]: what the terms of a document add up to
//! - [`word_sums`]: what the characters of a word add up to
//! - [`rough_sums`]: the same in less memory, with a bound on the error
//! - [`word_rows`]: words that have occurred before
//! - [`soft_moments`]: what the fit of a calibration needs of scores

mod compact_rows;
pub mod compiled;
mod deltas;
mod dense_rows;
#[cfg(test)]
mod fixtures;
mod near_terms;
mod rough_sums;
pub mod scorer;
pub mod session;
pub mod soft_moments;
mod sparse_rows;
mod sums;
pub mod weights;
mod word_rows;
mod word_sums;
