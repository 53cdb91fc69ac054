//! A vocabulary without its hash tables, which take more than half of its memory. It can be read, and made whole
//! again.

use crate::prefetch::AHEAD;
use crate::vocabulary::phrase_table::PhraseTable;
use crate::vocabulary::table::Table;
use crate::vocabulary::term_ids::{Node, Vocabulary};
use crate::vocabulary::word::hash_of_key;

impl Vocabulary {
    /// Whether some terms consist of several words.
    pub(crate) fn has_phrases(&self) -> bool {
        self.nodes.iter().any(|node| matches!(node, Node::Phrase { .. }))
    }

    /// Frees the memory that serves to find terms. After that the vocabulary can only be read, as by [`Self::absorb`].
    pub(crate) fn seal(&mut self) {
        (self.words, self.phrases) = (Table::new(), PhraseTable::with_room(0));
    }

    /// Makes the memory that [`Self::seal`] freed again.
    pub(crate) fn unseal(&mut self) {
        let phrases = self.nodes.iter().filter(|node| matches!(node, Node::Phrase { .. })).count();
        self.words = Table::with_slots(2 * (self.len() - phrases + 1));
        self.phrases = PhraseTable::with_room(phrases);
        for id in 0..self.nodes.len() {
            if let Some(Node::Phrase { parent, last }) = self.nodes.get(id + AHEAD) {
                self.prefetch_phrase(*parent, *last);
            }
            match self.nodes[id] {
                Node::Phrase { parent, last } => self.phrases.insert([parent, last], id as u32),
                Node::Word { .. } => {
                    let word = self.word_of(id);
                    self.words.insert(word.hash, word.key, id as u32, hash_of_key);
                }
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
