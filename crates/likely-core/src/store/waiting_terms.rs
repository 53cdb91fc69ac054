//! The terms of the first part of a table, if the second is read too: each waits for its turn in the order of all terms.

use crate::store::refused::Result;
use crate::store::untrusted_terms::UntrustedTerms;
use std::ops::Range;

/// Terms with the places of their rows, in their order.
#[derive(Default)]
pub(super) struct WaitingTerms {
    /// All terms, one after the other.
    spelled: Vec<u8>,
    /// Where each term ends, and the places of its rows.
    terms: Vec<(usize, Range<u32>)>,
    /// The number of terms whose turn has come.
    done: usize,
}

impl WaitingTerms {
    /// The number of terms, also of those whose turn has come.
    pub(super) fn len(&self) -> usize {
        self.terms.len()
    }

    fn spelled(&self, term: usize) -> &[u8] {
        let start = if term == 0 { 0 } else { self.terms[term - 1].0 };
        &self.spelled[start..self.terms[term].0]
    }

    /// Adds the place of the next row, which has this term.
    pub(super) fn push(&mut self, term: &[u8], place: Range<u32>) {
        if !self.terms.is_empty() && self.spelled(self.terms.len() - 1) == term {
            self.terms.last_mut().into_iter().for_each(|(_, places)| places.end = place.end);
            return;
        }
        self.spelled.extend_from_slice(term);
        self.terms.push((self.spelled.len(), place));
    }

    /// Puts all terms that do not sort after a term; all terms if it is `None`.
    #[inline]
    pub(super) fn put_until(&mut self, term: Option<&[u8]>, into: &mut UntrustedTerms) -> Result<()> {
        while self.done < self.terms.len() {
            let waiting = self.spelled(self.done);
            if term.is_some_and(|term| term < waiting) {
                break;
            }
            into.put(waiting, 0, self.terms[self.done].1.clone())?;
            self.done += 1;
        }
        Ok(())
    }
}
