//! Spell.

pub(crate) mod delete_index;
pub mod reading;
pub mod spelling;
