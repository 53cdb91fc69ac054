//! The algebra of counts: add, take away.

use crate::count::cells::{Cell, Cells};
use crate::count::fixed_point::Amount;
use crate::error::{Error, Result};
use crate::vocabulary::term_ids::{UNKNOWN, Vocabulary};
use std::sync::mpsc;
use std::thread;

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
    fn combine(self, other: Self, with: impl Fn(Amount, Amount) -> Option<Amount>) -> Option<Self> {
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
    totals: Vec<ClassTotal>,
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

    /// Adds other counts, whose class `c` is class `classes[c]` here; returns the ids of the terms that changed.
    ///
    /// On an error nothing has changed.
    pub fn merge(&mut self, other: &Self, classes: &[u32]) -> Result<Vec<u32>> {
        self.check_sums(other, classes)?;
        let ids = self.vocabulary.absorb(&other.vocabulary, &|| false, |_| ())?;
        add_rows(&mut self.cells, other, classes, 0, &ids)?;
        self.add_totals(other, classes)?;
        let occurs = |(there, _): &(usize, &u32)| other.row_length(*there as u32) > 0;
        Ok(ids.iter().enumerate().filter(occurs).map(|(_, &here)| here).collect())
    }

    /// As [`Counts::merge`], but may be stopped at any time; these counts are then lost.
    ///
    /// While one thread takes in the terms, another adds the counts of those that are in.
    pub(crate) fn merge_or_lose(mut self, other: &Self, stop: &dyn Fn() -> bool) -> Result<Self> {
        let classes: Vec<u32> = (0..other.totals.len() as u32).collect();
        self.check_sums(other, &classes)?;
        let Self { vocabulary, cells, .. } = &mut self;
        let (send, receive) = mpsc::channel::<Vec<u32>>();
        thread::scope(|scope| {
            let adding = scope.spawn(|| {
                let mut first = 0;
                for ids in receive {
                    add_rows(cells, other, &classes, first, &ids)?;
                    first += ids.len();
                }
                Ok(())
            });
            vocabulary.absorb(&other.vocabulary, stop, |ids| {
                // It fails only if the other thread has given up, which says why below.
                let _ = send.send(ids.to_vec());
            })?;
            drop(send);
            adding.join().unwrap_or(Err(Error::Interrupted))
        })?;
        self.add_totals(other, &classes)?;
        Ok(self)
    }

    fn add_totals(&mut self, other: &Self, classes: &[u32]) -> Result<()> {
        other.totals.iter().zip(classes).try_for_each(|(total, &class)| self.add_total(class, *total))
    }

    /// A term of a class has no more occurrences than the class, so the class totals tell whether all sums fit.
    fn check_sums(&self, other: &Self, classes: &[u32]) -> Result<()> {
        if !self.cells.has_room_for(other.pairs()) {
            return Err(Error::TooLarge("more than a billion counts"));
        }
        for (total, &class) in other.totals.iter().zip(classes) {
            let have = self.totals.get(class as usize).copied().unwrap_or_default();
            have.combine(*total, Amount::checked_add)
                .ok_or(Error::TooLarge("more than 2^64 documents or tokens in a class"))?;
        }
        Ok(())
    }

    /// Takes other counts away; returns the ids of the terms that changed.
    ///
    /// What is not there cannot be taken away: then it is an error, and nothing has changed.
    pub fn subtract(&mut self, other: &Self, classes: &[u32]) -> Result<Vec<u32>> {
        let ids = self.vocabulary.locate(&other.vocabulary);
        self.check_differences(other, classes, &ids)?;
        let mut changed = Vec::with_capacity(other.terms());
        for (there, &here) in ids.iter().enumerate() {
            let there = there as u32;
            if other.row_length(there) == 0 {
                continue;
            }
            changed.push(here);
            for cell in other.row(there) {
                self.cells.subtract(here, Cell { class: classes[cell.class as usize], ..cell });
            }
        }
        for (total, &class) in other.totals.iter().zip(classes).filter(|(total, _)| !total.is_zero()) {
            let have = &mut self.totals[class as usize];
            *have = have.combine(*total, Amount::checked_sub).unwrap_or_default();
        }
        Ok(changed)
    }

    fn check_differences(&self, other: &Self, classes: &[u32], ids: &[u32]) -> Result<()> {
        for (total, &class) in other.totals.iter().zip(classes).filter(|(total, _)| !total.is_zero()) {
            let have = self.totals.get(class as usize).copied().unwrap_or_default();
            let rest = have.combine(*total, Amount::checked_sub);
            // A class whose documents are all gone must have nothing left.
            if !rest.is_some_and(|rest| !rest.documents.is_zero() || rest.is_zero()) {
                return Err(Error::NotLearned { term: None, class });
            }
        }
        for (there, &here) in ids.iter().enumerate() {
            for cell in other.row(there as u32) {
                let class = classes[cell.class as usize];
                let have = if here == UNKNOWN { Cell::default() } else { self.cells.get(here, class) };
                let count = have.count.checked_sub(cell.count);
                let documents = have.documents.checked_sub(cell.documents);
                let fits = matches!((count, documents), (Some(c), Some(d)) if c.is_zero() == d.is_zero());
                if !fits {
                    let term = Some(other.vocabulary.term(there as u32));
                    return Err(Error::NotLearned { term, class });
                }
            }
        }
        Ok(())
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

/// Adds the rows of `other` from `first` on to those of the given ids.
fn add_rows(cells: &mut Cells, other: &Counts, classes: &[u32], first: usize, ids: &[u32]) -> Result<()> {
    for (at, &here) in ids.iter().enumerate() {
        cells.prefetch_ahead(ids, at);
        let there = (first + at) as u32;
        if other.row_length(there) > 0 {
            cells.add_row(here, &other.cells, there, classes)?;
        }
    }
    Ok(())
}
