//! The distinct words of a stretch of text, and how often each occurs: most words of a page occur on it again.

use crate::analyze::tokens::tokenize::Span;
use crate::vocabulary::word::{Word, are_equal};

/// The largest number of words.
const MOST: usize = 1024;
/// Twice as many slots, so that few words collide; a slot is two bytes, so that all stay in the first cache.
const SLOTS: usize = 2 * MOST;

/// Words in the order in which they first occur.
#[derive(Default)]
pub(crate) struct DistinctWords {
    words: Vec<Occurring>,
    /// By the hash of a word, its place in `words` plus 1, or 0.
    slots: Vec<u16>,
}

/// A word that occurs some times.
#[derive(Clone, Copy)]
pub(crate) struct Occurring {
    pub(crate) key: Word,
    /// Where the word first occurs in the text.
    pub(crate) span: Span,
    pub(crate) times: u32,
}

impl DistinctWords {
    /// Must also be called before the first word.
    pub(crate) fn clear(&mut self) {
        self.words.clear();
        self.slots.clear();
        self.slots.resize(SLOTS, 0);
    }

    pub(crate) fn is_full(&self) -> bool {
        self.words.len() >= MOST
    }

    pub(crate) fn words(&self) -> &[Occurring] {
        &self.words
    }

    /// Adds a word that stands in the text from one byte to another, while there is room; returns its key if it is new.
    #[inline]
    pub(crate) fn add(&mut self, text: &[u8], start: usize, end: usize) -> Option<Word> {
        let key = Word::new(&text[start..end]);
        let mut at = (key.hash >> (64 - SLOTS.trailing_zeros())) as usize;
        loop {
            let slot = &mut self.slots[at % SLOTS];
            let Some(place) = slot.checked_sub(1) else {
                *slot = self.words.len() as u16 + 1;
                self.words.push(Occurring { key, span: [start as u32, end as u32], times: 1 });
                return Some(key);
            };
            let other = &mut self.words[usize::from(place)];
            let [first, last] = other.span.map(|at| at as usize);
            if other.key.key == key.key && (key.is_short() || are_equal(&text[first..last], &text[start..end])) {
                other.times += 1;
                return None;
            }
            at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_counted_in_the_order_in_which_they_first_occur() {
        let text = b"b a b a-word-of-many-bytes b a-word-of-many-bytes a-word-of-many-bites";
        let mut words = DistinctWords::default();
        for _ in 0..2 {
            words.clear();
            let mut start = 0;
            for word in text.split(|&byte| byte == b' ') {
                words.add(text, start, start + word.len());
                start += word.len() + 1;
            }
            let times: Vec<u32> = words.words().iter().map(|word| word.times).collect();
            assert_eq!(times, [3, 1, 2, 1]);
        }
    }

    #[test]
    fn there_is_room_for_all() {
        let text: String = (0..MOST).map(|number| format!("{number:05}")).collect();
        let mut words = DistinctWords::default();
        words.clear();
        for start in (0..text.len()).step_by(5) {
            assert!(!words.is_full());
            assert!(words.add(text.as_bytes(), start, start + 5).is_some());
            assert!(words.add(text.as_bytes(), start, start + 5).is_none());
        }
        assert!(words.is_full());
    }
}
