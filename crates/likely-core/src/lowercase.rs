//! Unicode lower-casing, character by character, with the Greek final sigma.

/// Appends `word` in lower case.
pub(crate) fn lowercase_into(word: &str, out: &mut String) {
    let mut before = false;
    let mut rest = word.chars();
    while let Some(c) = rest.next() {
        let after = rest.clone().next().is_some_and(char::is_alphabetic);
        lowercase_char(c, before, after, |lower| out.push(lower));
        before = c.is_alphabetic();
    }
}

/// Calls `push` with the lower case of `c`, given whether letters stand before and after it.
#[inline]
pub(crate) fn lowercase_char(c: char, before: bool, after: bool, push: impl FnMut(char)) {
    if c == 'Σ' && before && !after {
        return std::iter::once('ς').for_each(push);
    }
    c.to_lowercase().for_each(push);
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
