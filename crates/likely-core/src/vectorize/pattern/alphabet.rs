//! What the running Python says of each character: whether it belongs to a word, whether it is white space, and what
//! replaces it.
//!
//! Python's Unicode tables differ from version to version, so a caller that must agree with them in every character
//! brings them along. ASCII is the same everywhere and is not in the tables.

const WORD: u32 = 1;
const SPACE: u32 = 2;
/// The lowest bit of the number of a replacement, which counts from 1.
const REPLACED: u32 = 2;

/// One entry per code point.
#[derive(Clone)]
pub struct Alphabet {
    entries: Vec<u32>,
    /// Where each replacement ends in `bytes`, after a 0.
    ends: Vec<u32>,
    bytes: Vec<u8>,
}

impl Alphabet {
    const SIZE: usize = 0x11_0000;

    /// From ranges of code points that are word characters and white space, and from code points with their
    /// replacements as WTF-8.
    pub fn new<'a>(
        words: &[[u32; 2]],
        spaces: &[[u32; 2]],
        replaced: impl Iterator<Item = (u32, &'a [u8])>,
    ) -> Self {
        let mut alphabet = Self { entries: vec![0; Self::SIZE], ends: vec![0], bytes: Vec::new() };
        for (ranges, bit) in [(words, WORD), (spaces, SPACE)] {
            for &[start, end] in ranges {
                let end = (end as usize).min(Self::SIZE);
                alphabet.entries[(start as usize).min(end)..end].iter_mut().for_each(|entry| *entry |= bit);
            }
        }
        for (code, replacement) in replaced {
            if let Some(entry) = alphabet.entries.get_mut(code as usize) {
                *entry |= (alphabet.ends.len() as u32) << REPLACED;
                alphabet.bytes.extend_from_slice(replacement);
                alphabet.ends.push(alphabet.bytes.len() as u32);
            }
        }
        alphabet
    }

    #[inline]
    pub(crate) fn is_word(&self, code: u32) -> bool {
        self.entries[code as usize] & WORD != 0
    }

    #[inline]
    pub(crate) fn is_space(&self, code: u32) -> bool {
        self.entries[code as usize] & SPACE != 0
    }

    /// What replaces a character, if anything does.
    #[inline]
    pub(crate) fn replacement(&self, code: u32) -> Option<&[u8]> {
        let number = (self.entries[code as usize] >> REPLACED) as usize;
        (number > 0).then(|| &self.bytes[self.ends[number - 1] as usize..self.ends[number] as usize])
    }
}

/// The code point that starts at `at`, and its length in bytes. The text must be WTF-8, which is UTF-8 that may have
/// lone surrogates; other bytes become some code point.
#[inline]
pub(crate) fn code_at(text: &[u8], at: usize) -> (u32, usize) {
    let low = |offset: usize| u32::from(text.get(at + offset).copied().unwrap_or(0) & 0x3f);
    let first = u32::from(text[at]);
    match first {
        0..0x80 => (first, 1),
        0x80..0xe0 => ((first & 0x1f) << 6 | low(1), 2.min(text.len() - at)),
        0xe0..0xf0 => ((first & 0x0f) << 12 | low(1) << 6 | low(2), 3.min(text.len() - at)),
        _ => {
            let code = (first & 0x07) << 18 | low(1) << 12 | low(2) << 6 | low(3);
            (code.min(0x10_ffff), 4.min(text.len() - at))
        }
    }
}

/// Whether a text has a capital sigma, whose lower case depends on its neighbours.
pub fn has_capital_sigma(text: &[u8]) -> bool {
    !text.is_ascii() && memchr::memmem::find(text, "Σ".as_bytes()).is_some()
}

/// Whether a byte of ASCII is white space for Python.
#[inline]
pub(crate) fn is_ascii_space(byte: u8) -> bool {
    matches!(byte, b' ' | 9..=13 | 28..=31)
}

/// Whether a byte is the first of a character.
#[inline]
pub(crate) fn is_start(byte: u8) -> bool {
    byte & 0xc0 != 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_what_it_was_told() {
        let replaced = [(0xc9, "é".as_bytes()), (0x301, &b""[..])];
        let alphabet = Alphabet::new(&[[0xc0, 0x100]], &[[0xa0, 0xa1]], replaced.into_iter());
        assert!(alphabet.is_word(0xff) && !alphabet.is_word(0x100));
        assert!(alphabet.is_space(0xa0) && !alphabet.is_space(0x10_ffff));
        assert_eq!(alphabet.replacement(0xc9), Some("é".as_bytes()));
        assert_eq!(alphabet.replacement(0x301), Some(&b""[..]));
        assert_eq!(alphabet.replacement(0xe9), None);
    }

    #[test]
    fn code_points_are_those_of_the_standard_library() {
        for c in (0..=0x10ffff).filter_map(char::from_u32).step_by(5) {
            let text = c.to_string();
            assert_eq!(code_at(text.as_bytes(), 0), (c as u32, text.len()));
        }
        assert_eq!(code_at(b"\xed\xa0\x80", 0), (0xd800, 3));
        for start in 0x80..=0xffu8 {
            assert!(code_at(&[start], 0).1 == 1 && code_at(&[start, 0xff, 0xff, 0xff], 0).0 < 0x11_0000);
        }
    }
}
