//! The end of a file goes in; the types of its columns, the places of its parts and its document come out.
//!
//! Fields are named by their numbers in `parquet.thrift` of Apache Parquet.

use crate::store::refused::{Refused, Result};
use crate::store::thrift::{BINARY, I32, I64, Reader, STRUCT};
use std::ops::Range;

/// The first and the last bytes of a Parquet file.
const MAGIC: &[u8] = b"PAR1";
/// The name of the JSON document in the footer.
pub(super) const KEY: &str = "likely";
/// The greatest number of columns that a model has.
const MOST_COLUMNS: usize = 7;
/// The greatest number of row groups: a model has at most 2^32 rows, about 2^20 in each group.
const MOST_GROUPS: usize = 1 << 13;

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Truth,
    /// A whole number with a sign.
    Signed,
    /// A whole number without a sign.
    Unsigned,
    /// A float of 32 bits.
    Float,
    Text,
}

/// How a column is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Codec {
    None,
    Zstd,
}

/// The values of a column in a row group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Chunk {
    pub(super) codec: Codec,
    pub(super) place: Range<usize>,
}

/// Some rows of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Group {
    pub(super) rows: usize,
    pub(super) chunks: Vec<Chunk>,
}

/// The content of the footer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Footer {
    pub(super) columns: Vec<(String, Kind)>,
    pub(super) groups: Vec<Group>,
    document: Range<usize>,
}

impl Footer {
    /// The footer of a file; a refusal if the file is not a model file.
    pub fn read(data: &[u8]) -> Result<Self> {
        let place = footer_place(data)?;
        let found = Found::read(&data[place.clone()])?;
        let document = found.document.ok_or(FOREIGN)?;
        let document = place.start + document.start..place.start + document.end;
        let mut footer = Self { columns: found.columns, groups: Vec::new(), document };
        let mut start = MAGIC.len();
        for group in found.groups {
            footer.groups.push(footer.checked_group(group, &mut start, place.start)?);
        }
        let rows: usize = footer.groups.iter().map(|group| group.rows).sum();
        if Ok(rows) != usize::try_from(found.rows) {
            return Err("its row groups have more or fewer rows than its footer says".into());
        }
        Ok(footer)
    }

    /// The place of the JSON document in the file.
    pub fn document(&self) -> Range<usize> {
        self.document.clone()
    }

    /// The column of a name, and its type.
    pub(super) fn column(&self, name: &str) -> Option<(usize, Kind)> {
        let at = self.columns.iter().position(|column| column.0 == name)?;
        Some((at, self.columns[at].1))
    }

    /// The row group, if its columns are those of the table and lie one after the other before the footer.
    fn checked_group(&self, group: FoundGroup<'_>, start: &mut usize, end: usize) -> Result<Group> {
        if group.chunks.len() != self.columns.len() {
            return Err("a row group has other columns than the file".into());
        }
        let mut chunks = Vec::with_capacity(group.chunks.len());
        for (chunk, (name, kind)) in group.chunks.iter().zip(&self.columns) {
            let ours = chunk.path == name.as_bytes() && chunk.physical == kind.physical();
            if !ours || chunk.values != group.rows {
                return Err(Refused::column(name, "is not as `likely` writes it"));
            }
            // Older versions of pyarrow repeat a part of the footer between two columns, so there may be gaps.
            let place = chunk.place().filter(|place| *start <= place.start && place.end <= end);
            let place = place.ok_or_else(|| Refused::column(name, "is not where it should be"))?;
            let codec = match chunk.codec {
                0 => Codec::None,
                6 => Codec::Zstd,
                _ => return Err(Refused::column(name, "is compressed in a way that `likely` does not write")),
            };
            *start = place.end;
            chunks.push(Chunk { codec, place });
        }
        let rows = u32::try_from(group.rows).map_err(|_| "a row group has more rows than any model")?;
        Ok(Group { rows: rows as usize, chunks })
    }
}

const FOREIGN: &str = "it is a Parquet file, but not a model of `likely`";

