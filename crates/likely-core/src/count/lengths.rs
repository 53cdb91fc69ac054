//! Documents go in; counts come out in which every document has unit length: the squared weights of its terms add up
//! to 1.
//!
//! The weight of a term in all documents must be known before, so this is a second pass over the texts. It finds the
//! terms of the first pass and adds none to the vocabulary.

use crate::analyze::analyzer::{Analyzer, Scratch};
use crate::count::counter::{in_order, share};
use crate::count::counting::Document;
use crate::count::counts::Counts;
use crate::count::tallies::{ByDocument, Tallies};
use crate::count::term_value::Value;
use crate::error::{Error, Result, check_lengths};
use crate::parallel;

/// The weights of terms before the length of the document is known.
#[derive(Clone, Copy)]
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
    /// What each thread counts.
    shares: Vec<(Scratch, Tallies<'a>)>,
}

impl<'a> Lengths<'a> {
    /// Begins a second pass over the texts of some counts.
    pub fn new(analyzer: &'a Analyzer, first: &'a Counts, scales: Scales<'a>, threads: usize) -> Self {
        Self { analyzer, first, scales, threads: threads.max(1), shares: Vec::new() }
    }

    /// Counts some documents. `stop` is asked from time to time whether to give up.
    pub fn add(&mut self, documents: &[Document<'_>], stop: &dyn Fn() -> bool) -> Result<()> {
        check_lengths(documents.iter().map(|document| document.text.len()), self.analyzer.longest_text())?;
        let documents = in_order(documents);
        let bytes: usize = documents.iter().map(|document| document.text.len()).sum();
        let threads = parallel::threads_for(bytes, self.threads);
        let Scales { value, scales } = self.scales;
        while self.shares.len() < threads {
            let tallies = Tallies::new(Some(ByDocument { value, equal: true, scales: Some(scales) }));
            self.shares.push((Scratch::default(), tallies));
        }
        let (analyzer, vocabulary) = (self.analyzer, self.first.vocabulary());
        let shares = &mut self.shares[..threads];
        share(shares.iter_mut(), &documents, stop, |(scratch, tallies), some, pulse| {
            tallies.make_room(vocabulary.len());
            some.iter().try_for_each(|document| {
                let group = (document.class, document.weight);
                let mut counted = Ok(());
                let done = analyzer.terms(document.text, &mut { vocabulary }, scratch, |ids, _| {
                    counted = tallies.add_terms(group, ids, false);
                    counted.is_ok() && pulse.beat()
                });
                counted?;
                if done { tallies.add_terms(group, &[], true) } else { Err(Error::Interrupted) }
            })
        })?;
        shares.iter_mut().try_for_each(|(_, tallies)| tallies.flush())
    }

    /// The counts of all documents that were added, with the ids of the first pass.
    pub fn finish(self) -> Result<Counts> {
        let mut counts = Counts { vocabulary: self.first.vocabulary().clone(), ..Counts::default() };
        for (_, tallies) in self.shares {
            let part = tallies.into_counts();
            for (class, total) in part.totals.iter().enumerate() {
                counts.add_total(class as u32, *total)?;
            }
            for id in part.ids() {
                part.row(id).try_for_each(|cell| counts.cells.add(id, cell))?;
            }
        }
        Ok(counts)
    }
}
