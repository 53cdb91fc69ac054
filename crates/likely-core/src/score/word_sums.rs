//! What the n-grams of characters within a word add up to, for words that have occurred before.
//!
//! A word has the same n-grams wherever it occurs, so that their rows need be added up only once. The result does not
//! depend on which words are remembered: the numbers of a word are added up apart from the document in any case.
//!
//! All threads of a call read the words of earlier calls, and each thread adds words of its own. After the call, those
//! become words of all, if no other call is reading at that moment.

use crate::analyze::terms::grams_by_word::{TermsOfWords, WordNumbers};
use crate::score::compact_rows::{CLASSES, CompactRows};
use crate::score::deltas::{Deltas, Dense};
use crate::score::dense_rows::{add_plain_row, add_row_times, add_wide_row};
use crate::score::sparse_rows::Own;
use crate::score::sums::{Sums, WORD_NUMBERS};
use crate::vocabulary::lexicon::Lexicon;
use crate::vocabulary::term_ids::{UNKNOWN, Vocabulary};
use crate::vocabulary::word::Word;
use std::sync::{Arc, Mutex};

/// The memory for the numbers of words that all threads share, in bytes.
const SHARED: usize = 208 << 20;
/// The memory for the numbers of the words of one thread, in bytes.
const OWN: usize = 16 << 20;
/// When the memory is full, and this many times as many words were not found in it, it starts anew.
const PATIENCE: usize = 16;
/// The words and the memory of at most this many threads are kept.
const MOST_KEPT: usize = 16;
/// How many words are added up before what rounding cuts off is kept.
const GROUP: usize = 8;

/// Words, and what their terms add up to.
#[derive(Default)]
struct Words {
    ids: Vocabulary,
    /// One row per word, by its id.
    rows: Dense,
    /// The number of words that were not remembered, because the memory was full.
    missed: usize,
}

impl Words {
    fn with_stride(stride: usize) -> Self {
        Self { rows: Dense { stride, ..Dense::default() }, ..Self::default() }
    }

    /// Forgets all words, and keeps the memory of their numbers for others.
    fn forget(&mut self) {
        self.rows.table.clear();
        (self.ids, self.missed) = (Vocabulary::default(), 0);
    }

    /// The number of words that a memory has room for.
    fn most(&self, memory: usize) -> usize {
        (memory / (8 * self.rows.stride.max(1))).max(1)
    }

    fn has_room(&self, memory: usize) -> bool {
        self.ids.len() < self.most(memory)
    }

    /// Makes room for more rows: if they are many, for all that may come, so that the rows are never moved again.
    fn make_room(&mut self, more: usize, memory: usize) {
        const FEW: usize = 1 << 20;
        let table = &mut self.rows.table;
        let all = memory / size_of::<f64>();
        let needed = (table.len() + more).min(all);
        if needed > table.capacity() && needed > FEW {
            let mut larger = Vec::with_capacity(all);
            larger.extend_from_slice(table);
            *table = larger;
        }
    }

    /// Adds the words of others, as far as there is room in this many bytes.
    fn absorb(&mut self, other: &Self, memory: usize) {
        if self.missed > PATIENCE * self.most(memory) || self.rows.stride != other.rows.stride {
            *self = Self::with_stride(other.rows.stride);
        }
        let most = self.most(memory);
        self.make_room(other.rows.table.len(), memory);
        for (id, row) in other.rows.table.chunks_exact(other.rows.stride.max(1)).enumerate() {
            let (bytes, before) = (other.ids.word_bytes(id as u32), self.ids.len());
            if before < most && (&mut self.ids).word(&Word::new(bytes), bytes) as usize == before {
                self.rows.table.extend_from_slice(row);
            }
        }
        self.missed += other.missed;
    }
}

/// What is remembered of words until the next call. It is not part of the weights, so that a copy starts without.
#[derive(Default)]
pub(super) struct KeptWords {
    shared: Mutex<Arc<Words>>,
    /// The words of threads that could not be shared yet, because another call was reading, and free memory.
    own: Mutex<Vec<Words>>,
}

impl Clone for KeptWords {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl KeptWords {
    /// What some threads begin with.
    pub(super) fn take(&self, threads: usize) -> Vec<WordSums> {
        // Nobody waits here: in a forked process, the lock may never be free again.
        let shared = self.shared.try_lock().map(|shared| Arc::clone(&shared)).unwrap_or_default();
        let mut own = self.own.try_lock().ok();
        let mut next = || own.as_mut().and_then(|own| own.pop()).unwrap_or_default();
        let begin = |_| WordSums { shared: Arc::clone(&shared), own: next(), ..WordSums::default() };
        (0..threads).map(begin).collect()
    }

