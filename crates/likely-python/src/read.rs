//! Bytes of a file to rows.

use crate::boundary::errors::named;
use likely_core::read::csv::{self, Layout};
use likely_core::read::jsonl;
use likely_core::read::lines::{self, Lines};
use likely_core::read::records::{Column, Records as Core};
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Strings as Arrow lays them out: their bytes, and where each begins and the last one ends.
type Strings = (Py<PyArray1<u8>>, Py<PyArray1<i64>>);

/// The rows of a chunk of a file.
#[pyclass(frozen, get_all, module = "likely._native")]
pub(crate) struct Records {
    /// The columns asked for, without the label.
    columns: Vec<Strings>,
    /// The distinct labels, in order of appearance, and for each row which of them it has.
    labels: (Vec<String>, Py<PyArray1<u32>>),
    /// The kinds of the labels (0 text, 1 whole number, 2 truth value) where the format has kinds.
    kinds: Py<PyArray1<u8>>,
    /// Where each row begins in the chunk ...
    starts: Py<PyArray1<i64>>,
    /// ... and where it ends, without its line end.
    ends: Py<PyArray1<i64>>,
    /// The lines that were skipped, and why.
    bad: Vec<(u64, &'static str)>,
    /// How many bytes were read; what follows is a row that has not ended yet.
    used: usize,
    /// How many line ends were passed.
    passed: u64,
    /// Whether the last row was given up in the middle of a line, whose rest is still to come.
    cut: bool,
    /// Up to where, from the end of what was read on, a row ends with its line, because quoting was broken.
    broken: usize,
}

impl Records {
    fn of(py: Python<'_>, mut core: Core, has_label: bool) -> Self {
        let label = if has_label && core.columns.len() > 1 { core.columns.remove(1) } else { Column::default() };
        let (distinct, codes) = label.distinct();
        let labels = (distinct.into_iter().map(String::from).collect(), codes.into_pyarray(py).unbind());
        let column =
            |column: Column| (column.values.into_pyarray(py).unbind(), column.offsets.into_pyarray(py).unbind());
        let (starts, ends): (Vec<i64>, Vec<i64>) = core.spans.iter().map(|&[start, end]| (start, end)).unzip();
        Self {
            columns: core.columns.into_iter().map(column).collect(),
            labels,
            kinds: core.kinds.into_pyarray(py).unbind(),
            starts: starts.into_pyarray(py).unbind(),
            ends: ends.into_pyarray(py).unbind(),
            bad: core.bad.into_iter().map(|(line, problem)| (line, problem.name())).collect(),
            used: core.used,
            passed: core.passed,
            cut: core.cut,
            broken: core.broken,
        }
    }
}

/// The rows of a chunk of comma (or otherwise) separated values.
///
/// `columns` are the fields wanted, the text first, then with `has_label` the label; `last` says that no chunk follows.
#[pyfunction]
#[pyo3(signature = (chunk, last, longest, *, delimiter, width, columns, has_label, broken))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn read_csv(
    chunk: &Bound<'_, PyBytes>,
    last: bool,
    longest: usize,
    delimiter: &str,
    width: usize,
    columns: Vec<usize>,
    has_label: bool,
    broken: usize,
) -> PyResult<Records> {
    let py = chunk.py();
    let delimiter = one_byte(py, delimiter)?;
    let layout = Layout { delimiter, width, columns, has_label, longest };
    let bytes = chunk.as_bytes();
    Ok(Records::of(py, py.detach(|| csv::read_csv(bytes, last, &layout, broken)), has_label))
}

/// The fields of the first row of comma (or otherwise) separated values, and how many bytes it has; nothing if it has
/// not ended, or its quoting is broken.
#[pyfunction]
pub(crate) fn read_header<'py>(
    chunk: &Bound<'py, PyBytes>,
    last: bool,
    delimiter: &str,
) -> PyResult<Option<(Vec<Bound<'py, PyBytes>>, usize)>> {
    let py = chunk.py();
    let header = csv::read_header(chunk.as_bytes(), last, one_byte(py, delimiter)?);
    Ok(header.map(|(fields, length)| (fields.iter().map(|field| PyBytes::new(py, field)).collect(), length)))
}

fn one_byte(py: Python<'_>, delimiter: &str) -> PyResult<u8> {
    let &[byte] = delimiter.as_bytes() else {
        return Err(named(py, "SourceError", format!("the delimiter {delimiter:?} is not one ASCII character")));
    };
    Ok(byte)
}

/// The rows of a chunk of JSON Lines: the values under `names`, the text first, then with `has_label` the label.
#[pyfunction]
#[pyo3(signature = (chunk, last, longest, *, names, has_label))]
pub(crate) fn read_jsonl(
    chunk: &Bound<'_, PyBytes>,
    last: bool,
    longest: usize,
    names: Vec<String>,
    has_label: bool,
) -> Records {
    let bytes = chunk.as_bytes();
    let core = chunk.py().detach(|| jsonl::read_jsonl(bytes, last, &names, has_label, longest));
    Records::of(chunk.py(), core, has_label)
}

/// The rows of a chunk of text, one a line; if `marked`, with fastText's labels in front, a column of their own with
/// `has_label`.
#[pyfunction]
#[pyo3(signature = (chunk, last, longest, *, marked, has_label))]
pub(crate) fn read_lines(
    chunk: &Bound<'_, PyBytes>,
    last: bool,
    longest: usize,
    marked: bool,
    has_label: bool,
) -> Records {
    let kind = match (marked, has_label) {
        (false, _) => Lines::Plain,
        (true, false) => Lines::Labelled,
        (true, true) => Lines::WithLabels,
    };
    let bytes = chunk.as_bytes();
    Records::of(chunk.py(), chunk.py().detach(|| lines::read_lines(bytes, last, kind, longest)), has_label)
}
