//! Read: the bytes of a file go in, rows of texts and labels come out.
//!
//! A file arrives in chunks of bytes. Each reader takes the chunk at hand, returns the rows that are complete in it
//! and says how many bytes it has used, so that the caller can put the rest in front of the next chunk. A row that
//! cannot be read is reported with its line and the reason; it never spoils the rows after it.
//!
//! - [`csv`]: values separated by a comma, a tab or another character (RFC 4180)
//! - [`jsonl`]: one JSON object per line, which the parser in `json` reads
//! - [`json_array`]: one JSON array, whose elements become lines
//! - [`lines`]: one text per line, with or without the labels of fastText
//! - [`records`]: what all of them return
//! - [`encodings`]: which encoding the bytes of a text are in

pub mod csv;
pub mod encodings;
mod json;
pub mod json_array;
pub mod jsonl;
pub mod lines;
pub mod records;
