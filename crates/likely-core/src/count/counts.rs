//! The counts: everything that naive Bayes learns.

use crate::count::cells::{Cell, Cells};
use crate::count::class_sums::ClassSum;
use crate::count::fixed_point::Amount;
use crate::error::{Error, Result};
use crate::vocabulary::order::sorted;
use crate::vocabulary::term_ids::{UNKNOWN, Vocabulary};

/// The error of sums that do not fit.
pub(super) const TOO_MANY: Error = Error::TooLarge("more than 2^64 documents or tokens in a class");

/// The totals of a class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClassTotal {
    /// The weighted number of documents.
    pub documents: Amount,
    /// The weighted number of occurrences of terms.
    pub tokens: Amount,
    /// The weighted number of pairs of a document and a distinct term in it.
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
    pub(crate) fn plus(self, other: Self) -> Result<Self> {
        self.combine(other, Amount::checked_add).ok_or(TOO_MANY)
    }

    pub(crate) fn is_zero(&self) -> bool {
        *self == Self::default()
    }
}

/// Pairs of ids of an n-gram and the n-gram it becomes, and the ids of n-grams that can no longer occur.
pub type Folds = (Vec<(u32, u32)>, Vec<u32>);

/// Everything that naive Bayes learns: how often each term occurs in each class, and in how many documents.
#[derive(Clone, Default)]
pub struct Counts {
    pub(crate) vocabulary: Vocabulary,
    pub(crate) cells: Cells,
    pub(super) totals: Vec<ClassTotal>,
}

impl Counts {
    /// Counts of these parts: the cells have the ids of the vocabulary, and add up to the totals.
    pub(crate) fn of_parts(vocabulary: Vocabulary, cells: Cells, totals: Vec<ClassTotal>) -> Self {
        Self { vocabulary, cells, totals }
    }

    /// All terms, and the words and shorter n-grams that they consist of.
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// Whether all ids were handed out here.
    pub fn knows(&self, ids: &[u32]) -> bool {
        ids.iter().all(|&id| (id as usize) < self.vocabulary.len())
    }

    /// The number of terms that occur.
    pub fn terms(&self) -> usize {
        self.cells.filled_rows()
    }

    /// The number of pairs of a term and a class that occur.
    pub fn pairs(&self) -> usize {
        self.cells.len()
    }

    /// The totals of the classes, by number. Those of a class that was forgotten are zero.
    pub fn totals(&self) -> &[ClassTotal] {
        &self.totals
    }

    /// Whether no document is left in the counts.
    pub fn is_empty(&self) -> bool {
        self.totals.iter().all(ClassTotal::is_zero)
    }

    /// Whether all amounts are whole numbers, and so small that any sums of them below 2^53 are exact as doubles.
    pub fn are_whole(&self) -> bool {
        self.cells.are_small()
    }

    /// The cells of some terms, row after row.
    pub fn rows<'a>(&'a self, ids: &'a [u32]) -> impl Iterator<Item = Cell> + 'a {
        self.each_row(ids).flatten()
    }

