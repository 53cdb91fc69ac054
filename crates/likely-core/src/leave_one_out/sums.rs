//! Numbers of terms, summed document by document: nothing is known here of what they mean.

use crate::error::{Error, Result};
use crate::parallel;
use std::ops::Range;

/// Up to so many columns rows lie dense.
const FEW: usize = 8;
/// With more, they do if one in so many numbers is not 0.
const SHARE: usize = 3;

/// Rows of numbers: what each adds to some columns, and what it adds to the column that is the document's own.
#[derive(Debug)]
pub struct Numbers {
    rows: usize,
    width: usize,
    cells: Cells,
}

#[derive(Debug)]
enum Cells {
    /// Row after row, a number a column. Nothing for the own column means the same as for others, nothing for others
    /// that all are 0.
    Dense { others: Vec<f64>, owns: Vec<f64> },
    /// Row after row, what is not 0.
    Sparse { starts: Vec<usize>, cells: Vec<Cell> },
}

#[derive(Clone, Copy, Debug)]
struct Cell {
    column: u32,
    numbers: [f64; 2],
}

impl Numbers {
    /// The cells of row `r` are `starts[r]..starts[r + 1]`, no column twice: their columns, what each adds, and what it
    /// adds if the column is the document's own (or nothing if that is the same). Nothing if they are not there, or a
    /// column is not.
    pub fn new(
        starts: &[i64],
        columns: &[u32],
        others: &[f64],
        owns: Option<&[f64]>,
        width: usize,
    ) -> Option<Self> {
        let sound = ascend_to(starts, columns.len())
            && columns.len() == others.len()
            && owns.is_none_or(|owns| owns.len() == others.len())
            && columns.iter().all(|&column| (column as usize) < width);
        if !sound {
            return None;
        }
        let rows = starts.len() - 1;
        let either = |at: usize| others[at] != 0.0 || owns.is_some_and(|owns| owns[at] != 0.0);
        let some = (0..columns.len()).filter(|&at| either(at)).count();
        let cells = if width <= FEW || some * SHARE >= rows * width {
            let dense = |numbers: &[f64]| dense(starts, columns, numbers, width);
            let others = if others.iter().all(|&number| number == 0.0) { Vec::new() } else { dense(others) };
            Cells::Dense { others, owns: owns.map_or(Vec::new(), dense) }
        } else {
            let mut sparse = (Vec::with_capacity(rows + 1), Vec::with_capacity(some));
            sparse.0.push(0);
            for bounds in starts.windows(2) {
                let here = (bounds[0] as usize..bounds[1] as usize).filter(|&at| either(at));
                let own = |at: usize| owns.map_or(others[at], |owns| owns[at]);
                sparse.1.extend(here.map(|at| Cell { column: columns[at], numbers: [others[at], own(at)] }));
                sparse.0.push(sparse.1.len());
            }
            Cells::Sparse { starts: sparse.0, cells: sparse.1 }
        };
        Some(Self { rows, width, cells })
    }

    /// Adds up some rows.
    fn add(&self, rows: &[u32], own: u32, sums: &mut [f64]) {
        match &self.cells {
            Cells::Dense { others, owns } => {
                match self.width {
                    _ if others.is_empty() => {}
                    1 => add_of::<1>(others, rows, sums),
                    2 => add_of::<2>(others, rows, sums),
                    3 => add_of::<3>(others, rows, sums),
                    4 => add_of::<4>(others, rows, sums),
                    5 => add_of::<5>(others, rows, sums),
                    width => rows.iter().for_each(|&row| {
                        let row = &others[row as usize * width..][..width];
                        sums.iter_mut().zip(row).for_each(|(sum, number)| *sum += number);
                    }),
                }
                if let (false, Some(sum)) = (owns.is_empty(), sums.get_mut(own as usize)) {
                    *sum = rows.iter().map(|&row| owns[row as usize * self.width + own as usize]).sum();
                }
            }
            Cells::Sparse { starts, cells } => {
                for &row in rows {
                    for cell in &cells[starts[row as usize]..starts[row as usize + 1]] {
                        sums[cell.column as usize] += cell.numbers[usize::from(cell.column == own)];
                    }
                }
            }
        }
    }
}

fn dense(starts: &[i64], columns: &[u32], numbers: &[f64], width: usize) -> Vec<f64> {
    let mut table = vec![0.0; (starts.len() - 1) * width];
    for (row, bounds) in starts.windows(2).enumerate() {
        let cells = bounds[0] as usize..bounds[1] as usize;
        for (&column, &number) in columns[cells.clone()].iter().zip(&numbers[cells]) {
            table[row * width + column as usize] = number;
        }
    }
    table
}

/// Adds up rows of a known size, whose sums then stay in registers.
fn add_of<const N: usize>(table: &[f64], rows: &[u32], sums: &mut [f64]) {
    let table = table.as_chunks::<N>().0;
    let mut of_rows = [0.0; N];
    for &row in rows {
        of_rows.iter_mut().zip(&table[row as usize]).for_each(|(sum, number)| *sum += number);
    }
    sums.iter_mut().zip(of_rows).for_each(|(sum, more)| *sum += more);
}

/// Documents as rows of numbers, each with a column of its own.
#[derive(Clone, Copy, Debug)]
pub struct Documents<'a> {
    starts: &'a [i64],
    rows: &'a [u32],
    own: &'a [u32],
}

impl<'a> Documents<'a> {
    /// The rows of document `d` are `rows[starts[d]..starts[d + 1]]`; nothing if they are not there.
    pub fn new(starts: &'a [i64], rows: &'a [u32], own: &'a [u32]) -> Option<Self> {
        let sound = ascend_to(starts, rows.len()) && starts.len() == own.len() + 1;
        sound.then_some(Self { starts, rows, own })
    }

