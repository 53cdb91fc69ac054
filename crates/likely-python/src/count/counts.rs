//! `Counts`: what is learned, and how it is added, subtracted and read.

use crate::analyze::analyzer::Analyzer;
use crate::boundary::detached::{Detached, attempt, detached};
use crate::boundary::documents::{each_batch, stop};
use crate::boundary::errors::to_python;
use crate::boundary::exact::{Exact, exact};
use crate::boundary::ragged::{Ragged, unsound};
use crate::boundary::shared::Shared;
use crate::boundary::strings::Strings;
use crate::store::{self, Columns, Labels};
use likely_core::count::cells::Cell;
use likely_core::count::class_sums::ClassSum;
use likely_core::count::counting::Counting;
use likely_core::count::counts::{ClassTotal, Counts as Core, Folds};
use likely_core::count::fixed_point::Amount;
use likely_core::error::{Error, Result};
use likely_core::vocabulary::term_ids::UNKNOWN;
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::Arc;

/// The documents of a cell, or its count.
fn amount(documents: bool) -> impl Fn(Cell) -> Amount + Clone {
    move |cell| if documents { cell.documents } else { cell.count }
}

/// Ids or other small numbers, one per row.
type Ids<'py> = Bound<'py, PyArray1<u32>>;
type Floats<'py> = Bound<'py, PyArray1<f64>>;
/// Documents, tokens and presences of each class.
type Totals<'py> = [Bound<'py, PyArray1<f64>>; 3];
/// Ids that Python passes.
type GivenIds<'py> = PyReadonlyArray1<'py, u32>;

/// Everything that naive Bayes learns: how often each term occurs in each class.
#[pyclass(frozen, module = "likely._native")]
#[derive(Default)]
pub(crate) struct Counts {
    core: Shared<Core>,
}

impl Counts {
    pub(crate) fn of(core: Core) -> Self {
        Self { core: Shared::new(core) }
    }

    /// The counts as they are now.
    pub(crate) fn read(&self, free: Detached) -> Arc<Core> {
        self.core.get(free)
    }

    /// The same for readers who stay long.
    pub(crate) fn read_after_changes(&self, free: Detached) -> Arc<Core> {
        self.core.get_after_changes(free)
    }

    /// What `of` finds in the counts as they are now, if all ids are those of terms here.
    fn ask<R: Send>(
        &self,
        py: Python<'_>,
        ids: &GivenIds<'_>,
        of: impl FnOnce(&Core, &[u32]) -> R + Send,
    ) -> PyResult<R> {
        let ids = ids.as_slice()?;
        let found = detached(py, |free| {
            let core = self.read(free);
            core.knows(ids).then(|| of(&core, ids))
        });
        found.ok_or_else(|| unsound(py))
    }

    fn change<'py>(
        &self,
        py: Python<'py>,
        other: &Self,
        change: impl FnOnce(&mut Core, &Core) -> Result<Vec<u32>> + Send,
    ) -> PyResult<Ids<'py>> {
        // This is the last chance for Ctrl-C: what begins now is carried through.
        py.check_signals()?;
        let changed = attempt(py, 0, |free| {
            let other = other.read(free);
            self.core.change(free, |this| change(this, &other))
        })?;
        Ok(changed.into_pyarray(py))
    }
}

#[pymethods]
impl Counts {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Counts batches of texts as they come. A batch is the texts, the numbers of their classes (None if all are 0), and
    /// their weights (None if all are 1).
    #[staticmethod]
    fn count(analyzer: &Analyzer, batches: &Bound<'_, PyAny>, threads: usize) -> PyResult<Self> {
        let mut counting = Counting::new(&analyzer.core, threads);
        each_batch(batches, |documents| counting.add(documents, &stop))?;
        attempt(batches.py(), 0, |_| counting.finish(&stop)).map(Self::of)
    }

    /// What happens to n-grams if words are folded into others: pairs of ids of an n-gram and the n-gram it becomes,
    /// and the ids of n-grams that can no longer occur.
    fn folds_of_phrases(&self, py: Python<'_>, folds: Vec<(u32, u32)>) -> PyResult<Folds> {
        attempt(py, 0, |free| self.read(free).folds_of_phrases(&folds))
    }

    /// The same counts with the rows of some terms added to those of others. Ids stay the same.
    fn folded(&self, py: Python<'_>, folds: Vec<(u32, u32)>) -> PyResult<Self> {
        attempt(py, 0, |free| self.read(free).folded(&folds)).map(Self::of)
    }

