//! Read.

pub mod csv;
pub mod jsonl;
pub mod lines;
pub mod records;
