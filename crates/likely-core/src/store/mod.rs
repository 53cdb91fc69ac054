//! Store: counts become a model file, and a model file that nobody has checked becomes counts.
//!
//! A model file is one Parquet table, and beside it one JSON document, which is the caller's business.
//!
//! - [`table_rows`]: counts and learned weights become the rows of a table
//! - [`writing`]: the rows become the bytes of a file, by the crate `parquet`
//! - [`footer`]: where the parts of a file are, and of which types its columns are
//! - [`pages`]: the parts of a column, with their sizes, decompressed one by one
//! - [`values`]: a page becomes numbers, classes or terms
//! - [`labels`]: the labels of the classes, all of one type
//! - [`refused`]: why a file is not a model, in one line
//! - [`thrift`]: the structures of which a footer consists, and [`input`], the numbers in them and in pages
//! - [`reading`]: the pages of a file become counts: the terms of the rows in one thread, and what they count, by
//!   [`columns`], in another
//! - [`untrusted_rows`]: each row is checked: its term by [`untrusted_terms`] and [`term_check`], its numbers by [`untrusted_cells`]
//! - [`waiting_terms`]: the order of the terms of both parts of a table
//! - [`summed_rows`]: rows that were counted elsewhere become counts, in any order, with the same checks
//!
//! The crate writes files but does not read them: it is made for files that can be trusted. A footer of 14 bytes makes
//! it reserve 17 GB, one of 58 bytes keeps it busy for minutes, one with nested columns overflows the stack, and all
//! that happens before anybody can look at the footer. Here every number is compared with the file first.

mod columns;
pub mod footer;
mod input;
pub mod labels;
pub mod pages;
pub mod reading;
pub mod refused;
pub mod summed_rows;
pub mod table_rows;
mod term_check;
mod thrift;
mod untrusted_cells;
pub mod untrusted_rows;
mod untrusted_terms;
mod values;
mod waiting_terms;
pub mod writing;