    /// The cells of each of some terms.
    pub fn each_row<'a>(
        &'a self,
        ids: &'a [u32],
    ) -> impl Iterator<Item = impl Iterator<Item = Cell> + Clone + 'a> + 'a {
        ids.iter().enumerate().map(|(at, &id)| {
            self.cells.prefetch_ahead(ids, at);
            self.cells.row(id)
        })
    }

    /// The cells of a term, sorted by class.
    pub fn row(&self, id: u32) -> impl Iterator<Item = Cell> + Clone + '_ {
        self.cells.row(id)
    }

    /// The number of classes in which a term occurs; 0 for a term that is not (or no longer) counted.
    #[inline]
    pub fn row_length(&self, id: u32) -> usize {
        self.cells.row_length(id)
    }

    /// The ids of all terms that occur, in no particular order.
    pub fn ids(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.cells.rows() as u32).filter(|&id| self.row_length(id) > 0)
    }

    /// The sum of the counts of all terms that occur in at most one document.
    pub fn count_in_single_documents(&self) -> f64 {
        let single = |&id: &u32| {
            let within = self.row(id).try_fold(Amount::ZERO, |sum, cell| sum.checked_add(cell.documents));
            within.is_some_and(|documents| documents <= Amount::ONE)
        };
        ClassSum::of(self.ids().filter(single).flat_map(|id| self.row(id)).map(|cell| cell.count)).to_f64()
    }

    /// The ids of all terms that occur, sorted by term.
    pub fn sorted_ids(&self) -> Vec<u32> {
        // Rows are far apart in the order of terms, but not these answers.
        let occurs: Vec<bool> = (0..self.vocabulary.len() as u32).map(|id| self.row_length(id) > 0).collect();
        sorted(&self.vocabulary, |id| occurs[id as usize])
    }

    /// Adds one cell, and adds its amounts to the totals of the class.
    pub fn put(&mut self, id: u32, cell: Cell) -> Result<()> {
        self.cells.add(id, cell)?;
        let more = ClassTotal { documents: Amount::ZERO, tokens: cell.count, presences: cell.documents };
        self.add_total(cell.class, more)
    }

    /// Adds to the totals of a class.
    pub fn add_total(&mut self, class: u32, more: ClassTotal) -> Result<()> {
        if self.totals.len() <= class as usize {
            self.totals.resize(class as usize + 1, ClassTotal::default());
        }
        let total = &mut self.totals[class as usize];
        *total = total.plus(more)?;
        Ok(())
    }

    /// The vocabulary, so that terms can be added.
    pub fn vocabulary_mut(&mut self) -> &mut Vocabulary {
        &mut self.vocabulary
    }

    /// What happens to n-grams if words are folded into others.
    pub fn folds_of_phrases(&self, folds: &[(u32, u32)]) -> Result<Folds> {
        if !folds.iter().all(|&(rare, frequent)| self.knows(&[rare, frequent])) {
            return Err(Error::Misfit);
        }
        let mapped = self.vocabulary.folded(folds);
        let changed = self.ids().filter(|&id| mapped[id as usize] != id && self.vocabulary.words_in(id) > 1);
        let (known, lost): (Vec<u32>, Vec<u32>) = changed.partition(|&id| mapped[id as usize] != UNKNOWN);
        Ok((known.into_iter().map(|id| (id, mapped[id as usize])).collect(), lost))
    }

    /// The same counts with the rows of some terms added to those of others. Each pair is a term that goes and the
    /// term that takes its counts; no term may be on both sides. Ids stay the same.
    pub fn folded(&self, folds: &[(u32, u32)]) -> Result<Self> {
        if !folds.iter().all(|&(rare, frequent)| self.knows(&[rare, frequent])) {
            return Err(Error::Misfit);
        }
        let mut folded = self.clone();
        for &(rare, frequent) in folds {
            for cell in self.row(rare) {
                folded.cells.subtract(rare, cell);
                folded.cells.add(frequent, cell)?;
            }
        }
        Ok(folded)
    }

    /// Whether most of the memory belongs to forgotten terms, so that a fresh copy would need far less.
    pub fn is_worn(&self) -> bool {
        self.cells.is_worn()
    }

    /// The same counts without any trace of forgotten terms and classes. Class `c` becomes `classes[c]`; a class that
    /// is [`UNKNOWN`](crate::vocabulary::term_ids::UNKNOWN) there must be empty. Ids are new.
    pub fn compacted(&self, classes: &[u32]) -> Result<Self> {
        let mut fresh = Self::default();
        for (class, total) in self.totals.iter().enumerate().filter(|(_, total)| !total.is_zero()) {
            let class = classes.get(class).copied().filter(|&class| class != UNKNOWN);
            fresh.add_total(class.ok_or(Error::Misfit)?, *total)?;
        }
        let ids: Vec<u32> = self.ids().collect();
        for (&id, here) in ids.iter().zip(fresh.vocabulary.adopt(&self.vocabulary, &ids)) {
            fresh.cells.add_row(here, &self.cells, id, classes)?;
        }
        Ok(fresh)
    }
}
