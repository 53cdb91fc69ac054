//! The entries of one row go in; they come out in the order of their columns.
//!
//! If there are few columns, each column has a place, and a bitmap of two levels says which are used; otherwise entries are
//! sorted by the digits of their columns, the lowest first, in a few passes (LSD radix sort).
//!
//! **Warning.** Neither way has a branch that depends on the entries, except for the bits of the places. Between rows all
//! counts and bits are zero. A property test compares rows of any size with a map.

/// Up to this many columns each has a place; with more columns, waiting for memory would take longer than sorting.
const PLACES: usize = 1 << 18;
/// For fewer entries the tables of the digits cost more than they save.
const FEW: usize = 24;
/// The number of bits of a digit at most: few enough to go through its table for every row.
const DIGIT: u32 = 7;
/// How many values a digit has.
const DIGITS: usize = 1 << DIGIT;
/// From this many entries on, those of one column are added up before more are taken in.
const MANY: usize = 1 << 16;

/// Memory for a row that is reused from row to row.
#[derive(Default)]
pub(crate) struct RowSorter {
    columns: usize,
    /// The entries, each with a column and a count, as [`entry`] makes them.
    entries: Vec<u64>,
    /// The same entries after every other pass.
    spare: Vec<u64>,
    /// A count per column, and one for entries that have no column. All are zero between rows, as are the following.
    counts: Vec<u32>,
    /// One bit per column: whether it is in the row.
    marks: Vec<u64>,
    /// One bit per word of `marks`: whether any of its bits is set.
    blocks: Vec<u64>,
}

/// A column and its count, which wraps around below zero.
#[inline]
pub(crate) fn entry(column: u32, count: u32) -> u64 {
    u64::from(column) << 32 | u64::from(count)
}

#[inline]
pub(crate) fn column(entry: u64) -> u32 {
    (entry >> 32) as u32
}

impl RowSorter {
    /// Begins a row of a matrix with this number of columns.
    #[inline]
    pub(crate) fn begin(&mut self, columns: usize) {
        self.columns = columns;
        self.entries.clear();
        if columns <= PLACES && self.counts.len() <= columns {
            self.counts.resize(columns + 1, 0);
            self.marks.resize(columns / 64 + 1, 0);
            self.blocks.resize(columns / (64 * 64) + 1, 0);
        }
    }

    /// Adds entries in any order. Entries whose column is [`crate::vocabulary::term_ids::UNKNOWN`] are left out.
    #[inline]
    pub(crate) fn extend(&mut self, entries: impl ExactSizeIterator<Item = u64>) {
        if self.columns <= PLACES {
            return self.put(entries);
        }
        if self.entries.len() >= MANY && self.entries.len() + entries.len() > self.entries.capacity() {
            self.sort();
            self.add_up();
        }
        self.entries.extend(entries);
    }

    /// Adds entries to the places of their columns.
    #[inline]
    fn put(&mut self, entries: impl Iterator<Item = u64>) {
        let (last, counts) = (self.columns, &mut self.counts[..=self.columns]);
        let marks = &mut self.marks[..=last / 64];
        let blocks = &mut self.blocks[..=last / (64 * 64)];
        for entry in entries {
            // An entry that has no column comes after all that have one.
            let column = (column(entry) as usize).min(last);
            counts[column] = counts[column].wrapping_add(entry as u32);
            marks[column / 64] |= 1 << (column % 64);
            blocks[column / (64 * 64)] |= 1 << (column / 64 % 64);
        }
    }

    /// The entries in the order of their columns, one per column: counts of the same column are added up.
    #[inline]
    pub(crate) fn added_up(&mut self) -> &[u64] {
        self.sorted();
        if self.columns > PLACES {
            self.add_up();
        }
        &self.entries
    }

    /// The entries in the order of their columns, which must differ.
    #[inline]
    pub(crate) fn sorted(&mut self) -> &[u64] {
        if self.columns <= PLACES {
            self.drain();
        } else {
            self.sort();
        }
        let known = self.entries.partition_point(|&entry| (column(entry) as usize) < self.columns);
        self.entries.truncate(known);
        &self.entries
    }

    /// Reads out the places.
    fn drain(&mut self) {
        let Self { entries, counts, marks, .. } = self;
        for (first, block) in self.blocks.iter_mut().enumerate() {
            for word in ones(std::mem::take(block)).map(|bit| 64 * first + bit) {
                for column in ones(std::mem::take(&mut marks[word])).map(|bit| 64 * word + bit) {
                    entries.push(entry(column as u32, std::mem::take(&mut counts[column])));
                }
            }
        }
    }

    fn add_up(&mut self) {
        let (mut sum, mut length, mut before) = (0, 0, None);
        for at in 0..self.entries.len() {
            let next = self.entries[at];
            let is_new = before != Some(column(next));
            before = Some(column(next));
            sum = if is_new { next as u32 } else { sum.wrapping_add(next as u32) };
            length += usize::from(is_new);
            // The sum is written in any case, so that there is no branch.
            self.entries[length - 1] = entry(column(next), sum);
        }
        self.entries.truncate(length);
    }

    fn sort(&mut self) {
        if self.entries.len() < FEW {
            return self.entries.sort_unstable();
        }
        self.spare.resize(self.entries.len(), 0);
        // The number of bits is large enough for the unknown to come after all columns.
        let bits = usize::BITS - self.columns.leading_zeros();
        match bits.div_ceil(DIGIT) {
            ..=3 => self.sort_by::<3>(bits),
            4 => self.sort_by::<4>(bits),
            _ => self.sort_by::<5>(bits),
        }
    }

    /// Sorts by columns of `bits` bits in `PASSES` passes.
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

/// The places of the set bits.
#[inline]
fn ones(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = (bits != 0).then(|| bits.trailing_zeros() as usize);
        bits &= bits.wrapping_sub(1);
        lowest
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::term_ids::UNKNOWN;
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
            let mut row = RowSorter::default();
            for (bits, mut entries) in rows {
                entries.iter_mut().for_each(|(column, _)| *column &= (1 << bits) - 1);
                let mut sums = BTreeMap::<u32, u32>::new();
                for &(column, amount) in &entries {
                    let sum = sums.entry(column).or_default();
                    *sum = sum.wrapping_add(amount);
                }
                row.begin(1 << bits);
                for some in entries.chunks(50) {
                    row.extend(some.iter().map(|&(column, amount)| entry(column, amount)));
                    row.extend([entry(UNKNOWN, 7)].into_iter());
                }
                prop_assert_eq!(pairs(row.added_up()), sums.into_iter().collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn long_rows_are_added_up_on_the_way() {
        let mut row = RowSorter::default();
        row.begin(PLACES + 1);
        (0..9).for_each(|_| row.extend((0..MANY as u32).map(|at| entry(at % 3, 1))));
        assert!(row.entries.len() < 3 * MANY);
        assert_eq!(row.added_up().iter().map(|&entry| entry as u32).sum::<u32>(), 9 * MANY as u32);
    }
}
