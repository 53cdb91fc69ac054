//! `Counts`: what is learned, and the algebra of it.

use crate::analyze::analyzer::Analyzer;
use crate::boundary::documents::{Labelled, each_batch, stop};
use crate::boundary::errors::{named, to_python};
use crate::boundary::shared::Shared;
use crate::store::{self, Reading};
use likely_core::count::cells::Cell;
use likely_core::count::counting::Counting;
use likely_core::count::counts::{ClassTotal, Counts as Core};
use likely_core::count::fixed_point::Amount;
use likely_core::error::{Error, Result};
use likely_core::vocabulary::term_ids::UNKNOWN;
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3_arrow::PyArray;
use std::sync::Arc;

/// Documents, tokens and presences of each class.
type Totals<'py> = [Bound<'py, PyArray1<f64>>; 3];
/// An exact amount as its whole part and its fraction in units of 2^-64.
type Exact<'py> = (Bound<'py, PyArray1<u64>>, Bound<'py, PyArray1<u64>>);
/// Terms, ranks of classes, counts and documents.
type Table<'py> = (Py<PyAny>, Bound<'py, PyArray1<u32>>, Exact<'py>, Exact<'py>);

/// Everything naive Bayes knows: how often each term occurs in each class.
#[pyclass(frozen, module = "likely._native")]
#[derive(Default)]
pub(crate) struct Counts {
    core: Shared<Core>,
}

impl Counts {
    pub(crate) fn of(core: Core) -> Self {
        Self { core: Shared::new(core) }
    }

    /// The counts as they are now; to be called detached.
    pub(crate) fn read(&self) -> Arc<Core> {
        self.core.get()
    }

    fn change<'py>(
        &self,
        py: Python<'py>,
        other: &Self,
        change: impl FnOnce(&mut Core, &Core) -> Result<Vec<u32>> + Send,
    ) -> PyResult<Bound<'py, PyArray1<u32>>> {
        // Last chance for Ctrl-C: what begins now is carried through.
        py.check_signals()?;
        let changed = py.detach(|| {
            let other = other.read();
            self.core.change(|this| change(this, &other))
        });
        changed.map(|ids| ids.into_pyarray(py)).map_err(|error| to_python(py, error, 0))
    }
}

#[pymethods]
impl Counts {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Counts texts. `classes` has the number of each text's class, or nothing for 0 each; `weights` its weight, or
    /// nothing for 1 each.
    #[staticmethod]
    #[pyo3(signature = (analyzer, texts, classes, weights, threads))]
    fn count(
        analyzer: &Analyzer,
        texts: Bound<'_, PyAny>,
        classes: Option<PyReadonlyArray1<'_, u32>>,
        weights: Option<PyReadonlyArray1<'_, f64>>,
        threads: usize,
    ) -> PyResult<Self> {
        let py = texts.py();
        let mut counting = Counting::new(&analyzer.core, threads);
        each_batch(texts, classes.as_ref(), weights.as_ref(), |documents| counting.add(documents, &stop))?;
        py.detach(|| counting.finish(&stop)).map(Self::of).map_err(|error| to_python(py, error, 0))
    }

    /// Counts batches of texts as they come: texts, the numbers of their classes, and their weights or None.
    #[staticmethod]
    fn count_batches(analyzer: &Analyzer, batches: &Bound<'_, PyAny>, threads: usize) -> PyResult<Self> {
        let py = batches.py();
        let mut counting = Counting::new(&analyzer.core, threads);
        for batch in batches.try_iter()? {
            let (texts, classes, weights): Labelled<'_> = batch?.extract()?;
            each_batch(texts, Some(&classes), weights.as_ref(), |documents| counting.add(documents, &stop))?;
        }
        py.detach(|| counting.finish(&stop)).map(Self::of).map_err(|error| to_python(py, error, 0))
    }

    /// What n-grams of folded words are folded into: pairs of ids, and those that then can no longer be met.
    fn folds_of_phrases(&self, py: Python<'_>, folds: Vec<(u32, u32)>) -> (Vec<(u32, u32)>, Vec<u32>) {
        py.detach(|| self.read().folds_of_phrases(&folds))
    }

