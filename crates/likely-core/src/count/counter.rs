//! The counting of one share of the documents: on one thread, or on two, of which one finds the terms and the other
//! counts them.

use crate::analyze::analyzer::Analyzer;
use crate::count::block::{Block, TermFinder};
use crate::count::counting::Document;
use crate::count::counts::Counts;
use crate::count::tallies::{ByDocument, Tallies};
use crate::error::{Error, Result};
use crate::parallel::{self, Pulse};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};

/// How many blocks may wait to be counted. While a group of documents ends, counting falls behind for a moment.
const WAITING: usize = 64;

/// One share of the counting.
pub(super) struct Counter<'a> {
    finder: TermFinder<'a>,
    pub(super) tallies: Tallies<'a>,
}

impl<'a> Counter<'a> {
    /// A counter that expects about `bytes` bytes of text to begin with.
    pub(super) fn new(analyzer: &'a Analyzer, bytes: usize) -> Self {
        let by_document = ByDocument { value: analyzer.value, equal: analyzer.equal, scales: None };
        Self {
            finder: TermFinder::new(analyzer, bytes),
            tallies: Tallies::new(analyzer.counts_by_document().then_some(by_document)),
        }
    }

    /// Counts some documents on this thread, one by one, so that the terms of a document are still near.
    pub(super) fn add(&mut self, documents: &[&Document<'_>], pulse: &Pulse<'_>) -> Result<()> {
        let Self { finder, tallies } = self;
        documents.chunks(1).try_for_each(|document| {
            let mut counted = Ok(());
            let found = finder.read(document, pulse, |block| {
                counted = tallies.add(block);
                counted.is_ok()
            });
            first_reason([counted, found].into_iter())
        })
    }

    /// The two halves of the counter, for two threads.
    pub(super) fn halves(&mut self) -> (Finding<'_, 'a>, Tallying<'_, 'a>) {
        let (send, receive) = sync_channel(WAITING);
        let (give_back, returned) = channel();
        let Self { finder, tallies } = self;
        (Finding { finder, send, returned }, Tallying { tallies, receive, give_back })
    }

    pub(super) fn into_counts(self) -> Counts {
        Counts { vocabulary: self.finder.vocabulary, ..self.tallies.into_counts() }
    }
}

/// The half of a counter that finds terms.
pub(super) struct Finding<'c, 'a> {
    finder: &'c mut TermFinder<'a>,
    send: SyncSender<Block>,
    /// Blocks whose memory can be used again.
    returned: Receiver<Block>,
}

impl Finding<'_, '_> {
    /// Finds the terms of some documents and sends them to the other half. If that has given up, its error counts.
    pub(super) fn add(&mut self, documents: &[&Document<'_>], pulse: &Pulse<'_>) -> Result<()> {
        let Self { finder, send, returned } = self;
        finder.read(documents, pulse, |block| {
            let empty = returned.try_recv().unwrap_or_default();
            send.send(std::mem::replace(block, empty)).is_ok()
        })
    }
}

/// The half of a counter that counts terms.
pub(super) struct Tallying<'c, 'a> {
    tallies: &'c mut Tallies<'a>,
    receive: Receiver<Block>,
    give_back: Sender<Block>,
}

impl Tallying<'_, '_> {
    /// Counts blocks until the other half is gone.
    pub(super) fn run(self) -> Result<()> {
        for mut block in self.receive {
            self.tallies.add(&block)?;
            block.clear();
            // The other half may be gone; then nobody needs the memory.
            let _ = self.give_back.send(block);
        }
        Ok(())
    }
}

/// Documents in the order in which they are counted: class by class, so that the innermost loop need not look at
/// classes. Those of weight 0 are left out.
pub(super) fn in_order<'a, 'd>(documents: &'a [Document<'d>]) -> Vec<&'a Document<'d>> {
    let mut order: Vec<_> = documents.iter().filter(|document| !document.weight.is_zero()).collect();
    order.sort_by_key(|document| (document.class, document.weight));
    order
}

/// Gives each worker the next documents until none are left, or until `stop` says so or a worker fails.
pub(super) fn share<W: Send>(
    workers: impl Iterator<Item = W>,
    documents: &[&Document<'_>],
    stop: &dyn Fn() -> bool,
    add: impl Fn(&mut W, &[&Document<'_>], &Pulse<'_>) -> Result<()> + Sync,
) -> Result<()> {
    let mut workers: Vec<_> = workers.map(|worker| (worker, Ok(()))).collect();
    let blocks = parallel::blocks(documents.iter().map(|document| document.text.len()));
    let done = parallel::share(&mut workers, blocks.into_iter(), stop, |(worker, result), block, pulse| {
        *result = add(worker, &documents[block], pulse);
        result.is_ok()
    });
    let reason = first_reason(workers.into_iter().map(|(_, result)| result));
    if done { reason } else { reason.and(Err(Error::Interrupted)) }
}

/// The error that says why, of several that came together: being interrupted follows from any other.
pub(super) fn first_reason(results: impl Iterator<Item = Result<()>>) -> Result<()> {
    let mut errors: Vec<Error> = results.filter_map(Result::err).collect();
    let first = errors.iter().position(|error| *error != Error::Interrupted).unwrap_or(0);
    if errors.is_empty() { Ok(()) } else { Err(errors.swap_remove(first)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn being_interrupted_is_the_last_reason() {
        let large = Err(Error::TooLarge("much"));
        assert_eq!(first_reason([Ok(()), Err(Error::Interrupted), large.clone()].into_iter()), large);
        assert_eq!(first_reason([Err(Error::Interrupted), Ok(())].into_iter()), Err(Error::Interrupted));
        assert_eq!(first_reason([Ok(()), Ok(())].into_iter()), Ok(()));
    }
}
