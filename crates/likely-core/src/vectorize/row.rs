//! The entries of one row, brought in the order of their columns.
//!
//! A row has hundreds of entries, too few to look through all columns and too many to compare with each other: they
//! are sorted by the digits of their columns, the lowest first, in a few passes without a branch that depends on them.

use crate::vocabulary::UNKNOWN;

/// Below so many entries the tables of the digits cost more than they give.
const FEW: usize = 24;
/// The most bits of a digit: few enough for its table to be gone through for every row.
const DIGIT: u32 = 7;
/// The places of such a table.
const DIGITS: usize = 1 << DIGIT;
/// From so many entries on, those of one column are added up before there are more.
const MANY: usize = 1 << 16;
/// As many columns as are worth a tally each; with more, memory is waited for longer than sorting takes.
const TALLIED: usize = 1 << 18;

/// Memory for a row, used again from row to row.
#[derive(Default)]
pub(crate) struct Row {
    /// Each a column and a count, as [`entry`] has them.
    entries: Vec<u64>,
    /// The same after every other pass.
    spare: Vec<u64>,
    /// A count for each column and, within a row, one that is never zero for what has none; all zero between rows.
    tallies: Vec<u32>,
    columns: usize,
    is_tallied: bool,
}

/// A column and a count in it, which wraps around below zero.
#[inline]
pub(crate) fn entry(column: u32, count: u32) -> u64 {
    u64::from(column) << 32 | u64::from(count)
}

#[inline]
pub(crate) fn column(entry: u64) -> u32 {
    (entry >> 32) as u32
}

impl Row {
    /// Begins a row of a matrix of so many columns.
    #[inline]
    pub(crate) fn begin(&mut self, columns: usize) {
        self.entries.clear();
        (self.columns, self.is_tallied) = (columns, false);
    }

    /// Adds entries in any order.
    #[inline]
    pub(crate) fn extend(&mut self, entries: impl ExactSizeIterator<Item = u64>) {
        if self.entries.len() >= MANY && self.entries.len() + entries.len() > self.entries.capacity() {
            self.add_up();
        }
        self.entries.extend(entries);
    }

    /// Counts one more in each of some columns; [`UNKNOWN`] is none. Not to be mixed with [`Row::extend`].
    #[inline]
    pub(crate) fn count(&mut self, columns: impl ExactSizeIterator<Item = u32>) {
        if self.columns > TALLIED {
            return self.extend(columns.map(|column| entry(column, 1)));
        }
        if !self.is_tallied {
            self.is_tallied = true;
            self.tallies.resize(self.tallies.len().max(self.columns + 1), 0);
            self.tallies[self.columns] = 1;
        }
        let mut end = self.entries.len();
        self.entries.resize(end + columns.len(), 0);
        for column in columns {
            let tally = &mut self.tallies[(column as usize).min(self.columns)];
            // Written in any case, so that there is no branch to take.
            self.entries[end] = entry(column, 0);
            end += usize::from(*tally == 0);
            *tally += 1;
        }
        self.entries.truncate(end);
    }

    /// The entries in the order of their columns, one a column: counts of the same are added up.
    #[inline]
    pub(crate) fn added_up(&mut self) -> &[u64] {
        if self.is_tallied {
            self.tallies[self.columns] = 0;
            for entry in &mut self.entries {
                *entry |= u64::from(std::mem::take(&mut self.tallies[column(*entry) as usize]));
            }
            return self.sorted();
        }
        self.add_up();
        if self.entries.last().is_some_and(|&last| column(last) == UNKNOWN) {
            self.entries.pop();
        }
        &self.entries
    }

    fn add_up(&mut self) {
        self.sorted();
        let (mut sum, mut length, mut before) = (0, 0, None);
        for at in 0..self.entries.len() {
            let next = self.entries[at];
            let is_new = before != Some(column(next));
            before = Some(column(next));
            sum = if is_new { next as u32 } else { sum.wrapping_add(next as u32) };
            length += usize::from(is_new);
            self.entries[length - 1] = entry(column(next), sum);
        }
        self.entries.truncate(length);
    }

    /// The entries in the order of their columns.
    #[inline]
    pub(crate) fn sorted(&mut self) -> &[u64] {
        if self.entries.len() < FEW {
            self.entries.sort_unstable();
            return &self.entries;
        }
        self.spare.resize(self.entries.len(), 0);
        // So many that UNKNOWN comes after all columns.
        let bits = usize::BITS - self.columns.leading_zeros();
        match bits.div_ceil(DIGIT) {
            0..=1 => self.sort_by::<1>(bits),
            2 => self.sort_by::<2>(bits),
            3 => self.sort_by::<3>(bits),
            4 => self.sort_by::<4>(bits),
            _ => self.sort_by::<5>(bits),
        }
        &self.entries
    }

    /// Sorts by columns of so many bits in so many passes.
    #[inline]
    fn sort_by<const PASSES: usize>(&mut self, bits: u32) {
        let bits = bits.div_ceil(PASSES as u32);
        let size = 1 << bits;
        let digit =
            |entry: u64, pass: usize| (column(entry) >> (bits * pass as u32)) as usize & (size - 1) & (DIGITS - 1);
        let mut places = [[0u32; DIGITS]; PASSES];
        for &entry in &self.entries {
            for (pass, places) in places.iter_mut().enumerate() {
                places[digit(entry, pass)] += 1;
            }
        }
        for (pass, places) in places.iter_mut().enumerate() {
            let mut next = 0;
            for place in &mut places[..size.min(DIGITS)] {
                (*place, next) = (next, next + *place);
            }
            for &entry in &self.entries {
                let place = &mut places[digit(entry, pass)];
                self.spare[*place as usize] = entry;
                *place += 1;
            }
            std::mem::swap(&mut self.entries, &mut self.spare);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn pairs(entries: &[u64]) -> Vec<(u32, u32)> {
        entries.iter().map(|&entry| (column(entry), entry as u32)).collect()
    }

    proptest! {
        #[test]
        fn entries_are_sorted_and_added_up(
            rows in prop::collection::vec((0..31u32, prop::collection::vec(any::<(u32, u32)>(), 0..200)), 1..5),
        ) {
            let mut row = Row::default();
            for (bits, mut entries) in rows {
                entries.iter_mut().for_each(|(column, _)| *column &= (1 << bits) - 1);
                let (mut sums, mut counts) = (BTreeMap::<u32, u32>::new(), BTreeMap::<u32, u32>::new());
                for &(column, amount) in &entries {
                    let sum = sums.entry(column).or_default();
                    *sum = sum.wrapping_add(amount);
                    *counts.entry(column).or_default() += 1;
                }
                row.begin(1 << bits);
                row.extend(entries.iter().map(|&(column, amount)| entry(column, amount)));
                prop_assert_eq!(pairs(row.added_up()), sums.into_iter().collect::<Vec<_>>());
                row.begin(1 << bits);
                for some in entries.chunks(50) {
                    row.count(some.iter().flat_map(|&(column, _)| [column, UNKNOWN]).collect::<Vec<_>>().into_iter());
                }
                prop_assert_eq!(pairs(row.added_up()), counts.into_iter().collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn long_rows_are_added_up_on_the_way() {
        let mut row = Row::default();
        row.begin(3);
        (0..9).for_each(|_| row.extend((0..MANY as u32).map(|at| entry(at % 3, 1))));
        assert!(row.entries.len() < 3 * MANY);
        assert_eq!(row.added_up().iter().map(|&entry| entry as u32).sum::<u32>(), 9 * MANY as u32);
    }
}
