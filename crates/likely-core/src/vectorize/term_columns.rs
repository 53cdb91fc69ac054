//! Texts go in; rows of the terms that have columns come out.

use crate::error::Result;
use crate::vectorize::gather::{Gathering, Work};
use crate::vectorize::matrix::row::entry;
use crate::vectorize::pattern::rules::Pattern;
use crate::vocabulary::term_ids::{UNKNOWN, Vocabulary};

/// Terms and their columns.
#[derive(Clone)]
pub struct TermColumns {
    vocabulary: Vocabulary,
    /// The column of each id; [`UNKNOWN`] for words that are only parts of terms.
    columns: Vec<u32>,
    /// The id of each column.
    ids: Vec<u32>,
    is_sealed: bool,
}

impl TermColumns {
    /// From a vocabulary and the ids of the columns.
    pub(crate) fn new(vocabulary: Vocabulary, ids: Vec<u32>) -> Self {
        let mut columns = vec![UNKNOWN; vocabulary.len()];
        for (column, &id) in ids.iter().enumerate() {
            columns[id as usize] = column as u32;
        }
        Self { vocabulary, columns, ids, is_sealed: false }
    }

    /// From the terms of the columns, which must differ.
    pub fn of<'a>(pattern: &Pattern, terms: impl Iterator<Item = &'a [u8]>) -> Self {
        let mut vocabulary = pattern.vocabulary(0);
        let ids = terms.map(|term| vocabulary.intern(term, pattern.makes_phrases())).collect();
        Self::new(vocabulary, ids)
    }

    /// Frees the memory that serves to find n-grams of words, more than half of the total, until it is needed.
    pub(crate) fn seal(&mut self) {
        if self.vocabulary.has_phrases() {
            self.vocabulary.seal();
            self.is_sealed = true;
        }
    }

    /// Whether [`TermColumns::unseal`] must be called before texts are read.
    pub fn is_sealed(&self) -> bool {
        self.is_sealed
    }

    /// Makes the terms ready for texts again.
    pub fn unseal(&mut self) {
        if std::mem::take(&mut self.is_sealed) {
            self.vocabulary.unseal();
        }
    }

    /// How many columns there are.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there are no columns.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    #[inline]
    pub(crate) fn column(&self, id: u32) -> u32 {
        self.columns[id as usize]
    }

    /// The column of an id that may be unknown.
    #[inline]
    fn known_column(&self, id: u32) -> u32 {
        self.columns.get(id as usize).copied().unwrap_or(UNKNOWN)
    }

    /// The column of each id.
    pub(crate) fn columns(&self) -> &[u32] {
        &self.columns
    }

    /// The term of a column.
    pub fn term(&self, column: usize) -> String {
        self.vocabulary.term(self.ids[column])
    }

    /// Appends the term of a column.
    pub fn spell(&self, column: usize, out: &mut Vec<u8>) {
        self.vocabulary.spell(self.ids[column], out);
    }

    /// The terms of only the columns for which `keep` is true.
    pub fn selected(&self, pattern: &Pattern, keep: &[bool]) -> Self {
        let mut vocabulary = pattern.vocabulary(0);
        let kept: Vec<u32> = self.ids.iter().zip(keep).filter(|(_, keep)| **keep).map(|(&id, _)| id).collect();
        let ids = vocabulary.adopt(&self.vocabulary, &kept);
        Self::new(vocabulary, ids)
    }

    /// Adds one row of the known terms per text.
    pub fn add(
        &self,
        gathering: &mut Gathering,
        pattern: &Pattern,
        texts: &[&[u8]],
        stop: &dyn Fn() -> bool,
    ) -> Result<()> {
        gathering.add(texts, stop, |text, Work { scratch, row }, go_on| {
            row.begin(self.len());
            pattern.terms(text, &mut { &self.vocabulary }, scratch, |ids, _| {
                row.extend(ids.iter().map(|&id| entry(self.known_column(id), 1)));
                go_on()
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vectorize::matrix::sparse::Matrix;
    use crate::vectorize::pattern::rules::PatternUnit;

    fn rows(terms: &TermColumns, pattern: &Pattern, texts: &[&[u8]], binary: bool) -> Matrix<i64> {
        let mut gathering = Gathering::new(2, false);
        terms.add(&mut gathering, pattern, texts, &|| false).expect("nothing stops it");
        gathering.finish(binary, &|| false).expect("nothing stops it")
    }

    #[test]
    fn known_terms_are_counted_in_their_columns() {
        let pattern = Pattern::new(PatternUnit::Word(2), 1, 2, true, std::iter::empty());
        let mut terms = TermColumns::of(&pattern, [&b"cd ab"[..], b"cd"].into_iter());
        let texts: [&[u8]; 2] = [b"cd ef cd ab", b""];
        let found = rows(&terms, &pattern, &texts, false);
        assert_eq!((found.starts, found.columns, found.values), (vec![0, 2, 2], vec![0, 1], vec![1, 2]));
        assert_eq!(rows(&terms, &pattern, &texts, true).values, [1, 1]);
        assert_eq!((0..terms.len()).map(|column| terms.term(column)).collect::<Vec<_>>(), ["cd ab", "cd"]);
        terms.seal();
        assert!(terms.is_sealed());
        terms.unseal();
        assert_eq!(rows(&terms, &pattern, &texts, false).columns, [0, 1]);
    }
}
