//! The kernel of `likely`: everything that touches each byte or each token, and nothing else.
//!
//! A text passes these stages, each of which is a room (a folder) with the same name:
//!
//! 1. [`read`]: the bytes of a file become rows of texts and labels.
//! 2. [`analyze`]: a text becomes terms. It is normalized, cut into tokens, and the tokens are prepared and joined to
//!    n-grams. [`vocabulary`] gives each term a number.
//! 3. [`count`]: terms and classes become counts. The counts are all that naive Bayes learns.
//! 4. [`score`]: the terms of a text and the weights of a model become one score per class. [`spell`] reads unknown
//!    words as the known words that they misspell.
//!
//! These rooms serve other questions about texts and counts:
//!
//! - [`vectorize`]: texts become a sparse matrix, with one row per text and one column per term.
//! - [`leave_one_out`]: learned documents become sums over their terms, from which each document can be subtracted.
//! - [`solve`]: rows of documents become the weights of linear classifiers.
//! - [`store`]: the contents of a model file are checked while they are read.
//! - [`select`]: a text becomes the sum of the weights of its hashed terms, which says how much it resembles others.
//! - [`sample`]: a text becomes a number that decides whether it is in a sample.
//! - [`huge_pages`]: the memory of large tables is fast to reach.
//! - [`vector`]: which instructions of the processor are used.
//!
//! ```
//! use likely_core::analyze::analyzer::Analyzer;
//! use likely_core::analyze::settings::Unit;
//! use likely_core::count::counting::{Counting, Document};
//! use likely_core::count::fixed_point::Amount;
//!
//! let analyzer = Analyzer::plain(Unit::Word, 1, 2, true);
//! let terms: Vec<String> = analyzer.spans(b"Good fun!").into_iter().map(|term| term.term).collect();
//! assert_eq!(terms, ["good", "fun", "good fun"]);
//!
//! let document = Document { text: b"Good fun!", class: 0, weight: Amount::ONE };
//! let mut counting = Counting::new(&analyzer, 1);
//! counting.add(&[document], &|| false)?;
//! assert_eq!(counting.finish(&|| false)?.terms(), 3);
//! # Ok::<(), likely_core::error::Error>(())
//! ```
//!
//! The formulas of statistics, which turn counts into weights, are not here: the caller decides what the weights are.
//! No result depends on hash seeds, on the number of threads or on how the texts are batched.

pub mod analyze;
mod compensated_sum;
pub mod count;
pub mod error;
pub mod huge_pages;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod lanes;
pub mod leave_one_out;
pub mod parallel;
mod prefetch;
pub mod ragged;
pub mod read;
pub mod sample;
pub mod score;
pub mod select;
pub mod solve;
pub mod spell;
pub mod store;
pub mod vector;
pub mod vectorize;
pub mod vocabulary;
