//! Ids of terms go in; a number per term or per cell comes out, in the same order. Many of them are made on two threads.

use crate::count::cells::Cell;
use crate::count::counts::Counts;
use crate::parallel::both;

/// Below this number of terms another thread costs more than it gives.
const FEW: usize = 1 << 15;

impl Counts {
    /// A number per term.
    pub fn gather_rows<T: Copy + Default + Send>(&self, ids: &[u32], of: impl Fn(u32) -> T + Sync) -> Vec<T> {
        let mut numbers = vec![T::default(); ids.len()];
        let fill = |ids: &[u32], numbers: &mut [T]| {
            for (at, (&id, number)) in ids.iter().zip(numbers).enumerate() {
                self.cells.prefetch_ahead(ids, at);
                *number = of(id);
            }
        };
        let middle = middle(ids);
        in_two(ids, &mut numbers, middle, middle, fill);
        numbers
    }

    /// A number per cell of each term, row after row.
    pub fn gather_cells<T: Copy + Default + Send>(&self, ids: &[u32], of: impl Fn(Cell) -> T + Sync) -> Vec<T> {
        let size = |ids: &[u32]| ids.iter().map(|&id| self.row_length(id)).sum();
        let middle = middle(ids);
        let (first, second): (usize, usize) = (size(&ids[..middle]), size(&ids[middle..]));
        let mut numbers = vec![T::default(); first + second];
        let fill = |ids: &[u32], numbers: &mut [T]| {
            let mut numbers = numbers.iter_mut();
            for (at, &id) in ids.iter().enumerate() {
                self.cells.prefetch_ahead(ids, at);
                self.cells.row(id).zip(&mut numbers).for_each(|(cell, number)| *number = of(cell));
            }
        };
        in_two(ids, &mut numbers, middle, first, fill);
        numbers
    }
}

/// Where some ids are divided: nowhere if they are few.
fn middle(ids: &[u32]) -> usize {
    if ids.len() < FEW { 0 } else { ids.len() / 2 }
}

/// Fills the numbers of the ids before `middle`, which end at `end`, and those of all others.
fn in_two<T: Send>(
    ids: &[u32],
    numbers: &mut [T],
    middle: usize,
    end: usize,
    fill: impl Fn(&[u32], &mut [T]) + Sync,
) {
    let (first, second) = numbers.split_at_mut(end);
    both(middle > 0, || fill(&ids[..middle], first), || fill(&ids[middle..], second));
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
