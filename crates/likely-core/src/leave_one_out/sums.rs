//! Documents and numbers of their terms go in; the sums of the numbers come out, document by document.
//!
//! Nothing is known here of what the numbers mean.

use crate::error::{Error, Result};
use crate::parallel;
use crate::ragged::Ragged;
use std::ops::Range;

/// Up to this many columns the numbers are stored dense.
const FEW: usize = 8;
/// With more columns they are stored dense if at least one in this many numbers is not 0.
const SHARE: usize = 3;

/// Rows of numbers: what a row adds to some columns, and what it adds to the column of the document's gold label.
#[derive(Debug)]
pub struct Numbers {
    rows: usize,
    width: usize,
    cells: Cells,
}

#[derive(Debug)]
enum Cells {
    /// Row after row, one number per column. Without `golds` the gold column is like any other; without `others` all
    /// other numbers are 0.
    Dense { others: Vec<f64>, golds: Vec<f64> },
    /// Row after row, the numbers that are not 0.
    Sparse { starts: Vec<usize>, cells: Vec<Cell> },
}

#[derive(Clone, Copy, Debug)]
struct Cell {
    column: u32,
    /// What the cell adds to its column, and what it adds if the column is that of the gold label.
    numbers: [f64; 2],
}

impl Numbers {
    /// The numbers of a table that has no column twice in a row: what each cell adds to its column, and what it adds
    /// if the column is that of the gold label (`None` if that is the same). The result is `None` if a cell has no
    /// number.
    pub fn new(cells: Ragged<'_>, others: &[f64], golds: Option<&[f64]>) -> Option<Self> {
        let (rows, width) = (cells.rows(), cells.width());
        if others.len() != cells.entries() || golds.is_some_and(|golds| golds.len() != others.len()) {
            return None;
        }
        let either = |at: usize| others[at] != 0.0 || golds.is_some_and(|golds| golds[at] != 0.0);
        let some = (0..others.len()).filter(|&at| either(at)).count();
        let cells = if width <= FEW || some * SHARE >= rows * width {
            let all_zero = others.iter().all(|&number| number == 0.0);
            let others = if all_zero { Vec::new() } else { dense(cells, others) };
            Cells::Dense { others, golds: golds.map_or(Vec::new(), |golds| dense(cells, golds)) }
        } else {
            let (mut starts, mut kept) = (Vec::with_capacity(rows + 1), Vec::with_capacity(some));
            starts.push(0);
            for row in 0..rows {
                for at in cells.row(row).filter(|&at| either(at)) {
                    let gold = golds.map_or(others[at], |golds| golds[at]);
                    kept.push(Cell { column: cells.columns()[at], numbers: [others[at], gold] });
                }
                starts.push(kept.len());
            }
            Cells::Sparse { starts, cells: kept }
        };
        Some(Self { rows, width, cells })
    }

    /// Adds up some rows.
    fn add(&self, rows: &[u32], gold: u32, sums: &mut [f64]) {
        match &self.cells {
            Cells::Dense { others, golds } => {
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
                if let (false, Some(sum)) = (golds.is_empty(), sums.get_mut(gold as usize)) {
                    *sum = rows.iter().map(|&row| golds[row as usize * self.width + gold as usize]).sum();
                }
            }
            Cells::Sparse { starts, cells } => {
                for &row in rows {
                    for cell in &cells[starts[row as usize]..starts[row as usize + 1]] {
                        sums[cell.column as usize] += cell.numbers[usize::from(cell.column == gold)];
                    }
                }
            }
        }
    }
}

fn dense(cells: Ragged<'_>, numbers: &[f64]) -> Vec<f64> {
    let width = cells.width();
    let mut table = vec![0.0; cells.rows() * width];
    for row in 0..cells.rows() {
        for (column, number) in cells.row_with(row, numbers) {
            table[row * width + column as usize] = number;
        }
    }
    table
}

/// Adds up rows of a known size, so that their sums stay in registers.
fn add_of<const N: usize>(table: &[f64], rows: &[u32], sums: &mut [f64]) {
    let table = table.as_chunks::<N>().0;
    let mut of_rows = [0.0; N];
    for &row in rows {
        of_rows.iter_mut().zip(&table[row as usize]).for_each(|(sum, number)| *sum += number);
    }
    sums.iter_mut().zip(of_rows).for_each(|(sum, more)| *sum += more);
}

/// Documents as rows of a table of numbers, each with the column of its gold label.
#[derive(Clone, Copy, Debug)]
pub struct Documents<'a> {
    rows: Ragged<'a>,
    golds: &'a [u32],
}

impl<'a> Documents<'a> {
    /// The columns of `rows` are rows of the table of numbers. The result is `None` if there is not one gold label per
    /// document.
    pub fn new(rows: Ragged<'a>, golds: &'a [u32]) -> Option<Self> {
        (rows.rows() == golds.len()).then_some(Self { rows, golds })
    }

