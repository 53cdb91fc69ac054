//! The rows of a table and a document go in; the bytes of a model file come out. Equal rows give equal bytes.

use crate::count::cells::Cell;
use crate::count::fixed_point::Amount;
use crate::parallel;
use crate::store::footer::KEY;
use crate::store::labels::Labels;
use crate::store::pages::{RATIO, SLACK};
use crate::store::table_rows::TableRows;
use bytes::Bytes;
use parquet::basic::{Compression, ConvertedType, Encoding, Repetition, Type as Physical, ZstdLevel};
use parquet::column::writer::{ColumnCloseResult, get_column_writer, get_typed_column_writer};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, FloatType, Int64Type};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesPtr, WriterVersion};
use parquet::file::writer::{SerializedFileWriter, SerializedPageWriter, TrackedWrite};
use parquet::schema::types::{ColumnDescPtr, ColumnPath, SchemaDescriptor, Type, TypePtr};
use std::num::NonZero;
use std::ops::Range;
use std::sync::Arc;
use std::thread;

/// The size of a page before it is compressed, above which another one begins.
const PAGE: usize = 1 << 20;
/// Below this number of rows another thread costs more than it gives.
const FEW: usize = 1 << 14;

/// The bytes of a model file.
pub fn write_table(rows: &TableRows, labels: &Labels, document: &str) -> Result<Vec<u8>> {
    let columns = columns(rows, labels);
    let (data, size) = written(rows, &columns, document, true)?;
    // A table that compresses too well could not be told from one that is made to fill the memory.
    if size + rows.terms_size() <= RATIO * data.len() as u64 + SLACK {
        return Ok(data);
    }
    Ok(written(rows, &columns, document, false)?.0)
}

/// A column: its name, its type and its values.
struct Column<'a> {
    name: &'static str,
    physical: Physical,
    converted: ConvertedType,
    values: Values<'a>,
}

