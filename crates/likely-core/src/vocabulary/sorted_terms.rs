//! Sorted terms to ids: what a term shares with the term before it is not looked up again.

use crate::vocabulary::lexicon::Lexicon;
use crate::vocabulary::term_ids::{JOINT, UNKNOWN, Vocabulary};
use crate::vocabulary::word::Word;
use memchr::memchr;

/// Adds terms to a vocabulary. They may come in any order, but sorted ones are added faster.
#[derive(Default)]
pub(crate) struct SortedTerms {
    /// The last term.
    term: Vec<u8>,
    /// The n-grams that the last term begins with, up to the term itself: where each ends, and its id.
    beginnings: Vec<(usize, u32)>,
    /// Whether n-grams are not in the hash table yet, as long as terms are strictly sorted from the beginning: terms with
    /// the same beginning then follow each other, so that any other n-gram is new and need not be found.
    are_apart: bool,
    /// Whether words are not in the hash table yet either. If every term is one word, each is new.
    are_words_apart: bool,
}

impl SortedTerms {
    /// For terms that come strictly sorted into an empty vocabulary, until [`Self::end_order`].
    pub(crate) fn in_order() -> Self {
        Self { are_apart: true, ..Self::default() }
    }

    /// The last term; nothing if there was none.
    pub(crate) fn last(&self) -> &[u8] {
        &self.term
    }

    /// Ends the strict order: from now on terms may be found, and may come in any order. The hash tables in which they
    /// are found can be those of an empty vocabulary, which was made while terms were read.
    pub(crate) fn end_order(&mut self, vocabulary: &mut Vocabulary, tables: Option<Vocabulary>) {
        if std::mem::take(&mut self.are_apart) {
            if let Some(tables) = tables {
                vocabulary.phrases = tables.phrases;
                if self.are_words_apart {
                    vocabulary.words = tables.words;
                }
            }
            vocabulary.insert_all(self.are_words_apart);
        }
    }

    /// The id of a term, which is added if it is new. It begins with exactly `shared` bytes like the last one, and
    /// `phrases` says whether [`JOINT`] separates words.
    pub(crate) fn intern(
        &mut self,
        vocabulary: &mut Vocabulary,
        term: &[u8],
        shared: usize,
        phrases: bool,
    ) -> u32 {
        if self.are_apart && !phrases {
            self.are_words_apart = true;
            self.term.truncate(shared);
            self.term.extend_from_slice(&term[shared..]);
            return vocabulary.push_word(term);
        }
        // A word with a character that sorts before the separator would come between terms with the same beginning.
        if self.are_apart && term.iter().fold(false, |found, &byte| found | (byte < JOINT)) {
            self.end_order(vocabulary, None);
        }
        let is_there = |end: usize| end <= shared && term.get(end).is_none_or(|&byte| phrases && byte == JOINT);
        while self.beginnings.pop_if(|(end, _)| !is_there(*end)).is_some() {}
        let mut start = self.beginnings.last().map_or(0, |&(end, _)| end + 1);
        while start <= term.len() {
            let rest = &term[start..];
            let joint = if phrases { memchr(JOINT, rest) } else { None };
            let word = &rest[..joint.unwrap_or(rest.len())];
            let id = self.longer(vocabulary, word);
            self.beginnings.push((start + word.len(), id));
            start += word.len() + 1;
        }
        self.term.truncate(shared);
        self.term.extend_from_slice(&term[shared..]);
        self.beginnings.last().map_or(UNKNOWN, |&(_, id)| id)
    }

    /// The id of the n-gram that the longest beginning and one more word make.
    fn longer(&self, mut vocabulary: &mut Vocabulary, word: &[u8]) -> u32 {
        let last = vocabulary.word(&Word::new(word), word);
        match self.beginnings.last() {
            None => last,
            Some(&(_, parent)) if self.are_apart => vocabulary.push_phrase(parent, last),
            Some(&(_, parent)) => vocabulary.phrase(parent, last),
        }
    }
}

/// The number of bytes that two terms begin with alike. Eight bytes at a time are compared.
#[inline]
pub(crate) fn shared_bytes(a: &[u8], b: &[u8]) -> usize {
    let eights = |term| <[u8]>::as_chunks::<8>(term).0.iter().map(|&eight| u64::from_le_bytes(eight));
    let mut shared = 0;
    for (a, b) in eights(a).zip(eights(b)) {
        if a != b {
            return shared + (a ^ b).trailing_zeros() as usize / 8;
        }
        shared += 8;
    }
    shared + a[shared..].iter().zip(&b[shared..]).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_terms_share_is_counted_byte_by_byte(a in "[ab\u{e9}]{0,20}", b in "[ab\u{e9}]{0,20}", cut in 0usize..20) {
            let like_a: Vec<u8> = a.bytes().take(cut).chain(b.bytes()).collect();
            for other in [b.as_bytes(), &like_a] {
                let expected = a.bytes().zip(other).take_while(|(a, b)| a == *b).count();
                prop_assert_eq!(shared_bytes(a.as_bytes(), other), expected);
            }
        }


        #[test]
        fn ids_are_those_of_any_other_way(
            mut terms in proptest::collection::vec("[ab\u{1}é]{1,3}( [ab]{1,2}){0,3}", 1..40),
            phrases in any::<bool>(),
            sorted in any::<bool>(),
            room in any::<bool>(),
        ) {
            if sorted {
                terms.sort();
                terms.dedup();
            }
            let (mut vocabulary, mut plain) = (Vocabulary::default(), Vocabulary::default());
            let mut known = if sorted { SortedTerms::in_order() } else { SortedTerms::default() };
            for term in &terms {
                let shared = shared_bytes(known.last(), term.as_bytes());
                let id = known.intern(&mut vocabulary, term.as_bytes(), shared, phrases);
                prop_assert_eq!(id, plain.intern(term.as_bytes(), phrases));
                prop_assert_eq!(vocabulary.term(id), term.as_str());
                prop_assert_eq!(known.last(), term.as_bytes());
            }
            prop_assert_eq!(vocabulary.len(), plain.len());
            known.end_order(&mut vocabulary, room.then(|| Vocabulary::with_room(terms.len() / 2, terms.len() / 3)));
            for term in &terms {
                prop_assert_eq!(vocabulary.find(term.as_bytes(), phrases), plain.find(term.as_bytes(), phrases));
            }
        }
    }
}
