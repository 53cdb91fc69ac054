//! The table of counts: for each term and class how often the term occurs, and in how many documents.
//!
//! The table is sparse: a row holds only the classes in which a term occurs, sorted. All rows lie in one array, each
//! in a place that has room for a power of two of cells, or, as long as it is as it was read from a file, just for those
//! that it has. A row that outgrows its place moves to one of the next power of two; an emptied row leaves its place to
//! others.

use crate::count::fixed_point::Amount;
use crate::count::stored_cells::StoredCells;
use crate::error::{Error, Result};
use crate::prefetch::{AHEAD, prefetch};
use std::ops::Range;

/// What is known of one term in one class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// The class, by number.
    pub class: u32,
    /// Weighted occurrences.
    pub count: Amount,
    /// Weighted documents with at least one occurrence.
    pub documents: Amount,
}

#[derive(Clone, Copy, Default)]
struct CellRow {
    start: u32,
    length: u32,
    /// The place of the row has room for at least 2^power cells, if the row has a place.
    power: u8,
    state: State,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum State {
    /// The row never had cells.
    #[default]
    Unused,
    Filled,
    /// The row had cells once.
    Emptied,
}

impl CellRow {
    #[inline]
    fn places(&self) -> Range<usize> {
        self.start as usize..(self.start + self.length) as usize
    }
}

/// All the rows.
#[derive(Clone, Default)]
pub(crate) struct Cells {
    rows: Vec<CellRow>,
    stored: StoredCells,
    /// The free places, by the power of two of their size.
    free: Vec<Vec<u32>>,
    filled: usize,
    emptied: usize,
    used: usize,
}

/// The power of two that `length` cells need.
fn power_for(length: u32) -> u8 {
    length.next_power_of_two().trailing_zeros() as u8
}

impl Cells {
    /// Whether most of the memory is unused, so that a fresh copy would need far less.
    pub(crate) fn is_worn(&self) -> bool {
        self.emptied > self.filled + 4096 || self.stored.len() > 8 * self.used + (1 << 16)
    }

    /// Whether `more` cells can be added in any case.
    pub(crate) fn has_room_for(&self, more: usize) -> bool {
        // A row that moves leaves its place behind and takes twice the room.
        self.stored.len() * 3 + more * 4 < u32::MAX as usize
    }

    /// Whether all amounts are whole numbers below 2^32, as they are if none ever was another.
    pub(crate) fn are_small(&self) -> bool {
        self.stored.are_small()
    }

    /// The number of terms that have at least one cell.
    pub(crate) fn filled_rows(&self) -> usize {
        self.filled
    }

    /// How many cells there are.
    pub(crate) fn len(&self) -> usize {
        self.used
    }

    /// The number of rows. Greater ids have no cells.
    pub(crate) fn rows(&self) -> usize {
        self.rows.len()
    }

    /// The number of classes in which a term occurs.
    #[inline]
    pub(crate) fn row_length(&self, id: u32) -> usize {
        self.rows.get(id as usize).map_or(0, |row| row.length as usize)
    }

    /// The classes in which a term occurs, ascending.
    #[inline]
    pub(crate) fn classes(&self, id: u32) -> impl Iterator<Item = u32> + '_ {
        self.stored.classes(self.places(id))
    }

    /// The places of the cells of a term.
    #[inline]
    pub(crate) fn places(&self, id: u32) -> Range<usize> {
        self.rows.get(id as usize).copied().unwrap_or_default().places()
    }

