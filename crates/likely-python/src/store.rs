//! Counts as the columns of a table and as a model file, and back.

use crate::analyze::analyzer::Analyzer;
use crate::boundary::detached::detached;
use crate::boundary::errors::named;
use crate::boundary::exact::{Exact, ExactIn, amounts, exact};
use crate::boundary::ragged::{Ragged, unsound};
use crate::boundary::texts::Texts;
use crate::count::counts::Counts;
use likely_core::count::cells::Cell;
use likely_core::store::footer::Footer;
use likely_core::store::labels::Labels as CoreLabels;
use likely_core::store::reading::{Classes, Parts, read_counts};
use likely_core::store::refused::Refused;
use likely_core::store::summed_rows::SummedRows as CoreRows;
use likely_core::store::table_rows::TableRows;
use likely_core::store::untrusted_rows::RowRules as CoreRules;
use likely_core::store::writing::write_table;
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Ranks of classes, counts and documents: one row per term and class.
pub(crate) type Columns<'py> = (Bound<'py, PyArray1<u32>>, Exact<'py>, Exact<'py>);
/// The ids of the terms, sorted by term.
type Ids<'py> = Bound<'py, PyArray1<u32>>;
/// The number of learned weights of each term, their classes, and the weights.
type Weights<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<u32>>, Bound<'py, PyArray1<f32>>);

/// The labels of a model. Texts come first, so that no labels at all are texts, and truth before numbers, because in
/// Python `True` is a number.
#[derive(FromPyObject)]
pub(crate) enum Labels {
    Text(Vec<String>),
    Truth(Vec<bool>),
    Whole(Vec<i64>),
}

impl From<Labels> for CoreLabels {
    fn from(labels: Labels) -> Self {
        match labels {
            Labels::Text(labels) => Self::Text(labels),
            Labels::Truth(labels) => Self::Truth(labels),
            Labels::Whole(labels) => Self::Whole(labels),
        }
    }
}

/// The rows of some terms, in their order; the rows of a term are sorted by the rank of the class.
pub(crate) fn columns<'py>(
    py: Python<'py>,
    counts: &Counts,
    ids: &[u32],
    ranks: &[u32],
) -> PyResult<Columns<'py>> {
    let cells = detached(py, |free| Some(TableRows::new(&counts.read(free), ids, ranks, None, 0)?.cells()));
    let cells = cells.ok_or_else(|| no_rank(py, false))?;
    let classes: Vec<u32> = cells.iter().map(|cell| cell.class).collect();
    let amounts = |of: fn(&Cell) -> _| exact(py, cells.iter().map(of));
    Ok((classes.into_pyarray(py), amounts(|cell| cell.count), amounts(|cell| cell.documents)))
}

fn no_rank(py: Python<'_>, is_learned: bool) -> PyErr {
    if is_learned { unsound(py) } else { PyIndexError::new_err("a class has no rank") }
}

/// The bytes of a model file with the rows of some terms, and of their learned weights. The first `kept` terms have row
/// groups of their own.
pub(crate) fn to_file<'py>(
    py: Python<'py>,
    counts: &Counts,
    (ids, ranks, kept): (&[u32], &[u32], usize),
    learned: Option<&Ragged>,
    labels: &CoreLabels,
    document: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let learned = learned.map(|learned| Ok::<_, PyErr>((learned.read(py)?, learned.values::<f32>(py)?)));
    let learned = learned.transpose()?;
    let learned = learned.as_ref().map(|(table, weights)| Ok::<_, PyErr>((table.table()?, weights.as_slice()?)));
    let learned = learned.transpose()?;
    let written = detached(py, |free| {
        let counts = counts.read(free);
        let rows = TableRows::new(&counts, ids, ranks, learned, kept)?;
        Some(if rows.classes() > labels.classes() { None } else { Some(write_table(&rows, labels, document)) })
    });
    match written.ok_or_else(|| no_rank(py, learned.is_some()))? {
        None => Err(PyIndexError::new_err("a class has no label")),
        Some(Ok(data)) => Ok(PyBytes::new(py, &data)),
        Some(Err(error)) => Err(named(py, "TooLargeError", format!("the model cannot be written: {error}"))),
    }
}

/// What the rows of a model file can be.
#[pyclass(frozen, module = "likely._native")]
pub(crate) struct RowRules {
    core: CoreRules,
}

#[pymethods]
impl RowRules {
    /// `most_words` is the greatest number of words of a term, or 0 if terms do not consist of words. With `shares` a
    /// term may count less than once per document; if `weighed`, it has learned weights, and may have rows without a
    /// count besides rows with one.
    #[new]
    #[pyo3(signature = (*, most_words, shares, weighed))]
    fn new(most_words: usize, shares: bool, weighed: bool) -> Self {
        Self { core: CoreRules { most_words, shares, weighed } }
    }
}

