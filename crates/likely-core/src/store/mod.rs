//! Store: what a model file holds goes in, and comes out checked.
//!
//! - [`untrusted_rows`]: rows of a table become counts, if they can be counts
//! - [`delta_strings`]: how long the strings of a page are, before anybody unpacks it

pub mod delta_strings;
pub mod untrusted_rows;
