//! Bytes in the compact protocol of Thrift go in; numbers, strings and the beginnings of structs and lists come out.
//!
//! Parquet writes its footer and the headers of its pages in this protocol (Apache Thrift, *Thrift compact protocol
//! encoding*). Nothing is reserved: whoever reads a list takes its elements one by one.

use crate::store::input::Input;
use crate::store::refused::Result;

pub(super) const TRUE: u8 = 1;
pub(super) const FALSE: u8 = 2;
pub(super) const BYTE: u8 = 3;
pub(super) const I16: u8 = 4;
pub(super) const I32: u8 = 5;
pub(super) const I64: u8 = 6;
pub(super) const DOUBLE: u8 = 7;
pub(super) const BINARY: u8 = 8;
pub(super) const LIST: u8 = 9;
pub(super) const SET: u8 = 10;
pub(super) const STRUCT: u8 = 12;

/// The deepest nesting of values that are passed over; a footer has 6 levels.
const DEEPEST: u8 = 12;
/// The greatest number of values in a footer; that of a file with a million rows has about 200.
const MOST: u32 = 1 << 20;

/// A field of a struct: its number and the kind of its value.
pub(super) type Field = (i16, u8);

/// What has not been read yet.
pub(super) struct Reader<'a> {
    input: Input<'a>,
    size: usize,
    /// The number of values that may still come. Without it, a list of a billion values that take no bytes would be
    /// passed over one by one.
    left: u32,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { input: Input { rest: bytes }, size: bytes.len(), left: MOST }
    }

    /// The bytes that have not been read yet.
    pub(super) fn rest(&self) -> &'a [u8] {
        self.input.rest
    }

    /// The number of bytes that have been read.
    pub(super) fn at(&self) -> usize {
        self.size - self.input.rest.len()
    }

    /// Calls `take` for each field of a struct. It must read the value, or pass over it with [`Self::skip`].
    pub(super) fn each_field(&mut self, mut take: impl FnMut(&mut Self, Field) -> Result<()>) -> Result<()> {
        let mut number = 0i16;
        loop {
            let head = self.byte()?;
            if head == 0 {
                return Ok(());
            }
            self.spend()?;
            // A number is written as its distance from the one before. The other way to write it, in full, is for
            // numbers that Parquet does not have, and could name a field twice.
            number = match head >> 4 {
                0 => return Err("it has a field that Parquet does not have".into()),
                more => number.checked_add(more.into()).ok_or("it has too many fields")?,
            };
            take(self, (number, head & 15))?;
        }
    }

    /// Reads a number of the wanted kind.
    pub(super) fn number(&mut self, kind: u8, wanted: u8) -> Result<i64> {
        if kind != wanted {
            return Err("a number is of another kind than Parquet writes".into());
        }
        self.signed()
    }

    /// Reads a string.
    pub(super) fn string(&mut self, kind: u8) -> Result<&'a [u8]> {
        if kind != BINARY {
            return Err("a value is not a text where Parquet writes one".into());
        }
        let length = self.varint()?;
        self.take(length)
    }

    /// Passes over the beginning of a struct.
    pub(super) fn begin_struct(&mut self, kind: u8) -> Result<()> {
        if kind == STRUCT { Ok(()) } else { Err("a value is not a struct where Parquet writes one".into()) }
    }

    /// Calls `take` for each element of a list, all of which must be of the wanted kind.
    pub(super) fn each_element(
        &mut self,
        kind: u8,
        wanted: u8,
        mut take: impl FnMut(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let (element, length) = self.list(kind)?;
        if length > 0 && element != wanted {
            return Err("a list has elements of another kind than Parquet writes".into());
        }
        (0..length).try_for_each(|_| {
            self.spend()?;
            take(self)
        })
    }

    /// Passes over a value.
    pub(super) fn skip(&mut self, kind: u8) -> Result<()> {
        self.skip_at(kind, 0)
    }

    fn skip_at(&mut self, kind: u8, depth: u8) -> Result<()> {
        if depth > DEEPEST {
            return Err("its values are nested too deeply".into());
        }
        match kind {
            TRUE | FALSE => Ok(()),
            BYTE => self.take(1).map(drop),
            I16 | I32 | I64 => self.signed().map(drop),
            DOUBLE => self.take(8).map(drop),
            BINARY => self.string(kind).map(drop),
            STRUCT => self.each_field(|reader, (_, kind)| reader.skip_at(kind, depth + 1)),
            LIST | SET => {
                let (element, length) = self.list(kind)?;
                (0..length).try_for_each(|_| {
                    self.spend()?;
                    // In a list, but not in a struct, true and false take a byte.
                    self.skip_at(if element <= FALSE { BYTE } else { element }, depth + 1)
                })
            }
            _ => Err("it has a value of a kind that Parquet does not have".into()),
        }
    }

    /// The kind of the elements of a list, and their number.
    fn list(&mut self, kind: u8) -> Result<(u8, u64)> {
        if kind != LIST && kind != SET {
            return Err("a value is not a list where Parquet writes one".into());
        }
        let head = self.byte()?;
        let length = if head >> 4 < 15 { u64::from(head >> 4) } else { self.varint()? };
        Ok((head & 15, length))
    }

    fn spend(&mut self) -> Result<()> {
        self.left = self.left.checked_sub(1).ok_or("it has more values than any model")?;
        Ok(())
    }

    fn take(&mut self, length: u64) -> Result<&'a [u8]> {
        let length = usize::try_from(length).map_err(|_| "a value is longer than the file")?;
        Ok(self.input.take(length).ok_or("a value is longer than the file")?)
    }

    fn byte(&mut self) -> Result<u8> {
        Ok(self.input.byte().ok_or("it ends in the middle of a value")?)
    }

    fn varint(&mut self) -> Result<u64> {
        Ok(self.input.number().ok_or(BROKEN_NUMBER)?)
    }

    fn signed(&mut self) -> Result<i64> {
        Ok(self.input.signed().ok_or(BROKEN_NUMBER)?)
    }
}

