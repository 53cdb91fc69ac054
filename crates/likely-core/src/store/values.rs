//! The bytes of a page go in; numbers, places in a dictionary or strings come out. (Apache Parquet, *Encodings*.)

use crate::store::input::Input;
use crate::store::refused::Result;

const DAMAGED: &str = "a page of it is damaged";

impl Input<'_> {
    /// Reads `count` lengths in the encoding DELTA_BINARY_PACKED.
    fn lengths(&mut self, count: usize) -> Option<Vec<u32>> {
        /// The number of lengths that a block may have at most; writers use 128.
        const LARGEST_BLOCK: u64 = 1 << 16;
        let (block, parts, total) = (self.number()?, self.number()?, self.number()?);
        let first = self.signed()?;
        let fits =
            (1..=LARGEST_BLOCK).contains(&block) && (1..=block).contains(&parts) && block % (8 * parts) == 0;
        if !fits || total != count as u64 {
            return None;
        }
        let mut lengths = Vec::with_capacity(count);
        if count > 0 {
            lengths.push(u32::try_from(first).ok()?);
        }
        while lengths.len() < count {
            self.block(block as usize / parts as usize, parts as usize, count, &mut lengths)?;
        }
        Some(lengths)
    }

    /// Reads one block: the smallest difference, the widths of its parts, and the parts.
    fn block(&mut self, part: usize, parts: usize, count: usize, lengths: &mut Vec<u32>) -> Option<()> {
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
            let mut length = i64::from(*lengths.last()?);
            let mut fits = true;
            let size = part.min(count - lengths.len());
            lengths.extend((0..size).map(|at| {
                // Before it wraps around, the sum is below 2^64, so that one that does so is not small.
                length = length.wrapping_add(least).wrapping_add(i64::from(bits(packed, at, width)));
                fits &= u32::try_from(length).is_ok();
                length as u32
            }));
            if !fits {
                return None;
            }
        }
        Some(())
    }
}

/// The number at index `at` among numbers of `width` bits each, at most 32.
#[inline]
fn bits(packed: &[u8], at: usize, width: u8) -> u32 {
    let start = at * usize::from(width);
    let rest = &packed[start / 8..];
    let window = rest.first_chunk().copied().unwrap_or_else(|| {
        let mut window = [0; 8];
        window[..rest.len()].copy_from_slice(rest);
        window
    });
    let mask = (1u64 << width) - 1;
    (u64::from_le_bytes(window) >> (start % 8) & mask) as u32
}

/// The numbers of 8 bytes of a page.
pub(super) fn wholes(page: &[u8]) -> impl Iterator<Item = u64> + '_ {
    page.as_chunks::<8>().0.iter().map(|&bytes| u64::from_le_bytes(bytes))
}

/// The floats of 4 bytes of a page.
pub(super) fn floats(page: &[u8]) -> impl Iterator<Item = f32> + '_ {
    page.as_chunks::<4>().0.iter().map(|&bytes| f32::from_le_bytes(bytes))
}

/// The first `count` bits of a page.
pub(super) fn truths(page: &[u8], count: usize) -> impl Iterator<Item = bool> + '_ {
    (0..count).map(|at| page[at / 8] >> (at % 8) & 1 == 1)
}

/// Appends `count` numbers of a page with places in a dictionary, in which the values with these numbers are.
pub(super) fn push_places(page: &[u8], count: usize, dictionary: &[u32], found: &mut Vec<u32>) -> Result<()> {
    places(page, count, dictionary, found).ok_or_else(|| DAMAGED.into())
}

fn places(page: &[u8], count: usize, dictionary: &[u32], found: &mut Vec<u32>) -> Option<()> {
    let end = found.len() + count;
    let (&width, bytes) = page.split_first()?;
    let mut input = Input { rest: bytes };
    if width > 32 {
        return None;
    }
    while found.len() < end {
        // The lowest bit tells places of their own from one place that is repeated.
        let head = input.number()?;
        let (run, left) = (head >> 1, end - found.len());
        if head & 1 == 1 {
            // Eight places at a time; what follows the last one is only there to fill the bytes.
            let packed = input.take(usize::try_from(run.checked_mul(u64::from(width))?).ok()?)?;
            for at in 0..left.min(usize::try_from(run.checked_mul(8)?).ok()?) {
                found.push(*dictionary.get(bits(packed, at, width) as usize)?);
            }
        } else {
            let mut place = [0; 4];
            let bytes = input.take(usize::from(width).div_ceil(8))?;
            place[..bytes.len()].copy_from_slice(bytes);
            let value = *dictionary.get(u32::from_le_bytes(place) as usize)?;
            found.resize(found.len() + left.min(usize::try_from(run).ok()?), value);
        }
        if run == 0 {
            return None;
        }
    }
    input.rest.is_empty().then_some(())
}

/// Calls `take` for each of `count` strings of a page, each of which has its length before it.
pub(super) fn each_plain_string(
    page: &[u8],
    count: usize,
    mut take: impl FnMut(&[u8]) -> Result<()>,
) -> Result<()> {
    let mut input = Input { rest: page };
    for _ in 0..count {
        let size = input.take(4).and_then(<[u8]>::first_chunk).ok_or(DAMAGED)?;
        take(input.take(u32::from_le_bytes(*size) as usize).ok_or(DAMAGED)?)?;
    }
    if input.rest.is_empty() { Ok(()) } else { Err(DAMAGED.into()) }
}

/// The strings of a page in which each is written without the beginning that it shares with the string before it.
pub(super) struct DeltaStrings<'a> {
    shared: Vec<u32>,
    own: Vec<u32>,
    bytes: &'a [u8],
}

