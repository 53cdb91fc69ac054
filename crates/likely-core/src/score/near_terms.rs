//! The terms and rows that scoring reads, in less memory, so that most of them stay near the processor.
//!
//! Words that are part of many n-grams are frequent, so that they come first: their rows lie together, and the table
//! of words finds them at once. The longest n-grams are not part of others, so that nobody needs their ids: they are
//! known by their rows. The numbers of a term follow from a few small counts, so that a million n-grams may have only
//! some thousand different rows.
//!
//! **Invariant.** Every term has the row that it has in the vocabulary of the weights, or none if that is all zeros.

use crate::score::deltas::{Deltas, Dense};
use crate::vocabulary::packed_phrases::PackedPhrases;
use crate::vocabulary::phrase_table::Phrase;
use crate::vocabulary::term_ids::{UNKNOWN, Vocabulary};
use std::cmp::Reverse;
use std::collections::HashMap;

/// More different rows than this are too many to stay near the processor.
const MOST: usize = 1 << 17;

/// Terms, and what they add to scores.
pub(super) struct NearTerms {
    /// All terms except for the longest n-grams.
    pub(super) vocabulary: Vocabulary,
    /// The rows of these terms, and after them those of the longest n-grams, each once.
    pub(super) deltas: Deltas,
    /// The longest n-grams, and the numbers of their rows.
    pub(super) phrases: PackedPhrases,
}

impl NearTerms {
    /// The terms of a vocabulary whose n-grams have at most `longest` words, if many of the longest have equal rows.
    pub(super) fn new(vocabulary: &Vocabulary, longest: usize, dense: &Dense) -> Option<Self> {
        let stride = dense.stride;
        let row = |id: u32| dense.table.get(id as usize * stride..(id as usize + 1) * stride);
        let adds = |id: u32| row(id).is_some_and(|row| row.iter().any(|number| number.to_bits() != 0));
        let mut uses = vec![0u32; vocabulary.len()];
        let mut is_longest = vec![false; vocabulary.len()];
        let phrases = || vocabulary.longest_phrases(longest).filter(|&(_, id)| adds(id));
        vocabulary.longest_phrases(longest).for_each(|(_, id)| is_longest[id as usize] = true);
        phrases().for_each(|(parts, _)| parts.into_iter().for_each(|part| uses[part as usize] += 1));
        let is_needed = |&id: &u32| !is_longest[id as usize] && (uses[id as usize] > 0 || adds(id));
        let mut shorter: Vec<u32> = (0..vocabulary.len() as u32).filter(is_needed).collect();
        shorter.sort_by_key(|&id| (Reverse(uses[id as usize]), id));
        let mut near = Vocabulary::default();
        near.reserve(shorter.len());
        let mut near_ids = vec![UNKNOWN; vocabulary.len()];
        let own = near.adopt(vocabulary, &shorter);
        let mut table = vec![0.0; near.len() * stride];
        for (&id, &own) in shorter.iter().zip(&own) {
            near_ids[id as usize] = own;
            let start = own as usize * stride;
            row(id).into_iter().for_each(|row| table[start..start + stride].copy_from_slice(row));
        }
        let (mut numbers, mut placed) = (HashMap::new(), Vec::<(Phrase, u32)>::new());
        for (parts, id) in phrases() {
            let (row, next) = (row(id)?, (table.len() / stride) as u32);
            let bits: Vec<u64> = row.iter().map(|number| number.to_bits()).collect();
            let number = *numbers.entry(bits).or_insert(next);
            if number == next {
                table.extend_from_slice(row);
            }
            placed.push((parts.map(|part| near_ids[part as usize]), number));
        }
        let phrases = PackedPhrases::new(near.len(), placed.iter().copied()).filter(|_| numbers.len() <= MOST)?;
        Some(Self { vocabulary: near, deltas: Deltas::Dense(Dense { table, ..*dense }), phrases })
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
        let dense = Dense { stride: 4, table, scaled: true };
        let NearTerms { vocabulary: near, deltas, phrases } =
            NearTerms::new(&vocabulary, 2, &dense).expect("small");
        let words: Vec<String> = (0..near.len() as u32).map(|id| near.term(id)).collect();
        assert_eq!(words, ["york", "rare", "new"]);
        let rows: Vec<f64> = (0..5).map(|row| deltas.scale(row)).collect();
        assert_eq!((rows, deltas.scale(5)), (vec![0.0, 3.0, 0.0, 1.0, 2.0], 0.0));
        assert_eq!(phrases.found(&[2, 0, 0, 2], &[0, 1, 0, 2]), [3, 4, 3, UNKNOWN]);
        assert!(NearTerms::new(&vocabulary, 3, &dense).is_none());
    }
}
