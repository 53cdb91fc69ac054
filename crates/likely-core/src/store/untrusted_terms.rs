//! The terms of rows that nobody has checked go in; a vocabulary comes out, or the reason why they are not its terms.

use crate::count::cells::Cells;
use crate::store::untrusted_rows::{RowRules, Unsound};
use crate::vocabulary::sorted_terms::SortedTerms;
use crate::vocabulary::term_ids::Vocabulary;
use std::ops::Range;

/// Terms with their rows. They must come sorted by term.
pub(super) struct UntrustedTerms {
    rules: RowRules,
    /// Whether some terms consist of several words.
    phrases: bool,
    pub(super) known: SortedTerms,
    pub(super) vocabulary: Vocabulary,
    /// The id of each term, sorted by term.
    pub(super) ids: Vec<u32>,
    /// The places of the rows of each term; what they count is stored elsewhere.
    pub(super) cells: Cells,
    /// The places of the rows of the last term.
    last: Range<u32>,
}

impl UntrustedTerms {
    pub(super) fn new(rules: RowRules, phrases: bool) -> Self {
        Self {
            rules,
            phrases,
            known: SortedTerms::in_order(),
            vocabulary: Vocabulary::default(),
            ids: Vec::new(),
            cells: Cells::default(),
            last: 0..0,
        }
    }

    /// Makes room for this number of terms.
    pub(super) fn reserve(&mut self, terms: usize) {
        self.ids.reserve(terms);
        self.vocabulary.reserve(terms, self.phrases);
        self.cells.reserve(terms);
    }

    /// Takes in the places of the next rows, which have this term, or says what is wrong with it.
    #[inline]
    pub(super) fn put(&mut self, term: &[u8], rows: Range<u32>) -> Result<(), Unsound> {
        match self.ids.last() {
            Some(&id) if self.known.last() == term => {
                // If its rows are not together, they begin again with some class.
                if rows.start != self.last.end {
                    return Err(Unsound::ClassesNotSorted);
                }
                self.last.end = rows.end;
                self.cells.hold(id, self.last.clone());
                return Ok(());
            }
            Some(_) if self.known.last() > term => return Err(Unsound::TermsNotSorted),
            _ => self.rules.check_term(term)?,
        }
        let id = self.known.intern(&mut self.vocabulary, term, self.phrases);
        self.ids.push(id);
        self.cells.hold(id, rows.clone());
        self.last = rows;
        Ok(())
    }
}
