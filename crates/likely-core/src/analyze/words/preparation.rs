//! A word goes in; what it is counted as comes out: in lower case, masked, stemmed or negated, or nothing for a stop
//! word.

use crate::analyze::characters::char_class::{Class, changes_in_lowercase, class};
use crate::analyze::characters::lowercase::lowercase_into;
use crate::analyze::tokens::punctuation::shape_of_number;
use crate::analyze::tokens::wanted::{PieceKind, Treatment, Wanted};
use crate::analyze::words::stem::Stemmer;
use std::collections::HashSet;

/// The prefix of a word that is negated.
pub const NEGATED: &str = "NOT_";

/// What is done to the pieces of a text.
#[derive(Clone, Debug, Default)]
pub struct Preparation {
    /// Whether words become lower case.
    pub lowercase: bool,
    /// Which pieces become tokens besides words.
    pub wanted: Wanted,
    /// The stemmer, if words are stemmed.
    pub stemmer: Option<Stemmer>,
    /// The words that are dropped, as they are counted, with a straight apostrophe.
    pub stop_words: HashSet<String>,
    /// The words that negate the words after them, in lower case with a straight apostrophe.
    pub negators: HashSet<String>,
    /// Whether each distinct word is looked up only once.
    pub remembers: bool,
}

/// Characters that may stand in a word and do not belong to it: the soft hyphen and the word joiner.
const UNSEEN: [char; 2] = ['\u{ad}', '\u{2060}'];

/// What was done to a word: one bit per step.
pub mod steps {
    /// The text was brought to its normal form.
    pub const NORMALIZED: u8 = 1;
    /// The word was put in lower case.
    pub const LOWERED: u8 = 2;
    /// The word was replaced by the mask of its kind.
    pub const MASKED: u8 = 4;
    /// The word was dropped as a stop word.
    pub const STOPPED: u8 = 8;
    /// The word was stemmed.
    pub const STEMMED: u8 = 16;
    /// The word was negated.
    pub const NEGATED: u8 = 32;

    /// The names of all steps for people, in the order in which they are told.
    pub const NAMES: [(u8, &str); 6] = [
        (NORMALIZED, "normalised"),
        (LOWERED, "lower-cased"),
        (MASKED, "masked"),
        (STEMMED, "stemmed"),
        (NEGATED, "negated"),
        (STOPPED, "stop word"),
    ];
}

impl Preparation {
    /// Whether a word must be prepared as a whole before it is counted.
    pub(crate) fn is_needed(&self) -> bool {
        self.remembers || self.stemmer.is_some() || !self.stop_words.is_empty() || !self.negators.is_empty()
    }

    /// Appends a piece as it is before stop words and stemming: in lower case, or masked.
    pub(crate) fn surface(&self, kind: PieceKind, bytes: &[u8], out: &mut String) {
        let text = String::from_utf8_lossy(bytes);
        let mask = match (kind, self.wanted.treatment(kind)) {
            (PieceKind::Number, _) => {
                out.push_str("<number:");
                shape_of_number(&text, out);
                return out.push('>');
            }
            (PieceKind::Url, Treatment::Mask) => "<url>",
            (PieceKind::Email, Treatment::Mask) => "<email>",
            (PieceKind::Mention, Treatment::Mask) => "<mention>",
            (PieceKind::Hashtag, Treatment::Mask) => "<hashtag>",
            _ => return self.word(&text, out),
        };
        out.push_str(mask);
    }

    /// Appends a word without soft hyphens, in lower case if the settings ask for it.
    fn word(&self, word: &str, out: &mut String) {
        let whole: String;
        let mut word = word;
        if word.contains(UNSEEN) {
            whole = word.replace(UNSEEN, "");
            // Only the user's own tokenizer can make a token of nothing but such characters; it stays as it is.
            word = if whole.is_empty() { word } else { &whole };
        }
        if self.lowercase && word.chars().any(changes_in_lowercase) {
            lowercase_into(word, out);
        } else {
            out.push_str(word);
        }
    }

    /// Appends what a word (after [`Preparation::surface`]) is counted as; returns false for a stop word.
    pub(crate) fn counted(&self, surface: &str, out: &mut String) -> bool {
        let start = out.len();
        match &self.stemmer {
            Some(stemmer) if is_word(surface) => stemmer.stem(surface, out),
            _ => out.push_str(surface),
        }
        if out.len() == start {
            // An empty stem cannot be a term.
            out.push_str(surface);
        }
        !self.is_stop_word(&out[start..])
    }

    fn is_stop_word(&self, counted: &str) -> bool {
        if self.stop_words.is_empty() || !counted.contains('\u{2019}') {
            return self.stop_words.contains(counted);
        }
        self.stop_words.contains(&straight(counted))
    }

    /// Whether a word (after [`Preparation::surface`]) negates the words after it.
    pub(crate) fn is_negator(&self, surface: &str) -> bool {
        if self.negators.is_empty() {
            return false;
        }
        if self.lowercase && !surface.contains('\u{2019}') {
            return self.negators.contains(surface);
        }
        self.negators.contains(&negator(surface))
    }
}

/// A word with a straight apostrophe.
pub(crate) fn straight(word: &str) -> String {
    word.replace('\u{2019}', "'")
}

/// A negator in the form in which it is compared: in lower case with a straight apostrophe.
pub(crate) fn negator(word: &str) -> String {
    let mut lower = String::new();
    lowercase_into(&straight(word), &mut lower);
    lower
}

/// Whether a piece is a word that can be stemmed and negated, and not punctuation, an emoji or a mask.
pub(crate) fn is_word(surface: &str) -> bool {
    surface.chars().next().is_some_and(|c| matches!(class(c), Class::Word | Class::Single))
        && !surface.contains(['/', '@', '.'])
}
