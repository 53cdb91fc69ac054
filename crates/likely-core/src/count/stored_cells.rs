//! Cells by their place, in as few bytes as most of their numbers need.

use crate::count::cells::Cell;
use crate::count::fixed_point::Amount;
use crate::prefetch::prefetch;
use std::ops::Range;

/// A cell with the lowest 32 bits of its whole numbers. Most numbers have no others.
#[derive(Clone, Copy, Default)]
struct Small {
    class: u32,
    count: u32,
    documents: u32,
}

/// What the count and the documents of a cell have besides.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Rest {
    above: [u32; 2],
    fractions: [u64; 2],
}

/// Cells, each at a place.
#[derive(Clone, Default)]
pub(crate) struct StoredCells {
    small: Vec<Small>,
    /// Parallel to `small`; empty as long as every number is whole and below 2^32.
    rests: Vec<Rest>,
}

impl StoredCells {
    /// The number of places.
    pub(crate) fn len(&self) -> usize {
        self.small.len()
    }

    /// Whether all numbers are whole and below 2^32.
    pub(super) fn are_small(&self) -> bool {
        self.rests.is_empty()
    }

    /// Makes room for this number of further places.
    pub(crate) fn reserve(&mut self, places: usize) {
        self.small.reserve_exact(places);
    }

    /// Adds a place with a cell.
    #[inline]
    pub(crate) fn push(&mut self, cell: Cell) {
        let (small, rest) = parts(&cell);
        self.small.push(small);
        if !self.rests.is_empty() || rest != Rest::default() {
            self.rests.resize(self.small.len(), Rest::default());
            self.rests.last_mut().into_iter().for_each(|last| *last = rest);
        }
    }

    /// Adds places up to this one, or removes those from it on.
    pub(super) fn resize(&mut self, places: usize) {
        self.small.resize(places, Small::default());
        if !self.rests.is_empty() {
            self.rests.resize(places, Rest::default());
        }
    }

    /// The class of each cell at some places.
    #[inline]
    pub(super) fn classes(&self, places: Range<usize>) -> impl DoubleEndedIterator<Item = u32> + '_ {
        self.small[places].iter().map(|small| small.class)
    }

    /// The place of a class among places that are sorted by class, or the place where it would have to be inserted.
    #[inline]
    pub(super) fn find(&self, places: Range<usize>, class: u32) -> Result<usize, usize> {
        let start = places.start;
        let found = self.small[places].binary_search_by_key(&class, |small| small.class);
        found.map(|at| start + at).map_err(|at| start + at)
    }

    /// The cell at a place.
    #[inline]
    pub(super) fn get(&self, at: usize) -> Cell {
        let small = self.small[at];
        let Some(rest) = self.rests.get(at) else {
            let amount = |low| Amount::new(u64::from(low), 0);
            return Cell { class: small.class, count: amount(small.count), documents: amount(small.documents) };
        };
        let amount = |low: u32, which: usize| {
            Amount::new(u64::from(rest.above[which]) << 32 | u64::from(low), rest.fractions[which])
        };
        Cell { class: small.class, count: amount(small.count, 0), documents: amount(small.documents, 1) }
    }

    /// Puts a cell at a place.
    #[inline]
    pub(super) fn set(&mut self, at: usize, cell: Cell) {
        let (small, rest) = parts(&cell);
        self.small[at] = small;
        if self.rests.is_empty() {
            if rest == Rest::default() {
                return;
            }
            self.rests = vec![Rest::default(); self.small.len()];
        }
        self.rests[at] = rest;
    }

    /// Copies the cells at some places to others, which may overlap.
    #[inline]
    pub(super) fn copy(&mut self, places: Range<usize>, to: usize) {
        self.small.copy_within(places.clone(), to);
        if !self.rests.is_empty() {
            self.rests.copy_within(places, to);
        }
    }

    /// Asks for the memory of a place.
    #[inline]
    pub(super) fn prefetch(&self, at: usize) {
        prefetch(&self.small, at);
        prefetch(&self.rests, at);
    }
}

#[inline]
fn parts(cell: &Cell) -> (Small, Rest) {
    let (count, documents) = (cell.count.whole(), cell.documents.whole());
    let small = Small { class: cell.class, count: count as u32, documents: documents as u32 };
    let fractions = [cell.count.fraction(), cell.documents.fraction()];
    (small, Rest { above: [(count >> 32) as u32, (documents >> 32) as u32], fractions })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_small_cell_takes_twelve_bytes() {
        assert_eq!(size_of::<Small>(), 12);
    }

    proptest! {
        #[test]
        fn cells_come_back_as_they_went_in(
            numbers in prop::collection::vec((0u32..3, 0u32..130, 0u32..130, any::<[u64; 4]>()), 1..20),
            moved in 0usize..20,
        ) {
            // Numbers of all sizes: most of them have few bits.
            let amount = |bits: u32, whole: u64, fraction: u64| match bits {
                0..65 => Amount::new(whole >> (64 - bits.max(1)), 0),
                _ => Amount::new(whole, fraction >> (bits - 65).min(63)),
            };
            let cells: Vec<Cell> = numbers
                .iter()
                .map(|&(class, a, b, [c, d, e, f])| Cell { class, count: amount(a, c, d), documents: amount(b, e, f) })
                .collect();
            let mut stored = StoredCells::default();
            for (at, &cell) in cells.iter().enumerate() {
                if at % 2 == 0 {
                    stored.push(cell);
                } else {
                    stored.resize(at + 1);
                    stored.set(at, cell);
                }
            }
            prop_assert_eq!((0..stored.len()).map(|at| stored.get(at)).collect::<Vec<Cell>>(), cells.clone());
            let is_small = |amount: Amount| amount.whole() < 1 << 32 && amount.fraction() == 0;
            let are_small = cells.iter().all(|cell| is_small(cell.count) && is_small(cell.documents));
            prop_assert_eq!(stored.are_small(), are_small);
            prop_assert!(stored.classes(0..cells.len()).eq(cells.iter().map(|cell| cell.class)));
            let moved = moved % cells.len();
            stored.copy(moved..cells.len(), 0);
            prop_assert_eq!(stored.get(0), cells[moved]);
        }
    }
}
