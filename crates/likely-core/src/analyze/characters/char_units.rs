//! A text goes in, its characters and their n-grams come out.

use crate::analyze::characters::char_class::decode;
use crate::analyze::characters::lowercase::lowercase_char;
use crate::analyze::tokens::tokenize::Span;
use std::ops::Range;

/// Which characters can be together in an n-gram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bounds {
    /// Any characters; a run of white space is one space.
    Text,
    /// Characters of one word between white space, with a space before and after the word.
    Words,
}

/// The characters of a text, in lower case and with white space folded, and their places in the original text.
#[derive(Default)]
pub(crate) struct CharUnits {
    bytes: Vec<u8>,
    /// Where each character starts in `bytes`; the last number is the end.
    starts: Vec<u32>,
    /// The place of each character in the original text.
    spans: Vec<Span>,
    /// For each character, the length of the longest n-gram that may end with it: the number of characters since the
    /// last boundary.
    depths: Vec<u32>,
    /// Whether a word ends with this character, so that an n-gram may be shorter than the shortest.
    ends: Vec<bool>,
    /// How many of the characters belong to the previous round and are here only because n-grams begin with them.
    kept: usize,
    depth: u32,
}

impl CharUnits {
    const ROUND: usize = 512;

    /// Calls `round` with a few hundred characters at a time, always preceded by the last `longest - 1` characters of
    /// the previous round.
    pub(crate) fn read(
        &mut self,
        text: &[u8],
        lowercase: bool,
        bounds: Bounds,
        longest: usize,
        mut round: impl FnMut(&Self) -> bool,
    ) -> bool {
        self.keep(0);
        self.depth = 0;
        let (mut at, mut before) = (0, None);
        while at < text.len() {
            let (c, mut width) = decode(text, at);
            let c = c.unwrap_or(char::REPLACEMENT_CHARACTER);
            if c.is_whitespace() {
                while let Some(more) = white_space_at(text, at + width) {
                    width += more;
                }
            }
            let span = [at as u32, (at + width) as u32];
            match (c.is_whitespace(), bounds) {
                (true, Bounds::Text) => self.push(' ', span),
                (true, Bounds::Words) => self.end_word(at),
                (false, _) => {
                    if bounds == Bounds::Words && self.depth == 0 {
                        self.push(' ', [at as u32; 2]);
                    }
                    let after = || if at + width < text.len() { decode(text, at + width).0 } else { None };
                    if lowercase {
                        lowercase_char(c, before, after, |lower| self.push(lower, span));
                    } else {
                        self.push(c, span);
                    }
                }
            }
            before = Some(c);
            at += width;
            if self.spans.len() - self.kept >= Self::ROUND {
                if !round(self) {
                    return false;
                }
                self.keep(longest - 1);
            }
        }
        if bounds == Bounds::Words {
            self.end_word(text.len());
        }
        self.spans.len() == self.kept || round(self)
    }

    /// Closes a word, if one is open, with a space of zero width.
    fn end_word(&mut self, at: usize) {
        if self.depth > 0 {
            self.push(' ', [at as u32; 2]);
            self.depth = 0;
            if let Some(end) = self.ends.last_mut() {
                *end = true;
            }
        }
    }

    fn push(&mut self, c: char, span: Span) {
        self.bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        self.starts.push(self.bytes.len() as u32);
        self.spans.push(span);
        self.depth = self.depth.saturating_add(1);
        self.depths.push(self.depth);
        self.ends.push(false);
    }

    /// Drops all but the last `count` characters.
    fn keep(&mut self, count: usize) {
        let dropped = self.spans.len().saturating_sub(count);
        let cut = self.starts.get(dropped).copied().unwrap_or(0);
        self.bytes.drain(..cut as usize);
        self.spans.drain(..dropped);
        self.depths.drain(..dropped);
        self.ends.drain(..dropped);
        self.starts.drain(..dropped.min(self.starts.len()));
        self.starts.iter_mut().for_each(|start| *start -= cut);
        if self.starts.is_empty() {
            self.starts.push(0);
        }
        self.kept = self.spans.len();
    }

    /// The characters of this round.
    pub(crate) fn text(&self) -> &str {
        // They were written as text, so that this never fails.
        std::str::from_utf8(&self.bytes).unwrap_or_default()
    }

    /// Calls `gram` with the bytes and the place of each n-gram that ends in this round. A word that is shorter than
    /// the shortest n-gram becomes one n-gram.
    pub(crate) fn grams(&self, shortest: usize, longest: usize, mut gram: impl FnMut(&[u8], Span)) {
        for last in self.kept..self.spans.len() {
            let depth = self.depths[last] as usize;
            slide(depth..depth + 1, self.ends[last], (shortest, longest), |from, to| {
                let first = last + 1 - (to - from);
                let bytes = &self.bytes[self.starts[first] as usize..self.starts[last + 1] as usize];
                gram(bytes, [self.spans[first][0], self.spans[last][1]]);
            });
        }
    }
}

/// The one rule of n-grams of characters: calls `gram` with the index of the first character of each n-gram and with that
/// after its last one, for all n-grams of a run of characters that end at some of its `ends`, shortest first.
///
/// If the run `is_word` that ends with the last of `ends` and is shorter than the shortest n-gram, it is one as a whole.
#[inline(always)]
pub(crate) fn slide(
    ends: Range<usize>,
    is_word: bool,
    (shortest, longest): (usize, usize),
    mut gram: impl FnMut(usize, usize),
) {
    let last = ends.end;
    for end in ends {
        let least = if is_word && end + 1 == last { shortest.min(end) } else { shortest };
        (least..=longest.min(end)).for_each(|n| gram(end - n, end));
    }
}

#[inline]
pub(crate) fn white_space_at(text: &[u8], at: usize) -> Option<usize> {
    if at >= text.len() {
        return None;
    }
    match decode(text, at) {
        (Some(c), width) if c.is_whitespace() => Some(width),
        _ => None,
    }
}
