//! What counts weigh: the numbers that scoring adds up. Dense for few classes, sparse for many.

use crate::count::counts::Counts;
use crate::count::term_value::Value;
use crate::score::deltas::{Deltas, Dense, Sparse};
use crate::spell::reading::Reading;
use std::sync::Arc;

/// Up to this many classes a dense row is short enough to be read whole.
const DENSE_CLASSES: usize = 32;

/// The part of the form that belongs to a class.
#[derive(Clone, Copy, Debug)]
pub struct ClassWeight {
    /// Added once a document.
    pub bias: f64,
    /// Added once a known term.
    pub base: f64,
    /// What the sum over the terms is multiplied with.
    pub factor: f64,
}

/// Everything scoring needs besides the vocabulary.
#[derive(Clone)]
pub struct Weights {
    pub(crate) value: Value,
    /// Whether a document has length 1: the root of the sum of the squares of `v_t scale_t`.
    pub(crate) normalized: bool,
    /// The delta of a term in a class it does not occur in: 0, or minus infinity where nothing is smoothed.
    pub(crate) absent: f64,
    pub(crate) classes: Vec<ClassWeight>,
    pub(crate) deltas: Deltas,
    /// How words that are not known are read, if they are.
    pub(crate) reading: Option<Arc<Reading>>,
}

impl Weights {
    /// Room for so many classes, no terms yet; `terms` and `pairs` tell how many are to come.
    pub fn new(value: Value, normalized: bool, absent: f64, classes: usize, terms: usize, pairs: usize) -> Self {
        let dense = classes <= DENSE_CLASSES || pairs * 4 >= terms * classes;
        let deltas = if dense {
            Deltas::Dense(Dense { stride: (classes + 1).next_multiple_of(4), table: Vec::new() })
        } else {
            Deltas::Sparse(Sparse::default())
        };
        let classes = vec![ClassWeight { bias: 0.0, base: 0.0, factor: 1.0 }; classes];
        Self { value, normalized, absent, classes, deltas, reading: None }
    }

    /// Whether there is room for so many classes without making the weights anew.
    pub fn has_room_for(&self, classes: usize) -> bool {
        match &self.deltas {
            Deltas::Dense(dense) => classes < dense.stride,
            Deltas::Sparse(_) => true,
        }
    }

    /// Whether so much of the memory is out of use that the weights had better be made anew.
    pub fn is_worn(&self) -> bool {
        matches!(&self.deltas, Deltas::Sparse(sparse) if sparse.unused * 2 > sparse.deltas.len().max(1 << 16))
    }

    /// Sets what some terms weigh: `scales` holds a number above 0 for each (or is empty for 1 each), `rests` their deltas
    /// in the classes that lack them (or is empty for the `absent` of all), `deltas` those of their cells in `counts`,
    /// row after row; both already times the scale.
    pub fn set_rows(&mut self, counts: &Counts, ids: &[u32], scales: &[f64], rests: &[f64], mut deltas: &[f64]) {
        if let (Deltas::Dense(dense), Some(&last)) = (&mut self.deltas, ids.iter().max()) {
            dense.make_room(last);
        }
        for (at, &id) in ids.iter().enumerate() {
            counts.cells.prefetch_ahead(ids, at);
            let (row, rest) = deltas.split_at(counts.row_length(id));
            let cells = counts.classes(id).zip(row.iter().copied());
            let scale = scales.get(at).copied().unwrap_or(1.0);
            match &mut self.deltas {
                Deltas::Dense(dense) => dense.set(id, scale, rests.get(at).copied().unwrap_or(self.absent), cells),
                Deltas::Sparse(sparse) => sparse.set(id, scale, rests.get(at).copied().unwrap_or(0.0), cells),
            }
            deltas = rest;
        }
    }

    /// Sets what some terms weigh whatever was counted of them: the cells of term `t` are `starts[t]..starts[t + 1]` of
    /// `classes` and `deltas`, which are already times the scale; elsewhere a term weighs nothing.
    pub fn set_cells(&mut self, ids: &[u32], scales: &[f64], starts: &[i64], classes: &[u32], deltas: &[f64]) {
        if let (Deltas::Dense(dense), Some(&last)) = (&mut self.deltas, ids.iter().max()) {
            dense.make_room(last);
        }
        for (at, (&id, bounds)) in ids.iter().zip(starts.windows(2)).enumerate() {
            let row = bounds[0] as usize..bounds[1] as usize;
            let cells = classes[row.clone()].iter().copied().zip(deltas[row].iter().copied());
            let scale = scales.get(at).copied().unwrap_or(1.0);
            match &mut self.deltas {
                Deltas::Dense(dense) => dense.set(id, scale, 0.0, cells),
                Deltas::Sparse(sparse) => sparse.set(id, scale, 0.0, cells),
            }
            // A term that weighs nothing still has its part in the length of a document.
            self.deltas.set_scale(id, scale);
        }
    }

    /// Sets how words that are not known are read.
    pub fn set_reading(&mut self, reading: Reading) {
        self.reading = Some(Arc::new(reading));
    }

    /// How words that are not known are read.
    pub fn reading(&self) -> Option<&Reading> {
        self.reading.as_deref()
    }

    /// Sets what belongs to the classes, all of them; there must be room for them.
    pub fn set_classes(&mut self, classes: Vec<ClassWeight>) {
        self.classes = classes;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_set_whatever_was_counted_and_terms_that_weigh_nothing_keep_their_scale() {
        for classes in [3, 40] {
            let mut weights = Weights::new(Value::Presence, true, 0.0, classes, 1000, 1000);
            weights.set_cells(&[2, 0], &[2.0, 0.5], &[0, 2, 2], &[0, 2], &[1.5, -1.0]);
            match &weights.deltas {
                Deltas::Dense(dense) => {
                    assert_eq!(dense.table[..dense.stride], [0.5, 0.0, 0.0, 0.0]);
                    assert_eq!(dense.table[2 * dense.stride..], [2.0, 1.5, 0.0, -1.0]);
                }
                Deltas::Sparse(sparse) => {
                    assert_eq!(sparse.scales, [0.5, 0.0, 2.0]);
                    assert_eq!((&sparse.classes[..], &sparse.deltas[..]), (&[0, 2][..], &[1.5, -1.0][..]));
                }
            }
        }
    }
}
