//! Blocks of terms go in; cells and totals come out.
//!
//! A group of documents, which have one class and one weight, is counted in tallies: small numbers that lie in one
//! array, by term. They are added to the cells when the group ends.

use crate::compensated_sum::CompensatedSum;
use crate::count::block::{Block, Group};
use crate::count::cells::Cell;
use crate::count::counts::{ClassTotal, Counts, TOO_MANY};
use crate::count::fixed_point::Amount;
use crate::count::term_value::Value;
use crate::error::Result;
use crate::prefetch::{AHEAD, prefetch};

/// What is known of a term in the group of documents that is being counted.
#[derive(Clone, Copy, Default)]
#[repr(align(16))]
struct Tally {
    count: u32,
    documents: u32,
    /// The last document in which the term was seen.
    seen: u32,
}

/// What a term counts in a document, if it depends on the document.
#[derive(Clone, Copy)]
pub(super) struct ByDocument<'a> {
    pub(super) value: Value,
    /// Whether the value is divided by the length of the document.
    pub(super) equal: bool,
    /// The weight of each term in all documents, by its id; if there is none, all are 1. A document does not count for a
    /// term of which it has nothing.
    pub(super) scales: Option<&'a [f64]>,
}

impl ByDocument<'_> {
    /// What a term counts before it is divided by the length.
    fn of(self, id: u32, frequency: u32) -> f64 {
        let value = self.value.of(frequency);
        self.scales.map_or(value, |scales| value * scales[id as usize])
    }
}

/// Counts the terms of documents.
#[derive(Default)]
pub(super) struct Tallies<'a> {
    by_document: Option<ByDocument<'a>>,
    /// The cells and totals of the groups that have ended. The vocabulary is elsewhere as long as terms are counted.
    counts: Counts,
    tallies: Vec<Tally>,
    /// The terms with a tally, in the order in which they came.
    touched: Vec<u32>,
    /// If the value of a term depends on the document: the weighted sums of the terms, and the terms of the document.
    sums: Vec<Amount>,
    fresh: Vec<u32>,
    group: Option<Group>,
    documents: u64,
    tokens: u64,
    serial: u32,
    /// Whether the last document goes on in the next block.
    goes_on: bool,
}

impl<'a> Tallies<'a> {
    /// A tally can hold 2^32, so the sums are handed on well before.
    const FULL: u64 = if cfg!(test) { 8 } else { 1 << 31 };

    pub(super) fn new(by_document: Option<ByDocument<'a>>) -> Self {
        Self { by_document, ..Self::default() }
    }

    /// The cells and totals of everything that was added; [`Tallies::flush`] was called before.
    pub(super) fn into_counts(self) -> Counts {
        self.counts
    }

    /// Counts the documents of a block.
    pub(super) fn add(&mut self, block: &Block) -> Result<()> {
        self.make_room(block.size);
        block.documents().try_for_each(|(group, ids, ends)| self.add_terms(group, ids, ends))
    }

    /// Makes room for terms with ids below a number.
    pub(super) fn make_room(&mut self, terms: usize) {
        if self.tallies.len() < terms {
            // Room for a quarter more saves most calls the work.
            let size = terms + terms / 4;
            self.tallies.resize(size, Tally::default());
            if self.by_document.is_some() {
                self.sums.resize(size, Amount::ZERO);
            }
        }
    }

    /// Counts some terms of a document, which `ends` with them or goes on.
    pub(super) fn add_terms(&mut self, group: Group, ids: &[u32], ends: bool) -> Result<()> {
        if !self.goes_on {
            if self.group != Some(group) || self.tokens >= Self::FULL {
                self.flush()?;
                self.group = Some(group);
            }
            self.next_serial();
        } else if self.tokens >= Self::FULL && self.by_document.is_none() {
            // Within a document of which there is more text than a tally holds.
            let group = self.group;
            self.flush()?;
            self.group = group;
        }
        let Self { tallies, touched, fresh, sums, serial, .. } = self;
        self.tokens += match self.by_document {
            Some(_) => tally_document(ids, tallies, sums, touched, fresh, *serial),
            None => tally(ids, tallies, touched, *serial),
        };
        self.goes_on = !ends;
        if ends {
            self.documents += 1;
            if let Some(by_document) = self.by_document {
                self.add_document(by_document, group.1)?;
            }
        }
        Ok(())
    }

