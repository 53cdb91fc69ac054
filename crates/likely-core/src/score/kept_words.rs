//! Words that have occurred before, each with a row of numbers: what its terms add up to.
//!
//! All threads of a call read the words of earlier calls, and each thread adds words of its own. After the call, those
//! become words of all, if no other call is reading at that moment.

use crate::analyze::terms::grams_by_word::WordNumbers;
use crate::prefetch::prefetch;
use crate::vocabulary::lexicon::Lexicon;
use crate::vocabulary::term_ids::Vocabulary;
use crate::vocabulary::term_rows::TermRows;
use crate::vocabulary::word::Word;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// The memory for the numbers of the words of one thread, in bytes.
const OWN: usize = 16 << 20;
/// The memory for the numbers of shared words if few texts need them, in bytes.
const SMALL: usize = 24 << 20;
/// When the memory is full, and this many times as many words were not found in it, it starts anew.
const PATIENCE: usize = 16;
/// The words and the memory of at most this many threads are kept.
const MOST_KEPT: usize = 16;
/// The bytes of a cache line.
const LINE: usize = 64;

/// A number of a row.
pub(crate) trait Number: Copy {
    /// The memory for the numbers of words that all threads share, in bytes.
    const SHARED: usize;
}

impl Number for f64 {
    const SHARED: usize = 208 << 20;
}

/// There are more words in less memory, but their look-up takes memory, too.
impl Number for i16 {
    const SHARED: usize = 136 << 20;
}

/// Words, and a row of numbers for each, by its id.
struct Words<T> {
    ids: Vocabulary,
    stride: usize,
    rows: Vec<T>,
    /// The number of words that were not remembered, because the memory was full.
    missed: usize,
}

impl<T> Default for Words<T> {
    fn default() -> Self {
        Self { ids: Vocabulary::default(), stride: 0, rows: Vec::new(), missed: 0 }
    }
}

impl<T: Number> Words<T> {
    fn with_stride(stride: usize) -> Self {
        Self { stride, ..Self::default() }
    }

    /// Forgets all words, and keeps the memory of their numbers for others.
    fn forget(&mut self) {
        self.rows.clear();
        (self.ids, self.missed) = (Vocabulary::default(), 0);
    }

    /// The number of words that a memory has room for.
    fn most(&self, memory: usize) -> usize {
        (memory / (size_of::<T>() * self.stride.max(1))).max(1)
    }

    fn has_room(&self, memory: usize) -> bool {
        self.ids.len() < self.most(memory)
    }

    /// Makes room for more numbers: if they are many, for all that may come, so that the rows are never moved again.
    fn make_room(&mut self, more: usize, memory: usize) {
        const FEW: usize = 8 << 20;
        let all = memory / size_of::<T>();
        let needed = (self.rows.len() + more).min(all);
        if needed > self.rows.capacity() && needed > FEW / size_of::<T>() {
            let mut larger = Vec::with_capacity(all);
            larger.extend_from_slice(&self.rows);
            self.rows = larger;
            self.ids.reserve(self.most(memory).saturating_sub(self.ids.len()), false);
        }
    }

    /// Adds the words of others, as far as there is room in this many bytes.
    fn absorb(&mut self, other: &Self, memory: usize) {
        if self.missed > PATIENCE * self.most(memory) || self.stride != other.stride {
            *self = Self::with_stride(other.stride);
        }
        let most = self.most(memory);
        self.make_room(other.rows.len(), memory);
        for (id, row) in other.rows.chunks_exact(other.stride.max(1)).enumerate() {
            let (bytes, before) = (other.ids.word_bytes(id as u32), self.ids.len());
            if before < most && (&mut self.ids).word(&Word::new(bytes), bytes) as usize == before {
                self.rows.extend_from_slice(row);
            }
        }
        self.missed += other.missed;
    }
}