impl<'a> DeltaStrings<'a> {
    pub(super) fn new(page: &'a [u8], count: usize) -> Result<Self> {
        Self::checked(page, count).ok_or_else(|| DAMAGED.into())
    }

    fn checked(page: &'a [u8], count: usize) -> Option<Self> {
        let mut input = Input { rest: page };
        let found = Self { shared: input.lengths(count)?, own: input.lengths(count)?, bytes: input.rest };
        let (mut before, mut written) = (0, 0);
        for (&shared, &own) in found.shared.iter().zip(&found.own) {
            if u64::from(shared) > before {
                return None;
            }
            before = u64::from(shared) + u64::from(own);
            written += u64::from(own);
        }
        (written == found.bytes.len() as u64).then_some(found)
    }

    /// The number of bytes of all strings together, written out.
    pub(super) fn size(&self) -> u64 {
        self.shared.iter().chain(&self.own).map(|&length| u64::from(length)).sum()
    }

    /// Calls `take` for each string, with the number of bytes that it begins with like the one before.
    pub(super) fn each(self, mut take: impl FnMut(&[u8], usize) -> Result<()>) -> Result<()> {
        let (mut string, mut rest) = (Vec::new(), self.bytes);
        for (shared, own) in self.shared.into_iter().zip(self.own) {
            let (bytes, after) = rest.split_at_checked(own as usize).ok_or(DAMAGED)?;
            rest = after;
            string.truncate(shared as usize);
            string.extend_from_slice(bytes);
            take(&string, shared as usize)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// "a", "ab", "ab": shared lengths 0, 1, 2 and own lengths 1, 1, 0 as Apache Arrow packs them.
    const PAGE: &[u8] = &[
        128, 1, 4, 3, 0, 2, 0, 0, 0, 0, // shared: begins with 0, then always 1 more
        128, 1, 4, 3, 2, 1, 1, 0, 0, 0, 1, 0, 0, 0, // own: begins with 1, then 0 more, then 1 less
        b'a', b'b',
    ];

    fn strings(page: &[u8], count: usize) -> Result<(u64, Vec<Vec<u8>>)> {
        let found = DeltaStrings::new(page, count)?;
        let (size, mut all) = (found.size(), Vec::<Vec<u8>>::new());
        found.each(|string, shared| {
            let before: &[u8] = all.last().map_or(&[], Vec::as_slice);
            assert_eq!(before[..shared], string[..shared]);
            all.push(string.to_vec());
            Ok(())
        })?;
        Ok((size, all))
    }

    fn plain(page: &[u8], count: usize) -> Result<Vec<Vec<u8>>> {
        let mut all = Vec::new();
        each_plain_string(page, count, |string| {
            all.push(string.to_vec());
            Ok(())
        })?;
        Ok(all)
    }

    fn placed(page: &[u8], count: usize, dictionary: &[u32]) -> Option<Vec<u32>> {
        let mut found = Vec::new();
        push_places(page, count, dictionary, &mut found).ok()?;
        Some(found)
    }

    #[test]
    fn terms_are_completed() {
        assert_eq!(strings(PAGE, 3), Ok((5, vec![b"a".to_vec(), b"ab".to_vec(), b"ab".to_vec()])));
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        for length in 0..PAGE.len() {
            assert!(strings(&PAGE[..length], 3).is_err(), "{length}");
        }
        assert!(strings(PAGE, 2).is_err());
        assert!(strings(&[PAGE, b"c"].concat(), 3).is_err());
    }

    #[test]
    fn runs_and_packed_places_are_read() {
        assert_eq!(placed(&[1, 6, 1, 3, 0b101], 7, &[7, 9]), Some(vec![9, 9, 9, 9, 7, 9, 7]));
        assert_eq!(placed(&[0, 6], 3, &[7]), Some(vec![7, 7, 7]));
        assert_eq!(placed(&[1], 0, &[]), Some(vec![]));
        for page in [&[][..], &[1], &[33, 6, 0], &[1, 6, 2], &[1, 4, 1], &[1, 0, 1], &[1, 6, 1, 0], &[1, 3]] {
            assert_eq!(placed(page, 3, &[7, 9]), None, "{page:?}");
        }
        // A run that claims to be long fills only what is asked for.
        assert_eq!(placed(&[1, 254, 255, 255, 255, 255, 255, 255, 1, 1], 2, &[7, 9]), Some(vec![9, 9]));
    }

    #[test]
    fn plain_values_are_read() {
        let page = [&3u32.to_le_bytes()[..], b"abc", &0u32.to_le_bytes()].concat();
        assert_eq!(plain(&page, 2), Ok(vec![b"abc".to_vec(), vec![]]));
        assert!(plain(&page, 1).is_err());
        assert!(plain(&page[..6], 1).is_err());
        assert_eq!(truths(&[0b101, 1], 9).filter(|&truth| truth).count(), 3);
        assert_eq!(wholes(&[1, 0, 0, 0, 0, 0, 0, 0]).collect::<Vec<u64>>(), [1]);
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_without_panic(
            bytes in proptest::collection::vec(any::<u8>(), 0..64),
            at in 0..PAGE.len(),
            count in 0usize..20,
        ) {
            let mut page = PAGE.to_vec();
            page[at..].iter_mut().zip(&bytes).for_each(|(old, &new)| *old = new);
            for bytes in [&bytes, &page] {
                prop_assert!(strings(bytes, count).map_or(true, |found| found.1.len() == count));
                prop_assert!(placed(bytes, count, &[3, 1, 2]).is_none_or(|found| found.len() == count));
                prop_assert!(plain(bytes, count).map_or(true, |found| found.len() == count));
            }
        }
    }
}
