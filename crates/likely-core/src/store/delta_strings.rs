//! A page of a file in Parquet's encoding DELTA_BYTE_ARRAY goes in; the total length of its strings comes out.
//!
//! There a string is written as the number of bytes that it shares with the string before it, and the bytes that
//! follow; the lengths are packed so that equal lengths take no room. A few bytes can therefore stand for any number
//! of strings of any length, and whoever reads a page that somebody else wrote must look at the lengths first. (Apache
//! Parquet, *Encodings*.)

/// The number of lengths that a block may have at most; writers use 128.
const LARGEST_BLOCK: u64 = 1 << 16;

/// The bytes of all strings of a page together; `None` if the page does not consist of exactly `strings` strings.
pub fn strings_size(page: &[u8], strings: usize) -> Option<u64> {
    let mut input = Input { bytes: page };
    let shared = input.lengths(strings)?;
    let own = input.lengths(strings)?;
    let (mut before, mut total, mut written) = (0, 0, 0);
    for (&shared, &own) in shared.iter().zip(&own) {
        if shared > before {
            return None;
        }
        before = shared + own;
        total += before;
        written += own;
    }
    (written == input.bytes.len() as u64).then_some(total)
}

/// What has not been read yet.
struct Input<'a> {
    bytes: &'a [u8],
}

impl<'a> Input<'a> {
    /// Reads `count` lengths in the encoding DELTA_BINARY_PACKED.
    fn lengths(&mut self, count: usize) -> Option<Vec<u64>> {
        let (block, parts, total) = (self.number()?, self.number()?, self.number()?);
        let first = self.signed()?;
        let fits =
            (1..=LARGEST_BLOCK).contains(&block) && (1..=block).contains(&parts) && block % (8 * parts) == 0;
        if !fits || total != count as u64 {
            return None;
        }
        let mut lengths = Vec::with_capacity(count);
        if count > 0 {
            lengths.push(u64::from(u32::try_from(first).ok()?));
        }
        while lengths.len() < count {
            self.block(block as usize / parts as usize, parts as usize, count, &mut lengths)?;
        }
        Some(lengths)
    }

    /// Reads one block: the smallest difference, the widths of its parts, and the parts.
    fn block(&mut self, part: usize, parts: usize, count: usize, lengths: &mut Vec<u64>) -> Option<()> {
        let least = self.signed()?;
        let widths = self.take(parts)?;
        for &width in widths {
            if lengths.len() == count {
                // The rest of the last block has no bytes.
                break;
            }
            if width > 32 {
                return None;
            }
            let packed = self.take(part * usize::from(width) / 8)?;
            for at in 0..part.min(count - lengths.len()) {
                let difference = least.checked_add(bits(packed, at, width))?;
                let length = lengths.last().copied()?.checked_add_signed(difference)?;
                lengths.push(u64::from(u32::try_from(length).ok()?));
            }
        }
        Some(())
    }

    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.bytes.split_at_checked(count)?;
        self.bytes = rest;
        Some(taken)
    }

    /// Reads a number that is written seven bits per byte, the lowest first.
    fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..63).step_by(7) {
            let byte = *self.take(1)?.first()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    /// Reads a number whose lowest bit is its sign.
    fn signed(&mut self) -> Option<i64> {
        let number = self.number()?;
        Some((number >> 1) as i64 ^ -((number & 1) as i64))
    }
}

/// The number at index `at` among numbers of `width` bits each, at most 32.
fn bits(packed: &[u8], at: usize, width: u8) -> i64 {
    let start = at * usize::from(width);
    let mut window = [0; 8];
    let bytes = &packed[start / 8..packed.len().min(start / 8 + 8)];
    window[..bytes.len()].copy_from_slice(bytes);
    let mask = (1u64 << width) - 1;
    (u64::from_le_bytes(window) >> (start % 8) & mask) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// "a", "ab", "ab": shared lengths 0, 1, 2 and own lengths 1, 1, 0 as Apache Arrow packs them.
    const PAGE: &[u8] = &[
        128, 1, 4, 3, 0, 2, 0, 0, 0, 0, // shared: begins with 0, then always 1 more
        128, 1, 4, 3, 2, 1, 1, 0, 0, 0, 1, 0, 0, 0, // own: begins with 1, then 0 more, then 1 less
        b'a', b'b',
    ];

    #[test]
    fn strings_are_measured() {
        assert_eq!(strings_size(PAGE, 3), Some(5));
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        for length in 0..PAGE.len() {
            assert_eq!(strings_size(&PAGE[..length], 3), None, "{length}");
        }
        assert_eq!(strings_size(PAGE, 2), None);
        assert_eq!(strings_size(&[PAGE, b"c"].concat(), 3), None);
    }

    #[test]
    fn any_bytes_are_read_without_panic() {
        let mut page = PAGE.to_vec();
        for at in 0..page.len() {
            for byte in 0..=255 {
                let old = std::mem::replace(&mut page[at], byte);
                let size = strings_size(&page, 3);
                assert!(size.is_none_or(|size| size <= 9), "{at} {byte}");
                page[at] = old;
            }
        }
    }
}
