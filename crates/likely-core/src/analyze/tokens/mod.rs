//! Tokens.

pub(crate) mod entities;
pub mod pieces;
pub(crate) mod punctuation;
pub mod tokenize;
