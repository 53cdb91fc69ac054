//! Spans of words to ids, in rounds of a few hundred.
//!
//! The keys and hashes of a whole round are made first, so that the memory they lead to is already on its way when
//! the look-ups begin.

use crate::analyze::tokens::tokenize::{BEYOND, ONLY_IN_TEXT, Span};
use crate::vocabulary::lexicon::Lexicon;
use crate::vocabulary::table::seeds;
use crate::vocabulary::term_ids::Vocabulary;
use crate::vocabulary::word::{Word, halves};

/// The number of bytes that are read to make the key of a short word.
pub(crate) const BEYOND_WORD: usize = BEYOND;

/// The key of the first `length` (at most 15) of some bytes.
#[inline]
pub(crate) fn short_word(bytes: &[u8], length: u32, seeds: [u64; 2]) -> Word {
    let (low, high) = halves(bytes.try_into().unwrap_or_default());
    let mask = MASKS[length as usize & 15];
    Word::short(low & mask[0], high & mask[1], length, seeds)
}

/// For each length, the mask of the bytes of a word of that length, as two numbers.
const MASKS: [[u64; 2]; 16] = {
    let mut masks = [[0; 2]; 16];
    let mut length = 1;
    while length < 16 {
        let mask = u128::MAX >> (128 - 8 * length);
        masks[length] = [mask as u64, (mask >> 64) as u64];
        length += 1;
    }
    masks
};

/// Makes the keys of some tokens, and asks for the memory that their look-ups will touch. The key of a token that is
/// long, or begins with [`ONLY_IN_TEXT`], is wrong, and its place is noted in `special`; in this way the loop has no
/// branch.
#[inline]
pub(crate) fn stage(
    spans: &[Span],
    copy: &[u8],
    vocabulary: &Vocabulary,
    words: &mut Vec<Word>,
    special: &mut Vec<u32>,
) {
    let seeds = seeds();
    words.resize(spans.len(), Word::default());
    let first = special.len();
    special.resize(first + spans.len(), 0);
    let mut size = first;
    for (at, (word, &[start, end])) in words.iter_mut().zip(spans).enumerate() {
        let (start, length) = (start as usize, end - start);
        let bytes: [u8; BEYOND] = copy[start..start + BEYOND].try_into().unwrap_or_default();
        let (low, high) = halves(bytes);
        let mask = MASKS[length as usize & 15];
        let (low, high) = (low & mask[0], high & mask[1]);
        special[size] = at as u32;
        size += usize::from((length > 15) | (low as u8 == ONLY_IN_TEXT));
        *word = Word::short(low, high, length & 15, seeds);
        vocabulary.prefetch_word(word);
    }
    special.truncate(size);
}

/// The key of a word of any length. The bytes that do not fit the key are appended to `beyond`.
#[inline]
pub(crate) fn long_word(bytes: &[u8], beyond: &mut Vec<u8>) -> Word {
    let word = Word::new(bytes);
    if word.beyond() > 0 {
        beyond.extend_from_slice(bytes);
    }
    word
}

/// Asks for the memory that the look-ups of long words will touch after the table: first for the places of the words
/// that they are compared with, then for the words.
#[inline]
pub(super) fn prefetch_long(long: &[u32], words: &[Word], vocabulary: &Vocabulary) {
    long.iter().for_each(|&at| vocabulary.prefetch_place(&words[at as usize]));
    long.iter().for_each(|&at| vocabulary.prefetch_bytes(&words[at as usize]));
}

#[inline]
pub(crate) fn look_up<L: Lexicon>(words: &[Word], beyond: &[u8], lexicon: &mut L, ids: &mut Vec<u32>) {
    ids.clear();
    look_up_more(words, beyond, lexicon, ids);
}

/// Like [`look_up`], but appends to the ids.
#[inline]
pub(crate) fn look_up_more<L: Lexicon>(words: &[Word], beyond: &[u8], lexicon: &mut L, ids: &mut Vec<u32>) {
    match lexicon.reads() {
        Some(vocabulary) => vocabulary.find_words(words, beyond, ids),
        None => ids.extend(with_bytes(words, beyond).map(|(word, bytes)| lexicon.word(word, bytes))),
    }
}

/// Every word, with its bytes if its key does not hold them.
#[inline(always)]
pub(super) fn with_bytes<'a>(
    words: &'a [Word],
    mut beyond: &'a [u8],
) -> impl ExactSizeIterator<Item = (&'a Word, &'a [u8])> {
    words.iter().map(move |word| {
        if word.is_short() {
            return (word, &[][..]);
        }
        let bytes;
        (bytes, beyond) = beyond.split_at(word.beyond());
        (word, bytes)
    })
}

/// From the words of this round to its n-grams. Each n-gram is made of the shorter one that ended one word earlier,
/// which is `none` at the start of a text. `join` makes the
/// n-grams of a length.
#[inline]
pub(super) fn chain<T: Copy>(
    levels: &mut [Vec<T>],
    words: &[T],
    none: T,
    mut join: impl FnMut(usize, &[T], &[T], &mut Vec<T>),
) {
    for level in levels.iter_mut() {
        let last = level.last().copied().unwrap_or(none);
        level.clear();
        level.push(last);
    }
    levels[0].extend_from_slice(words);
    for n in 1..levels.len() {
        let (shorter, longer) = levels.split_at_mut(n);
        join(n + 1, &shorter[n - 1], words, &mut longer[0]);
    }
}
