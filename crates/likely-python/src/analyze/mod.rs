//! Analyze: see the room of the same name in the core.

pub(crate) mod analyzer;
mod char_offsets;
