//! The ids of one vocabulary to the ids of another.

use crate::error::{Error, Result};
use crate::vocabulary::lexicon::Lexicon;
use crate::vocabulary::term_ids::{Node, UNKNOWN, Vocabulary};

/// After how many terms of a long list `some` is called.
const TOLD: usize = 1 << 13;

/// After how many terms of a long list `stop` is asked.
const PATIENCE: usize = 1 << 16;

impl Vocabulary {
    /// Adds some terms of another vocabulary; returns their ids here.
    pub fn adopt(&mut self, other: &Self, ids: &[u32]) -> Vec<u32> {
        // The id here of each term there, plus 1: memory full of zeros costs nothing until it is used.
        let mut known = vec![0u32; other.len()];
        let (mut lexicon, mut longer) = (self, Vec::new());
        let mut own = Vec::with_capacity(ids.len());
        for &id in ids {
            let mut id = id as usize;
            while let (0, Node::Phrase { parent, last }) = (known[id], other.nodes[id]) {
                longer.push((id, last as usize));
                id = parent as usize;
            }
            adopt_word(&mut lexicon, other, id, &mut known);
            let mut here = known[id] - 1;
            for (id, last) in longer.drain(..).rev() {
                adopt_word(&mut lexicon, other, last, &mut known);
                here = lexicon.phrase(here, known[last] - 1);
                known[id] = here + 1;
            }
            own.push(here);
        }
        own
    }

    /// Adds another vocabulary; returns the id here of each id there. If `stop` says so, what was added until then
    /// stays.
    ///
    /// `some` is called with the ids as they come, some thousands at a time.
    pub fn absorb(&mut self, other: &Self, stop: &dyn Fn() -> bool, some: impl FnMut(&[u32])) -> Result<Vec<u32>> {
        if self.len() + other.len() >= UNKNOWN as usize {
            return Err(Error::TooLarge("more than 4 billion terms"));
        }
        translate(&mut &mut *self, other, stop, some)
    }

    /// The id here of each id there; [`UNKNOWN`] for a term that is not here.
    pub fn locate(&self, other: &Self) -> Vec<u32> {
        translate(&mut { self }, other, &|| false, |_| ()).unwrap_or_default()
    }
}

/// Adds a word of another vocabulary, unless it is known.
fn adopt_word(lexicon: &mut &mut Vocabulary, other: &Vocabulary, id: usize, known: &mut [u32]) {
    if known[id] == 0 {
        known[id] = 1 + lexicon.word(&other.word_of(id), other.word_bytes(id as u32));
    }
}

/// Looks up each node of `other` in `lexicon`. Parts come before the n-grams made of them, so that one pass is enough.
fn translate<L: Lexicon>(
    lexicon: &mut L,
    other: &Vocabulary,
    stop: &dyn Fn() -> bool,
    mut some: impl FnMut(&[u32]),
) -> Result<Vec<u32>> {
    let mut told = 0;
    const STAGED: usize = 64;
    let mut ids: Vec<u32> = Vec::with_capacity(other.len());
    let mut staged = Vec::with_capacity(STAGED);
    for nodes in other.nodes.chunks(STAGED) {
        let first = ids.len();
        if first - told >= TOLD {
            some(&ids[told..]);
            told = first;
        }
        if first.is_multiple_of(PATIENCE) && stop() {
            return Err(Error::Interrupted);
        }
        staged.clear();
        for (i, node) in nodes.iter().enumerate() {
            let word = match *node {
                Node::Word { .. } => Some(other.word_of(first + i)),
                Node::Phrase { .. } => None,
            };
            match (*node, &word) {
                (_, Some(word)) => lexicon.vocabulary().prefetch_word(word),
                (Node::Phrase { parent, last }, _) if (parent.max(last) as usize) < first => {
                    lexicon.vocabulary().prefetch_phrase(ids[parent as usize], ids[last as usize]);
                }
                _ => {}
            }
            staged.push(word);
        }
        for (node, word) in nodes.iter().zip(&staged) {
            ids.push(match (*node, word) {
                (Node::Phrase { parent, last }, _) => lexicon.phrase(ids[parent as usize], ids[last as usize]),
                (Node::Word { .. }, Some(word)) => lexicon.word(word, other.word_bytes(ids.len() as u32)),
                (Node::Word { .. }, None) => UNKNOWN,
            });
        }
    }
    some(&ids[told..]);
    Ok(ids)
}
