//! A text goes in; the text in a normal form of Unicode comes out, with or without accents.
//!
//! ASCII is already in normal form. Other text is cut where nothing combines across the cut (UAX #15, section 9), and
//! each segment is normalized alone, so that every place in the result is known in the original text.

use crate::analyze::analyzer::STRETCH;
use crate::analyze::characters::char_class::decode;
use unicode_normalization::char::{canonical_combining_class, decompose_compatible};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick, is_nfkc_quick};

/// The normal form that a text is brought to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// The text stays as it is.
    #[default]
    None,
    /// A letter and its accents become one character where there is one.
    Nfc,
    /// In addition, ligatures, full-width letters, circled digits and the like become plain characters.
    Nfkc,
}

/// The number of bytes that one byte can become at most (U+FDFA in NFKC).
pub(crate) const GROWTH: usize = 11;

/// What is done to a text before it is cut.
#[derive(Clone, Copy, Debug, Default)]
pub struct Normalization {
    /// The normal form.
    pub form: Form,
    /// Whether accents are removed.
    pub strip_accents: bool,
}

/// A segment of a normalized text, and where it comes from.
struct Segment {
    normal: usize,
    original: usize,
    length: usize,
    /// Whether the bytes of the segment are those of the original text.
    same: bool,
}

/// A text in normal form. It notes the places of its parts in the original text if the caller asks for them.
#[derive(Default)]
pub(crate) struct Normal {
    pub(crate) bytes: Vec<u8>,
    segments: Vec<Segment>,
    segment: String,
    stripped: String,
}

impl Normalization {
    /// Whether any text can change.
    pub(crate) fn is_needed(&self) -> bool {
        self.strip_accents || self.form != Form::None
    }

    /// Whether a character stays as it is if nothing after it combines with it.
    fn keeps(&self, c: char) -> bool {
        let one = std::iter::once(c);
        let in_form = match self.form {
            Form::None => IsNormalized::Yes,
            Form::Nfc => is_nfc_quick(one),
            Form::Nfkc => is_nfkc_quick(one),
        };
        in_form == IsNormalized::Yes && !(self.strip_accents && changes_without_accents(c))
    }

    fn write(&self, segment: &str, stripped: &mut String, out: &mut Vec<u8>) {
        let mut put = |c: char| out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        if !self.strip_accents {
            return match self.form {
                Form::None => segment.chars().for_each(&mut put),
                Form::Nfc => segment.nfc().for_each(&mut put),
                Form::Nfkc => segment.nfkc().for_each(&mut put),
            };
        }
        stripped.clear();
        if self.form == Form::Nfkc {
            stripped.extend(segment.nfkd().filter(|&c| !is_accent(c)));
        } else {
            stripped.extend(segment.nfd().filter(|&c| !is_accent(c)));
        }
        stripped.nfc().for_each(put);
    }
}

/// Whether a mark is an accent: it is above or below its letter (combining classes 200 to 240), or it is a point of
/// Hebrew or Arabic (10 to 36). Signs that make another letter are not accents: nuktas, voicing of kana, viramas, and
/// the vowels and tones of Indic scripts, Thai, Lao and Tibetan.
fn is_accent(c: char) -> bool {
    matches!(canonical_combining_class(c), 10..=36 | 200..=240)
}

fn changes_without_accents(c: char) -> bool {
    let mut found = false;
    unicode_normalization::char::decompose_canonical(c, |part| found |= is_accent(part));
    found
}

/// Whether a character combines with nothing before it.
fn starts_segment(c: char) -> bool {
    let mut first = None;
    decompose_compatible(c, |part| first = first.or(Some(part)));
    first.is_none_or(|first| {
        canonical_combining_class(first) == 0 && is_nfc_quick(std::iter::once(first)) != IsNormalized::Maybe
    })
}

impl Normal {
    /// Reads a text; `noted` says whether the caller will ask for places. After every stretch of it, `ask` says whether
    /// to go on; the result is false if it said no.
    pub(crate) fn read(
        &mut self,
        text: &[u8],
        to: &Normalization,
        noted: bool,
        mut ask: impl FnMut() -> bool,
    ) -> bool {
        self.bytes.clear();
        self.segments.clear();
        let (mut at, mut asked) = (0, 0);
        while at < text.len() {
            if at - asked > STRETCH {
                asked = at;
                if !ask() {
                    return false;
                }
            }
            let plain = plain_end(text, at);
            self.copy(text, at, plain, noted);
            at = plain;
            if at < text.len() {
                at = self.read_segment(text, at, to, noted);
            }
        }
        true
    }

    fn copy(&mut self, text: &[u8], start: usize, end: usize, noted: bool) {
        if noted && start < end {
            self.note(start, end - start, true);
        }
        self.bytes.extend_from_slice(&text[start..end]);
    }

    fn note(&mut self, original: usize, length: usize, same: bool) {
        self.segments.push(Segment { normal: self.bytes.len(), original, length, same });
    }

