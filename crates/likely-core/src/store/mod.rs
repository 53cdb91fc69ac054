//! Store: what a model file holds goes in, and comes out checked.
//!
//! - [`delta_strings`]: how long the strings of a page are, before anybody unpacks it

pub mod delta_strings;
