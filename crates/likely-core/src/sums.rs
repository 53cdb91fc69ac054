//! Numbers of terms, summed document by document: nothing is known here of what they mean.

use crate::error::{Error, Result};
use crate::parallel;

/// Rows of cells, each with two numbers: what it adds to its column, and what it adds if that is the document's own.
#[derive(Clone, Copy, Debug)]
pub struct Numbers<'a> {
    starts: &'a [i64],
    columns: &'a [u32],
    pairs: &'a [[f64; 2]],
    width: usize,
}

impl<'a> Numbers<'a> {
    /// The cells of row `r` are `starts[r]..starts[r + 1]`; nothing if they are not there, or a column is not.
    pub fn new(starts: &'a [i64], columns: &'a [u32], pairs: &'a [[f64; 2]], width: usize) -> Option<Self> {
        let sound = ascend_to(starts, columns.len())
            && columns.len() == pairs.len()
            && columns.iter().all(|&column| (column as usize) < width);
        sound.then_some(Self { starts, columns, pairs, width })
    }

    fn rows(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    #[inline]
    fn add(&self, row: u32, own: u32, sums: &mut [f64]) {
        let (start, end) = (self.starts[row as usize] as usize, self.starts[row as usize + 1] as usize);
        for (&column, pair) in self.columns[start..end].iter().zip(&self.pairs[start..end]) {
            sums[column as usize] += pair[usize::from(column == own)];
        }
    }
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
    numbers: &Numbers<'_>,
    threads: usize,
    stop: &dyn Fn() -> bool,
) -> Result<Option<Vec<f64>>> {
    let width = numbers.width;
    if documents.rows.iter().any(|&row| row as usize >= numbers.rows()) {
        return Ok(None);
    }
    let mut sums = vec![0.0; documents.own.len() * width];
    let mut workers = vec![(); parallel::threads_for(size_of_val(documents.rows), threads)];
    let mut rest = sums.as_mut_slice();
    let blocks = parallel::blocks(documents.lengths()).into_iter().map(|block| {
        let (here, after) = std::mem::take(&mut rest).split_at_mut(block.len() * width);
        rest = after;
        (block, here)
    });
    let done = parallel::share(&mut workers, blocks, stop, |(), (block, sums), _| {
        for (document, sums) in block.zip(sums.chunks_mut(width.max(1))) {
            let (start, end) = (documents.starts[document] as usize, documents.starts[document + 1] as usize);
            let own = documents.own[document];
            documents.rows[start..end].iter().for_each(|&row| numbers.add(row, own, sums));
        }
        true
    });
    if done { Ok(Some(sums)) } else { Err(Error::Interrupted) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_the_documents_whatever_the_threads() {
        let pairs = [[1.0, 10.0], [2.0, 20.0], [4.0, 40.0]];
        let numbers = Numbers::new(&[0, 2, 2, 3], &[0, 1, 1], &pairs, 3).expect("sound");
        let (starts, own): (Vec<i64>, Vec<u32>) =
            ((0..=300_000).map(|at| at * 3 / 2).collect(), [0, 1].repeat(150_000));
        let rows = [0, 1, 2].repeat(150_000);
        let documents = Documents::new(&starts, &rows, &own).expect("sound");
        for threads in [1, 3] {
            let sums =
                sum_rows(&documents, &numbers, threads, &|| false).expect("nothing stops it").expect("sound");
            assert_eq!(sums[..6], [10.0, 2.0, 0.0, 0.0, 40.0, 0.0]);
            assert_eq!(sums[..6], sums[sums.len() - 6..]);
        }
    }

    #[test]
    fn what_is_not_there_is_refused() {
        assert!(Numbers::new(&[0, 2], &[0], &[[0.0; 2]], 1).is_none());
        assert!(Numbers::new(&[0, 1], &[1], &[[0.0; 2]], 1).is_none());
        assert!(Documents::new(&[0, 1], &[0], &[]).is_none());
        let numbers = Numbers::new(&[0, 1], &[0], &[[1.0; 2]], 1).expect("sound");
        let documents = Documents::new(&[0, 1], &[1], &[0]).expect("sound");
        assert!(sum_rows(&documents, &numbers, 1, &|| false).expect("nothing stops it").is_none());
    }
}
