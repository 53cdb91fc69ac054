//! Text to its characters and their n-grams.

use crate::analyze::characters::char_class::decode;
use crate::analyze::characters::lowercase::lowercase_char;
use crate::analyze::tokens::tokenize::Span;

/// Which characters make n-grams together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bounds {
    /// Any; a run of white space is one space.
    Text,
    /// Those between white space, with a space before and after them.
    Words,
}

/// CharUnits of a text in lower case, white space folded, with their places in the original.
#[derive(Default)]
pub(crate) struct CharUnits {
    bytes: Vec<u8>,
    /// Where each character starts in `bytes`, and one more for the end.
    starts: Vec<u32>,
    /// Where each character stands in the original.
    spans: Vec<Span>,
    /// How many characters n-grams may have that end with each: as many as there are since the bound before it.
    depths: Vec<u32>,
    /// Where words end that may be shorter than the shortest n-gram.
    ends: Vec<bool>,
    /// How many of them belong to the round before and are here only to begin n-grams.
    kept: usize,
    depth: u32,
}

impl CharUnits {
    const ROUND: usize = 512;

    /// Calls `round` with some hundred characters at a time, each time after the last `longest - 1` of those before.
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

    /// Closes a word, if one is open, with a space of no width.
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

    /// Calls `gram` with the bytes and the place of each n-gram that ends in this round. A word that is shorter than
    /// the shortest n-gram is one as a whole.
    pub(crate) fn grams(&self, shortest: usize, longest: usize, mut gram: impl FnMut(&[u8], Span)) {
        for last in self.kept..self.spans.len() {
            let depth = self.depths[last] as usize;
            let least = if self.ends[last] { shortest.min(depth) } else { shortest };
            for n in least..=longest.min(depth) {
                let first = last + 1 - n;
                let bytes = &self.bytes[self.starts[first] as usize..self.starts[last + 1] as usize];
                gram(bytes, [self.spans[first][0], self.spans[last][1]]);
            }
        }
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