    /// How many documents.
    pub(crate) fn len(&self) -> usize {
        self.own.len()
    }

    /// The rows of all documents.
    pub(crate) fn rows(&self) -> &'a [u32] {
        self.rows
    }

    /// Calls `add` with each document's own column, the places of its rows, these, and the sums that are its own;
    /// false if told to stop.
    pub(crate) fn share(
        &self,
        sums: &mut [f64],
        width: usize,
        threads: usize,
        stop: &dyn Fn() -> bool,
        add: impl Fn(u32, Range<usize>, &[u32], &mut [f64]) + Sync,
    ) -> bool {
        let mut workers = vec![(); parallel::threads_for(size_of_val(self.rows), threads)];
        let mut rest = sums;
        let blocks = parallel::blocks(self.lengths()).into_iter().map(|block| {
            let (here, after) = std::mem::take(&mut rest).split_at_mut(block.len() * width);
            rest = after;
            (block, here)
        });
        parallel::share(&mut workers, blocks, stop, |(), (block, sums), _| {
            for (document, sums) in block.zip(sums.chunks_mut(width.max(1))) {
                let places = self.starts[document] as usize..self.starts[document + 1] as usize;
                add(self.own[document], places.clone(), &self.rows[places], sums);
            }
            true
        })
    }

    fn lengths(&self) -> impl Iterator<Item = usize> + '_ {
        self.starts.windows(2).map(|bounds| (bounds[1] - bounds[0]) as usize * size_of::<u64>())
    }
}

fn ascend_to(starts: &[i64], end: usize) -> bool {
    starts.first() == Some(&0) && starts.last() == Some(&(end as i64)) && starts.is_sorted()
}

/// The sums of the rows of each document, column by column; nothing if a row is not there.
///
/// `stop` is asked every now and then whether to give up.
pub fn sum_rows(
    documents: &Documents<'_>,
    numbers: &Numbers,
    threads: usize,
    stop: &dyn Fn() -> bool,
) -> Result<Option<Vec<f64>>> {
    let width = numbers.width;
    if documents.rows.iter().any(|&row| row as usize >= numbers.rows) {
        return Ok(None);
    }
    let mut sums = vec![0.0; documents.len() * width];
    let done = documents.share(&mut sums, width, threads, stop, |own, _, rows, sums| numbers.add(rows, own, sums));
    if done { Ok(Some(sums)) } else { Err(Error::Interrupted) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_the_documents_whatever_the_threads() {
        let (starts, columns, others) = ([0, 2, 2, 3], [0, 1, 1], [1.0, 2.0, 4.0]);
        let own = [0, 1].repeat(150_000);
        let bounds: Vec<i64> = (0..=300_000).map(|at| at * 3 / 2).collect();
        let rows = [0, 1, 2].repeat(150_000);
        let documents = Documents::new(&bounds, &rows, &own).expect("sound");
        for width in [2, 3, 7, 90] {
            let numbers =
                Numbers::new(&starts, &columns, &others, Some(&[10.0, 20.0, 40.0]), width).expect("sound");
            for threads in [1, 3] {
                let sums = sum_rows(&documents, &numbers, threads, &|| false).expect("nothing stops it");
                let sums = sums.expect("sound");
                assert_eq!((sums[0], sums[1]), (10.0, 2.0), "{width}");
                assert_eq!((sums[width], sums[width + 1]), (0.0, 40.0), "{width}");
                assert_eq!(sums[..2 * width], sums[sums.len() - 2 * width..]);
            }
        }
    }

    #[test]
    fn dense_and_sparse_agree() {
        let starts: Vec<i64> = (0..=40).map(|row| row * 3).collect();
        let columns: Vec<u32> = (0..40).flat_map(|row| [row % 2, 2 + row % 3, 5 + row % 4]).collect();
        let others: Vec<f64> = (0..120).map(|at| f64::from(at % 11)).collect();
        let owns: Vec<f64> = others.iter().map(|number| number * 3.0).collect();
        let rows: Vec<u32> = (0..40).chain(0..40).collect();
        let documents = Documents::new(&[0, 30, 30, 80], &rows, &[3, 4, 8]).expect("sound");
        let sums = |width: usize, owns: Option<&[f64]>| {
            let numbers = Numbers::new(&starts, &columns, &others, owns, width).expect("sound");
            let sums = sum_rows(&documents, &numbers, 1, &|| false).expect("nothing stops it").expect("sound");
            sums.chunks(width).flat_map(|row| row[..9].to_vec()).collect::<Vec<f64>>()
        };
        for owns in [Some(&owns[..]), None] {
            assert_eq!(sums(9, owns), sums(200, owns));
        }
    }

    #[test]
    fn what_is_not_there_is_refused() {
        assert!(Numbers::new(&[0, 2], &[0], &[0.0], None, 1).is_none());
        assert!(Numbers::new(&[0, 1], &[1], &[0.0], None, 1).is_none());
        assert!(Numbers::new(&[0, 1], &[0], &[0.0], Some(&[]), 1).is_none());
        assert!(Documents::new(&[0, 1], &[0], &[]).is_none());
        let numbers = Numbers::new(&[0, 1], &[0], &[1.0], None, 1).expect("sound");
        let documents = Documents::new(&[0, 1], &[1], &[0]).expect("sound");
        assert!(sum_rows(&documents, &numbers, 1, &|| false).expect("nothing stops it").is_none());
    }
}
