//! Words that one thread has met, each with what was found out about it, which is done only once (a memo).

use crate::vocabulary::term_ids::Vocabulary;

/// Words and their values. They belong to one analyzer and one vocabulary.
pub(crate) struct WordCache<V> {
    /// The number of a word here is the index of its value. A word without a value is new.
    pub(crate) words: Vocabulary,
    pub(crate) values: Vec<V>,
    /// The size of all values.
    size: usize,
}

impl<V> Default for WordCache<V> {
    fn default() -> Self {
        Self { words: Vocabulary::default(), values: Vec::new(), size: 0 }
    }
}

impl<V> WordCache<V> {
    /// If its values are larger than this together, it starts anew.
    const MOST: usize = 1 << 24;

    /// Begins a text.
    pub(crate) fn begin(&mut self) {
        if self.size > Self::MOST {
            *self = Self::default();
        }
    }

    /// Adds the value of the next word, which has a size: how many numbers it consists of.
    pub(crate) fn add(&mut self, size: usize, value: V) {
        self.values.push(value);
        self.size += size;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_starts_anew_when_it_is_large() {
        let mut cache = WordCache::default();
        for (size, kept) in [(7, 1), (WordCache::<()>::MOST, 2), (1, 1)] {
            cache.begin();
            cache.add(size, ());
            assert_eq!(cache.values.len(), kept);
        }
    }
}
