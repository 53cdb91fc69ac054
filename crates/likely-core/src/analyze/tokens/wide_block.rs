//! A block of 64 bytes with characters beyond ASCII goes in; the bounds of its tokens come out.

use crate::analyze::characters::ascii_blocks::Masks;
use crate::analyze::characters::char_class::{Class, class_at, is_in_masks};
use crate::analyze::characters::wide_blocks::{SEEN, WideMasks, classify_wide};
use crate::analyze::tokens::block_tokens::{BlockTokens, Open, block_tokens};
use crate::analyze::tokens::rules::token_at;
use crate::analyze::tokens::tokenize::{GATHERED, ONLY_IN_TEXT, STRETCH, taken_of};

/// Reads a block with characters beyond ASCII, and what follows it up to where a block can be read again; returns
/// where it stopped.
pub(super) fn read_wide_block(
    text: &[u8],
    at: usize,
    masks: &Masks,
    lowercase: bool,
    open: &mut Open,
    bounds: &mut Vec<u32>,
    copy: &mut [u8],
) -> usize {
    let Some(seen) = copy[at..].first_chunk_mut::<SEEN>() else { return text.len() };
    let wide = classify_wide(masks.lead, at + 64 < text.len(), lowercase, seen);
    let taken = if wide.hard { wide.end } else { wide_taken(text, at, masks, &wide) };
    if taken > 0 {
        let tokens = block_tokens(masks, &wide, taken, *open);
        mark_odd_tokens(&tokens, wide.odd_capitals, at, bounds, copy);
        push_tokens(bounds, at as u32, &tokens);
        *open = tokens.open;
    }
    if !wide.hard {
        return at + taken;
    }
    // A joiner may continue a word, which is then read again from its start.
    let mut from = at + taken;
    if open.word == 1 && class_at(text, from).0 == Class::Joiner {
        from = bounds.pop().map_or(from, |start| start as usize);
    } else if *open != Open::default() {
        bounds.push(from as u32);
    }
    *open = Open::default();
    read_hard(text, from, bounds, copy)
}

/// As [`taken_of`], for a block that has apostrophes of several bytes.
#[inline]
fn wide_taken(text: &[u8], at: usize, masks: &Masks, wide: &WideMasks) -> usize {
    let taken = taken_of(text, at, wide.end, masks.apostrophe);
    let ends_with_apostrophe = wide.apostrophe_lasts >> (taken - 1) & 1 == 1;
    if ends_with_apostrophe && at + taken < text.len() {
        return 63 - wide.apostrophe_firsts.leading_zeros() as usize;
    }
    taken
}

/// Marks the tokens in the copy whose lower case is not there.
#[inline]
fn mark_odd_tokens(tokens: &BlockTokens, odd_capitals: u64, at: usize, bounds: &[u32], copy: &mut [u8]) {
    let mut odd = odd_capitals & tokens.tokens;
    while odd != 0 {
        let until = u64::MAX >> (63 - odd.trailing_zeros());
        let start = match tokens.starts & until {
            0 => bounds.last().map_or(at, |start| *start as usize),
            starts => at + 63 - starts.leading_zeros() as usize,
        };
        copy[start] = ONLY_IN_TEXT;
        odd &= odd - 1;
    }
}

/// Appends the starts and ends of tokens, of which two may follow each other directly.
#[inline]
fn push_tokens(bounds: &mut Vec<u32>, base: u32, tokens: &BlockTokens) {
    let (mut starts, mut ends) = (tokens.starts, tokens.ends);
    let old = bounds.len();
    bounds.resize(old + (starts.count_ones() + ends.count_ones()) as usize, 0);
    // Starts have even places; if a token is open, the first end belongs to it.
    for start in bounds[old..].iter_mut().skip(old % 2).step_by(2) {
        *start = base + starts.trailing_zeros();
        starts &= starts.wrapping_sub(1);
    }
    for end in bounds[old..].iter_mut().skip(1 - old % 2).step_by(2) {
        *end = base + ends.trailing_zeros();
        ends &= ends.wrapping_sub(1);
    }
}

/// Reads character by character from `start`, where no token is open, until a block can be read again or enough was
/// read; returns where it stopped. No token is open there either.
fn read_hard(text: &[u8], start: usize, bounds: &mut Vec<u32>, copy: &mut [u8]) -> usize {
    let mut at = start;
    loop {
        let (class, width) = class_at(text, at);
        match token_at(text, at, class, width) {
            Some(end) => {
                bounds.extend([at as u32, end as u32]);
                if !text[at..end].is_ascii() {
                    copy[at] = ONLY_IN_TEXT;
                }
                at = end;
            }
            None => at += width,
        }
        let enough = bounds.len() >= GATHERED || at >= start + STRETCH;
        if at >= text.len() || enough || is_in_masks(class_at(text, at).0) {
            return at;
        }
    }
}
