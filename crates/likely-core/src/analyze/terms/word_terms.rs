//! A text goes in; the ids of its words and of their n-grams come out.
//!
//! There are two ways: the short one, if a word needs no preparation except for lower case, and the one through
//! [`crate::analyze::tokens::pieces`] and [`crate::analyze::words::prepared_words`] for everything else.
//!
//! **Warning.** Words come in rounds, and the memory of a whole round is asked for before it is read, so that the same index
//! means the same word in every list of [`Stages`]. `analyzer.rs` compares the terms with those of `spans.rs`, for any
//! settings and texts.

use crate::analyze::analyzer::{Analyzer, Scratch};
use crate::analyze::terms::hashed_terms;
use crate::analyze::terms::staged_words::{chain, long_word, look_up, prefetch_long, stage, with_bytes};
use crate::analyze::tokens::pieces::Pieces;
use crate::analyze::tokens::tokenize::{ONLY_IN_TEXT, Span, Tokens, tokenize};
use crate::analyze::tokens::wanted::PieceKind;
use crate::analyze::words::prepared_words::PreparedWords;
use crate::vocabulary::lexicon::Lexicon;
use crate::vocabulary::packed_phrases::Homes;
use crate::vocabulary::term_ids::{UNKNOWN, Vocabulary};
use crate::vocabulary::word::Word;

/// Memory that is reused from text to text.
#[derive(Default)]
pub(crate) struct Stages {
    words: Vec<Word>,
    /// The places of words whose characters must be looked at.
    special: Vec<u32>,
    beyond: Vec<u8>,
    ids: Vec<u32>,
    /// For each length of n-grams the ids of this round, after the last id of the previous round.
    levels: Vec<Vec<u32>>,
    /// The places of n-grams whose parts are known.
    known: Vec<u32>,
    /// Where the longest n-grams are looked up.
    places: Homes,
    /// The same as `levels` for hashes.
    hashes: Vec<Vec<u64>>,
    /// The number of words of the text before this round.
    before: usize,
    word_hashes: Vec<u64>,
    resolved: Vec<u32>,
    surface: String,
}

/// Some pieces of a text.
struct Round<'a> {
    text: &'a [u8],
    /// The text in lower case as [`tokenize`] makes it, or nothing.
    copy: &'a [u8],
    spans: &'a [Span],
    /// The pieces that are not words.
    others: &'a [(u32, PieceKind)],
    /// The places of pieces before which a clause ended.
    breaks: &'a [u32],
    /// The places of words that are not in the copy.
    beheaded: &'a [u32],
}

impl<'a> Round<'a> {
    fn of(text: &'a [u8], copy: &'a [u8], pieces: &'a Pieces) -> Self {
        Self {
            text,
            copy,
            spans: &pieces.spans,
            others: &pieces.others,
            breaks: &pieces.breaks,
            beheaded: &pieces.beheaded,
        }
    }
}

impl Stages {
    fn begin(&mut self, longest: usize) {
        self.levels.resize_with(longest.max(self.levels.len()), Vec::new);
        self.levels.iter_mut().for_each(Vec::clear);
        self.hashes.resize_with(longest.max(self.hashes.len()), Vec::new);
        self.hashes.iter_mut().for_each(Vec::clear);
        self.before = 0;
    }
}

impl Analyzer {
    /// Like [`Analyzer::terms`], for words that need no preparation except for lower case.
    #[inline]
    pub(crate) fn plain_terms<L: Lexicon>(
        &self,
        text: &[u8],
        lexicon: &mut L,
        scratch: &mut Scratch,
        mut sink: impl FnMut(&[u32], &Vocabulary) -> bool,
    ) -> bool {
        let Scratch { tokens, stages, .. } = scratch;
        let longest = self.words.1;
        stages.begin(longest);
        tokenize(text, self.case(), self.classify, tokens, |spans, copy| {
            self.look_up_words(text, copy, spans, lexicon, stages);
            if longest == 1 {
                return sink(&stages.ids, lexicon.vocabulary());
            }
            self.phrases(stages, lexicon, &mut sink)
        })
    }

    /// Looks up some words that need no preparation except for lower case.
    #[inline]
    fn look_up_words<L: Lexicon>(
        &self,
        text: &[u8],
        copy: &[u8],
        spans: &[Span],
        lexicon: &mut L,
        Stages { words, special, beyond, ids, surface, .. }: &mut Stages,
    ) {
        stage(spans, copy, lexicon.vocabulary(), words, special);
        beyond.clear();
        for &at in &*special {
            let word = &mut words[at as usize];
            *word = self.special_word(PieceKind::Word, text, copy, spans[at as usize], surface, beyond);
            lexicon.vocabulary().prefetch_word(word);
        }
        prefetch_long(special, words, lexicon.vocabulary());
        special.clear();
        look_up(words, beyond, lexicon, ids);
    }

