//! A word goes in, its stem comes out, by the algorithms of Snowball 3.1.1 and one rule that was added since.
//!
//! The crate `frostem` holds what Snowball's own compiler wrote from its sources of October 2026 (commit 81dd074). It
//! is pinned to one version, because saved models hold its stems. The stems are those of PyStemmer 3.1.0 and of
//! Snowball 3.1.1, word for word, except in these five cases:
//!
//! - French loses z' as it does l' and d' (z'amis). This is the rule that was added.
//! - The typographic apostrophe U+2019 is stemmed as `'`, the only one that Snowball knows: l’été is l'été.
//! - In Turkish, what lower case leaves of İ (i and U+0307) is stemmed as i; otherwise no suffix would be found.
//! - A word that would have an empty stem (Nepali छे, Dutch 's) stays as it is, because terms are never empty.
//! - A word of more than [`LONGEST`] characters stays as it is.

use frostem::{Algorithm, Stemmer as Snowball};

/// The longest word, in characters, that is stemmed. Some algorithms take time that grows with the square of the
/// length (English takes some twenty seconds for a megabyte of "yaya"), and no natural word is longer.
pub const LONGEST: usize = 100;

/// Code (ISO 639-1) and Snowball's name of each language.
const LANGUAGES: &[(&str, &str)] = &[
    ("ar", "arabic"),
    ("ca", "catalan"),
    ("cs", "czech"),
    ("da", "danish"),
    ("de", "german"),
    ("el", "greek"),
    ("en", "english"),
    ("eo", "esperanto"),
    ("es", "spanish"),
    ("et", "estonian"),
    ("eu", "basque"),
    ("fa", "persian"),
    ("fi", "finnish"),
    ("fr", "french"),
    ("ga", "irish"),
    ("hi", "hindi"),
    ("hu", "hungarian"),
    ("hy", "armenian"),
    ("id", "indonesian"),
    ("it", "italian"),
    ("lt", "lithuanian"),
    ("ne", "nepali"),
    ("nl", "dutch"),
    ("no", "norwegian"),
    ("pl", "polish"),
    ("pt", "portuguese"),
    ("ro", "romanian"),
    ("ru", "russian"),
    ("sr", "serbian"),
    ("st", "sesotho"),
    ("sv", "swedish"),
    ("ta", "tamil"),
    ("tr", "turkish"),
    ("yi", "yiddish"),
];

/// The languages that can be stemmed: code and name, sorted by code.
pub fn languages() -> &'static [(&'static str, &'static str)] {
    LANGUAGES
}

/// A stemmer for one language.
#[derive(Clone, Copy)]
pub struct Stemmer {
    algorithm: Snowball,
}

impl std::fmt::Debug for Stemmer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Stemmer").field(&self.algorithm.algorithm().name()).finish()
    }
}

impl Stemmer {
    /// The stemmer for a language, by its code or name in lower case.
    pub fn new(language: &str) -> Option<Self> {
        let (_, name) = LANGUAGES.iter().find(|(code, name)| language == *code || language == *name)?;
        Some(Self { algorithm: Snowball::try_from_name(name).ok()? })
    }

    /// Appends the stem of a word, which should be in lower case and composed (NFC). The stem is never empty unless
    /// the word is.
    pub fn stem(&self, word: &str, out: &mut String) {
        if word.len() > LONGEST && word.chars().count() > LONGEST {
            return out.push_str(word);
        }
        let plain;
        let known = if self.needs_plain(word) {
            plain = self.plain(word);
            &plain
        } else {
            word
        };
        let stem = self.algorithm.stem(known);
        out.push_str(if stem.is_empty() { word } else { &stem });
    }

    fn is_turkish(&self) -> bool {
        self.algorithm.algorithm() == Algorithm::Turkish
    }

    fn needs_plain(&self, word: &str) -> bool {
        !word.is_ascii() && (word.contains('’') || self.is_turkish() && word.contains("i\u{307}"))
    }

