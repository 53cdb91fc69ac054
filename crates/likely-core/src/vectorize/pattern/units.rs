//! Characters, or words, one after another, so that every n-gram of them is a part of one text.

use crate::analyze::tokens::tokenize::Span;
use crate::vectorize::pattern::alphabet::code_at;
use crate::vectorize::pattern::fold::BEYOND;
use crate::vocabulary::term_ids::JOINT;

/// Some text of which all terms are parts.
#[derive(Default)]
pub(crate) struct Units {
    pub(crate) bytes: Vec<u8>,
    /// Where each unit starts and ends.
    pub(crate) spans: Vec<Span>,
}

impl Units {
    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
        self.spans.clear();
    }

    #[inline]
    pub(crate) fn push(&mut self, unit: &[u8]) {
        let start = self.bytes.len() as u32;
        self.bytes.extend_from_slice(unit);
        self.spans.push([start, self.bytes.len() as u32]);
    }

    /// The characters of a word, with a space before and after it.
    pub(crate) fn pad(&mut self, word: &[u8]) {
        self.clear();
        self.push(b" ");
        let mut at = 0;
        while at < word.len() {
            let (_, width) = code_at(word, at);
            self.push(&word[at..at + width]);
            at += width;
        }
        self.push(b" ");
        self.bytes.resize(self.bytes.len() + BEYOND, 0);
    }

    /// The words of a text with [`JOINT`] between them.
    pub(crate) fn join(&mut self, text: &[u8], words: &[Span]) {
        self.clear();
        for &[start, end] in words {
            self.push(&text[start as usize..end as usize]);
            self.bytes.push(JOINT);
        }
        self.bytes.resize(self.bytes.len() + BEYOND, 0);
    }

    /// The index after the space that ends the word whose first space is at `start`.
    pub(crate) fn end_of_word(&self, start: usize) -> usize {
        let is_space = |span: &Span| self.bytes[span[0] as usize] == b' ';
        self.spans[start + 1..].iter().position(is_space).map_or(self.spans.len(), |length| start + length + 2)
    }
}
