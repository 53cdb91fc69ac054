//! The bytes of a text go in, the name of their encoding comes out.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};

/// The name of UTF-8.
pub const UTF_8: &str = "UTF-8";

/// The encoding of some text, by the WHATWG's name for it.
///
/// Text with a few invalid bytes among more valid characters is UTF-8 that was damaged: other encodings have such
/// sequences of bytes only by chance. For all other text, chardetng (the detector of Firefox) compares how plausible its
/// letters and pairs of letters would be in each encoding of the web.
pub fn recognise_encoding(text: &[u8]) -> &'static str {
    if is_mostly_utf_8(text) {
        return UTF_8;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(text, true);
    detector.guess(None, Utf8Detection::Deny).name()
}

/// Whether there are more valid characters beyond ASCII than invalid sequences. The last character may be cut off.
fn is_mostly_utf_8(text: &[u8]) -> bool {
    match std::str::from_utf8(text) {
        Ok(_) => return true,
        Err(error) if error.error_len().is_none() && error.valid_up_to() > 0 => return true,
        Err(_) => {}
    }
    let (mut valid, mut invalid) = (0_usize, 0_usize);
    for chunk in text.utf8_chunks() {
        valid += chunk.valid().chars().filter(|each| !each.is_ascii()).count();
        invalid += usize::from(!chunk.invalid().is_empty());
    }
    valid > invalid
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf_8_stays_utf_8_when_it_is_cut_or_damaged() {
        assert_eq!(recognise_encoding(b"plain"), UTF_8);
        assert_eq!(recognise_encoding("déjà vu".as_bytes()), UTF_8);
        assert_eq!(recognise_encoding(&"déjà".as_bytes()[..6]), UTF_8);
        assert_eq!(recognise_encoding("déjà vu \u{fffd}".as_bytes()), UTF_8);
        let mut damaged = "déjà vu, voilà".as_bytes().to_vec();
        damaged.push(0xff);
        damaged.extend(b" and on");
        assert_eq!(recognise_encoding(&damaged), UTF_8);
    }

    #[test]
    fn texts_in_other_encodings() {
        assert_eq!(recognise_encoding(b"Le caf\xe9 \xe9tait ferm\xe9, voil\xe0."), "windows-1252");
        let russian = b"\xd0\xf0\xe8\xe2\xe5\xf2, \xea\xe0\xea \xe4\xe5\xeb\xe0? \xd5\xee\xf0\xee\xf8\xe8\xe9 \xf4\xe8\xeb\xfc\xec.";
        assert_eq!(recognise_encoding(russian), "windows-1251");
        // "This is a Japanese sentence. The film was very interesting."
        let japanese =
            b"\x82\xb1\x82\xea\x82\xcd\x93\xfa\x96\x7b\x8c\xea\x82\xcc\x95\xb6\x8f\xcd\x82\xc5\x82\xb7\x81\x42\
            \x89\x66\x89\xe6\x82\xcd\x82\xc6\x82\xc4\x82\xe0\x96\xca\x94\x92\x82\xa9\x82\xc1\x82\xbd\x81\x42\n";
        assert_eq!(recognise_encoding(&japanese.repeat(5)), "Shift_JIS");
    }
}
