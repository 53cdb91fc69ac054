//! The algebra of counts: add, take away.

use crate::count::cells::{Cell, Cells};
use crate::count::fixed_point::Amount;
use crate::error::{Error, Result};
use crate::vocabulary::term_ids::{UNKNOWN, Vocabulary};

/// What is known of a class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClassTotal {
    /// Weighted documents.
    pub documents: Amount,
    /// Weighted occurrences of terms.
    pub tokens: Amount,
    /// Weighted pairs of a document and a distinct term in it.
    pub presences: Amount,
}

impl ClassTotal {
    pub(super) fn combine(self, other: Self, with: impl Fn(Amount, Amount) -> Option<Amount>) -> Option<Self> {
        Some(Self {
            documents: with(self.documents, other.documents)?,
            tokens: with(self.tokens, other.tokens)?,
            presences: with(self.presences, other.presences)?,
        })
    }

    /// The sum, if it fits.
    pub(crate) fn plus(self, other: Self) -> Option<Self> {
        self.combine(other, Amount::checked_add)
    }

    pub(crate) fn is_zero(&self) -> bool {
        *self == Self::default()
    }
}

/// Everything naive Bayes knows.
#[derive(Clone, Default)]
pub struct Counts {
    pub(crate) vocabulary: Vocabulary,
    pub(crate) cells: Cells,
    pub(super) totals: Vec<ClassTotal>,
}

impl Counts {
    /// No counts, and a vocabulary to begin with.
    pub(crate) fn with_vocabulary(vocabulary: Vocabulary) -> Self {
        Self { vocabulary, ..Self::default() }
    }

    /// All the terms, and what they are made of.
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// How many terms occur.
    pub fn terms(&self) -> usize {
        self.cells.filled_rows()
    }

    /// How many pairs of a term and a class occur.
    pub fn pairs(&self) -> usize {
        self.cells.len()
    }

    /// The classes by number; one that has been forgotten is all zero.
    pub fn totals(&self) -> &[ClassTotal] {
        &self.totals
    }

    /// Whether any document has been learned and not forgotten.
    pub fn is_empty(&self) -> bool {
        self.totals.iter().all(ClassTotal::is_zero)
    }

    /// The cells of some terms, row after row.
    pub fn rows<'a>(&'a self, ids: &'a [u32]) -> impl Iterator<Item = Cell> + 'a {
        ids.iter().enumerate().flat_map(|(at, &id)| {
            self.cells.prefetch_ahead(ids, at);
            self.cells.row(id)
        })
    }

    /// The classes a term occurs in, ascending.
    pub fn classes(&self, id: u32) -> impl Iterator<Item = u32> + '_ {
        self.cells.classes(id)
    }

    /// The cells of a term, by class.
    pub fn row(&self, id: u32) -> impl Iterator<Item = Cell> + '_ {
        self.cells.row(id)
    }

    /// What is known of a term in one class.
    pub fn cell(&self, id: u32, class: u32) -> Cell {
        self.cells.get(id, class)
    }

    /// In how many classes a term occurs; 0 for one that is not (or no longer) counted.
    #[inline]
    pub fn row_length(&self, id: u32) -> usize {
        self.cells.row_length(id)
    }

    /// The ids of all terms that occur, in no particular order.
    pub fn ids(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.cells.rows() as u32).filter(|&id| self.row_length(id) > 0)
    }

    /// The ids of all terms that occur, sorted by term.
    pub fn sorted_ids(&self) -> Vec<u32> {
        let mut bytes = Vec::new();
        let mut spelled: Vec<(usize, usize, u32)> = Vec::with_capacity(self.terms());
        for id in self.ids() {
            let start = bytes.len();
            self.vocabulary.spell(id, &mut bytes);
            spelled.push((start, bytes.len(), id));
        }
        spelled.sort_unstable_by(|a, b| bytes[a.0..a.1].cmp(&bytes[b.0..b.1]));
        spelled.into_iter().map(|(_, _, id)| id).collect()
    }

    /// Adds one cell and its share of the class totals: how counts are read back from a table.
    pub fn put(&mut self, id: u32, cell: Cell) -> Result<()> {
        self.cells.add(id, cell)?;
        let more = ClassTotal { documents: Amount::ZERO, tokens: cell.count, presences: cell.documents };
        self.add_total(cell.class, more)
    }

    /// Adds to what is known of a class.
    pub fn add_total(&mut self, class: u32, more: ClassTotal) -> Result<()> {
        if self.totals.len() <= class as usize {
            self.totals.resize(class as usize + 1, ClassTotal::default());
        }
        let total = &mut self.totals[class as usize];
        *total = total
            .combine(more, Amount::checked_add)
            .ok_or(Error::TooLarge("more than 2^64 documents or tokens in a class"))?;
        Ok(())
    }

    /// The vocabulary, for terms to be added to.
    pub fn vocabulary_mut(&mut self) -> &mut Vocabulary {
        &mut self.vocabulary
    }

    /// What n-grams of folded words are folded into: pairs of ids, and those that then can no longer be met.
    pub fn folds_of_phrases(&self, folds: &[(u32, u32)]) -> (Vec<(u32, u32)>, Vec<u32>) {
        let mapped = self.vocabulary.folded(folds);
        let changed = self.ids().filter(|&id| mapped[id as usize] != id && self.vocabulary.words_in(id) > 1);
        let (known, lost): (Vec<u32>, Vec<u32>) = changed.partition(|&id| mapped[id as usize] != UNKNOWN);
        (known.into_iter().map(|id| (id, mapped[id as usize])).collect(), lost)
    }

    /// The same counts with the rows of some terms added to those of others: pairs of what goes and what it goes to,
    /// none of them on both sides. Ids stay.
    pub fn folded(&self, folds: &[(u32, u32)]) -> Result<Self> {
        let mut folded = self.clone();
        for &(rare, frequent) in folds {
            for cell in self.row(rare) {
                folded.cells.subtract(rare, cell);
                folded.cells.add(frequent, cell)?;
            }
        }
        Ok(folded)
    }

    /// How many pairs there is room for in memory.
    pub fn room(&self) -> usize {
        self.cells.room()
    }

    /// Whether so much room is kept for what was forgotten that a fresh copy would do with far less.
    pub fn is_worn(&self) -> bool {
        self.cells.is_worn()
    }

    /// The same counts without a trace of forgotten terms and classes: class `c` becomes `classes[c]`, those that are
    /// [`UNKNOWN`] there must have nothing. Ids are new.
    pub fn compacted(&self, classes: &[u32]) -> Result<Self> {
        let mut fresh = Self::default();
        for (total, &class) in self.totals.iter().zip(classes).filter(|(total, _)| !total.is_zero()) {
            fresh.add_total(class, *total)?;
        }
        for id in self.ids() {
            let here = fresh.vocabulary.adopt(&self.vocabulary, id);
            fresh.cells.add_row(here, &self.cells, id, classes)?;
        }
        Ok(fresh)
    }
}
