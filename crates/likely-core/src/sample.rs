//! A text goes in; a number comes out that looks random and depends on nothing but the text. It decides whether the
//! text is in a sample, or which texts are copies of each other.

use crate::parallel;

/// The number of a text, which is the same on every machine. It is not secret, so whoever writes the texts can choose
/// their numbers.
pub fn sample_number(text: &[u8]) -> u64 {
    let (words, rest) = text.as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let all = words.iter().chain(std::iter::once(&last));
    mixed(all.fold(text.len() as u64, |sum, &word| {
        let sum = (sum ^ u64::from_le_bytes(word)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        sum ^ (sum >> 32)
    }))
}

/// The copy number of each text, found by several threads if there is much text.
pub fn copy_numbers(texts: &[&[u8]], threads: usize) -> Vec<u64> {
    let mut numbers = vec![0; texts.len()];
    let blocks = parallel::blocks(texts.iter().map(|text| text.len()));
    let work = parallel::with_rows(blocks, &mut numbers, 1);
    let mut workers = parallel::workers(texts.iter().map(|text| text.len()).sum(), threads, Vec::new);
    parallel::share(&mut workers, work, &|| false, |normal, (block, numbers), _| {
        for (text, number) in texts[block].iter().zip(numbers) {
            *number = copy_number(text, normal);
        }
        true
    });
    numbers
}

/// For each ASCII character: the lower-case letter or the digit that it is, or 0.
const LOWER: [u8; 128] = {
    let mut lower = [0; 128];
    let mut at = 0;
    while at < lower.len() {
        let byte = at as u8;
        if byte.is_ascii_alphanumeric() {
            lower[at] = byte.to_ascii_lowercase();
        }
        at += 1;
    }
    lower
};

/// The number of a text that all its copies have: texts with the same words of letters and digits, whatever their case
/// and whatever stands between them. A text without letters and digits is a copy of nothing but itself.
///
/// `normal` is space to work in, which is overwritten.
pub fn copy_number(text: &[u8], normal: &mut Vec<u8>) -> u64 {
    normal.clear();
    if text.is_ascii() {
        normalize_ascii(text, normal)
    } else {
        normalize(text, normal)
    }
    if normal.last() == Some(&b' ') {
        normal.pop();
    }
    sample_number(if normal.is_empty() { text } else { normal })
}

/// Writes the words of an ASCII text, without a branch per character: what separates words is written and overwritten.
fn normalize_ascii(text: &[u8], normal: &mut Vec<u8>) {
    normal.resize(text.len(), 0);
    let (mut end, mut is_between) = (0, true);
    for &byte in text {
        let lower = LOWER[usize::from(byte & 0x7f)];
        normal[end] = if lower == 0 { b' ' } else { lower };
        end += usize::from(lower != 0 || !is_between);
        is_between = lower == 0;
    }
    normal.truncate(end);
}

/// Writes the words of any text.
fn normalize(text: &[u8], normal: &mut Vec<u8>) {
    for chunk in text.utf8_chunks() {
        for char in chunk.valid().chars() {
            if char.is_alphanumeric() {
                push_lower(char, normal);
            } else {
                separate(normal);
            }
        }
        if !chunk.invalid().is_empty() {
            separate(normal);
        }
    }
}

/// Ends a word, if there is one: words are separated by one space.
fn separate(normal: &mut Vec<u8>) {
    if normal.last().is_some_and(|&last| last != b' ') {
        normal.push(b' ');
    }
}

fn push_lower(char: char, normal: &mut Vec<u8>) {
    if char.is_ascii() {
        return normal.push(char.to_ascii_lowercase() as u8);
    }
    let mut bytes = [0; 4];
    for lower in char.to_lowercase() {
        normal.extend_from_slice(lower.encode_utf8(&mut bytes).as_bytes());
    }
}

/// The finalizer of SplitMix64 (Steele, Lea and Flood, 2014).
pub(crate) fn mixed(number: u64) -> u64 {
    let mut mixed = number;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_spread_evenly_and_differ_with_each_byte() {
        let texts: Vec<String> = (0..10_000).map(|at| format!("text {at}")).collect();
        let low = texts.iter().filter(|text| sample_number(text.as_bytes()) < u64::MAX / 4).count();
        assert!((2_350..2_650).contains(&low), "{low}");
        assert_ne!(sample_number(b"a"), sample_number(b"a\0"));
        assert_ne!(sample_number(b"12345678"), sample_number(b"12345679"));
        assert_eq!(sample_number(b""), sample_number(b""));
    }

    #[test]
    fn many_texts_have_the_numbers_that_each_has_alone() {
        let texts: Vec<String> = (0..3_000).map(|at| "So good! ".repeat(at % 97)).collect();
        let texts: Vec<&[u8]> = texts.iter().map(|text| text.as_bytes()).collect();
        let alone: Vec<u64> = texts.iter().map(|text| copy_number(text, &mut Vec::new())).collect();
        assert_eq!(copy_numbers(&texts, 1), alone);
        assert_eq!(copy_numbers(&texts, 3), alone);
        assert!(copy_numbers(&[], 2).is_empty());
    }

    #[test]
    fn copies_have_one_number_whatever_stands_between_their_words() {
        let number = |text: &[u8]| copy_number(text, &mut Vec::new());
        let same: [&[u8]; 5] = [
            "Größe 5".as_bytes(),
            "  GRÖßE--5!".as_bytes(),
            "größe 😀 5".as_bytes(),
            "«größe», 5\n".as_bytes(),
            b"gr\xc3\xb6\xc3\x9fe\xff5",
        ];
        assert!(same.iter().all(|text| number(text) == number(same[0])));
        let others: [&[u8]; 5] =
            ["Größe5".as_bytes(), "größe 55".as_bytes(), "5 größe".as_bytes(), b"", "größé 5".as_bytes()];
        assert!(others.iter().all(|text| number(text) != number(same[0])));
        assert_ne!(number("😀".as_bytes()), number("😢".as_bytes()));
        assert_eq!(number(b"-- So,  GOOD! 5"), number("…so good 5".as_bytes()));
        assert_ne!(number("का".as_bytes()), number("की".as_bytes()));
    }
}
