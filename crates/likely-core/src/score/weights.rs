//! The numbers of the linear form that scoring adds up.

use crate::count::counts::Counts;
use crate::count::term_value::Value;
use crate::ragged::Ragged;
use crate::score::deltas::{Deltas, Dense};
use crate::score::sparse_rows::Sparse;
use crate::spell::reading::Reading;
use crate::vocabulary::term_ids::Vocabulary;
use std::sync::Arc;

/// Up to this many classes a dense row is short enough to be read as a whole.
const FEW_CLASSES: usize = 8;
/// Up to this many numbers a dense table stays near the processor, whatever the classes.
const SMALL_TABLE: usize = 4 << 20;

/// The numbers of the form that belong to a class.
#[derive(Clone, Copy, Debug)]
pub struct ClassWeight {
    /// What is added once per document.
    pub bias: f64,
    /// What is added once per known term.
    pub base: f64,
    /// The factor of the sum over the terms.
    pub factor: f64,
}

/// Everything that scoring needs besides the vocabulary. It is a plain value: who scores much text compiles it.
#[derive(Clone)]
pub struct Weights {
    pub(crate) value: Value,
    /// Whether a document has unit length: the squares of `v_t scale_t` add up to 1.
    pub(crate) normalized: bool,
    /// The delta of a term in a class in which it does not occur: 0, or minus infinity if there is no smoothing.
    pub(crate) absent: f64,
    pub(crate) classes: Vec<ClassWeight>,
    pub(crate) deltas: Deltas,
    /// How unknown words are read, if spelling is corrected.
    pub(crate) reading: Option<Arc<Reading>>,
    /// The terms that have weights, if they are few: their ids are then those of this vocabulary, not of the counts.
    own: Option<Vocabulary>,
    version: u64,
}

impl Weights {
    /// Weights for this number of classes, without terms; `terms` says how many are expected.
    pub fn new(value: Value, normalized: bool, absent: f64, classes: usize, terms: usize) -> Self {
        let stride = (classes + 1).next_multiple_of(4);
        let deltas = if classes <= FEW_CLASSES || stride.saturating_mul(terms) <= SMALL_TABLE {
            Deltas::Dense(Dense { stride, ..Dense::default() })
        } else {
            // If there is no smoothing, it matters which classes have a term, so that no row is written out.
            Deltas::Sparse(Sparse::new(if absent == 0.0 { classes } else { 0 }))
        };
        let classes = vec![ClassWeight { bias: 0.0, base: 0.0, factor: 1.0 }; classes];
        Self { value, normalized, absent, classes, deltas, reading: None, own: None, version: 0 }
    }

    /// Whether what a term adds to a score does not depend on the other terms of the document.
    pub(crate) fn is_linear(&self) -> bool {
        self.value == Value::Count && !self.normalized
    }

    /// The largest factor of a class.
    pub(super) fn largest_factor(&self) -> f64 {
        self.classes.iter().fold(0.0, |largest, class| largest.max(class.factor.abs()))
    }

    /// From now on the weights have a vocabulary of their own, which is smaller than that of the counts, so that terms
    /// are found faster. It must be called before any weights are set, and spelling must not be corrected.
    pub fn keep_own_terms(&mut self) {
        self.own = Some(Vocabulary::default());
    }

    /// The vocabulary in which the terms of texts are looked up.
    pub(crate) fn vocabulary<'a>(&'a self, counts: &'a Counts) -> &'a Vocabulary {
        self.own.as_ref().unwrap_or_else(|| counts.vocabulary())
    }

    /// Whether there is room for this number of classes without making the weights anew.
    pub fn has_room_for(&self, classes: usize) -> bool {
        match &self.deltas {
            Deltas::Dense(dense) => classes < dense.stride,
            Deltas::Sparse(_) => true,
        }
    }

    /// Whether most of the memory is unused, so that the weights should be made again.
    pub fn is_worn(&self) -> bool {
        matches!(&self.deltas, Deltas::Sparse(sparse) if sparse.is_worn())
    }

