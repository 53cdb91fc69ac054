//! Vectorize: texts go in, a sparse matrix comes out, with one row per text and one column per term.
//!
//! - [`vectorizing`]: texts whose terms are not known yet, from a [`source`] of terms; the result is [`counted`]
//! - [`term_columns`]: texts whose terms and columns are known
//! - [`hashing`]: columns from the hashes of terms
//! - [`gather`]: the rows of texts whose columns are known, on several threads
//! - [`tfidf`]: counts to weights
//! - [`pattern`]: text to terms by the rules of scikit-learn
//! - [`matrix`]: the matrix itself

pub mod counted;
pub mod gather;
pub mod hashing;
pub mod matrix;
pub mod pattern;
pub mod source;
pub mod term_columns;
pub mod tfidf;
pub mod vectorizing;
