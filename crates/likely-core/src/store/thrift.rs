//! Bytes in the compact protocol of Thrift go in; a tree of the values in them comes out.
//!
//! Parquet writes its footer and the headers of its pages in this protocol (Apache Thrift, *Thrift compact protocol
//! encoding*). No length is believed: memory is asked for each value when it has been read, and there are not too many.

use crate::store::input::Input;
use crate::store::refused::Result;

const TRUE: u8 = 1;
const FALSE: u8 = 2;
const BYTE: u8 = 3;
const I16: u8 = 4;
const I32: u8 = 5;
const I64: u8 = 6;
const DOUBLE: u8 = 7;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const SET: u8 = 10;
const STRUCT: u8 = 12;

/// The deepest nesting of values; a footer has 6 levels.
const DEEPEST: u8 = 12;
/// The greatest number of values in a footer; that of a file with a million rows has about 200.
const MOST: u32 = 1 << 20;

/// A struct: the numbers of its fields, none of them twice, with their values.
pub(super) struct Struct<'a>(Vec<(i16, Value<'a>)>);

enum Value<'a> {
    /// A whole number of any size.
    Number(i64),
    Text(Text<'a>),
    Struct(Struct<'a>),
    List(Vec<Value<'a>>),
    /// Truth, a single byte or a float: nothing of this kind matters.
    Other,
}

/// A string, and the place among all bytes where it starts.
#[derive(Clone, Copy)]
pub(super) struct Text<'a> {
    pub(super) start: usize,
    pub(super) bytes: &'a [u8],
}

impl<'a> Struct<'a> {
    /// The struct with which some bytes begin, and the number of its bytes.
    pub(super) fn read(bytes: &'a [u8]) -> Result<(Self, usize)> {
        let mut reader = Reader { input: Input { rest: bytes }, size: bytes.len(), left: MOST };
        let found = reader.fields(0)?;
        Ok((found, reader.at()))
    }

    /// The numbers of the fields, which ascend.
    pub(super) fn fields(&self) -> impl Iterator<Item = i16> {
        self.0.iter().map(|(number, _)| *number)
    }

    /// The number in a field.
    pub(super) fn number(&self, field: i16) -> Result<Option<i64>> {
        match self.value(field) {
            None => Ok(None),
            Some(Value::Number(number)) => Ok(Some(*number)),
            Some(_) => Err("a value is not a number where Parquet writes one".into()),
        }
    }

    /// The string in a field.
    pub(super) fn text(&self, field: i16) -> Result<Option<Text<'a>>> {
        match self.value(field) {
            None => Ok(None),
            Some(Value::Text(text)) => Ok(Some(*text)),
            Some(_) => Err("a value is not a text where Parquet writes one".into()),
        }
    }

    /// The struct in a field.
    pub(super) fn inner(&self, field: i16) -> Result<Option<&Self>> {
        match self.value(field) {
            None => Ok(None),
            Some(Value::Struct(inner)) => Ok(Some(inner)),
            Some(_) => Err("a value is not a struct where Parquet writes one".into()),
        }
    }

    /// The structs in the list that a field is.
    pub(super) fn structs(&self, field: i16) -> Result<Vec<&Self>> {
        self.list(field, |value| if let Value::Struct(inner) = value { Some(inner) } else { None })
    }

    /// The strings in the list that a field is.
    pub(super) fn texts(&self, field: i16) -> Result<Vec<&'a [u8]>> {
        self.list(field, |value| if let Value::Text(text) = value { Some(text.bytes) } else { None })
    }

    fn list<'t, T>(&'t self, field: i16, of: impl Fn(&'t Value<'a>) -> Option<T>) -> Result<Vec<T>> {
        let elements = match self.value(field) {
            None => &[][..],
            Some(Value::List(elements)) => elements,
            Some(_) => return Err("a value is not a list where Parquet writes one".into()),
        };
        let found: Option<Vec<T>> = elements.iter().map(of).collect();
        found.ok_or_else(|| "a list has elements of another kind than Parquet writes".into())
    }

    fn value(&self, field: i16) -> Option<&Value<'a>> {
        self.0.iter().find(|(number, _)| *number == field).map(|(_, value)| value)
    }
}

