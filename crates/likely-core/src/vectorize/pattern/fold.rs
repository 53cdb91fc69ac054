//! A text goes in; the text as its terms are spelled comes out, in lower case and without accents if asked, with the
//! places of its words.

use crate::analyze::characters::ascii_blocks::{Classify, block_at};
use crate::analyze::characters::bit_places::push_places;
use crate::analyze::tokens::tokenize::Span;
use crate::vectorize::pattern::alphabet::{Alphabet, code_at, is_start};

/// How many bytes may be read beyond the end of the folded text.
pub(crate) const BEYOND: usize = 64;

/// A folded text. Its memory is reused from text to text.
#[derive(Default)]
pub(crate) struct Folded {
    bytes: Vec<u8>,
    length: usize,
    /// One bit per byte: whether the byte belongs to a word character.
    words: Vec<u64>,
    /// Whether some of the text is not ASCII.
    pub(crate) wide: bool,
}

impl Folded {
    /// The text; [`BEYOND`] more bytes may be read from the second slice.
    pub(crate) fn text(&self) -> (&[u8], &[u8]) {
        (&self.bytes[..self.length], &self.bytes)
    }

    /// Folds `text`. For ASCII only `case` matters, which is as in [`Classify`]; other characters are looked up in
    /// `alphabet`.
    pub(crate) fn fold(&mut self, text: &[u8], case: u8, classify: Classify, alphabet: Option<&Alphabet>) {
        let (mut at, mut padded) = (self.fold_ascii(text, case, classify), [0; 64]);
        while at < text.len() {
            self.make_room(64);
            let block = block_at(text, at, &mut padded);
            let Some(copy) = self.bytes[self.length..].first_chunk_mut::<64>() else { break };
            let masks = classify(block, case, copy);
            let taken = (text.len() - at).min(masks.wide.trailing_zeros() as usize);
            if taken > 0 {
                self.mark((masks.word | masks.underscore) & (u64::MAX >> (64 - taken)));
                self.length += taken;
                at += taken;
            }
            if masks.wide != 0 {
                self.wide = true;
                at = self.fold_wide(text, at, case, alphabet);
            }
        }
        self.make_room(0);
    }

    /// Begins anew with whole blocks of ASCII, in which there is nothing to decide; returns where they end.
    #[inline]
    fn fold_ascii(&mut self, text: &[u8], case: u8, classify: Classify) -> usize {
        (self.length, self.wide) = (0, false);
        self.make_room(text.len());
        self.words.clear();
        for (block, copy) in text.as_chunks::<64>().0.iter().zip(self.bytes.as_chunks_mut::<64>().0) {
            let masks = classify(block, case, copy);
            if masks.wide != 0 {
                break;
            }
            self.words.push(masks.word | masks.underscore);
        }
        self.length = 64 * self.words.len();
        self.length
    }

    /// Folds character by character until eight bytes of ASCII follow; returns where.
    fn fold_wide(&mut self, text: &[u8], mut at: usize, case: u8, alphabet: Option<&Alphabet>) -> usize {
        const WIDE: u64 = 0x8080_8080_8080_8080;
        while at < text.len() {
            if text[at..].first_chunk::<8>().is_some_and(|next| u64::from_le_bytes(*next) & WIDE == 0) {
                break;
            }
            let (code, width) = code_at(text, at);
            let character = &text[at..at + width];
            match alphabet {
                _ if code < 0x80 => self.push_ascii(code as u8, case),
                Some(alphabet) => match alphabet.replacement(code) {
                    None => self.push(character, alphabet.is_word(code)),
                    Some(replacement) => self.push_all(replacement, alphabet),
                },
                None => self.push(character, false),
            }
            at += width;
        }
        at
    }

    fn push_all(&mut self, replacement: &[u8], alphabet: &Alphabet) {
        let mut at = 0;
        while at < replacement.len() {
            let (code, width) = code_at(replacement, at);
            match code {
                0..0x80 => self.push_ascii(code as u8, 0),
                _ => self.push(&replacement[at..at + width], alphabet.is_word(code)),
            }
            at += width;
        }
    }

    fn push_ascii(&mut self, byte: u8, case: u8) {
        let folded = if byte.is_ascii_uppercase() { byte | case } else { byte };
        self.push(&[folded], byte.is_ascii_alphanumeric() || byte == b'_');
    }

    #[inline]
    fn push(&mut self, character: &[u8], is_word: bool) {
        self.make_room(character.len());
        self.bytes[self.length..self.length + character.len()].copy_from_slice(character);
        if is_word {
            self.mark((1 << character.len()) - 1);
        } else {
            self.mark(0);
        }
        self.length += character.len();
    }

