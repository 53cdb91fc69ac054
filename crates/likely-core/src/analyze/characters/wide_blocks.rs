//! The characters beyond ASCII of a block of 64 bytes go in; masks of their classes come out, and their lower case.
//!
//! [`crate::analyze::characters::ascii_blocks`] says where such characters begin, so that each of them is decoded
//! without waiting for the one before it.

use crate::analyze::characters::char_class::{
    CHARACTERS_OF_TWO, Class, ROW_OF, ROWS, changes_in_lowercase, class, decode, is_in_masks, is_keycap,
};

/// How many bytes of the copy a block may look at: itself, and the rest of a character that begins in its last byte.
pub(crate) const SEEN: usize = 64 + 4;

/// At most this many characters are looked up in tables only, which is faster.
const FEW: u32 = 3;

/// What the characters beyond ASCII of a block are, one bit per byte, lowest bit first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct WideMasks {
    /// All bytes of letters and numbers.
    pub(crate) word: u64,
    /// All bytes of marks.
    pub(crate) mark: u64,
    /// All bytes of characters that are tokens of their own.
    pub(crate) single: u64,
    /// The first bytes of the latter.
    pub(crate) single_firsts: u64,
    /// The first bytes of apostrophes and of other signs within words.
    pub(crate) apostrophe_firsts: u64,
    /// Their last bytes.
    pub(crate) apostrophe_lasts: u64,
    /// The first bytes of capitals whose lower case has another length or depends on their neighbours.
    pub(crate) odd_capitals: u64,
    /// How many bytes of the block were read: all, or those before the character that ends it.
    pub(crate) end: usize,
    /// Whether the block ends before a character that cannot be judged by masks.
    pub(crate) hard: bool,
}

/// Classifies the characters that begin at the bits of `leads`. If `lowercase`, those in `copy` become lower case.
///
/// `more` says whether the text goes on after the block, so that a character at its end may be longer than it seems.
/// What is not a character belongs to no class.
pub(crate) fn classify_wide(leads: u64, more: bool, lowercase: bool, copy: &mut [u8; SEEN]) -> WideMasks {
    let mut masks = WideMasks { end: 64, ..WideMasks::default() };
    let mut rest = leads;
    if leads.count_ones() > FEW {
        let Common { letters, han } = common_characters(copy);
        (masks.word, masks.single, masks.single_firsts) = (letters | letters << 1, han | han << 1 | han << 2, han);
        rest &= !(letters | han);
    }
    while let Some(alone) = masks.read_common(&mut rest, lowercase, copy) {
        if !masks.read_any(alone, more, lowercase, copy) {
            break;
        }
    }
    masks
}

/// The first bytes of common characters, one bit per byte, lowest bit first. They lie in the block completely, and do
/// not change in lower case. Tables know them, too, but find them one by one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Common {
    /// Small letters of Cyrillic, of two bytes: а to џ.
    letters: u64,
    /// Han characters of three bytes: U+4E00 to U+9FFF.
    han: u64,
}

/// The common characters of a block and of the bytes after it; none if the processor does not find them at once.
#[inline]
fn common_characters(bytes: &[u8; SEEN]) -> Common {
    let mut found = Common::default();
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    for start in (0..64).step_by(16).take_while(|_| !crate::vector::is_plain()) {
        use crate::lanes::Lanes;
        let load = |at: usize| bytes[at..].first_chunk().map_or(Lanes::all(0), Lanes::load);
        let (first, second, third) = (load(start), load(start + 1), load(start + 2));
        let letters =
            first.is(0xd0).and(second.within(0xb0, 0x10)).or(first.is(0xd1).and(second.within(0x80, 0x20)));
        let han = first.within(0xe5, 5).or(first.is(0xe4).and(second.within(0xb8, 0x08)));
        let han = han.and(second.within(0x80, 0x40)).and(third.within(0x80, 0x40));
        found.letters |= letters.mask() << start;
        found.han |= han.mask() << start;
    }
    Common { letters: found.letters & u64::MAX >> 1, han: found.han & u64::MAX >> 2 }
}

/// The first bytes of characters of one length, by class.
#[derive(Default)]
struct Firsts {
    word: u64,
    mark: u64,
    single: u64,
}

impl WideMasks {
    /// Reads the characters at the bits of `rest` that tables know completely, up to the first one that must be looked
    /// at alone, whose place is returned.
    #[inline]
    fn read_common(&mut self, rest: &mut u64, lowercase: bool, copy: &mut [u8; SEEN]) -> Option<usize> {
        let (mut of_two, mut of_three) = (Firsts::default(), Firsts::default());
        let mut alone = None;
        while *rest != 0 && alone.is_none() {
            let at = rest.trailing_zeros() as usize & 63;
            *rest &= *rest - 1;
            let bytes = u32::from_le_bytes([copy[at], copy[at + 1], copy[at + 2], copy[at + 3]]);
            let known = if bytes & 0xc0e0 == 0x80c0 && at + 2 <= 64 {
                of_two.read_two(at, bytes, lowercase, copy)
            } else if bytes & 0xc0_c0f0 == 0x80_80e0 && at + 3 <= 64 {
                of_three.read_three(at, bytes)
            } else {
                false
            };
            if !known {
                alone = Some(at);
            }
        }
        let twice = |bits: u64| bits | bits << 1;
        let thrice = |bits: u64| bits | bits << 1 | bits << 2;
        self.word |= twice(of_two.word) | thrice(of_three.word);
        self.mark |= twice(of_two.mark) | thrice(of_three.mark);
        self.single |= thrice(of_three.single);
        self.single_firsts |= of_three.single;
        alone
    }

