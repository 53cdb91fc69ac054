//! `Weights`: the weights of a model, and the scores of texts.

use crate::analyze::analyzer::Analyzer;
use crate::boundary::detached::{Detached, attempt, detached};
use crate::boundary::documents::stop;
use crate::boundary::errors::to_python;
use crate::boundary::ragged::{Ragged, unsound};
use crate::boundary::settings::value_of;
use crate::boundary::shared::Shared;
use crate::boundary::texts::Texts;
use crate::count::counts::Counts;
use crate::spell::Spelling;
use likely_core::score::session::Session as CoreSession;
use likely_core::score::soft_moments::{MOMENTS, soft_moments as moments_of};
use likely_core::score::weights::{ClassWeight, Weights as Core};
use likely_core::spell::reading::Reading;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;

/// How many scores a batch has at most: with many classes, a batch has few texts.
const BATCH_SCORES: usize = 4 << 20;
/// How much text is scored before the model is looked at again, and waiting changes go first.
const PART_BYTES: usize = 1 << 20;
/// Whoever scores more than this much text at once stays long.
const FEW_BYTES: usize = 16 << 10;

/// The linear form that scores texts. It knows terms by their ids in the counts it was made from.
#[pyclass(frozen, module = "likely._native")]
pub(crate) struct Weights {
    core: Shared<Core>,
}

#[pymethods]
impl Weights {
    /// Weights for this number of classes, without terms; `terms` says how many are expected. `value` is "count", "presence" or "damped"; `normalized`
    /// says whether documents have unit length; `absent` is the delta of a term in a class that lacks it; `few` says
    /// that few of the terms of the counts will have weights, so that it is worth while to keep them apart.
    #[new]
    #[pyo3(signature = (classes, terms, value, normalized, absent, few))]
    fn new(
        py: Python<'_>,
        classes: usize,
        terms: usize,
        value: &str,
        normalized: bool,
        absent: f64,
        few: bool,
    ) -> PyResult<Self> {
        let value = value_of(py, value)?;
        let mut core = Core::new(value, normalized, absent, classes, terms);
        if few {
            core.keep_own_terms();
        }
        Ok(Self { core: Shared::new(core) })
    }

    /// Whether there is room for this number of classes without making the weights anew.
    fn has_room_for(&self, py: Python<'_>, classes: usize) -> bool {
        detached(py, |free| self.core.get(free).has_room_for(classes))
    }

    /// Whether the weights should be made anew.
    #[getter]
    fn worn(&self, py: Python<'_>) -> bool {
        detached(py, |free| self.core.get(free).is_worn())
    }

    /// How often the weights were set.
    #[getter]
    fn version(&self, py: Python<'_>) -> u64 {
        detached(py, |free| self.core.get(free).version())
    }

    /// The weights as they are now. They stay so, whatever is set later.
    fn frozen(&self, py: Python<'_>) -> Self {
        Self { core: Shared::of(detached(py, |free| self.core.get(free))) }
    }

    /// Sets, in one step, the weights of some terms and the numbers of all classes.
    ///
    /// `scales` holds one number per term (None if all are 1), `rests` their deltas in classes that lack them (None if
    /// these are the same for all terms), `deltas` the deltas of their cells, row after row; both kinds of deltas are
    /// already multiplied by the scale. `classes` has three rows: the bias, base and factor of each class.
    #[pyo3(signature = (counts, ids, scales, rests, deltas, classes))]
    fn set(
        &self,
        counts: &Counts,
        ids: PyReadonlyArray1<'_, u32>,
        scales: Option<PyReadonlyArray1<'_, f64>>,
        rests: Option<PyReadonlyArray1<'_, f64>>,
        deltas: PyReadonlyArray1<'_, f64>,
        classes: PyReadonlyArray2<'_, f64>,
    ) -> PyResult<()> {
        let py = ids.py();
        let (ids, deltas) = (ids.as_slice()?, deltas.as_slice()?);
        let scales = scales.as_ref().map_or(Ok(&[][..]), |scales| scales.as_slice())?;
        let rests = rests.as_ref().map_or(Ok(&[][..]), |rests| rests.as_slice())?;
        let &[3, size] = classes.shape() else { return Err(unsound(py)) };
        let (bias, others) = classes.as_slice()?.split_at(size);
        let (base, factor) = others.split_at(size);
        detached(py, |free| {
            let counts = counts.read(free);
            let cells: usize = ids.iter().map(|&id| counts.row_length(id)).sum();
            let are_given = |numbers: &[f64]| numbers.is_empty() || numbers.len() == ids.len();
            if !counts.knows(ids) || cells != deltas.len() || !are_given(scales) || !are_given(rests) {
                return None;
            }
            let classes = bias.iter().zip(base).zip(factor);
            let classes = classes.map(|((&bias, &base), &factor)| ClassWeight { bias, base, factor }).collect();
            self.core.change(free, |core| {
                core.set_classes(classes)?;
                core.set_rows(&counts, ids, scales, rests, deltas);
                Some(())
            })
        })
        .ok_or_else(|| unsound(py))
    }

