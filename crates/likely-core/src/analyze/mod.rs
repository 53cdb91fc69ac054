//! Analyze.

pub mod analyzer;
pub mod characters;
pub mod normalize;
pub mod preparation;
pub(crate) mod prepared_words;
pub mod spans;
pub mod stem;
pub(crate) mod terms;
pub mod tokens;
