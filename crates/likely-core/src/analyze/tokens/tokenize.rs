//! A text goes in; the spans of its tokens come out: words, single characters of unspaced scripts, and emoji.
//!
//! ASCII is read in blocks of 64 bytes ([`crate::analyze::characters::ascii_blocks`]). Where another script begins,
//! [`token_at`], which covers every rule, reads character by character until ASCII follows. Both look at each byte at
//! most twice, so the time is linear for any text.

use crate::analyze::characters::ascii_blocks::Classify;
use crate::analyze::characters::char_class::{Class, class_at};

/// Start and end of a token, in bytes of the original text.
pub(crate) type Span = [u32; 2];

/// How many bounds are gathered before they are handed on: few enough to stay in the first cache.
const GATHERED: usize = 512;
/// After how much text `sink` is called even if no token was found, so that it can stop.
const STRETCH: usize = 1 << 16;

/// Memory that is reused from text to text.
#[derive(Default)]
pub(crate) struct Tokens {
    /// The starts and ends of tokens, alternating.
    bounds: Vec<u32>,
    /// The text as far as it was read, with its ASCII in lower case if asked, and some bytes more.
    pub(crate) copy: Vec<u8>,
}

/// How many bytes of the copy may be read beyond the end of a token.
pub(crate) const BEYOND: usize = 16;

/// Calls `sink` with the spans of all tokens of `text`, in order, a few hundred at a time, and with a copy of the text
/// that is valid in those spans. `case` is as in [`Classify`].
///
/// `sink` returns whether to continue. The text must be shorter than 4 GiB.
#[inline]
pub(crate) fn tokenize(
    text: &[u8],
    case: u8,
    classify: Classify,
    Tokens { bounds, copy }: &mut Tokens,
    mut sink: impl FnMut(&[Span], &[u8]) -> bool,
) -> bool {
    bounds.clear();
    if copy.len() < text.len() + 64 + BEYOND {
        copy.resize(text.len() + 64 + BEYOND, 0);
    }
    let mut at = 0;
    // Whether a token is open at `at`; its start is then the last of `bounds`.
    let mut open = 0u64;
    let mut handed = 0;
    while at < text.len() {
        let padded;
        let block = match text[at..].first_chunk::<64>() {
            Some(block) => block,
            None => {
                padded = pad(&text[at..]);
                &padded
            }
        };
        let Some(block_copy) = copy[at..].first_chunk_mut::<64>() else { break };
        let masks = classify(block, case, block_copy);
        let left = (text.len() - at).min(64);
        let mut taken = left.min(masks.wide.trailing_zeros() as usize);
        // Only the next character tells what an apostrophe or the symbol of a keycap is, so it is left to the next
        // round.
        let leaves = |byte| byte == b'\'' || masks.wide != 0 && is_keycap(byte);
        if at + taken < text.len() && taken > 0 && leaves(block[taken - 1]) {
            taken -= 1;
        }
        if taken > 0 {
            let valid = u64::MAX >> (64 - taken);
            let word = masks.word & valid;
            let inner = masks.apostrophe & valid & (word << 1 | open) & (word >> 1);
            let token = word | inner;
            push_edges(bounds, at as u32, (token ^ (token << 1 | open)) & valid);
            open = token >> (taken - 1) & 1;
            at += taken;
        }
        if masks.wide != 0 {
            let from = if open == 1 { bounds.pop().map_or(at, |start| start as usize) } else { at };
            at = read_wide(text, from, bounds, copy);
            open = 0;
        }
        if bounds.len() >= GATHERED || at >= handed + STRETCH {
            handed = at;
            if !hand_on(bounds, copy, &mut sink) {
                return false;
            }
        }
    }
    if open == 1 {
        bounds.push(text.len() as u32);
    }
    hand_on(bounds, copy, &mut sink)
}

/// What separates tokens that were made elsewhere: U+DFFF as Python's `surrogatepass` writes it, which no valid text
/// contains.
pub const GIVEN: &[u8; 3] = b"\xed\xbf\xbf";

/// Like [`tokenize`], for a text that consists of tokens with [`GIVEN`] between them; it makes no copy.
pub(crate) fn split_given(text: &[u8], mut sink: impl FnMut(&[Span], &[u8]) -> bool) -> bool {
    let mut spans: Vec<Span> = Vec::new();
    let mut start = 0;
    for end in memchr::memmem::find_iter(text, GIVEN).chain([text.len()]) {
        if start < end {
            spans.push([start as u32, end as u32]);
        }
        start = end + GIVEN.len();
        if spans.len() >= GATHERED && !sink(&std::mem::take(&mut spans), &[]) {
            return false;
        }
    }
    sink(&spans, &[])
}

#[inline]
fn pad(tail: &[u8]) -> [u8; 64] {
    let mut block = [0; 64];
    block[..tail.len()].copy_from_slice(tail);
    block
}

/// Appends the positions of the set bits: starts and ends of tokens, alternating.
#[inline]
fn push_edges(bounds: &mut Vec<u32>, base: u32, mut edges: u64) {
    let count = edges.count_ones() as usize;
    let start = bounds.len();
    bounds.resize(start + count, 0);
    for bound in &mut bounds[start..] {
        *bound = base + edges.trailing_zeros();
        edges &= edges.wrapping_sub(1);
    }
}

/// Hands on the closed tokens and keeps the start of an open one.
#[inline]
fn hand_on(bounds: &mut Vec<u32>, copy: &[u8], sink: &mut impl FnMut(&[Span], &[u8]) -> bool) -> bool {
    let (spans, open) = bounds.as_chunks::<2>();
    let open = open.first().copied();
    let go_on = sink(spans, copy);
    bounds.clear();
    bounds.extend(open);
    go_on
}

