//! `likely._native`: the kernel as Python sees it. Each method converts, calls, converts.
//!
//! Locks are only ever taken while detached from the interpreter, and never held while attaching to it, so that threads
//! cannot wait for each other in a circle.

mod analyze;
mod count;
mod documents;
mod drawn;
mod error;
mod labels;
mod lengths;
mod lexicon;
mod linear;
mod pattern;
mod read;
mod rows;
mod score;
mod shared;
mod single;
mod spelling;
mod stem;
mod table;
mod texts;
mod vectorize;

use pyo3::prelude::*;

/// The compiled part of likely: text to terms, counts and scores.
#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::analyze::{Analyzer, kernels};
    #[pymodule_export]
    use crate::count::{Counts, delta_strings_size};
    #[pymodule_export]
    use crate::drawn::drawn;
    #[pymodule_export]
    use crate::labels::encode_labels;
    #[pymodule_export]
    use crate::lengths::count_lengths;
    #[pymodule_export]
    use crate::lexicon::{Lexicon, hash_columns, hash_rows, weigh_rows};
    #[pymodule_export]
    use crate::linear::{order_rows, solve_linear};
    #[pymodule_export]
    use crate::pattern::{Alphabet, Pattern};
    #[pymodule_export]
    use crate::read::{Records, read_csv, read_header, read_jsonl, read_lines};
    #[pymodule_export]
    use crate::rows::{cases_of, kinds_of, rows_of, sum_logs, sum_rows};
    #[pymodule_export]
    use crate::score::Weights;
    #[pymodule_export]
    use crate::shared::{close_gate, open_gate};
    #[pymodule_export]
    use crate::single::Single;
    #[pymodule_export]
    use crate::spelling::Spelling;
    #[pymodule_export]
    use crate::stem::{stem, stem_languages};
    #[pymodule_export]
    use crate::vectorize::{Counted, count_terms, vectorize};
}
