//! Look-ups with corrected spelling: a word that is not known becomes the closest known word, if one is close.

use crate::analyze::words::preparation::NEGATED;
use crate::spell::spelling::Spelling;
use crate::vocabulary::lexicon::Lexicon;
use crate::vocabulary::term_ids::{UNKNOWN, Vocabulary};
use crate::vocabulary::word::Word;
use std::sync::Arc;

/// Which words are known, and what other words are read as.
pub struct Reading {
    spelling: Arc<Spelling>,
    /// What each id is read as; [`UNKNOWN`] for a word that is not known.
    targets: Vec<u32>,
}

impl Reading {
    /// From the index of the known words, and their ids; the words of `folds` are read as another known word. It is
    /// `None` if an id was not handed out by the vocabulary.
    pub fn new(
        spelling: Arc<Spelling>,
        vocabulary: &Vocabulary,
        ids: &[u32],
        folds: &[(u32, u32)],
    ) -> Option<Self> {
        let mut targets = vec![UNKNOWN; vocabulary.len()];
        for (from, to) in ids.iter().map(|&id| (id, id)).chain(folds.iter().copied()) {
            targets.get(to as usize)?;
            *targets.get_mut(from as usize)? = to;
        }
        Some(Self { spelling, targets })
    }

    /// The id that a word is read as. If nothing is close, it is the id of the word itself, which may be [`UNKNOWN`].
    pub fn read(&self, vocabulary: &Vocabulary, id: u32, word: &str) -> u32 {
        let target = |id: u32| self.targets.get(id as usize).copied().filter(|&target| target != UNKNOWN);
        let closest = || match word.strip_prefix(NEGATED) {
            None => self.spelling.closest(word),
            Some(rest) => self.spelling.closest(rest).map(|close| {
                let negated = format!("{NEGATED}{}", vocabulary.term(close));
                vocabulary.find(negated.as_bytes(), false)
            }),
        };
        target(id).or_else(|| closest().and_then(target)).unwrap_or(id)
    }
}

/// A vocabulary in which words are looked up as they are read.
pub(crate) struct Spelled<'a> {
    pub(crate) vocabulary: &'a Vocabulary,
    pub(crate) reading: &'a Reading,
}

impl Lexicon for Spelled<'_> {
    fn vocabulary(&self) -> &Vocabulary {
        self.vocabulary
    }

    fn word(&mut self, word: &Word, bytes: &[u8]) -> u32 {
        let id = self.vocabulary.find_word(word, bytes);
        let short = word.short_bytes();
        let bytes = if word.is_short() { word.short_text(&short) } else { bytes };
        self.reading.read(self.vocabulary, id, &String::from_utf8_lossy(bytes))
    }
}