    /// The number of documents.
    pub(crate) fn len(&self) -> usize {
        self.golds.len()
    }

    /// The number of entries of all documents.
    pub(crate) fn entries(&self) -> usize {
        self.rows.entries()
    }

    /// Whether all rows are among this number of rows.
    pub(crate) fn fit(&self, rows: usize) -> bool {
        self.rows.width() <= rows
    }

    /// Calls `add` with the gold column of each document, the places of its entries, their rows, and the document's
    /// sums; returns false if it was stopped.
    pub(crate) fn share(
        &self,
        sums: &mut [f64],
        width: usize,
        threads: usize,
        stop: &dyn Fn() -> bool,
        add: impl Fn(u32, Range<usize>, &[u32], &mut [f64]) + Sync,
    ) -> bool {
        let mut workers = vec![(); parallel::threads_for(size_of_val(self.rows.columns()), threads)];
        let lengths = (0..self.len()).map(|document| self.rows.row(document).len() * size_of::<u64>());
        let blocks = parallel::with_rows(parallel::blocks(lengths), sums, width);
        parallel::share(&mut workers, blocks, stop, |(), (block, sums), _| {
            for (document, sums) in block.zip(sums.chunks_mut(width.max(1))) {
                let places = self.rows.row(document);
                add(self.golds[document], places.clone(), &self.rows.columns()[places], sums);
            }
            true
        })
    }
}

/// The sums of the rows of each document, column by column; `None` if a document has a row that is not there.
///
/// `stop` is asked from time to time whether to give up.
pub fn sum_rows(
    documents: &Documents<'_>,
    numbers: &Numbers,
    threads: usize,
    stop: &dyn Fn() -> bool,
) -> Result<Option<Vec<f64>>> {
    if !documents.fit(numbers.rows) {
        return Ok(None);
    }
    let width = numbers.width;
    let mut sums = vec![0.0; documents.len() * width];
    let done =
        documents.share(&mut sums, width, threads, stop, |gold, _, rows, sums| numbers.add(rows, gold, sums));
    if done { Ok(Some(sums)) } else { Err(Error::Interrupted) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(starts: &[i64], columns: &[u32], others: &[f64], golds: Option<&[f64]>, width: usize) -> Numbers {
        Numbers::new(Ragged::new(starts, columns, width).expect("sound"), others, golds).expect("sound")
    }

    fn sums(documents: &Documents<'_>, numbers: &Numbers, threads: usize) -> Vec<f64> {
        sum_rows(documents, numbers, threads, &|| false).expect("nothing stops it").expect("sound")
    }

    #[test]
    fn sums_are_those_of_the_documents_whatever_the_threads() {
        let golds = [0, 1].repeat(150_000);
        let bounds: Vec<i64> = (0..=300_000).map(|at| at * 3 / 2).collect();
        let rows = [0, 1, 2].repeat(150_000);
        let rows = Ragged::new(&bounds, &rows, 3).expect("sound");
        let documents = Documents::new(rows, &golds).expect("sound");
        for width in [2, 3, 7, 90] {
            let golds = Some(&[10.0, 20.0, 40.0][..]);
            let numbers = numbers(&[0, 2, 2, 3], &[0, 1, 1], &[1.0, 2.0, 4.0], golds, width);
            for threads in [1, 3] {
                let sums = sums(&documents, &numbers, threads);
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
        let golds: Vec<f64> = others.iter().map(|number| number * 3.0).collect();
        let rows: Vec<u32> = (0..40).chain(0..40).collect();
        let rows = Ragged::new(&[0, 30, 30, 80], &rows, 40).expect("sound");
        let documents = Documents::new(rows, &[3, 4, 8]).expect("sound");
        let sums = |width: usize, golds: Option<&[f64]>| {
            let sums = sums(&documents, &numbers(&starts, &columns, &others, golds, width), 1);
            sums.chunks(width).flat_map(|row| row[..9].to_vec()).collect::<Vec<f64>>()
        };
        for golds in [Some(&golds[..]), None] {
            assert_eq!(sums(9, golds), sums(200, golds));
        }
    }

    #[test]
    fn what_is_not_there_is_refused() {
        let cells = Ragged::new(&[0, 1], &[0], 1).expect("sound");
        assert!(Numbers::new(cells, &[], None).is_none());
        assert!(Numbers::new(cells, &[0.0], Some(&[])).is_none());
        assert!(Documents::new(cells, &[]).is_none());
        let numbers = Numbers::new(cells, &[1.0], None).expect("sound");
        let rows = Ragged::new(&[0, 1], &[1], 2).expect("sound");
        let documents = Documents::new(rows, &[0]).expect("sound");
        assert!(sum_rows(&documents, &numbers, 1, &|| false).expect("nothing stops it").is_none());
    }
}
