//! Rows that were counted elsewhere go in, in any order; counts come out, or the reason why the rows are not counts.
//!
//! The rows of several machines may have the same term and class: their amounts are added, which is exact in any order.

use crate::count::cells::Cell;
use crate::count::counts::{ClassTotal, Counts};
use crate::count::fixed_point::Amount;
use crate::store::refused::Result;
use crate::store::untrusted_rows::{NO_SUCH_CLASS, RowRules};
use crate::vocabulary::sorted_terms::{SortedTerms, shared_bytes};

/// The largest number of classes. Others have at most as many, because each has a label in memory.
const MOST_CLASSES: u32 = 1 << 24;

/// Counts that are summed from rows.
#[derive(Default)]
pub struct SummedRows {
    rules: RowRules,
    /// Whether some terms consist of words.
    phrases: bool,
    counts: Counts,
    known: SortedTerms,
}

impl SummedRows {
    /// Begins without rows.
    pub fn new(rules: RowRules, phrases: bool) -> Self {
        Self { rules, phrases, ..Self::default() }
    }

    /// Adds a row, or says what is wrong with it.
    pub fn put(&mut self, term: &[u8], cell: Cell) -> Result<()> {
        self.rules.check_term(term)?;
        if cell.class >= MOST_CLASSES {
            return Err(NO_SUCH_CLASS.into());
        }
        let shared = shared_bytes(self.known.last(), term);
        let id = self.known.intern(self.counts.vocabulary_mut(), term, shared, self.phrases);
        Ok(self.counts.put(id, cell)?)
    }

    /// The counts, if their classes can have these numbers of documents.
    pub fn finish(mut self, class_documents: &[Amount]) -> Result<Counts> {
        for id in self.counts.ids() {
            for cell in self.counts.row(id) {
                let of_class = class_documents.get(cell.class as usize).ok_or(NO_SUCH_CLASS)?;
                self.rules.check_cell(&cell, *of_class)?;
            }
        }
        for (class, &documents) in class_documents.iter().enumerate() {
            self.counts.add_total(class as u32, ClassTotal { documents, ..ClassTotal::default() })?;
        }
        Ok(self.counts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORDS: RowRules = RowRules { most_words: 2, shares: false, weighed: false };

    fn amount(number: f64) -> Amount {
        Amount::from_f64(number).expect("a fit number")
    }

    fn summed(rows: &[(&[u8], u32, f64, f64)], documents: &[f64]) -> Result<Counts> {
        let mut sums = SummedRows::new(WORDS, true);
        for &(term, class, count, documents) in rows {
            sums.put(term, Cell { class, count: amount(count), documents: amount(documents) })?;
        }
        let documents: Vec<Amount> = documents.iter().map(|&number| amount(number)).collect();
        sums.finish(&documents)
    }

    #[test]
    fn rows_in_any_order_are_added() {
        let rows: [(&[u8], u32, f64, f64); 5] = [
            (b"so good", 1, 1.0, 1.0),
            (b"good", 1, 2.5, 1.0),
            (b"good", 0, 4.0, 2.0),
            (b"good", 1, 0.5, 0.5),
            (b"bad", 0, 1.0, 1.0),
        ];
        let mut turned = rows;
        turned.reverse();
        for rows in [rows, turned] {
            let counts = summed(&rows, &[2.0, 3.0, 1.0]).expect("sound");
            assert_eq!(counts.terms(), 3);
            let good: Vec<Cell> = counts.row(counts.vocabulary().find(b"good", true)).collect();
            let expected = Cell { class: 1, count: amount(3.0), documents: amount(1.5) };
            assert_eq!(good, vec![Cell { class: 0, count: amount(4.0), documents: amount(2.0) }, expected]);
            let totals = counts.totals();
            assert_eq!((totals[1].tokens, totals[1].presences), (amount(4.0), amount(2.5)));
            assert_eq!((totals[0].documents, totals[2].documents), (amount(2.0), amount(1.0)));
        }
    }

    #[test]
    fn terms_classes_and_amounts_are_checked() {
        let cases: [(&[u8], u32, f64, &str); 4] = [
            (b"a b c", 0, 1.0, "a term has too many words"),
            (b"a", 2, 1.0, "a class is not among the classes"),
            (b"a", u32::MAX, 1.0, "a class is not among the classes"),
            (b"a", 1, 3.0, "a term has more documents than occurrences, or than its class"),
        ];
        for (term, class, documents, expected) in cases {
            let found = summed(&[(term, class, 9.0, documents)], &[2.0, 2.0]).err();
            assert_eq!(found, Some(expected.into()), "{term:?}");
        }
    }
}
