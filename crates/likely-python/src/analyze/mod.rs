//! Analyze: settings and a Python text go in, its terms with their places come out.
//!
//! - [`analyzer`]: `Analyzer`, which all other calls take texts through
//! - [`char_offsets`]: places in bytes to places in characters

pub(crate) mod analyzer;
mod char_offsets;