    /// The same counts with the rows of some terms added to those of others; ids stay.
    fn folded(&self, py: Python<'_>, folds: Vec<(u32, u32)>) -> PyResult<Self> {
        py.detach(|| self.read().folded(&folds)).map(Self::of).map_err(|error| to_python(py, error, 0))
    }

    /// Adds other counts, whose class `c` is class `classes[c]` here; returns the ids of the terms that changed.
    fn merge<'py>(&self, py: Python<'py>, other: &Self, classes: Vec<u32>) -> PyResult<Bound<'py, PyArray1<u32>>> {
        self.change(py, other, |this, other| this.merge(other, &classes))
    }

    /// Takes other counts away, all or nothing; returns the ids of the terms that changed.
    fn subtract<'py>(
        &self,
        py: Python<'py>,
        other: &Self,
        classes: Vec<u32>,
    ) -> PyResult<Bound<'py, PyArray1<u32>>> {
        self.change(py, other, |this, other| this.subtract(other, &classes))
    }

    /// The same counts without a trace of what was forgotten; class `c` becomes `classes[c]`, and ids are new.
    fn compacted(&self, py: Python<'_>, classes: Vec<u32>) -> PyResult<Self> {
        py.detach(|| self.read().compacted(&classes)).map(Self::of).map_err(|error| to_python(py, error, 0))
    }

    /// A copy that changes on its own.
    fn copy(&self, py: Python<'_>) -> Self {
        Self::of(py.detach(|| Core::clone(&self.read())))
    }

    /// How many terms occur.
    #[getter]
    fn terms(&self, py: Python<'_>) -> usize {
        py.detach(|| self.read().terms())
    }

    /// How many ids have been handed out: all are below.
    #[getter]
    fn vocabulary_size(&self, py: Python<'_>) -> usize {
        py.detach(|| self.read().vocabulary().len())
    }

    /// How many pairs of a term and a class occur.
    #[getter]
    fn pairs(&self, py: Python<'_>) -> usize {
        py.detach(|| self.read().pairs())
    }

    /// Whether any document has been learned and not forgotten.
    #[getter]
    fn learned(&self, py: Python<'_>) -> bool {
        py.detach(|| !self.read().is_empty())
    }

    /// How many counts there is room for in memory.
    #[getter]
    fn room(&self, py: Python<'_>) -> usize {
        py.detach(|| self.read().room())
    }

    /// Whether so much room is kept for what was forgotten that a fresh copy would do with far less.
    #[getter]
    fn worn(&self, py: Python<'_>) -> bool {
        py.detach(|| self.read().is_worn())
    }

    /// Documents, tokens and presences (pairs of a document and a distinct term in it) of each class.
    fn totals<'py>(&self, py: Python<'py>) -> Totals<'py> {
        let totals = py.detach(|| self.read().totals().to_vec());
        let array = |of: fn(&ClassTotal) -> Amount| {
            totals.iter().map(|total| of(total).to_f64()).collect::<Vec<f64>>().into_pyarray(py)
        };
        [array(|total| total.documents), array(|total| total.tokens), array(|total| total.presences)]
    }

    /// The exact documents of each class, and its tokens.
    fn exact_totals<'py>(&self, py: Python<'py>) -> [Exact<'py>; 2] {
        let totals = py.detach(|| self.read().totals().to_vec());
        [exact(py, totals.iter().map(|total| total.documents)), exact(py, totals.iter().map(|total| total.tokens))]
    }

    /// The counts of some terms only; classes keep their numbers and documents, and ids are new.
    fn select(&self, py: Python<'_>, ids: PyReadonlyArray1<'_, u32>) -> PyResult<Self> {
        let ids = ids.as_slice()?;
        let selected = py.detach(|| {
            let (all, mut core) = (self.read(), Core::default());
            for (class, total) in all.totals().iter().enumerate() {
                core.add_total(class as u32, ClassTotal { documents: total.documents, ..ClassTotal::default() })?;
            }
            for &id in ids {
                let here = core.vocabulary_mut().adopt(all.vocabulary(), id);
                all.row(id).try_for_each(|cell| core.put(here, cell))?;
            }
            Ok::<Core, Error>(core)
        });
        selected.map(Self::of).map_err(|error| to_python(py, error, 0))
    }

    /// The ids of terms, `UNKNOWN` (2^32 - 1) for those that do not occur.
    fn find<'py>(&self, py: Python<'py>, analyzer: &Analyzer, terms: Vec<String>) -> Bound<'py, PyArray1<u32>> {
        let ids: Vec<u32> = py.detach(|| {
            let core = self.read();
            let find = |term: &String| analyzer.core.find(core.vocabulary(), term);
            let known = |id: u32| if core.row_length(id) > 0 { id } else { UNKNOWN };
            terms.iter().map(|term| known(find(term))).collect()
        });
        ids.into_pyarray(py)
    }

    /// The ids here of some terms of other counts, `UNKNOWN` for those that do not occur.
    fn locate<'py>(
        &self,
        py: Python<'py>,
        other: &Self,
        ids: PyReadonlyArray1<'_, u32>,
    ) -> PyResult<Bound<'py, PyArray1<u32>>> {
        let ids = ids.as_slice()?;
        let found: Vec<u32> = py.detach(|| {
            let (here, there) = (self.read(), other.read());
            let located = here.vocabulary().locate(there.vocabulary());
            let known = |id: u32| if id != UNKNOWN && here.row_length(id) > 0 { id } else { UNKNOWN };
            ids.iter().map(|&id| known(located[id as usize])).collect()
        });
        Ok(found.into_pyarray(py))
    }

    /// The ids of all terms that occur, in no particular order.
    fn ids<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        py.detach(|| self.read().ids().collect::<Vec<u32>>()).into_pyarray(py)
    }

    /// The ids of all terms that occur, sorted by term.
    fn sorted_ids<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        py.detach(|| self.read().sorted_ids()).into_pyarray(py)
    }

    /// The terms of some ids.
    fn spell(&self, py: Python<'_>, ids: PyReadonlyArray1<'_, u32>) -> PyResult<Vec<String>> {
        let ids = ids.as_slice()?;
        Ok(py.detach(|| {
            let core = self.read();
            ids.iter().map(|&id| core.vocabulary().term(id)).collect()
        }))
    }

    /// How many words the terms of some ids have.
    fn words_in<'py>(
        &self,
        py: Python<'py>,
        ids: PyReadonlyArray1<'_, u32>,
    ) -> PyResult<Bound<'py, PyArray1<u32>>> {
        let ids = ids.as_slice()?;
        let words: Vec<u32> = py.detach(|| {
            let core = self.read();
            ids.iter().map(|&id| core.vocabulary().words_in(id) as u32).collect()
        });
        Ok(words.into_pyarray(py))
    }

    /// In how many classes the terms of some ids occur: how the cells of [`Counts::cells`] belong to them.
    fn row_lengths<'py>(
        &self,
        py: Python<'py>,
        ids: PyReadonlyArray1<'_, u32>,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let ids = ids.as_slice()?;
        let lengths: Vec<i64> = py.detach(|| {
            let core = self.read();
            ids.iter().map(|&id| core.row_length(id) as i64).collect()
        });
        Ok(lengths.into_pyarray(py))
    }

    /// The classes of the cells of some ids, row after row.
    fn cell_classes<'py>(
        &self,
        py: Python<'py>,
        ids: PyReadonlyArray1<'_, u32>,
    ) -> PyResult<Bound<'py, PyArray1<u32>>> {
        let ids = ids.as_slice()?;
        let classes: Vec<u32> = py.detach(|| {
            let core = self.read();
            ids.iter().flat_map(|&id| core.classes(id)).collect()
        });
        Ok(classes.into_pyarray(py))
    }

    /// The counts, or documents, of the cells of some ids, row after row.
    fn cells<'py>(
        &self,
        py: Python<'py>,
        ids: PyReadonlyArray1<'_, u32>,
        documents: bool,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let ids = ids.as_slice()?;
        let amounts: Vec<f64> = py.detach(|| {
            let core = self.read();
            let pick = |cell: Cell| if documents { cell.documents } else { cell.count };
            core.rows(ids).map(|cell| pick(cell).to_f64()).collect()
        });
        Ok(amounts.into_pyarray(py))
    }

    /// The counts, or documents, of some ids, each in one class.
    fn cells_in<'py>(
        &self,
        py: Python<'py>,
        ids: PyReadonlyArray1<'_, u32>,
        classes: PyReadonlyArray1<'_, u32>,
        documents: bool,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let (ids, classes) = (ids.as_slice()?, classes.as_slice()?);
        let amounts: Vec<f64> = py.detach(|| {
            let core = self.read();
            let pick = |cell: Cell| if documents { cell.documents } else { cell.count };
            ids.iter().zip(classes).map(|(&id, &class)| pick(core.cell(id, class)).to_f64()).collect()
        });
        Ok(amounts.into_pyarray(py))
    }

    /// The rows of some ids as columns: terms as Arrow strings, ranks of the classes, exact counts and documents.
    /// Those of a term are sorted by rank; `ranks` has that of each class.
    fn columns<'py>(
        &self,
        py: Python<'py>,
        ids: PyReadonlyArray1<'_, u32>,
        ranks: PyReadonlyArray1<'_, u32>,
    ) -> PyResult<Table<'py>> {
        let (ids, ranks) = (ids.as_slice()?, ranks.as_slice()?);
        let Some(columns) = py.detach(|| store::columns(&self.read(), ids, ranks)) else {
            return Err(PyIndexError::new_err("a class has no rank"));
        };
        let terms = PyArray::from_array_ref(Arc::new(columns.terms)).to_pyarrow(py)?.unbind();
        let (counts, documents) = (columns.counts.into_iter(), columns.documents.into_iter());
        Ok((terms, columns.ranks.into_pyarray(py), exact(py, counts), exact(py, documents)))
    }

    /// Counts from batches of rows that nobody has checked, as [`Counts::columns`] gives them but terms as bytes:
    /// sorted by term and class, and no term of more words than `most_words` unless that is 0. With `shares` a term may
    /// count less than once in a document; if `weighed`, it may have rows without a count besides others. Also how many
    /// rows each term has.
    #[staticmethod]
    #[pyo3(signature = (analyzer, most_words, shares, weighed, class_documents, batches))]
    fn from_columns<'py>(
        analyzer: &Analyzer,
        most_words: usize,
        shares: bool,
        weighed: bool,
        class_documents: ExactIn<'_>,
        batches: Bound<'py, PyAny>,
    ) -> PyResult<(Self, Bound<'py, PyArray1<i64>>)> {
        let py = batches.py();
        let unsound = |message: String| named(py, "ModelFileError", message);
        let class_documents = amounts(&class_documents)?;
        let mut reading =
            Reading::new(&analyzer.core, most_words, shares, weighed, &class_documents).map_err(unsound)?;
        for batch in batches.try_iter()? {
            let (terms, classes, counts, documents): (
                PyArray,
                PyReadonlyArray1<'_, u32>,
                ExactIn<'_>,
                ExactIn<'_>,
            ) = batch?.extract()?;
            let (classes, counts, documents) = (classes.as_slice()?, amounts(&counts)?, amounts(&documents)?);
            py.detach(|| reading.add(terms.array(), classes, &counts, &documents)).map_err(unsound)?;
        }
        let (counts, lengths) = reading.finish().map_err(unsound)?;
        Ok((Self::of(counts), lengths.into_pyarray(py)))
    }
}

type ExactIn<'py> = (PyReadonlyArray1<'py, u64>, PyReadonlyArray1<'py, u64>);

fn amounts(parts: &ExactIn<'_>) -> PyResult<Vec<Amount>> {
    let (whole, fraction) = (parts.0.as_slice()?, parts.1.as_slice()?);
    Ok(whole.iter().zip(fraction).map(|(&whole, &fraction)| Amount::new(whole, fraction)).collect())
}

fn exact<'py>(py: Python<'py>, amounts: impl Iterator<Item = Amount>) -> Exact<'py> {
    let (whole, fraction): (Vec<u64>, Vec<u64>) =
        amounts.map(|amount| (amount.whole(), amount.fraction())).unzip();
    (whole.into_pyarray(py), fraction.into_pyarray(py))
}