    /// Reads a character and everything that combines with it; returns where they end.
    fn read_segment(&mut self, text: &[u8], start: usize, to: &Normalization, noted: bool) -> usize {
        let (first, width) = decode(text, start);
        let mut end = start + width;
        let Some(first) = first else {
            self.copy(text, start, end, noted);
            return end;
        };
        self.segment.clear();
        self.segment.push(first);
        while end < text.len() && text[end] >= 0x80 {
            match decode(text, end) {
                (Some(c), width) if !starts_segment(c) => {
                    self.segment.push(c);
                    end += width;
                }
                _ => break,
            }
        }
        if end == start + width && to.keeps(first) {
            self.copy(text, start, end, noted);
            return end;
        }
        if noted {
            self.note(start, end - start, false);
        }
        to.write(&self.segment, &mut self.stripped, &mut self.bytes);
        end
    }

    /// The place in the original text of a part of the normalized text. An empty part ends with what precedes it: what
    /// follows it may begin behind something that was removed.
    pub(crate) fn place(&self, start: usize, end: usize) -> (usize, usize) {
        let of = |at: usize| {
            let next = self.segments.partition_point(|segment| segment.normal <= at);
            self.segments.get(next.saturating_sub(1))
        };
        let first = of(start).map_or(start, |s| s.original + if s.same { start - s.normal } else { 0 });
        let last = match end.checked_sub(1).and_then(of) {
            Some(s) if s.same => s.original + (end - s.normal),
            Some(s) => s.original + s.length,
            None => end,
        };
        (first.min(last), last)
    }
}

/// Where the ASCII that begins at `at` ends; a last character that an accent follows does not belong to it.
fn plain_end(text: &[u8], at: usize) -> usize {
    let length = text[at..].iter().position(|&byte| byte >= 0x80);
    let Some(length) = length else { return text.len() };
    let end = at + length;
    let combines = matches!(decode(text, end), (Some(c), _) if !starts_segment(c));
    if combines && length > 0 { end - 1 } else { end }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn normal(text: &str, form: Form, strip_accents: bool) -> Normal {
        let mut normal = Normal::default();
        normal.read(text.as_bytes(), &Normalization { form, strip_accents }, true, || true);
        normal
    }

    fn text_of(normal: &Normal) -> &str {
        std::str::from_utf8(&normal.bytes).expect("valid stays valid")
    }

    #[test]
    fn accents_come_off_and_other_marks_stay() {
        for (text, expected) in [
            ("Café déjà ÀÉÎõü", "Cafe deja AEIou"),
            ("cafe\u{301}s", "cafes"),
            ("ёлка й", "елка и"),
            ("øłß", "øłß"),
            ("हिन्दी", "हिन्दी"),
            ("ガラス か\u{3099}", "ガラス が"),
            ("كِتَاب", "كتاب"),
            ("שָׁלוֹם", "שלום"),
            ("한국어", "한국어"),
            ("สุข ສຸກ བོད", "สุข ສຸກ བོད"),
            ("ếΆ", "eΑ"),
        ] {
            assert_eq!(text_of(&normal(text, Form::None, true)), expected);
        }
    }

    #[test]
    fn places_are_those_of_the_original() {
        let text = "a ﬁne e\u{301}té ½";
        let normal = normal(text, Form::Nfkc, false);
        let found = text_of(&normal);
        assert_eq!(found, "a fine été 1⁄2");
        for (part, original) in [("fi", "ﬁ"), ("ne", "ne"), ("ét", "e\u{301}t"), ("1⁄2", "½"), ("2", "½")] {
            let start = found.find(part).expect("it is there");
            let (first, last) = normal.place(start, start + part.len());
            assert_eq!(&text[first..last], original);
        }
    }

    proptest! {
        #[test]
        fn forms_are_those_of_the_whole_text(text in prop_oneof![
            any::<String>(),
            "[ae\u{301}\u{323}\u{30a}\u{3099}か각ᄀ\u{1161}\u{11a8}ﬁｶﾞ½ \u{9be}\u{9c7}]{0,20}",
        ]) {
            let (nfc, nfkc) = (normal(&text, Form::Nfc, false), normal(&text, Form::Nfkc, false));
            prop_assert_eq!(text_of(&nfc), text.nfc().collect::<String>());
            prop_assert_eq!(text_of(&nfkc), text.nfkc().collect::<String>());
        }

        #[test]
        fn no_accent_is_left(text in "[aéêe\u{301}\u{323}\u{30a}ếй Ω]{0,20}") {
            let stripped = normal(&text, Form::Nfc, true);
            prop_assert!(!text_of(&stripped).nfd().any(is_accent));
            let (first, last) = stripped.place(0, stripped.bytes.len());
            prop_assert!(first <= last && last <= text.len());
        }

        #[test]
        fn any_bytes_are_read(text in prop::collection::vec(any::<u8>(), 0..200)) {
            let mut normal = Normal::default();
            normal.read(&text, &Normalization { form: Form::Nfkc, strip_accents: true }, true, || true);
            for at in 0..normal.bytes.len() {
                let (first, last) = normal.place(at, at + 1);
                prop_assert!(first <= last && last <= text.len());
            }
        }
    }
}
