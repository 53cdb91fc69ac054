//! Documents go in, counts come out, on several threads.
//!
//! If terms are words, each thread counts a share of the documents, and the shares are added. If there are n-grams,
//! most terms are new, so that adding costs as much as counting: then threads work in pairs, of which one finds the
//! terms and the other counts them, and there are half as many shares.

use crate::analyze::analyzer::Analyzer;
use crate::count::counter::{Counter, first_reason, in_order, share};
use crate::count::counts::Counts;
use crate::count::fixed_point::Amount;
use crate::error::{Error, Result, check_lengths};
use crate::parallel;
use std::thread;

/// A text with its class and weight.
#[derive(Clone, Copy)]
pub struct Document<'a> {
    /// The text.
    pub text: &'a [u8],
    /// The number of its class.
    pub class: u32,
    /// How much the document counts.
    pub weight: Amount,
}

/// Counts many documents, batch by batch, on several threads.
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

    /// Counts some documents. `stop` is asked from time to time whether to give up.
    ///
    /// A document of weight 0 is ignored.
    pub fn add(&mut self, documents: &[Document<'_>], stop: &dyn Fn() -> bool) -> Result<()> {
        check_lengths(documents.iter().map(|document| document.text.len()), self.analyzer.longest_text())?;
        let documents = in_order(documents);
        let bytes: usize = documents.iter().map(|document| document.text.len()).sum();
        let threads = parallel::threads_for(bytes, self.threads);
        let pairs = if self.analyzer.makes_phrases() { threads / 2 } else { 0 };
        let shares = if pairs > 0 { pairs } else { threads };
        while self.counters.len() < shares {
            self.counters.push(Counter::new(self.analyzer, bytes / shares));
        }
        let counters = &mut self.counters[..shares];
        if pairs == 0 || !add_in_pairs(counters, &documents, stop)? {
            share(counters.iter_mut(), &documents, stop, |counter, some, pulse| counter.add(some, pulse))?;
        }
        self.flush()
    }

    /// Ends the groups of documents of all counters.
    fn flush(&mut self) -> Result<()> {
        let mut results = vec![Ok(()); self.counters.len()];
        let work = self.counters.iter_mut().zip(&mut results);
        parallel::share(&mut vec![(); work.len()], work, &|| false, |(), (counter, result), _| {
            *result = counter.tallies.flush();
            true
        });
        first_reason(results.into_iter())
    }

    /// The counts of all documents that were added.
    pub fn finish(self, stop: &dyn Fn() -> bool) -> Result<Counts> {
        let mut parts = self.counters.into_iter().map(Counter::into_counts);
        let first = parts.next().unwrap_or_default();
        parts.try_fold(first, |sum, part| sum.merge_or_lose(&part, stop))
    }
}

/// Counts documents with two threads per counter; returns false, with nothing done, if there are no further threads.
fn add_in_pairs(
    counters: &mut [Counter<'_>],
    documents: &[&Document<'_>],
    stop: &dyn Fn() -> bool,
) -> Result<bool> {
    thread::scope(|scope| {
        let (finding, tallying): (Vec<_>, Vec<_>) = counters.iter_mut().map(Counter::halves).unzip();
        let spawned = tallying.into_iter().map(|half| thread::Builder::new().spawn_scoped(scope, || half.run()));
        let Ok(partners) = spawned.collect::<std::io::Result<Vec<_>>>() else { return Ok(false) };
        let found = share(finding.into_iter(), documents, stop, |half, some, pulse| half.add(some, pulse));
        // The other threads end now, because nobody can send them anything any more.
        let counted = partners.into_iter().map(|partner| partner.join().unwrap_or(Err(Error::Interrupted)));
        first_reason(counted.chain([found])).map(|()| true)
    })
}

#[cfg(test)]
impl Counts {
    /// The counts of some texts with their classes.
    pub(crate) fn of_texts<T: AsRef<[u8]>>(
        analyzer: &Analyzer,
        texts: impl IntoIterator<Item = (T, u32)>,
    ) -> Self {
        let texts: Vec<(T, u32)> = texts.into_iter().collect();
        let documents: Vec<Document<'_>> = texts
            .iter()
            .map(|(text, class)| Document { text: text.as_ref(), class: *class, weight: Amount::ONE })
            .collect();
        let mut counting = Counting::new(analyzer, 1);
        counting.add(&documents, &|| false).expect("nothing stops it");
        counting.finish(&|| false).expect("small")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::settings::{Settings, Unit};
    use crate::count::counts::ClassTotal;
    use crate::count::term_value::Value;
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
    fn counts_in_single_documents_are_those_of_terms_that_one_document_has() {
        let analyzer = Analyzer::plain(Unit::Word, 1, 1, true);
        let sample: Sample =
            vec![("a b b".into(), 0, 4), ("a c".into(), 1, 4), ("e".into(), 1, 2), ("e".into(), 2, 2)];
        assert_eq!(count(&analyzer, &documents(&sample), 1, 9).count_in_single_documents(), 2.0 + 1.0 + 1.0);
    }

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
            (0..60_000).map(|i| format!("w{} w{} common don't É{}", i % 977, i % 31, i % 5)).collect();
        let documents: Vec<Document<'_>> = texts
            .iter()
            .enumerate()
            .map(|(i, text)| Document { text: text.as_bytes(), class: i as u32 % 3, weight: Amount::ONE })
            .collect();
        let analyzer = Analyzer::plain(Unit::Word, 1, 2, true);
        let expected = table(&count(&analyzer, &documents, 1, usize::MAX));
        assert_eq!(table(&count(&analyzer, &documents, 4, usize::MAX)), expected);
        assert_eq!(table(&count(&analyzer, &documents, 3, 25_000)), expected);
    }

    #[test]
    fn a_term_of_one_document_may_occur_more_often_than_a_tally_holds() {
        let text = "a b ".repeat(100_000);
        let documents = [Document { text: text.as_bytes(), class: 0, weight: Amount::ONE }; 2];
        let (rows, totals) = table(&count(&Analyzer::plain(Unit::Word, 1, 1, true), &documents, 1, 9));
        assert_eq!(rows[&("a".into(), 0)], (200_000.0, 2.0));
        assert_eq!(totals[0].presences, Amount::new(4, 0));
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
