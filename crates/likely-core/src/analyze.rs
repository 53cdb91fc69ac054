//! Text to terms: tokens or characters, lower case, n-grams.
//!
//! Terms come out as ids of a vocabulary, a few hundred at a time, each stage a tight loop over them: keys and hashes
//! first, so that the memory they lead to is on its way when the look-ups come.

use crate::blocks::{self, Classify};
use crate::characters::Characters;
use crate::chars::{changes_in_lowercase, decode};
use crate::lowercase::lowercase_into;
use crate::table::seeds;
use crate::tokenize::{BEYOND, Span, Tokens, tokenize};
use crate::vocabulary::{JOINT, Lexicon, UNKNOWN, Vocabulary};
use crate::word::{Word, halves};

/// What a text is cut into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Words, as [`crate::tokenize`] finds them.
    Word,
    /// Characters; a run of white space is one space.
    Char,
}

/// How texts become terms.
#[derive(Clone, Debug)]
pub struct Analyzer {
    unit: Unit,
    shortest: usize,
    longest: usize,
    lowercase: bool,
    classify: Classify,
}

/// A term of a text and where it stands, in bytes of the original.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// The term, as the vocabulary spells it.
    pub term: String,
    /// Where its first character starts.
    pub start: usize,
    /// Where its last character ends.
    pub end: usize,
}

/// Memory that is used again from text to text.
#[derive(Default)]
pub struct Scratch {
    tokens: Tokens,
    words: Vec<Word>,
    /// Which of the words need a look at their characters.
    special: Vec<u32>,
    beyond: Vec<u8>,
    ids: Vec<u32>,
    /// For each n-gram length the ids of this round, after the last one of the round before.
    levels: Vec<Vec<u32>>,
    lower: String,
    characters: Characters,
}

impl Analyzer {
    /// An analyzer for n-grams of `shortest` to `longest` units.
    pub fn new(unit: Unit, shortest: usize, longest: usize, lowercase: bool) -> Self {
        let shortest = shortest.max(1);
        Self { unit, shortest, longest: longest.max(shortest), lowercase, classify: blocks::fastest() }
    }

    /// Whether terms are made of several words.
    pub(crate) fn makes_phrases(&self) -> bool {
        self.unit == Unit::Word && self.longest > 1
    }

    /// A term as it is counted: in lower case if that is asked for, white space folded where characters count.
    pub fn normalized(&self, term: &str) -> String {
        if self.unit == Unit::Char {
            return Analyzer { shortest: 1, longest: 1, ..self.clone() }.joined_spans(term);
        }
        let mut lower = String::new();
        if self.lowercase {
            lowercase_into(term, &mut lower);
        } else {
            lower.push_str(term);
        }
        lower
    }

    fn joined_spans(&self, term: &str) -> String {
        self.spans(term.as_bytes()).into_iter().map(|character| character.term).collect()
    }

    /// The id of a term written as text, or [`UNKNOWN`].
    pub fn find(&self, vocabulary: &Vocabulary, term: &str) -> u32 {
        vocabulary.find(term.as_bytes(), self.unit == Unit::Word)
    }

    /// Adds a term written as text.
    pub fn intern(&self, vocabulary: &mut Vocabulary, term: &str) -> u32 {
        vocabulary.intern(term.as_bytes(), self.unit == Unit::Word)
    }

    /// Calls `sink` with the ids of all terms of `text`, [`UNKNOWN`] among them, and with the vocabulary they are of,
    /// until it returns false.
    #[inline]
    pub(crate) fn terms<L: Lexicon>(
        &self,
        text: &[u8],
        lexicon: &mut L,
        scratch: &mut Scratch,
        sink: impl FnMut(&[u32], &Vocabulary) -> bool,
    ) -> bool {
        match self.unit {
            Unit::Word => self.word_terms(text, lexicon, scratch, sink),
            Unit::Char => self.char_terms(text, lexicon, scratch, sink),
        }
    }

    #[inline]
    fn word_terms<L: Lexicon>(
        &self,
        text: &[u8],
        lexicon: &mut L,
        scratch: &mut Scratch,
        mut sink: impl FnMut(&[u32], &Vocabulary) -> bool,
    ) -> bool {
        let Scratch { tokens, words, special, beyond, ids, levels, lower, .. } = scratch;
        levels.resize_with(self.longest.max(levels.len()), Vec::new);
        levels.iter_mut().for_each(Vec::clear);
        tokenize(text, self.case(), self.classify, tokens, |spans, copy| {
            stage(spans, copy, lexicon.vocabulary(), words, special);
            beyond.clear();
            for at in special.drain(..) {
                let [start, end] = spans[at as usize];
                words[at as usize] = self.special_word(&text[start as usize..end as usize], lower, beyond);
            }
            look_up(words, beyond, lexicon, ids);
            if self.longest == 1 {
                return sink(ids, lexicon.vocabulary());
            }
            chain(&mut levels[..self.longest], ids, lexicon);
            let vocabulary = lexicon.vocabulary();
            levels[self.shortest - 1..self.longest]
                .iter()
                .all(|level| sink(&level[level.len() - ids.len()..], vocabulary))
        })
    }

