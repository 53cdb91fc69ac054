//! The bytes of Arrow strings.

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;

/// The only column of a table that has one, or the data as they are.
pub(super) fn only_column(chunk: ArrayRef) -> ArrayRef {
    match chunk.as_struct_opt() {
        Some(table) if table.num_columns() == 1 => table.column(0).clone(),
        _ => chunk,
    }
}

pub(super) fn first_null(chunk: &ArrayRef) -> Option<usize> {
    let nulls = chunk.logical_nulls()?;
    (0..chunk.len()).find(|&row| nulls.is_null(row))
}

pub(super) fn append<'a>(chunk: &'a ArrayRef, texts: &mut Vec<&'a [u8]>) {
    match chunk.data_type() {
        _ if chunk.is_empty() => {}
        DataType::Utf8 => texts.extend(chunk.as_string::<i32>().iter().flatten().map(str::as_bytes)),
        DataType::LargeUtf8 => texts.extend(chunk.as_string::<i64>().iter().flatten().map(str::as_bytes)),
        DataType::Utf8View => texts.extend(chunk.as_string_view().iter().flatten().map(str::as_bytes)),
        DataType::Dictionary(..) => {
            let dictionary = chunk.as_any_dictionary();
            let mut values = Vec::new();
            append_all(dictionary.values(), &mut values);
            texts.extend(dictionary.normalized_keys().into_iter().map(|key| values[key]));
        }
        // These are only nulls, which have been refused.
        _ => {}
    }
}

/// Like [`append`], with an empty text for a null, so that positions stay the same.
fn append_all<'a>(values: &'a ArrayRef, texts: &mut Vec<&'a [u8]>) {
    let bytes = |text: Option<&'a str>| text.unwrap_or_default().as_bytes();
    match values.data_type() {
        DataType::Utf8 => texts.extend(values.as_string::<i32>().iter().map(bytes)),
        DataType::LargeUtf8 => texts.extend(values.as_string::<i64>().iter().map(bytes)),
        DataType::Utf8View => texts.extend(values.as_string_view().iter().map(bytes)),
        _ => {}
    }
}