    /// Keeps what some threads remember.
    pub(super) fn keep(&self, threads: Vec<WordSums>) {
        // Nobody may read the shared words any more when they change.
        let mut found: Vec<Words> = threads.into_iter().map(|thread| thread.own).collect();
        if let Ok(mut shared) = self.shared.try_lock()
            && let Some(shared) = Arc::get_mut(&mut shared)
        {
            for words in found.iter_mut().filter(|words| words.rows.stride > 0) {
                shared.absorb(words, SHARED);
                words.forget();
                if !shared.has_room(SHARED) {
                    // From now on, nothing is kept here.
                    words.rows.table.shrink_to_fit();
                }
            }
        }
        if let Ok(mut own) = self.own.try_lock() {
            own.extend(found);
            own.truncate(MOST_KEPT);
        }
    }
}

/// The words that one thread knows, and the sums of a document.
#[derive(Default)]
pub(crate) struct WordSums {
    shared: Arc<Words>,
    own: Words,
    /// How many words of one's own may be kept.
    kept: usize,
    totals: Vec<f64>,
    errors: Vec<f64>,
    /// The sums of a few words.
    group: Vec<f64>,
}

/// The words of one thread while their numbers are asked for.
pub(super) struct Numbering {
    shared: Arc<Words>,
    own: Vocabulary,
    most: usize,
}

impl Numbering {
    /// The numbers, for an analyzer that adds new words.
    pub(super) fn numbers<'a>(&'a mut self, rows: &Rows<'a>) -> WordNumbers<'a> {
        let rows = rows.compact.map(CompactRows::rows);
        WordNumbers { shared: &self.shared.ids, own: &mut self.own, most: self.most, rows }
    }
}

impl WordSums {
    /// Begins a document with this number of sums.
    pub(super) fn begin(&mut self, width: usize) -> Numbering {
        let stride = (width + WORD_NUMBERS).next_multiple_of(4);
        if stride != self.shared.rows.stride {
            self.shared = Arc::new(Words::with_stride(stride));
        }
        if stride != self.own.rows.stride || self.own.missed > PATIENCE * self.own.most(OWN) {
            self.own = Words::with_stride(stride);
        }
        for memory in [&mut self.totals, &mut self.errors, &mut self.group] {
            memory.clear();
            memory.resize(stride, 0.0);
        }
        // If the shared memory is full, what a thread learns could not be shared later.
        let most = if self.shared.has_room(SHARED) { self.own.most(OWN) } else { 0 };
        self.kept = most.max(self.own.ids.len());
        Numbering { shared: Arc::clone(&self.shared), own: std::mem::take(&mut self.own.ids), most }
    }

    /// Adds up the terms of the next words: their n-grams, then their tokens. A word is so short that what rounding cuts
    /// off need not be kept.
    pub(super) fn learn(&mut self, rows: &Rows<'_>, grams: &TermsOfWords, tokens: &TermsOfWords) {
        let Dense { stride, table, .. } = &mut self.own.rows;
        for word in 0..grams.ends.len() {
            let from = table.len();
            table.resize(from + *stride, 0.0);
            let (numbers, sums) = table[from..].split_at_mut(WORD_NUMBERS);
            rows.add_up([grams, tokens], word, numbers, sums);
        }
    }

    /// Adds some words to the document, each as often as it occurs, and drops what is not remembered. The words are added
    /// up in small groups, and of the groups what rounding cuts off is kept.
    pub(super) fn add(&mut self, words: &[(u32, u32)]) {
        let Self { shared, own, kept, totals, errors, group } = self;
        let (stride, shared_words) = (own.rows.stride, shared.ids.len());
        let row_of = |word: u32| match (word as usize).checked_sub(shared_words) {
            None => (&shared.rows, word as usize * stride),
            Some(word) => (&own.rows, word * stride),
        };
        for (at, few) in words.chunks(GROUP).enumerate() {
            for &(word, _) in words.iter().skip((at + 1) * GROUP).take(GROUP) {
                let (rows, start) = row_of(word);
                rows.prefetch_row(start);
            }
            for &(word, times) in few {
                let (rows, start) = row_of(word);
                if let Some(row) = rows.table.get(start..start + stride) {
                    add_row_times(row, f64::from(times), group);
                }
            }
            add_wide_row(group, 1.0, totals, errors);
            group.fill(0.0);
        }
        own.missed += (own.rows.table.len() / stride).saturating_sub(*kept);
        own.rows.table.truncate(*kept * stride);
    }

