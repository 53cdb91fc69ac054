//! One JSON object goes in; the values under some names come out.
//!
//! Beware: this parser is written for speed, because reading JSON takes longer than to classify it. It makes no tree
//! and copies only what is wanted. What it must do in every case:
//!
//! - It accepts exactly the objects of RFC 8259, and NaN, Infinity and -Infinity as null, because Python writes them.
//! - If a name occurs twice, its last value is taken.
//! - Values that are not wanted are only passed over, at any depth without recursion: neither their UTF-8 nor the halves
//!   of surrogate pairs are looked at.
//! - It takes linear time.
//!
//! `fuzz/` compares it with `serde_json`, in the normal suite by `tests/fuzz.rs`.

use crate::read::records::Column;
use std::borrow::Cow;

/// What kind of value a name has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// No value, null, or a number that is not finite.
    Nothing,
    Text,
    /// A whole number of 64 bits.
    Whole,
    Truth,
    /// Another number, an array or an object.
    Other,
}

/// Reads the values under some names into the columns, and what they are into `found`. Returns false if the line is not
/// exactly one object, or if what is wanted is not UTF-8; then the values are those that were read before.
pub(crate) fn read_object(line: &[u8], names: &[String], columns: &mut [Column], found: &mut [Found]) -> bool {
    // A line that is text as a whole need not be checked string by string. Of other lines, only what is wanted is.
    let is_text = simdutf8::basic::from_utf8(line).is_ok();
    columns.iter_mut().for_each(Column::reopen);
    found.fill(Found::Nothing);
    Object { line, at: 0, is_text }.read(names, columns, found).is_some()
}

/// A line, and how far it has been read. Every function returns `None` for what is not JSON.
struct Object<'a> {
    line: &'a [u8],
    at: usize,
    is_text: bool,
}

impl<'a> Object<'a> {
    fn read(&mut self, names: &[String], columns: &mut [Column], found: &mut [Found]) -> Option<()> {
        self.skip_spaces();
        self.skip(b"{")?;
        self.skip_spaces();
        let mut is_open = self.skip(b"}").is_none();
        while is_open {
            let key = self.key()?;
            self.skip_colon()?;
            match names.iter().position(|name| name.as_bytes() == &*key) {
                Some(at) => {
                    columns[at].reopen();
                    found[at] = Found::Nothing;
                    found[at] = self.copy_value(&mut columns[at].values)?;
                }
                None => self.skip_value()?,
            }
            is_open = self.skip_comma(b'}')?;
        }
        self.skip_spaces();
        (self.at == self.line.len()).then_some(())
    }

    fn next(&self) -> Option<u8> {
        self.line.get(self.at).copied()
    }

    fn skip(&mut self, expected: &[u8]) -> Option<()> {
        self.line[self.at..].starts_with(expected).then(|| self.at += expected.len())
    }

