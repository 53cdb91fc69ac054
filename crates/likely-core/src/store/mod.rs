//! Store: counts become a model file, and a model file that nobody has checked becomes counts.
//!
//! A model file is one Parquet table, and beside it one JSON document, which is the caller's business.
//!
//! - [`table_rows`]: counts and learned weights become the rows of a table
//! - [`writing`]: the rows become the bytes of a file, by the crate `parquet`
//! - [`footer`]: where the parts of a file are, and of which types its columns are
//! - [`pages`]: the parts of a column, with their sizes, decompressed one by one
//! - [`values`]: a page becomes numbers, classes or terms
//! - [`reading`]: the pages of a file become counts, each row of which is checked ([`untrusted_rows`])
//!
//! A file is read by this one parser, which the crate `parquet` is not made for: it reserves the memory that a file
//! asks for (16 GB for 100 bytes) and panics on some numbers, before anybody can look at them. Here every size is
//! compared with the file first.

pub mod footer;
pub mod labels;
pub mod pages;
pub mod reading;
pub mod refused;
pub mod table_rows;
mod thrift;
pub mod untrusted_rows;
mod values;
pub mod writing;
