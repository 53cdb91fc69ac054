//! Documents go in; counts come out in which every document has unit length: the squared weights of its terms add up
//! to 1.
//!
//! The weight of a term in all documents must be known before, so this is a second pass over the texts. It finds the
//! terms of the first pass and adds none to the vocabulary.

use crate::analyze::analyzer::{Analyzer, Scratch};
use crate::analyze::frequencies::Frequencies;
use crate::compensated_sum::CompensatedSum;
use crate::count::cells::{Cell, Cells};
use crate::count::counting::Document;
use crate::count::counts::{ClassTotal, Counts};
use crate::count::fixed_point::Amount;
use crate::count::term_value::Value;
use crate::error::{Error, Result};
use crate::parallel::{self, Pulse};
use crate::vocabulary::term_ids::Vocabulary;

/// The weights of terms before the length of the document is known.
pub struct Scales<'a> {
    /// What a term counts in a document.
    pub value: Value,
    /// The weight of each term in all documents, by its id in the counts of the first pass.
    pub scales: &'a [f64],
}

/// Counts many documents of unit length, batch by batch, on several threads.
pub struct Lengths<'a> {
    analyzer: &'a Analyzer,
    first: &'a Counts,
    scales: Scales<'a>,
    threads: usize,
    workers: Vec<Worker>,
}

#[derive(Default)]
struct Worker {
    scratch: Scratch,
    frequencies: Frequencies,
    /// The class that is being counted, its totals, and the sums of its terms so far.
    class: u32,
    total: ClassTotal,
    sums: Vec<(Amount, Amount)>,
    summed: Vec<u32>,
    cells: Cells,
    totals: Vec<(u32, ClassTotal)>,
    failure: Option<Error>,
}

impl<'a> Lengths<'a> {
    /// Begins a second pass over the texts of some counts.
    pub fn new(analyzer: &'a Analyzer, first: &'a Counts, scales: Scales<'a>, threads: usize) -> Self {
        Self { analyzer, first, scales, threads: threads.max(1), workers: Vec::new() }
    }

    /// Counts some documents. `stop` is asked from time to time whether to give up.
    pub fn add(&mut self, documents: &[Document<'_>], stop: &dyn Fn() -> bool) -> Result<()> {
        let mut documents: Vec<&Document<'_>> = documents.iter().filter(|d| !d.weight.is_zero()).collect();
        documents.sort_by_key(|document| document.class);
        let bytes: usize = documents.iter().map(|document| document.text.len()).sum();
        let threads = parallel::threads_for(bytes, self.threads);
        self.workers.resize_with(threads.max(self.workers.len()), Worker::default);
        let blocks = parallel::blocks(documents.iter().map(|document| document.text.len()));
        let (analyzer, vocabulary, scales) = (self.analyzer, self.first.vocabulary(), &self.scales);
        let done =
            parallel::share(&mut self.workers[..threads], blocks.into_iter(), stop, |worker, block, pulse| {
                documents[block].iter().all(|document| worker.add(analyzer, vocabulary, scales, document, pulse))
            });
        self.workers.iter_mut().try_for_each(Worker::flush)?;
        match self.workers.iter_mut().find_map(|worker| worker.failure.take()) {
            Some(failure) => Err(failure),
            None if done => Ok(()),
            None => Err(Error::Interrupted),
        }
    }

    /// The counts of all documents that were added, with the ids of the first pass.
    pub fn finish(self) -> Result<Counts> {
        let mut counts = Counts::with_vocabulary(self.first.vocabulary().clone());
        for worker in self.workers {
            for (class, total) in worker.totals {
                counts.add_total(class, total)?;
            }
            for id in 0..worker.cells.rows() as u32 {
                worker.cells.row(id).try_for_each(|cell| counts.cells.add(id, cell))?;
            }
        }
        Ok(counts)
    }
}

impl Worker {
    fn add(
        &mut self,
        analyzer: &Analyzer,
        vocabulary: &Vocabulary,
        scales: &Scales<'_>,
        document: &Document<'_>,
        pulse: &Pulse<'_>,
    ) -> bool {
        if document.class != self.class {
            let result = self.flush();
            self.failure = self.failure.take().or(result.err());
            self.class = document.class;
        }
        let Self { scratch, frequencies, .. } = self;
        frequencies.begin();
        let done = analyzer.terms(document.text, &mut { vocabulary }, scratch, |ids, _| {
            frequencies.add(ids);
            pulse.beat()
        });
        let result = self.add_terms(scales, document);
        self.failure = self.failure.take().or(result.err());
        done && self.failure.is_none()
    }

    /// Adds the terms of a document, each with its share of the unit length, to the sums of the class.
    fn add_terms(&mut self, scales: &Scales<'_>, document: &Document<'_>) -> Result<()> {
        let weight_of = |id: u32, frequency: u32| scales.value.of(frequency) * scales.scales[id as usize];
        let mut squares = CompensatedSum::default();
        for (id, frequency) in self.frequencies.iter() {
            squares.add(weight_of(id, frequency).powi(2));
        }
        let length = squares.total().sqrt();
        self.sums.resize(scales.scales.len(), (Amount::ZERO, Amount::ZERO));
        let mut total = ClassTotal { documents: document.weight, ..ClassTotal::default() };
        for (id, frequency) in self.frequencies.iter() {
            let share = Amount::from_f64(weight_of(id, frequency) / length).unwrap_or_default();
            let whole = document.weight == Amount::ONE;
            let count = if whole { Some(share) } else { share.checked_product(document.weight) };
            let Some(count) = count.filter(|count| !count.is_zero()) else { continue };
            let sum = &mut self.sums[id as usize];
            if sum.1.is_zero() {
                self.summed.push(id);
            }
            *sum = (plus(sum.0, count)?, plus(sum.1, document.weight)?);
            (total.tokens, total.presences) =
                (plus(total.tokens, count)?, plus(total.presences, document.weight)?);
        }
        self.total = self.total.plus(total).ok_or(TOO_LARGE)?;
        Ok(())
    }

    /// Adds the sums of the class to the cells.
    fn flush(&mut self) -> Result<()> {
        let mut summed = std::mem::take(&mut self.summed);
        for id in summed.drain(..) {
            let (count, documents) = std::mem::take(&mut self.sums[id as usize]);
            self.cells.add(id, Cell { class: self.class, count, documents })?;
        }
        self.summed = summed;
        self.totals.push((self.class, std::mem::take(&mut self.total)));
        Ok(())
    }
}

const TOO_LARGE: Error = Error::TooLarge("more than 2^64 documents or tokens in a class");

fn plus(a: Amount, b: Amount) -> Result<Amount> {
    a.checked_add(b).ok_or(TOO_LARGE)
}
