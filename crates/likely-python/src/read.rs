//! The bytes of a file become rows of texts and labels.

pub(crate) mod zstd;

use crate::boundary::detached::detached;
use crate::boundary::errors::named;
use crate::boundary::ragged::unsound;
use crate::boundary::strings::{Strings, not_utf8};
use likely_core::read::csv::{self, Layout};
use likely_core::read::encodings;
use likely_core::read::json_array;
use likely_core::read::jsonl;
use likely_core::read::lines::{self, Lines};
use likely_core::read::records::{BadRow as Bad, Column, Records as Core};
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// A row that cannot be used.
#[pyclass(frozen, get_all, module = "likely._native")]
pub(crate) struct BadRow {
    /// The number of rows of the chunk before it.
    row: u64,
    /// The number of line ends of the chunk before it.
    line: u64,
    /// Why it cannot be used, in words.
    problem: &'static str,
    /// Whether the row was cut into fields.
    has_fields: bool,
    /// Its label, if that could be read.
    label: Option<String>,
}

impl BadRow {
    fn of(py: Python<'_>, bad: Bad) -> PyResult<Py<Self>> {
        let Bad { row, line, problem, label } = bad;
        Py::new(py, Self { row, line, problem: problem.name(), has_fields: problem.has_fields(), label })
    }
}

/// The rows of a chunk of a file.
#[pyclass(frozen, get_all, module = "likely._native")]
pub(crate) struct Records {
    /// The wanted columns, without the label.
    columns: Vec<Py<Strings>>,
    /// The distinct labels, in order of appearance, and for each row the index of its label.
    labels: (Vec<String>, Py<PyArray1<u32>>),
    /// The types of the labels (0 string, 1 whole number, 2 truth value), if the format has types.
    kinds: Py<PyArray1<u8>>,
    /// Where each row begins in the chunk.
    starts: Py<PyArray1<i64>>,
    /// Where each row ends in the chunk, without its line end.
    ends: Py<PyArray1<i64>>,
    /// The rows that cannot be used. Unless labels are wanted, they are in the columns too, as empty strings.
    bad: Vec<Py<BadRow>>,
    /// The number of rows, with those that cannot be used.
    rows: u64,
    /// The number of bytes that were read. What follows is a row that has not ended yet.
    used: usize,
    /// The number of line ends that were passed.
    passed: u64,
    /// Whether the last row was given up in the middle of a line, the rest of which is still to come.
    cut: bool,
    /// Quoting was broken: up to this place, counted from the end of what was read, a row ends with its line.
    broken: usize,
}

impl Records {
    /// What `read` returns. The second column is the label, if there is one.
    fn of(py: Python<'_>, has_label: bool, read: impl FnOnce() -> Core + Send) -> PyResult<Self> {
        let (core, columns, (labels, codes), starts, ends) = detached(py, |_| {
            let mut core = read();
            let label =
                if has_label && core.columns.len() > 1 { core.columns.remove(1) } else { Column::default() };
            let columns = std::mem::take(&mut core.columns).into_iter();
            let columns: Option<Vec<Strings>> =
                columns.map(|column| Strings::checked(column.values, column.offsets)).collect();
            let (starts, ends): (Vec<i64>, Vec<i64>) = core.spans.iter().map(|&[start, end]| (start, end)).unzip();
            (core, columns, label.distinct(), starts, ends)
        });
        let columns = columns.ok_or_else(|| not_utf8(py))?.into_iter();
        Ok(Self {
            columns: columns.map(|column| Py::new(py, column)).collect::<PyResult<_>>()?,
            labels: (labels, codes.into_pyarray(py).unbind()),
            kinds: core.kinds.into_pyarray(py).unbind(),
            starts: starts.into_pyarray(py).unbind(),
            ends: ends.into_pyarray(py).unbind(),
            bad: core.bad.into_iter().map(|bad| BadRow::of(py, bad)).collect::<PyResult<_>>()?,
            rows: core.rows,
            used: core.used,
            passed: core.passed,
            cut: core.cut,
            broken: core.broken,
        })
    }
}

/// What a file of separated values looks like, and which of its fields are wanted: `width` fields per row, of which
/// `columns` are wanted, the text first, then with `has_label` the label. A row has at most `longest` bytes.
#[pyclass(frozen, module = "likely._native")]
pub(crate) struct CsvLayout {
    core: Layout,
}

#[pymethods]
impl CsvLayout {
    #[new]
    #[pyo3(signature = (delimiter, width, columns, has_label, longest))]
    fn new(
        py: Python<'_>,
        delimiter: &str,
        width: usize,
        columns: Vec<usize>,
        has_label: bool,
        longest: usize,
    ) -> PyResult<Self> {
        let delimiter = one_byte(py, delimiter)?;
        if columns.iter().any(|&column| column >= width) {
            return Err(unsound(py));
        }
        Ok(Self { core: Layout { delimiter, width, columns, has_label, longest } })
    }
}

