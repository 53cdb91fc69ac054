//! One thread's share of the counting.

use crate::analyze::analyzer::{Analyzer, Scratch};
use crate::compensated_sum::CompensatedSum;
use crate::count::cells::Cell;
use crate::count::counting::Document;
use crate::count::counts::{ClassTotal, Counts};
use crate::count::fixed_point::Amount;
use crate::error::{Error, Result};
use crate::parallel::Pulse;
use crate::prefetch::{AHEAD, prefetch};
use crate::vocabulary::term_ids::Vocabulary;

/// What is known of a term in the group of documents that is being counted. A group has one class and one weight.
#[derive(Clone, Copy, Default)]
#[repr(align(16))]
struct Tally {
    count: u32,
    documents: u32,
    /// The last document in which the term was seen.
    seen: u32,
}

/// One thread's share of the counting.
pub(super) struct Counter<'a> {
    analyzer: &'a Analyzer,
    scratch: Scratch,
    pub(super) counts: Counts,
    tallies: Vec<Tally>,
    /// The terms with a tally, in the order in which they came.
    touched: Vec<u32>,
    /// If the value of a term depends on the document: the weighted sums of the terms, and the terms of the document.
    sums: Vec<Amount>,
    fresh: Vec<u32>,
    group: Option<(u32, Amount)>,
    documents: u64,
    tokens: u64,
    serial: u32,
    pub(super) failure: Option<Error>,
}

impl<'a> Counter<'a> {
    /// A tally can hold 2^32, so the sums are handed on well before.
    const FULL: u64 = 1 << 31;

    /// A counter that expects about `bytes` bytes of text to begin with.
    pub(super) fn new(analyzer: &'a Analyzer, bytes: usize) -> Self {
        let vocabulary = Vocabulary::for_text(bytes, analyzer.makes_phrases());
        Self {
            analyzer,
            scratch: Scratch::default(),
            counts: Counts::with_vocabulary(vocabulary),
            tallies: Vec::new(),
            touched: Vec::new(),
            sums: Vec::new(),
            fresh: Vec::new(),
            group: None,
            documents: 0,
            tokens: 0,
            serial: 0,
            failure: None,
        }
    }

    /// Counts a document; returns false if it was stopped or failed.
    pub(super) fn add(&mut self, document: &Document<'_>, pulse: &Pulse<'_>) -> bool {
        let group = (document.class, document.weight);
        if self.group != Some(group) || self.tokens >= Self::FULL {
            self.flush();
            self.group = Some(group);
        }
        self.next_serial();
        let Self { analyzer, scratch, counts, tallies, touched, fresh, tokens, serial, .. } = self;
        let mut vocabulary = &mut counts.vocabulary;
        let done = analyzer.terms(document.text, &mut vocabulary, scratch, |ids, vocabulary| {
            if tallies.len() < vocabulary.len() {
                tallies.resize(vocabulary.len().next_power_of_two(), Tally::default());
            }
            *tokens += if analyzer.counts_by_document() {
                tally_document(ids, tallies, touched, fresh, *serial)
            } else {
                tally(ids, tallies, touched, *serial)
            };
            pulse.beat()
        });
        if self.analyzer.counts_by_document() {
            let result = self.add_document(document.weight);
            self.failure = self.failure.take().or(result.err());
        }
        self.documents += 1;
        if self.counts.vocabulary.len() > i32::MAX as usize {
            self.failure = Some(Error::TooLarge("more than 2 billion terms"));
        }
        done && self.failure.is_none()
    }