    /// Adds the words of the document to what its other terms add up to; returns the number of their terms, and how
    /// many of these are known.
    pub(super) fn finish(&mut self, numbering: Numbering, sums: &mut Sums) -> [u64; 2] {
        self.own.ids = numbering.own;
        sums.add_words(&self.totals, &self.errors);
        [self.totals[0] as u64, self.totals[1] as u64]
    }
}

/// The rows of terms, in one of two forms.
#[derive(Clone, Copy)]
pub(super) struct Rows<'a> {
    pub(super) deltas: &'a Deltas,
    /// Another form of the same numbers, in which terms are given by their rows.
    pub(super) compact: Option<&'a CompactRows>,
}

impl Rows<'_> {
    /// Adds up the terms of a word: their numbers, and their sums.
    #[inline]
    fn add_up(&self, terms: [&TermsOfWords; 2], word: usize, numbers: &mut [f64], sums: &mut [f64]) {
        for some in terms {
            numbers[0] += some.of(word).len() as f64;
        }
        if let (Some(compact), Deltas::Sparse(sparse)) = (self.compact, self.deltas) {
            let mut found = [0.0; CLASSES];
            for some in terms {
                numbers[1] += compact.add(sparse, &some.terms, some.of(word), &mut found) as f64;
            }
            numbers[2] = numbers[1];
            return sums.iter_mut().zip(found).for_each(|(sum, found)| *sum = found);
        }
        for some in terms {
            for at in some.of(word) {
                self.deltas.prefetch_ahead(&some.terms, at);
                let id = some.terms[at];
                if id != UNKNOWN {
                    numbers[1] += f64::from(self.deltas.scale(id) > 0.0);
                    add_term(self.deltas, id, numbers, sums);
                }
            }
        }
    }
}

/// Adds a term to the sums of a word.
#[inline]
fn add_term(deltas: &Deltas, id: u32, numbers: &mut [f64], sums: &mut [f64]) {
    match deltas {
        Deltas::Dense(dense) => {
            let start = id as usize * dense.stride;
            if let Some(row) = dense.table.get(start..start + dense.stride) {
                add_plain_row(row, sums);
            }
        }
        Deltas::Sparse(sparse) => {
            let (row, own) = sparse.row(id);
            numbers[2] += row.scale;
            numbers[3] += row.rest;
            match own {
                Own::Few(entries) => entries.iter().for_each(|entry| sums[entry.class as usize] += entry.delta),
                Own::Wide(deltas) => add_plain_row(deltas, sums),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lets a thread meet a word, with a row of some number.
    fn meet(thread: &mut WordSums, word: &[u8], number: f64) {
        let mut numbering = thread.begin(3);
        (&mut numbering.own).word(&Word::new(word), word);
        thread.own.rows.table.extend([number; 8]);
        thread.own.ids = numbering.own;
    }

    fn shared(kept: &KeptWords) -> Vec<(String, f64)> {
        let words = Arc::clone(&kept.shared.lock().expect("nobody else has it"));
        (0..words.ids.len()).map(|id| (words.ids.term(id as u32), words.rows.table[id * 8])).collect()
    }

    #[test]
    fn words_of_all_threads_are_shared_after_a_call() {
        let kept = KeptWords::default();
        let mut threads = kept.take(2);
        meet(&mut threads[0], b"one", 1.0);
        meet(&mut threads[1], b"two", 2.0);
        meet(&mut threads[1], b"one", 1.0);
        kept.keep(threads);
        assert_eq!(shared(&kept), [("one".to_string(), 1.0), ("two".to_string(), 2.0)]);
    }

    #[test]
    fn words_wait_while_another_call_reads() {
        let kept = KeptWords::default();
        let (mut first, mut second) = (kept.take(1), kept.take(1));
        meet(&mut first[0], b"one", 1.0);
        // In its first document, a call makes shared words of its own, unless there are some.
        second[0].shared = Arc::clone(&kept.shared.lock().expect("nobody else has it"));
        kept.keep(first);
        assert_eq!(shared(&kept), []);
        drop(second);
        kept.keep(kept.take(1));
        assert_eq!(shared(&kept), [("one".to_string(), 1.0)]);
    }

    #[test]
    fn memory_is_bounded_and_starts_anew() {
        const MEMORY: usize = 2 * 8 * 8;
        let (mut all, mut more) = (Words::with_stride(8), Words::with_stride(8));
        for word in ["a", "b", "c"] {
            (&mut more.ids).word(&Word::new(word.as_bytes()), word.as_bytes());
            more.rows.table.extend([1.0; 8]);
        }
        all.absorb(&more, MEMORY);
        assert_eq!((all.ids.len(), all.rows.table.len()), (2, 16));
        all.missed = PATIENCE * 2 + 1;
        all.absorb(&Words::with_stride(8), MEMORY);
        assert_eq!((all.ids.len(), all.missed), (0, 0));
    }
}
