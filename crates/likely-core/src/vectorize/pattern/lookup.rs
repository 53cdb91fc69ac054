//! Spans of terms go in, ids come out, some at a time, so that the memory they lead to is on its way when it is
//! needed.

use crate::analyze::terms::staged_words::{long_word, look_up_more, stage};
use crate::analyze::tokens::tokenize::Span;
use crate::vocabulary::lexicon::Lexicon;
use crate::vocabulary::word::Word;

/// How many words are on their way from memory at once.
const STAGED: usize = 128;

/// Memory that is reused from text to text.
#[derive(Default)]
pub(crate) struct Lookup {
    words: Vec<Word>,
    /// Which of the words may be long.
    long: Vec<u32>,
    /// The bytes of the long words.
    beyond: Vec<u8>,
}

impl Lookup {
    /// Replaces `ids` by the ids of the terms in some spans of `bytes`, of which sixteen bytes more may be read.
    #[inline]
    pub(crate) fn ids<L: Lexicon>(&mut self, spans: &[Span], bytes: &[u8], lexicon: &mut L, ids: &mut Vec<u32>) {
        let Self { words, long, beyond } = self;
        ids.clear();
        for some in spans.chunks(STAGED) {
            stage(some, bytes, lexicon.vocabulary(), words, long);
            beyond.clear();
            for at in long.drain(..) {
                let [start, end] = some[at as usize];
                let bytes = &bytes[start as usize..end as usize];
                words[at as usize] = long_word(bytes, beyond);
            }
            look_up_more(words, beyond, lexicon, ids);
        }
    }
}

/// Makes each n-gram longer by the word at the same index in `last`.
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
