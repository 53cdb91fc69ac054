//! Texts and classes to counts, on several threads.

use crate::analyze::analyzer::{Analyzer, Scratch};
use crate::compensated_sum::Exact;
use crate::count::cells::Cell;
use crate::count::counts::{ClassTotal, Counts};
use crate::count::fixed_point::Amount;
use crate::error::{Error, Result};
use crate::parallel::{self, Pulse};
use crate::prefetch::{AHEAD, prefetch};
use crate::vocabulary::term_ids::Vocabulary;

/// A text with its class and weight.
#[derive(Clone, Copy)]
pub struct Document<'a> {
    /// The text.
    pub text: &'a [u8],
    /// The number of its class.
    pub class: u32,
    /// How much it counts.
    pub weight: Amount,
}

/// Counts of many documents, batch by batch, on several threads.
pub struct Counting<'a> {
    analyzer: &'a Analyzer,
    threads: usize,
    counters: Vec<Counter<'a>>,
}

impl<'a> Counting<'a> {
    /// Begins with nothing counted.
    pub fn new(analyzer: &'a Analyzer, threads: usize) -> Self {
        Self { analyzer, threads: threads.max(1), counters: Vec::new() }
    }

    /// Counts some documents. `stop` is asked every now and then whether to give up.
    ///
    /// They are taken class by class, so that the innermost loop knows no classes. A document of weight 0 is as if it
    /// were not there.
    pub fn add(&mut self, documents: &[Document<'_>], stop: &dyn Fn() -> bool) -> Result<()> {
        if let Some((row, long)) =
            documents.iter().enumerate().find(|(_, d)| d.text.len() > self.analyzer.longest_text())
        {
            return Err(Error::TextTooLong { row, bytes: long.text.len() });
        }
        let mut order: Vec<&Document<'_>> = documents.iter().filter(|d| !d.weight.is_zero()).collect();
        order.sort_by_key(|document| (document.class, document.weight));
        let bytes: usize = order.iter().map(|document| document.text.len()).sum();
        let threads = parallel::threads_for(bytes, self.threads);
        while self.counters.len() < threads {
            self.counters.push(Counter::new(self.analyzer, bytes / threads));
        }
        let blocks = parallel::blocks(order.iter().map(|document| document.text.len()));
        let done =
            parallel::share(&mut self.counters[..threads], blocks.into_iter(), stop, |counter, block, pulse| {
                order[block].iter().all(|document| counter.add(document, pulse))
            });
        for counter in &mut self.counters {
            counter.flush();
            counter.failure.take().map_or(Ok(()), Err)?;
        }
        if done { Ok(()) } else { Err(Error::Interrupted) }
    }

    /// The counts of all that was added.
    pub fn finish(self, stop: &dyn Fn() -> bool) -> Result<Counts> {
        let mut parts = self.counters.into_iter().map(|counter| counter.counts);
        let first = parts.next().unwrap_or_default();
        parts.try_fold(first, |sum, part| sum.merge_or_lose(&part, stop))
    }
}

/// What a term has been seen in the group of documents that is being counted.
#[derive(Clone, Copy, Default)]
#[repr(align(16))]
struct Tally {
    count: u32,
    documents: u32,
    /// The last document it was seen in.
    seen: u32,
}

/// One thread's share of the counting.
struct Counter<'a> {
    analyzer: &'a Analyzer,
    scratch: Scratch,
    counts: Counts,
    tallies: Vec<Tally>,
    /// The terms with a tally, in the order they came.
    touched: Vec<u32>,
    /// Where terms count by document: the weighted sums of the terms, and the terms of the document.
    sums: Vec<Amount>,
    fresh: Vec<u32>,
    group: Option<(u32, Amount)>,
    documents: u64,
    tokens: u64,
    serial: u32,
    failure: Option<Error>,
}

impl<'a> Counter<'a> {
    /// A tally counts to 2^32: hand the sums on well before.
    const FULL: u64 = 1 << 31;

