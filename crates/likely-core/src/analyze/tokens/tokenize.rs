//! A text goes in; the spans of its tokens come out: words, single characters of unspaced scripts, and emoji.
//!
//! A text is read in blocks of 64 bytes, whose characters become masks
//! ([`crate::analyze::characters::ascii_blocks`], [`crate::analyze::characters::wide_blocks`]) and whose tokens follow
//! from the masks ([`crate::analyze::tokens::block_tokens`]). Where emoji or joiners stand,
//! [`crate::analyze::tokens::rules`] are followed character by character. Both look at each byte a few times at most, so the time is linear for any
//! text.

use crate::analyze::characters::ascii_blocks::{Classify, Masks, block_at};
use crate::analyze::characters::bit_places::push_places;
use crate::analyze::characters::char_class::is_keycap;
use crate::analyze::tokens::block_tokens::Open;
use crate::analyze::tokens::wide_block::read_wide_block;

/// Start and end of a token, in bytes of the original text.
pub(crate) type Span = [u32; 2];

/// How many bounds are gathered before they are handed on: few enough to stay in the first cache.
pub(super) const GATHERED: usize = 512;
/// After how much text `sink` is called even if no token was found, so that it can stop.
pub(super) const STRETCH: usize = 1 << 16;

/// Memory that is reused from text to text.
#[derive(Default)]
pub(crate) struct Tokens {
    /// The starts and ends of tokens, alternating.
    bounds: Vec<u32>,
    /// The text as far as it was read, in lower case if asked, and some bytes more.
    pub(crate) copy: Vec<u8>,
}

/// How many bytes of the copy may be read beyond the end of a token.
pub(crate) const BEYOND: usize = 16;

/// The first byte, in the copy, of a token that must be read from the text, because its lower case has another length,
/// or because some of its characters are not counted. No text contains this byte in a token.
pub(crate) const ONLY_IN_TEXT: u8 = 0xff;

/// Calls `sink` with the spans of all tokens of `text`, in order, a few hundred at a time, and with a copy of the text
/// that is valid in those spans, except for tokens that begin with [`ONLY_IN_TEXT`]. `case` is as in [`Classify`].
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
    let (mut at, mut padded) = (0, [0; 64]);
    // The token that is open at `at`; its start is then the last of `bounds`.
    let mut open = Open::default();
    let mut handed = 0;
    while at < text.len() {
        let block = block_at(text, at, &mut padded);
        let Some(block_copy) = copy[at..].first_chunk_mut::<64>() else { break };
        let masks = classify(block, case, block_copy);
        if masks.wide == 0 && open.single == 0 {
            let taken = taken_of(text, at, 64, masks.apostrophe);
            let edges = ascii_edges(&masks, taken, &mut open.word);
            push_places(bounds, at as u32, edges);
            at += taken;
        } else {
            at = read_wide_block(text, at, &masks, case != 0, &mut open, bounds, copy);
        }
        if bounds.len() >= GATHERED || at >= handed + STRETCH {
            handed = at;
            if !hand_on(bounds, copy, &mut sink) {
                return false;
            }
        }
    }
    if open != Open::default() {
        bounds.push(text.len() as u32);
    }
    hand_on(bounds, copy, &mut sink)
}

/// How many bytes of a block are read now: at most `end`. Only the next character tells what an apostrophe is, whose
/// last bytes are given as bits, or the symbol of a keycap; it is left to the next block.
#[inline]
pub(super) fn taken_of(text: &[u8], at: usize, end: usize, apostrophes: u64) -> usize {
    let taken = end.min(text.len() - at);
    let Some(&next) = text.get(at + taken) else { return taken };
    let keycap = next >= 0x80 && is_keycap(text[at + taken - 1]);
    taken - usize::from(keycap || apostrophes >> (taken - 1) & 1 == 1)
}

