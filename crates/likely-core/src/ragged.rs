//! Rows of different lengths in flat arrays: the one ragged table of the kernel.

use std::ops::Range;

/// A table whose row `r` has the entries `starts[r]..starts[r + 1]`, each with a column below `width`.
///
/// The values of the entries lie in slices of their own, parallel to the columns.
#[derive(Clone, Copy, Debug)]
pub struct Ragged<'a> {
    starts: &'a [i64],
    columns: &'a [u32],
    width: usize,
}

impl<'a> Ragged<'a> {
    /// The table with these parts. It is `None` unless the starts ascend from 0 to the number of entries and every
    /// column is below `width`.
    pub fn new(starts: &'a [i64], columns: &'a [u32], width: usize) -> Option<Self> {
        let whole = starts.first() == Some(&0) && starts.last() == Some(&(columns.len() as i64));
        let sound = whole && starts.is_sorted() && columns.iter().all(|&column| (column as usize) < width);
        sound.then_some(Self { starts, columns, width })
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.starts.len() - 1
    }

    /// The number of entries of all rows.
    pub fn entries(&self) -> usize {
        self.columns.len()
    }

    /// The number of columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The columns of all entries, row after row.
    pub(crate) fn columns(&self) -> &'a [u32] {
        self.columns
    }

    /// The places of the entries of a row.
    #[inline]
    pub(crate) fn row(&self, row: usize) -> Range<usize> {
        self.starts[row] as usize..self.starts[row + 1] as usize
    }

    /// The columns of a row, each with its value.
    #[inline]
    pub(crate) fn row_with<T: Copy>(self, row: usize, values: &'a [T]) -> impl Iterator<Item = (u32, T)> {
        let places = self.row(row);
        self.columns[places.clone()].iter().copied().zip(values[places].iter().copied())
    }
}

/// The parts of such a table with the frequency of each entry, as the kernel makes them.
#[derive(Debug, PartialEq)]
pub struct CountedRows {
    /// Where each row starts; the last number is the end.
    pub starts: Vec<i64>,
    /// The column of each entry.
    pub columns: Vec<u32>,
    /// How often it occurs in the row.
    pub frequencies: Vec<u32>,
}

impl Default for CountedRows {
    fn default() -> Self {
        Self { starts: vec![0], columns: Vec::new(), frequencies: Vec::new() }
    }
}

impl CountedRows {
    /// Ends a row, to which all entries belong that were added since the last one.
    pub(crate) fn end_row(&mut self) {
        self.starts.push(self.columns.len() as i64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_found_by_their_starts() {
        let table = Ragged::new(&[0, 2, 2, 3], &[4, 0, 1], 5).expect("sound");
        assert_eq!((table.rows(), table.entries(), table.width()), (3, 3, 5));
        assert_eq!(table.row_with(0, &["a", "b", "c"]).collect::<Vec<_>>(), [(4, "a"), (0, "b")]);
        assert_eq!((table.row(1), table.row(2)), (2..2, 2..3));
    }

    #[test]
    fn a_table_that_does_not_fit_is_refused() {
        for starts in [&[][..], &[0], &[0, 2], &[0, 4], &[1, 3], &[0, 2, 1, 3], &[-1, 3]] {
            assert!(Ragged::new(starts, &[0, 1, 2], 3).is_none(), "{starts:?}");
        }
        assert!(Ragged::new(&[0, 3], &[0, 1, 2], 2).is_none());
        assert!(Ragged::new(&[0], &[], 0).is_some());
    }
}