    /// A counter that expects about so much text to begin with.
    fn new(analyzer: &'a Analyzer, bytes: usize) -> Self {
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

    /// Counts a document; false if told to stop or if it failed.
    fn add(&mut self, document: &Document<'_>, pulse: &Pulse<'_>) -> bool {
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

    /// Adds what the terms of the document count. Rounded by document, so that each can be taken away again.
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

    /// The length of the document: the root of the sum of the squares of what its terms count.
    fn length(&self) -> f64 {
        let mut squares = Exact::default();
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
    fn flush(&mut self) {
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

/// From so many tallies on they no longer lie in the nearer caches, and are asked for ahead of time.
const FAR: usize = 1 << 18;

/// Notes some terms of a document; returns how many there were.
#[inline]
fn tally(ids: &[u32], tallies: &mut [Tally], touched: &mut Vec<u32>, serial: u32) -> u64 {
    if tallies.len() > FAR {
        ids.iter().for_each(|&id| prefetch(tallies, id as usize));
    }
    let mut known = 0;
    for &id in ids {
        // There is none for the start of a text, where an n-gram has too few words before it.
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

/// As [`tally`], but counts in each document anew; its terms go to `fresh`.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::analyzer::{Settings, Unit};
    use crate::score::weights::Value;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    type Table = BTreeMap<(String, u32), (f64, f64)>;

    fn table(counts: &Counts) -> (Table, Vec<ClassTotal>) {
        let mut rows = BTreeMap::new();
        for id in counts.ids() {
            for cell in counts.row(id) {
                let amounts = (cell.count.to_f64(), cell.documents.to_f64());
                rows.insert((counts.vocabulary().term(id), cell.class), amounts);
            }
        }
        let mut totals = counts.totals().to_vec();
        while totals.last().is_some_and(ClassTotal::is_zero) {
            totals.pop();
        }
        (rows, totals)
    }

    fn count(analyzer: &Analyzer, documents: &[Document<'_>], threads: usize, batch: usize) -> Counts {
        let mut counting = Counting::new(analyzer, threads);
        for some in documents.chunks(batch.max(1)) {
            counting.add(some, &|| false).expect("nothing stops it");
        }
        counting.finish(&|| false).expect("small")
    }

    type Sample = Vec<(String, u32, u8)>;

    fn samples() -> impl Strategy<Value = Sample> {
        prop::collection::vec(("([a-c]{1,2} ?|é ){0,12}", 0u32..4, 0u8..4), 0..12)
    }

    fn documents(sample: &Sample) -> Vec<Document<'_>> {
        let weight = |quarters: u8| Amount::from_f64(f64::from(quarters) / 4.0).unwrap_or_default();
        sample
            .iter()
            .map(|(text, class, quarters)| Document {
                text: text.as_bytes(),
                class: *class,
                weight: weight(*quarters),
            })
            .collect()
    }

    const CLASSES: [u32; 4] = [0, 1, 2, 3];

    #[test]
    fn damped_counts_are_of_documents() {
        let settings = Settings { value: Value::Damped, ..Settings::plain(Unit::Word, 1, 1, true) };
        let analyzer = Analyzer::new(settings);
        let sample: Sample = vec![("a a b".into(), 0, 4), ("a b b b".into(), 0, 4)];
        let (rows, totals) = table(&count(&analyzer, &documents(&sample), 1, 9));
        let (two, three) = (1.0 + 2f64.ln(), 1.0 + 3f64.ln());
        assert!((rows[&("a".into(), 0)].0 - (two + 1.0)).abs() < 1e-15);
        assert!((rows[&("b".into(), 0)].0 - (three + 1.0)).abs() < 1e-15);
        assert!((totals[0].tokens.to_f64() - (two + three + 2.0)).abs() < 1e-15);
    }

    proptest! {
        #[test]
        fn order_batches_and_threads_do_not_matter(sample in samples(), batch in 1usize..5, threads in 1usize..4) {
            let analyzer = Analyzer::plain(Unit::Word, 1, 2, true);
            let forward = documents(&sample);
            let mut backward = forward.clone();
            backward.reverse();
            let expected = table(&count(&analyzer, &forward, 1, 100));
            prop_assert_eq!(&table(&count(&analyzer, &backward, threads, batch)), &expected);
        }

        #[test]
        fn counts_add_and_subtract(a in samples(), b in samples()) {
            let analyzer = Analyzer::plain(Unit::Word, 1, 2, true);
            let all: Sample = a.iter().chain(&b).cloned().collect();
            let (only_a, only_b) = (count(&analyzer, &documents(&a), 1, 9), count(&analyzer, &documents(&b), 1, 9));
            let mut sum = only_a.clone();
            sum.merge(&only_b, &CLASSES).expect("small");
            prop_assert_eq!(table(&sum), table(&count(&analyzer, &documents(&all), 1, 9)));
            sum.subtract(&only_b, &CLASSES).expect("it was added");
            prop_assert_eq!(table(&sum), table(&only_a));
            prop_assert_eq!(table(&sum.compacted(&CLASSES).expect("small")), table(&only_a));
        }

        #[test]
        fn damped_counts_add_and_subtract(a in samples(), b in samples(), threads in 1usize..3) {
            let settings = Settings { value: Value::Damped, equal: true, ..Settings::plain(Unit::Word, 1, 2, true) };
            let analyzer = Analyzer::new(settings);
            let all: Sample = a.iter().chain(&b).cloned().collect();
            let mut sum = count(&analyzer, &documents(&all), threads, 3);
            sum.subtract(&count(&analyzer, &documents(&b), 1, 9), &CLASSES).expect("it was added");
            prop_assert_eq!(table(&sum), table(&count(&analyzer, &documents(&a), 1, 9)));
        }

        #[test]
        fn what_is_not_there_cannot_be_taken(a in samples(), b in samples()) {
            let analyzer = Analyzer::plain(Unit::Word, 1, 1, true);
            let mut have = count(&analyzer, &documents(&a), 1, 9);
            let before = table(&have);
            let result = have.subtract(&count(&analyzer, &documents(&b), 1, 9), &CLASSES);
            if result.is_err() {
                prop_assert_eq!(table(&have), before);
            }
        }
    }

    #[test]
    fn many_threads_give_the_same_counts() {
        let texts: Vec<String> =
            (0..20_000).map(|i| format!("w{} w{} common don't É{}", i % 977, i % 31, i % 5)).collect();
        let documents: Vec<Document<'_>> = texts
            .iter()
            .enumerate()
            .map(|(i, text)| Document { text: text.as_bytes(), class: i as u32 % 3, weight: Amount::ONE })
            .collect();
        let analyzer = Analyzer::plain(Unit::Word, 1, 2, true);
        let expected = table(&count(&analyzer, &documents, 1, usize::MAX));
        assert_eq!(table(&count(&analyzer, &documents, 4, usize::MAX)), expected);
        assert_eq!(table(&count(&analyzer, &documents, 3, 7000)), expected);
    }

    #[test]
    fn a_stop_is_obeyed() {
        let text = "a b c ".repeat(200_000);
        let documents = vec![Document { text: text.as_bytes(), class: 0, weight: Amount::ONE }; 2000];
        let analyzer = Analyzer::plain(Unit::Word, 1, 1, true);
        let result = Counting::new(&analyzer, 2).add(&documents, &|| true);
        assert_eq!(result, Err(Error::Interrupted));
    }
}
