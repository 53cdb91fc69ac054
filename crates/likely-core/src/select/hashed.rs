//! A term goes in; a hash of 31 bits comes out. Nothing is remembered, so memory does not grow with the texts.

use crate::analyze::terms::hashed_terms::{hash_of_phrase, hash_of_word};
use crate::vocabulary::lexicon::Lexicon;
use crate::vocabulary::term_ids::Vocabulary;
use crate::vocabulary::word::Word;

/// The number of bits of a hash. The largest ids stand for no term, so that a hash must not have 32 bits.
const BITS: u32 = 31;

/// Hashes in place of the ids of terms. They are the same in every process and on every machine.
#[derive(Default)]
pub(super) struct HashedTerms {
    /// Stays empty: an analyzer wants a vocabulary to ask for memory ahead of look-ups, of which there are none.
    nothing: Vocabulary,
}

impl Lexicon for HashedTerms {
    fn vocabulary(&self) -> &Vocabulary {
        &self.nothing
    }

    #[inline(always)]
    fn word(&mut self, word: &Word, bytes: &[u8]) -> u32 {
        shortened(hash_of_word(word, bytes))
    }

    #[inline]
    fn phrase(&mut self, parent: u32, last: u32) -> u32 {
        shortened(hash_of_phrase(u64::from(parent), u64::from(last)))
    }
}

/// The upper bits of a hash of 63 bits.
#[inline]
fn shortened(hash: u64) -> u32 {
    (hash >> (63 - BITS)) as u32
}

/// The bucket of a hash, if there are `buckets` of them.
#[inline]
pub(super) fn bucket(hash: u32, buckets: u32) -> usize {
    ((u64::from(hash) * u64::from(buckets)) >> BITS) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_the_same_everywhere_and_never_the_id_of_no_term() {
        let mut terms = HashedTerms::default();
        let long = b"a word that is longer than sixteen bytes";
        let words = [b"good".as_slice(), b"", long].map(|word| terms.word(&Word::new(word), word));
        assert_eq!(words, [1_074_722_251, 1_801_831_497, 466_479_129]);
        assert_ne!(terms.phrase(words[0], words[2]), terms.phrase(words[2], words[0]));
    }

    #[test]
    fn all_buckets_are_used_evenly() {
        let mut seen = [0u32; 1000];
        let mut terms = HashedTerms::default();
        for number in 0..100_000 {
            let word = format!("w{number}");
            seen[bucket(terms.word(&Word::new(word.as_bytes()), word.as_bytes()), 1000)] += 1;
        }
        assert!(seen.iter().all(|&count| (50..160).contains(&count)));
        assert_eq!((bucket(0, 7), bucket((1 << BITS) - 1, 7)), (0, 6));
    }
}
