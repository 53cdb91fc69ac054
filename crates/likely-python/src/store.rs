//! Counts as the columns of a table, and back: how a model gets into a file and out of one.

use crate::boundary::errors::named;
use crate::boundary::exact::{Exact, ExactIn, amounts, exact};
use crate::count::counts::Counts;
use arrow_array::builder::LargeStringBuilder;
use arrow_array::cast::AsArray;
use arrow_array::{Array, LargeStringArray};
use arrow_schema::DataType;
use likely_core::analyze::analyzer::Analyzer;
use likely_core::count::cells::Cell;
use likely_core::count::counts::Counts as Core;
use likely_core::store::delta_strings;
use likely_core::store::untrusted_rows::{RowRules, Unsound, UntrustedRows};
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3_arrow::PyArray;
use std::sync::Arc;

/// Terms, ranks of classes, counts and documents: one row per term and class.
pub(crate) type Table<'py> = (Py<PyAny>, Bound<'py, PyArray1<u32>>, Exact<'py>, Exact<'py>);
/// The same on its way in, with terms as bytes.
type TableIn<'py> = (PyArray, PyReadonlyArray1<'py, u32>, ExactIn<'py>, ExactIn<'py>);

/// The rows of some terms, in their order; the rows of a term are sorted by the rank of the class.
pub(crate) fn columns<'py>(py: Python<'py>, counts: &Counts, ids: &[u32], ranks: &[u32]) -> PyResult<Table<'py>> {
    let Some((terms, cells)) = py.detach(|| rows(&counts.read(), ids, ranks)) else {
        return Err(PyIndexError::new_err("a class has no rank"));
    };
    let ranks: Vec<u32> = cells.iter().map(|cell| cell.class).collect();
    let terms = PyArray::from_array_ref(Arc::new(terms)).to_pyarrow(py)?.unbind();
    let (counts, documents) = (cells.iter().map(|cell| cell.count), cells.iter().map(|cell| cell.documents));
    Ok((terms, ranks.into_pyarray(py), exact(py, counts), exact(py, documents)))
}

/// The term of each row, and its cell with the rank in place of the class; `None` if a class has no rank.
fn rows(counts: &Core, ids: &[u32], ranks: &[u32]) -> Option<(LargeStringArray, Vec<Cell>)> {
    let rows = ids.iter().map(|&id| counts.row_length(id)).sum();
    let mut terms = LargeStringBuilder::with_capacity(rows, 8 * rows);
    let mut cells: Vec<Cell> = Vec::with_capacity(rows);
    let mut spelled = Vec::new();
    for &id in ids {
        let start = cells.len();
        for cell in counts.row(id) {
            cells.push(Cell { class: *ranks.get(cell.class as usize)?, ..cell });
        }
        cells[start..].sort_unstable_by_key(|cell| cell.class);
        spelled.clear();
        counts.vocabulary().spell(id, &mut spelled);
        let term = String::from_utf8_lossy(&spelled);
        (start..cells.len()).for_each(|_| terms.append_value(&term));
    }
    Some((terms.finish(), cells))
}

/// Counts from batches of rows that nobody has checked, and the number of rows of each term. `totals` are the
/// documents and the tokens of each class.
pub(crate) fn read_rows(
    analyzer: &Analyzer,
    rules: RowRules,
    totals: (ExactIn<'_>, ExactIn<'_>),
    batches: &Bound<'_, PyAny>,
) -> PyResult<(Core, Vec<i64>)> {
    let py = batches.py();
    let refused = |message: String| named(py, "ModelFileError", message);
    let (documents, tokens) = (amounts(&totals.0)?, amounts(&totals.1)?);
    let mut read =
        UntrustedRows::new(analyzer, rules, &documents).map_err(|unsound| refused(unsound.to_string()))?;
    for batch in batches.try_iter()? {
        let (terms, classes, counts, documents): TableIn<'_> = batch?.extract()?;
        let (classes, counts, documents) = (classes.as_slice()?, amounts(&counts)?, amounts(&documents)?);
        let rows = terms.array().len();
        if terms.array().null_count() > 0 || [classes.len(), counts.len(), documents.len()] != [rows; 3] {
            return Err(refused(Unsound::Incomplete.to_string()));
        }
        let cell = |row: usize| Cell { class: classes[row], count: counts[row], documents: documents[row] };
        // The terms come as bytes, because nobody has checked that they are UTF-8.
        let done = py.detach(|| match terms.array().data_type() {
            DataType::Binary => {
                let terms = terms.array().as_binary::<i32>();
                (0..rows).try_for_each(|row| read.put(terms.value(row), cell(row))).map_err(|e| e.to_string())
            }
            DataType::LargeBinary => {
                let terms = terms.array().as_binary::<i64>();
                (0..rows).try_for_each(|row| read.put(terms.value(row), cell(row))).map_err(|e| e.to_string())
            }
            other => Err(format!("the terms are of type {other}")),
        });
        done.map_err(refused)?;
    }
    read.finish(&tokens).map_err(|unsound| refused(unsound.to_string()))
}

/// The bytes of all strings in a page of Parquet's encoding DELTA_BYTE_ARRAY; None if the page is not sound.
#[pyfunction]
pub(crate) fn delta_strings_size(py: Python<'_>, page: &[u8], strings: usize) -> Option<u64> {
    py.detach(|| delta_strings::strings_size(page, strings))
}
