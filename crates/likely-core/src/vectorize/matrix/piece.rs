//! Rows of consecutive texts, packed until the whole matrix is known.

use crate::vectorize::matrix::row::{RowSorter, column, entry};
use crate::vocabulary::term_ids::UNKNOWN;

/// Stands for a count that does not fit a byte.
const LARGE: i8 = i8::MIN;

/// Some rows. An entry is the number of a term and its frequency.
#[derive(Default)]
pub(crate) struct Piece {
    /// The worker whose numbers the terms have.
    pub(crate) worker: usize,
    pub(crate) first_row: usize,
    /// How many entries each row has.
    lengths: Vec<u32>,
    numbers: Vec<u32>,
    counts: Vec<i8>,
    /// The counts that do not fit a byte, in order; negative counts have wrapped around.
    large: Vec<u32>,
}

impl Piece {
    /// Begins with room for about as many entries as another piece holds.
    pub(crate) fn like(other: Option<&Self>, worker: usize, first_row: usize) -> Self {
        let room = other.map_or(0, |other| other.numbers.len() / 8 * 9);
        let (numbers, counts) = (Vec::with_capacity(room), Vec::with_capacity(room));
        Self { worker, first_row, numbers, counts, ..Self::default() }
    }

    /// Adds a row of these numbers; `count` is called with each of them.
    #[inline]
    pub(crate) fn push_row(&mut self, numbers: &[u32], mut count: impl FnMut(u32) -> u32) {
        let Self { large, .. } = self;
        self.lengths.push(numbers.len() as u32);
        self.numbers.extend_from_slice(numbers);
        self.counts.extend(numbers.iter().map(|&number| packed(count(number), large)));
    }

    /// Adds a row of entries as in [`crate::vectorize::matrix::row`].
    #[inline]
    pub(crate) fn push_entries(&mut self, entries: &[u64]) {
        let Self { large, .. } = self;
        self.lengths.push(entries.len() as u32);
        self.numbers.extend(entries.iter().map(|&entry| column(entry)));
        self.counts.extend(entries.iter().map(|&entry| packed(entry as u32, large)));
    }

    /// Frees the room that is left.
    pub(crate) fn close(&mut self) {
        self.numbers.shrink_to_fit();
        self.counts.shrink_to_fit();
    }

    /// How many entries there are.
    pub(crate) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// How many entries each row has.
    pub(crate) fn lengths(&self) -> &[u32] {
        &self.lengths
    }

    /// The numbers of all entries, row after row.
    pub(crate) fn numbers(&self) -> &[u32] {
        &self.numbers
    }

    /// The counts of all entries, row after row.
    #[inline]
    pub(crate) fn counts(&self) -> impl Iterator<Item = u32> {
        let mut large = self.large.iter().copied();
        self.counts.iter().map(move |&count| unpacked(count, &mut large))
    }

    /// Replaces each number by the one that `new` has for it; entries that have none are left out.
    pub(crate) fn renumber(&mut self, new: &[u32]) {
        let mut large = std::mem::take(&mut self.large).into_iter();
        let (mut at, mut kept) = (0, 0);
        for length in &mut self.lengths {
            let start = kept;
            for _ in 0..*length {
                let (number, count) = (new[self.numbers[at] as usize], self.counts[at]);
                (self.numbers[kept], self.counts[kept]) = (number, count);
                kept += usize::from(number != UNKNOWN);
                at += 1;
                if count == LARGE {
                    let count = large.next().unwrap_or_default();
                    self.large.extend((number != UNKNOWN).then_some(count));
                }
            }
            *length = (kept - start) as u32;
        }
        self.numbers.truncate(kept);
        self.counts.truncate(kept);
    }

    /// Calls `each` with the entries of each row, sorted by number; all numbers are below `columns`.
    #[inline]
    pub(crate) fn sorted_rows(&self, columns: usize, row: &mut RowSorter, mut each: impl FnMut(&[u64])) {
        let mut large = self.large.iter().copied();
        let (mut numbers, mut counts) = (self.numbers.as_slice(), self.counts.as_slice());
        for &length in &self.lengths {
            let (some, left) = numbers.split_at(length as usize);
            let (some_counts, counts_left) = counts.split_at(length as usize);
            (numbers, counts) = (left, counts_left);
            row.begin(columns);
            row.extend(
                some.iter().zip(some_counts).map(|(&number, &count)| entry(number, unpacked(count, &mut large))),
            );
            each(row.sorted());
        }
    }
}

#[inline]
fn packed(count: u32, large: &mut Vec<u32>) -> i8 {
    match i8::try_from(count as i32) {
        Ok(small) if small != LARGE => small,
        _ => {
            large.push(count);
            LARGE
        }
    }
}

#[inline]
fn unpacked(count: i8, large: &mut impl Iterator<Item = u32>) -> u32 {
    if count == LARGE { large.next().unwrap_or_default() } else { i32::from(count) as u32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_renumbered_and_sorted() {
        let mut piece = Piece::default();
        let counts = [1, 700, u32::MAX, 128, 2];
        piece.push_row(&[0, 1, 2, 3], |number| counts[number as usize]);
        piece.push_entries(&[]);
        piece.push_entries(&[entry(3, 5), entry(1, 127)]);
        assert_eq!(piece.counts().collect::<Vec<_>>(), [1, 700, u32::MAX, 128, 5, 127]);
        piece.renumber(&[8, UNKNOWN, 5, 4]);
        assert_eq!((piece.lengths(), piece.numbers()), (&[3, 0, 1][..], &[8, 5, 4, 4][..]));
        assert_eq!(piece.counts().collect::<Vec<_>>(), [1, u32::MAX, 128, 5]);
        let (mut row, mut rows) = (RowSorter::default(), Vec::new());
        piece.sorted_rows(9, &mut row, |entries| rows.push(entries.to_vec()));
        assert_eq!(rows, [vec![entry(4, 128), entry(5, u32::MAX), entry(8, 1)], vec![], vec![entry(4, 5)]]);
    }
}