    /// What changes a capital, as [`Classify`] wants it.
    fn case(&self) -> u8 {
        if self.lowercase { 0x20 } else { 0 }
    }

    /// A word that is long or not ASCII; what does not fit the key goes to `beyond`.
    #[cold]
    fn special_word(&self, bytes: &[u8], lower: &mut String, beyond: &mut Vec<u8>) -> Word {
        if !self.lowercase || !has_capitals(bytes) {
            let word = Word::new(bytes);
            if word.beyond() > 0 {
                beyond.extend_from_slice(bytes);
            }
            return word;
        }
        lower.clear();
        lowercase_into(&String::from_utf8_lossy(bytes), lower);
        let word = Word::new(lower.as_bytes());
        if word.beyond() > 0 {
            beyond.extend_from_slice(lower.as_bytes());
        }
        word
    }

    fn char_terms<L: Lexicon>(
        &self,
        text: &[u8],
        lexicon: &mut L,
        scratch: &mut Scratch,
        mut sink: impl FnMut(&[u32], &Vocabulary) -> bool,
    ) -> bool {
        let Scratch { words, beyond, ids, characters, .. } = scratch;
        characters.read(text, self.lowercase, self.longest, |units| {
            words.clear();
            beyond.clear();
            units.grams(self.shortest, self.longest, |bytes, _| {
                let word = Word::new(bytes);
                lexicon.vocabulary().prefetch_word(&word);
                if word.beyond() > 0 {
                    beyond.extend_from_slice(bytes);
                }
                words.push(word);
            });
            look_up(words, beyond, lexicon, ids);
            sink(ids, lexicon.vocabulary())
        })
    }

    /// The terms of a text with their places: the same terms as are counted, ordered by where they end.
    pub fn spans(&self, text: &[u8]) -> Vec<Term> {
        match self.unit {
            Unit::Word => self.word_spans(text),
            Unit::Char => self.char_spans(text),
        }
    }

    fn word_spans(&self, text: &[u8]) -> Vec<Term> {
        let mut tokens: Vec<(String, Span)> = Vec::new();
        tokenize(text, 0, self.classify, &mut Tokens::default(), |spans, _| {
            for &[start, end] in spans {
                let token = String::from_utf8_lossy(&text[start as usize..end as usize]);
                tokens.push((self.normalized(&token), [start, end]));
            }
            true
        });
        let mut terms = Vec::new();
        for last in 0..tokens.len() {
            for n in self.shortest..=self.longest.min(last + 1) {
                let gram = &tokens[last + 1 - n..=last];
                let words: Vec<&str> = gram.iter().map(|(word, _)| word.as_str()).collect();
                terms.push(Term {
                    term: words.join(&char::from(JOINT).to_string()),
                    start: gram[0].1[0] as usize,
                    end: tokens[last].1[1] as usize,
                });
            }
        }
        terms
    }

    fn char_spans(&self, text: &[u8]) -> Vec<Term> {
        let mut terms = Vec::new();
        Characters::default().read(text, self.lowercase, self.longest, |units| {
            units.grams(self.shortest, self.longest, |bytes, [start, end]| {
                let term = String::from_utf8_lossy(bytes).into_owned();
                terms.push(Term { term, start: start as usize, end: end as usize });
            });
            true
        });
        terms
    }
}

fn has_capitals(bytes: &[u8]) -> bool {
    let mut at = 0;
    while at < bytes.len() {
        let (c, width) = decode(bytes, at);
        if c.is_some_and(changes_in_lowercase) {
            return true;
        }
        at += width;
    }
    false
}

/// Makes the words of some tokens, and asks for the memory their look-ups will touch. Those that are long or not
/// ASCII come out wrong and are noted in `special`: so the loop has no branch to take.
#[inline]
fn stage(spans: &[Span], copy: &[u8], vocabulary: &Vocabulary, words: &mut Vec<Word>, special: &mut Vec<u32>) {
    const MASKS: [[u64; 2]; 16] = {
        let mut masks = [[0; 2]; 16];
        let mut length = 1;
        while length < 16 {
            let mask = u128::MAX >> (128 - 8 * length);
            masks[length] = [mask as u64, (mask >> 64) as u64];
            length += 1;
        }
        masks
    };
    const WIDE: u64 = 0x8080_8080_8080_8080;
    let seeds = seeds();
    words.clear();
    words.extend(spans.iter().enumerate().map(|(at, &[start, end])| {
        let (start, length) = (start as usize, end - start);
        let bytes: [u8; BEYOND] = copy[start..start + BEYOND].try_into().unwrap_or_default();
        let (low, high) = halves(bytes);
        let mask = MASKS[length as usize & 15];
        let (low, high) = (low & mask[0], high & mask[1]);
        if length > 15 || (low | high) & WIDE != 0 {
            special.push(at as u32);
        }
        let word = Word::short(low, high, length & 15, seeds);
        vocabulary.prefetch_word(&word);
        word
    }));
}