    /// Calls `each` with the end of each word of a text, in bytes, and with its id. The words need no preparation except
    /// for lower case.
    pub(crate) fn each_plain_word<L: Lexicon>(
        &self,
        text: &[u8],
        lexicon: &mut L,
        tokens: &mut Tokens,
        stages: &mut Stages,
        mut each: impl FnMut(usize, u32),
    ) {
        tokenize(text, self.case(), self.classify, tokens, |spans, copy| {
            self.look_up_words(text, copy, spans, lexicon, stages);
            spans.iter().zip(&stages.ids).for_each(|(span, &id)| each(span[1] as usize, id));
            true
        });
    }

    /// What changes a capital, as [`crate::analyze::characters::ascii_blocks::Classify`] takes it.
    pub(crate) fn case(&self) -> u8 {
        if self.preparation.lowercase { 0x20 } else { 0 }
    }

    /// The key of a piece that is long, is not in the copy of the text or is not a plain word. The bytes that do not fit
    /// the key are appended to `beyond`.
    #[inline]
    fn special_word(
        &self,
        kind: PieceKind,
        text: &[u8],
        copy: &[u8],
        [start, end]: Span,
        surface: &mut String,
        beyond: &mut Vec<u8>,
    ) -> Word {
        let (start, end) = (start as usize, end as usize);
        if kind == PieceKind::Word && copy.get(start).is_some_and(|first| *first != ONLY_IN_TEXT) {
            return long_word(&copy[start..end], beyond);
        }
        surface.clear();
        self.preparation.surface(kind, &text[start..end], surface);
        long_word(surface.as_bytes(), beyond)
    }

    /// From the words of this round to its n-grams.
    fn phrases<L: Lexicon>(
        &self,
        stages: &mut Stages,
        lexicon: &mut L,
        sink: &mut impl FnMut(&[u32], &Vocabulary) -> bool,
    ) -> bool {
        let (shortest, longest) = self.words;
        let Stages { ids, levels, known, places, before, .. } = stages;
        chain(&mut levels[..longest], ids, UNKNOWN, |n, parents, words, level| {
            if let Some(table) = lexicon.longest()
                && n == longest
            {
                return table.locate(parents, words, places);
            }
            // The n-grams whose parts are known are listed without a branch, which could not be foreseen.
            known.resize(words.len(), 0);
            let mut size = 0;
            for (at, (&parent, &last)) in parents.iter().zip(words).enumerate() {
                known[size] = at as u32;
                size += usize::from(parent != UNKNOWN && last != UNKNOWN);
            }
            level.resize(1 + words.len(), UNKNOWN);
            let (known, level) = (&known[..size], &mut level[1..]);
            let phrase = |at: u32| [parents[at as usize], words[at as usize]];
            for [parent, last] in known.iter().map(|&at| phrase(at)) {
                lexicon.vocabulary().prefetch_phrase(parent, last);
            }
            for &at in known {
                let [parent, last] = phrase(at);
                level[at as usize] = lexicon.phrase(parent, last);
            }
        });
        let vocabulary = lexicon.vocabulary();
        let first = std::mem::replace(before, *before + ids.len());
        (shortest..=longest).all(|n| {
            // At the start of a text, there are too few words for an n-gram.
            let lacking = (n - 1).saturating_sub(first).min(ids.len());
            let level = &mut levels[n - 1];
            if let Some(table) = lexicon.longest()
                && n == longest
            {
                // While the shorter n-grams were handed on, the memory of these was on its way.
                table.find(places, level);
            }
            sink(&level[level.len() - ids.len() + lacking..], vocabulary)
        })
    }

    /// Like [`Analyzer::terms`], for words that are prepared before they are counted.
    pub(crate) fn prepared_terms<L: Lexicon>(
        &self,
        text: &[u8],
        lexicon: &mut L,
        scratch: &mut Scratch,
        mut sink: impl FnMut(&[u32], &Vocabulary) -> bool,
    ) -> bool {
        let wanted = &self.preparation.wanted;
        scratch.pieces.begin(text, wanted);
        // Tokens that were made elsewhere may be punctuation, and only the long way looks at punctuation.
        let are_words = scratch.pieces.are_words(wanted) && !(wanted.breaks && self.given);
        if are_words && self.counts_plain_words() {
            return self.plain_terms(text, lexicon, scratch, sink);
        }
        let Scratch { tokens, stages, pieces, prepared, .. } = scratch;
        stages.begin(self.words.1);
        prepared.begin();
        let done = self.tokens(text, tokens, |spans, copy| {
            if !are_words {
                pieces.read(text, spans, wanted);
                return self.round(&Round::of(text, copy, pieces), prepared, stages, lexicon, &mut sink);
            }
            if wanted.breaks {
                pieces.read_breaks(text, spans);
            }
            let round = Round { spans, ..Round::of(text, copy, pieces) };
            self.round(&round, prepared, stages, lexicon, &mut sink)
        });
        if !done || are_words {
            return done;
        }
        pieces.finish(text, wanted);
        self.round(&Round::of(text, self.copy(tokens), pieces), prepared, stages, lexicon, &mut sink)
    }