const BROKEN_NUMBER: &str = "a number is cut off, or has too many digits";

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(bytes: &[u8]) -> Result<Vec<(i16, i64)>> {
        let mut found = Vec::new();
        Reader::new(bytes).each_field(|reader, (number, kind)| {
            if kind == I32 {
                found.push((number, reader.number(kind, I32)?));
                return Ok(());
            }
            reader.skip(kind)
        })?;
        Ok(found)
    }

    fn message(bytes: &[u8]) -> String {
        fields(bytes).expect_err("refused").to_string()
    }

    #[test]
    fn fields_are_read_and_others_passed_over() {
        // 1: i32 -1; 2: "ab"; 3: list of two i32; 4: struct with 1: true; 6: double; 7: i32 64.
        let bytes = [
            &[0x15, 0x01, 0x18, 0x02, b'a', b'b', 0x19, 0x25, 0x02, 0x04, 0x1c, 0x11, 0x00, 0x27][..],
            &[0; 8],
            &[0x15, 0x80, 0x01, 0x00],
        ]
        .concat();
        assert_eq!(fields(&bytes), Ok(vec![(1, -1), (7, 64)]));
        for length in 0..bytes.len() {
            assert!(fields(&bytes[..length]).is_err(), "{length}");
        }
    }

    #[test]
    fn what_parquet_does_not_write_is_refused() {
        // The number of a field in full: 65538, which a reader with 16 bits would take for 2.
        assert_eq!(message(&[0x05, 0x84, 0x80, 0x08, 0x02, 0x00]), "it has a field that Parquet does not have");
        assert_eq!(message(&[0x1b, 0x00, 0x00]), "it has a value of a kind that Parquet does not have");
        assert_eq!(message(&[0x1c; 100]), "its values are nested too deeply");
        assert_eq!(message(&[0x19; 100]), "its values are nested too deeply");
        assert_eq!(message(&[&[0x15][..], &[0xff; 10]].concat()), BROKEN_NUMBER);
        let mut other = Reader::new(&[0x28, 0x01, b'a']);
        assert!(other.each_element(LIST, I32, |_| Ok(())).is_err());
    }

    #[test]
    fn what_is_read_is_bounded() {
        assert_eq!(message(&[0x18, 0xff, 0xff, 0xff, 0xff, 0x07]), "a value is longer than the file");
        // A list of two billion structs, each of which is a byte, and lists of values that take no room.
        let structs = [&[0x19, 0xfc, 0xff, 0xff, 0xff, 0xff, 0x07][..], &vec![0; 2 << 20]].concat();
        assert_eq!(message(&structs), "it has more values than any model");
        assert_eq!(message(&[0x19, 0xf1, 0xff, 0xff, 0xff, 0xff, 0x07]), "a value is longer than the file");
    }
}