/// Reads character by character from `start`, where no token is open, until ASCII follows or enough was read; returns
/// where it stopped. No token is open there either.
fn read_wide(text: &[u8], start: usize, bounds: &mut Vec<u32>, copy: &mut [u8]) -> usize {
    let mut at = start;
    loop {
        let (class, width) = class_at(text, at);
        match token_at(text, at, class, width) {
            Some(end) => {
                bounds.extend([at as u32, end as u32]);
                if !text[at..end].is_ascii() {
                    copy[at..end].copy_from_slice(&text[at..end]);
                }
                at = end;
            }
            None => at += width,
        }
        if at >= text.len() || text[at] < 0x80 || bounds.len() >= GATHERED || at >= start + STRETCH {
            return at;
        }
    }
}

/// Whether a symbol becomes an emoji if a keycap follows.
fn is_keycap(byte: u8) -> bool {
    matches!(byte, b'#' | b'*')
}

/// The end of the token that begins at `at` with a character of this class and width, if one begins there.
fn token_at(text: &[u8], at: usize, class: Class, width: usize) -> Option<usize> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::characters::ascii_blocks;
    use proptest::prelude::*;

    fn tokens_with(text: &[u8], classify: Classify) -> Vec<Span> {
        let mut spans = Vec::new();
        tokenize(text, 0x20, classify, &mut Tokens::default(), |some, copy| {
            for &[start, end] in some {
                let (token, copied) = (&text[start as usize..end as usize], &copy[start as usize..end as usize]);
                if token.is_ascii() {
                    assert_eq!(copied, token.to_ascii_lowercase());
                } else {
                    assert_eq!(copied, token);
                }
            }
            spans.extend_from_slice(some);
            true
        });
        spans
    }

    /// The rules alone, without blocks.
    fn reference(text: &[u8]) -> Vec<Span> {
        let (mut at, mut spans) = (0, Vec::new());
        while at < text.len() {
            let (class, width) = class_at(text, at);
            match token_at(text, at, class, width) {
                Some(end) => {
                    spans.push([at as u32, end as u32]);
                    at = end;
                }
                None => at += width,
            }
        }
        spans
    }

    fn words(text: &str) -> Vec<&str> {
        tokens_with(text.as_bytes(), ascii_blocks::fastest())
            .iter()
            .map(|s| &text[s[0] as usize..s[1] as usize])
            .collect()
    }

    #[test]
    fn words_of_many_scripts() {
        for (text, expected) in [
            ("Hello, world!", vec!["Hello", "world"]),
            ("I don't, 'n' dogs' a''b x", vec!["I", "don't", "n", "dogs", "a", "b", "x"]),
            ("l'été d’hiver", vec!["l'été", "d’hiver"]),
            ("snake_case 3.14 e-mail", vec!["snake", "case", "3", "14", "e", "mail"]),
            ("हिन्दी में लिखना", vec!["हिन्दी", "में", "लिखना"]),
            ("漢字と仮名 abc字", vec!["漢", "字", "と", "仮", "名", "abc", "字"]),
            ("ภาษาไทย", vec!["ภ", "า", "ษ", "า", "ไ", "ท", "ย"]),
            ("น้ำ", vec!["น้", "ำ"]),
            ("한국어 문장", vec!["한국어", "문장"]),
            ("good👍🏽day 👩‍👩‍👧 🇫🇷🇩🇪 ❤️", vec!["good", "👍🏽", "day", "👩‍👩‍👧", "🇫🇷", "🇩🇪", "❤️"]),
            ("می‌خواهم", vec!["می‌خواهم"]),
            ("র‍্যাব", vec!["র‍্যাব"]),
            ("#️⃣ a*️⃣ 1️⃣ #a *", vec!["#️⃣", "a", "*️⃣", "1️⃣", "a"]),
            ("a\u{301}b \u{301} ©", vec!["a\u{301}b"]),
            ("paral·lel צה״ל Ինչո՞ւ ｶﾞ a·", vec!["paral·lel", "צה״ל", "Ինչո՞ւ", "ｶﾞ", "a"]),
            ("Silben\u{ad}trennung \u{ad}", vec!["Silben\u{ad}trennung"]),
            ("", vec![]),
            (" \u{0}\n", vec![]),
        ] {
            assert_eq!(words(text), expected, "{text:?}");
        }
    }

    #[test]
    fn stops_when_told_to() {
        let text = "word ".repeat(5000);
        let mut calls = 0;
        let ended = tokenize(text.as_bytes(), 0, ascii_blocks::fastest(), &mut Tokens::default(), |_, _| {
            calls += 1;
            false
        });
        assert!(!ended && calls == 1);
    }

    fn mixed_text() -> impl Strategy<Value = Vec<u8>> {
        let piece = prop_oneof![
            8 => "[a-zA-Z0-9' ]{0,70}".prop_map(String::into_bytes),
            2 => "['’a-zé#*⃣漢น้\u{93f}\u{200d}👍🏽🇫❤️© ]{0,12}".prop_map(String::into_bytes),
            1 => any::<String>().prop_map(String::into_bytes),
            1 => prop::collection::vec(any::<u8>(), 0..9),
        ];
        prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn blocks_agree_with_the_rules(text in mixed_text()) {
            for (_, classify) in ascii_blocks::variants() {
                prop_assert_eq!(tokens_with(&text, classify), reference(&text));
            }
        }

        #[test]
        fn spans_cut_the_text_in_order(text in any::<String>()) {
            let mut last = 0;
            for [start, end] in tokens_with(text.as_bytes(), ascii_blocks::fastest()) {
                prop_assert!(last <= start && start < end);
                prop_assert!(text.get(start as usize..end as usize).is_some());
                last = end;
            }
        }
    }
}
