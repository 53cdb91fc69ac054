//! Sorted terms to ids: what a term shares with the term before it is not looked up again.

use crate::vocabulary::lexicon::Lexicon;
use crate::vocabulary::term_ids::{JOINT, UNKNOWN, Vocabulary};
use crate::vocabulary::word::Word;

/// Adds terms to a vocabulary. They may come in any order, but sorted ones are added faster.
#[derive(Default)]
pub(crate) struct SortedTerms {
    /// The last term.
    term: Vec<u8>,
    /// The n-grams that the last term begins with, up to the term itself: where each ends, and its id.
    beginnings: Vec<(usize, u32)>,
}

impl SortedTerms {
    /// The last term; nothing if there was none.
    pub(crate) fn last(&self) -> &[u8] {
        &self.term
    }

    /// The id of a term, which is added if it is new; `phrases` says whether [`JOINT`] separates words.
    pub(crate) fn intern(&mut self, mut vocabulary: &mut Vocabulary, term: &[u8], phrases: bool) -> u32 {
        let shared = self.term.iter().zip(term).take_while(|(a, b)| a == b).count();
        let is_there = |end: usize| end <= shared && term.get(end).is_none_or(|&byte| phrases && byte == JOINT);
        while self.beginnings.pop_if(|(end, _)| !is_there(*end)).is_some() {}
        let mut start = self.beginnings.last().map_or(0, |&(end, _)| end + 1);
        while start <= term.len() {
            let rest = &term[start..];
            let joint = if phrases { rest.iter().position(|&byte| byte == JOINT) } else { None };
            let word = &rest[..joint.unwrap_or(rest.len())];
            let last = vocabulary.word(&Word::new(word), word);
            let id = self.beginnings.last().map_or(last, |&(_, parent)| vocabulary.phrase(parent, last));
            self.beginnings.push((start + word.len(), id));
            start += word.len() + 1;
        }
        self.term.truncate(shared);
        self.term.extend_from_slice(&term[shared..]);
        self.beginnings.last().map_or(UNKNOWN, |&(_, id)| id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn ids_are_those_of_any_other_way(
            mut terms in proptest::collection::vec("[ab\u{1}é]{1,3}( [ab]{1,2}){0,3}", 1..40),
            phrases in any::<bool>(),
            sorted in any::<bool>(),
        ) {
            if sorted {
                terms.sort();
            }
            let (mut vocabulary, mut plain) = (Vocabulary::default(), Vocabulary::default());
            let mut known = SortedTerms::default();
            for term in &terms {
                let id = known.intern(&mut vocabulary, term.as_bytes(), phrases);
                prop_assert_eq!(id, plain.intern(term.as_bytes(), phrases));
                prop_assert_eq!(vocabulary.term(id), term.as_str());
                prop_assert_eq!(known.last(), term.as_bytes());
            }
            prop_assert_eq!(vocabulary.len(), plain.len());
        }
    }
}
