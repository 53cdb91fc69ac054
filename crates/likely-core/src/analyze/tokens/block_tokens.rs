//! The masks of a block of 64 bytes go in; where its tokens start and end comes out.
//!
//! These are the rules of [`crate::analyze::tokens::tokenize`] for letters, marks, single characters and apostrophes,
//! for all characters of the block at once.

use crate::analyze::characters::ascii_blocks::Masks;
use crate::analyze::characters::wide_blocks::WideMasks;

/// The token that is open where a block starts or ends, as the lowest bit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Open {
    /// 1 if a word is open.
    pub(super) word: u64,
    /// 1 if a single character is open, to which marks may be added.
    pub(super) single: u64,
}

/// The tokens of a block, one bit per byte, lowest bit first.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BlockTokens {
    /// The first bytes of tokens.
    pub(super) starts: u64,
    /// The bytes after the last bytes of tokens.
    pub(super) ends: u64,
    /// All bytes of tokens.
    pub(super) tokens: u64,
    /// What is open after the block.
    pub(super) open: Open,
}

/// The tokens in the first `taken` bytes (at least one) of a block. The character after them is known not to be a
/// letter if the last of them is an apostrophe.
#[inline]
pub(super) fn block_tokens(masks: &Masks, wide: &WideMasks, taken: usize, open: Open) -> BlockTokens {
    let valid = u64::MAX >> (64 - taken);
    let letters = (masks.word | wide.word) & valid;
    let (marks, singles) = (wide.mark & valid, wide.single & valid);
    let words = letters | runs(marks, letters << 1 | open.word);
    let singles = singles | runs(marks, singles << 1 | open.single);
    let before = words << 1 | open.word;
    let mut inner = masks.apostrophe & valid & before & letters >> 1;
    let (mut firsts, mut lasts) = (wide.apostrophe_firsts & valid, wide.apostrophe_lasts & valid);
    while firsts != 0 {
        let (first, after) = (lowest(firsts), lowest(lasts) << 1);
        if first & before != 0 && after & letters != 0 {
            inner |= after - first;
        }
        firsts &= firsts - 1;
        lasts &= lasts.wrapping_sub(1);
    }
    let words = words | inner;
    let tokens = words | singles;
    let starts = words & !(words << 1 | open.word) | wide.single_firsts & valid;
    let ends = (tokens << 1 | open.word | open.single) & (!tokens | starts) & valid;
    let last = |bits: u64| bits >> (taken - 1) & 1;
    BlockTokens { starts, ends, tokens, open: Open { word: last(words), single: last(singles) } }
}

/// The runs of `bits` whose first bit is in `from`.
#[inline]
fn runs(bits: u64, from: u64) -> u64 {
    // Adding its first bit clears a run, and sets the bit after it.
    bits & !bits.wrapping_add(bits & !(bits << 1) & from)
}

#[inline]
fn lowest(bits: u64) -> u64 {
    bits & bits.wrapping_neg()
}
