//! The rules of tokens, character by character: a place in a text goes in; where the token that begins there ends comes
//! out.
//!
//! Every text could be cut by these rules alone; blocks ([`crate::analyze::tokens::block_tokens`]) are faster.

use crate::analyze::characters::char_class::{Class, class_at, is_keycap};

/// The end of the token that begins at `at` with a character of this class and width, if one begins there.
pub(super) fn token_at(text: &[u8], at: usize, class: Class, width: usize) -> Option<usize> {
    let end = at + width;
    match class {
        Class::Word => Some(end_of_word(text, end)),
        Class::Single => Some(end_of_marks(text, end)),
        Class::Emoji | Class::SkinTone => Some(end_of_emoji(text, end)),
        Class::TextEmoji if text[end..].starts_with("\u{fe0f}".as_bytes()) => Some(end_of_emoji(text, end)),
        Class::Regional => Some(match class_after(text, end) {
            (Class::Regional, width) => end + width,
            _ => end,
        }),
        Class::Separator if is_keycap(text[at]) && text[end..].starts_with("\u{fe0f}\u{20e3}".as_bytes()) => {
            Some(end_of_marks(text, end))
        }
        Class::Separator | Class::Mark | Class::TextEmoji | Class::Joiner | Class::Apostrophe => None,
    }
}

fn class_after(text: &[u8], at: usize) -> (Class, usize) {
    if at < text.len() { class_at(text, at) } else { (Class::Separator, 0) }
}

fn end_of_word(text: &[u8], mut at: usize) -> usize {
    loop {
        let (class, width) = class_after(text, at);
        match class {
            Class::Word | Class::Mark => at += width,
            Class::Apostrophe if class_after(text, at + width).0 == Class::Word => at += width,
            // Bengali and Kannada write a joiner before a vowel killer.
            Class::Joiner if matches!(class_after(text, at + width).0, Class::Word | Class::Mark) => at += width,
            _ => return at,
        }
    }
}

fn end_of_marks(text: &[u8], mut at: usize) -> usize {
    while let (Class::Mark, width) = class_after(text, at) {
        at += width;
    }
    at
}

fn end_of_emoji(text: &[u8], mut at: usize) -> usize {
    loop {
        let (class, width) = class_after(text, at);
        match class {
            Class::Mark | Class::SkinTone => at += width,
            Class::Joiner => match class_after(text, at + width) {
                (Class::Emoji | Class::TextEmoji, next) => at += width + next,
                _ => return at,
            },
            _ => return at,
        }
    }
}