    #[inline]
    fn make_room(&mut self, more: usize) {
        if self.bytes.len() < self.length + more + BEYOND {
            self.bytes.resize((self.length + more + BEYOND).next_power_of_two(), 0);
        }
    }

    /// Notes which of the bytes from the end on belong to word characters.
    #[inline]
    fn mark(&mut self, bits: u64) {
        let (word, shift) = (self.length / 64, self.length % 64);
        if self.words.len() < word + 2 {
            self.words.resize(word + 2, 0);
        }
        self.words[word] |= bits << shift;
        // The shift is made in two steps, because a shift by 64 would be none.
        self.words[word + 1] |= bits >> 1 >> (63 - shift);
    }

    /// The longest runs of at least `least` word characters. `bounds` is memory for them.
    #[inline]
    pub(crate) fn words<'a>(&self, least: usize, bounds: &'a mut Vec<u32>) -> &'a [Span] {
        bounds.clear();
        // A run of a single byte is a single character and is too short. If the text is ASCII and two characters are
        // enough, nothing else must be checked.
        let drop_single = if least > 1 { u64::MAX } else { 0 };
        let mut open = 0;
        for (at, &word) in self.words.iter().enumerate() {
            let next = self.words.get(at + 1).map_or(0, |next| next << 63);
            let single = word & !(word << 1 | open) & !(word >> 1 | next);
            let word = word & !(single & drop_single);
            push_places(bounds, 64 * at as u32, word ^ (word << 1 | open));
            open = word >> 63;
        }
        if bounds.len() % 2 == 1 {
            // A run at the very end has no end edge.
            bounds.push(self.length as u32);
        }
        let (runs, _) = bounds.as_chunks_mut();
        let all = runs.len();
        let kept = if least > 2 || self.wide && least > 1 { self.keep_long(least, runs) } else { all };
        &runs[..kept]
    }

    /// Moves the runs of at least `least` characters to the front; returns their number.
    fn keep_long(&self, least: usize, runs: &mut [Span]) -> usize {
        let mut kept = 0;
        for at in 0..runs.len() {
            let [start, end] = runs[at];
            // The run is written in any case, so that there is no branch.
            runs[kept] = [start, end];
            let characters = if self.wide { self.characters(start, end) } else { (end - start) as usize };
            kept += usize::from(characters >= least);
        }
        kept
    }

    fn characters(&self, start: u32, end: u32) -> usize {
        self.bytes[start as usize..end as usize].iter().filter(|&&byte| is_start(byte)).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::characters::ascii_blocks;
    use proptest::prelude::*;

    fn alphabet() -> &'static Alphabet {
        static ALPHABET: std::sync::OnceLock<Alphabet> = std::sync::OnceLock::new();
        ALPHABET.get_or_init(letters_and_lower_case)
    }

    fn letters_and_lower_case() -> Alphabet {
        let codes: Vec<char> = (0x80..0x11_0000).filter_map(char::from_u32).collect();
        let words: Vec<[u32; 2]> =
            codes.iter().filter(|c| c.is_alphanumeric()).map(|&c| [c as u32, c as u32 + 1]).collect();
        let lower: Vec<(u32, String)> = codes
            .iter()
            .filter(|c| !c.to_lowercase().eq([**c]))
            .map(|&c| (c as u32, c.to_lowercase().collect()))
            .collect();
        Alphabet::new(&words, &[], lower.iter().map(|(code, text)| (*code, text.as_bytes())))
    }

    /// Character by character, without blocks.
    fn reference(text: &str) -> (String, Vec<String>) {
        let lower: String = text.chars().flat_map(char::to_lowercase).collect();
        let words = lower.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        let words = words.filter(|word| !word.is_empty()).map(str::to_owned).collect();
        (lower, words)
    }

    proptest! {
        #[test]
        fn blocks_agree_with_characters(
            texts in prop::collection::vec("([a-zA-Z_0-9 ']{0,70}|[éÉİΑßж漢 \u{301}]{0,9}|\\PC{0,9}){0,9}", 1..4),
        ) {
            let (alphabet, mut folded, mut spans) = (alphabet(), Folded::default(), Vec::new());
            for text in texts {
                folded.fold(text.as_bytes(), 0x20, ascii_blocks::fastest(), Some(alphabet));
                let spans = folded.words(1, &mut spans);
                let (bytes, beyond) = folded.text();
                let words: Vec<String> = spans
                    .iter()
                    .map(|&[start, end]| String::from_utf8_lossy(&bytes[start as usize..end as usize]).into_owned())
                    .collect();
                prop_assert!(beyond.len() >= bytes.len() + BEYOND);
                prop_assert_eq!((String::from_utf8_lossy(bytes).into_owned(), words), reference(&text));
                prop_assert_eq!(folded.wide, !text.is_ascii());
            }
        }
    }
}
