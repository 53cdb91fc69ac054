//! A character goes in, its class comes out. All cutting of text rests on this one table.

/// The part a character plays in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Class {
    /// Space, punctuation, control or symbol: it ends a token and belongs to none.
    Separator,
    /// A letter or number of a script that puts spaces between words.
    Word,
    /// A combining mark, vowel sign or variation selector, which belongs to the character before it.
    Mark,
    /// A character that is a token of its own (Han, kana, Thai and the like).
    Single,
    /// A pictograph.
    Emoji,
    /// A symbol that is a pictograph only if a variation selector follows (©, ™, arrows).
    TextEmoji,
    /// Half of a flag.
    Regional,
    /// A skin tone, which belongs to the emoji before it.
    SkinTone,
    /// A zero-width joiner or non-joiner, which stays between two word characters or two emoji.
    Joiner,
    /// A sign that stays between two word characters.
    Apostrophe,
}

include!(concat!(env!("OUT_DIR"), "/char_classes.rs"));

/// Whether a character changes in lower case.
#[inline]
pub fn changes_in_lowercase(c: char) -> bool {
    let code = c as usize;
    CAPITAL_PAGES[usize::from(CAPITAL_PAGE_OF[code >> 8])][code >> 6 & 3] >> (code & 63) & 1 == 1
}

/// The class of one character.
#[inline]
pub fn class(c: char) -> Class {
    let code = c as usize;
    PAGES[usize::from(PAGE_OF[code >> 8])][code & 0xff]
}

/// Whether the tokens around a character of this class follow from masks of a block (see
/// [`crate::analyze::characters::wide_blocks`]); the other classes need rules of more than one character.
#[inline]
pub(crate) fn is_in_masks(class: Class) -> bool {
    matches!(class, Class::Separator | Class::Word | Class::Mark | Class::Single | Class::Apostrophe)
}

/// Whether a symbol becomes an emoji if a keycap follows.
#[inline]
pub(crate) fn is_keycap(byte: u8) -> bool {
    matches!(byte, b'#' | b'*')
}

/// The character that starts at `at`, and its length in bytes. It is `None` for bytes that are not a character: one
/// stray byte, or one lone surrogate as Python's `surrogatepass` writes it.
#[inline]
pub fn decode(text: &[u8], at: usize) -> (Option<char>, usize) {
    let first = text[at];
    if first < 0x80 {
        return (Some(first as char), 1);
    }
    if first == 0xed && matches!(text.get(at + 1..at + 3), Some(&[0xa0..=0xbf, 0x80..=0xbf])) {
        // A lone surrogate is one character, although not a valid one.
        return (None, 3);
    }
    // A character is valid if all its bytes are there, if it is not written with more bytes than it needs, and if the
    // number is that of a character.
    let next = |offset: usize| match text.get(at + offset) {
        Some(&byte @ 0x80..=0xbf) => Some(u32::from(byte & 0x3f)),
        _ => None,
    };
    let found = match first {
        0xc2..=0xdf => next(1).map(|a| (u32::from(first & 0x1f) << 6 | a, 2, 0x80)),
        0xe0..=0xef => next(1).zip(next(2)).map(|(a, b)| (u32::from(first & 0x0f) << 12 | a << 6 | b, 3, 0x800)),
        0xf0..=0xf4 => next(1)
            .zip(next(2))
            .zip(next(3))
            .map(|((a, b), c)| (u32::from(first & 0x07) << 18 | a << 12 | b << 6 | c, 4, 0x1_0000)),
        _ => None,
    };
    match found {
        Some((code, width, least)) if code >= least => match char::from_u32(code) {
            Some(c) => (Some(c), width),
            None => (None, 1),
        },
        _ => (None, 1),
    }
}

/// The class and length of what starts at `at`. An invalid byte is a separator.
#[inline]
pub fn class_at(text: &[u8], at: usize) -> (Class, usize) {
    match decode(text, at) {
        (Some(c), width) => (class(c), width),
        (None, width) => (Class::Separator, width),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_its_class() {
        for (c, expected) in [
            ('a', Class::Word),
            ('7', Class::Word),
            ('_', Class::Separator),
            ('\'', Class::Apostrophe),
            ('\u{2019}', Class::Apostrophe),
            ('é', Class::Word),
            ('\u{93f}', Class::Mark),
            ('漢', Class::Single),
            ('ー', Class::Single),
            ('ไ', Class::Single),
            ('๓', Class::Word),
            ('한', Class::Word),
            ('😀', Class::Emoji),
            ('❤', Class::Emoji),
            ('©', Class::TextEmoji),
            ('\u{fe0f}', Class::Mark),
            ('\u{0}', Class::Separator),
            ('🇫', Class::Regional),
        ] {
            assert_eq!(class(c), expected, "{c:?}");
        }
    }

    #[test]
    fn capitals_are_those_of_the_standard_library() {
        for c in (0..=0x10ffff).filter_map(char::from_u32) {
            assert_eq!(changes_in_lowercase(c), !c.to_lowercase().eq([c]), "{c:?}");
        }
    }

    #[test]
    fn decode_agrees_with_the_standard_library() {
        for c in (0..=0x10ffff).filter_map(char::from_u32).step_by(7) {
            let text = c.to_string();
            assert_eq!(decode(text.as_bytes(), 0), (Some(c), text.len()));
        }
        assert_eq!(decode(b"\xed\xa0\x80", 0), (None, 3));
        for invalid in [
            &b"\xff"[..],
            b"\xc0\x80",
            b"\xed\xa0",
            b"\xe2\x82",
            b"\xf4\x90\x80\x80",
            b"\xe0\x80\x80",
            b"\xf0\x80\x80\x80",
        ] {
            assert_eq!(decode(invalid, 0), (None, 1));
        }
    }
}