    /// Sets the weights of some terms. `scales` holds a number per term, 0 for one that is not known any more (or is
    /// empty if all are 1); `rests`
    /// holds their deltas in the classes that lack them (or is empty if these are all `absent`); `deltas` holds the
    /// deltas of their cells in `counts`, row after row. Both kinds of deltas are already multiplied by the scale.
    pub fn set_rows(&mut self, counts: &Counts, ids: &[u32], scales: &[f64], rests: &[f64], mut deltas: &[f64]) {
        let own = self.make_room(counts, ids, deltas.len());
        for (at, &id) in ids.iter().enumerate() {
            counts.cells.prefetch_ahead(ids, at);
            let (row, rest) = deltas.split_at(counts.row_length(id));
            let cells = counts.cells.classes(id).zip(row.iter().copied());
            let scale = scales.get(at).copied().unwrap_or(1.0);
            let id = own.get(at).copied().unwrap_or(id);
            match &mut self.deltas {
                Deltas::Dense(dense) => dense.set(id, scale, rests.get(at).copied().unwrap_or(self.absent), cells),
                Deltas::Sparse(sparse) => sparse.set(id, scale, rests.get(at).copied().unwrap_or(0.0), cells),
            }
            deltas = rest;
        }
    }

    /// Sets the weights of some terms in any classes, whatever is counted of them. The cells of each term are a row of
    /// `cells`, with their deltas already multiplied by the scale; in all other classes the term weighs nothing.
    pub fn set_cells(&mut self, counts: &Counts, ids: &[u32], scales: &[f64], cells: Ragged<'_>, deltas: &[f64]) {
        let own = self.make_room(counts, ids, deltas.len());
        for (at, &id) in ids.iter().enumerate() {
            let id = own.get(at).copied().unwrap_or(id);
            let cells = cells.row_with(at, deltas);
            let scale = scales.get(at).copied().unwrap_or(1.0);
            match &mut self.deltas {
                Deltas::Dense(dense) => dense.set(id, scale, 0.0, cells),
                Deltas::Sparse(sparse) => sparse.set(id, scale, 0.0, cells),
            }
            // A term that weighs nothing still adds to the length of a document.
            self.deltas.set_scale(id, scale);
        }
    }

    /// Makes room for some terms of the counts, which have this number of cells; returns their ids here, or nothing if they
    /// are those of the counts.
    fn make_room(&mut self, counts: &Counts, ids: &[u32], cells: usize) -> Vec<u32> {
        let own = self.own.as_mut().map_or_else(Vec::new, |own| own.adopt(counts.vocabulary(), ids));
        let last = if own.is_empty() { ids.iter().max() } else { own.iter().max() };
        match (&mut self.deltas, last) {
            (Deltas::Dense(dense), Some(&last)) => dense.make_room(last),
            (Deltas::Sparse(sparse), Some(&last)) => sparse.make_room(last, cells),
            (_, None) => (),
        }
        own
    }

    /// Sets how unknown words are read.
    pub fn set_reading(&mut self, reading: Reading) {
        self.reading = Some(Arc::new(reading));
    }

    /// How unknown words are read.
    pub fn reading(&self) -> Option<&Reading> {
        self.reading.as_deref()
    }

    /// Sets the numbers of all classes; if there is no room for them, it is `None` and nothing has changed.
    pub fn set_classes(&mut self, classes: Vec<ClassWeight>) -> Option<()> {
        self.has_room_for(classes.len()).then(|| {
            self.classes = classes;
            self.version += 1;
        })
    }

    /// How often the numbers of the classes were set.
    pub fn version(&self) -> u64 {
        self.version
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_set_whatever_was_counted_and_terms_that_weigh_nothing_keep_their_scale() {
        for (classes, terms) in [(3, 1000), (40, 1_000_000)] {
            let mut weights = Weights::new(Value::Presence, true, 0.0, classes, terms);
            let cells = Ragged::new(&[0, 2, 2], &[0, 2], classes).expect("sound");
            weights.set_cells(&Counts::default(), &[2, 0], &[2.0, 0.5], cells, &[1.5, -1.0]);
            match &weights.deltas {
                Deltas::Dense(dense) => {
                    assert_eq!(dense.table[..dense.stride], [0.5, 0.0, 0.0, 0.0]);
                    assert_eq!(dense.table[2 * dense.stride..], [2.0, 1.5, 0.0, -1.0]);
                }
                Deltas::Sparse(sparse) => {
                    let scales: Vec<f64> = sparse.rows.iter().map(|row| row.scale).collect();
                    let entries: Vec<(u32, f64)> =
                        sparse.entries.iter().map(|entry| (entry.class, entry.delta)).collect();
                    assert_eq!((scales, entries), (vec![0.5, 0.0, 2.0], vec![(0, 1.5), (2, -1.0)]));
                }
            }
        }
    }
}
