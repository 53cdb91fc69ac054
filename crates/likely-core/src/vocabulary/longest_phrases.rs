//! A vocabulary whose longest n-grams are found with fewer reads of far memory.

use crate::vocabulary::lexicon::Lexicon;
use crate::vocabulary::packed_phrases::{PackedPhrases, Place};
use crate::vocabulary::phrase_table::Phrase;
use crate::vocabulary::term_ids::{Node, Vocabulary};
use crate::vocabulary::word::Word;

/// The longest n-grams of a vocabulary.
pub(crate) struct LongestPhrases {
    /// The number of terms that the vocabulary had.
    terms: usize,
    longest: usize,
    phrases: PackedPhrases,
}

/// A vocabulary, and its longest n-grams in a table of their own.
pub(crate) struct WithLongest<'a> {
    vocabulary: &'a Vocabulary,
    phrases: &'a PackedPhrases,
}

impl LongestPhrases {
    /// The n-grams of `longest` words, each of which has the number that `number_of` gives to its id; those without
    /// a number are left out. It returns nothing if there are none, or if they do not fit the table.
    pub(crate) fn new(
        vocabulary: &Vocabulary,
        longest: usize,
        number_of: impl Fn(u32) -> Option<u32> + Copy,
    ) -> Option<Self> {
        let nodes = &vocabulary.nodes;
        let phrases = (0..nodes.len() as u32).filter_map(|id| match nodes[id as usize] {
            Node::Phrase { parent, last } if length_of(nodes, parent) + 1 == longest => {
                Some(([parent, last], number_of(id)?))
            }
            _ => None,
        });
        phrases.clone().next()?;
        let terms = vocabulary.len();
        Some(Self { terms, longest, phrases: PackedPhrases::new(terms, phrases)? })
    }

    /// The vocabulary with these n-grams, unless it has changed, or longer ones are looked for.
    pub(crate) fn of<'a>(&'a self, vocabulary: &'a Vocabulary, longest: usize) -> Option<WithLongest<'a>> {
        (self.terms == vocabulary.len() && self.longest == longest)
            .then_some(WithLongest { vocabulary, phrases: &self.phrases })
    }
}

/// How many words a term has.
fn length_of(nodes: &[Node], mut id: u32) -> usize {
    let mut length = 1;
    while let Node::Phrase { parent, .. } = nodes[id as usize] {
        (id, length) = (parent, length + 1);
    }
    length
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
    fn prefetch_longest(&self, phrase: Phrase) -> Place {
        self.phrases.prefetch(phrase)
    }

    #[inline(always)]
    fn longest_phrase(&mut self, _: Phrase, place: Place) -> u32 {
        self.phrases.find(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::term_ids::UNKNOWN;

    #[test]
    fn only_the_longest_n_grams_have_numbers() {
        let mut vocabulary = Vocabulary::default();
        let [new_york, city, left_out] =
            ["new york", "new york city", "new york new"].map(|term| vocabulary.intern(term.as_bytes(), true));
        let number_of = |id| (id != left_out).then_some(id + 100);
        let longest = LongestPhrases::new(&vocabulary, 3, number_of).expect("they fit");
        let [new, city_word] = ["new", "city"].map(|word| vocabulary.find(word.as_bytes(), true));
        let mut lexicon = longest.of(&vocabulary, 3).expect("it is the same vocabulary");
        let mut find = |phrase| lexicon.longest_phrase(phrase, lexicon.prefetch_longest(phrase));
        assert_eq!(find([new_york, city_word]), city + 100);
        assert_eq!(find([new_york, new]), UNKNOWN);
        assert_eq!(lexicon.phrase(new_york, new), left_out);
        assert!(longest.of(&vocabulary, 2).is_none());
        vocabulary.intern(b"york", true);
        assert!(longest.of(&vocabulary, 3).is_some());
        vocabulary.intern(b"boston", true);
        assert!(longest.of(&vocabulary, 3).is_none());
    }

    #[test]
    fn without_long_n_grams_there_is_no_table() {
        let mut vocabulary = Vocabulary::default();
        vocabulary.intern(b"new york", true);
        assert!(LongestPhrases::new(&vocabulary, 3, Some).is_none());
        assert!(LongestPhrases::new(&vocabulary, 2, Some).is_some());
    }
}
