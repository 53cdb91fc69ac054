//! `likely._native`: the kernel as Python sees it. Each method converts, calls, converts.
//!
//! Locks are only ever taken while detached from the interpreter, and never held while attaching to it, so that threads
//! cannot wait for each other in a circle.

mod analyze;
mod boundary;
mod count;
mod leave_one_out;
mod read;
mod sample;
mod score;
mod solve;
mod spell;
mod store;
mod vectorize;

use pyo3::prelude::*;

/// The compiled part of likely: text to terms, counts and scores.
#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::analyze::analyzer::{Analyzer, kernels};
    #[pymodule_export]
    use crate::analyze::stem::{stem, stem_languages};
    #[pymodule_export]
    use crate::boundary::labels::encode_labels;
    #[pymodule_export]
    use crate::boundary::shared::{close_gate, open_gate};
    #[pymodule_export]
    use crate::count::counts::Counts;
    #[pymodule_export]
    use crate::count::lengths::count_lengths;
    #[pymodule_export]
    use crate::leave_one_out::{cases_of, kinds_of, rows_of, sum_logs, sum_rows};
    #[pymodule_export]
    use crate::read::{Records, read_csv, read_header, read_jsonl, read_lines};
    #[pymodule_export]
    use crate::sample::drawn;
    #[pymodule_export]
    use crate::score::Weights;
    #[pymodule_export]
    use crate::solve::{order_rows, solve_linear};
    #[pymodule_export]
    use crate::spell::Spelling;
    #[pymodule_export]
    use crate::store::delta_strings_size;
    #[pymodule_export]
    use crate::vectorize::counted::{Counted, count_terms, vectorize};
    #[pymodule_export]
    use crate::vectorize::hashing::{hash_columns, hash_rows};
    #[pymodule_export]
    use crate::vectorize::lexicon::Lexicon;
    #[pymodule_export]
    use crate::vectorize::pattern::{Alphabet, Pattern};
    #[pymodule_export]
    use crate::vectorize::single::Single;
    #[pymodule_export]
    use crate::vectorize::tfidf::weigh_rows;
}
