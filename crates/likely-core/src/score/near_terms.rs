//! The terms and rows that scoring reads, in less memory, so that most of them stay near the processor.
//!
//! Words that are part of many n-grams are frequent, so that they come first: their rows lie together, and the table
//! of words finds them at once. The longest n-grams are not part of others, so that nobody needs their ids: they are
//! known by their rows, of which there are few different ones.

use crate::score::deltas::{Deltas, Dense};
use crate::score::distinct_rows::first_with_equal_row;
use crate::vocabulary::packed_phrases::PackedPhrases;
use crate::vocabulary::phrase_table::Phrase;
use crate::vocabulary::term_ids::{UNKNOWN, Vocabulary};
use std::cmp::Reverse;

/// Terms, and what they add to scores.
pub(super) struct NearTerms {
    /// All terms except for the longest n-grams.
    pub(super) vocabulary: Vocabulary,
    /// The rows of these terms, and after them those of the longest n-grams.
    pub(super) deltas: Deltas,
    /// The longest n-grams, and where their rows are.
    pub(super) phrases: PackedPhrases,
}

impl NearTerms {
    /// The terms of a vocabulary whose n-grams have at most `longest` words, if many of the longest have equal rows.
    pub(super) fn new(vocabulary: &Vocabulary, longest: usize, dense: &Dense) -> Option<Self> {
        let terms = Terms::new(vocabulary, longest, first_with_equal_row(dense)?);
        let shorter = terms.shorter();
        let mut near = Vocabulary::default();
        near.reserve(shorter.len(), false);
        let ids = by_id(vocabulary, shorter.iter().copied().zip(near.adopt(vocabulary, &shorter)));
        let mut table = vec![0.0; near.len() * dense.stride];
        for &id in shorter.iter().filter(|&&id| terms.first(id).is_some()) {
            let start = ids[id as usize] as usize * dense.stride;
            table[start..start + dense.stride].copy_from_slice(dense.row(id));
        }
        let distinct = terms.distinct();
        let places = by_id(vocabulary, distinct.iter().copied().zip(near.len() as u32..));
        distinct.iter().for_each(|&first| table.extend_from_slice(dense.row(first)));
        let placed =
            |&(first, parts): &(u32, Phrase)| (parts.map(|part| ids[part as usize]), places[first as usize]);
        let phrases = PackedPhrases::new(near.len(), terms.longest.iter().map(placed))?;
        Some(Self { vocabulary: near, deltas: Deltas::Dense(Dense { table, ..*dense }), phrases })
    }
}

/// A table from the ids of a vocabulary to some numbers.
fn by_id(vocabulary: &Vocabulary, numbers: impl Iterator<Item = (u32, u32)>) -> Vec<u32> {
    let mut table = vec![UNKNOWN; vocabulary.len()];
    numbers.for_each(|(id, number)| table[id as usize] = number);
    table
}

/// The terms of which near terms are made.
struct Terms {
    /// For each term, the first one with an equal row, or [`UNKNOWN`] for a row of zeros.
    firsts: Vec<u32>,
    /// The longest n-grams that add something: the first term with an equal row, and the parts.
    longest: Vec<(u32, Phrase)>,
    is_longest: Vec<bool>,
}

impl Terms {
    fn new(vocabulary: &Vocabulary, longest: usize, firsts: Vec<u32>) -> Self {
        let is_longest = vec![false; vocabulary.len()];
        let mut terms = Self { firsts, longest: Vec::new(), is_longest };
        for (id, parts) in vocabulary.longest_phrases(longest) {
            terms.is_longest[id as usize] = true;
            if let Some(first) = terms.first(id) {
                terms.longest.push((first, parts));
            }
        }
        terms
    }

    fn first(&self, id: u32) -> Option<u32> {
        self.firsts.get(id as usize).copied().filter(|&first| first != UNKNOWN)
    }

    /// The first terms with the rows of the longest n-grams, each of them once.
    fn distinct(&self) -> Vec<u32> {
        let mut is_new = vec![true; self.firsts.len()];
        let firsts = self.longest.iter().map(|&(first, _)| first);
        firsts.filter(|&first| std::mem::replace(&mut is_new[first as usize], false)).collect()
    }

    /// All other terms that are needed: those that are part of most of the longest n-grams come first.
    fn shorter(&self) -> Vec<u32> {
        let mut uses = vec![0u32; self.is_longest.len()];
        for part in self.longest.iter().flat_map(|(_, parts)| parts) {
            uses[*part as usize] += 1;
        }
        let is_needed = |id: u32| uses[id as usize] > 0 || self.first(id).is_some();
        let ids = 0..self.is_longest.len() as u32;
        let mut shorter: Vec<u32> = ids.filter(|&id| !self.is_longest[id as usize] && is_needed(id)).collect();
        shorter.sort_by_key(|&id| (Reverse(uses[id as usize]), id));
        shorter
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequent_words_come_first_and_the_longest_n_grams_are_their_rows() {
        let mut vocabulary = Vocabulary::default();
        let terms = ["rare", "new york", "york rare", "york york", "new new", "unknown"];
        let ids = terms.map(|term| vocabulary.intern(term.as_bytes(), true));
        let mut table = vec![0.0; 4 * vocabulary.len()];
        for (id, number) in ids.into_iter().zip([3.0, 1.0, 2.0, 1.0, 0.0, 0.0]) {
            table[4 * id as usize] = number;
        }
        let NearTerms { vocabulary, deltas, phrases } =
            NearTerms::new(&vocabulary, 2, &Dense { stride: 4, table, scaled: true }).expect("small");
        let words: Vec<String> = (0..vocabulary.len() as u32).map(|id| vocabulary.term(id)).collect();
        assert_eq!(words, ["york", "rare", "new"]);
        let rows: Vec<f64> = (0..5).map(|row| deltas.scale(row)).collect();
        assert_eq!((rows, deltas.scale(5)), (vec![0.0, 3.0, 0.0, 1.0, 2.0], 0.0));
        let row_of = |parts| phrases.number(parts);
        assert_eq!([[2, 0], [0, 1], [0, 0], [2, 2]].map(row_of), [3, 4, 3, UNKNOWN]);
    }
}
