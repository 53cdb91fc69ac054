//! The longest n-grams of a vocabulary, in a table that needs fewer reads of far memory.

use crate::vocabulary::lexicon::Lexicon;
use crate::vocabulary::packed_phrases::PackedPhrases;
use crate::vocabulary::phrase_table::Phrase;
use crate::vocabulary::term_ids::{Node, Vocabulary};
use crate::vocabulary::word::Word;

/// A vocabulary, and its longest n-grams in a table of their own.
#[derive(Clone, Copy)]
pub(crate) struct WithLongest<'a> {
    pub(crate) vocabulary: &'a Vocabulary,
    pub(crate) phrases: &'a PackedPhrases,
}

impl Vocabulary {
    /// The n-grams of `longest` words: their ids and parts.
    pub(crate) fn longest_phrases(&self, longest: usize) -> impl Iterator<Item = (u32, Phrase)> + Clone {
        (0..self.len() as u32).filter_map(move |id| match self.nodes[id as usize] {
            Node::Phrase { parent, last } if self.length_of(parent) + 1 == longest => Some((id, [parent, last])),
            _ => None,
        })
    }

    /// How many words a term has.
    fn length_of(&self, mut id: u32) -> usize {
        let mut length = 1;
        while let Node::Phrase { parent, .. } = self.nodes[id as usize] {
            (id, length) = (parent, length + 1);
        }
        length
    }
}

impl Lexicon for WithLongest<'_> {
    fn vocabulary(&self) -> &Vocabulary {
        self.vocabulary
    }

    #[inline(always)]
    fn word(&mut self, word: &Word, bytes: &[u8]) -> u32 {
        self.vocabulary.find_word(word, bytes)
    }

    #[inline]
    fn phrase(&mut self, parent: u32, last: u32) -> u32 {
        self.vocabulary.find_phrase(parent, last)
    }

    #[inline(always)]
    fn reads(&self) -> Option<&Vocabulary> {
        Some(self.vocabulary)
    }

    #[inline(always)]
    fn longest(&self) -> Option<&PackedPhrases> {
        Some(self.phrases)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::term_ids::UNKNOWN;

    #[test]
    fn only_the_longest_n_grams_are_in_the_table() {
        let mut vocabulary = Vocabulary::default();
        let terms = ["new york", "new york city", "york new york"];
        let [new_york, city, york] = terms.map(|term| vocabulary.intern(term.as_bytes(), true));
        let longest: Vec<u32> = vocabulary.longest_phrases(3).map(|(id, _)| id).collect();
        assert_eq!(longest, [city, york]);
        assert_eq!(vocabulary.longest_phrases(4).count(), 0);
        let numbered = vocabulary.longest_phrases(3).map(|(id, phrase)| (phrase, id + 100));
        let phrases = PackedPhrases::new(vocabulary.len(), numbered).expect("they fit");
        let mut lexicon = WithLongest { vocabulary: &vocabulary, phrases: &phrases };
        let [new, city_word] = ["new", "city"].map(|word| vocabulary.find(word.as_bytes(), true));
        let find = |phrase| phrases.number(phrase);
        assert_eq!(find([new_york, city_word]), city + 100);
        assert_eq!(find([new_york, new]), UNKNOWN);
        assert_eq!(lexicon.phrase(new_york, city_word), city);
    }
}
