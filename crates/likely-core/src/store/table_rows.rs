//! Counts and learned weights go in; the rows of the table of a model file come out, few of them at a time.

use crate::count::cells::Cell;
use crate::count::counts::Counts;
use crate::parallel::both;
use crate::prefetch::AHEAD;
use crate::ragged::Ragged;
use crate::vocabulary::term_ids::UNKNOWN;
use std::ops::Range;

/// The number of rows in a row group. It ends with the last row of a term, so it may have a few more.
const PART: usize = 1 << 20;
/// The number of rows that are made at a time. The crate `parquet` takes in 1024 values at a time, and the bytes of a
/// file must not depend on how many there are in a block.
const BLOCK: usize = 4 * 1024;
/// Below this number of terms another thread costs more than it gives.
const FEW: usize = 1 << 15;

/// Learned weights: those of each term, by the rank of the class.
pub type Learned<'a> = (Ragged<'a>, &'a [f32]);

/// A row, without its term.
#[derive(Clone, Copy)]
pub(super) struct Row {
    /// The class of the cell is its rank.
    pub(super) cell: Cell,
    /// The learned weight, 0 if there is none.
    pub(super) weight: f32,
}

/// The bits that any of some numbers has, in its whole part and in its fraction.
#[derive(Clone, Copy, Default)]
pub(super) struct Bits {
    pub(super) whole: u64,
    pub(super) fraction: u64,
}

impl Bits {
    fn add(&mut self, whole: u64, fraction: u64) {
        self.whole |= whole;
        self.fraction |= fraction;
    }
}

/// What must be known of all rows before the first is written.
#[derive(Default)]
struct Survey {
    /// The number of rows of each term.
    lengths: Vec<u32>,
    /// All ranks are below this number.
    classes: usize,
    /// The bits of the counts and of the documents.
    bits: [Bits; 2],
}

impl Survey {
    fn add(&mut self, of_term: &[Row]) {
        self.lengths.push(of_term.len() as u32);
        for Row { cell, .. } in of_term {
            self.classes = self.classes.max(cell.class as usize + 1);
            for (bits, amount) in self.bits.iter_mut().zip([cell.count, cell.documents]) {
                bits.add(amount.whole(), amount.fraction());
            }
        }
    }

    /// Adds what is known of the terms that follow.
    fn append(&mut self, mut other: Self) {
        self.lengths.append(&mut other.lengths);
        self.classes = self.classes.max(other.classes);
        for (bits, more) in self.bits.iter_mut().zip(other.bits) {
            bits.add(more.whole, more.fraction);
        }
    }
}

/// The rows of the table: those of the first part and then all others, both sorted by term and class. They are made
/// when they are asked for, because all of them would take more memory than the counts.
pub struct TableRows<'a> {
    counts: &'a Counts,
    ids: &'a [u32],
    ranks: &'a [u32],
    learned: Option<Learned<'a>>,
    /// The terms of each row group, by place.
    pub(super) groups: Vec<Range<usize>>,
    /// The number of rows.
    pub(super) size: usize,
    survey: Survey,
}

impl<'a> TableRows<'a> {
    /// The rows of some terms, in their order; `ranks` are the ranks of the classes. A term has also a row where it
    /// has a learned weight but does not occur. `None` if a class has no rank, or a term no weights. The first `kept`
    /// terms have row groups of their own.
    pub fn new(
        counts: &'a Counts,
        ids: &'a [u32],
        ranks: &'a [u32],
        learned: Option<Learned<'a>>,
        kept: usize,
    ) -> Option<Self> {
        if !counts.knows(ids) {
            return None;
        }
        if learned.is_some_and(|(table, weights)| table.rows() != ids.len() || table.entries() != weights.len()) {
            return None;
        }
        let survey = Survey::default();
        let mut rows = Self { counts, ids, ranks, learned, groups: Vec::new(), size: 0, survey };
        let middle = if ids.len() < FEW { 0 } else { ids.len() / 2 };
        let (mut survey, second) =
            both(middle > 0, || rows.surveyed(0..middle), || rows.surveyed(middle..ids.len()));
        survey.append(second);
        // `UNKNOWN` stands for a rank that is missing.
        if survey.classes > UNKNOWN as usize {
            return None;
        }
        let (mut start, mut in_group) = (0, 0);
        for (term, &length) in survey.lengths.iter().enumerate() {
            in_group += length as usize;
            let is_last = [kept, ids.len()].contains(&(term + 1));
            if in_group >= PART || is_last && in_group > 0 {
                rows.size += in_group;
                rows.groups.push(start..term + 1);
                (start, in_group) = (term + 1, 0);
            }
        }
        rows.survey = survey;
        Some(rows)
    }

    fn surveyed(&self, terms: Range<usize>) -> Survey {
        let (mut survey, mut of_term) = (Survey::default(), Vec::new());
        for term in terms {
            of_term.clear();
            self.push(term, &mut of_term);
            survey.add(&of_term);
        }
        survey
    }

    /// Appends the rows of a term: one per class, which has a count, a weight or both.
    #[inline]
    fn push(&self, term: usize, rows: &mut Vec<Row>) {
        self.counts.cells.prefetch_ahead(self.ids, term);
        let first = rows.len();
        for cell in self.counts.row(self.ids[term]) {
            let class = self.ranks.get(cell.class as usize).copied().unwrap_or(UNKNOWN);
            rows.push(Row { cell: Cell { class, ..cell }, weight: 0.0 });
        }
        rows[first..].sort_unstable_by_key(|row| row.cell.class);
        let Some((table, weights)) = self.learned else { return };
        let counted = rows.len();
        for (class, weight) in table.row_with(term, weights) {
            match rows[first..counted].binary_search_by_key(&class, |row| row.cell.class) {
                Ok(at) => rows[first + at].weight = weight,
                Err(_) => rows.push(Row { cell: Cell { class, ..Cell::default() }, weight }),
            }
        }
        rows[first..].sort_unstable_by_key(|row| row.cell.class);
    }