/// What is remembered of words until the next call. It is not part of the weights, so that a copy starts without.
pub(super) struct KeptWords<T> {
    shared: Mutex<Arc<Words<T>>>,
    /// The words of threads that could not be shared yet, because another call was reading, and free memory.
    own: Mutex<Vec<Words<T>>>,
    /// The memory for the numbers of shared words, in bytes.
    room: AtomicUsize,
}

impl<T: Number> Default for KeptWords<T> {
    fn default() -> Self {
        Self { shared: Mutex::default(), own: Mutex::default(), room: AtomicUsize::new(T::SHARED) }
    }
}

impl<T: Number> Clone for KeptWords<T> {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl<T: Number> KeptWords<T> {
    /// What some threads begin with.
    pub(super) fn take(&self, threads: usize) -> Vec<KnownWords<T>> {
        // Nobody waits here: in a forked process, the lock may never be free again.
        let shared = self.shared.try_lock().map(|shared| Arc::clone(&shared)).unwrap_or_default();
        let mut own = self.own.try_lock().ok();
        let mut next = || own.as_mut().and_then(|own| own.pop()).unwrap_or_default();
        let room = self.room.load(Ordering::Relaxed);
        (0..threads).map(|_| KnownWords { shared: Arc::clone(&shared), own: next(), kept: 0, room }).collect()
    }

    /// From now on, little memory is used. What is remembered is forgotten, unless another call is about to read it.
    pub(super) fn stay_small(&self) {
        if self.room.swap(SMALL, Ordering::Relaxed) > SMALL
            && let (Ok(mut shared), Ok(mut own)) = (self.shared.try_lock(), self.own.try_lock())
        {
            *shared = Arc::default();
            own.clear();
        }
    }

    /// Keeps what some threads remember.
    pub(super) fn keep(&self, threads: impl Iterator<Item = KnownWords<T>>) {
        // Nobody may read the shared words any more when they change.
        let mut found: Vec<Words<T>> = threads.map(|thread| thread.own).collect();
        let room = self.room.load(Ordering::Relaxed);
        if let Ok(mut shared) = self.shared.try_lock()
            && let Some(shared) = Arc::get_mut(&mut shared)
        {
            for words in found.iter_mut().filter(|words| words.stride > 0) {
                shared.absorb(words, room);
                words.forget();
                if !shared.has_room(room) {
                    // From now on, nothing is kept here.
                    words.rows.shrink_to_fit();
                }
            }
        }
        if let Ok(mut own) = self.own.try_lock() {
            own.extend(found);
            own.truncate(MOST_KEPT);
        }
    }
}

/// The words that one thread knows.
pub(super) struct KnownWords<T> {
    shared: Arc<Words<T>>,
    own: Words<T>,
    /// How many words of one's own may be kept.
    kept: usize,
    /// The memory for the numbers of shared words, in bytes.
    room: usize,
}

impl<T> Default for KnownWords<T> {
    fn default() -> Self {
        Self { shared: Arc::default(), own: Words::default(), kept: 0, room: 0 }
    }
}

/// The words of one thread while their numbers are asked for.
pub(super) struct Numbering<T> {
    shared: Arc<Words<T>>,
    own: Vocabulary,
    most: usize,
}

impl<T> Numbering<T> {
    /// The numbers, for an analyzer that adds new words. Terms are wanted by row if there are rows.
    pub(super) fn numbers<'a>(&'a mut self, rows: Option<&'a TermRows>) -> WordNumbers<'a> {
        WordNumbers { shared: &self.shared.ids, own: &mut self.own, most: self.most, rows }
    }
}

impl<T: Number> KnownWords<T> {
    /// Begins a document whose words have rows of this length.
    pub(super) fn begin(&mut self, stride: usize) -> Numbering<T> {
        if stride != self.shared.stride {
            self.shared = Arc::new(Words::with_stride(stride));
        }
        if stride != self.own.stride || self.own.missed > PATIENCE * self.own.most(OWN) {
            self.own = Words::with_stride(stride);
        }
        // If the shared memory is full, what a thread learns could not be shared later.
        let most = if self.shared.has_room(self.room) { self.own.most(OWN) } else { 0 };
        self.kept = most.max(self.own.ids.len());
        Numbering { shared: Arc::clone(&self.shared), own: std::mem::take(&mut self.own.ids), most }
    }

