//! Spell: a word that is not known goes in, the known word that it most likely misspells comes out.
//!
//! - [`spelling`]: the known words, and the closest of them
//! - [`delete_index`]: the words that can be close at all
//! - [`distance`]: how many errors apart two words are
//! - [`reading`]: texts read with corrected spelling

mod delete_index;
mod distance;
pub mod reading;
pub mod spelling;
