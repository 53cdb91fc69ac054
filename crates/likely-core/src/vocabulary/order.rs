//! The order of terms: that of their bytes, which is that of their code points.
//!
//! Only words are compared as bytes. [`JOINT`] sorts before every byte of nearly all words, so an n-gram comes after the
//! n-gram that it continues, and n-grams that continue the same one are in the order of their last words. If a word has
//! a control character, which sorts before [`JOINT`], all terms are compared.

use crate::vocabulary::term_ids::{JOINT, Vocabulary};

/// The ids of the terms for which `is_wanted` returns true, sorted by term.
pub(crate) fn sorted(vocabulary: &Vocabulary, is_wanted: impl Fn(u32) -> bool) -> Vec<u32> {
    let ids = 0..vocabulary.len() as u32;
    let words = sorted_words(vocabulary, ids.clone().filter(|&id| vocabulary.parts(id).is_none()));
    if words.len() == vocabulary.len() {
        return words.into_iter().filter(|&id| is_wanted(id)).collect();
    }
    if words.iter().any(|&word| vocabulary.word_bytes(word).iter().any(|&byte| byte < JOINT)) {
        return sorted_by_bytes(vocabulary, ids.filter(|&id| is_wanted(id)));
    }
    let children = Children::of(vocabulary, &words);
    let mut sorted = Vec::with_capacity(vocabulary.len());
    let mut waiting = Vec::new();
    for word in words {
        waiting.push(word);
        while let Some(id) = waiting.pop() {
            if is_wanted(id) {
                sorted.push(id);
            }
            waiting.extend(children.of_parent(id).iter().rev());
        }
    }
    sorted
}

/// Terms sorted by their bytes.
fn sorted_by_bytes(vocabulary: &Vocabulary, ids: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut bytes = Vec::new();
    let spelled = |id: u32| {
        let start = bytes.len();
        vocabulary.spell(id, &mut bytes);
        (start..bytes.len(), id)
    };
    let mut spelled: Vec<_> = ids.map(spelled).collect();
    spelled.sort_unstable_by(|(a, _), (b, _)| bytes[a.clone()].cmp(&bytes[b.clone()]));
    spelled.into_iter().map(|(_, id)| id).collect()
}

/// Words sorted by their bytes: first by eight bytes as one number, and then by the others.
fn sorted_words(vocabulary: &Vocabulary, ids: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut words: Vec<(u64, u32)> = ids.map(|id| (prefix(vocabulary.word_bytes(id)), id)).collect();
    words.sort_unstable_by(|a, b| {
        a.0.cmp(&b.0).then_with(|| vocabulary.word_bytes(a.1).cmp(vocabulary.word_bytes(b.1)))
    });
    words.into_iter().map(|(_, id)| id).collect()
}

fn prefix(bytes: &[u8]) -> u64 {
    let mut padded = [0; 8];
    let length = bytes.len().min(8);
    padded[..length].copy_from_slice(&bytes[..length]);
    u64::from_be_bytes(padded)
}

/// The n-grams that continue each term, in the order of their last words.
struct Children {
    /// Where the n-grams of each id end in `ids`, after a 0.
    ends: Vec<u32>,
    ids: Vec<u32>,
}

impl Children {
    fn of(vocabulary: &Vocabulary, sorted_words: &[u32]) -> Self {
        let mut rank = vec![0u32; vocabulary.len()];
        for (at, &word) in sorted_words.iter().enumerate() {
            rank[word as usize] = at as u32;
        }
        let phrases = || (0..vocabulary.len() as u32).filter_map(|id| Some((id, vocabulary.parts(id)?)));
        let mut starts = vec![0u32; vocabulary.len() + 2];
        phrases().for_each(|(_, (parent, _))| starts[parent as usize + 2] += 1);
        for id in 1..starts.len() {
            starts[id] += starts[id - 1];
        }
        let mut ranked = vec![(0, 0); vocabulary.len() - sorted_words.len()];
        for (id, (parent, last)) in phrases() {
            // Each start moves on to become the end, which is the start of the next.
            let place = &mut starts[parent as usize + 1];
            ranked[*place as usize] = (rank[last as usize], id);
            *place += 1;
        }
        for parent in 0..vocabulary.len() {
            ranked[starts[parent] as usize..starts[parent + 1] as usize].sort_unstable();
        }
        Self { ends: starts, ids: ranked.into_iter().map(|(_, id)| id).collect() }
    }

    fn of_parent(&self, id: u32) -> &[u32] {
        &self.ids[self.ends[id as usize] as usize..self.ends[id as usize + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn terms_are_sorted_as_texts(terms in prop_oneof![
            prop::collection::vec("[a-c_é漢]{1,12}( [a-c_é漢]{1,12}){0,3}", 0..60),
            prop::collection::vec("[ab\0\n]{1,3}( [ab\0\n]{1,3}){0,3}", 0..60),
        ]) {
            let mut vocabulary = Vocabulary::default();
            let ids: Vec<u32> = terms.iter().map(|term| vocabulary.intern(term.as_bytes(), true)).collect();
            let found = sorted(&vocabulary, |id| ids.contains(&id));
            let mut expected = terms.clone();
            expected.sort();
            expected.dedup();
            prop_assert_eq!(found.into_iter().map(|id| vocabulary.term(id)).collect::<Vec<_>>(), expected);
        }
    }
}
