//! The kernel of `likely`: everything that touches each byte or each token, and nothing else.
//!
//! One file a stage, in the order a text passes them:
//!
//! | stage | from -> to | file |
//! | --- | --- | --- |
//! | read | bytes of a file -> rows | [`csv`], [`jsonl`], [`lines`] (on [`records`]) |
//! | analyze | text -> terms | [`analyze`] (on `tokenize`, [`blocks`], `characters`, [`chars`]) |
//! | count | terms, classes -> counts | [`count`], [`counts`] (on [`vocabulary`], [`cells`], [`amount`]) |
//! | vectorize | terms -> sparse matrix | [`vectorize`], [`lexicon`], [`hashing`], [`tfidf`] (on [`pattern`], `order`, [`sparse`]) |
//! | score | terms, weights -> scores | [`score`] (on [`weights`]) |
//! | store | pages of a file -> how long their strings are | [`delta`] |
//!
//! What the weights are is decided elsewhere: here are no formulas of statistics. Nothing that comes out depends on
//! hash seeds, on the number of threads or on how the texts were batched.

pub mod alphabet;
pub mod amount;
pub mod analyze;
pub mod blocks;
pub mod cells;
mod characters;
pub mod chars;
pub mod count;
pub mod counts;
pub mod csv;
pub mod delta;
pub mod error;
mod exact;
mod fold;
pub mod gather;
pub mod hashing;
pub mod jsonl;
pub mod lexicon;
pub mod lines;
mod lookup;
mod lowercase;
mod order;
pub mod parallel;
pub mod pattern;
mod piece;
mod prefetch;
pub mod records;
pub mod score;
pub mod sparse;
mod table;
mod tally;
pub mod tfidf;
mod tokenize;
mod units;
pub mod vectorize;
pub mod vocabulary;
pub mod weights;
mod word;
