//! A text goes in; a number comes out that looks random and depends on nothing but the text. It decides whether the
//! text is in a sample.

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

/// The finalizer of SplitMix64 (Steele, Lea and Flood, 2014).
fn mixed(number: u64) -> u64 {
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
}
