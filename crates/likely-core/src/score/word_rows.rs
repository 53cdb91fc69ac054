//! Words that have occurred before, each with a row of numbers: what its terms add up to.
//!
//! During a call, all threads read the words of the session, and each thread adds words of its own. After the call, those
//! become words of the session, as far as there is memory for them. The numbers of a word do not depend on what is
//! remembered, so that neither do scores: this may only change how long they take.

use crate::analyze::terms::grams_by_word::WordNumbers;
use crate::prefetch::prefetch;
use crate::vocabulary::lexicon::Lexicon;
use crate::vocabulary::term_ids::Vocabulary;
use crate::vocabulary::term_rows::TermRows;
use crate::vocabulary::word::Word;

/// The share of a session's memory that each thread may use for words of its own: one in this many bytes.
const OWN: usize = 10;
/// When the memory is full, and this many times as many words were not found in it, it starts anew.
const PATIENCE: usize = 16;
/// The bytes of a cache line.
const LINE: usize = 64;

/// Words, and a row of numbers for each, by its id.
#[derive(Default)]
pub(super) struct WordRows<T> {
    ids: Vocabulary,
    /// The length of a row; 0 as long as there are no words.
    stride: usize,
    rows: Vec<T>,
    /// The number of words that were not remembered, because the memory was full.
    missed: usize,
}

impl<T: Copy> WordRows<T> {
    /// Forgets all words, and keeps the memory of their numbers for others.
    fn forget(&mut self) {
        self.rows.clear();
        (self.ids, self.missed) = (Vocabulary::default(), 0);
    }

    /// The number of words whose numbers fit into some bytes.
    fn most(&self, memory: usize) -> usize {
        (memory / (size_of::<T>() * self.stride.max(1))).max(1)
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
            self.ids.reserve(self.most(memory).saturating_sub(self.ids.len()));
        }
    }

    /// Adds the words of a thread, as far as there is room in this many bytes, and lets it forget them.
    pub(super) fn absorb(&mut self, thread: &mut ThreadWords<T>, memory: usize) {
        let other = &mut thread.own;
        if other.stride == 0 {
            return;
        }
        self.stride = other.stride;
        let most = self.most(memory);
        if self.missed > PATIENCE * most {
            self.forget();
        }
        self.make_room(other.rows.len(), memory);
        for (id, row) in other.rows.chunks_exact(other.stride).enumerate() {
            let (bytes, before) = (other.ids.word_bytes(id as u32), self.ids.len());
            if before < most && (&mut self.ids).word(&Word::new(bytes), bytes) as usize == before {
                self.rows.extend_from_slice(row);
            }
        }
        self.missed += other.missed;
        other.forget();
        if self.ids.len() >= most {
            // From now on, the thread keeps nothing.
            other.rows.shrink_to_fit();
        }
    }
}

/// The words that one thread adds to those of a session.
#[derive(Default)]
pub(super) struct ThreadWords<T> {
    own: WordRows<T>,
    /// How many of them may be kept.
    kept: usize,
}

/// The words of one thread while their numbers are asked for.
pub(super) struct Numbering<'a> {
    shared: &'a Vocabulary,
    own: Vocabulary,
    most: usize,
}

impl Numbering<'_> {
    /// The numbers, for an analyzer that adds new words. Terms are wanted by row if there are rows.
    pub(super) fn numbers<'b>(&'b mut self, rows: Option<&'b TermRows>) -> WordNumbers<'b> {
        WordNumbers { shared: self.shared, own: &mut self.own, most: self.most, rows }
    }
}

