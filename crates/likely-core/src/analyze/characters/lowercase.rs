//! Lower case by the rules of Unicode, one character at a time, with the Greek final sigma.

use crate::analyze::characters::char_class::changes_in_lowercase;

/// Appends `word` in lower case.
pub(crate) fn lowercase_into(word: &str, out: &mut String) {
    let mut before = None;
    let mut rest = word.chars();
    while let Some(c) = rest.next() {
        lowercase_char(c, before, || rest.clone().next(), |lower| out.push(lower));
        before = Some(c);
    }
}

/// Calls `push` with the lower case of `c`, given the characters before and after it.
#[inline]
pub(crate) fn lowercase_char(
    c: char,
    before: Option<char>,
    after: impl FnOnce() -> Option<char>,
    push: impl FnMut(char),
) {
    let is_letter = |c: Option<char>| c.is_some_and(char::is_alphabetic);
    if c == 'Σ' && is_letter(before) && !is_letter(after()) {
        return std::iter::once('ς').for_each(push);
    }
    if changes_in_lowercase(c) {
        return c.to_lowercase().for_each(push);
    }
    std::iter::once(c).for_each(push);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_standard_library_on_words() {
        for word in ["HELLO", "ΣΊΣΥΦΟΣ", "Σ", "ÉCOLE", "İSTANBUL", "STRASSE", "ǅ", "Ⅷ", "ꙈЖ"] {
            let mut lower = String::new();
            lowercase_into(word, &mut lower);
            assert_eq!(lower, word.to_lowercase());
        }
    }
}
