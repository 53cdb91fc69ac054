//! Where the terms of a matrix come from: the analyzer of `likely`, or the rules of scikit-learn.

use crate::analyze::analyzer::{self, Analyzer};
use crate::vectorize::matrix::sparse::LONGEST_TEXT;
use crate::vectorize::pattern::rules::{self, Pattern};
use crate::vocabulary::term_ids::Vocabulary;

/// Where terms come from.
pub trait Source: Sync {
    /// Memory that is reused from text to text.
    type Scratch: Send;

    /// Memory for many texts and one vocabulary.
    fn scratch(&self) -> Self::Scratch;

    /// A vocabulary to begin with, with room for the terms of about `bytes` bytes of text.
    fn vocabulary(&self, bytes: usize) -> Vocabulary;

    /// The longest text, in bytes, whose offsets fit 32 bits.
    fn longest_text(&self) -> usize {
        LONGEST_TEXT
    }

    /// Calls `sink` with the ids of all terms of `text`, some at a time, until `sink` returns false. Terms that are
    /// new are added to the vocabulary.
    fn learn(
        &self,
        text: &[u8],
        vocabulary: &mut Vocabulary,
        scratch: &mut Self::Scratch,
        sink: impl FnMut(&[u32], &Vocabulary) -> bool,
    ) -> bool;
}

impl Source for Analyzer {
    fn longest_text(&self) -> usize {
        self.longest_text()
    }

    type Scratch = analyzer::Scratch;

    fn scratch(&self) -> Self::Scratch {
        analyzer::Scratch::default()
    }

    fn vocabulary(&self, bytes: usize) -> Vocabulary {
        Vocabulary::for_text(bytes, self.makes_phrases())
    }

    fn learn(
        &self,
        text: &[u8],
        mut vocabulary: &mut Vocabulary,
        scratch: &mut Self::Scratch,
        sink: impl FnMut(&[u32], &Vocabulary) -> bool,
    ) -> bool {
        self.terms(text, &mut vocabulary, scratch, sink)
    }
}

impl Source for Pattern {
    type Scratch = rules::PatternScratch;

    fn scratch(&self) -> Self::Scratch {
        self.scratch()
    }

    fn vocabulary(&self, bytes: usize) -> Vocabulary {
        self.vocabulary(bytes)
    }

    fn learn(
        &self,
        text: &[u8],
        mut vocabulary: &mut Vocabulary,
        scratch: &mut Self::Scratch,
        sink: impl FnMut(&[u32], &Vocabulary) -> bool,
    ) -> bool {
        self.terms(text, &mut vocabulary, scratch, sink)
    }
}
