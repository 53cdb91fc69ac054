//! N-grams of characters by the rules of scikit-learn: across the whole text (`char`) or within words (`char_wb`).

use crate::analyze::characters::char_units::slide;
use crate::analyze::tokens::tokenize::Span;
use crate::vectorize::pattern::alphabet::{code_at, is_ascii_space};
use crate::vectorize::pattern::fold::{BEYOND, Folded};
use crate::vectorize::pattern::rules::{Pattern, PatternScratch, PatternUnit};
use crate::vectorize::pattern::units::Units;
use crate::vocabulary::lexicon::Lexicon;
use crate::vocabulary::term_ids::Vocabulary;

/// After how many n-grams they are handed on.
const GATHERED: usize = 4096;
/// How many characters are slid over at a time.
const ROUND: usize = 256;

impl Pattern {
    pub(super) fn char_terms<L: Lexicon>(
        &self,
        lexicon: &mut L,
        scratch: &mut PatternScratch,
        mut sink: impl FnMut(&[u32], &Vocabulary) -> bool,
    ) -> bool {
        let PatternScratch { folded, spans, lookup, ids, units, .. } = scratch;
        self.cut_characters(folded, units);
        self.char_grams(units, spans, |spans| {
            lookup.ids(spans, &units.bytes, lexicon, ids);
            sink(ids, lexicon.vocabulary())
        })
    }

    /// Like [`Pattern::char_terms`], for characters within words. Each distinct word is cut only once.
    pub(super) fn remembered_terms<L: Lexicon>(
        &self,
        lexicon: &mut L,
        scratch: &mut PatternScratch,
        mut sink: impl FnMut(&[u32], &Vocabulary) -> bool,
    ) -> bool {
        let PatternScratch { folded, spans, lookup, ids, level, units, remembered, .. } = scratch;
        let remembered = remembered.get_or_insert_default();
        remembered.begin();
        let (text, beyond) = folded.text();
        self.cut_at_spaces(text, spans);
        lookup.ids(spans, beyond, &mut &mut remembered.words, ids);
        let (all, numbers) = (std::mem::take(spans), std::mem::take(ids));
        level.clear();
        let done = numbers.iter().zip(&all).all(|(&number, &[start, end])| {
            if number as usize == remembered.values.len() {
                units.pad(&text[start as usize..end as usize]);
                let mut grams = Vec::new();
                self.char_grams(units, spans, |spans| {
                    lookup.ids(spans, &units.bytes, lexicon, ids);
                    grams.extend_from_slice(ids);
                    true
                });
                remembered.add(grams.len(), grams.into());
            }
            level.extend_from_slice(&remembered.values[number as usize]);
            let is_full = level.len() >= GATHERED;
            let go_on = !is_full || sink(level, lexicon.vocabulary());
            if is_full {
                level.clear();
            }
            go_on
        });
        (*spans, *ids) = (all, numbers);
        done && sink(level, lexicon.vocabulary())
    }

    /// Replaces `spans` by those of the words between white space.
    fn cut_at_spaces(&self, text: &[u8], spans: &mut Vec<Span>) {
        spans.clear();
        let (mut at, mut start) = (0, 0);
        while at < text.len() {
            let (width, is_space) = self.character_at(text, at);
            if is_space {
                if start < at {
                    spans.push([start as u32, at as u32]);
                }
                start = at + width;
            }
            at += width;
        }
        if start < at {
            spans.push([start as u32, at as u32]);
        }
    }

    /// The characters that n-grams are made of.
    pub(super) fn cut_characters(&self, folded: &Folded, units: &mut Units) {
        let (text, _) = folded.text();
        units.clear();
        let in_words = self.unit == PatternUnit::CharInWord;
        if in_words {
            units.push(b" ");
        }
        let mut at = 0;
        while at < text.len() {
            let (width, is_space) = self.character_at(text, at);
            let (start, mut end) = (at, at + width);
            while is_space && end < text.len() {
                let (width, true) = self.character_at(text, end) else { break };
                end += width;
            }
            match (is_space, in_words) {
                (false, _) => units.push(&text[start..end]),
                (true, true) if units.spans.len() == 1 => {}
                (true, false) if end == start + width => units.push(&text[start..end]),
                (true, _) => units.push(b" "),
            }
            at = end;
        }
        if in_words && units.spans.len() == 1 {
            units.clear();
        } else if in_words && units.bytes.last() != Some(&b' ') {
            units.push(b" ");
        }
        units.bytes.resize(units.bytes.len() + BEYOND, 0);
    }

    #[inline]
    fn character_at(&self, text: &[u8], at: usize) -> (usize, bool) {
        if text[at] < 0x80 {
            return (1, is_ascii_space(text[at]));
        }
        let (code, width) = code_at(text, at);
        (width, self.alphabet.as_ref().is_some_and(|alphabet| alphabet.is_space(code)))
    }

    /// Calls `sink` with the spans of the n-grams of some characters, a few thousand at a time.
    pub(super) fn char_grams(
        &self,
        units: &Units,
        grams: &mut Vec<Span>,
        mut sink: impl FnMut(&[Span]) -> bool,
    ) -> bool {
        grams.clear();
        let (all, in_words) = (&units.spans, self.unit == PatternUnit::CharInWord);
        let mut word = 0;
        while word < all.len() {
            let end = if in_words { units.end_of_word(word) } else { all.len() };
            let after = end - word + 1;
            for first in (1..after).step_by(ROUND) {
                let until = after.min(first + ROUND);
                slide(first..until, in_words && until == after, (self.shortest, self.longest), |from, to| {
                    grams.push([all[word + from][0], all[word + to - 1][1]]);
                });
                if grams.len() >= GATHERED {
                    if !sink(grams) {
                        return false;
                    }
                    grams.clear();
                }
            }
            // The space after a word is the space before the next word.
            word = if end == all.len() { end } else { end - 1 };
        }
        sink(grams)
    }
}
