//! Matrices in compressed sparse rows (CSR).

use crate::error::{Error, Result};
use crate::parallel;
use crate::vectorize::matrix::piece::Piece;
use crate::vectorize::matrix::row::RowSorter;
use crate::vocabulary::term_ids::UNKNOWN;

/// Row `r` is `starts[r]..starts[r + 1]` of `columns` and `values`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Matrix<T> {
    /// Where each row starts; the last number is the end.
    pub starts: Vec<i64>,
    /// The columns of the entries, ascending in each row.
    pub columns: Vec<i32>,
    /// The entries.
    pub values: Vec<T>,
}

/// The greatest number of columns that fits.
pub(crate) const MOST_COLUMNS: usize = i32::MAX as usize;

/// The longest text, in bytes, whose offsets fit 32 bits.
pub(crate) const LONGEST_TEXT: usize = UNKNOWN as usize - 1;

/// The type of an entry.
pub trait MatrixValue: Clone + Default + Send {
    /// From a count, which is negative if hashes have signs.
    fn from_count(count: i64) -> Self;
}

impl MatrixValue for i64 {
    fn from_count(count: i64) -> Self {
        count
    }
}

impl MatrixValue for f64 {
    fn from_count(count: i64) -> Self {
        count as Self
    }
}

impl<T: MatrixValue> Matrix<T> {
    /// The rows of some pieces; `write` writes the columns and values of each piece to their places.
    pub(crate) fn assemble(
        mut pieces: Vec<Piece>,
        threads: usize,
        stop: &dyn Fn() -> bool,
        write: impl Fn(Piece, &mut RowSorter, &mut [i32], &mut [T]) + Sync,
    ) -> Result<Self> {
        pieces.sort_unstable_by_key(|piece| piece.first_row);
        let ends = pieces.iter().flat_map(Piece::lengths).scan(0, |end, &length| {
            *end += i64::from(length);
            Some(*end)
        });
        let starts: Vec<i64> = std::iter::once(0).chain(ends).collect();
        let total = pieces.iter().map(Piece::len).sum();
        let (mut columns, mut values) = (vec![0; total], vec![T::default(); total]);
        let (mut columns_left, mut values_left) = (columns.as_mut_slice(), values.as_mut_slice());
        let mut workers: Vec<RowSorter> =
            (0..threads.clamp(1, pieces.len().max(1))).map(|_| RowSorter::default()).collect();
        let places = pieces.into_iter().map(|piece| {
            let length = piece.len();
            let columns = columns_left.split_off_mut(..length).unwrap_or_default();
            let values = values_left.split_off_mut(..length).unwrap_or_default();
            (piece, columns, values)
        });
        let written = parallel::share(&mut workers, places, stop, |row, (piece, columns, values), _| {
            write(piece, row, columns, values);
            true
        });
        if written { Ok(Self { starts, columns, values }) } else { Err(Error::Interrupted) }
    }
}
