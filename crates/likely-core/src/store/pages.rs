//! A file and its footer go in; the pages of its columns come out, whose sizes are in proportion to the file.
//!
//! A page of a few bytes can stand for gigabytes: it is compressed, repeated values are stored once, and a term is
//! stored without the beginning that it shares with the term before it. So the headers of all pages are read before
//! the first page is decompressed, and nothing is decompressed unless all pages together are small enough.

use crate::store::footer::{Chunk, Codec, ColumnKind, Footer};
use crate::store::refused::{Refused, Result};
use crate::store::thrift::Struct;
use std::borrow::Cow;
use std::ops::Range;
use zstd::bulk::Decompressor;

/// A file of n bytes may hold at most `RATIO` n + `SLACK` bytes, with all its terms written out.
pub(super) const RATIO: u64 = 100;
/// See [`RATIO`].
pub(super) const SLACK: u64 = 16 << 20;

/// How the values of a page are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Plain,
    /// Terms without what they share with the term before.
    Delta,
    /// Places in the dictionary of the column.
    Places,
}

/// A page: what its header says, and where its bytes are.
#[derive(Clone, Debug)]
pub(super) struct Page {
    is_dictionary: bool,
    pub(super) encoding: Encoding,
    pub(super) values: usize,
    codec: Codec,
    /// The size of the page when it is decompressed.
    size: usize,
    place: Range<usize>,
}

/// The pages of a column of a row group.
#[derive(Clone, Debug, Default)]
pub(super) struct Column {
    pub(super) dictionary: Option<Page>,
    pub(super) pages: Vec<Page>,
}

impl Column {
    /// The number of values of all pages, which is that of the rows.
    pub(super) fn rows(&self) -> usize {
        self.pages.iter().map(|page| page.values).sum()
    }
}

/// The pages of all columns of all row groups, and how many bytes the terms may have when they are written out.
pub(super) fn checked_pages(data: &[u8], footer: &Footer, classes: usize) -> Result<(Vec<Vec<Column>>, u64)> {
    let mut left = RATIO * data.len() as u64 + SLACK;
    let mut groups = Vec::with_capacity(footer.groups.len());
    for group in &footer.groups {
        let mut columns = Vec::with_capacity(group.chunks.len());
        for (chunk, (name, kind)) in group.chunks.iter().zip(&footer.columns) {
            let column = pages_of(data, chunk, name, *kind, classes)?;
            for page in column.dictionary.iter().chain(&column.pages) {
                left = spent(left, page.size as u64)?;
            }
            if column.rows() != group.rows {
                return Err(Refused::column(name, "has more or fewer values than there are rows"));
            }
            columns.push(column);
        }
        groups.push(columns);
    }
    Ok((groups, left))
}

/// What is left of the bytes that a file may hold.
pub(super) fn spent(left: u64, bytes: u64) -> Result<u64> {
    left.checked_sub(bytes).ok_or_else(|| {
        "it would decompress to more than 100 times its size plus 16 MiB, which no model of `likely` does".into()
    })
}

fn pages_of(data: &[u8], chunk: &Chunk, name: &str, kind: ColumnKind, classes: usize) -> Result<Column> {
    let mut column = Column::default();
    let mut at = chunk.place.start;
    while at < chunk.place.end {
        let page = header(&data[at..chunk.place.end], at, chunk.codec)?
            .filter(|page| page.is_as_written(name, kind, classes))
            .ok_or_else(|| Refused::column(name, "has a page that `likely` does not write"))?;
        at = page.place.end;
        if !page.is_dictionary {
            column.pages.push(page);
        } else if column.dictionary.is_none() && column.pages.is_empty() {
            column.dictionary = Some(page);
        } else {
            return Err(Refused::column(name, "has two dictionaries"));
        }
    }
    Ok(column)
}

/// The page that begins at a place, `None` if it is of a kind that is never written.
fn header(bytes: &[u8], at: usize, codec: Codec) -> Result<Option<Page>> {
    let (header, length) = Struct::read(bytes)?;
    let (is_dictionary, found) = match (header.number(1)?, header.inner(5)?, header.inner(7)?) {
        (Some(0), Some(found), None) => (false, found),
        (Some(2), None, Some(found)) => (true, found),
        _ => return Ok(None),
    };
    let encoding = match found.number(2)? {
        Some(0) => Encoding::Plain,
        Some(7) => Encoding::Delta,
        Some(8) => Encoding::Places,
        _ => return Ok(None),
    };
    let large = "a page is larger than the file";
    let part = |number: Option<i64>| {
        let small = number.and_then(|number| i32::try_from(number).ok());
        small.and_then(|number| usize::try_from(number).ok()).ok_or(large)
    };
    let (size, packed, values) = (part(header.number(2)?)?, part(header.number(3)?)?, part(found.number(1)?)?);
    if packed > bytes.len() - length {
        return Err(large.into());
    }
    let place = at + length..at + length + packed;
    Ok(Some(Page { is_dictionary, encoding, values, codec, size, place }))
}

impl Page {
    /// Whether the header says what `likely` would write. Plain numbers need exactly their own size.
    fn is_as_written(&self, name: &str, kind: ColumnKind, classes: usize) -> bool {
        let fits = match (self.encoding, kind) {
            (Encoding::Plain, ColumnKind::Truth) => self.size == self.values.div_ceil(8),
            (Encoding::Plain, ColumnKind::Signed | ColumnKind::Unsigned) => self.size == 8 * self.values,
            (Encoding::Plain, ColumnKind::Float) => self.size == 4 * self.values,
            (Encoding::Plain, ColumnKind::Text) => self.size >= 4 * self.values,
            (Encoding::Delta, _) => name == "term" && kind == ColumnKind::Text,
            (Encoding::Places, _) => name == "class" && matches!(kind, ColumnKind::Text | ColumnKind::Signed),
        };
        let is_small =
            !self.is_dictionary || name == "class" && self.encoding == Encoding::Plain && self.values <= classes;
        fits && is_small
    }
}

/// Decompresses pages, one after the other.
pub(super) struct Unpacking<'a> {
    data: &'a [u8],
    zstd: Decompressor<'static>,
}

impl<'a> Unpacking<'a> {
    pub(super) fn new(data: &'a [u8]) -> Result<Self> {
        Ok(Self { data, zstd: Decompressor::new().map_err(|_| "there is not enough memory to decompress it")? })
    }

    /// The bytes of a page, decompressed.
    pub(super) fn content(&mut self, page: &Page) -> Result<Cow<'a, [u8]>> {
        let damaged = "a page of it is damaged";
        let packed = &self.data[page.place.clone()];
        if page.codec == Codec::None {
            return if packed.len() == page.size { Ok(packed.into()) } else { Err(damaged.into()) };
        }
        // The buffer does not grow: what does not fit into the size that was checked is an error.
        let mut content = Vec::with_capacity(page.size);
        match self.zstd.decompress_to_buffer(packed, &mut content) {
            Ok(size) if size == page.size => Ok(content.into()),
            _ => Err(damaged.into()),
        }
    }
}