    /// The word in the characters that Snowball knows.
    fn plain(&self, word: &str) -> String {
        let word = word.replace('’', "'");
        if self.is_turkish() { word.replace("i\u{307}", "i") } else { word }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn stem(language: &str, word: &str) -> String {
        let mut out = String::new();
        if let Some(stemmer) = Stemmer::new(language) {
            stemmer.stem(word, &mut out);
        }
        out
    }

    #[test]
    fn every_algorithm_of_the_crate_has_a_code_and_back() {
        assert!(LANGUAGES.is_sorted());
        let mut names: Vec<_> = LANGUAGES.iter().map(|(_, name)| *name).collect();
        names.sort_unstable();
        assert_eq!(names, Algorithm::all().iter().map(|algorithm| algorithm.name()).collect::<Vec<_>>());
        for (code, name) in languages() {
            assert!(Stemmer::new(code).is_some() && Stemmer::new(name).is_some(), "{name}");
        }
        for unknown in ["", "xx", "English", "porter", " en"] {
            assert!(Stemmer::new(unknown).is_none(), "{unknown:?}");
        }
    }

    #[test]
    fn words_and_their_stems() {
        for (language, word, expected) in [
            ("english", "running", "run"),
            ("en", "dog's", "dog"),
            ("en", "don't", "don't"),
            ("de", "häuser", "haus"),
            ("fr", "l'été", "été"),
            ("fr", "z'amis", "amis"),
            ("ru", "книгами", "книг"),
            ("tr", "istanbul'da", "istanbul"),
            ("ar", "الكتاب", "كتاب"),
        ] {
            assert_eq!(stem(language, word), expected, "{language} {word}");
        }
    }

    #[test]
    fn both_apostrophes_are_one() {
        for (language, word) in
            [("en", "dog’s"), ("en", "don’t"), ("fr", "l’été"), ("it", "dell’amico"), ("nl", "foto’s")]
        {
            assert_eq!(stem(language, word), stem(language, &word.replace('’', "'")));
        }
    }

    #[test]
    fn turkish_dotted_capital_is_an_i() {
        assert_eq!(stem("tr", &"GELDİM".to_lowercase()), stem("tr", "geldim"));
        assert_eq!(stem("en", "i\u{307}"), "i\u{307}");
    }

    #[test]
    fn no_stem_is_empty() {
        for (language, word) in [("nl", "'s"), ("ne", "छे"), ("tr", "'"), ("yi", "\u{5b4}")] {
            assert_eq!(stem(language, word), word);
        }
    }

    #[test]
    fn what_is_too_long_for_a_word_stays() {
        for (code, _) in languages() {
            for piece in ["ya", "книгами", "\0", "👍🏽"] {
                let huge = piece.repeat(200_000);
                assert_eq!(stem(code, &huge), huge);
            }
        }
        let at_most = format!("{}ing", "walk".repeat(LONGEST / 4 - 1));
        assert_eq!(stem("en", &at_most), at_most.trim_end_matches("ing"));
    }

    /// Words of one script, with what no language expects among it.
    fn word() -> impl Strategy<Value = String> {
        prop_oneof![
            4 => "[a-z'’]{0,14}",
            4 => "[a-zà-öø-ÿăąćčęěğįłńňőřśşșťțůűźžı'’\u{307}]{0,14}",
            2 => "[α-ώϊ-ώ]{0,14}",
            2 => "[а-яёђ-џ'’ʼ]{0,14}",
            2 => "[ء-يً-ٰٱ-ۿ\u{200c}]{0,14}",
            1 => "[א-ת\u{5b0}-\u{5c7}װ-״]{0,14}",
            1 => "[ऀ-ॿ\u{200d}]{0,14}",
            1 => "[ஂ-௺]{0,14}",
            1 => "[ա-և]{0,14}",
            2 => "[a-zéа-яא-תا-ي漢字👍🏽\u{200d}\u{0}\u{301}'’]{0,20}",
            1 => any::<String>(),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn nothing_makes_a_stemmer_panic(word in word()) {
            for (code, _) in languages() {
                prop_assert_eq!(stem(code, &word).is_empty(), word.is_empty());
            }
        }
    }
}
