//! The end of a file goes in; the types of its columns, the places of its parts and its document come out.
//!
//! Fields are named by their numbers in `parquet.thrift` of Apache Parquet.

use crate::store::refused::{Refused, Result};
use crate::store::thrift::Struct;
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
pub(super) enum ColumnKind {
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
    pub(super) columns: Vec<(String, ColumnKind)>,
    pub(super) groups: Vec<Group>,
    document: Range<usize>,
}

impl Footer {
    /// The footer of a file; a refusal if the file is not a model file.
    pub fn read(data: &[u8]) -> Result<Self> {
        let place = footer_place(data)?;
        let (root, size) = Struct::read(&data[place.clone()])?;
        if size < place.len() {
            return Err("its footer is longer than what it holds".into());
        }
        let columns = columns_of(&root)?;
        let document = document_of(&root)?.ok_or(FOREIGN)?;
        let document = place.start + document.start..place.start + document.end;
        let mut footer = Self { columns, groups: Vec::new(), document };
        let mut start = MAGIC.len();
        let groups = root.structs(4)?;
        if groups.len() > MOST_GROUPS {
            return Err("it has more row groups than any model".into());
        }
        for group in groups {
            footer.groups.push(footer.checked_group(group, &mut start, place.start)?);
        }
        let rows: usize = footer.groups.iter().map(|group| group.rows).sum();
        if root.number(3)? != i64::try_from(rows).ok() {
            return Err("its row groups have more or fewer rows than its footer says".into());
        }
        Ok(footer)
    }

    /// The place of the JSON document in the file.
    pub fn document(&self) -> Range<usize> {
        self.document.clone()
    }

    /// The column of a name, and its type.
    pub(super) fn column(&self, name: &str) -> Option<(usize, ColumnKind)> {
        let at = self.columns.iter().position(|column| column.0 == name)?;
        Some((at, self.columns[at].1))
    }

    /// The row group, if its columns are those of the table and lie one after the other before the footer.
    fn checked_group(&self, group: &Struct<'_>, start: &mut usize, end: usize) -> Result<Group> {
        let found = group.structs(1)?;
        if found.len() != self.columns.len() {
            return Err("a row group has other columns than the file".into());
        }
        let rows = group.number(3)?;
        let mut chunks = Vec::with_capacity(found.len());
        for (chunk, (name, kind)) in found.into_iter().zip(&self.columns) {
            if chunk.fields().any(|field| ![2, 3].contains(&field)) {
                return Err("a column refers to another file, to a page index or to encryption".into());
            }
            let chunk = chunk.inner(3)?.ok_or_else(|| Refused::column(name, "is not as `likely` writes it"))?;
            // The path of a column that is not nested has one part.
            let [path] = chunk.texts(3)?[..] else {
                return Err("its columns are nested, as those of a model never are".into());
            };
            let ours = path == name.as_bytes() && chunk.number(1)? == Some(kind.physical());
            if !ours || chunk.number(5)? != rows {
                return Err(Refused::column(name, "is not as `likely` writes it"));
            }
            // Older versions of pyarrow repeat a part of the footer between two columns, so there may be gaps.
            let place = place_of(chunk)?.filter(|place| *start <= place.start && place.end <= end);
            let place = place.ok_or_else(|| Refused::column(name, "is not where it should be"))?;
            let codec = match chunk.number(4)? {
                Some(0) => Codec::None,
                Some(6) => Codec::Zstd,
                _ => return Err(Refused::column(name, "is compressed in a way that `likely` does not write")),
            };
            *start = place.end;
            chunks.push(Chunk { codec, place });
        }
        let rows =
            rows.and_then(|rows| u32::try_from(rows).ok()).ok_or("a row group has more rows than any model")?;
        Ok(Group { rows: rows as usize, chunks })
    }
}

/// Where the pages of a column are.
fn place_of(chunk: &Struct<'_>) -> Result<Option<Range<usize>>> {
    let (pages, dictionary, size) = (chunk.number(9)?, chunk.number(11)?, chunk.number(7)?);
    let place = || {
        let start = usize::try_from(pages?.min(dictionary.unwrap_or(i64::MAX))).ok()?;
        Some(start..start.checked_add(usize::try_from(size?).ok()?)?)
    };
    Ok(place())
}

const FOREIGN: &str = "it is a Parquet file, but not a model of `likely`";
const OTHER_COLUMNS: &str = "its columns are not those of a model";

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