#[inline]
fn look_up<L: Lexicon>(words: &[Word], beyond: &[u8], lexicon: &mut L, ids: &mut Vec<u32>) {
    let mut used = 0;
    ids.clear();
    ids.extend(words.iter().map(|word| {
        if word.is_short() {
            return lexicon.word(word, &[]);
        }
        let bytes = &beyond[used..used + word.beyond()];
        used += bytes.len();
        lexicon.word(word, bytes)
    }));
}

/// From the words of this round to its n-grams: each from the shorter one that ended a word earlier.
fn chain<L: Lexicon>(levels: &mut [Vec<u32>], words: &[u32], lexicon: &mut L) {
    for level in levels.iter_mut() {
        match level.last().copied() {
            Some(last) => {
                level.clear();
                level.push(last);
            }
            None => level.push(UNKNOWN),
        }
    }
    levels[0].extend_from_slice(words);
    for n in 1..levels.len() {
        let (shorter, longer) = levels.split_at_mut(n);
        let (parents, level) = (&shorter[n - 1], &mut longer[0]);
        for (&parent, &last) in parents.iter().zip(words) {
            lexicon.vocabulary().prefetch_phrase(parent, last);
        }
        for (&parent, &last) in parents.iter().zip(words) {
            level.push(if parent == UNKNOWN { UNKNOWN } else { lexicon.phrase(parent, last) });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn counted(analyzer: &Analyzer, text: &[u8]) -> Vec<String> {
        let mut vocabulary = Vocabulary::default();
        let mut ids = Vec::new();
        analyzer.terms(text, &mut &mut vocabulary, &mut Scratch::default(), |some, _| {
            ids.extend(some.iter().filter(|&&id| id != UNKNOWN));
            true
        });
        let mut terms: Vec<String> = ids.into_iter().map(|id| vocabulary.term(id)).collect();
        terms.sort();
        terms
    }

    fn spanned(analyzer: &Analyzer, text: &[u8]) -> Vec<String> {
        let mut terms: Vec<String> = analyzer.spans(text).into_iter().map(|term| term.term).collect();
        terms.sort();
        terms
    }

    #[test]
    fn n_grams_of_words() {
        let analyzer = Analyzer::new(Unit::Word, 1, 3, true);
        let terms: Vec<String> = analyzer.spans(b"New York City").into_iter().map(|t| t.term).collect();
        assert_eq!(terms, ["new", "york", "new york", "city", "york city", "new york city"]);
    }

    #[test]
    fn n_grams_of_characters_fold_white_space_and_case() {
        let analyzer = Analyzer::new(Unit::Char, 2, 2, true);
        let terms: Vec<Term> = analyzer.spans("A \n B\u{130}".as_bytes());
        let texts: Vec<&str> = terms.iter().map(|t| t.term.as_str()).collect();
        assert_eq!(texts, ["a ", " b", "bi", "i\u{307}"]);
        assert_eq!((terms[1].start, terms[1].end), (1, 5));
    }

    fn any_analyzer() -> impl Strategy<Value = Analyzer> {
        (prop_oneof![Just(Unit::Word), Just(Unit::Char)], 1usize..4, 0usize..3, any::<bool>()).prop_map(
            |(unit, shortest, more, lowercase)| Analyzer::new(unit, shortest, shortest + more, lowercase),
        )
    }

    proptest! {
        #[test]
        fn what_is_counted_is_what_is_shown(
            analyzer in any_analyzer(),
            text in prop_oneof![
                any::<String>().prop_map(String::into_bytes),
                "([a-zA-Z']{1,20}[ .]{1,3}){0,900}".prop_map(String::into_bytes),
                "(ΑΣ|Σ|İ|é|漢| ){0,40}".prop_map(String::into_bytes),
                prop::collection::vec(any::<u8>(), 0..200),
            ],
        ) {
            prop_assert_eq!(counted(&analyzer, &text), spanned(&analyzer, &text));
        }

        #[test]
        fn the_number_of_n_grams_is_as_the_formula_says(text in "([a-z]{1,4} ){0,60}", n in 1usize..5) {
            let words = text.split_whitespace().count();
            let grams = Analyzer::new(Unit::Word, n, n, true).spans(text.as_bytes());
            prop_assert_eq!(grams.len(), (words + 1).saturating_sub(n));
        }
    }
}