    /// The number that all ranks are below.
    pub fn classes(&self) -> usize {
        self.survey.classes
    }

    /// The bits of the counts and of the documents of all rows.
    pub(super) fn bits(&self) -> [Bits; 2] {
        self.survey.bits
    }

    /// Whether weights were learned.
    pub(super) fn are_weighed(&self) -> bool {
        self.learned.is_some()
    }

    /// Calls `take` with the rows of some terms, block by block. All blocks but the last have the same size.
    pub(super) fn each_block<E>(
        &self,
        terms: Range<usize>,
        mut take: impl FnMut(&[Row]) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut rows = Vec::with_capacity(2 * BLOCK);
        for term in terms {
            self.push(term, &mut rows);
            while rows.len() >= BLOCK {
                take(&rows[..BLOCK])?;
                rows.drain(..BLOCK);
            }
        }
        take(&rows)
    }

    /// The cells of all rows, with ranks in place of classes.
    pub fn cells(&self) -> Vec<Cell> {
        let mut rows = Vec::with_capacity(self.size);
        (0..self.ids.len()).for_each(|term| self.push(term, &mut rows));
        rows.into_iter().map(|row| row.cell).collect()
    }

    /// Calls `take` with the terms of the rows of some terms, in the same blocks: all bytes, and where the term of each
    /// row lies among them.
    pub(super) fn each_spelled_block<E>(
        &self,
        terms: Range<usize>,
        mut take: impl FnMut(Vec<u8>, Vec<Range<usize>>) -> Result<(), E>,
    ) -> Result<(), E> {
        let vocabulary = self.counts.vocabulary();
        let (mut spelled, mut places) = (Vec::new(), Vec::with_capacity(BLOCK));
        for term in terms {
            if let Some(&id) = self.ids.get(term + AHEAD) {
                vocabulary.prefetch_parts(id);
            }
            let mut start = spelled.len();
            vocabulary.spell(self.ids[term], &mut spelled);
            for _ in 0..self.survey.lengths[term] {
                places.push(start..spelled.len());
                if places.len() == BLOCK {
                    let last = spelled[start..].to_vec();
                    take(std::mem::replace(&mut spelled, last), std::mem::take(&mut places))?;
                    start = 0;
                }
            }
        }
        take(spelled, places)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::fixed_point::Amount;
    use std::convert::Infallible;

    #[test]
    fn blocks_have_all_rows_with_their_terms() {
        let (mut counts, classes) = (Counts::default(), 3_000);
        let terms = ["a", "b", "b c"];
        let ids = terms.map(|term| counts.vocabulary_mut().intern(term.as_bytes(), true));
        for class in 0..classes {
            for &id in &ids {
                let cell = Cell { class, count: Amount::ONE, documents: Amount::ONE };
                counts.put(id, cell).expect("small");
            }
        }
        let ranks: Vec<u32> = (0..classes).rev().collect();
        let (starts, columns) = ([0, 1, 1, 2], [7, classes]);
        let table = Ragged::new(&starts, &columns, classes as usize + 1).expect("sound");
        let rows = TableRows::new(&counts, &ids, &ranks, Some((table, &[0.5, 0.25])), 1).expect("ranked");
        assert_eq!((rows.groups.clone(), rows.size, rows.classes()), (vec![0..1, 1..3], 9_001, 3_001));
        let (mut found, mut sizes, mut spelled) = (Vec::new(), Vec::new(), Vec::new());
        for group in &rows.groups {
            let taken = rows.each_block(group.clone(), |block| {
                sizes.push(block.len());
                found.extend_from_slice(block);
                Ok::<(), Infallible>(())
            });
            let read = rows.each_spelled_block(group.clone(), |bytes, places| {
                spelled.extend(places.into_iter().map(|place| bytes[place].to_vec()));
                Ok::<(), Infallible>(())
            });
            assert!(taken.is_ok() && read.is_ok());
        }
        assert_eq!(sizes, [3_000, 4_096, 1_905]);
        assert_eq!(found.iter().map(|row| row.cell).collect::<Vec<Cell>>(), rows.cells());
        assert!(found[..3_000].is_sorted_by_key(|row| row.cell.class));
        let weighed = found.iter().enumerate().filter(|(_, row)| row.weight != 0.0);
        assert_eq!(weighed.map(|(at, row)| (at, row.weight)).collect::<Vec<_>>(), [(7, 0.5), (9_000, 0.25)]);
        let expected = terms.iter().enumerate().flat_map(|(at, term)| vec![term.as_bytes(); 3_000 + at / 2]);
        assert!(spelled.iter().eq(expected));
    }

    #[test]
    fn classes_without_rank_are_refused() {
        let mut counts = Counts::default();
        let id = counts.vocabulary_mut().intern(b"a", true);
        counts.put(id, Cell { class: 1, count: Amount::ONE, documents: Amount::ONE }).expect("small");
        assert!(TableRows::new(&counts, &[id], &[0], None, 1).is_none());
        assert!(TableRows::new(&counts, &[id], &[1, 0], None, 1).is_some());
        assert!(TableRows::new(&counts, &[id + 1], &[1, 0], None, 1).is_none());
    }
}
