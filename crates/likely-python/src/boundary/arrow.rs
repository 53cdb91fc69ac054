//! The bytes of Arrow strings. Every offset, view and key is checked before it is followed, because other programs make
//! the data.

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, GenericStringArray, OffsetSizeTrait, StringViewArray, downcast_integer_array};
use arrow_buffer::ArrowNativeType;
use arrow_data::{ByteView, MAX_INLINE_VIEW_LEN};
use arrow_schema::DataType;

/// What pandas calls the columns of its index.
const PANDAS_INDEX: &str = "__index_level_";

/// A text, or None for a missing one.
type Text<'a> = Option<&'a [u8]>;

/// A row that cannot be read.
pub(super) struct Fault {
    pub(super) row: usize,
    pub(super) problem: Problem,
}

#[derive(Clone, Copy)]
pub(super) enum Problem {
    Missing,
    OutsideBuffers,
    OutsideDictionary,
    NotUtf8,
}

impl Problem {
    fn at(self, row: usize) -> Fault {
        Fault { row, problem: self }
    }
}

/// The only column of a table that has one, besides the index of pandas; or the data as they are.
pub(super) fn only_column(chunk: ArrayRef) -> ArrayRef {
    let Some(table) = chunk.as_struct_opt() else { return chunk };
    let names = table.column_names();
    let mut columns = names.iter().enumerate().filter(|(_, name)| !name.starts_with(PANDAS_INDEX));
    match (columns.next(), columns.next()) {
        (Some((only, _)), None) => table.column(only).clone(),
        _ => chunk,
    }
}

/// Appends the texts of an array. None of them may be missing.
pub(super) fn append<'a>(chunk: &'a ArrayRef, texts: &mut Vec<&'a [u8]>) -> Result<(), Fault> {
    for (row, text) in values(chunk)?.into_iter().enumerate() {
        texts.push(text.ok_or_else(|| Problem::Missing.at(row))?);
    }
    Ok(())
}

fn values(array: &ArrayRef) -> Result<Vec<Text<'_>>, Fault> {
    match array.data_type() {
        _ if array.is_empty() => Ok(Vec::new()),
        DataType::Utf8 => strings(array.as_string::<i32>()),
        DataType::LargeUtf8 => strings(array.as_string::<i64>()),
        DataType::Utf8View => views(array.as_string_view()),
        DataType::Dictionary(..) => dictionary(array),
        // The caller has checked the type, so these are only nulls.
        _ => Ok(vec![None; array.len()]),
    }
}

fn strings<O: OffsetSizeTrait>(array: &GenericStringArray<O>) -> Result<Vec<Text<'_>>, Fault> {
    let (offsets, data) = (array.value_offsets(), array.value_data());
    rows(array, |row| data.get(offsets[row].to_usize()?..offsets[row + 1].to_usize()?))
}

fn views(array: &StringViewArray) -> Result<Vec<Text<'_>>, Fault> {
    let (views, buffers) = (array.views(), array.data_buffers());
    let (bytes, _) = views.inner().as_chunks::<16>();
    rows(array, |row| {
        let view = ByteView::from(views[row]);
        let (start, size) = (view.offset as usize, view.length as usize);
        if view.length <= MAX_INLINE_VIEW_LEN {
            // A short text is in the view itself, after its length.
            return bytes[row].get(4..4 + size);
        }
        buffers.get(view.buffer_index as usize)?.get(start..start + size)
    })
}

fn dictionary(array: &ArrayRef) -> Result<Vec<Text<'_>>, Fault> {
    let dictionary = array.as_any_dictionary();
    let values = values(dictionary.values())?;
    let value = |(row, key): (usize, Option<Option<usize>>)| match key {
        Some(key) => {
            let value = key.and_then(|key| values.get(key));
            value.copied().ok_or_else(|| Problem::OutsideDictionary.at(row))
        }
        None => Ok(None),
    };
    let keys = dictionary.keys();
    downcast_integer_array! {
        keys => keys.iter().map(|key| key.map(ArrowNativeType::to_usize)).enumerate().map(value).collect(),
        _ => Err(Problem::OutsideDictionary.at(0)),
    }
}

/// The text of each row, where `bytes` finds them; None from it means that they are not in the buffers.
fn rows<'a>(array: &dyn Array, bytes: impl Fn(usize) -> Option<&'a [u8]>) -> Result<Vec<Text<'a>>, Fault> {
    let text = |row: usize| {
        if array.is_null(row) {
            return Ok(None);
        }
        let bytes = bytes(row).ok_or_else(|| Problem::OutsideBuffers.at(row))?;
        match simdutf8::basic::from_utf8(bytes) {
            Ok(_) => Ok(Some(bytes)),
            Err(_) => Err(Problem::NotUtf8.at(row)),
        }
    };
    (0..array.len()).map(text).collect()
}
