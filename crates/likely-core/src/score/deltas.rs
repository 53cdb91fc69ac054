//! What each term adds to the score of each class: dense rows if there are few classes, sparse rows if there are many.

use crate::prefetch::{AHEAD, prefetch};

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
}

/// For each id, the classes that have a delta of their own.
#[derive(Clone, Default)]
pub(crate) struct Sparse {
    pub(crate) rows: Vec<(u32, u32)>,
    pub(crate) scales: Vec<f64>,
    /// The delta of a term in all other classes.
    pub(crate) rests: Vec<f64>,
    pub(crate) classes: Vec<u32>,
    pub(crate) deltas: Vec<f64>,
    /// The number of entries that no row refers to any more.
    pub(super) unused: usize,
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

    pub(super) fn set_scale(&mut self, id: u32, scale: f64) {
        let known = match self {
            Self::Dense(dense) => dense.table.get_mut(id as usize * dense.stride),
            Self::Sparse(sparse) => sparse.scales.get_mut(id as usize),
        };
        known.into_iter().for_each(|known| *known = scale);
    }
}

impl Dense {
    /// Asks for the row of a term that will be added soon.
    #[inline]
    pub(super) fn prefetch_ahead(&self, ids: &[u32], at: usize) {
        if let Some(&id) = ids.get(at + AHEAD) {
            let start = (id as usize).wrapping_mul(self.stride);
            prefetch(&self.table, start);
            if self.stride > 8 {
                prefetch(&self.table, start + 8);
            }
        }
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

impl Sparse {
    /// Asks for the row of a term that will be added soon, and for its entries a little later.
    #[inline]
    pub(super) fn prefetch_ahead(&self, ids: &[u32], at: usize) {
        if let Some(&id) = ids.get(at + 2 * AHEAD) {
            prefetch(&self.rows, id as usize);
            prefetch(&self.scales, id as usize);
            prefetch(&self.rests, id as usize);
        }
        if let Some(&(start, _)) = ids.get(at + AHEAD).and_then(|&id| self.rows.get(id as usize)) {
            prefetch(&self.classes, start as usize);
            prefetch(&self.deltas, start as usize);
        }
    }

    pub(super) fn set(&mut self, id: u32, scale: f64, rest: f64, cells: impl Iterator<Item = (u32, f64)>) {
        if self.rows.len() <= id as usize {
            self.rows.resize(id as usize + 1, (0, 0));
            self.scales.resize(id as usize + 1, 0.0);
            self.rests.resize(id as usize + 1, 0.0);
        }
        let start = self.deltas.len() as u32;
        for (class, delta) in cells {
            self.classes.push(class);
            self.deltas.push(delta - rest);
        }
        let old = std::mem::replace(&mut self.rows[id as usize], (start, self.deltas.len() as u32 - start));
        self.unused += old.1 as usize;
        let known = self.rows[id as usize].1 > 0;
        (self.scales[id as usize], self.rests[id as usize]) = if known { (scale, rest) } else { (0.0, 0.0) };
    }
}

impl Deltas {
    pub(super) fn scale(&self, id: u32) -> f64 {
        let scale = match self {
            Self::Dense(dense) => dense.table.get(id as usize * dense.stride),
            Self::Sparse(sparse) => sparse.scales.get(id as usize),
        };
        scale.copied().unwrap_or(0.0)
    }
}
