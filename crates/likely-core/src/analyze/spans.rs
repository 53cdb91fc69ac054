//! A text goes in; its terms come out with their places and with what was done to them.
//!
//! This is the slow way to the same terms as those that are counted.

use crate::analyze::analyzer::{Analyzer, Term};
use crate::analyze::characters::char_units::{Bounds, CharUnits};
use crate::analyze::normalize::Normal;
use crate::analyze::settings::{CHAR_MARK, Unit};
use crate::analyze::tokens::pieces::Pieces;
use crate::analyze::tokens::tokenize::{Span, Tokens};
use crate::analyze::words::preparation::{NEGATED, is_word, steps};
use crate::vocabulary::term_ids::JOINT;

/// A piece of a text and what it is counted as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// What the piece is counted as; `None` for a stop word.
    pub term: Option<String>,
    /// Where the piece starts, in bytes of the original text.
    pub start: usize,
    /// Where the piece ends.
    pub end: usize,
    /// What was done to the piece: bits of [`steps`].
    pub steps: u8,
}

impl Analyzer {
    /// The terms of a text with their places, in the order of their ends. They are the terms that are counted.
    pub fn spans(&self, text: &[u8]) -> Vec<Term> {
        let normal = self.normal(text);
        let bytes = normal.as_ref().map_or(text, |normal| &normal.bytes);
        let mut terms = Vec::new();
        if self.has_words() {
            self.word_spans(&self.pieces_of(bytes), &mut terms);
        }
        if let Some((bounds, (shortest, longest))) = self.characters() {
            self.char_spans(bytes, bounds, shortest, longest, &mut terms);
        }
        if let Some(normal) = normal {
            terms.iter_mut().for_each(|term| (term.start, term.end) = normal.place(term.start, term.end));
        }
        terms
    }

    /// The pieces of a text before n-grams: words, or characters if only characters are terms.
    pub fn trace(&self, text: &[u8]) -> Vec<Token> {
        let normal = self.normal(text);
        let bytes = normal.as_ref().map_or(text, |normal| &normal.bytes);
        let mut tokens = if self.has_words() { self.pieces_of(bytes) } else { self.characters_of(bytes) };
        let Some(normal) = &normal else { return tokens };
        for token in &mut tokens {
            let found = &bytes[token.start..token.end];
            (token.start, token.end) = normal.place(token.start, token.end);
            if found != &text[token.start..token.end] {
                token.steps |= steps::NORMALIZED;
            }
        }
        tokens
    }

    fn normal(&self, text: &[u8]) -> Option<Normal> {
        let needed = self.normalization.is_needed() && !text.is_ascii();
        needed.then(|| {
            let mut normal = Normal::default();
            normal.read(text, &self.normalization, true, || true);
            normal
        })
    }

    fn characters_of(&self, text: &[u8]) -> Vec<Token> {
        let mut terms = Vec::new();
        self.char_spans(text, Bounds::Text, 1, 1, &mut terms);
        let token = |term: Term| {
            let lowered = term.term.as_bytes() != &text[term.start..term.end] && term.term != " ";
            let steps = if lowered { steps::LOWERED } else { 0 };
            Token { term: Some(term.term), start: term.start, end: term.end, steps }
        };
        terms.into_iter().map(token).collect()
    }

    /// The words of a text in normal form.
    fn pieces_of(&self, text: &[u8]) -> Vec<Token> {
        let wanted = &self.preparation.wanted;
        let (mut pieces, mut all) = (Pieces::default(), Vec::new());
        pieces.begin(text, wanted);
        self.tokens(text, &mut Tokens::default(), |spans, _| {
            pieces.read(text, spans, wanted);
            all.extend(pieces.kinds());
            true
        });
        pieces.finish(text, wanted);
        all.extend(pieces.kinds());
        let mut negating = false;
        let prepared = all.into_iter().map(|(span, kind, after_break)| {
            let [start, end] = span.map(|at| at as usize);
            negating &= !after_break;
            let mut surface = String::new();
            self.preparation.surface(kind, &text[start..end], &mut surface);
            let negator = self.preparation.is_negator(&surface);
            let negated = negating && !negator && is_word(&surface);
            negating |= negator;
            let (term, steps) = self.counted(&text[start..end], &surface, negated);
            Token { term, start, end, steps }
        });
        prepared.collect()
    }

