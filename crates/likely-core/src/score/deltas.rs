//! What each term adds to the score of each class: dense rows if there are few classes, sparse rows if there are many.

use crate::prefetch::{AHEAD, prefetch};
use crate::score::sparse_rows::Sparse;

#[derive(Clone)]
pub(crate) enum Deltas {
    Dense(Dense),
    Sparse(Sparse),
}

/// A row of `stride` numbers per id: the scale (0 for a term that is not known), the deltas times the scale, and
/// `absent` for classes to come.
#[derive(Clone, Default)]
pub(crate) struct Dense {
    pub(crate) stride: usize,
    pub(crate) table: Vec<f64>,
    /// Whether a term may have another scale than 1, so that the scales of known terms do not add up to their number.
    pub(crate) scaled: bool,
}

impl Deltas {
    /// Asks for the numbers of a term that will be needed soon.
    #[inline]
    pub(super) fn prefetch_ahead(&self, ids: &[u32], at: usize) {
        match self {
            Self::Dense(dense) => dense.prefetch_ahead(ids, at),
            Self::Sparse(sparse) => sparse.prefetch_ahead(ids, at),
        }
    }

    /// Whether the scales of the known terms of a document add up to their number.
    pub(super) fn counts_known(&self) -> bool {
        matches!(self, Self::Dense(dense) if !dense.scaled)
    }

    pub(super) fn set_scale(&mut self, id: u32, scale: f64) {
        if let Self::Dense(dense) = self {
            dense.scaled |= scale != 0.0 && scale != 1.0;
        }
        let known = match self {
            Self::Dense(dense) => dense.table.get_mut(id as usize * dense.stride),
            Self::Sparse(sparse) => sparse.rows.get_mut(id as usize).map(|row| &mut row.scale),
        };
        known.into_iter().for_each(|known| *known = scale);
    }
}

impl Dense {
    /// Asks for the row of a term that will be added soon.
    #[inline]
    pub(super) fn prefetch_ahead(&self, ids: &[u32], at: usize) {
        // A short row is added so soon that memory must be asked for earlier.
        let ahead = if self.stride <= 8 { 3 * AHEAD } else { AHEAD };
        if let Some(&id) = ids.get(at + ahead) {
            self.prefetch_row((id as usize).wrapping_mul(self.stride));
        }
    }

    /// Asks for the row that starts here.
    #[inline]
    pub(super) fn prefetch_row(&self, start: usize) {
        (start..start + self.stride).step_by(8).for_each(|at| prefetch(&self.table, at));
    }

    pub(super) fn make_room(&mut self, last: u32) {
        let size = (last as usize + 1) * self.stride;
        if self.table.is_empty() {
            self.table = vec![0.0; size];
        } else if self.table.len() < size {
            self.table.resize(size, 0.0);
        }
    }

    pub(super) fn set(&mut self, id: u32, scale: f64, absent: f64, cells: impl Iterator<Item = (u32, f64)>) {
        self.scaled |= scale != 0.0 && scale != 1.0;
        let start = id as usize * self.stride;
        let Some((known, deltas)) = self.table[start..start + self.stride].split_first_mut() else {
            return;
        };
        *known = 0.0;
        deltas.fill(absent);
        for (class, delta) in cells {
            deltas[class as usize] = delta;
            *known = scale;
        }
        if *known == 0.0 {
            deltas.fill(0.0);
        }
    }
}

impl Deltas {
    pub(super) fn scale(&self, id: u32) -> f64 {
        let scale = match self {
            Self::Dense(dense) => dense.table.get(id as usize * dense.stride),
            Self::Sparse(sparse) => sparse.rows.get(id as usize).map(|row| &row.scale),
        };
        scale.copied().unwrap_or(0.0)
    }
}