/// Counts that are summed from rows which were counted elsewhere.
#[pyclass(module = "likely._native")]
pub(crate) struct SummedRows {
    core: CoreRows,
}

#[pymethods]
impl SummedRows {
    #[new]
    fn new(analyzer: &Analyzer, rules: &RowRules) -> Self {
        Self { core: CoreRows::new(rules.core, analyzer.core.has_words()) }
    }

    /// Adds rows: terms, the numbers of their classes, exact counts and exact documents.
    fn put(
        &mut self,
        terms: Bound<'_, PyAny>,
        classes: PyReadonlyArray1<'_, u32>,
        count: ExactIn<'_>,
        documents: ExactIn<'_>,
    ) -> PyResult<()> {
        let py = terms.py();
        let (classes, count, documents) = (classes.as_slice()?, amounts(&count)?, amounts(&documents)?);
        let mut terms = Texts::new(terms)?;
        terms.for_each(|batch, before| {
            let end = before + batch.len();
            let (Some(classes), Some(count), Some(documents)) =
                (classes.get(before..end), count.get(before..end), documents.get(before..end))
            else {
                return Err(named(py, "ArgumentError", "there are more terms than classes and counts".into()));
            };
            let put = |_| {
                for (at, term) in batch.iter().enumerate() {
                    let cell = Cell { class: classes[at], count: count[at], documents: documents[at] };
                    self.core.put(term, cell)?;
                }
                Ok(())
            };
            detached(py, put).map_err(|wrong| unsound_row(py, &wrong))
        })
    }

    /// The counts, whose classes have these numbers of documents. Nothing can be added afterwards.
    fn finish(&mut self, py: Python<'_>, documents: ExactIn<'_>) -> PyResult<Counts> {
        let (documents, core) = (amounts(&documents)?, std::mem::take(&mut self.core));
        detached(py, |_| core.finish(&documents)).map(Counts::of).map_err(|wrong| unsound_row(py, &wrong))
    }
}

fn unsound_row(py: Python<'_>, wrong: &Refused) -> PyErr {
    named(py, "MismatchError", format!("the rows are not counts of this model: {wrong}"))
}

/// A model file of which only the footer has been read.
#[pyclass(frozen, module = "likely._native")]
pub(crate) struct ModelFile {
    data: Py<PyBytes>,
    footer: Footer,
}

#[pymethods]
impl ModelFile {
    #[new]
    fn new(data: Bound<'_, PyBytes>) -> PyResult<Self> {
        let footer = Footer::read(data.as_bytes()).map_err(|refused| to_python(data.py(), &refused))?;
        Ok(Self { data: data.unbind(), footer })
    }

    /// The first byte of the JSON document in the file, and its end.
    #[getter]
    fn document(&self) -> (usize, usize) {
        let place = self.footer.document();
        (place.start, place.end)
    }

    /// The counts of the file, the ids of its terms, sorted by term, and its learned weights.
    ///
    /// `totals` are the documents and the tokens of each class. If the table has two parts, `parts` has the number of
    /// terms of the first part and of both, and without `whole` only the first part is read.
    #[pyo3(signature = (analyzer, labels, totals, rules, parts, whole))]
    fn read<'py>(
        &self,
        py: Python<'py>,
        analyzer: &Analyzer,
        labels: Labels,
        totals: (ExactIn<'py>, ExactIn<'py>),
        rules: &RowRules,
        parts: Option<(usize, usize)>,
        whole: bool,
    ) -> PyResult<(Counts, Ids<'py>, Weights<'py>)> {
        let (documents, tokens) = (amounts(&totals.0)?, amounts(&totals.1)?);
        let (data, labels) = (self.data.as_bytes(py), labels.into());
        let parts = parts.map(|(kept, of)| Parts { kept, of, whole });
        let read = detached(py, |_| {
            let classes = Classes { labels: &labels, documents: &documents, tokens: &tokens };
            read_counts(data, &self.footer, classes, &analyzer.core, rules.core, parts)
        });
        let (counts, found) = read.map_err(|refused| to_python(py, &refused))?;
        let weights =
            (found.lengths.into_pyarray(py), found.classes.into_pyarray(py), found.weights.into_pyarray(py));
        Ok((Counts::of(counts), found.ids.into_pyarray(py), weights))
    }
}

fn to_python(py: Python<'_>, refused: &Refused) -> PyErr {
    named(py, "ModelFileError", refused.to_string())
}