    /// Sets, in one step, the weights of some terms in any classes, whatever is counted of them, and the bias of all
    /// classes. `cells` has one row per term, with classes as columns and deltas, already multiplied by the scale, as
    /// values.
    #[pyo3(signature = (counts, ids, scales, cells, bias))]
    fn set_cells(
        &self,
        py: Python<'_>,
        counts: &Counts,
        ids: PyReadonlyArray1<'_, u32>,
        scales: Option<PyReadonlyArray1<'_, f64>>,
        cells: &Ragged,
        bias: PyReadonlyArray1<'_, f64>,
    ) -> PyResult<()> {
        let (ids, bias) = (ids.as_slice()?, bias.as_slice()?);
        let (arrays, deltas) = (cells.read(py)?, cells.values::<f64>(py)?);
        let (cells, deltas) = (arrays.table()?, deltas.as_slice()?);
        let scales = scales.as_ref().map_or(Ok(&[][..]), |scales| scales.as_slice())?;
        let are_scaled = scales.is_empty() || scales.len() == ids.len();
        if cells.rows() != ids.len()
            || cells.entries() != deltas.len()
            || cells.width() > bias.len()
            || !are_scaled
        {
            return Err(unsound(py));
        }
        let weights = bias.iter().map(|&bias| ClassWeight { bias, base: 0.0, factor: 1.0 }).collect();
        detached(py, |free| {
            let counts = counts.read(free);
            if !counts.knows(ids) {
                return None;
            }
            self.core.change(free, |core| {
                core.set_classes(weights)?;
                core.set_cells(&counts, ids, scales, cells, deltas);
                Some(())
            })
        })
        .ok_or_else(|| unsound(py))
    }

    /// From now on unknown words are read as the closest known word, and the words of `folds` as another word. `ids`
    /// are the ids of the known words, `spelling` is their index.
    #[pyo3(signature = (counts, spelling, ids, folds))]
    fn read_as_known(
        &self,
        py: Python<'_>,
        counts: &Counts,
        spelling: &Spelling,
        ids: PyReadonlyArray1<'_, u32>,
        folds: Vec<(u32, u32)>,
    ) -> PyResult<()> {
        let ids = ids.as_slice()?;
        detached(py, |free| {
            let reading = Reading::new(spelling.core.clone(), counts.read(free).vocabulary(), ids, &folds)?;
            self.core.change(free, |core| core.set_reading(reading));
            Some(())
        })
        .ok_or_else(|| unsound(py))
    }

    /// Some words as they are read.
    fn read_words(&self, py: Python<'_>, counts: &Counts, words: Vec<String>) -> Vec<String> {
        detached(py, |free| {
            let (core, counts) = (self.core.get(free), counts.read(free));
            let Some(reading) = core.reading() else { return words };
            let read = |word: String| {
                let id = counts.vocabulary().find(word.as_bytes(), true);
                let read = reading.read(counts.vocabulary(), id, &word);
                if read == id { word } else { counts.vocabulary().term(read) }
            };
            words.into_iter().map(read).collect()
        })
    }
}