    /// The cells of a term, sorted by class.
    #[inline]
    pub(crate) fn row(&self, id: u32) -> impl Iterator<Item = Cell> + Clone + '_ {
        self.places(id).map(|at| self.stored.get(at))
    }

    /// Asks for the memory of a row that is needed soon, and for the position of one that is needed later.
    #[inline]
    pub(crate) fn prefetch_ahead(&self, ids: &[u32], at: usize) {
        if let Some(row) = ids.get(at + AHEAD).and_then(|&id| self.rows.get(id as usize)) {
            self.stored.prefetch(row.start as usize);
        }
        if let Some(&id) = ids.get(at + 2 * AHEAD) {
            prefetch(&self.rows, id as usize);
        }
    }

    /// The cell of a term and class; its amounts are zero if there is no such cell.
    pub(crate) fn get(&self, id: u32, class: u32) -> Cell {
        match self.position(id, class) {
            Ok(at) => self.stored.get(at),
            Err(_) => Cell { class, ..Cell::default() },
        }
    }

    /// The position of a class in a row, or the position where it would have to be inserted.
    #[inline]
    fn position(&self, id: u32, class: u32) -> std::result::Result<usize, usize> {
        let places = self.places(id);
        // Documents are counted class by class, so the last class of a row is the most probable one.
        match self.stored.classes(places.clone()).next_back() {
            Some(last) if last == class => Ok(places.end - 1),
            Some(last) if last > class => self.stored.find(places, class),
            _ => Err(places.end),
        }
    }

    /// Adds to a cell. The cell is made if it does not exist.
    #[inline]
    pub(crate) fn add(&mut self, id: u32, more: Cell) -> Result<()> {
        let too_large = Error::TooLarge("more than 2^64 occurrences of a term");
        match self.position(id, more.class) {
            Ok(at) => {
                let cell = self.stored.get(at);
                let sum = Cell {
                    class: cell.class,
                    count: cell.count.checked_add(more.count).ok_or(too_large.clone())?,
                    documents: cell.documents.checked_add(more.documents).ok_or(too_large)?,
                };
                self.stored.set(at, sum);
                Ok(())
            }
            Err(at) => self.insert(id, at, more),
        }
    }

    /// Adds a row of other cells, whose class `c` is class `classes[c]` here.
    #[inline]
    pub(crate) fn add_row(&mut self, id: u32, other: &Self, row: u32, classes: &[u32]) -> Result<()> {
        let cells = other.row(row).map(|cell| Cell { class: classes[cell.class as usize], ..cell });
        if self.row_length(id) > 0 || !cells.clone().is_sorted_by_key(|cell| cell.class) {
            return cells.into_iter().try_for_each(|cell| self.add(id, cell));
        }
        // A new row can be placed at once where all of it fits.
        let length = other.row_length(row) as u32;
        self.claim(id);
        let power = power_for(length);
        self.rows[id as usize] = CellRow { start: self.place(power)?, length, power, state: State::Filled };
        self.used += length as usize;
        for (at, cell) in cells.enumerate() {
            self.stored.set(self.rows[id as usize].start as usize + at, cell);
        }
        Ok(())
    }

    /// Says at which places the cells of a row will be, all of which are stored later. A row may be said again, with more
    /// places.
    pub(crate) fn hold(&mut self, id: u32, places: Range<u32>) {
        let length = places.end - places.start;
        // The row has no room beyond its cells, and not even a power of two of it.
        let power = length.checked_ilog2().unwrap_or(0) as u8;
        let row = CellRow { start: places.start, length, power, state: State::Filled };
        self.used += length as usize;
        if id as usize == self.rows.len() {
            self.filled += 1;
            return self.rows.push(row);
        }
        let before = self.row_length(id);
        if before == 0 {
            self.claim(id);
        }
        self.rows[id as usize] = row;
        self.used -= before;
    }

    /// Stores the cells of all rows at the places that they hold.
    pub(crate) fn store(&mut self, cells: StoredCells) {
        self.stored = cells;
    }

    /// Removes the cells of a row that count nothing; returns whether any are left.
    pub(crate) fn drop_empty(&mut self, id: u32) -> bool {
        for at in self.places(id).rev() {
            if self.stored.get(at).count.is_zero() {
                self.remove(id, at);
            }
        }
        self.row_length(id) > 0
    }

    /// Makes room for this number of further rows.
    pub(crate) fn reserve(&mut self, rows: usize) {
        self.rows.reserve(rows);
    }

    /// Turns an empty row into one that counts as filled.
    fn claim(&mut self, id: u32) {
        if self.rows.len() <= id as usize {
            self.rows.resize(id as usize + 1, CellRow::default());
        }
        self.filled += 1;
        self.emptied -= usize::from(self.rows[id as usize].state == State::Emptied);
        self.rows[id as usize].state = State::Filled;
    }

    /// Subtracts from a cell, and removes it if nothing is left. The caller has checked that there is enough.
    pub(crate) fn subtract(&mut self, id: u32, less: Cell) {
        let Ok(at) = self.position(id, less.class) else { return };
        let cell = self.stored.get(at);
        let rest = Cell {
            class: cell.class,
            count: cell.count.checked_sub(less.count).unwrap_or_default(),
            documents: cell.documents.checked_sub(less.documents).unwrap_or_default(),
        };
        self.stored.set(at, rest);
        if rest.count.is_zero() {
            self.remove(id, at);
        }
    }

    fn insert(&mut self, id: u32, at: usize, cell: Cell) -> Result<()> {
        if self.row_length(id) == 0 {
            self.claim(id);
        }
        let row = self.rows[id as usize];
        let offset = at - row.start as usize;
        if row.length == 0 || row.length >= 1 << row.power {
            self.relocate(id, power_for(row.length + 1))?;
        }
        let row = &mut self.rows[id as usize];
        row.length += 1;
        let (start, end) = (row.start as usize, (row.start + row.length) as usize);
        self.stored.copy(start + offset..end - 1, start + offset + 1);
        self.used += 1;
        self.stored.set(start + offset, cell);
        Ok(())
    }

    /// Moves a row to a place for 2^`power` cells.
    fn relocate(&mut self, id: u32, power: u8) -> Result<()> {
        let row = self.rows[id as usize];
        let start = self.place(power)?;
        if row.length > 0 {
            self.stored.copy(row.places(), start as usize);
            self.give_back(row);
        }
        (self.rows[id as usize].start, self.rows[id as usize].power) = (start, power);
        Ok(())
    }

    fn place(&mut self, power: u8) -> Result<u32> {
        if let Some(start) = self.free.get_mut(usize::from(power)).and_then(Vec::pop) {
            return Ok(start);
        }
        let start = self.stored.len();
        let end = start + (1 << power);
        if end >= u32::MAX as usize {
            return Err(Error::TooLarge("more than 4 billion counts"));
        }
        self.stored.resize(end);
        Ok(start as u32)
    }

    fn give_back(&mut self, row: CellRow) {
        let power = usize::from(row.power);
        if self.free.len() <= power {
            self.free.resize(power + 1, Vec::new());
        }
        self.free[power].push(row.start);
    }

    fn remove(&mut self, id: u32, at: usize) {
        let row = self.rows[id as usize];
        let end = (row.start + row.length) as usize;
        self.stored.copy(at + 1..end, at);
        self.used -= 1;
        self.rows[id as usize].length -= 1;
        if row.length == 1 {
            self.give_back(row);
            self.rows[id as usize] = CellRow { state: State::Emptied, ..CellRow::default() };
            self.filled -= 1;
            self.emptied += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn cell(class: u32, count: f64) -> Cell {
        let count = Amount::from_f64(count).expect("a fit number");
        Cell { class, count, documents: count }
    }

    #[test]
    fn adding_and_subtracting_for_ever_takes_no_more_memory() {
        let (mut cells, mut sizes) = (Cells::default(), Vec::new());
        for _ in 0..40 {
            let all = || (0..200).flat_map(|id| (0..31).map(move |class| (id, class)));
            all().for_each(|(id, class)| cells.add(id, cell(class, 1.0)).expect("small"));
            all().for_each(|(id, class)| cells.subtract(id, cell(class, 1.0)));
            sizes.push(cells.stored.len());
        }
        assert!(sizes[5..].iter().all(|&size| size == sizes[4]));
    }

    #[test]
    fn rows_that_were_stored_elsewhere_can_grow_and_shrink() {
        let rows = [(0, vec![cell(2, 1.0), cell(4, 2.0), cell(5, 9.0)]), (2, vec![cell(0, 0.0), cell(1, 3.0)])];
        let (mut cells, mut stored, mut one_by_one) = (Cells::default(), StoredCells::default(), Cells::default());
        for (id, row) in &rows {
            for &cell in row {
                let start = (stored.len() - cells.row_length(*id)) as u32;
                stored.push(cell);
                cells.hold(*id, start..stored.len() as u32);
            }
        }
        cells.store(stored);
        assert!(cells.drop_empty(0) && cells.drop_empty(2));
        rows.iter().for_each(|(id, row)| {
            row.iter()
                .filter(|cell| !cell.count.is_zero())
                .for_each(|&cell| one_by_one.add(*id, cell).expect("small"));
        });
        for (id, class) in [(0, 7), (0, 3), (2, 1), (2, 0), (1, 1), (3, 1)] {
            assert_eq!((cells.len(), cells.filled_rows()), (one_by_one.len(), one_by_one.filled_rows()));
            cells.add(id, cell(class, 1.0)).expect("small");
            one_by_one.add(id, cell(class, 1.0)).expect("small");
            assert!((0..4).all(|id| cells.row(id).eq(one_by_one.row(id))));
        }
        cells.subtract(2, cell(0, 1.0));
        cells.subtract(2, cell(1, 4.0));
        assert_eq!((cells.row_length(2), cells.filled_rows()), (0, 3));
        cells.hold(4, 0..1);
        assert!(!Cells { stored: StoredCells::default(), ..Cells::default() }.drop_empty(4));
    }

    proptest! {
        #[test]
        fn behaves_as_a_map(steps in prop::collection::vec((0u32..6, 0u32..9, 1u32..5, any::<bool>()), 0..200)) {
            let mut cells = Cells::default();
            let mut model: BTreeMap<(u32, u32), f64> = BTreeMap::new();
            for (id, class, quarter, add) in steps {
                let amount = f64::from(quarter) / 4.0;
                let have = model.get(&(id, class)).copied().unwrap_or(0.0);
                if add {
                    cells.add(id, cell(class, amount)).expect("small");
                    model.insert((id, class), have + amount);
                } else if have >= amount {
                    cells.subtract(id, cell(class, amount));
                    if have > amount { model.insert((id, class), have - amount) } else { model.remove(&(id, class)) };
                }
            }
            prop_assert_eq!(cells.len(), model.len());
            for id in 0..6 {
                let row: Vec<(u32, f64)> = cells.row(id).map(|c| (c.class, c.count.to_f64())).collect();
                let expected: Vec<(u32, f64)> =
                    model.iter().filter(|((i, _), _)| *i == id).map(|((_, c), n)| (*c, *n)).collect();
                prop_assert_eq!(row, expected);
            }
            prop_assert!(cells.emptied + cells.filled <= 6);
            prop_assert!(cells.stored.len() <= 6 * 32);
            let filled = (0..6).filter(|&id| cells.row_length(id) > 0).count();
            prop_assert_eq!(cells.filled_rows(), filled);
        }
    }
}