    /// What a word (after [`crate::analyze::words::preparation::Preparation::surface`]) is counted as, and the steps
    /// that this took.
    fn counted(&self, piece: &[u8], surface: &str, negated: bool) -> (Option<String>, u8) {
        let mut term = String::from(if negated { NEGATED } else { "" });
        let stays = self.preparation.counted(surface, &mut term);
        let masked = surface.starts_with('<') && surface.ends_with('>') && surface.len() > 1;
        let mut done = if negated { steps::NEGATED } else { 0 };
        if masked {
            done |= steps::MASKED;
        } else if surface.as_bytes() != String::from_utf8_lossy(piece).as_bytes() {
            done |= steps::LOWERED;
        }
        if term.strip_prefix(if negated { NEGATED } else { "" }) != Some(surface) {
            done |= steps::STEMMED;
        }
        if stays { (Some(term), done) } else { (None, steps::STOPPED) }
    }

    fn word_spans(&self, tokens: &[Token], terms: &mut Vec<Term>) {
        let kept: Vec<(&str, Span)> = tokens
            .iter()
            .filter_map(|token| Some((token.term.as_deref()?, [token.start as u32, token.end as u32])))
            .collect();
        let (shortest, longest) = self.words;
        for last in 0..kept.len() {
            for n in shortest..=longest.min(last + 1) {
                let gram = &kept[last + 1 - n..=last];
                let words: Vec<&str> = gram.iter().map(|(word, _)| *word).collect();
                terms.push(Term {
                    term: words.join(&char::from(JOINT).to_string()),
                    start: gram[0].1[0] as usize,
                    end: kept[last].1[1] as usize,
                });
            }
        }
    }

    fn char_spans(&self, text: &[u8], bounds: Bounds, shortest: usize, longest: usize, terms: &mut Vec<Term>) {
        let (marked, mut name) = (self.unit == Unit::Both, Vec::new());
        CharUnits::default().read(text, self.preparation.lowercase, bounds, longest, |units| {
            units.grams(shortest, longest, |bytes, [start, end]| {
                if marked {
                    mark_gram(bytes, &mut name);
                }
                let term = String::from_utf8_lossy(if marked { &name } else { bytes }).into_owned();
                terms.push(Term { term, start: start as usize, end: end as usize });
            });
            true
        });
    }
}

/// What stands for a space in an n-gram of characters beside words.
pub(crate) const CHAR_SPACE: &str = "\u{2423}";

/// Writes an n-gram of characters as it is spelled beside words: with its prefix, and without the space that joins
/// words.
#[inline]
pub(crate) fn mark_gram(gram: &[u8], out: &mut Vec<u8>) {
    out.clear();
    out.extend_from_slice(CHAR_MARK.as_bytes());
    for &byte in gram {
        match byte {
            JOINT => out.extend_from_slice(CHAR_SPACE.as_bytes()),
            _ => out.push(byte),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::normalize::{Form, Normalization};
    use crate::analyze::settings::Settings;

    #[test]
    fn the_space_after_a_word_ends_with_the_word_whatever_was_removed_behind_it() {
        let normalization = Normalization { form: Form::Nfkc, strip_accents: true };
        let settings = Settings { normalization, ..Settings::plain(Unit::CharWb, 1, 2, true) };
        let analyzer = Analyzer::new(settings);
        // An accent that follows no letter, and a space that is another one after normalization.
        for text in [&b"\xff\xcc\x81"[..], "a\u{a0}b".as_bytes(), "\u{301}é ﬁ".as_bytes()] {
            let spans = analyzer.spans(text);
            assert!(spans.is_sorted_by_key(|term| term.end), "{spans:?}");
            assert!(spans.iter().all(|term| term.start <= term.end), "{spans:?}");
        }
    }
}
