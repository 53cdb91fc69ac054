//! The terms of some documents on their way from the thread that finds them to the thread that counts them.

use crate::analyze::analyzer::{Analyzer, Scratch};
use crate::count::counting::Document;
use crate::count::fixed_point::Amount;
use crate::error::{Error, Result};
use crate::parallel::Pulse;
use crate::vocabulary::term_ids::Vocabulary;

/// A class and a weight. The documents of a group are counted together.
pub(super) type Group = (u32, Amount);

/// After how many terms a block is handed on, even in the middle of a document, which may be as long as it likes.
const LONG: usize = 1 << 18;

/// The ids of the terms of some documents, one document after another.
#[derive(Default)]
pub(super) struct Block {
    ids: Vec<u32>,
    parts: Vec<Part>,
    /// All ids are below this number, or unknown.
    pub(super) size: usize,
}

/// A document, or a part of it if its other terms are in other blocks.
#[derive(Clone, Copy)]
struct Part {
    group: Group,
    end: usize,
    whole: bool,
}

impl Block {
    /// Forgets the terms, but keeps the memory.
    pub(super) fn clear(&mut self) {
        self.ids.clear();
        self.parts.clear();
    }

    /// The group and the terms of each document, and whether the document ends with them.
    pub(super) fn documents(&self) -> impl Iterator<Item = (Group, &[u32], bool)> {
        let mut start = 0;
        self.parts.iter().map(move |part| {
            let terms = &self.ids[std::mem::replace(&mut start, part.end)..part.end];
            (part.group, terms, part.whole)
        })
    }

    fn end(&mut self, document: &Document<'_>, whole: bool) {
        self.parts.push(Part { group: (document.class, document.weight), end: self.ids.len(), whole });
    }
}

/// Finds the terms of documents. It owns the vocabulary, to which new terms are added.
pub(super) struct TermFinder<'a> {
    analyzer: &'a Analyzer,
    scratch: Scratch,
    pub(super) vocabulary: Vocabulary,
    block: Block,
}

impl<'a> TermFinder<'a> {
    /// A finder that expects about `bytes` bytes of text to begin with.
    pub(super) fn new(analyzer: &'a Analyzer, bytes: usize) -> Self {
        let vocabulary = Vocabulary::for_text(bytes, analyzer.makes_phrases());
        Self { analyzer, scratch: Scratch::default(), vocabulary, block: Block::default() }
    }

    /// Finds the terms of some documents, and calls `hand_on` with each block of them, which may take the block away.
    /// Stops if `hand_on` returns false.
    pub(super) fn read(
        &mut self,
        documents: &[&Document<'_>],
        pulse: &Pulse<'_>,
        mut hand_on: impl FnMut(&mut Block) -> bool,
    ) -> Result<()> {
        let Self { analyzer, scratch, vocabulary, block } = self;
        block.clear();
        for document in documents {
            let done = analyzer.terms(document.text, &mut &mut *vocabulary, scratch, |ids, vocabulary| {
                block.ids.extend_from_slice(ids);
                block.size = vocabulary.len();
                if block.ids.len() < LONG {
                    return pulse.beat();
                }
                block.end(document, false);
                let go_on = hand_on(block) && pulse.beat();
                block.clear();
                go_on
            });
            if vocabulary.len() > i32::MAX as usize {
                return Err(Error::TooLarge("more than 2 billion terms"));
            }
            if !done {
                return Err(Error::Interrupted);
            }
            block.end(document, true);
        }
        if hand_on(block) { Ok(()) } else { Err(Error::Interrupted) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::settings::Unit;
    use crate::parallel;

    #[test]
    fn a_long_document_comes_in_parts() {
        let text = "a b c ".repeat(LONG);
        let documents = [("x", 1), (text.as_str(), 2), ("", 3)].map(|(text, class)| Document {
            text: text.as_bytes(),
            class,
            weight: Amount::ONE,
        });
        let analyzer = Analyzer::plain(Unit::Word, 1, 1, true);
        let all: Vec<&Document<'_>> = documents.iter().collect();
        let mut workers = [(TermFinder::new(&analyzer, 0), Vec::new())];
        assert!(parallel::share(&mut workers, [()].iter(), &|| false, |(finder, parts), (), pulse| {
            let found = finder.read(&all, pulse, |block| {
                assert!(block.ids.len() < 2 * LONG && block.size <= 4);
                parts.extend(block.documents().map(|((class, _), terms, whole)| (class, terms.len(), whole)));
                true
            });
            found.is_ok()
        }));
        let [(_, parts)] = workers;
        let terms = |class: u32| parts.iter().filter(|part| part.0 == class).map(|part| part.1).sum::<usize>();
        assert_eq!((terms(1), terms(2), terms(3)), (1, 3 * LONG, 0));
        let ends: Vec<u32> = parts.iter().filter(|part| part.2).map(|part| part.0).collect();
        assert_eq!(ends, [1, 2, 3]);
        assert!(parts.len() > 4);
    }
}
