//! Vectorize: Python texts go in, the parts of a scipy matrix come out.
//!
//! - [`counted`]: texts whose terms are not known yet
//! - [`lexicon`]: texts whose terms and columns are known
//! - [`hashing`]: columns from the hashes of terms
//! - [`tfidf`]: counts to weights
//! - [`pattern`]: text to terms by the rules of scikit-learn
//! - [`matrix`]: the parts of a matrix

pub(crate) mod counted;
pub(crate) mod hashing;
pub(crate) mod lexicon;
pub(crate) mod matrix;
pub(crate) mod pattern;
pub(crate) mod tfidf;
