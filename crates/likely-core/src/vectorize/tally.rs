//! Counts by column, one row at a time, read out in the order of the columns.

use crate::prefetch::prefetch;

/// As many columns as are worth a place each; with more, memory is waited for longer than sorting takes.
const MOST: usize = 1 << 20;

/// The counts of a row, all zero between rows.
#[derive(Default)]
pub(crate) struct Tallies {
    counts: Vec<u32>,
    /// One bit a column: whether it is in the row.
    marks: Vec<u64>,
    /// One bit a word of `marks`: whether it has any.
    blocks: Vec<u64>,
}

impl Tallies {
    /// Makes room for so many columns; false if they are too many.
    pub(crate) fn make_room(&mut self, columns: usize) -> bool {
        if columns > MOST {
            return false;
        }
        if self.counts.len() < columns {
            self.counts.resize(columns, 0);
            self.marks.resize(columns.div_ceil(64), 0);
            self.blocks.resize(columns.div_ceil(64 * 64), 0);
        }
        true
    }

    /// Asks for the memory that counting a column will touch.
    #[inline]
    pub(crate) fn prefetch(&self, column: u32) {
        prefetch(&self.counts, column as usize);
    }

    /// Counts a column, for which there must be room; below zero counts wrap around.
    #[inline]
    pub(crate) fn add(&mut self, column: u32, amount: u32) {
        let column = column as usize;
        self.counts[column] = self.counts[column].wrapping_add(amount);
        self.marks[column / 64] |= 1 << (column % 64);
        self.blocks[column / (64 * 64)] |= 1 << (column / 64 % 64);
    }

    /// Calls `each` with the columns of the row, in order, and their counts.
    #[inline]
    pub(crate) fn drain(&mut self, mut each: impl FnMut(u32, u32)) {
        for (first, block) in self.blocks.iter_mut().enumerate() {
            for word in ones(std::mem::take(block)) {
                let word = 64 * first + word;
                for bit in ones(std::mem::take(&mut self.marks[word])) {
                    let column = 64 * word + bit;
                    each(column as u32, std::mem::take(&mut self.counts[column]));
                }
            }
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

    #[test]
    fn columns_come_in_order_once() {
        let mut tallies = Tallies::default();
        assert!(tallies.make_room(9000) && !tallies.make_room(MOST + 1));
        for _ in 0..2 {
            for column in [8999, 0, 63, 64, 4096, 0, 8999] {
                tallies.add(column, 1);
            }
            tallies.add(64, u32::MAX);
            let mut found = Vec::new();
            tallies.drain(|column, count| found.push((column, count)));
            assert_eq!(found, [(0, 2), (63, 1), (64, 0), (4096, 1), (8999, 2)]);
        }
    }
}