/// The values of all rows, or how they follow from the rows.
enum Values<'a> {
    Terms(Bytes),
    Labels(&'a Labels),
    Wholes(Vec<i64>),
    Floats(&'a [f32]),
}

fn columns<'a>(rows: &'a TableRows, labels: &'a Labels) -> Vec<Column<'a>> {
    let (physical, converted) = match labels {
        Labels::Text(_) => (Physical::BYTE_ARRAY, ConvertedType::UTF8),
        Labels::Truth(_) => (Physical::BOOLEAN, ConvertedType::NONE),
        Labels::Whole(_) => (Physical::INT64, ConvertedType::NONE),
    };
    let terms = Values::Terms(Bytes::copy_from_slice(&rows.spelled));
    let mut columns = vec![
        Column { name: "term", physical: Physical::BYTE_ARRAY, converted: ConvertedType::UTF8, values: terms },
        Column { name: "class", physical, converted, values: Values::Labels(labels) },
    ];
    add_amounts(rows, ["count", "count_fraction"], |cell| cell.count, &mut columns);
    add_amounts(rows, ["documents", "documents_fraction"], |cell| cell.documents, &mut columns);
    columns.extend(rows.weights.as_deref().map(|weights| Column {
        name: "weight",
        physical: Physical::FLOAT,
        converted: ConvertedType::NONE,
        values: Values::Floats(weights),
    }));
    columns
}

/// Adds a column of whole numbers, and one of their fractions in units of 2^-64 if any number has one.
fn add_amounts(
    rows: &TableRows,
    names: [&'static str; 2],
    of: fn(&Cell) -> Amount,
    columns: &mut Vec<Column<'_>>,
) {
    let wholes: Vec<i64> = rows.amounts(of).map(|amount| amount.whole() as i64).collect();
    // Spark has no unsigned integers.
    let is_signed = wholes.iter().all(|&whole| whole >= 0);
    let mut add = |name, converted, values| {
        columns.push(Column { name, physical: Physical::INT64, converted, values: Values::Wholes(values) });
    };
    add(names[0], if is_signed { ConvertedType::NONE } else { ConvertedType::UINT_64 }, wholes);
    if rows.amounts(of).any(|amount| amount.fraction() != 0) {
        let fractions = rows.amounts(of).map(|amount| amount.fraction() as i64).collect();
        add(names[1], ConvertedType::UINT_64, fractions);
    }
}

/// The bytes of the file, and the size of its pages before they were compressed.
fn written(rows: &TableRows, columns: &[Column<'_>], document: &str, packed: bool) -> Result<(Vec<u8>, u64)> {
    let (properties, schema) = (Arc::new(properties(columns, packed)?), schema(columns)?);
    let mut chunks = chunks(rows, columns, &schema, &properties).into_iter();
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, properties)?;
    let mut size = 0;
    for _ in &rows.groups {
        let mut group_writer = writer.next_row_group()?;
        for chunk in chunks.by_ref().take(columns.len()) {
            let (pages, closed) = chunk?;
            group_writer.append_column(&pages, closed)?;
        }
        size += u64::try_from(group_writer.close()?.total_byte_size())?;
    }
    writer.append_key_value_metadata(KeyValue::new(KEY.to_owned(), document.to_owned()));
    Ok((writer.into_inner()?, size))
}

/// The pages of a column of a row group, and what the footer says about them.
type Chunk = Result<(Bytes, ColumnCloseResult)>;

/// All columns of all row groups, group after group. They are compressed on all processors; the bytes are the same for
/// any number of them.
fn chunks(
    rows: &TableRows,
    columns: &[Column<'_>],
    schema: &TypePtr,
    properties: &WriterPropertiesPtr,
) -> Vec<Chunk> {
    let schema = SchemaDescriptor::new(schema.clone());
    let mut places = Vec::new();
    for group in &rows.groups {
        places.extend(columns.iter().enumerate().map(|(at, column)| (group, schema.column(at), column)));
    }
    let missing = || Err(ParquetError::General("a column was not written".into()));
    let mut chunks: Vec<Chunk> = places.iter().map(|_| missing()).collect();
    let processors = thread::available_parallelism().map_or(1, NonZero::get);
    let threads = if rows.cells.len() < FEW { 1 } else { processors.min(places.len()) };
    parallel::share(&mut vec![(); threads], chunks.iter_mut().zip(places), &|| false, |(), (chunk, place), _| {
        let (group, described, column) = place;
        *chunk = write_column(rows, column, group, described, properties.clone());
        true
    });
    chunks
}

fn schema(columns: &[Column<'_>]) -> Result<TypePtr> {
    let mut fields = Vec::with_capacity(columns.len());
    for column in columns {
        let field = Type::primitive_type_builder(column.name, column.physical)
            .with_repetition(Repetition::REQUIRED)
            .with_converted_type(column.converted);
        fields.push(Arc::new(field.build()?));
    }
    Ok(Arc::new(Type::group_type_builder("schema").with_fields(fields).build()?))
}

fn properties(columns: &[Column<'_>], packed: bool) -> Result<WriterProperties> {
    let mut properties = WriterProperties::builder()
        .set_writer_version(WriterVersion::PARQUET_1_0)
        .set_statistics_enabled(EnabledStatistics::None)
        .set_offset_index_disabled(true)
        .set_dictionary_enabled(false)
        .set_encoding(Encoding::PLAIN)
        .set_data_page_size_limit(PAGE)
        .set_data_page_row_count_limit(usize::MAX);
    if !packed {
        return Ok(properties.set_compression(Compression::UNCOMPRESSED).build());
    }
    properties = properties.set_compression(Compression::ZSTD(ZstdLevel::try_new(1)?));
    for column in columns {
        let path = ColumnPath::from(column.name);
        properties = match column.values {
            // A higher level makes terms smaller, but not columns of small numbers.
            Values::Terms(_) => properties
                .set_column_compression(path.clone(), Compression::ZSTD(ZstdLevel::try_new(5)?))
                .set_column_encoding(path, Encoding::DELTA_BYTE_ARRAY),
            Values::Labels(Labels::Text(_) | Labels::Whole(_)) => properties
                .set_column_dictionary_enabled(path.clone(), true)
                .set_column_dictionary_page_size_limit(path, 1 << 30),
            _ => properties,
        };
    }
    Ok(properties.build())
}

fn write_column(
    rows: &TableRows,
    column: &Column<'_>,
    group: &Range<usize>,
    described: ColumnDescPtr,
    properties: WriterPropertiesPtr,
) -> Chunk {
    let ranks = || rows.cells[group.clone()].iter().map(|cell| cell.class as usize);
    let how = (described, properties);
    match &column.values {
        Values::Terms(spelled) => {
            let terms = rows.terms[group.clone()].iter().map(|&term| rows.term(term as usize));
            write::<ByteArrayType>(how, &terms.map(|term| spelled.slice(term).into()).collect::<Vec<_>>())
        }
        Values::Labels(Labels::Text(labels)) => {
            let labels: Vec<ByteArray> = labels.iter().map(|label| label.as_str().into()).collect();
            write::<ByteArrayType>(how, &ranks().map(|rank| labels[rank].clone()).collect::<Vec<_>>())
        }
        Values::Labels(Labels::Truth(labels)) => {
            write::<BoolType>(how, &ranks().map(|rank| labels[rank]).collect::<Vec<_>>())
        }
        Values::Labels(Labels::Whole(labels)) => {
            write::<Int64Type>(how, &ranks().map(|rank| labels[rank]).collect::<Vec<_>>())
        }
        Values::Wholes(wholes) => write::<Int64Type>(how, &wholes[group.clone()]),
        Values::Floats(floats) => write::<FloatType>(how, &floats[group.clone()]),
    }
}

fn write<T: DataType>((described, properties): (ColumnDescPtr, WriterPropertiesPtr), values: &[T::T]) -> Chunk {
    let mut sink = TrackedWrite::new(Vec::new());
    let pages = Box::new(SerializedPageWriter::new(&mut sink));
    let mut writer = get_typed_column_writer::<T>(get_column_writer(described, properties, pages));
    writer.write_batch(values, None, None)?;
    let closed = writer.close()?;
    Ok((sink.into_inner()?.into(), closed))
}
