//! The longest n-grams, known by their rows instead of their ids.
//!
//! Nobody needs the id of an n-gram that is not part of a longer one. Its numbers follow from a few small counts, so that
//! a million n-grams may have only some thousand different rows: as n-grams with equal rows share one, these stay near
//! the processor.

use crate::score::deltas::Dense;
use crate::vocabulary::packed_phrases::PackedPhrases;
use crate::vocabulary::term_ids::Vocabulary;
use std::collections::HashMap;

/// More different rows than this are too many to stay near the processor.
const MOST: usize = 1 << 17;

/// The n-grams of `longest` words and the rows of all terms: behind the rows of the vocabulary are those of the n-grams,
/// each once. None if there are no n-grams that add something, or too many different rows.
pub(super) fn share_rows(
    vocabulary: &Vocabulary,
    longest: usize,
    dense: &Dense,
) -> Option<(PackedPhrases, Dense)> {
    let stride = dense.stride;
    let mut table = dense.table.clone();
    table.resize(vocabulary.len() * stride, 0.0);
    let (mut shared, mut bits, mut phrases) = (HashMap::new(), Vec::new(), Vec::new());
    for (parts, id) in vocabulary.longest_phrases(longest) {
        let start = id as usize * stride;
        bits.clear();
        bits.extend(table[start..start + stride].iter().map(|number| number.to_bits()));
        if bits.iter().all(|&bits| bits == 0) {
            continue;
        }
        let row = shared.get(&bits).copied().unwrap_or_else(|| {
            table.extend_from_within(start..start + stride);
            let row = (table.len() / stride - 1) as u32;
            shared.insert(bits.clone(), row);
            row
        });
        phrases.push((parts, row));
    }
    let phrases =
        PackedPhrases::new(vocabulary.len(), phrases.iter().copied()).filter(|_| shared.len() <= MOST)?;
    Some((phrases, Dense { table, ..*dense }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_n_grams_with_equal_rows_share_one() {
        let mut vocabulary = Vocabulary::default();
        let terms = ["rare", "new york", "york rare", "york york", "new new", "unknown"];
        let ids = terms.map(|term| vocabulary.intern(term.as_bytes(), true));
        let mut dense = Dense { stride: 4, table: vec![0.0; 4 * (ids[4] as usize + 1)], scaled: true };
        for (id, number) in ids.into_iter().zip([3.0, 1.0, 2.0, 1.0, 0.0]) {
            dense.table[4 * id as usize] = number;
        }
        let (phrases, rows) = share_rows(&vocabulary, 2, &dense).expect("small");
        let first = vocabulary.len() as u32;
        let [new, york, rare] = ["new", "york", "rare"].map(|word| vocabulary.find(word.as_bytes(), true));
        let found = phrases.found(&[new, york, york, new], &[york, rare, york, new]);
        assert_eq!(found, [first, first + 1, first, u32::MAX]);
        let numbers: Vec<f64> = rows.table.iter().copied().step_by(4).collect();
        assert_eq!((numbers[rare as usize], &numbers[first as usize..]), (3.0, &[1.0, 2.0][..]));
        assert!(share_rows(&vocabulary, 3, &dense).is_none());
    }
}