    /// Ends a document.
    pub(super) fn end(&mut self, numbering: Numbering<T>) {
        self.own.ids = numbering.own;
    }

    /// The rows of new words, in the order of their numbers, to which others are appended.
    pub(super) fn new_rows(&mut self) -> &mut Vec<T> {
        &mut self.own.rows
    }

    /// Drops the rows of words that are not remembered.
    pub(super) fn drop_rest(&mut self) {
        let Words { rows, stride, missed, .. } = &mut self.own;
        *missed += (rows.len() / (*stride).max(1)).saturating_sub(self.kept);
        rows.truncate(self.kept * *stride);
    }

    /// The row of a word.
    #[inline]
    pub(super) fn row(&self, word: u32) -> Option<&[T]> {
        let (rows, start) = self.place(word);
        rows.get(start..start + self.own.stride)
    }

    /// Asks for the row of a word that will be added soon.
    #[inline]
    pub(super) fn prefetch(&self, word: u32) {
        let (rows, start) = self.place(word);
        (start..start + self.own.stride).step_by(LINE / size_of::<T>()).for_each(|at| prefetch(rows, at));
    }

    #[inline]
    fn place(&self, word: u32) -> (&[T], usize) {
        match (word as usize).checked_sub(self.shared.ids.len()) {
            None => (&self.shared.rows, word as usize * self.own.stride),
            Some(word) => (&self.own.rows, word * self.own.stride),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lets a thread meet a word, with a row of some number.
    fn meet(thread: &mut KnownWords<f64>, word: &[u8], number: f64) {
        let mut numbering = thread.begin(8);
        (&mut numbering.own).word(&Word::new(word), word);
        thread.new_rows().extend([number; 8]);
        thread.end(numbering);
    }

    fn shared(kept: &KeptWords<f64>) -> Vec<(String, f64)> {
        let words = Arc::clone(&kept.shared.lock().expect("nobody else has it"));
        (0..words.ids.len()).map(|id| (words.ids.term(id as u32), words.rows[id * 8])).collect()
    }

    #[test]
    fn words_of_all_threads_are_shared_after_a_call() {
        let kept = KeptWords::default();
        let mut threads = kept.take(2);
        meet(&mut threads[0], b"one", 1.0);
        meet(&mut threads[1], b"two", 2.0);
        meet(&mut threads[1], b"one", 1.0);
        kept.keep(threads.into_iter());
        assert_eq!(shared(&kept), [("one".to_string(), 1.0), ("two".to_string(), 2.0)]);
    }

    #[test]
    fn words_wait_while_another_call_reads() {
        let kept = KeptWords::default();
        let (mut first, mut second) = (kept.take(1), kept.take(1));
        meet(&mut first[0], b"one", 1.0);
        // In its first document, a call makes shared words of its own, unless there are some.
        second[0].shared = Arc::clone(&kept.shared.lock().expect("nobody else has it"));
        kept.keep(first.into_iter());
        assert_eq!(shared(&kept), []);
        drop(second);
        kept.keep(kept.take(1).into_iter());
        assert_eq!(shared(&kept), [("one".to_string(), 1.0)]);
    }

    #[test]
    fn memory_is_bounded_and_starts_anew() {
        const MEMORY: usize = 2 * 8 * 8;
        let (mut all, mut more) = (Words::with_stride(8), Words::with_stride(8));
        for word in ["a", "b", "c"] {
            (&mut more.ids).word(&Word::new(word.as_bytes()), word.as_bytes());
            more.rows.extend([1.0; 8]);
        }
        all.absorb(&more, MEMORY);
        assert_eq!((all.ids.len(), all.rows.len()), (2, 16));
        all.missed = PATIENCE * 2 + 1;
        all.absorb(&Words::with_stride(8), MEMORY);
        assert_eq!((all.ids.len(), all.missed), (0, 0));
    }
}