    /// From pieces to terms.
    #[inline]
    fn round<L: Lexicon>(
        &self,
        round: &Round<'_>,
        prepared: &mut PreparedWords,
        stages: &mut Stages,
        lexicon: &mut L,
        sink: &mut impl FnMut(&[u32], &Vocabulary) -> bool,
    ) -> bool {
        let (hashed, remembered) = (self.hash_bits > 0, self.preparation.is_needed());
        self.stage_round(round, if remembered { &prepared.cache.words } else { lexicon.vocabulary() }, stages);
        let Stages { words, beyond, ids, resolved, .. } = stages;
        if remembered {
            look_up(words, beyond, &mut &mut prepared.cache.words, ids);
            prepared.resolve(ids, round.breaks, &self.preparation, hashed, lexicon, resolved);
            std::mem::swap(ids, resolved);
        } else if !hashed {
            look_up(words, beyond, lexicon, ids);
        }
        if hashed {
            let Stages { words, beyond, ids, word_hashes, .. } = stages;
            word_hashes.clear();
            if remembered {
                word_hashes.extend(ids.iter().map(|&id| prepared.hashes[id as usize]));
            } else {
                word_hashes.extend(
                    with_bytes(words, beyond).map(|(word, bytes)| hashed_terms::hash_of_word(word, bytes)),
                );
            }
            return self.buckets(stages, lexicon, sink);
        }
        if self.words.1 == 1 {
            return sink(&stages.ids, lexicon.vocabulary());
        }
        self.phrases(stages, lexicon, sink)
    }

    /// Makes the keys of a round: short ASCII words from the copy of the text, all others one by one.
    #[inline]
    fn stage_round(&self, round: &Round<'_>, vocabulary: &Vocabulary, stages: &mut Stages) {
        let Stages { words, special, beyond, surface, .. } = stages;
        beyond.clear();
        if round.copy.is_empty() {
            words.clear();
            words.resize(round.spans.len(), Word::new(&[]));
            special.extend(0..round.spans.len() as u32);
        } else {
            stage(round.spans, round.copy, vocabulary, words, special);
        }
        if !(round.others.is_empty() && round.beheaded.is_empty()) {
            special.extend(round.others.iter().map(|(at, _)| *at).chain(round.beheaded.iter().copied()));
            special.sort_unstable();
            special.dedup();
        }
        let (mut others, mut beheaded) = (round.others.iter().peekable(), round.beheaded.iter().peekable());
        for at in special.drain(..) {
            let kind = others.next_if(|(place, _)| *place == at).map_or(PieceKind::Word, |(_, kind)| *kind);
            let copy = if beheaded.next_if_eq(&&at).is_some() { &[] } else { round.copy };
            let span = round.spans[at as usize];
            words[at as usize] = self.special_word(kind, round.text, copy, span, surface, beyond);
        }
    }

    /// From the hashes of words to the buckets of their n-grams.
    fn buckets<L: Lexicon>(
        &self,
        stages: &mut Stages,
        lexicon: &mut L,
        sink: &mut impl FnMut(&[u32], &Vocabulary) -> bool,
    ) -> bool {
        const NONE: u64 = u64::MAX;
        let (shortest, longest) = self.words;
        let Stages { words, ids, hashes, word_hashes, .. } = stages;
        chain(&mut hashes[..longest], word_hashes, NONE, |_, parents, words, level| {
            for (&parent, &last) in parents.iter().zip(words) {
                level.push(if parent == NONE { NONE } else { hashed_terms::hash_of_phrase(parent, last) });
            }
        });
        words.clear();
        for level in &hashes[shortest - 1..longest] {
            let known = level[level.len() - word_hashes.len()..].iter().filter(|&&hash| hash != NONE);
            words.extend(known.map(|&hash| hashed_terms::bucket(hash, self.hash_bits)));
        }
        words.iter().for_each(|word| lexicon.vocabulary().prefetch_word(word));
        look_up(words, &[], lexicon, ids);
        sink(ids, lexicon.vocabulary())
    }
}