/// The starts and ends of the tokens in the first `taken` bytes of a block of ASCII, and whether one is open then.
#[inline]
fn ascii_edges(masks: &Masks, taken: usize, open: &mut u64) -> u64 {
    let valid = u64::MAX >> (64 - taken);
    let word = masks.word & valid;
    let inner = masks.apostrophe & (word << 1 | *open) & (word >> 1);
    let token = word | inner;
    let edges = (token ^ (token << 1 | *open)) & valid;
    *open = token >> (taken - 1) & 1;
    edges
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::characters::ascii_blocks;
    use crate::analyze::characters::char_class::class_at;
    use crate::analyze::characters::lowercase::lowercase_into;
    use crate::analyze::tokens::rules::token_at;
    use proptest::prelude::*;

    fn tokens_with(text: &[u8], classify: Classify) -> Vec<Span> {
        let mut spans = Vec::new();
        tokenize(text, 0x20, classify, &mut Tokens::default(), |some, copy| {
            for &[start, end] in some {
                let (token, copied) = (&text[start as usize..end as usize], &copy[start as usize..end as usize]);
                let mut lower = String::new();
                lowercase_into(std::str::from_utf8(token).expect("a token consists of characters"), &mut lower);
                assert!(copied == lower.as_bytes() || copied[0] == ONLY_IN_TEXT, "{lower}");
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

    fn assert_as_rules(text: &[u8]) {
        assert_eq!(
            tokens_with(text, ascii_blocks::fastest()),
            reference(text),
            "{}",
            String::from_utf8_lossy(text)
        );
    }

    #[test]
    fn every_character_is_read_in_blocks_as_by_the_rules() {
        for c in (0..=0x10ffff).filter_map(char::from_u32) {
            let before = "é ".repeat(c as usize % 24);
            assert_as_rules(format!("{before}a{c}b'{c} {c}{c}漢{c}\u{301}{c}’{c}#{c}").as_bytes());
        }
    }

    #[test]
    fn characters_may_be_cut_off_anywhere() {
        let characters = ["é", "Σ", "’", "'", "漢", "น้", "\u{301}", "𐐀", "😀", "*\u{fe0f}\u{20e3}", "\u{ad}", "#"];
        for (first, second) in characters.iter().flat_map(|a| characters.map(|b| (*a, b))) {
            for offset in 54..66 {
                let whole = [first, second].concat();
                for cut in 0..=whole.len() {
                    let start = [b"a".repeat(offset), whole.as_bytes()[..cut].to_vec()].concat();
                    assert_as_rules(&start);
                    assert_as_rules(&[&start, &whole.as_bytes()[whole.len() - 1..], b"b c"].concat());
                }
            }
        }
    }

    #[test]
    fn words_beyond_ascii_are_in_the_copy_in_lower_case() {
        let text = "École ÀÇÉ Привет ЁЖ Ελλάδα 漢字 Ảnh हिन्दी 𐐀 İZMİR ΑΣ Ⱥ ﬁ";
        let mut copied = Vec::new();
        tokenize(text.as_bytes(), 0x20, ascii_blocks::fastest(), &mut Tokens::default(), |spans, copy| {
            let token = |&[start, end]: &Span| String::from_utf8_lossy(&copy[start as usize..end as usize]).into();
            copied.extend(spans.iter().map(token));
            true
        });
        let in_text = |word: &String| word.starts_with(char::REPLACEMENT_CHARACTER);
        assert_eq!(copied.iter().filter(|word| in_text(word)).count(), 3, "{copied:?}");
        copied.retain(|word: &String| !in_text(word));
        assert_eq!(copied.join(" "), "école àçé привет ёж ελλάδα 漢 字 ảnh हिन्दी 𐐨 ﬁ");
    }

    fn mixed_text() -> impl Strategy<Value = Vec<u8>> {
        let piece = prop_oneof![
            8 => "[a-zA-Z0-9' ]{0,70}".prop_map(String::into_bytes),
            2 => "['’a-zé#*⃣漢น้\u{93f}\u{200d}👍🏽🇫❤️© ]{0,12}".prop_map(String::into_bytes),
            2 => "[Ёжа-яА-Я]{1,12}[ ,.]".prop_map(String::into_bytes),
            2 => "[漢字，。あน้ำกΣσΑİȺꙈẞK𐐀𝐀\u{301}\u{5bf}\u{200c}\u{ad}·״™️ ]{0,30}".prop_map(String::into_bytes),
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
