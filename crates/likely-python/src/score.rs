//! `Weights`: what counts weigh, and the scores of texts.

use crate::analyze::analyzer::Analyzer;
use crate::boundary::documents::stop;
use crate::boundary::errors::{named, to_python};
use crate::boundary::shared::Shared;
use crate::boundary::texts::Texts;
use crate::count::counts::Counts;
use crate::spell::Spelling;
use likely_core::count::term_value::Value;
use likely_core::score::scorer::score;
use likely_core::score::weights::{ClassWeight, Weights as Core};
use likely_core::spell::reading::Reading;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;

/// How many scores a batch may have: with many classes batches are of few texts.
const BATCH_SCORES: usize = 4 << 20;
/// How much text is scored before the model is looked at anew.
const PART_BYTES: usize = 4 << 20;

/// The linear form that scores texts. It knows terms by their ids in the counts it was made from.
#[pyclass(frozen, module = "likely._native")]
pub(crate) struct Weights {
    core: Shared<Core>,
}

#[pymethods]
impl Weights {
    /// Weights for so many classes, without terms. `value` is "count", "presence" or "damped"; `normalized` tells
    /// whether documents have length 1; `absent` is the delta of a term in a class that lacks it.
    #[new]
    #[pyo3(signature = (counts, classes, value, normalized, absent))]
    fn new(
        py: Python<'_>,
        counts: &Counts,
        classes: usize,
        value: &str,
        normalized: bool,
        absent: f64,
    ) -> PyResult<Self> {
        let value = value_of(py, value)?;
        let core = py.detach(|| {
            let counts = counts.read();
            Core::new(value, normalized, absent, classes, counts.terms(), counts.pairs())
        });
        Ok(Self { core: Shared::new(core) })
    }

    /// Whether there is room for so many classes without making the weights anew.
    fn has_room_for(&self, py: Python<'_>, classes: usize) -> bool {
        py.detach(|| self.core.get().has_room_for(classes))
    }

    /// Whether they had better be made anew.
    #[getter]
    fn worn(&self, py: Python<'_>) -> bool {
        py.detach(|| self.core.get().is_worn())
    }

    /// Sets, in one step, what some terms weigh (their scales, or nothing for 1 each; what they count in classes that
    /// lack them, or nothing for the same of all; the deltas of their cells, row after row; both times the scale) and
    /// all of the classes: bias, base and factor.
    #[pyo3(signature = (counts, ids, scales, rests, deltas, bias, base, factor))]
    #[allow(clippy::too_many_arguments)]
    fn set(
        &self,
        py: Python<'_>,
        counts: &Counts,
        ids: PyReadonlyArray1<'_, u32>,
        scales: Option<PyReadonlyArray1<'_, f64>>,
        rests: Option<PyReadonlyArray1<'_, f64>>,
        deltas: PyReadonlyArray1<'_, f64>,
        bias: PyReadonlyArray1<'_, f64>,
        base: PyReadonlyArray1<'_, f64>,
        factor: PyReadonlyArray1<'_, f64>,
    ) -> PyResult<()> {
        let (ids, deltas) = (ids.as_slice()?, deltas.as_slice()?);
        let scales = scales.as_ref().map_or(Ok(&[][..]), |scales| scales.as_slice())?;
        let rests = rests.as_ref().map_or(Ok(&[][..]), |rests| rests.as_slice())?;
        let (bias, base, factor) = (bias.as_slice()?, base.as_slice()?, factor.as_slice()?);
        py.detach(|| {
            let counts = counts.read();
            let classes = bias.iter().zip(base).zip(factor);
            let classes = classes.map(|((&bias, &base), &factor)| ClassWeight { bias, base, factor }).collect();
            self.core.change(|core| {
                core.set_classes(classes);
                core.set_rows(&counts, ids, scales, rests, deltas);
            });
        });
        Ok(())
    }

