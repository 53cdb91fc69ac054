//! The analyzer: what it knows of its settings, and the way from a text to the ids of its terms.

use crate::analyze::characters::ascii_blocks::{self, Classify};
use crate::analyze::characters::char_units::Bounds;
use crate::analyze::characters::lowercase::lowercase_into;
use crate::analyze::normalize::{GROWTH, Normal, Normalization};
use crate::analyze::settings::{Settings, Unit};
use crate::analyze::terms::char_terms::CharTerms;
use crate::analyze::terms::grams_by_word::{ByWord, Part, WordNumbers};
use crate::analyze::terms::hashed_terms;
use crate::analyze::terms::word_terms::Stages;
use crate::analyze::tokens::pieces::Pieces;
use crate::analyze::tokens::tokenize::{Span, Tokens, split_given, tokenize};
use crate::analyze::words::preparation::{Preparation, negator, straight};
use crate::analyze::words::prepared_words::PreparedWords;
use crate::count::term_value::Value;
use crate::vocabulary::lexicon::Lexicon;
use crate::vocabulary::term_ids::{JOINT, UNKNOWN, Vocabulary};

/// After how much of a long text one is asked whether to go on, in bytes.
pub(super) const STRETCH: usize = 1 << 20;

/// Turns texts into terms.
#[derive(Clone, Debug)]
pub struct Analyzer {
    pub(crate) unit: Unit,
    pub(crate) words: (usize, usize),
    chars: (usize, usize),
    pub(crate) normalization: Normalization,
    pub(crate) preparation: Preparation,
    pub(crate) hash_bits: u32,
    pub(crate) value: Value,
    pub(crate) equal: bool,
    pub(crate) given: bool,
    pub(crate) classify: Classify,
    /// Whether every word becomes a term without being looked at first, except for its lower case.
    plain: bool,
}

/// A term of a text and its place, in bytes of the original text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// The term as the vocabulary spells it.
    pub term: String,
    /// Where its first character starts.
    pub start: usize,
    /// Where its last character ends.
    pub end: usize,
}

/// Memory that is reused from text to text. It belongs to one analyzer and one vocabulary.
#[derive(Default)]
pub struct Scratch {
    pub(crate) tokens: Tokens,
    pub(crate) stages: Stages,
    pub(crate) pieces: Pieces,
    pub(crate) prepared: PreparedWords,
    pub(crate) grams: CharTerms,
    pub(crate) by_word: ByWord,
    normal: Normal,
}

impl Analyzer {
    /// Whether the value of a term depends on the whole document, so that it is known only after the document has been
    /// read.
    pub(crate) fn counts_by_document(&self) -> bool {
        self.equal || self.value == Value::Damped
    }

    /// The analyzer for some settings.
    pub fn new(settings: Settings) -> Self {
        let at_least_one = |(shortest, longest): (usize, usize)| (shortest.max(1), longest.max(shortest).max(1));
        let Settings { unit, ngrams, char_ngrams, normalization, mut preparation, hash_bits, value, equal, given } =
            settings;
        let (words, chars) =
            (at_least_one(ngrams), at_least_one(if unit == Unit::Both { char_ngrams } else { ngrams }));
        preparation.wanted.breaks = !preparation.negators.is_empty();
        let mut analyzer = Self {
            unit,
            words,
            chars,
            normalization,
            preparation,
            hash_bits,
            value,
            equal,
            given,
            classify: ascii_blocks::fastest(),
            plain: false,
        };
        analyzer.plain = analyzer.counts_plain_words() && !analyzer.preparation.wanted.anything();
        analyzer.prepare_lists();
        analyzer
    }

    /// The analyzer for n-grams of words or characters, with or without lower case.
    pub fn plain(unit: Unit, shortest: usize, longest: usize, lowercase: bool) -> Self {
        Self::new(Settings::plain(unit, shortest, longest, lowercase))
    }

