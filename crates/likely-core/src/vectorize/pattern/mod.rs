//! Pattern: a text goes in, its terms come out, by the rules of scikit-learn's vectorizers.
//!
//! - [`rules`]: words and their n-grams
//! - [`char_grams`]: n-grams of characters
//! - [`alphabet`]: what the running Python knows of each character
//! - [`fold`]: the text in lower case and without accents, and where its words are
//! - [`lookup`] and [`units`]: spans of terms to ids

pub mod alphabet;
mod char_grams;
mod fold;
mod lookup;
pub mod rules;
mod units;