    /// Sets, in one step, what some terms weigh whatever was counted of them, and the bias of all classes: the cells of
    /// term `t` are `starts[t]:starts[t + 1]` of `classes` and `deltas`, which are already times the scale.
    #[pyo3(signature = (ids, scales, starts, classes, deltas, bias))]
    #[allow(clippy::too_many_arguments)]
    fn set_cells(
        &self,
        py: Python<'_>,
        ids: PyReadonlyArray1<'_, u32>,
        scales: Option<PyReadonlyArray1<'_, f64>>,
        starts: PyReadonlyArray1<'_, i64>,
        classes: PyReadonlyArray1<'_, u32>,
        deltas: PyReadonlyArray1<'_, f64>,
        bias: PyReadonlyArray1<'_, f64>,
    ) -> PyResult<()> {
        let (ids, starts, classes) = (ids.as_slice()?, starts.as_slice()?, classes.as_slice()?);
        let (deltas, bias) = (deltas.as_slice()?, bias.as_slice()?);
        let scales = scales.as_ref().map_or(Ok(&[][..]), |scales| scales.as_slice())?;
        let whole = starts.len() == ids.len() + 1 && starts.is_sorted() && starts.first() == Some(&0);
        let ends = starts.last() == Some(&(classes.len() as i64)) && classes.len() == deltas.len();
        if !whole || !ends || classes.iter().any(|&class| class as usize >= bias.len()) {
            return Err(named(py, "LengthError", "the weights are not those of the terms".into()));
        }
        let weights = bias.iter().map(|&bias| ClassWeight { bias, base: 0.0, factor: 1.0 }).collect();
        py.detach(|| {
            self.core.change(|core| {
                core.set_classes(weights);
                core.set_cells(ids, scales, starts, classes, deltas);
            });
        });
        Ok(())
    }

    /// From now on reads words that are not known as the closest known one, and those of `folds` as another: `ids`
    /// are those of the known words, `spelling` is the index of them.
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
        py.detach(|| {
            let reading = Reading::new(spelling.core.clone(), counts.read().vocabulary(), ids, &folds);
            self.core.change(|core| core.set_reading(reading));
        });
        Ok(())
    }

    /// Some words as they are read.
    fn read_words(&self, py: Python<'_>, counts: &Counts, words: Vec<String>) -> Vec<String> {
        py.detach(|| {
            let (core, counts) = (self.core.get(), counts.read());
            let Some(reading) = core.reading() else { return words };
            let read = |word: String| {
                let id = counts.vocabulary().find(word.as_bytes(), true);
                let read = reading.read(counts.vocabulary(), id, &word);
                if read == id { word } else { counts.vocabulary().term(read) }
            };
            words.into_iter().map(read).collect()
        })
    }

    /// The scores of texts for the classes `columns`: a list of what `reduce` made of each batch's matrix, a row a
    /// text.
    #[pyo3(signature = (analyzer, counts, texts, columns, threads, reduce))]
    fn score<'py>(
        &self,
        analyzer: &Analyzer,
        counts: &Counts,
        texts: Bound<'py, PyAny>,
        columns: PyReadonlyArray1<'_, u32>,
        threads: usize,
        reduce: Bound<'py, PyAny>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let (py, columns) = (texts.py(), columns.as_slice()?);
        let width = columns.len();
        let mut reduced = Vec::new();
        let mut texts = Texts::new(texts)?.in_batches_of(BATCH_SCORES / width.max(1));
        texts.for_each(|batch, before| {
            let mut scores = vec![0.0; batch.len() * width];
            py.detach(|| self.score_batch(analyzer, counts, columns, batch, &mut scores, threads))
                .map_err(|error| to_python(py, error, before))?;
            let matrix: Bound<'py, PyArray2<f64>> =
                PyArray1::from_vec(py, scores).reshape([batch.len(), width])?;
            reduced.push(reduce.call1((matrix,))?);
            Ok(())
        })?;
        Ok(reduced)
    }
}

/// What a term counts, by name.
pub(crate) fn value_of(py: Python<'_>, name: &str) -> PyResult<Value> {
    match name {
        "count" => Ok(Value::Count),
        "presence" => Ok(Value::Presence),
        "damped" => Ok(Value::Damped),
        other => Err(named(py, "OptionError", format!("no such value of a term: {other:?}"))),
    }
}

impl Weights {
    /// Scores a batch part by part, so that who changes the model need not wait for long.
    fn score_batch(
        &self,
        analyzer: &Analyzer,
        counts: &Counts,
        columns: &[u32],
        batch: &[&[u8]],
        scores: &mut [f64],
        threads: usize,
    ) -> likely_core::error::Result<()> {
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
            // Weights first: they may know less than the counts, never more.
            let (core, counts) = (self.core.get(), counts.read());
            score(&analyzer.core, &counts, &core, columns, part, part_scores, threads, &stop)?;
            (rest, scores) = (later, later_scores);
        }
        Ok(())
    }
}
