//! Documents and cells of their terms go in; sums of logarithms of differences come out, document by document.
//!
//! They are for numbers of a term that depend on the document: each entry of a document takes its own amount away from
//! the cells of its row.

use crate::error::{Error, Result};
use crate::leave_one_out::sums::Documents;
use crate::ragged::Ragged;

/// Rows of cells, and what the entries of the documents do with them.
#[derive(Clone, Copy, Debug)]
pub struct LogSums<'a> {
    /// The cells of each row.
    pub cells: Ragged<'a>,
    /// The number of each cell.
    pub numbers: &'a [f64],
    /// Whether the number of each cell is that of a single document. If this document takes it away, 0 is left, and
    /// not what rounding would leave.
    pub single: &'a [bool],
    /// What the entries of the documents do.
    pub entries: Entries<'a>,
}

/// What each entry of the documents does with the cells of its row.
#[derive(Clone, Copy, Debug)]
pub struct Entries<'a> {
    /// What the entry subtracts from the number of each cell, except for the cell of the document's gold column.
    pub taken: &'a [f64],
    /// What the logarithms are subtracted from.
    pub tops: &'a [f64],
    /// How often the entry counts.
    pub times: &'a [f64],
    /// What is added to what is left of a number.
    pub alpha: f64,
}

impl LogSums<'_> {
    fn is_sound(&self, documents: &Documents<'_>) -> bool {
        let Entries { taken, tops, times, .. } = self.entries;
        [self.numbers.len(), self.single.len()] == [self.cells.entries(); 2]
            && [taken.len(), tops.len(), times.len()] == [documents.entries(); 3]
            && documents.fit(self.cells.rows())
    }

    fn add(&self, entry: usize, row: u32, gold: u32, sums: &mut [f64]) {
        let Entries { taken, tops, times, alpha } = self.entries;
        let (times, top, taken) = (times[entry], tops[entry], taken[entry]);
        if times == 0.0 {
            return;
        }
        let numbers = self.cells.row_with(row as usize, self.numbers);
        for ((column, number), (_, single)) in numbers.zip(self.cells.row_with(row as usize, self.single)) {
            let left = match (column == gold, single) {
                (true, _) => number,
                (false, true) => 0.0,
                (false, false) => (number - taken).max(0.0),
            };
            sums[column as usize] += times * (top - (left + alpha).ln());
        }
    }
}

/// The sums of `times * (top - log(number - taken + alpha))` over the entries of each document, column by column;
/// `None` if the parts do not fit each other. `stop` is asked from time to time whether to give up.
pub fn sum_logs(
    documents: &Documents<'_>,
    logs: &LogSums<'_>,
    threads: usize,
    stop: &dyn Fn() -> bool,
) -> Result<Option<Vec<f64>>> {
    if !logs.is_sound(documents) {
        return Ok(None);
    }
    let width = logs.cells.width();
    let mut sums = vec![0.0; documents.len() * width];
    let done = documents.share(&mut sums, width, threads, stop, |gold, entries, rows, sums| {
        for (entry, &row) in entries.zip(rows) {
            logs.add(entry, row, gold, sums);
        }
    });
    if done { Ok(Some(sums)) } else { Err(Error::Interrupted) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_of_what_is_left() {
        let rows = Ragged::new(&[0, 1, 2], &[0, 0], 1).expect("sound");
        let documents = Documents::new(rows, &[0, 1]).expect("sound");
        let entries = Entries { taken: &[1.0, 4.0], tops: &[0.0, 1.0], times: &[1.0, 2.0], alpha: 0.5 };
        let cells = Ragged::new(&[0, 2], &[0, 1], 2).expect("sound");
        let logs = LogSums { cells, numbers: &[3.0, 5.0], single: &[false, false], entries };
        let sums = sum_logs(&documents, &logs, 1, &|| false).expect("nothing stops it").expect("sound");
        assert_eq!(sums, [-3.5f64.ln(), -4.5f64.ln(), 2.0 * (1.0 - 0.5f64.ln()), 2.0 * (1.0 - 5.5f64.ln())]);
        let single = LogSums { single: &[true, true], ..logs };
        let sums = sum_logs(&documents, &single, 1, &|| false).expect("nothing stops it").expect("sound");
        assert_eq!(sums, [-3.5f64.ln(), -0.5f64.ln(), 2.0 * (1.0 - 0.5f64.ln()), 2.0 * (1.0 - 5.5f64.ln())]);
        for unsound in [
            LogSums { entries: Entries { taken: &[1.0], ..entries }, ..logs },
            LogSums { numbers: &[3.0], ..logs },
            LogSums { single: &[true], ..logs },
            LogSums { cells: Ragged::new(&[0], &[], 2).expect("sound"), numbers: &[], single: &[], ..logs },
        ] {
            assert!(sum_logs(&documents, &unsound, 1, &|| false).expect("nothing stops it").is_none());
        }
    }
}
