//! Placeholder until the real one comes.
/// A stemmer.
#[derive(Clone, Debug)]
pub struct Stemmer;
impl Stemmer {
    /// For a language.
    pub fn new(_: &str) -> Option<Self> {
        Some(Self)
    }
    /// The stem.
    pub fn stem(&self, word: &str, out: &mut String) {
        out.push_str(word.strip_suffix("ing").unwrap_or(word));
    }
}