/// What is remembered while texts are scored with the weights of one moment. One thread at a time may use it.
#[pyclass(module = "likely._native")]
pub(crate) struct Session {
    core: CoreSession,
    analyzer: Py<Analyzer>,
    counts: Py<Counts>,
}

#[pymethods]
impl Session {
    /// A session for the weights as they are now, made from these counts. It uses at most about `memory` bytes for the
    /// words that it remembers.
    #[new]
    fn new(
        weights: &Weights,
        analyzer: Bound<'_, Analyzer>,
        counts: Bound<'_, Counts>,
        memory: usize,
    ) -> PyResult<Self> {
        let core = detached(analyzer.py(), |free| CoreSession::new(weights.core.get(free), memory));
        Ok(Self { core, analyzer: analyzer.unbind(), counts: counts.unbind() })
    }

    /// The scores of texts for the classes `columns`: a list of what `reduce` returns for the matrix of each batch,
    /// which has one row per text.
    #[pyo3(signature = (texts, columns, threads, reduce))]
    fn score<'py>(
        &mut self,
        texts: Bound<'py, PyAny>,
        columns: PyReadonlyArray1<'_, u32>,
        threads: usize,
        reduce: Bound<'py, PyAny>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let (py, columns) = (texts.py(), columns.as_slice()?);
        let width = columns.len();
        let mut reduced = Vec::new();
        let mut texts = Texts::new(texts)?.in_batches_of(BATCH_SCORES / width.max(1));
        let Self { core, analyzer, counts } = self;
        let (analyzer, counts) = (&analyzer.get().core, counts.get());
        texts.for_each(|batch, before| {
            let mut scores = vec![0.0; batch.len() * width];
            attempt(py, before, |free| {
                score_batch(free, core, analyzer, counts, columns, batch, &mut scores, threads)
            })?;
            let matrix: Bound<'py, PyArray2<f64>> =
                PyArray1::from_vec(py, scores).reshape([batch.len(), width])?;
            reduced.push(reduce.call1((matrix,))?);
            Ok(())
        })?;
        Ok(reduced)
    }
}

/// Scores a batch part by part, so that nobody who changes the model must wait for long.
fn score_batch(
    free: Detached,
    session: &mut CoreSession,
    analyzer: &likely_core::analyze::analyzer::Analyzer,
    counts: &Counts,
    columns: &[u32],
    batch: &[&[u8]],
    scores: &mut [f64],
    threads: usize,
) -> likely_core::error::Result<()> {
    let all = batch.iter().map(|text| text.len()).sum();
    session.expect(analyzer, &counts.read(free), columns, all);
    let (mut rest, mut scores) = (batch, scores);
    while !rest.is_empty() {
        let mut bytes = 0;
        let full = |text: &&[u8]| {
            bytes += text.len();
            bytes > PART_BYTES
        };
        let length = rest.iter().position(full).map_or(rest.len(), |last| last + 1);
        let (part, later) = rest.split_at(length);
        let (part_scores, later_scores) = scores.split_at_mut(length * columns.len());
        // The counts may know more than the weights, but never less: the weights were taken first.
        let counts = if bytes > FEW_BYTES { counts.read_after_changes(free) } else { counts.read(free) };
        session.score(analyzer, &counts, columns, part, part_scores, threads, &stop)?;
        (rest, scores) = (later, later_scores);
    }
    Ok(())
}

/// The logarithm of the sum of the exponentials, the mean and the variance of the scores of each row, scaled by the
/// factor of the row: one row per row. No score may be above 0; the mean and the variance are those under the softmax.
#[pyfunction]
pub(crate) fn soft_moments<'py>(
    py: Python<'py>,
    scores: PyReadonlyArray2<'_, f64>,
    factors: PyReadonlyArray1<'_, f64>,
    threads: usize,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (width, scores, factors) = (scores.shape()[1], scores.as_slice()?, factors.as_slice()?);
    let moments = detached(py, |_| moments_of(scores, width, factors, threads, &stop));
    let moments = moments.map_err(|error| to_python(py, error, 0))?.ok_or_else(|| unsound(py))?;
    PyArray1::from_vec(py, moments).reshape([factors.len(), MOMENTS])
}