    fn skip_spaces(&mut self) {
        while matches!(self.next(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    fn skip_colon(&mut self) -> Option<()> {
        self.skip_spaces();
        self.skip(b":")?;
        self.skip_spaces();
        Some(())
    }

    /// Passes what follows an element: a comma, or the end of the list, for which it returns false.
    fn skip_comma(&mut self, close: u8) -> Option<bool> {
        self.skip_spaces();
        let next = self.next()?;
        self.at += 1;
        if next == close {
            return Some(false);
        }
        self.skip_spaces();
        (next == b',').then_some(true)
    }

    /// A name, borrowed from the line unless it is written with escapes.
    fn key(&mut self) -> Option<Cow<'a, [u8]>> {
        let start = self.at + 1;
        self.skip(b"\"")?;
        self.skip_characters();
        let key = &self.line[start..self.at];
        if self.skip(b"\"").is_some() {
            return (self.is_text || std::str::from_utf8(key).is_ok()).then_some(Cow::Borrowed(key));
        }
        self.at = start - 1;
        let mut key = Vec::new();
        self.copy_string(&mut key)?;
        Some(Cow::Owned(key))
    }

    /// Passes a value, without recursion: `open` are the ends of the lists in which it stands.
    fn skip_value(&mut self) -> Option<()> {
        let mut open = Vec::new();
        loop {
            match self.next()? {
                b'"' => self.skip_string()?,
                first @ (b'{' | b'[') => {
                    let close = if first == b'{' { b'}' } else { b']' };
                    self.at += 1;
                    self.skip_spaces();
                    if self.skip(&[close]).is_none() {
                        open.push(close);
                        self.skip_name(close)?;
                        continue;
                    }
                }
                _ => self.skip_scalar()?,
            }
            loop {
                let Some(&close) = open.last() else { return Some(()) };
                if self.skip_comma(close)? {
                    self.skip_name(close)?;
                    break;
                }
                open.pop();
            }
        }
    }

    /// Passes the name that precedes a value in an object.
    fn skip_name(&mut self, close: u8) -> Option<()> {
        if close == b'}' {
            self.skip_string()?;
            self.skip_colon()?;
        }
        Some(())
    }

    /// Passes a number, or one of the names that are values.
    fn skip_scalar(&mut self) -> Option<()> {
        match self.next()? {
            b't' => self.skip(b"true"),
            b'f' => self.skip(b"false"),
            b'n' => self.skip(b"null"),
            b'N' => self.skip(b"NaN"),
            b'I' => self.skip(b"Infinity"),
            b'-' if self.line.get(self.at + 1) == Some(&b'I') => self.skip(b"-Infinity"),
            _ => self.skip_number(),
        }
    }

    /// Passes a number, as RFC 8259 (6) defines it.
    fn skip_number(&mut self) -> Option<()> {
        // Without value if there is no sign.
        let _ = self.skip(b"-");
        if self.skip(b"0").is_none() {
            self.skip_digits()?;
        }
        if self.skip(b".").is_some() {
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

    fn skip_digits(&mut self) -> Option<()> {
        let start = self.at;
        while matches!(self.next(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        (self.at > start).then_some(())
    }

    /// Passes the characters of a string up to its end, an escape or a byte that may not be in a string.
    fn skip_characters(&mut self) {
        while let Some(block) = self.line[self.at..].first_chunk::<BLOCK>() {
            let plain = plain(block);
            self.at += plain;
            if plain < BLOCK {
                return;
            }
        }
        while self.next().is_some_and(|byte| byte != b'"' && byte != b'\\' && byte >= 0x20) {
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

    /// Appends a wanted value, as text.
    fn copy_value(&mut self, values: &mut Vec<u8>) -> Option<Found> {
        let start = self.at;
        match self.next()? {
            b'"' => {
                self.copy_string(values)?;
                return Some(Found::Text);
            }
            b'{' | b'[' => {
                self.skip_value()?;
                return Some(Found::Other);
            }
            _ => self.skip_scalar()?,
        }
        let scalar = std::str::from_utf8(&self.line[start..self.at]).ok()?;
        match scalar {
            "true" | "false" => {
                values.extend_from_slice(scalar.as_bytes());
                Some(Found::Truth)
            }
            "null" | "NaN" | "Infinity" | "-Infinity" => Some(Found::Nothing),
            number => copy_number(number, values),
        }
    }

    fn copy_string(&mut self, values: &mut Vec<u8>) -> Option<()> {
        self.skip(b"\"")?;
        let start = values.len();
        loop {
            self.copy_characters(values);
            match self.next()? {
                b'"' => break,
                b'\\' => self.copy_escapes(values)?,
                _ => return None,
            }
        }
        self.at += 1;
        (self.is_text || std::str::from_utf8(&values[start..]).is_ok()).then_some(())
    }

    /// Appends what [`Self::skip_characters`] passes.
    fn copy_characters(&mut self, values: &mut Vec<u8>) {
        while let Some(block) = self.line[self.at..].first_chunk::<BLOCK>() {
            let plain = plain(block);
            // A copy of known size takes a few instructions; what is too much of it is dropped.
            let end = values.len() + plain;
            values.extend_from_slice(block);
            values.truncate(end);
            self.at += plain;
            if plain < BLOCK {
                return;
            }
        }
        let start = self.at;
        self.skip_characters();
        values.extend_from_slice(&self.line[start..self.at]);
    }

    /// Appends the characters that the next escapes stand for. In languages that are not written in ASCII, many follow
    /// each other.
    fn copy_escapes(&mut self, values: &mut Vec<u8>) -> Option<()> {
        loop {
            while let Some([b'\\', b'u', digits @ ..]) = self.line[self.at..].first_chunk::<6>() {
                let unit = hex(digits)?;
                self.at += 6;
                let code = if (0xd800..0xe000).contains(&unit) { self.second_half(unit)? } else { unit };
                push(code, values);
            }
            if self.next()? != b'\\' {
                return Some(());
            }
            values.push(escaped(*self.line.get(self.at + 1)?)?);
            self.at += 2;
        }
    }

    /// The number of the character whose number in UTF-16 has two halves, of which the second is the next escape.
    fn second_half(&mut self, first: u32) -> Option<u32> {
        let (true, [b'\\', b'u', digits @ ..]) = (first < 0xdc00, self.line[self.at..].first_chunk::<6>()?) else {
            return None;
        };
        let second = hex(digits)?;
        self.at += 6;
        (0xdc00..0xe000).contains(&second).then(|| 0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00))
    }
}

/// Appends a number as the kernel writes it: whole if it is so and has 64 bits, else as a float, which must be finite.
fn copy_number(number: &str, values: &mut Vec<u8>) -> Option<Found> {
    let is_whole = number != "-0" && (number.parse::<i64>().is_ok() || number.parse::<u64>().is_ok());
    if is_whole {
        values.extend_from_slice(number.as_bytes());
        return Some(if number.parse::<i64>().is_ok() { Found::Whole } else { Found::Other });
    }
    let float: f64 = number.parse().ok()?;
    values.extend_from_slice(float.to_string().as_bytes());
    float.is_finite().then_some(Found::Other)
}

/// The number of bytes that are looked at together.
const BLOCK: usize = 32;

/// The number of bytes before the first one that ends a string, begins an escape, or may not be in a string.
///
/// Eight bytes are looked at as one number, on any processor: where a byte is below a limit, a subtraction borrows from
/// its highest bit (Lamport, *Multiple byte processing with full-word instructions*, 1975). A borrow may also set the bits
/// of bytes behind it, never of those before it.
#[inline]
fn plain(block: &[u8; BLOCK]) -> usize {
    const ONES: u64 = u64::MAX / 255;
    let below = |bytes: u64, limit: u8| bytes.wrapping_sub(ONES * u64::from(limit)) & !bytes;
    let mut before = 0;
    for eight in block.as_chunks().0 {
        let bytes = u64::from_le_bytes(*eight);
        let (quotes, escapes) = (bytes ^ (ONES * u64::from(b'"')), bytes ^ (ONES * u64::from(b'\\')));
        let special = (below(bytes, 0x20) | below(quotes, 1) | below(escapes, 1)) & ONES << 7;
        if special != 0 {
            return before + special.trailing_zeros() as usize / 8;
        }
        before += 8;
    }
    before
}

/// The character that a backslash and this byte stand for.
fn escaped(byte: u8) -> Option<u8> {
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
fn hex(bytes: &[u8; 4]) -> Option<u32> {
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

/// Appends a character in UTF-8, given its number, which is not one of half a character.
#[inline]
fn push(code: u32, values: &mut Vec<u8>) {
    let part = |shift: u32| 0x80 | (code >> shift & 0x3f) as u8;
    let (bytes, size) = match code {
        0..0x80 => ([code as u8, 0, 0, 0], 1),
        0x80..0x800 => ([0xc0 | (code >> 6) as u8, part(0), 0, 0], 2),
        0x800..0x1_0000 => ([0xe0 | (code >> 12) as u8, part(6), part(0), 0], 3),
        _ => ([0xf0 | (code >> 18) as u8, part(12), part(6), part(0)], 4),
    };
    // A copy of known size takes a few instructions; what is too much of it is dropped.
    let end = values.len() + size;
    values.extend_from_slice(&bytes);
    values.truncate(end);
}

#[cfg(test)]
mod tests {
    use super::*;
    fn read(line: &str) -> Option<Vec<String>> {
        let names = ["t".to_string(), "l".to_string()];
        let mut columns = [Column::default(), Column::default()];
        let mut found = vec![Found::Nothing; 2];
        let is_read = read_object(line.as_bytes(), &names, &mut columns, &mut found);
        let strings = columns.map(|column| String::from_utf8(column.values).unwrap_or_default());
        is_read.then(|| strings.to_vec())
    }

    #[test]
    fn what_is_not_json_is_refused() {
        for value in [
            "01",
            "-",
            "1.",
            ".5",
            "+1",
            "1e",
            "1e+",
            "tru",
            "nulll",
            "[1,]",
            "[,]",
            "{\"a\":1,}",
            "{1:2}",
            "-NaN",
            "[}",
        ] {
            let line = format!("{{\"o\":{value},\"t\":\"\"}}");
            assert_eq!(read(&line), None, "{line}");
        }
        for text in
            ["\\x", "\\u12g4", "\\u12", "\u{1}", "\n", "\0", "\\ud800", "\\udc00", "\\ud800\\u0041", "\\ud800\\n"]
        {
            let line = format!("{{\"t\":\"{text}\"}}");
            assert_eq!(read(&line), None, "{line}");
        }
        for line in [
            "",
            " ",
            "{",
            "[]",
            "NaN",
            "{} {}",
            "{}x",
            "{\"t\":\"a",
            "{\"t\"",
            "{\"t\":",
            "{\"t\":\"a\"\u{b}}",
            "{NaN:1}",
        ] {
            assert_eq!(read(line), None, "{line}");
        }
    }

    #[test]
    fn values_of_any_depth_are_passed() {
        for depth in [1, 100, 1_000_000] {
            let line = format!("{{\"o\":{}1{},\"t\":\"a\"}}", "[{\"p\":".repeat(depth), "}]".repeat(depth));
            assert_eq!(read(&line).map(|strings| strings.concat()).as_deref(), Some("a"));
            assert_eq!(read(&line[..line.len() - 10]), None);
        }
    }

    #[test]
    fn every_byte_at_every_place_of_a_block() {
        for place in 0..BLOCK {
            for byte in 0..=u8::MAX {
                let mut block = [b'a'; BLOCK];
                block[place] = byte;
                let is_special = byte == b'"' || byte == b'\\' || byte < 0x20;
                assert_eq!(plain(&block), if is_special { place } else { BLOCK });
            }
        }
    }
}
