//! Characters.

pub mod ascii_blocks;
pub mod char_class;
pub(crate) mod char_units;
pub(crate) mod lowercase;