    /// Adds the values of the terms of the document. They are rounded per document, so that each document can be
    /// subtracted again.
    fn add_document(&mut self, weight: Amount) -> Result<()> {
        self.sums.resize(self.tallies.len(), Amount::ZERO);
        let length = if self.analyzer.equal { self.length() } else { 1.0 };
        let amount = |frequency: u32| {
            let once = self.analyzer.value.over(frequency, length)?;
            if weight == Amount::ONE { Some(once) } else { weight.checked_product(once) }
        };
        // Most terms occur once in a document.
        let of_one = amount(1);
        for id in self.fresh.drain(..) {
            let frequency = std::mem::take(&mut self.tallies[id as usize].count);
            let sum = &mut self.sums[id as usize];
            let more = if frequency == 1 { of_one } else { amount(frequency) };
            *sum = more.and_then(|more| sum.checked_add(more)).ok_or(Error::TooLarge(TOO_MANY))?;
        }
        Ok(())
    }

    /// The length of the document: the square root of the sum of the squared values of its terms.
    fn length(&self) -> f64 {
        let mut squares = CompensatedSum::default();
        for &id in &self.fresh {
            squares.add(self.analyzer.value.of(self.tallies[id as usize].count).powi(2));
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

    /// Adds the tallies of the group, times its weight, to the counts.
    pub(super) fn flush(&mut self) {
        let Some((class, weight)) = self.group.take() else {
            return;
        };
        let result = self.add_tallies(class, weight);
        self.failure = self.failure.take().or(result.err());
        (self.documents, self.tokens) = (0, 0);
    }

    fn add_tallies(&mut self, class: u32, weight: Amount) -> Result<()> {
        let times = |count: u64| weight.checked_times(count).ok_or(Error::TooLarge(TOO_MANY));
        let (mut presences, mut counted) = (0, Amount::ZERO);
        let mut touched = std::mem::take(&mut self.touched);
        for (i, &id) in touched.iter().enumerate() {
            self.counts.cells.prefetch_ahead(&touched, i);
            if let Some(&soon) = touched.get(i + AHEAD) {
                prefetch(&self.tallies, soon as usize);
            }
            let tally = &mut self.tallies[id as usize];
            presences += u64::from(tally.documents);
            let count = match self.sums.get_mut(id as usize).filter(|_| self.analyzer.counts_by_document()) {
                Some(sum) => std::mem::take(sum),
                None => times(u64::from(tally.count))?,
            };
            counted = counted.checked_add(count).ok_or(Error::TooLarge(TOO_MANY))?;
            let cell = Cell { class, count, documents: times(u64::from(tally.documents))? };
            (tally.count, tally.documents) = (0, 0);
            self.counts.cells.add(id, cell)?;
        }
        touched.clear();
        self.touched = touched;
        let total = ClassTotal {
            documents: times(self.documents)?,
            tokens: if self.analyzer.counts_by_document() { counted } else { times(self.tokens)? },
            presences: times(presences)?,
        };
        self.counts.add_total(class, total)
    }
}

const TOO_MANY: &str = "more than 2^64 documents or tokens in a class";

/// More tallies than this do not fit the nearer caches, so that they are asked for ahead of time.
const FAR: usize = 1 << 18;

/// Notes some terms of a document; returns how many there were.
#[inline]
fn tally(ids: &[u32], tallies: &mut [Tally], touched: &mut Vec<u32>, serial: u32) -> u64 {
    if tallies.len() > FAR {
        ids.iter().for_each(|&id| prefetch(tallies, id as usize));
    }
    let mut known = 0;
    for &id in ids {
        let Some(tally) = tallies.get_mut(id as usize) else { continue };
        known += 1;
        if tally.count == 0 {
            touched.push(id);
        }
        tally.count += 1;
        tally.documents += u32::from(tally.seen != serial);
        tally.seen = serial;
    }
    known
}

/// Like [`tally`], but starts counting anew in each document, and appends its terms to `fresh`.
#[inline]
fn tally_document(
    ids: &[u32],
    tallies: &mut [Tally],
    touched: &mut Vec<u32>,
    fresh: &mut Vec<u32>,
    serial: u32,
) -> u64 {
    let mut known = 0;
    for &id in ids {
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
    known
}
