//! JSON goes in and is passed value by value, as long as it is JSON as nearly everybody writes it.
//!
//! Every function returns `None` for what it does not know, be it wrong or only unusual. It accepts nothing that is not
//! JSON (RFC 8259).

use crate::read::json_blocks::{BLOCK, is_special, specials};

/// A line, and how far it has been read.
pub(crate) struct Scan<'a> {
    pub(crate) line: &'a [u8],
    pub(crate) at: usize,
}

impl<'a> Scan<'a> {
    pub(crate) fn next(&self) -> Option<u8> {
        self.line.get(self.at).copied()
    }

    pub(crate) fn skip(&mut self, expected: &[u8]) -> Option<()> {
        self.line[self.at..].starts_with(expected).then(|| self.at += expected.len())
    }

    pub(crate) fn skip_spaces(&mut self) {
        while matches!(self.next(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    pub(crate) fn skip_colon(&mut self) -> Option<()> {
        self.skip_spaces();
        self.skip(b":")?;
        self.skip_spaces();
        Some(())
    }

    /// Passes an object, whose names and values `skip_pair` passes.
    pub(crate) fn skip_object(&mut self, skip_pair: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.skip_list(b'{', b'}', skip_pair)
    }

    fn skip_list(
        &mut self,
        open: u8,
        close: u8,
        mut skip_element: impl FnMut(&mut Self) -> Option<()>,
    ) -> Option<()> {
        self.skip(&[open])?;
        self.skip_spaces();
        if self.next()? == close {
            self.at += 1;
            return Some(());
        }
        loop {
            skip_element(self)?;
            self.skip_spaces();
            let next = self.next()?;
            self.at += 1;
            if next == close {
                return Some(());
            }
            if next != b',' {
                return None;
            }
            self.skip_spaces();
        }
    }

    /// A name without escapes.
    pub(crate) fn plain_key(&mut self) -> Option<&'a [u8]> {
        self.skip(b"\"")?;
        let start = self.at;
        self.skip_characters();
        let key = &self.line[start..self.at];
        self.skip(b"\"")?;
        Some(key)
    }

    pub(crate) fn skip_value(&mut self, depth: usize) -> Option<()> {
        match self.next()? {
            b'"' => self.skip_string(),
            b'{' if depth > 0 => self.skip_object(|scan| {
                scan.skip_string()?;
                scan.skip_colon()?;
                scan.skip_value(depth - 1)
            }),
            b'[' if depth > 0 => self.skip_list(b'[', b']', |scan| scan.skip_value(depth - 1)),
            b't' => self.skip(b"true"),
            b'f' => self.skip(b"false"),
            b'n' => self.skip(b"null"),
            _ => self.skip_number(),
        }
    }

    /// Passes a number, as RFC 8259 (6) defines it.
    fn skip_number(&mut self) -> Option<()> {
        self.skip_whole()?;
        if self.next() == Some(b'.') {
            self.at += 1;
            self.skip_digits()?;
        }
        if let Some(b'e' | b'E') = self.next() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.next() {
                self.at += 1;
            }
            self.skip_digits()?;
        }
        Some(())
    }

    /// Passes a sign and the digits before the point, which begin with 0 only if there is no other.
    pub(crate) fn skip_whole(&mut self) -> Option<()> {
        if self.next() == Some(b'-') {
            self.at += 1;
        }
        if self.next() == Some(b'0') {
            self.at += 1;
            return Some(());
        }
        self.skip_digits()
    }

    fn skip_digits(&mut self) -> Option<()> {
        let start = self.at;
        while matches!(self.next(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        (self.at > start).then_some(())
    }

    /// Passes the characters of a string up to its end, an escape or a byte that may not be in a string.
    pub(crate) fn skip_characters(&mut self) {
        while let Some(block) = self.line[self.at..].first_chunk::<BLOCK>() {
            let plain = specials(block).trailing_zeros() as usize;
            self.at += plain;
            if plain < BLOCK {
                return;
            }
        }
        while self.next().is_some_and(|byte| !is_special(byte)) {
            self.at += 1;
        }
    }

    fn skip_string(&mut self) -> Option<()> {
        self.skip(b"\"")?;
        loop {
            self.skip_characters();
            match self.next()? {
                b'"' => break,
                b'\\' => self.skip_escape()?,
                _ => return None,
            }
        }
        self.at += 1;
        Some(())
    }

    /// Passes an escape. Whether it stands for a character does not matter in a value that is not wanted.
    fn skip_escape(&mut self) -> Option<()> {
        match *self.line.get(self.at + 1)? {
            b'u' => {
                hex(self.line.get(self.at + 2..)?.first_chunk()?)?;
                self.at += 6;
            }
            byte => {
                escaped(byte)?;
                self.at += 2;
            }
        }
        Some(())
    }
}

/// The character that a backslash and this byte stand for.
pub(crate) fn escaped(byte: u8) -> Option<u8> {
    Some(match byte {
        b'"' | b'\\' | b'/' => byte,
        b'b' => 0x08,
        b'f' => 0x0c,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        _ => return None,
    })
}

/// The number that four bytes write in base 16.
#[inline]
pub(crate) fn hex(bytes: &[u8; 4]) -> Option<u32> {
    let [a, b, c, d] = bytes.map(|byte| u32::from(DIGITS[usize::from(byte)]));
    ((a | b | c | d) < 16).then_some(a << 12 | b << 8 | c << 4 | d)
}

/// The value of each digit of base 16; that of other bytes is too large.
const DIGITS: [u8; 256] = {
    let mut digits = [0xff; 256];
    let mut value = 0;
    while value < 16 {
        digits[b"0123456789abcdef"[value] as usize] = value as u8;
        digits[b"0123456789ABCDEF"[value] as usize] = value as u8;
        value += 1;
    }
    digits
};
