//! Counts and learned weights go in; the rows of the table of a model file come out.

use crate::count::cells::Cell;
use crate::count::counts::Counts;
use crate::count::fixed_point::Amount;
use crate::ragged::Ragged;
use std::ops::Range;

/// The number of rows in a row group. It ends with the last row of a term, so it may have a few more.
const PART: usize = 1 << 20;

/// Learned weights: those of each term, by the rank of the class.
pub type Learned<'a> = (Ragged<'a>, &'a [f32]);

/// The rows of the table: those of the first part and then all others, both sorted by term and class.
#[derive(Default)]
pub struct TableRows {
    /// All terms, one after the other, and where each ends.
    pub(super) spelled: Vec<u8>,
    pub(super) ends: Vec<usize>,
    /// The term of each row, by its place.
    pub(super) terms: Vec<u32>,
    /// The class of each row is its rank.
    pub(super) cells: Vec<Cell>,
    /// The weight of each row, if weights were learned.
    pub(super) weights: Option<Vec<f32>>,
    /// The row groups.
    pub(super) groups: Vec<Range<usize>>,
}

impl TableRows {
    /// The rows of some terms, in their order; `ranks` are the ranks of the classes. A term has also a row where it
    /// has a learned weight but does not occur. `None` if a class has no rank, or a term no weights. The first `kept`
    /// terms have row groups of their own.
    pub fn new(
        counts: &Counts,
        ids: &[u32],
        ranks: &[u32],
        learned: Option<Learned<'_>>,
        kept: usize,
    ) -> Option<Self> {
        if !counts.knows(ids) {
            return None;
        }
        if learned.is_some_and(|(table, weights)| table.rows() != ids.len() || table.entries() != weights.len()) {
            return None;
        }
        let mut rows = Self { weights: learned.map(|_| Vec::new()), ..Self::default() };
        let (mut start, mut of_term) = (0, Vec::new());
        for (term, &id) in ids.iter().enumerate() {
            of_term.clear();
            for cell in counts.row(id) {
                of_term.push((Cell { class: *ranks.get(cell.class as usize)?, ..cell }, 0.0));
            }
            for (class, weight) in learned.iter().flat_map(|(table, weights)| table.row_with(term, weights)) {
                of_term.push((Cell { class, ..Cell::default() }, weight));
            }
            rows.put(term as u32, &mut of_term);
            counts.vocabulary().spell(id, &mut rows.spelled);
            rows.ends.push(rows.spelled.len());
            let end = rows.cells.len();
            let is_last = [kept, ids.len()].contains(&(term + 1));
            if end - start >= PART || is_last && end > start {
                rows.groups.push(start..end);
                start = end;
            }
        }
        Some(rows)
    }

    /// Appends the rows of a term: one per class, which has a count, a weight or both.
    fn put(&mut self, term: u32, of_term: &mut Vec<(Cell, f32)>) {
        of_term.sort_by_key(|(cell, _)| cell.class);
        of_term.dedup_by(|(cell, weight), (kept, kept_weight)| {
            let is_same = cell.class == kept.class;
            if is_same {
                // The count comes first, because it was there first.
                *kept_weight = *weight;
            }
            is_same
        });
        self.terms.extend(of_term.iter().map(|_| term));
        self.cells.extend(of_term.iter().map(|(cell, _)| *cell));
        self.weights.iter_mut().for_each(|weights| weights.extend(of_term.iter().map(|(_, weight)| *weight)));
    }

    /// The cells of all rows, with ranks in place of classes.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// The bytes of a term.
    pub(super) fn term(&self, term: usize) -> Range<usize> {
        let start = if term == 0 { 0 } else { self.ends[term - 1] };
        start..self.ends[term]
    }

    /// The number of bytes of the terms of all rows.
    pub(super) fn terms_size(&self) -> u64 {
        self.terms.iter().map(|&term| self.term(term as usize).len() as u64).sum()
    }

    /// One amount of all rows.
    pub(super) fn amounts(&self, of: fn(&Cell) -> Amount) -> impl Iterator<Item = Amount> + '_ {
        self.cells.iter().map(of)
    }
}
