//! `likely._native`: the kernel as Python sees it. Each method converts, calls and converts.
//!
//! The modules have the names of the rooms of the core; [`boundary`] holds everything that converts.
//!
//! Locks are only taken while detached from the interpreter, and never held while attaching to it, so that threads
//! cannot wait for each other in a circle.

mod analyze;
mod boundary;
mod count;
mod leave_one_out;
mod read;
mod sample;
mod score;
mod select;
mod solve;
mod spell;
mod store;
mod vectorize;

use likely_core::huge_pages::{self, HugePages};
use pyo3::prelude::*;

#[global_allocator]
static MEMORY: HugePages = HugePages;

/// The compiled part of `likely`: text to terms, counts and scores.
#[pymodule]
mod _native {
    use super::*;
    use likely_core::analyze::settings;
    use likely_core::analyze::tokens::tokenize::GIVEN;
    use likely_core::analyze::words::preparation::steps;
    use likely_core::count::fixed_point::Amount;
    use likely_core::score::scorer;
    use likely_core::vocabulary::term_ids;
    use pyo3::types::PyBytes;

    #[pymodule_export]
    use crate::analyze::analyzer::{Analyzer, kernels, stem_languages};
    #[pymodule_export]
    use crate::boundary::detached::end_threads;
    #[pymodule_export]
    use crate::boundary::labels::encode_labels;
    #[pymodule_export]
    use crate::boundary::ragged::Ragged;
    #[pymodule_export]
    use crate::boundary::shared::{close_gate, open_gate};
    #[pymodule_export]
    use crate::boundary::strings::Strings;
    #[pymodule_export]
    use crate::count::counts::Counts;
    #[pymodule_export]
    use crate::count::lengths::count_lengths;
    #[pymodule_export]
    use crate::leave_one_out::{LogEntries, cases_of, group_terms, rows_of, sum_logs, sum_rows};
    #[pymodule_export]
    use crate::read::zstd::{Zstd, ZstdWriter};
    #[pymodule_export]
    use crate::read::{
        BadRow, CsvLayout, JsonArray, Records, join_lines, read_csv, read_header, read_jsonl, read_lines,
        recognise_encoding,
    };
    #[pymodule_export]
    use crate::sample::{copy_numbers, sample_numbers};
    #[pymodule_export]
    use crate::score::{Session, Weights, soft_moments};
    #[pymodule_export]
    use crate::select::{count_buckets, gumbel_noise, sum_buckets};
    #[pymodule_export]
    use crate::solve::{LinearSolver, order_rows};
    #[pymodule_export]
    use crate::spell::Spelling;
    #[pymodule_export]
    use crate::store::{ModelFile, RowRules, SummedRows};
    #[pymodule_export]
    use crate::vectorize::counted::{Counted, count_terms, vectorize};
    #[pymodule_export]
    use crate::vectorize::hashing::Hashing;
    #[pymodule_export]
    use crate::vectorize::lexicon::Lexicon;
    #[pymodule_export]
    use crate::vectorize::pattern::{Alphabet, Pattern};
    #[pymodule_export]
    use crate::vectorize::tfidf::weigh_rows;

    /// The id of a term that is not in the vocabulary.
    #[pymodule_export]
    const UNKNOWN: u32 = term_ids::UNKNOWN;
    /// The number that stands, in place of a class, for the length of a document.
    #[pymodule_export]
    const LENGTH: u32 = scorer::LENGTH;
    #[pymodule_export]
    const KNOWN: u32 = scorer::KNOWN;
    #[pymodule_export]
    const TERMS: u32 = scorer::TERMS;
    #[pymodule_export]
    const DOUBT: u32 = scorer::DOUBT;
    /// The prefix of n-grams of characters if words are terms too.
    #[pymodule_export]
    const CHAR_MARK: &str = settings::CHAR_MARK;
    /// The smallest weight above 0.
    #[pymodule_export]
    const LEAST_WEIGHT: f64 = Amount::LEAST;
    /// The version of the package. Asking the interpreter for it takes longer than saving a small model.
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");

    /// Keeps freed memory for later blocks, for the rest of the process. It is meant for commands that run for long.
    #[pyfunction]
    fn keep_freed_memory() {
        huge_pages::keep_freed_memory();
    }

    /// Adds the constants that are not numbers or plain strings.
    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        // The bit of each step of `Analyzer.trace` and its name, in the order in which they are told.
        module.add("STEPS", steps::NAMES)?;
        // What separates tokens that were made elsewhere. It is a lone surrogate, which no Rust string can hold.
        let separator = PyBytes::new(module.py(), GIVEN).call_method1("decode", ("utf-8", "surrogatepass"))?;
        module.add("SEPARATOR", separator)
    }
}