fn footer_place(data: &[u8]) -> Result<Range<usize>> {
    if data.is_empty() {
        return Err("it is empty".into());
    }
    if !data.starts_with(MAGIC) {
        return Err("it is not a Parquet file, so it is not a model of `likely`".into());
    }
    let cut = "it is cut off or damaged: get a fresh copy";
    let body = data[MAGIC.len()..].strip_suffix(MAGIC).ok_or(cut)?;
    let (body, size) = body.split_last_chunk::<4>().ok_or(cut)?;
    let start = body.len().checked_sub(u32::from_le_bytes(*size) as usize).ok_or(cut)?;
    Ok(MAGIC.len() + start..MAGIC.len() + body.len())
}

/// The footer as it is written.
#[derive(Default)]
struct Found<'a> {
    columns: Vec<(String, Kind)>,
    rows: i64,
    groups: Vec<FoundGroup<'a>>,
    /// The place of the document in the footer.
    document: Option<Range<usize>>,
}

#[derive(Default)]
struct FoundGroup<'a> {
    rows: i64,
    chunks: Vec<FoundChunk<'a>>,
}

#[derive(Default)]
struct FoundChunk<'a> {
    physical: i64,
    path: &'a [u8],
    codec: i64,
    values: i64,
    size: i64,
    pages: i64,
    dictionary: Option<i64>,
}

impl FoundChunk<'_> {
    fn place(&self) -> Option<Range<usize>> {
        let start = self.dictionary.unwrap_or(self.pages).min(self.pages);
        let end = start.checked_add(self.size)?;
        let (start, end) = (usize::try_from(start).ok()?, usize::try_from(end).ok()?);
        (start <= end).then_some(start..end)
    }
}

impl<'a> Found<'a> {
    fn read(bytes: &'a [u8]) -> Result<Self> {
        let mut found = Self::default();
        let mut reader = Reader::new(bytes);
        let mut root = None;
        let mut is_plain = true;
        reader.each_field(|reader, (number, kind)| match number {
            2 => reader.each_element(kind, STRUCT, |reader| {
                let element = Element::read(reader)?;
                if root.is_none() {
                    root = Some(element.children);
                    return Ok(());
                }
                if found.columns.len() == MOST_COLUMNS {
                    return Err("its columns are not those of a model".into());
                }
                found.columns.push(element.column()?);
                Ok(())
            }),
            3 => reader.number(kind, I64).map(|rows| found.rows = rows),
            4 => reader.each_element(kind, STRUCT, |reader| {
                if found.groups.len() == MOST_GROUPS {
                    return Err("it has more row groups than any model".into());
                }
                found.groups.push(FoundGroup::read(reader)?);
                Ok(())
            }),
            5 => reader.each_element(kind, STRUCT, |reader| {
                let (key, value) = pair(reader)?;
                is_plain &= key == KEY.as_bytes() && found.document.is_none();
                if key == KEY.as_bytes() {
                    found.document = value;
                }
                Ok(())
            }),
            1 | 6 | 7 => reader.skip(kind),
            _ => {
                is_plain = false;
                reader.skip(kind)
            }
        })?;
        if !reader.rest().is_empty() {
            return Err("its footer is longer than what it holds".into());
        }
        if root.flatten() != i64::try_from(found.columns.len()).ok() {
            return Err("its columns are not those of a model".into());
        }
        // More would be an Arrow schema, or encryption.
        if found.document.is_some() && !is_plain {
            return Err("its footer holds more than `likely` writes".into());
        }
        Ok(found)
    }
}

/// A key and the place of its value.
fn pair<'a>(reader: &mut Reader<'a>) -> Result<(&'a [u8], Option<Range<usize>>)> {
    let (mut key, mut value): (&[u8], _) = (b"", None);
    reader.each_field(|reader, (number, kind)| match number {
        1 => reader.string(kind).map(|found| key = found),
        2 => reader.string(kind).map(|found| value = Some(reader.at() - found.len()..reader.at())),
        _ => reader.skip(kind),
    })?;
    Ok((key, value))
}

/// An element of the schema.
#[derive(Default)]
struct Element<'a> {
    physical: Option<i64>,
    repetition: i64,
    name: &'a [u8],
    children: Option<i64>,
    converted: Option<i64>,
    /// The number of the logical type.
    logical: Option<i16>,
}

