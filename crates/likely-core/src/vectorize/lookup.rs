//! Spans to ids, some at a time, so that the memory they lead to is on its way when it is needed.

use crate::table::seeds;
use crate::tokenize::Span;
use crate::vocabulary::Lexicon;
use crate::word::{Word, halves};

/// How many words are on their way from memory at once.
const STAGED: usize = 128;
/// Replaces `ids` by those of the terms in some spans of `bytes`, of which sixteen more may be read.
#[inline]
pub(crate) fn look_up<L: Lexicon>(
    spans: &[Span],
    bytes: &[u8],
    lexicon: &mut L,
    words: &mut Vec<Word>,
    ids: &mut Vec<u32>,
) {
    const MASKS: [u128; 16] = {
        let mut masks = [0; 16];
        let mut length = 1;
        while length < 16 {
            masks[length] = u128::MAX >> (128 - 8 * length);
            length += 1;
        }
        masks
    };
    let seeds = seeds();
    ids.clear();
    for some in spans.chunks(STAGED) {
        words.clear();
        words.extend(some.iter().map(|&[start, end]| {
            let (start, length) = (start as usize, end - start);
            let word = match bytes[start..].first_chunk::<16>() {
                Some(first) if length <= 15 => {
                    let (low, high) = halves(*first);
                    let mask = MASKS[length as usize & 15];
                    Word::short(low & mask as u64, high & (mask >> 64) as u64, length, seeds)
                }
                _ => Word::new(&bytes[start..end as usize]),
            };
            lexicon.vocabulary().prefetch_word(&word);
            word
        }));
        ids.extend(
            words
                .iter()
                .zip(some)
                .map(|(word, span)| lexicon.word(word, &bytes[span[0] as usize..span[1] as usize])),
        );
    }
}

/// Makes each n-gram one longer by the word at the same place in `last`.
pub(crate) fn extend<L: Lexicon>(grams: &mut [u32], last: &[u32], lexicon: &mut L) {
    for (grams, last) in grams.chunks_mut(STAGED).zip(last.chunks(STAGED)) {
        for (&gram, &last) in grams.iter().zip(last) {
            lexicon.vocabulary().prefetch_phrase(gram, last);
        }
        for (gram, &last) in grams.iter_mut().zip(last) {
            *gram = lexicon.phrase(*gram, last);
        }
    }
}