/// The names and types of the columns; the first element of the schema is the table itself.
fn columns_of(root: &Struct<'_>) -> Result<Vec<(String, ColumnKind)>> {
    let elements = root.structs(2)?;
    let (table, elements) = elements.split_first().ok_or(OTHER_COLUMNS)?;
    let columns: Vec<_> =
        elements.iter().take(MOST_COLUMNS).map(|element| column(element)).collect::<Result<_>>()?;
    let are_all = columns.len() == elements.len() && table.number(5)? == i64::try_from(columns.len()).ok();
    if are_all { Ok(columns) } else { Err(OTHER_COLUMNS.into()) }
}

/// The name and the type of a column that has a value in each row.
fn column(element: &Struct<'_>) -> Result<(String, ColumnKind)> {
    const REQUIRED: i64 = 0;
    const STRING: i16 = 1;
    const INTEGER: i16 = 10;
    let name = shortened(element.text(4)?.map_or(&[], |name| name.bytes));
    let logical = element.inner(10)?.and_then(|kind| kind.fields().last());
    let kind = match (element.number(1)?, element.number(6)?, logical) {
        (Some(0), None, None) => ColumnKind::Truth,
        (Some(2), None, None) | (Some(2), Some(18), Some(INTEGER) | None) => ColumnKind::Signed,
        (Some(2), Some(14), Some(INTEGER) | None) => ColumnKind::Unsigned,
        (Some(4), None, None) => ColumnKind::Float,
        (Some(6), Some(0), Some(STRING) | None) => ColumnKind::Text,
        _ => return Err(Refused::column(&name, "is of a type that no model has")),
    };
    if element.number(3)? != Some(REQUIRED) || element.number(5)?.is_some_and(|children| children != 0) {
        return Err(Refused::column(&name, "is not a plain column"));
    }
    Ok((name, kind))
}

/// The place of the document in the footer.
fn document_of(root: &Struct<'_>) -> Result<Option<Range<usize>>> {
    let pairs = root.structs(5)?;
    let mut document = None;
    for pair in &pairs {
        if pair.text(1)?.is_some_and(|key| key.bytes == KEY.as_bytes()) {
            document = pair.text(2)?.map(|value| value.start..value.start + value.bytes.len());
        }
    }
    // More would be an Arrow schema, or encryption.
    let is_plain = pairs.len() == 1 && root.fields().all(|field| field <= 7);
    if document.is_some() && !is_plain {
        return Err("its footer holds more than `likely` writes".into());
    }
    Ok(document)
}

/// At most 40 characters of a name, for a message; every name that a model has is shorter.
fn shortened(name: &[u8]) -> String {
    let printable = String::from_utf8_lossy(name);
    printable.chars().take(40).flat_map(char::escape_debug).collect()
}

impl ColumnKind {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn message(data: &[u8]) -> String {
        Footer::read(data).expect_err("refused").to_string()
    }

    fn file(footer: &[u8]) -> Vec<u8> {
        [MAGIC, footer, &(footer.len() as u32).to_le_bytes(), MAGIC].concat()
    }

    #[test]
    fn other_files_are_told_apart() {
        assert_eq!(message(b""), "it is empty");
        assert!(message(b"text,label\n").starts_with("it is not a Parquet file"));
        for cut in [&b"PAR1"[..], b"PAR1PAR1", b"PAR1\0\0\0PAR1", b"PAR1\xff\0\0\0PAR1"] {
            assert!(message(cut).starts_with("it is cut off or damaged"), "{cut:?}");
        }
        // A schema without columns, no rows, no row groups and no document.
        let nothing = [0x15, 2, 0x19, 0x1c, 0x48, 1, b'a', 0x15, 0, 0, 0x16, 0, 0x19, 0x0c, 0];
        assert_eq!(message(&file(&nothing)), FOREIGN);
    }

    #[test]
    fn footers_that_ask_for_much_are_refused() {
        // A column with two billion children, and lists of two billion values that take no room.
        let children = [0x15, 2, 0x19, 0x1c, 0x48, 1, b'a', 0x15, 0xfe, 0xff, 0xff, 0xff, 0x0f, 0, 0];
        assert_eq!(message(&file(&children)), "its columns are not those of a model");
        let truths = [&[0x15, 2, 0xd9, 0x99][..], &[0xf1, 0xff, 0xff, 0xff, 0xff, 0x07].repeat(9)].concat();
        assert!(Footer::read(&file(&truths)).is_err());
        let deep = [
            &[0x15, 2, 0x19, 0xfc, 0xc0, 0x9a, 0x0c][..],
            &[0x35, 0, 0x18, 1, b'a', 0x15, 2, 0].repeat(200_000),
            &[0],
        ];
        assert_eq!(message(&file(&deep.concat())), "its column 'a' is of a type that no model has");
    }

    #[test]
    fn names_are_shortened_and_printable() {
        assert_eq!(shortened(&b"a\n".repeat(100)), "a\\n".repeat(20));
        assert_eq!(shortened(b"\xff"), "\u{fffd}");
    }
}
