//! The kernel of `likely`: everything that touches each byte or each token, and nothing else.
//!
//! One file a stage, in the order a text passes them:
//!
//! | stage | from -> to | file |
//! | --- | --- | --- |
//! | read | bytes of a file -> rows | [`csv`], [`jsonl`], [`lines`] (on [`records`]) |
//! | analyze | text -> terms | [`analyze`] ([`normalize`], [`tokenize`], [`pieces`], [`preparation`], `words`, `grams`; with places: [`spans`]) |
//! | count | terms, classes -> counts | [`count`], [`lengths`], [`counts`] (on [`vocabulary`], [`cells`], [`amount`]) |
//! | vectorize | terms -> sparse matrix | [`vectorize`] (in its folder, what scikit-learn's rules need) |
//! | score | terms, weights -> scores | [`score`] (on [`weights`]) |
//! | leave out | texts -> the terms of each, to be taken away one by one | [`rows`] |
//! | train | rows of documents -> linear weights | [`linear`] (on [`canonical`]) |
//! | draw | text -> a number to draw a sample by | [`drawn`] |
//! | leave out | texts -> the terms of each, what is alike in them, and sums over them | [`rows`], [`alike`], [`sums`], [`logs`] |
//! | spell | unknown word -> known word | [`spelling`], [`spelled`] (on `deletes`) |
//! | store | pages of a file -> how long their strings are | [`delta`] |
//!
//! What the weights are is decided elsewhere: here are no formulas of statistics. Nothing that comes out depends on
//! hash seeds, on the number of threads or on how the texts were batched.

pub mod analyze;
mod compensated_sum;
pub mod count;
pub mod error;
pub mod leave_one_out;
pub mod parallel;
mod prefetch;
pub mod read;
pub mod sample;
pub mod score;
pub mod solve;
pub mod spell;
pub mod store;
pub mod vectorize;
pub mod vocabulary;
