//! Leave_one_out.

pub mod groups;
pub mod log_sums;
pub mod rows;
pub mod sums;
