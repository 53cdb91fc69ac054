//! Logarithms of differences, summed document by document: for numbers of terms that depend on the document.

use crate::error::{Error, Result};
use crate::leave_one_out::sums::Documents;

/// Rows of cells, and what the entries of the documents take from them.
#[derive(Clone, Copy, Debug)]
pub struct Logs<'a> {
    /// Where the cells of each row start.
    pub starts: &'a [i64],
    /// The column of each cell.
    pub columns: &'a [u32],
    /// The number of each cell.
    pub numbers: &'a [f64],
    /// Of each entry: what it takes from the cells of its row but for that of the document's own column.
    pub taken: &'a [f64],
    /// Of each entry: what the logarithms are taken from.
    pub tops: &'a [f64],
    /// Of each entry: how often it counts.
    pub times: &'a [f64],
    /// What is left of a number at the least.
    pub least: f64,
    /// How many columns there are.
    pub width: usize,
}

impl Logs<'_> {
    fn is_sound(&self, documents: &Documents<'_>) -> bool {
        let entries = documents.rows().len();
        let rows = self.starts.len().saturating_sub(1);
        let ascend = self.starts.is_sorted() && self.starts.first() == Some(&0);
        ascend
            && self.starts.last() == Some(&(self.columns.len() as i64))
            && self.columns.len() == self.numbers.len()
            && [self.taken.len(), self.tops.len(), self.times.len()] == [entries; 3]
            && documents.rows().iter().all(|&row| (row as usize) < rows)
            && self.columns.iter().all(|&column| (column as usize) < self.width)
    }

    fn add(&self, entry: usize, row: u32, own: u32, sums: &mut [f64]) {
        let (times, top, taken) = (self.times[entry], self.tops[entry], self.taken[entry]);
        if times == 0.0 {
            return;
        }
        let cells = self.starts[row as usize] as usize..self.starts[row as usize + 1] as usize;
        for (&column, &number) in self.columns[cells.clone()].iter().zip(&self.numbers[cells]) {
            let left = if column == own { number } else { number - taken };
            sums[column as usize] += times * (top - left.max(self.least).ln());
        }
    }
}

/// The sums of `times * (top - log(number - taken))` over the entries of each document, column by column; nothing if
/// something is not there. `stop` is asked every now and then whether to give up.
pub fn sum_logs(
    documents: &Documents<'_>,
    logs: &Logs<'_>,
    threads: usize,
    stop: &dyn Fn() -> bool,
) -> Result<Option<Vec<f64>>> {
    if !logs.is_sound(documents) {
        return Ok(None);
    }
    let mut sums = vec![0.0; documents.len() * logs.width];
    let done = documents.share(&mut sums, logs.width, threads, stop, |document, entries, rows, sums| {
        for (entry, &row) in entries.zip(rows) {
            logs.add(entry, row, document, sums);
        }
    });
    if done { Ok(Some(sums)) } else { Err(Error::Interrupted) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_of_what_is_left() {
        let documents = Documents::new(&[0, 1, 2], &[0, 0], &[0, 1]).expect("sound");
        let logs = Logs {
            starts: &[0, 2],
            columns: &[0, 1],
            numbers: &[3.0, 5.0],
            taken: &[1.0, 4.0],
            tops: &[0.0, 1.0],
            times: &[1.0, 2.0],
            least: 0.5,
            width: 2,
        };
        let sums = sum_logs(&documents, &logs, 1, &|| false).expect("nothing stops it").expect("sound");
        assert_eq!(sums, [-3f64.ln(), -4f64.ln(), 2.0 * (1.0 - 0.5f64.ln()), 2.0 * (1.0 - 5f64.ln())]);
        let short = Logs { taken: &[1.0], ..logs };
        assert!(sum_logs(&documents, &short, 1, &|| false).expect("nothing stops it").is_none());
    }
}