impl<T: Copy> ThreadWords<T> {
    /// Begins a document whose words have rows of this length.
    pub(super) fn begin<'a>(&mut self, stride: usize, shared: &'a WordRows<T>, memory: usize) -> Numbering<'a> {
        self.own.stride = stride;
        // If the memory of the session is full, what a thread learns could not be kept later.
        let is_full = shared.stride > 0 && shared.ids.len() >= shared.most(memory);
        let most = if is_full { 0 } else { self.own.most(memory / OWN) };
        self.kept = most.max(self.own.ids.len());
        Numbering { shared: &shared.ids, own: std::mem::take(&mut self.own.ids), most }
    }

    /// Ends a document.
    pub(super) fn end(&mut self, numbering: Numbering<'_>) {
        self.own.ids = numbering.own;
    }

    /// The rows of new words, in the order of their numbers, to which others are appended.
    pub(super) fn new_rows(&mut self) -> &mut Vec<T> {
        &mut self.own.rows
    }

    /// Drops the rows of words that are not remembered.
    pub(super) fn drop_rest(&mut self) {
        let WordRows { rows, stride, missed, .. } = &mut self.own;
        *missed += (rows.len() / (*stride).max(1)).saturating_sub(self.kept);
        rows.truncate(self.kept * *stride);
    }

    /// The row of a word.
    #[inline]
    pub(super) fn row<'a>(&'a self, shared: &'a WordRows<T>, word: u32) -> Option<&'a [T]> {
        let (rows, start) = self.start(shared, word);
        rows.get(start..start + self.own.stride)
    }

    /// Asks for the row of a word that will be added soon.
    #[inline]
    pub(super) fn prefetch(&self, shared: &WordRows<T>, word: u32) {
        let (rows, start) = self.start(shared, word);
        (start..start + self.own.stride).step_by(LINE / size_of::<T>()).for_each(|at| prefetch(rows, at));
    }

    #[inline]
    fn start<'a>(&'a self, shared: &'a WordRows<T>, word: u32) -> (&'a [T], usize) {
        match (word as usize).checked_sub(shared.ids.len()) {
            None => (&shared.rows, word as usize * self.own.stride),
            Some(word) => (&self.own.rows, word * self.own.stride),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROW: usize = 8;
    const MEMORY: usize = OWN * 2 * ROW * size_of::<f64>();

    /// Lets a thread meet a word, with a row of some number.
    fn meet(thread: &mut ThreadWords<f64>, shared: &WordRows<f64>, word: &str, number: f64) {
        let mut numbering = thread.begin(ROW, shared, MEMORY);
        let numbers = numbering.numbers(None);
        let mut own = numbers.own;
        if shared.ids.find(word.as_bytes(), false) == crate::vocabulary::term_ids::UNKNOWN {
            own.word(&Word::new(word.as_bytes()), word.as_bytes());
            thread.new_rows().extend([number; ROW]);
        }
        thread.end(numbering);
    }

    fn words(cache: &WordRows<f64>) -> Vec<(String, f64)> {
        (0..cache.ids.len()).map(|id| (cache.ids.term(id as u32), cache.rows[id * ROW])).collect()
    }

    #[test]
    fn words_of_all_threads_are_shared_after_a_call() {
        let (mut shared, mut one, mut other) =
            (WordRows::default(), ThreadWords::default(), ThreadWords::default());
        meet(&mut one, &shared, "one", 1.0);
        meet(&mut other, &shared, "two", 2.0);
        meet(&mut other, &shared, "one", 1.0);
        [&mut one, &mut other].into_iter().for_each(|thread| shared.absorb(thread, MEMORY));
        assert_eq!(words(&shared), [("one".to_string(), 1.0), ("two".to_string(), 2.0)]);
        meet(&mut one, &shared, "three", 3.0);
        assert_eq!((one.row(&shared, 1), one.row(&shared, 2)), (Some(&[2.0; ROW][..]), Some(&[3.0; ROW][..])));
    }

    #[test]
    fn memory_is_bounded_and_starts_anew() {
        let (mut shared, mut thread) = (WordRows::default(), ThreadWords::default());
        for word in 0..3 * OWN {
            meet(&mut thread, &shared, &format!("w{word}"), 1.0);
        }
        shared.absorb(&mut thread, MEMORY);
        assert_eq!((shared.ids.len(), shared.rows.len()), (2 * OWN, 2 * OWN * ROW));
        assert_eq!(thread.begin(ROW, &shared, MEMORY).most, 0);
        shared.missed = PATIENCE * 2 * OWN + 1;
        shared.absorb(&mut thread, MEMORY);
        assert_eq!((shared.ids.len(), shared.missed), (0, 0));
    }
}
