//! What rows count that nobody has checked goes in; cells and totals come out, or the reason why they are not counts.

use crate::count::cells::Cell;
use crate::count::counts::ClassTotal;
use crate::count::fixed_point::Amount;
use crate::count::stored_cells::StoredCells;
use crate::error::Error;
use crate::store::refused::Result;
use crate::store::untrusted_rows::{LARGEST_WEIGHT, NO_SUCH_CLASS, RowRules};

/// The cells of rows, in their order.
pub(super) struct UntrustedCells<'a> {
    rules: RowRules,
    class_documents: &'a [Amount],
    pub(super) stored: StoredCells,
    pub(super) totals: Vec<ClassTotal>,
    /// The learned weight of each row, 0 if it has none; empty if none are learned.
    pub(super) weights: Vec<f32>,
}

impl<'a> UntrustedCells<'a> {
    /// Begins the rows of classes with these numbers of documents.
    pub(super) fn new(rules: RowRules, class_documents: &'a [Amount]) -> Self {
        let total = |&documents: &Amount| ClassTotal { documents, ..ClassTotal::default() };
        let totals = class_documents.iter().map(total).collect();
        Self { rules, class_documents, stored: StoredCells::default(), totals, weights: Vec::new() }
    }

    /// Makes room for this number of further rows.
    pub(super) fn reserve(&mut self, rows: usize) {
        self.stored.reserve(rows);
    }

    /// The number of rows until now.
    pub(super) fn rows(&self) -> usize {
        self.stored.len()
    }

    /// Takes in the cell of the next row, or says what is wrong with it. The weight is 0 if none was learned.
    #[inline]
    pub(super) fn put(&mut self, cell: Cell, weight: f32) -> Result<()> {
        let of_class = self.class_documents.get(cell.class as usize).ok_or(NO_SUCH_CLASS)?;
        if self.rules.weighed {
            // What is not a number is in no range.
            if !(-LARGEST_WEIGHT..=LARGEST_WEIGHT).contains(&weight) {
                return Err("a weight is not a finite number, or is larger than any that is learned".into());
            }
            self.weights.push(weight);
        }
        let is_bare = weight != 0.0 && self.rules.weighed && cell.documents.is_zero() && cell.count.is_zero();
        if !is_bare {
            self.rules.check_cell(&cell, *of_class)?;
            let more = ClassTotal { documents: Amount::ZERO, tokens: cell.count, presences: cell.documents };
            let total = &mut self.totals[cell.class as usize];
            *total = total.plus(more)?;
        }
        if self.stored.len() >= MOST_ROWS {
            return Err(Error::TooLarge("more than 4 billion counts").into());
        }
        self.stored.push(cell);
        Ok(())
    }
}

/// The places of cells are numbers of 32 bits.
const MOST_ROWS: usize = u32::MAX as usize - 1;