impl<'a> Element<'a> {
    fn read(reader: &mut Reader<'a>) -> Result<Self> {
        let mut element = Self::default();
        reader.each_field(|reader, (number, kind)| match number {
            1 => reader.number(kind, I32).map(|found| element.physical = Some(found)),
            3 => reader.number(kind, I32).map(|found| element.repetition = found),
            4 => reader.string(kind).map(|found| element.name = found),
            5 => reader.number(kind, I32).map(|found| element.children = Some(found)),
            6 => reader.number(kind, I32).map(|found| element.converted = Some(found)),
            10 => {
                reader.begin_struct(kind)?;
                reader.each_field(|reader, (number, kind)| {
                    element.logical = Some(number);
                    reader.skip(kind)
                })
            }
            _ => reader.skip(kind),
        })?;
        Ok(element)
    }

    /// The name and the type of a column that has a value in each row.
    fn column(&self) -> Result<(String, Kind)> {
        const REQUIRED: i64 = 0;
        const STRING: i16 = 1;
        const INTEGER: i16 = 10;
        let kind = match (self.physical, self.converted, self.logical) {
            (Some(0), None, None) => Kind::Truth,
            (Some(2), None, None) | (Some(2), Some(18), Some(INTEGER) | None) => Kind::Signed,
            (Some(2), Some(14), Some(INTEGER) | None) => Kind::Unsigned,
            (Some(4), None, None) => Kind::Float,
            (Some(6), Some(0), Some(STRING) | None) => Kind::Text,
            _ => return Err(Refused::column(&shortened(self.name), "is of a type that no model has")),
        };
        if self.repetition != REQUIRED || self.children.is_some_and(|children| children != 0) {
            return Err(Refused::column(&shortened(self.name), "is not a plain column"));
        }
        Ok((shortened(self.name), kind))
    }
}

/// At most 40 characters of a name, for a message; every name that a model has is shorter.
fn shortened(name: &[u8]) -> String {
    let printable = String::from_utf8_lossy(name);
    printable.chars().take(40).flat_map(char::escape_debug).collect()
}

impl Kind {
    /// The number of the type that is stored.
    fn physical(self) -> i64 {
        match self {
            Self::Truth => 0,
            Self::Signed | Self::Unsigned => 2,
            Self::Float => 4,
            Self::Text => 6,
        }
    }
}

impl<'a> FoundGroup<'a> {
    fn read(reader: &mut Reader<'a>) -> Result<Self> {
        let mut group = Self::default();
        reader.each_field(|reader, (number, kind)| match number {
            1 => reader.each_element(kind, STRUCT, |reader| {
                if group.chunks.len() == MOST_COLUMNS {
                    return Err("a row group has other columns than the file".into());
                }
                group.chunks.push(FoundChunk::read(reader)?);
                Ok(())
            }),
            3 => reader.number(kind, I64).map(|rows| group.rows = rows),
            _ => reader.skip(kind),
        })?;
        Ok(group)
    }
}

impl<'a> FoundChunk<'a> {
    fn read(reader: &mut Reader<'a>) -> Result<Self> {
        let mut chunk = Self::default();
        reader.each_field(|reader, (number, kind)| match number {
            2 => reader.skip(kind),
            3 => {
                reader.begin_struct(kind)?;
                reader.each_field(|reader, field| chunk.take(reader, field))
            }
            _ => Err("a column refers to another file, to a page index or to encryption".into()),
        })?;
        Ok(chunk)
    }

    fn take(&mut self, reader: &mut Reader<'a>, (number, kind): (i16, u8)) -> Result<()> {
        match number {
            1 => self.physical = reader.number(kind, I32)?,
            3 => {
                // The path of a column that is not nested has one part.
                let mut parts = 0;
                reader.each_element(kind, BINARY, |reader| {
                    parts += 1;
                    reader.string(BINARY).map(|name| self.path = name)
                })?;
                if parts != 1 {
                    return Err("its columns are nested, as those of a model never are".into());
                }
            }
            4 => self.codec = reader.number(kind, I32)?,
            5 => self.values = reader.number(kind, I64)?,
            7 => self.size = reader.number(kind, I64)?,
            9 => self.pages = reader.number(kind, I64)?,
            11 => self.dictionary = Some(reader.number(kind, I64)?),
            _ => reader.skip(kind)?,
        }
        Ok(())
    }
}