    /// Prepares the stop words and negators in the same way as the words they are compared with.
    fn prepare_lists(&mut self) {
        let given = std::mem::take(&mut self.preparation.negators);
        self.preparation.negators = given.iter().map(|word| negator(&self.normal_text(word))).collect();
        let given = std::mem::take(&mut self.preparation.stop_words);
        self.preparation.stop_words = given.iter().map(|word| straight(&self.normalized_word(word))).collect();
    }

    /// The same analyzer, except that it looks up each distinct word only once. It is used where a look-up is slow.
    pub(crate) fn remembering(&self) -> Self {
        let mut analyzer = self.clone();
        (analyzer.preparation.remembers, analyzer.plain) = (true, false);
        analyzer
    }

    /// Whether words are terms.
    pub fn has_words(&self) -> bool {
        matches!(self.unit, Unit::Word | Unit::Both)
    }

    /// The n-grams of characters that are terms: where they may lie, and their shortest and longest length.
    pub(crate) fn characters(&self) -> Option<(Bounds, (usize, usize))> {
        match self.unit {
            Unit::Word => None,
            Unit::Char => Some((Bounds::Text, self.chars)),
            Unit::CharWb | Unit::Both => Some((Bounds::Words, self.chars)),
        }
    }

    /// Whether some terms consist of several words.
    pub(crate) fn makes_phrases(&self) -> bool {
        self.has_words() && self.words.1 > 1
    }

    /// The number of words of the longest n-grams, if some terms consist of several words.
    pub(crate) fn longest_phrase(&self) -> Option<usize> {
        (self.makes_phrases() && self.hash_bits == 0).then_some(self.words.1)
    }

    /// The longest text, in bytes, whose offsets fit 32 bits.
    pub(crate) fn longest_text(&self) -> usize {
        let growth = if self.normalization.is_needed() { GROWTH } else { 1 };
        UNKNOWN as usize / growth - 1
    }

    /// A term as it is counted: normalized and prepared like a word, or, if only characters are terms, in lower case
    /// and with its white space folded.
    pub fn normalized(&self, term: &str) -> String {
        if !self.has_words() {
            let settings = Settings::plain(Unit::Char, 1, 1, self.preparation.lowercase);
            let characters = Analyzer { normalization: self.normalization, ..Analyzer::new(settings) };
            return characters.spans(term.as_bytes()).into_iter().map(|character| character.term).collect();
        }
        let words: Vec<String> = term.split(char::from(JOINT)).map(|word| self.normalized_word(word)).collect();
        words.join(&char::from(JOINT).to_string())
    }

    fn normal_text(&self, text: &str) -> String {
        let mut normal = Normal::default();
        normal.read(text.as_bytes(), &self.normalization, false, || true);
        String::from_utf8_lossy(&normal.bytes).into_owned()
    }

    fn normalized_word(&self, word: &str) -> String {
        let normal = self.normal_text(word);
        let (mut surface, mut counted) = (String::new(), String::new());
        if self.preparation.lowercase {
            lowercase_into(&normal, &mut surface);
        } else {
            surface = normal;
        }
        self.preparation.counted(&surface, &mut counted);
        counted
    }

    /// The id of a term that is given as text, or [`UNKNOWN`].
    pub fn find(&self, vocabulary: &Vocabulary, term: &str) -> u32 {
        if self.hash_bits > 0 {
            let hash = hashed_terms::hash_of_spelled(term.as_bytes(), self.has_words());
            return vocabulary.find_word(&hashed_terms::bucket(hash, self.hash_bits), &[]);
        }
        vocabulary.find(term.as_bytes(), self.has_words())
    }

    /// Adds a term that is spelled as the vocabulary spells it, and returns its id.
    pub fn intern(&self, vocabulary: &mut Vocabulary, term: &str) -> u32 {
        vocabulary.intern(term.as_bytes(), self.has_words())
    }

