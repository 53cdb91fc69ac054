//! Characters: which part a character plays in a text, and its lower case.
//!
//! - [`char_class`]: the class of a character, looked up in a table
//! - [`ascii_blocks`]: the classes of 64 bytes of ASCII at a time
//! - [`bit_places`]: where the bits of a mask are set
//! - [`wide_blocks`]: the classes of the other characters of such a block
//! - [`lowercase`]: a word in lower case
//! - [`char_units`]: the characters of a text and their n-grams

pub mod ascii_blocks;
pub(crate) mod bit_places;
pub mod char_class;
pub(crate) mod char_units;
pub(crate) mod lowercase;
pub(crate) mod wide_blocks;
