//! The rows of a table and a document go in; the bytes of a model file come out. Equal rows give equal bytes.

use crate::count::cells::Cell;
use crate::count::fixed_point::Amount;
use crate::parallel;
use crate::store::footer::KEY;
use crate::store::labels::Labels;
use crate::store::pages::{RATIO, SLACK};
use crate::store::table_rows::{Bits, Row, TableRows};
use bytes::Bytes;
use parquet::basic::{Compression, ConvertedType, Encoding, Repetition, Type as Physical, ZstdLevel};
use parquet::column::writer::{ColumnCloseResult, ColumnWriter, ColumnWriterImpl, get_column_writer};
use parquet::data_type::{ByteArray, DataType};
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

/// The bytes of a model file. Each rank has a label.
pub fn write_table(rows: &TableRows<'_>, labels: &Labels, document: &str) -> Result<Vec<u8>> {
    let columns = columns(rows, labels);
    let (data, size) = written(rows, &columns, document, true)?;
    // A table that compresses too well could not be told from one that is made to fill the memory.
    if size <= RATIO * data.len() as u64 + SLACK {
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

/// How the values of a column follow from the rows.
enum Values<'a> {
    Terms,
    /// By the rank of the class.
    Texts(Vec<ByteArray>),
    Truths(&'a [bool]),
    Numbers(&'a [i64]),
    Wholes(fn(&Cell) -> Amount),
    Fractions(fn(&Cell) -> Amount),
    Weights,
}

fn columns<'a>(rows: &TableRows<'_>, labels: &'a Labels) -> Vec<Column<'a>> {
    let (physical, converted, classes) = match labels {
        Labels::Text(labels) => {
            let labels = labels.iter().map(|label| label.as_str().into()).collect();
            (Physical::BYTE_ARRAY, ConvertedType::UTF8, Values::Texts(labels))
        }
        Labels::Truth(labels) => (Physical::BOOLEAN, ConvertedType::NONE, Values::Truths(labels)),
        Labels::Whole(labels) => (Physical::INT64, ConvertedType::NONE, Values::Numbers(labels)),
    };
    let (terms, utf8) = (Physical::BYTE_ARRAY, ConvertedType::UTF8);
    let mut columns = vec![
        Column { name: "term", physical: terms, converted: utf8, values: Values::Terms },
        Column { name: "class", physical, converted, values: classes },
    ];
    let [count, documents] = rows.bits();
    add_amounts(count, ["count", "count_fraction"], |cell| cell.count, &mut columns);
    add_amounts(documents, ["documents", "documents_fraction"], |cell| cell.documents, &mut columns);
    columns.extend(rows.are_weighed().then_some(Column {
        name: "weight",
        physical: Physical::FLOAT,
        converted: ConvertedType::NONE,
        values: Values::Weights,
    }));
    columns
}

/// Adds a column of whole numbers, and one of their fractions in units of 2^-64 if any number has one.
fn add_amounts(bits: Bits, names: [&'static str; 2], of: fn(&Cell) -> Amount, columns: &mut Vec<Column<'_>>) {
    let mut add = |name, converted, values| {
        columns.push(Column { name, physical: Physical::INT64, converted, values });
    };
    // Spark has no unsigned integers.
    let is_signed = bits.whole <= i64::MAX as u64;
    add(names[0], if is_signed { ConvertedType::NONE } else { ConvertedType::UINT_64 }, Values::Wholes(of));
    if bits.fraction != 0 {
        add(names[1], ConvertedType::UINT_64, Values::Fractions(of));
    }
}

impl Column<'_> {
    /// Writes the values of some rows.
    fn write(&self, block: &[Row], writer: &mut ColumnWriter<'_>) -> Result<()> {
        let ranks = || block.iter().map(|row| row.cell.class as usize);
        let cells = || block.iter().map(|row| &row.cell);
        match (&self.values, writer) {
            (Values::Texts(labels), ColumnWriter::ByteArrayColumnWriter(writer)) => {
                write_values(writer, ranks().map(|rank| labels[rank].clone()))
            }
            (Values::Truths(labels), ColumnWriter::BoolColumnWriter(writer)) => {
                write_values(writer, ranks().map(|rank| labels[rank]))
            }
            (Values::Numbers(labels), ColumnWriter::Int64ColumnWriter(writer)) => {
                write_values(writer, ranks().map(|rank| labels[rank]))
            }
            (Values::Wholes(of), ColumnWriter::Int64ColumnWriter(writer)) => {
                write_values(writer, cells().map(|cell| of(cell).whole() as i64))
            }
            (Values::Fractions(of), ColumnWriter::Int64ColumnWriter(writer)) => {
                write_values(writer, cells().map(|cell| of(cell).fraction() as i64))
            }
            (Values::Weights, ColumnWriter::FloatColumnWriter(writer)) => {
                write_values(writer, block.iter().map(|row| row.weight))
            }
            _ => Err(ParquetError::General("a column has values of another type".into())),
        }
    }
}

/// Writes all terms of a row group; returns the number of their bytes.
fn write_terms(rows: &TableRows<'_>, group: &Range<usize>, writer: &mut ColumnWriter<'_>) -> Result<u64> {
    let ColumnWriter::ByteArrayColumnWriter(writer) = writer else { return Ok(0) };
    let mut size = 0;
    rows.each_spelled_block(group.clone(), |spelled, places| {
        size += places.iter().map(|place| place.len() as u64).sum::<u64>();
        let spelled = Bytes::from(spelled);
        write_values(writer, places.into_iter().map(|place| spelled.slice(place).into()))
    })?;
    Ok(size)
}

fn write_values<T: DataType>(
    writer: &mut ColumnWriterImpl<'_, T>,
    values: impl Iterator<Item = T::T>,
) -> Result<()> {
    writer.write_batch(&values.collect::<Vec<T::T>>(), None, None).map(|_| ())
}

/// The bytes of the file, and the size of its pages before they were compressed, with all terms written out.
fn written(rows: &TableRows<'_>, columns: &[Column<'_>], document: &str, packed: bool) -> Result<(Vec<u8>, u64)> {
    let (properties, schema) = (Arc::new(properties(columns, packed)?), schema(columns)?);
    let mut chunks = chunks(rows, columns, &schema, &properties).into_iter();
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, properties)?;
    let mut size = 0;
    for _ in &rows.groups {
        let mut group_writer = writer.next_row_group()?;
        for some in chunks.by_ref().take(2) {
            let (some, terms) = some?;
            size += terms;
            for (pages, closed) in some {
                group_writer.append_column(&pages, closed)?;
            }
        }
        size += u64::try_from(group_writer.close()?.total_byte_size())?;
    }
    writer.append_key_value_metadata(KeyValue::new(KEY.to_owned(), document.to_owned()));
    Ok((writer.into_inner()?, size))
}

/// The pages of some columns of a row group, and what the footer says about each; and the number of bytes of the terms.
type Chunks = Result<(Vec<(Bytes, ColumnCloseResult)>, u64)>;

/// All columns of all row groups, group after group: the terms, and then the other columns, which take about as long.
/// They are compressed on all processors; the bytes are the same for any number of them.
fn chunks(
    rows: &TableRows<'_>,
    columns: &[Column<'_>],
    schema: &TypePtr,
    properties: &WriterPropertiesPtr,
) -> Vec<Chunks> {
    let schema = SchemaDescriptor::new(schema.clone());
    let halves = [0..1, 1..columns.len()];
    let places: Vec<_> = rows.groups.iter().flat_map(|group| halves.clone().map(|half| (group, half))).collect();
    let missing = || Err(ParquetError::General("a column was not written".into()));
    let mut chunks: Vec<Chunks> = places.iter().map(|_| missing()).collect();
    let processors = thread::available_parallelism().map_or(1, NonZero::get);
    let threads = if rows.size < FEW { 1 } else { processors.min(places.len()) };
    parallel::share(&mut vec![(); threads], chunks.iter_mut().zip(places), &|| false, |(), (chunk, place), _| {
        let (group, half) = place;
        let described = half.clone().map(|at| schema.column(at));
        *chunk = write_columns(rows, &columns[half], group, described.collect(), properties);
        true
    });
    chunks
}

/// Writes some columns of a row group side by side.
fn write_columns(
    rows: &TableRows<'_>,
    columns: &[Column<'_>],
    group: &Range<usize>,
    described: Vec<ColumnDescPtr>,
    properties: &WriterPropertiesPtr,
) -> Chunks {
    let mut sinks: Vec<_> = columns.iter().map(|_| TrackedWrite::new(Vec::new())).collect();
    let writer = |(described, sink)| {
        get_column_writer(described, properties.clone(), Box::new(SerializedPageWriter::new(sink)))
    };
    let mut writers: Vec<_> = described.into_iter().zip(&mut sinks).map(writer).collect();
    let size = match (columns, &mut writers[..]) {
        ([Column { values: Values::Terms, .. }], [writer]) => write_terms(rows, group, writer)?,
        (_, writers) => {
            rows.each_block(group.clone(), |block| {
                columns.iter().zip(&mut *writers).try_for_each(|(column, writer)| column.write(block, writer))
            })?;
            0
        }
    };
    let closed: Vec<_> = writers.into_iter().map(ColumnWriter::close).collect::<Result<_>>()?;
    let pages: Vec<Vec<u8>> = sinks.into_iter().map(TrackedWrite::into_inner).collect::<Result<_>>()?;
    Ok((pages.into_iter().map(Bytes::from).zip(closed).collect(), size))
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
            Values::Terms => properties
                .set_column_compression(path.clone(), Compression::ZSTD(ZstdLevel::try_new(5)?))
                .set_column_encoding(path, Encoding::DELTA_BYTE_ARRAY),
            Values::Texts(_) | Values::Numbers(_) => properties
                .set_column_dictionary_enabled(path.clone(), true)
                .set_column_dictionary_page_size_limit(path, 1 << 30),
            _ => properties,
        };
    }
    Ok(properties.build())
}
