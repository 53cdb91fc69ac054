//! Analyze: a text goes in, its terms come out.
//!
//! [`analyzer::Analyzer`] takes a text through these steps; [`settings::Settings`] says which of them do something.
//!
//! 1. [`normalize`]: the text is brought to a normal form of Unicode, with or without its accents.
//! 2. [`tokens`]: the text is cut into words, and where the settings ask for it into punctuation, numbers, URLs, email
//!    addresses, mentions and hashtags.
//! 3. [`words`]: each word becomes lower case, is masked, dropped as a stop word, stemmed or negated.
//! 4. [`terms`]: words and their n-grams, and n-grams of characters, become the ids of terms.
//!
//! Counting and scoring go through the ids only; [`frequencies`] says how often each occurs in a document. [`spans`]
//! is the slow way to the same terms, for people: it also gives the place of each term and what was done to it.
//! [`characters`] holds what is known of single characters.

pub mod analyzer;
pub mod characters;
pub(crate) mod frequencies;
pub mod normalize;
pub mod settings;
pub mod spans;
pub(crate) mod terms;
pub mod tokens;
pub mod words;
