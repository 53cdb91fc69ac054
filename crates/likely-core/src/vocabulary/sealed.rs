//! A vocabulary without its hash tables, which take more than half of its memory. It can be read, and made whole
//! again.

use crate::prefetch::AHEAD;
use crate::vocabulary::term_ids::{Node, Vocabulary};

impl Vocabulary {
    /// Whether some terms consist of several words.
    pub(crate) fn has_phrases(&self) -> bool {
        self.nodes.iter().any(|node| matches!(node, Node::Phrase { .. }))
    }

    /// Frees the memory that serves to find terms. After that the vocabulary can only be read, as by [`Self::absorb`].
    pub(crate) fn seal(&mut self) {
        self.take_tables(Self::default());
    }

    /// Makes the memory that [`Self::seal`] freed again.
    pub(crate) fn unseal(&mut self) {
        let phrases = self.nodes.iter().filter(|node| matches!(node, Node::Phrase { .. })).count();
        self.take_tables(Self::with_room(self.len() - phrases, phrases));
        self.insert_all(true);
    }

    fn take_tables(&mut self, other: Self) {
        (self.words, self.phrases) = (other.words, other.phrases);
    }

    /// Puts all n-grams, and with `words` also all words, into the hash tables, which have none of them.
    pub(super) fn insert_all(&mut self, words: bool) {
        for id in 0..self.nodes.len() {
            match self.nodes.get(id + AHEAD) {
                Some(Node::Phrase { parent, last }) => self.prefetch_phrase(*parent, *last),
                Some(Node::Word { .. }) if words => self.prefetch_word(&self.word_of(id + AHEAD)),
                _ => {}
            }
            match self.nodes[id] {
                Node::Phrase { parent, last } => self.phrases.insert([parent, last], id as u32),
                Node::Word { .. } if words => self.insert_word(&self.word_of(id), id as u32),
                Node::Word { .. } => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_found_again() {
        let mut vocabulary = Vocabulary::default();
        assert!(!vocabulary.has_phrases());
        let terms: Vec<String> =
            (0..500).map(|i| format!("w{i} a-word-that-is-long-{} w{}", i / 2, i / 3)).collect();
        let ids: Vec<u32> = terms.iter().map(|term| vocabulary.intern(term.as_bytes(), true)).collect();
        let length = vocabulary.len();
        vocabulary.seal();
        vocabulary.unseal();
        assert!(vocabulary.has_phrases());
        assert!(terms.iter().zip(ids).all(|(term, id)| vocabulary.intern(term.as_bytes(), true) == id));
        assert_eq!(vocabulary.len(), length);
    }
}