    /// Adds the values of the terms of the document. They are rounded per document, so that each document can be
    /// subtracted again.
    fn add_document(&mut self, by_document: ByDocument<'_>, weight: Amount) -> Result<()> {
        let ByDocument { value, equal, scales } = by_document;
        let length = if equal { self.length(by_document) } else { 1.0 };
        let times = |once: Amount| if weight == Amount::ONE { Some(once) } else { weight.checked_product(once) };
        // Most terms occur once in a document.
        let of_one = value.over(1, length).and_then(times);
        for id in self.fresh.drain(..) {
            let tally = &mut self.tallies[id as usize];
            let frequency = std::mem::take(&mut tally.count);
            let more = match scales {
                // Nothing is left of a document without length.
                Some(_) => times(Amount::from_f64(by_document.of(id, frequency) / length).unwrap_or_default()),
                None if frequency == 1 => of_one,
                None => value.over(frequency, length).and_then(times),
            };
            tally.documents -= u32::from(scales.is_some() && more.is_some_and(Amount::is_zero));
            let sum = &mut self.sums[id as usize];
            *sum = more.and_then(|more| sum.checked_add(more)).ok_or(TOO_MANY)?;
        }
        Ok(())
    }

    /// The length of the document: the square root of the sum of the squared values of its terms.
    fn length(&self, by_document: ByDocument<'_>) -> f64 {
        let mut squares = CompensatedSum::default();
        for &id in &self.fresh {
            squares.add(by_document.of(id, self.tallies[id as usize].count).powi(2));
        }
        squares.total().sqrt()
    }

    fn next_serial(&mut self) {
        self.serial = self.serial.wrapping_add(1);
        if self.serial == 0 {
            self.tallies.iter_mut().for_each(|tally| tally.seen = 0);
            self.serial = 1;
        }
    }

    /// Adds the tallies of the group, times its weight, to the cells.
    pub(super) fn flush(&mut self) -> Result<()> {
        let Some((class, weight)) = self.group.take() else {
            return Ok(());
        };
        let times = |count: u64| weight.checked_times(count).ok_or(TOO_MANY);
        let (mut presences, mut counted) = (0, Amount::ZERO);
        let mut touched = std::mem::take(&mut self.touched);
        for (i, &id) in touched.iter().enumerate() {
            self.counts.cells.prefetch_ahead(&touched, i);
            if let Some(&soon) = touched.get(i + AHEAD) {
                prefetch(&self.tallies, soon as usize);
                prefetch(&self.sums, soon as usize);
            }
            let tally = &mut self.tallies[id as usize];
            presences += u64::from(tally.documents);
            let count = match self.sums.get_mut(id as usize) {
                Some(sum) => std::mem::take(sum),
                None => times(u64::from(tally.count))?,
            };
            if count.is_zero() && tally.documents == 0 {
                // Nothing is left of the term, or it was touched before.
                continue;
            }
            counted = counted.checked_add(count).ok_or(TOO_MANY)?;
            let cell = Cell { class, count, documents: times(u64::from(tally.documents))? };
            (tally.count, tally.documents) = (0, 0);
            self.counts.cells.add(id, cell)?;
        }
        touched.clear();
        self.touched = touched;
        let tokens = if self.by_document.is_some() { counted } else { times(self.tokens)? };
        let total = ClassTotal { documents: times(self.documents)?, tokens, presences: times(presences)? };
        (self.documents, self.tokens) = (0, 0);
        self.counts.add_total(class, total)
    }
}

/// More tallies than this do not fit the nearer caches, so that they are asked for ahead of time.
const FAR: usize = 1 << 18;
/// How many terms are asked for at a time.
const ROUND: usize = 64;

/// Asks for the memory of some terms, if it is far away.
#[inline]
fn prefetch_far<T>(slice: &[T], ids: &[u32]) {
    if slice.len() > FAR {
        ids.iter().for_each(|&id| prefetch(slice, id as usize));
    }
}

/// Notes some terms of a document; returns how many there were.
#[inline]
fn tally(ids: &[u32], tallies: &mut [Tally], touched: &mut Vec<u32>, serial: u32) -> u64 {
    let mut known = 0;
    for round in ids.chunks(ROUND) {
        prefetch_far(tallies, round);
        for &id in round {
            let Some(tally) = tallies.get_mut(id as usize) else { continue };
            known += 1;
            if tally.count == 0 {
                touched.push(id);
            }
            tally.count += 1;
            tally.documents += u32::from(tally.seen != serial);
            tally.seen = serial;
        }
    }
    known
}

/// Like [`tally`], but starts counting anew in each document, and appends its terms to `fresh`. The sums are only
/// asked for ahead of time.
#[inline]
fn tally_document(
    ids: &[u32],
    tallies: &mut [Tally],
    sums: &[Amount],
    touched: &mut Vec<u32>,
    fresh: &mut Vec<u32>,
    serial: u32,
) -> u64 {
    let mut known = 0;
    for round in ids.chunks(ROUND) {
        prefetch_far(tallies, round);
        prefetch_far(sums, round);
        for &id in round {
            let Some(tally) = tallies.get_mut(id as usize) else { continue };
            known += 1;
            tally.count += 1;
            if tally.seen != serial {
                tally.seen = serial;
                fresh.push(id);
                if tally.documents == 0 {
                    touched.push(id);
                }
                tally.documents += 1;
            }
        }
    }
    known
}