    /// Reads a character of any kind; returns false if the block ends before it.
    #[inline(never)]
    fn read_any(&mut self, at: usize, more: bool, lowercase: bool, copy: &mut [u8; SEEN]) -> bool {
        let first = copy[at];
        let width = 2 + usize::from(first >= 0xe0) + usize::from(first >= 0xf0);
        if more && at + width > 64 {
            self.end = at;
            return false;
        }
        let (Some(c), width) = decode(&copy[..64], at) else { return true };
        if lowercase && changes_in_lowercase(c) && !lower_in_place(c, &mut copy[at..at + width]) {
            self.odd_capitals |= 1 << at;
        }
        let (class, bits) = (class(c), (u64::MAX >> (64 - width)) << at);
        match class {
            Class::Word => self.word |= bits,
            Class::Mark => self.mark |= bits,
            Class::Single => {
                self.single |= bits;
                self.single_firsts |= 1 << at;
            }
            Class::Apostrophe => {
                self.apostrophe_firsts |= 1 << at;
                self.apostrophe_lasts |= 1 << (at + width - 1);
            }
            _ => {}
        }
        // A mark after one of these symbols may make an emoji of it.
        let keycap = class == Class::Mark && at > 0 && is_keycap(copy[at - 1]);
        self.hard = keycap || !is_in_masks(class);
        if self.hard {
            self.end = at - usize::from(keycap);
        }
        !self.hard
    }
}

impl Firsts {
    /// Reads a character of two bytes; returns false if it must be looked at alone.
    #[inline(always)]
    fn read_two(&mut self, at: usize, bytes: u32, lowercase: bool, copy: &mut [u8; SEEN]) -> bool {
        let found = CHARACTERS_OF_TWO[((bytes & 0x1f) << 6 | bytes >> 8 & 0x3f) as usize];
        if lowercase && found != 0 {
            [copy[at], copy[at + 1]] = (found as u16).to_le_bytes();
        }
        self.word |= u64::from(found >> 16 & 1) << at;
        self.mark |= u64::from(found >> 17) << at;
        found != 0
    }

    /// Reads a character of three bytes; returns false if it must be looked at alone.
    #[inline(always)]
    fn read_three(&mut self, at: usize, bytes: u32) -> bool {
        let row = ((bytes & 0x0f) << 6 | bytes >> 8 & 0x3f) as usize;
        let found = ROWS[usize::from(ROW_OF[row])][(bytes >> 16 & 0x3f) as usize];
        self.word |= u64::from(found == Some(Class::Word)) << at;
        self.mark |= u64::from(found == Some(Class::Mark)) << at;
        self.single |= u64::from(found == Some(Class::Single)) << at;
        found.is_some()
    }
}

/// Writes the lower case of a character in its place; returns false if it has another length or depends on the
/// neighbours of the character.
fn lower_in_place(c: char, place: &mut [u8]) -> bool {
    let mut lower = c.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(lower), None) if lower.len_utf8() == place.len() && c != 'Σ' => {
            lower.encode_utf8(place);
            true
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vector::is_plain;

    #[test]
    fn common_characters_are_what_the_table_says() {
        for c in (0x80..=0x10ffff).filter_map(char::from_u32) {
            let mut bytes = [b' '; SEEN];
            let at = c as usize % 61;
            c.encode_utf8(&mut bytes[at..at + 4]);
            let letter = matches!(c, 'а'..='џ');
            let han = matches!(c, '\u{4e00}'..='\u{9fff}');
            let expected = Common { letters: u64::from(letter) << at, han: u64::from(han) << at };
            let found = common_characters(&bytes);
            assert!(found == expected || is_plain() && found == Common::default(), "{c:?}");
            if letter || han {
                assert_eq!(class(c), if han { Class::Single } else { Class::Word }, "{c:?}");
                assert!(!changes_in_lowercase(c), "{c:?}");
            }
        }
    }

    #[test]
    fn a_common_character_that_leaves_the_block_is_not_found() {
        let mut bytes = [b' '; SEEN];
        bytes[62..65].copy_from_slice("漢".as_bytes());
        assert_eq!(common_characters(&bytes), Common::default());
        bytes[63..65].copy_from_slice("а".as_bytes());
        assert_eq!(common_characters(&bytes), Common::default());
    }
}