    /// Calls `sink` with the ids of all terms of `text` and with their vocabulary, some at a time, until `sink`
    /// returns false. There is one id per term; that of a term that is not in the vocabulary is [`UNKNOWN`].
    #[inline]
    pub(crate) fn terms<L: Lexicon>(
        &self,
        text: &[u8],
        lexicon: &mut L,
        scratch: &mut Scratch,
        mut sink: impl FnMut(&[u32], &Vocabulary) -> bool,
    ) -> bool {
        let as_it_is = !self.normalization.is_needed() || text.is_ascii();
        if as_it_is && self.plain && self.unit == Unit::Word {
            return self.plain_terms(text, lexicon, scratch, sink);
        }
        let mut normal = std::mem::take(&mut scratch.normal);
        let text = self.normal_form(text, &mut normal, || sink(&[], lexicon.vocabulary()));
        let done = text.is_some_and(|text| {
            let done = self.terms_of_words(text, lexicon, scratch, &mut sink);
            match self.characters() {
                Some((bounds, chars)) if done => self.char_terms(text, bounds, chars, lexicon, scratch, &mut sink),
                _ => done,
            }
        });
        scratch.normal = normal;
        done
    }

    /// As [`Analyzer::terms`], if words bound the n-grams of characters: those are handed on word by word, and so are
    /// tokens that are plain.
    pub(crate) fn terms_by_word<L: Lexicon>(
        &self,
        text: &[u8],
        lexicon: &mut L,
        scratch: &mut Scratch,
        words: WordNumbers<'_>,
        mut sink: impl FnMut(Part<'_>) -> bool,
    ) -> bool {
        let mut normal = std::mem::take(&mut scratch.normal);
        let text = self.normal_form(text, &mut normal, || sink(Part::Words(&[])));
        let done = text.is_some_and(|text| {
            (self.has_plain_tokens()
                || self.terms_of_words(text, lexicon, scratch, |ids, _| sink(Part::Terms(ids))))
                && self.grams_by_word(text, lexicon, scratch, words, &mut sink)
        });
        scratch.normal = normal;
        done
    }

    /// Whether every word becomes a term without being looked at first, except for its lower case.
    pub(crate) fn is_plain(&self) -> bool {
        self.plain
    }

    /// The normalized text; None if `ask` said that it is not wanted any more.
    #[inline]
    fn normal_form<'a>(
        &self,
        text: &'a [u8],
        normal: &'a mut Normal,
        ask: impl FnMut() -> bool,
    ) -> Option<&'a [u8]> {
        if !self.normalization.is_needed() || text.is_ascii() {
            return Some(text);
        }
        normal.read(text, &self.normalization, false, ask).then_some(&normal.bytes)
    }

    /// As [`Analyzer::terms`] for words and their n-grams, of a text that is normalized already.
    #[inline]
    fn terms_of_words<L: Lexicon>(
        &self,
        text: &[u8],
        lexicon: &mut L,
        scratch: &mut Scratch,
        sink: impl FnMut(&[u32], &Vocabulary) -> bool,
    ) -> bool {
        match (self.has_words(), self.plain) {
            (false, _) => true,
            (true, true) => self.plain_terms(text, lexicon, scratch, sink),
            (true, false) => self.prepared_terms(text, lexicon, scratch, sink),
        }
    }

    /// Calls `sink` with the spans of all tokens as [`tokenize`] does. The copy of the text may be empty.
    pub(crate) fn tokens(
        &self,
        text: &[u8],
        tokens: &mut Tokens,
        sink: impl FnMut(&[Span], &[u8]) -> bool,
    ) -> bool {
        if self.given { split_given(text, sink) } else { tokenize(text, self.case(), self.classify, tokens, sink) }
    }

    /// The copy of the text that was tokenized last, or nothing if tokens were given.
    pub(crate) fn copy<'a>(&self, tokens: &'a Tokens) -> &'a [u8] {
        if self.given { &[] } else { &tokens.copy }
    }

    /// Whether words need no preparation except for lower case, if the text has no other pieces.
    pub(crate) fn counts_plain_words(&self) -> bool {
        !self.given && self.hash_bits == 0 && !self.preparation.is_needed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::normalize::Form;
    use crate::analyze::tokens::wanted::{Treatment, Wanted};
    use crate::analyze::words::stem::Stemmer;
    use proptest::prelude::*;
    use std::collections::HashSet;

    fn counted(analyzer: &Analyzer, text: &[u8]) -> Vec<String> {
        counted_in(analyzer, text, &mut Vocabulary::default())
    }

    fn counted_in(analyzer: &Analyzer, text: &[u8], vocabulary: &mut Vocabulary) -> Vec<String> {
        let mut ids = Vec::new();
        analyzer.terms(text, &mut &mut *vocabulary, &mut Scratch::default(), |some, _| {
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

    /// How often one is asked whether to go on, if it is said so often.
    fn asked(analyzer: &Analyzer, text: &[u8], patience: usize) -> usize {
        let (mut asked, mut scratch, mut vocabulary) = (0, Scratch::default(), Vocabulary::default());
        let mut go_on = || {
            asked += 1;
            asked < patience
        };
        if analyzer.characters().is_some_and(|(bounds, _)| bounds == Bounds::Words) {
            let (shared, mut own) = (Vocabulary::default(), Vocabulary::default());
            let words = WordNumbers { shared: &shared, own: &mut own, most: 100, rows: None };
            analyzer.terms_by_word(text, &mut &mut vocabulary, &mut scratch, words, |_| go_on());
        } else {
            analyzer.terms(text, &mut &mut vocabulary, &mut scratch, |_, _| go_on());
        }
        // What is left of the text was not read.
        assert!(scratch.pieces.spans.len() < 1 << 16);
        asked
    }

    #[test]
    fn one_may_stop_in_a_long_text_of_few_words() {
        let forms = Normalization { form: Form::Nfkc, strip_accents: true };
        let mut settings: Vec<Settings> = [Unit::Word, Unit::Char, Unit::CharWb, Unit::Both]
            .map(|unit| Settings::plain(unit, 1, 2, true))
            .into();
        settings.push(Settings { normalization: forms, ..Settings::plain(Unit::Word, 1, 1, true) });
        settings.push(Settings { normalization: forms, ..Settings::plain(Unit::CharWb, 1, 2, true) });
        let wanted = Wanted { punctuation: true, ..Wanted::default() };
        let preparation = Preparation { lowercase: true, wanted, ..Preparation::default() };
        settings.push(Settings { preparation, ..Settings::plain(Unit::Word, 1, 1, true) });
        let text = "Ab cé ".repeat(1 << 20);
        for settings in settings {
            let analyzer = Analyzer::new(settings);
            let all = asked(&analyzer, text.as_bytes(), usize::MAX);
            assert!(all >= text.len() / (2 * STRETCH), "{analyzer:?} asks {all} times");
            for patience in [1, 2, 5] {
                let more = asked(&analyzer, text.as_bytes(), patience) - patience;
                assert!(more <= 1, "{analyzer:?} asks {more} times more");
            }
        }
    }

    #[test]
    fn n_grams_of_words() {
        let analyzer = Analyzer::plain(Unit::Word, 1, 3, true);
        let terms: Vec<String> = analyzer.spans(b"New York City").into_iter().map(|t| t.term).collect();
        assert_eq!(terms, ["new", "york", "new york", "city", "york city", "new york city"]);
    }

    #[test]
    fn n_grams_within_words_are_padded() {
        let texts = |text: &str, shortest, longest| -> Vec<String> {
            let analyzer = Analyzer::plain(Unit::CharWb, shortest, longest, true);
            analyzer.spans(text.as_bytes()).into_iter().map(|t| t.term).collect()
        };
        assert_eq!(texts("Ab c", 2, 3), [" a", "ab", " ab", "b ", "ab ", " c", "c ", " c "]);
        assert_eq!(texts("a bc", 4, 5), [" a ", " bc "]);
    }

    #[test]
    fn n_grams_of_characters_fold_white_space_and_case() {
        let analyzer = Analyzer::plain(Unit::Char, 2, 2, true);
        let terms: Vec<Term> = analyzer.spans("A \n B\u{130}".as_bytes());
        let texts: Vec<&str> = terms.iter().map(|t| t.term.as_str()).collect();
        assert_eq!(texts, ["a ", " b", "bi", "i\u{307}"]);
        assert_eq!((terms[1].start, terms[1].end), (1, 5));
    }

    fn any_treatment() -> impl Strategy<Value = Treatment> {
        prop_oneof![Just(Treatment::Split), Just(Treatment::Keep), Just(Treatment::Mask)]
    }

    fn any_wanted() -> impl Strategy<Value = Wanted> {
        let treatments = (any_treatment(), any_treatment(), any_treatment(), any_treatment());
        (any::<bool>(), any::<bool>(), treatments).prop_map(|(punctuation, numbers, treatments)| {
            let (urls, emails, mentions, hashtags) = treatments;
            Wanted { punctuation, numbers, breaks: false, urls, emails, mentions, hashtags }
        })
    }

    fn any_preparation() -> impl Strategy<Value = Preparation> {
        let words = |all: &[&str]| all.iter().map(ToString::to_string).collect::<HashSet<String>>();
        let stops = prop_oneof![Just(words(&[])), Just(words(&["a", "bb", "é"]))];
        let negators = prop_oneof![Just(words(&[])), Just(words(&["not", "b"]))];
        let stem = prop_oneof![Just(None), Just(Stemmer::new("english"))];
        (any::<bool>(), any_wanted(), stem, stops, negators).prop_map(
            |(lowercase, wanted, stemmer, stop_words, negators)| Preparation {
                lowercase,
                wanted,
                stemmer,
                stop_words,
                negators,
                remembers: false,
            },
        )
    }

    fn any_analyzer() -> impl Strategy<Value = Analyzer> {
        let unit = prop_oneof![Just(Unit::Word), Just(Unit::Char), Just(Unit::CharWb), Just(Unit::Both)];
        let form = prop_oneof![Just(Form::None), Just(Form::Nfc), Just(Form::Nfkc)];
        let ngrams = (1usize..4, 0usize..3).prop_map(|(shortest, more)| (shortest, shortest + more));
        (unit, ngrams, form, any::<bool>(), any::<bool>(), any_preparation(), any::<bool>()).prop_map(
            |(unit, ngrams, form, strip_accents, prepared, preparation, given)| {
                let plain = Preparation { lowercase: preparation.lowercase, ..Preparation::default() };
                Analyzer::new(Settings {
                    unit,
                    ngrams,
                    char_ngrams: (2, 3),
                    normalization: Normalization { form, strip_accents },
                    preparation: if prepared { preparation } else { plain },
                    hash_bits: 0,
                    value: Value::Count,
                    equal: false,
                    given: given && prepared,
                })
            },
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
                "(not|a|bb|b|é|e\u{301}|ﬁn|running|Runs|[.,!?:;)(@#/]|www\\.|http://|3|14| ){0,300}"
                    .prop_map(String::into_bytes),
                prop::collection::vec(any::<u8>(), 0..200),
            ],
        ) {
            prop_assert_eq!(counted(&analyzer, &text), spanned(&analyzer, &text));
        }

        #[test]
        fn names_do_not_matter_to_buckets(text in "([a-d]{1,3} ){0,40}", bits in 10u32..31) {
            let hashed = Analyzer::new(Settings { hash_bits: bits, ..Settings::plain(Unit::Word, 1, 2, true) });
            let named = Analyzer::plain(Unit::Word, 1, 2, true);
            let mut vocabulary = Vocabulary::default();
            let names = counted_in(&hashed, text.as_bytes(), &mut vocabulary);
            let mut expected: Vec<String> = named
                .spans(text.as_bytes())
                .iter()
                .map(|term| vocabulary.term(hashed.find(&vocabulary, &term.term)))
                .collect();
            expected.sort();
            prop_assert_eq!(names, expected);
        }

        #[test]
        fn the_number_of_n_grams_is_as_the_formula_says(text in "([a-z]{1,4} ){0,60}", n in 1usize..5) {
            let words = text.split_whitespace().count();
            let grams = Analyzer::plain(Unit::Word, n, n, true).spans(text.as_bytes());
            prop_assert_eq!(grams.len(), (words + 1).saturating_sub(n));
        }
    }
}
