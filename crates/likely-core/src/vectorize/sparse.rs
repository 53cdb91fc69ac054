//! Matrices in compressed sparse rows.

use crate::error::{Error, Result};
use crate::parallel;
use crate::vectorize::piece::Piece;
use crate::vectorize::tally::Tallies;
use crate::vocabulary::UNKNOWN;

/// Row `r` is `starts[r]..starts[r + 1]` of `columns` and `values`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rows<T> {
    /// Where each row starts, and one more for the end.
    pub starts: Vec<i64>,
    /// The columns of the entries, ascending in each row.
    pub columns: Vec<i32>,
    /// The entries.
    pub values: Vec<T>,
}

/// The number of columns that fit.
pub(crate) const MOST_COLUMNS: usize = i32::MAX as usize;

/// The longest text, in bytes, whose places can be numbered.
pub(crate) const LONGEST_TEXT: usize = UNKNOWN as usize - 1;

/// Refuses texts that do not fit 32-bit offsets.
pub(crate) fn check_lengths(texts: &[&[u8]], longest: usize) -> Result<()> {
    match texts.iter().enumerate().find(|(_, text)| text.len() > longest) {
        Some((row, long)) => Err(Error::TextTooLong { row, bytes: long.len() }),
        None => Ok(()),
    }
}

/// What an entry can be.
pub trait Value: Clone + Default + Send {
    /// From a count, which is negative where hashes have signs.
    fn from_count(count: i64) -> Self;
}

impl Value for i64 {
    fn from_count(count: i64) -> Self {
        count
    }
}

impl Value for f64 {
    fn from_count(count: i64) -> Self {
        count as Self
    }
}

impl<T: Value> Rows<T> {
    /// The rows of some pieces, each of which is prepared first; `value` says what a count is worth.
    pub(crate) fn assemble(
        mut pieces: Vec<Piece>,
        threads: usize,
        stop: &dyn Fn() -> bool,
        prepare: impl Fn(&mut Piece, &mut Tallies) + Sync,
        value: impl Fn(u32) -> i64 + Sync,
    ) -> Result<Self> {
        pieces.sort_unstable_by_key(|piece| piece.first_row);
        if let [piece] = pieces.as_mut_slice() {
            prepare(piece, &mut Tallies::default());
            return Ok(Self::of_one(piece, value));
        }
        let mut workers: Vec<Tallies> = (0..threads.max(1)).map(|_| Tallies::default()).collect();
        let prepared = parallel::share(&mut workers, pieces.iter_mut(), stop, |tallies, piece, _| {
            prepare(piece, tallies);
            true
        });
        let mut starts = vec![0];
        let mut total = 0;
        for &length in pieces.iter().flat_map(Piece::lengths) {
            total += i64::from(length);
            starts.push(total);
        }
        let mut columns = vec![0; total as usize];
        let mut values = vec![T::default(); total as usize];
        let (mut columns_left, mut values_left) = (columns.as_mut_slice(), values.as_mut_slice());
        let places = pieces.into_iter().map(|piece| {
            let length = piece.len();
            let columns = columns_left.split_off_mut(..length).unwrap_or_default();
            let values = values_left.split_off_mut(..length).unwrap_or_default();
            (piece, columns, values)
        });
        let written = parallel::share(&mut workers, places, stop, |_, (piece, columns, values), _| {
            for ((place, to), (column, count)) in columns.iter_mut().zip(values).zip(piece.entries()) {
                *place = column as i32;
                *to = T::from_count(value(count));
            }
            true
        });
        if prepared && written { Ok(Self { starts, columns, values }) } else { Err(Error::Interrupted) }
    }

    /// The rows of one piece, without the cost of sharing the work.
    fn of_one(piece: &Piece, value: impl Fn(u32) -> i64) -> Self {
        let ends = piece.lengths().iter().scan(0, |end, &length| {
            *end += i64::from(length);
            Some(*end)
        });
        let starts = std::iter::once(0).chain(ends).collect();
        let (mut columns, mut values) = (Vec::with_capacity(piece.len()), Vec::with_capacity(piece.len()));
        for (column, count) in piece.entries() {
            columns.push(column as i32);
            values.push(T::from_count(value(count)));
        }
        Self { starts, columns, values }
    }
}
