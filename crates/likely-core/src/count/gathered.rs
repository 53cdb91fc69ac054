//! Ids of terms go in; a number per term or per cell comes out, in the same order. Many of them are made on two threads.

use crate::count::cells::Cell;
use crate::count::counts::Counts;
use crate::parallel::both;

/// Below this number of terms another thread costs more than it gives.
const FEW: usize = 1 << 15;

impl Counts {
    /// A number per term.
    pub fn gather_rows<T: Copy + Default + Send>(&self, ids: &[u32], of: impl Fn(u32) -> T + Sync) -> Vec<T> {
        self.gather(ids, |_| 1, |id, numbers| numbers[0] = of(id))
    }

    /// A number per cell of each term, row after row.
    pub fn gather_cells<T: Copy + Default + Send>(&self, ids: &[u32], of: impl Fn(Cell) -> T + Sync) -> Vec<T> {
        let fill = |id, numbers: &mut [T]| {
            self.cells.row(id).zip(numbers).for_each(|(cell, number)| *number = of(cell));
        };
        self.gather(ids, |id| self.row_length(id), fill)
    }

    /// As many numbers per term as `size` says, which `fill` makes.
    #[inline]
    fn gather<T: Copy + Default + Send>(
        &self,
        ids: &[u32],
        size: impl Fn(u32) -> usize + Sync,
        fill: impl Fn(u32, &mut [T]) + Sync,
    ) -> Vec<T> {
        let (first, second) = ids.split_at(if ids.len() < FEW { 0 } else { ids.len() / 2 });
        let [middle, rest] = [first, second].map(|ids| ids.iter().map(|&id| size(id)).sum::<usize>());
        let mut numbers = vec![T::default(); middle + rest];
        let fill_all = |ids: &[u32], mut numbers: &mut [T]| {
            for (at, &id) in ids.iter().enumerate() {
                self.cells.prefetch_ahead(ids, at);
                fill(id, numbers.split_off_mut(..size(id)).unwrap_or_default());
            }
        };
        let (before, after) = numbers.split_at_mut(middle);
        both(!first.is_empty(), || fill_all(first, before), || fill_all(second, after));
        numbers
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::fixed_point::Amount;

    #[test]
    fn numbers_are_in_the_order_of_the_ids() {
        let mut counts = Counts::default();
        for term in 0..2 * FEW as u32 {
            for class in 0..term % 3 {
                let cell = Cell { class, count: Amount::new(u64::from(term), 0), documents: Amount::ONE };
                counts.put(term, cell).expect("small");
            }
        }
        for size in [0, 1, FEW, 2 * FEW] {
            let ids: Vec<u32> = (0..size as u32).rev().collect();
            let expected: Vec<u64> = counts.rows(&ids).map(|cell| cell.count.whole()).collect();
            assert_eq!(counts.gather_cells(&ids, |cell| cell.count.whole()), expected);
            let lengths: Vec<usize> = ids.iter().map(|&id| id as usize % 3).collect();
            assert_eq!(counts.gather_rows(&ids, |id| counts.row_length(id)), lengths);
        }
    }
}
