//! The terms of rows that nobody has checked go in; a vocabulary comes out, or the reason why they are not its terms.

use crate::count::cells::Cells;
use crate::store::refused::Result;
use crate::store::term_check::TermCheck;
use crate::store::untrusted_rows::{CLASSES_NOT_SORTED, RowRules};
use crate::vocabulary::sorted_terms::{SortedTerms, shared_bytes};
use crate::vocabulary::term_ids::Vocabulary;
use std::ops::Range;

/// Terms with their rows. They must come sorted by term.
pub(super) struct UntrustedTerms {
    rules: RowRules,
    /// Whether some terms consist of several words.
    pub(super) phrases: bool,
    check: TermCheck,
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
            check: TermCheck::default(),
            known: SortedTerms::in_order(),
            vocabulary: Vocabulary::default(),
            ids: Vec::new(),
            cells: Cells::default(),
            last: 0..0,
        }
    }

    /// Makes room for this number of terms, except for the hash table in which they will be found.
    pub(super) fn reserve(&mut self, terms: usize) {
        self.ids.reserve(terms);
        self.vocabulary.reserve_apart(terms);
        self.cells.reserve(terms);
    }

    /// Takes in the places of the next rows, which have this term, or says what is wrong with it. It begins with at least
    /// `shared` bytes like the term before.
    #[inline]
    pub(super) fn put(&mut self, term: &[u8], shared: usize, rows: Range<u32>) -> Result<()> {
        let last = self.known.last();
        let shared = shared + shared_bytes(&last[shared..], &term[shared..]);
        if !self.ids.is_empty() {
            if shared == term.len() && shared == last.len() {
                // If its rows are not together, they begin again with some class.
                let follows = rows.start == self.last.end;
                self.last.end = rows.end;
                return if follows { Ok(()) } else { Err(CLASSES_NOT_SORTED.into()) };
            }
            if last.get(shared) > term.get(shared) {
                return Err("the terms are not sorted".into());
            }
        }
        self.check.check(term, (last, shared), self.rules.most_words)?;
        self.finish();
        let id = self.known.intern(&mut self.vocabulary, term, shared, self.phrases);
        self.ids.push(id);
        self.last = rows;
        Ok(())
    }

    /// Must be called after the last term.
    pub(super) fn finish(&mut self) {
        if let Some(&id) = self.ids.last() {
            self.cells.hold(id, self.last.clone());
        }
    }
}