/// What has not been read yet.
struct Reader<'a> {
    input: Input<'a>,
    size: usize,
    /// The number of values that may still come.
    left: u32,
}

impl<'a> Reader<'a> {
    /// The number of bytes that have been read.
    fn at(&self) -> usize {
        self.size - self.input.rest.len()
    }

    fn fields(&mut self, depth: u8) -> Result<Struct<'a>> {
        let (mut fields, mut number) = (Vec::new(), 0i16);
        loop {
            let head = self.byte()?;
            if head == 0 {
                return Ok(Struct(fields));
            }
            // A number is written as its distance from the one before. The other way to write it, in full, is for
            // numbers that Parquet does not have, and could name a field twice.
            number = match head >> 4 {
                0 => return Err("it has a field that Parquet does not have".into()),
                more => number.checked_add(more.into()).ok_or("it has too many fields")?,
            };
            fields.push((number, self.value(head & 15, depth + 1)?));
        }
    }

    fn value(&mut self, kind: u8, depth: u8) -> Result<Value<'a>> {
        self.left = self.left.checked_sub(1).ok_or("it has more values than any model")?;
        if depth > DEEPEST {
            return Err("its values are nested too deeply".into());
        }
        Ok(match kind {
            TRUE | FALSE => Value::Other,
            BYTE => self.take(1).map(|_| Value::Other)?,
            DOUBLE => self.take(8).map(|_| Value::Other)?,
            I16 | I32 | I64 => Value::Number(self.input.signed().ok_or(BROKEN_NUMBER)?),
            BINARY => {
                let length = self.varint()?;
                Value::Text(Text { start: self.at(), bytes: self.take(length)? })
            }
            LIST | SET => {
                let head = self.byte()?;
                let length = if head >> 4 < 15 { u64::from(head >> 4) } else { self.varint()? };
                // In a list, but not in a struct, true and false take a byte.
                let kind = if head & 15 <= FALSE { BYTE } else { head & 15 };
                let elements: Result<Vec<_>> = (0..length).map(|_| self.value(kind, depth + 1)).collect();
                Value::List(elements?)
            }
            STRUCT => Value::Struct(self.fields(depth)?),
            _ => return Err("it has a value of a kind that Parquet does not have".into()),
        })
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
}

const BROKEN_NUMBER: &str = "a number is cut off, or has too many digits";

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Result<Struct<'_>> {
        Struct::read(bytes).map(|(found, _)| found)
    }

    fn message(bytes: &[u8]) -> String {
        read(bytes).err().expect("refused").to_string()
    }

    #[test]
    fn fields_are_read_by_their_numbers() {
        // 1: i32 -1; 2: "ab"; 3: list of two i32; 4: struct with 1: true; 6: double; 7: i32 64.
        let bytes = [
            &[0x15, 0x01, 0x18, 0x02, b'a', b'b', 0x19, 0x25, 0x02, 0x04, 0x1c, 0x11, 0x00, 0x27][..],
            &[0; 8],
            &[0x15, 0x80, 0x01, 0x00],
        ]
        .concat();
        let longer = [&bytes[..], &[1]].concat();
        let (found, size) = Struct::read(&longer).expect("sound");
        assert_eq!((size, found.fields().collect::<Vec<_>>()), (bytes.len(), vec![1, 2, 3, 4, 6, 7]));
        assert_eq!([1, 5, 7].map(|field| found.number(field)), [Ok(Some(-1)), Ok(None), Ok(Some(64))]);
        assert_eq!(found.text(2).map(|text| text.map(|text| (text.start, text.bytes))), Ok(Some((4, &b"ab"[..]))));
        assert!(found.inner(4).is_ok_and(|inner| inner.is_some_and(|inner| inner.fields().eq([1]))));
        for length in 0..bytes.len() {
            assert!(read(&bytes[..length]).is_err(), "{length}");
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
        let list = read(&[0x19, 0x18, 0x01, b'a', 0x00]).expect("sound");
        assert_eq!(list.texts(1), Ok(vec![&b"a"[..]]));
        assert!(
            list.structs(1).is_err() && list.number(1).is_err() && list.text(1).is_err() && list.inner(1).is_err()
        );
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
