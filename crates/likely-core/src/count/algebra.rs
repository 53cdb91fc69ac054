//! Counts plus counts, and counts minus counts. Both are exact, and a change is made completely or not at all.

use crate::count::cells::{Cell, Cells};
use crate::count::counts::Counts;
use crate::count::fixed_point::Amount;
use crate::error::{Error, Result};
use crate::parallel;
use crate::vocabulary::term_ids::UNKNOWN;
use std::collections::HashSet;
use std::sync::mpsc;

impl Counts {
    /// Adds other counts, whose class `c` is class `classes[c]` here; returns the ids of the terms that changed.
    ///
    /// If there is an error, nothing has changed.
    pub fn merge(&mut self, other: &Self, classes: &[u32]) -> Result<Vec<u32>> {
        self.check_sums(other, classes)?;
        let ids = self.vocabulary.absorb(&other.vocabulary, &|| false, |_| ())?;
        add_rows(&mut self.cells, other, classes, 0, &ids)?;
        self.add_totals(other, classes)?;
        let occurs = |(there, _): &(usize, &u32)| other.row_length(*there as u32) > 0;
        Ok(ids.iter().enumerate().filter(occurs).map(|(_, &here)| here).collect())
    }

    /// Like [`Counts::merge`], but it can be stopped at any time; these counts are then lost.
    ///
    /// One thread adds the terms while another adds the counts of the terms that are already in.
    pub(crate) fn merge_or_lose(mut self, other: &Self, stop: &dyn Fn() -> bool) -> Result<Self> {
        let classes: Vec<u32> = (0..other.totals.len() as u32).collect();
        self.check_sums(other, &classes)?;
        let Self { vocabulary, cells, .. } = &mut self;
        let (send, receive) = mpsc::channel::<Vec<u32>>();
        let numbers = classes.as_slice();
        let add = move || {
            let mut first = 0;
            receive.into_iter().try_for_each(|ids| {
                add_rows(cells, other, numbers, first, &ids)?;
                first += ids.len();
                Ok(())
            })
        };
        // Sending fails only if the other thread has given up; its error is returned below. The channel has room for all
        // terms, in case that no second thread can be had.
        let absorb = move || vocabulary.absorb(&other.vocabulary, stop, |ids| _ = send.send(ids.to_vec()));
        let (added, absorbed) = parallel::both(true, add, absorb);
        absorbed?;
        added?;
        self.add_totals(other, &classes)?;
        Ok(self)
    }

    fn add_totals(&mut self, other: &Self, classes: &[u32]) -> Result<()> {
        other.totals.iter().zip(classes).try_for_each(|(total, &class)| self.add_total(class, *total))
    }

    /// Checks that each class has a number of its own elsewhere.
    fn check_classes(&self, classes: &[u32]) -> Result<()> {
        let used = classes.get(..self.totals.len()).ok_or(Error::Misfit)?;
        let distinct = used.iter().collect::<HashSet<_>>().len();
        if distinct == used.len() { Ok(()) } else { Err(Error::Misfit) }
    }

    /// Checks that all sums fit. A term occurs in a class no more often than all terms together, so the totals of the
    /// classes are enough.
    fn check_sums(&self, other: &Self, classes: &[u32]) -> Result<()> {
        other.check_classes(classes)?;
        if !self.cells.has_room_for(other.pairs()) {
            return Err(Error::TooLarge("more than a billion counts"));
        }
        for (total, &class) in other.totals.iter().zip(classes) {
            let have = self.totals.get(class as usize).copied().unwrap_or_default();
            have.plus(*total)?;
        }
        Ok(())
    }

    /// Subtracts other counts; returns the ids of the terms that changed.
    ///
    /// If the other counts are not contained in these, there is an error and nothing has changed.
    pub fn subtract(&mut self, other: &Self, classes: &[u32]) -> Result<Vec<u32>> {
        other.check_classes(classes)?;
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
            // A class that has no documents left must have nothing left.
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
}

/// Adds the rows of `other`, starting at row `first`, to the rows of the given ids.
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
