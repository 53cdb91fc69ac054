//! Rows for many classes: of each term only the classes that have a delta of their own, unless these are many.

use crate::prefetch::{AHEAD, prefetch};

/// What each term adds to the score of each class.
#[derive(Clone, Default)]
pub(crate) struct Sparse {
    /// The rows, by id.
    pub(super) rows: Vec<SparseRow>,
    pub(super) entries: Vec<Entry>,
    /// The rows that are written out, each of `width` numbers: 0 for a class without a delta of its own.
    full: Vec<f64>,
    /// A multiple of 4, or 0 if no row is written out.
    pub(super) width: usize,
    /// The number of entries and written-out numbers that no row refers to any more.
    unused: usize,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct SparseRow {
    /// The scale of the term; 0 for a term that is not known.
    pub(super) scale: f64,
    /// Its delta in all classes that have none of their own.
    pub(super) rest: f64,
    /// Where its entries start, or the number of a row that is written out.
    pub(super) start: u32,
    /// The number of entries, or [`FULL`].
    length: u32,
}

/// A class with a delta of its own, from which the rest is already subtracted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Entry {
    pub(super) class: u32,
    pub(super) delta: f64,
}

/// The deltas of a row.
pub(super) enum Own<'a> {
    Few(&'a [Entry]),
    Full(&'a [f64]),
}

/// In place of a number of entries: the row is written out.
const FULL: u32 = u32::MAX;
/// A row is written out if at least one class in this number has a delta of its own: to add neighbours is faster.
const ONE_IN: usize = 3;

impl Sparse {
    /// No rows yet. Some will be written out, if this number of classes is not 0.
    pub(super) fn new(classes: usize) -> Self {
        Self { width: classes.next_multiple_of(4), ..Self::default() }
    }

    /// The row of a term; that of an unknown term is empty.
    #[inline]
    pub(super) fn row(&self, id: u32) -> (SparseRow, Own<'_>) {
        let row = self.rows.get(id as usize).copied().unwrap_or_default();
        if row.length == FULL {
            return (row, Own::Full(self.full_row(row.start)));
        }
        let start = row.start as usize;
        (row, Own::Few(&self.entries[start..start + row.length as usize]))
    }

    /// A row that is written out, by its number.
    #[inline]
    pub(super) fn full_row(&self, number: u32) -> &[f64] {
        let start = number as usize * self.width;
        &self.full[start..start + self.width]
    }

    /// Asks for the row of a term that will be added soon, and a little later for its deltas.
    #[inline]
    pub(super) fn prefetch_ahead(&self, ids: &[u32], at: usize) {
        if let Some(&id) = ids.get(at + 2 * AHEAD) {
            prefetch(&self.rows, id as usize);
        }
        let Some(row) = ids.get(at + AHEAD).and_then(|&id| self.rows.get(id as usize)) else { return };
        if row.length == FULL {
            let start = row.start as usize * self.width;
            (start..start + self.width).step_by(8).for_each(|at| prefetch(&self.full, at));
        } else {
            prefetch(&self.entries, row.start as usize);
        }
    }

    /// Makes room for rows up to this id, and for this number of further entries.
    pub(super) fn make_room(&mut self, last: u32, entries: usize) {
        if self.rows.len() <= last as usize {
            self.rows.resize(last as usize + 1, SparseRow::default());
        }
        self.entries.reserve(entries);
    }

    pub(super) fn set(&mut self, id: u32, scale: f64, rest: f64, cells: impl Iterator<Item = (u32, f64)>) {
        if self.rows.len() <= id as usize {
            self.rows.resize(id as usize + 1, SparseRow::default());
        }
        let start = self.entries.len();
        self.entries.extend(cells.map(|(class, delta)| Entry { class, delta: delta - rest }));
        let old = self.rows[id as usize];
        self.unused += if old.length == FULL { self.width } else { old.length as usize };
        if scale == 0.0 {
            self.entries.truncate(start);
        }
        let length = self.entries.len() - start;
        self.rows[id as usize] = if length == 0 {
            SparseRow::default()
        } else if self.is_worth_writing_out(start) {
            SparseRow { scale, rest, start: self.write_out(start), length: FULL }
        } else {
            SparseRow { scale, rest, start: start as u32, length: length as u32 }
        };
    }

    /// Whether the row whose entries start here should be written out.
    fn is_worth_writing_out(&self, start: usize) -> bool {
        let entries = &self.entries[start..];
        entries.len() * ONE_IN >= self.width.max(1)
            && self.width > 0
            && entries.iter().all(|entry| (entry.class as usize) < self.width)
    }

    /// Writes out the row whose entries start here, and drops the entries; returns its number.
    fn write_out(&mut self, start: usize) -> u32 {
        let number = self.full.len() / self.width;
        self.full.resize(self.full.len() + self.width, 0.0);
        for entry in self.entries.drain(start..) {
            self.full[number * self.width + entry.class as usize] = entry.delta;
        }
        number as u32
    }

    /// Whether most of the memory is unused.
    pub(super) fn is_worn(&self) -> bool {
        self.unused * 2 > (self.entries.len() + self.full.len()).max(1 << 16)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_with_many_classes_are_written_out() {
        let mut sparse = Sparse::new(10);
        sparse.set(3, 2.0, 0.5, [(1, 1.5), (9, 0.25)].into_iter());
        sparse.set(1, 1.0, 0.0, (0..6).map(|class| (class, f64::from(class))));
        sparse.set(0, 1.0, 0.0, (6..12).map(|class| (class, 1.0))); // class 11 has come later, but there is room
        let few = sparse.row(3);
        let entries = [Entry { class: 1, delta: 1.0 }, Entry { class: 9, delta: -0.25 }];
        assert!(matches!(few, (SparseRow { scale: 2.0, rest: 0.5, .. }, Own::Few(found)) if found == entries));
        let written = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        assert!(matches!(sparse.row(1), (_, Own::Full(found)) if found == written));
        assert!(matches!(sparse.row(0), (_, Own::Full(found)) if found[11] == 1.0));
        assert!(matches!(sparse.row(2), (row, Own::Few(&[])) if row == SparseRow::default()));
        sparse.set(1, 1.0, 0.0, (0..13).map(|class| (class, 1.0))); // there is no room for class 12
        assert!(matches!(sparse.row(1), (_, Own::Few(found)) if found.len() == 13));
        sparse.set(1, 1.0, 0.0, std::iter::empty());
        assert!(matches!(sparse.row(1), (row, Own::Few(&[])) if row == SparseRow::default()));
        assert_eq!(sparse.unused, 12 + 13);
        sparse.set(3, 0.0, 0.5, [(1, 1.5)].into_iter());
        assert!(matches!(sparse.row(3), (row, Own::Few(&[])) if row == SparseRow::default()));
    }
}