/// The rows of a chunk of separated values. `last` says that no chunk follows; `broken` is that of the previous chunk.
#[pyfunction]
#[pyo3(signature = (chunk, last, layout, broken))]
pub(crate) fn read_csv(
    chunk: &Bound<'_, PyBytes>,
    last: bool,
    layout: &CsvLayout,
    broken: usize,
) -> PyResult<Records> {
    let (py, bytes) = (chunk.py(), chunk.as_bytes());
    Records::of(py, layout.core.has_label, || csv::read_csv(bytes, last, &layout.core, broken))
}

/// The fields of the first row of separated values, and the number of its bytes; None if the row has not ended, or if
/// its quoting is broken.
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

/// A file that contains one JSON array, which becomes JSON Lines chunk by chunk.
#[pyclass(module = "likely._native")]
#[derive(Default)]
pub(crate) struct JsonArray {
    core: json_array::JsonArray,
}

#[pymethods]
impl JsonArray {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// The number of bytes before the first element; None if the array has not begun.
    #[getter]
    fn begun_at(&self) -> Option<usize> {
        self.core.begun_at()
    }

    /// Whether the end of the array has been read.
    #[getter]
    fn is_closed(&self) -> bool {
        self.core.is_closed()
    }

    /// The lines of the next chunk. Only the last one may be incomplete.
    fn feed<'py>(&mut self, chunk: &Bound<'py, PyBytes>) -> Bound<'py, PyBytes> {
        let (py, bytes) = (chunk.py(), chunk.as_bytes());
        let lines = detached(py, |_| self.core.feed(bytes));
        PyBytes::new(py, &lines)
    }
}

/// The rows of a chunk of JSON Lines: the values under `names`, that of the text first, then with `has_label` that of
/// the label.
#[pyfunction]
#[pyo3(signature = (chunk, last, longest, *, names, has_label))]
pub(crate) fn read_jsonl(
    chunk: &Bound<'_, PyBytes>,
    last: bool,
    longest: usize,
    names: Vec<String>,
    has_label: bool,
) -> PyResult<Records> {
    let bytes = chunk.as_bytes();
    Records::of(chunk.py(), has_label, || jsonl::read_jsonl(bytes, last, &names, has_label, longest))
}

/// The rows of a chunk of text, one per line. If `marked`, the labels of fastText precede the text; with `has_label`
/// they become a column.
#[pyfunction]
#[pyo3(signature = (chunk, last, longest, *, marked, has_label))]
pub(crate) fn read_lines(
    chunk: &Bound<'_, PyBytes>,
    last: bool,
    longest: usize,
    marked: bool,
    has_label: bool,
) -> PyResult<Records> {
    let kind = match (marked, has_label) {
        (false, _) => Lines::Plain,
        (true, false) => Lines::Labelled,
        (true, true) => Lines::WithLabels,
    };
    let bytes = chunk.as_bytes();
    Records::of(chunk.py(), has_label, || lines::read_lines(bytes, last, kind, longest))
}

/// Some rows of a chunk, from `starts` to `ends`, each with this line end.
#[pyfunction]
pub(crate) fn join_lines<'py>(
    chunk: &Bound<'py, PyBytes>,
    starts: PyReadonlyArray1<'py, i64>,
    ends: PyReadonlyArray1<'py, i64>,
    line_end: &[u8],
) -> PyResult<Bound<'py, PyBytes>> {
    let (py, bytes) = (chunk.py(), chunk.as_bytes());
    let row = |(&start, &end): (&i64, &i64)| bytes.get(usize::try_from(start).ok()?..usize::try_from(end).ok()?);
    let rows: Option<Vec<&[u8]>> = starts.as_slice()?.iter().zip(ends.as_slice()?).map(row).collect();
    let rows = rows.ok_or_else(|| PyIndexError::new_err("a row is not within the chunk"))?;
    let size = rows.iter().map(|row| row.len() + line_end.len()).sum();
    PyBytes::new_with(py, size, |mut room| {
        for part in rows.into_iter().flat_map(|row| [row, line_end]) {
            let (here, rest) = room.split_at_mut(part.len());
            here.copy_from_slice(part);
            room = rest;
        }
        Ok(())
    })
}

/// The encoding of some text, by the WHATWG's name for it.
#[pyfunction]
pub(crate) fn recognise_encoding(text: &Bound<'_, PyBytes>) -> &'static str {
    let bytes = text.as_bytes();
    detached(text.py(), |_| encodings::recognise_encoding(bytes))
}
