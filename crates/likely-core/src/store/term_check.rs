//! Whether terms can be those of a model: valid UTF-8, and not empty or with too many words.

use crate::store::refused::Result;
use crate::vocabulary::term_ids::JOINT;

const EMPTY: &str = "a term is empty";

/// Checks one term after the other. What a term begins with like the one before it is not checked again.
#[derive(Default)]
pub(super) struct TermCheck {
    /// The places of the separators in the last term.
    joints: Vec<usize>,
}

impl TermCheck {
    /// Checks a term that begins with `shared` bytes like the `last` one, which was sound, and goes on differently. It may
    /// have `most_words` words, or be of any characters if that is 0.
    #[inline]
    pub(super) fn check(&mut self, term: &[u8], (last, shared): (&[u8], usize), most_words: usize) -> Result<()> {
        std::str::from_utf8(&term[char_start(last, shared)..]).map_err(|_| "a term is not valid UTF-8")?;
        if term.is_empty() {
            return Err(EMPTY.into());
        }
        if most_words == 0 {
            return Ok(());
        }
        while self.joints.pop_if(|joint| *joint >= shared).is_some() {}
        for at in (shared..term.len()).filter(|&at| term[at] == JOINT) {
            // There is no word before it, or none after it.
            if self.joints.last().map_or(0, |before| before + 1) == at || at + 1 == term.len() {
                return Err(EMPTY.into());
            }
            self.joints.push(at);
        }
        if self.joints.len() < most_words { Ok(()) } else { Err("a term has too many words".into()) }
    }
}

/// Where the character starts that has the byte at a place of a text, or that would follow the text.
fn char_start(text: &[u8], at: usize) -> usize {
    (0..=at).rev().find(|&at| text.get(at).is_none_or(|byte| byte & 0xc0 != 0x80)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::sorted_terms::shared_bytes;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_check_of_the_end_finds_what_a_check_of_all_finds(
            mut terms in proptest::collection::vec("[aé漢 ]{0,6}", 1..20),
            cut in any::<proptest::sample::Index>(),
            most_words in 0usize..4,
        ) {
            terms.sort();
            terms.dedup();
            let mut terms: Vec<Vec<u8>> = terms.into_iter().map(String::into_bytes).collect();
            let at = cut.index(terms.len());
            terms[at].pop();
            let (mut check, mut last) = (TermCheck::default(), &[][..]);
            for term in &terms {
                let shared = shared_bytes(last, term);
                let found = check.check(term, (last, shared), most_words);
                prop_assert_eq!(&found, &TermCheck::default().check(term, (&[], 0), most_words));
                let text = std::str::from_utf8(term);
                let words: Vec<&str> = text.map_or_else(|_| Vec::new(), |text| text.split(' ').collect());
                let expected = match () {
                    () if text.is_err() => Err("a term is not valid UTF-8".into()),
                    () if term.is_empty() => Err("a term is empty".into()),
                    () if most_words > 0 && words.contains(&"") => Err("a term is empty".into()),
                    () if most_words > 0 && words.len() > most_words => Err("a term has too many words".into()),
                    () => Ok(()),
                };
                prop_assert_eq!(&found, &expected);
                // What follows a term that is not sound is never checked.
                if found.is_err() || shared == term.len() {
                    break;
                }
                last = term;
            }
        }
    }
}