    /// Adds other counts, whose class `c` is class `classes[c]` here; returns the ids of the terms that changed.
    fn merge<'py>(&self, py: Python<'py>, other: &Self, classes: Vec<u32>) -> PyResult<Ids<'py>> {
        self.change(py, other, |this, other| this.merge(other, &classes))
    }

    /// Subtracts other counts, completely or not at all; returns the ids of the terms that changed.
    fn subtract<'py>(&self, py: Python<'py>, other: &Self, classes: Vec<u32>) -> PyResult<Ids<'py>> {
        self.change(py, other, |this, other| this.subtract(other, &classes))
    }

    /// The same counts without any trace of what was forgotten. Class `c` becomes `classes[c]`, and ids are new.
    fn compacted(&self, py: Python<'_>, classes: Vec<u32>) -> PyResult<Self> {
        attempt(py, 0, |free| self.read(free).compacted(&classes)).map(Self::of)
    }

    /// A copy that changes on its own.
    fn copy(&self, py: Python<'_>) -> Self {
        Self::of(detached(py, |free| Core::clone(&self.read(free))))
    }

    /// The counts as they are now. They stay so, whatever is learned later; a change of either makes a copy.
    fn frozen(&self, py: Python<'_>) -> Self {
        Self { core: Shared::of(detached(py, |free| self.read(free))) }
    }

    /// The number of terms that occur.
    #[getter]
    fn terms(&self, py: Python<'_>) -> usize {
        detached(py, |free| self.read(free).terms())
    }

    /// The number of ids that were handed out; all ids are below it.
    #[getter]
    fn vocabulary_size(&self, py: Python<'_>) -> usize {
        detached(py, |free| self.read(free).vocabulary().len())
    }

    /// Whether any document is left in the counts.
    #[getter]
    fn learned(&self, py: Python<'_>) -> bool {
        detached(py, |free| !self.read(free).is_empty())
    }

    /// Whether most of the memory belongs to forgotten terms, so that a fresh copy would need far less.
    #[getter]
    fn worn(&self, py: Python<'_>) -> bool {
        detached(py, |free| self.read(free).is_worn())
    }

    /// Whether all amounts are whole numbers, and so small that any sums of them below 2^53 are exact as doubles.
    #[getter]
    fn whole(&self, py: Python<'_>) -> bool {
        detached(py, |free| self.read(free).are_whole())
    }

    /// Documents, tokens and presences (pairs of a document and a distinct term in it) of each class.
    fn totals<'py>(&self, py: Python<'py>) -> Totals<'py> {
        let totals = detached(py, |free| self.read(free).totals().to_vec());
        let array = |of: fn(&ClassTotal) -> Amount| {
            totals.iter().map(|total| of(total).to_f64()).collect::<Vec<f64>>().into_pyarray(py)
        };
        [array(|total| total.documents), array(|total| total.tokens), array(|total| total.presences)]
    }

    /// The exact documents and the exact tokens of each class.
    fn exact_totals<'py>(&self, py: Python<'py>) -> [Exact<'py>; 2] {
        let totals = detached(py, |free| self.read(free).totals().to_vec());
        [exact(py, totals.iter().map(|total| total.documents)), exact(py, totals.iter().map(|total| total.tokens))]
    }

    /// The counts of only some terms. Classes keep their numbers and documents; ids are new.
    fn select(&self, py: Python<'_>, ids: GivenIds<'_>) -> PyResult<Self> {
        let selected = self.ask(py, &ids, |all, ids| {
            let mut core = Core::default();
            for (class, total) in all.totals().iter().enumerate() {
                core.add_total(class as u32, ClassTotal { documents: total.documents, ..ClassTotal::default() })?;
            }
            let here = core.vocabulary_mut().adopt(all.vocabulary(), ids);
            for (row, here) in all.each_row(ids).zip(here) {
                for cell in row {
                    core.put(here, cell)?;
                }
            }
            Ok::<Core, Error>(core)
        })?;
        selected.map(Self::of).map_err(|error| to_python(py, error, 0))
    }

    /// The ids of terms; `UNKNOWN` for terms that do not occur.
    fn find<'py>(&self, py: Python<'py>, analyzer: &Analyzer, terms: Vec<String>) -> Bound<'py, PyArray1<u32>> {
        let ids: Vec<u32> = detached(py, |free| {
            let core = self.read(free);
            let find = |term: &String| analyzer.core.find(core.vocabulary(), term);
            let known = |id: u32| if core.row_length(id) > 0 { id } else { UNKNOWN };
            terms.iter().map(|term| known(find(term))).collect()
        });
        ids.into_pyarray(py)
    }

    /// The ids here of some terms of other counts; `UNKNOWN` for terms that do not occur here.
    fn locate<'py>(&self, py: Python<'py>, other: &Self, ids: GivenIds<'_>) -> PyResult<Ids<'py>> {
        let here = detached(py, |free| self.read(free));
        let found = other.ask(py, &ids, |there, ids| {
            let located = here.vocabulary().locate(there.vocabulary());
            let known = |id: u32| if id != UNKNOWN && here.row_length(id) > 0 { id } else { UNKNOWN };
            ids.iter().map(|&id| known(located[id as usize])).collect::<Vec<u32>>()
        })?;
        Ok(found.into_pyarray(py))
    }

    /// The ids of all terms that occur, in no particular order.
    fn ids<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        detached(py, |free| self.read(free).ids().collect::<Vec<u32>>()).into_pyarray(py)
    }

    /// The sum of the counts of all terms that occur in at most one document.
    fn count_in_single_documents(&self, py: Python<'_>) -> f64 {
        detached(py, |free| self.read(free).count_in_single_documents())
    }

    /// The ids of all terms that occur, sorted by term.
    fn sorted_ids<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        detached(py, |free| self.read(free).sorted_ids()).into_pyarray(py)
    }

    /// The terms of some ids.
    fn spell(&self, py: Python<'_>, ids: GivenIds<'_>) -> PyResult<Vec<String>> {
        self.ask(py, &ids, |core, ids| ids.iter().map(|&id| core.vocabulary().term(id)).collect())
    }

    /// The terms of some ids, each as often as it has cells, which is a column beside [`Counts::columns`].
    fn spelled_rows(&self, py: Python<'_>, ids: GivenIds<'_>) -> PyResult<Strings> {
        let (values, offsets) = self.ask(py, &ids, |core, ids| {
            let (mut values, mut offsets) = (Vec::new(), vec![0]);
            for &id in ids {
                let term = core.vocabulary().term(id);
                for _ in 0..core.row_length(id) {
                    values.extend_from_slice(term.as_bytes());
                    offsets.push(values.len() as i64);
                }
            }
            (values, offsets)
        })?;
        Strings::of_parts(py, values, offsets)
    }

    /// How many words the terms of some ids have.
    fn words_in<'py>(&self, py: Python<'py>, ids: GivenIds<'_>) -> PyResult<Ids<'py>> {
        let words = |core: &Core, ids: &[u32]| -> Vec<u32> {
            ids.iter().map(|&id| core.vocabulary().words_in(id) as u32).collect()
        };
        Ok(self.ask(py, &ids, words)?.into_pyarray(py))
    }

    /// The number of classes in which each of some terms occurs, which is the number of its cells in
    /// [`Counts::cells`].
    fn row_lengths<'py>(&self, py: Python<'py>, ids: GivenIds<'_>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let lengths = self.ask(py, &ids, |core, ids| core.gather_rows(ids, |id| core.row_length(id) as i64))?;
        Ok(lengths.into_pyarray(py))
    }

    /// The classes of the cells of some ids, row after row.
    fn cell_classes<'py>(&self, py: Python<'py>, ids: GivenIds<'_>) -> PyResult<Ids<'py>> {
        Ok(self.ask(py, &ids, |core, ids| core.gather_cells(ids, |cell| cell.class))?.into_pyarray(py))
    }

    /// The counts of the cells of some ids, or their documents, row after row.
    fn cells<'py>(&self, py: Python<'py>, ids: GivenIds<'_>, documents: bool) -> PyResult<Floats<'py>> {
        let amount = amount(documents);
        let amounts = |core: &Core, ids: &[u32]| core.gather_cells(ids, |cell| amount(cell).to_f64());
        Ok(self.ask(py, &ids, amounts)?.into_pyarray(py))
    }

    /// The count of each of some ids in all classes, or its documents: the exact sum, rounded once.
    fn class_sums<'py>(&self, py: Python<'py>, ids: GivenIds<'_>, documents: bool) -> PyResult<Floats<'py>> {
        let sums = self.ask(py, &ids, |core, ids| {
            core.gather_rows(ids, |id| ClassSum::of(core.row(id).map(amount(documents))).to_f64())
        })?;
        Ok(sums.into_pyarray(py))
    }

    /// For the cells of some ids, row after row: the count of the term in all other classes, or its documents there.
    fn sums_of_others<'py>(&self, py: Python<'py>, ids: GivenIds<'_>, documents: bool) -> PyResult<Floats<'py>> {
        let others = self.ask(py, &ids, |core, ids| -> Vec<f64> {
            let of_row = |row| {
                let amounts = Iterator::map(row, amount(documents));
                let sum = ClassSum::of(amounts.clone());
                amounts.map(move |amount| sum.without(amount).to_f64())
            };
            core.each_row(ids).flat_map(of_row).collect()
        })?;
        Ok(others.into_pyarray(py))
    }

    /// The rows of some ids as columns: ranks of the classes, exact counts and documents. The rows of a term are
    /// sorted by rank; `ranks` holds the rank of each class.
    fn columns<'py>(&self, py: Python<'py>, ids: GivenIds<'_>, ranks: GivenIds<'_>) -> PyResult<Columns<'py>> {
        store::columns(py, self, ids.as_slice()?, ranks.as_slice()?)
    }

    /// The bytes of a model file with the rows of some ids and a document. `ranks` holds the rank of each class, and
    /// `labels` the labels by rank; `learned` holds the learned weights of each id, by rank. The first `kept` terms
    /// have row groups of their own.
    #[pyo3(signature = (ids, ranks, labels, document, learned, kept))]
    fn to_file<'py>(
        &self,
        py: Python<'py>,
        ids: GivenIds<'_>,
        ranks: GivenIds<'_>,
        labels: Labels,
        document: &str,
        learned: Option<&Ragged>,
        kept: usize,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let terms = (ids.as_slice()?, ranks.as_slice()?, kept);
        store::to_file(py, self, terms, learned, &labels.into(), document)
    }
}
