//! Texts from Python: any Arrow data of strings, or any iterable of `str`, becomes batches of byte slices.

use crate::boundary::arrow::{Fault, Problem, append, only_column};
use crate::boundary::encoded::{Encoded, encode};
use crate::boundary::errors::named;
use crate::boundary::imported::{array_of, backing, chunks_of};
use crate::boundary::strings::Strings;
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;
use pyo3::exceptions::PyStopIteration;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyFrozenSet, PyList, PySet, PyString};

/// How much text a batch holds if the texts are in memory anyway.
const BATCH_BYTES: usize = 64 << 20;
/// How much text a batch holds if the texts come one after another and are gone afterwards.
const STREAM_BYTES: usize = 16 << 20;
/// How many texts a batch holds at most.
const BATCH_ROWS: usize = 1 << 20;

/// What is called with each batch of texts, and the number of texts before it.
type Each<'a> = dyn FnMut(&[&[u8]], usize) -> PyResult<()> + 'a;

/// Where the texts of a call come from, and how many have been seen.
pub(crate) struct Texts<'py> {
    source: Bound<'py, PyAny>,
    /// Makes a string of an item that is not a string.
    decode: Option<Bound<'py, PyAny>>,
    max_rows: usize,
    rows: usize,
}

impl<'py> Texts<'py> {
    /// Refuses at once what cannot be many texts.
    pub(crate) fn new(source: Bound<'py, PyAny>) -> PyResult<Self> {
        let py = source.py();
        if source.is_exact_instance_of::<PyList>() {
            return Ok(Self { source, decode: None, max_rows: BATCH_ROWS, rows: 0 });
        }
        // numpy and pandas make Python strings much faster all at once; an array without dimensions is one string.
        let is_numpy = source.hasattr("__array_interface__")? && source.hasattr("tolist")?;
        let source = if is_numpy { flat(source)?.call_method0("tolist")? } else { source };
        if source.hasattr("tocsr")? {
            let message = "texts is a sparse matrix: raw texts are read here, so leave the vectorizer out";
            return Err(named(py, "TextError", message.into()));
        }
        if source.is_instance_of::<PySet>() || source.is_instance_of::<PyFrozenSet>() {
            return Err(named(py, "TextError", "texts is a set, which has no order: give a list".into()));
        }
        let single = source.is_instance_of::<PyString>() || source.is_instance_of::<PyBytes>();
        if single || source.is_instance_of::<PyDict>() {
            let what = source.get_type().name()?;
            let hint =
                if single { "for one text write [text]" } else { "give its values, as in list(texts.values())" };
            return Err(named(py, "TextError", format!("texts is a single {what}, not many texts: {hint}")));
        }
        Ok(Self { source, decode: None, max_rows: BATCH_ROWS, rows: 0 })
    }

    /// Calls `decode` for items that are not strings.
    pub(crate) fn decoded_by(mut self, decode: Bound<'py, PyAny>) -> Self {
        self.decode = Some(decode);
        self
    }

    /// Makes batches of at most `rows` texts.
    pub(crate) fn in_batches_of(mut self, rows: usize) -> Self {
        self.max_rows = rows.clamp(1, BATCH_ROWS);
        self
    }

    /// How many texts came before the batch with which `each` is being called, or in total after the last batch.
    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// Calls `each` with batches of texts, in order, and the number of texts before each batch.
    pub(crate) fn for_each(&mut self, mut each: impl FnMut(&[&[u8]], usize) -> PyResult<()>) -> PyResult<()> {
        // A list has none of the following attributes, and asking for each would take longer than reading a short
        // list.
        if self.source.is_exact_instance_of::<PyList>() {
            return self.read_iterable(&self.source.clone(), &mut each);
        }
        if let Ok(strings) = self.source.clone().cast_into::<Strings>() {
            return self.hand_on(&strings.get().texts().collect::<Vec<_>>(), &mut each);
        }
        if self.source.hasattr("read_next_batch")? {
            return self.read_batches(&mut each);
        }
        if self.source.hasattr("__arrow_c_stream__")? || self.source.hasattr("__arrow_c_array__")? {
            let data = backing(&self.source);
            match chunks_of(&data) {
                Ok(chunks) => return self.read_chunks(chunks, &mut each),
                // A pandas column of Python objects is not Arrow data; reading it as a list gives the better error.
                // One that is made of damaged Arrow data must not be read in any other way.
                Err(_) if data.is(&self.source) && self.source.hasattr("to_list")? => {}
                Err(error) => return Err(error),
            }
        }
        if self.source.hasattr("to_list")? {
            let list = self.source.call_method0("to_list")?;
            return self.read_iterable(&list, &mut each);
        }
        self.read_iterable(&self.source.clone(), &mut each)
    }

    fn error(&self, message: String) -> PyErr {
        named(self.source.py(), "TextError", message)
    }

    /// Reads a pyarrow reader through Python, where its exceptions stay what they are.
    fn read_batches(&mut self, each: &mut Each<'_>) -> PyResult<()> {
        let source = self.source.clone();
        let batches = std::iter::from_fn(|| match source.call_method0("read_next_batch") {
            Ok(batch) => Some(array_of(&batch)),
            Err(end) if end.is_instance_of::<PyStopIteration>(source.py()) => None,
            Err(error) => Some(Err(error)),
        });
        self.read_chunks(batches, each)
    }

    fn read_chunks(
        &mut self,
        chunks: impl Iterator<Item = PyResult<ArrayRef>>,
        each: &mut Each<'_>,
    ) -> PyResult<()> {
        let mut gathered: Vec<ArrayRef> = Vec::new();
        let (mut rows, mut bytes) = (0, 0);
        for chunk in chunks {
            let chunk = only_column(chunk?);
            self.check(chunk.data_type())?;
            rows += chunk.len();
            bytes += chunk.get_array_memory_size().min(chunk.len().saturating_mul(1 << 20));
            gathered.push(chunk);
            if rows >= self.max_rows || bytes >= STREAM_BYTES {
                self.hand_on_chunks(&gathered, each)?;
                gathered.clear();
                (rows, bytes) = (0, 0);
            }
        }
        self.hand_on_chunks(&gathered, each)
    }

    fn check(&self, of: &DataType) -> PyResult<()> {
        let text = |of: &DataType| {
            matches!(of, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Null)
        };
        match of {
            of if text(of) => Ok(()),
            DataType::Dictionary(_, values) if text(values) => Ok(()),
            DataType::Struct(fields) => {
                let names: Vec<&str> = fields.iter().map(|field| field.name().as_str()).collect();
                Err(self.error(format!(
                    "texts is a table with the columns {}: give one of them, as in table[{:?}]",
                    names.join(", "),
                    names.first().unwrap_or(&"text")
                )))
            }
            other => Err(self.error(format!("texts is Arrow data of type {other}: strings are needed"))),
        }
    }

    fn hand_on_chunks(&mut self, chunks: &[ArrayRef], each: &mut Each<'_>) -> PyResult<()> {
        let mut texts = Vec::with_capacity(chunks.iter().map(Array::len).sum());
        for chunk in chunks {
            let before = self.rows + texts.len();
            append(chunk, &mut texts).map_err(|fault| self.refused(before, &fault))?;
        }
        self.hand_on(&texts, each)
    }

    fn hand_on(&mut self, texts: &[&[u8]], each: &mut Each<'_>) -> PyResult<()> {
        for some in texts.chunks(self.max_rows) {
            each(some, self.rows)?;
            self.rows += some.len();
        }
        Ok(())
    }

    fn refused(&self, before: usize, fault: &Fault) -> PyErr {
        let row = before + fault.row + 1;
        let damaged = |how: &str| {
            self.error(format!(
                "the text in row {row} {how}: the Arrow data is damaged; pyarrow's validate(full=True) shows where"
            ))
        };
        match fault.problem {
            Problem::Missing => self.missing(row),
            Problem::OutsideBuffers => damaged("lies outside of its buffers"),
            Problem::OutsideDictionary => damaged("is not in its dictionary"),
            Problem::NotUtf8 => self
                .error(format!("the text in row {row} is not valid UTF-8: decode it first, or leave the row out")),
        }
    }

    /// The error for a text that is missing; `row` is counted from 1.
    fn missing(&self, row: usize) -> PyErr {
        self.error(format!("the text in row {row} is missing (null): fill it in or leave the row out"))
    }

    fn read_iterable(&mut self, source: &Bound<'py, PyAny>, each: &mut Each<'_>) -> PyResult<()> {
        let items = source.try_iter().map_err(|_| {
            let what = source.get_type().name().map_or_else(|_| "object".into(), |name| name.to_string());
            self.error(format!("texts is a {what}: give a list or other iterable of str, or Arrow data"))
        })?;
        let limit = if source.is_instance_of::<PyList>() { BATCH_BYTES } else { STREAM_BYTES };
        let mut batch: Vec<Encoded<'py>> = Vec::new();
        let mut bytes = 0;
        for item in items {
            let text = self.encode(item?, self.rows + batch.len() + 1)?;
            bytes += text.as_bytes().len();
            batch.push(text);
            if batch.len() >= self.max_rows || bytes >= limit {
                self.hand_on(&bytes_of(&batch), each)?;
                batch.clear();
                bytes = 0;
            }
        }
        self.hand_on(&bytes_of(&batch), each)
    }

    /// The bytes of a text; `row` is its number for a message, counted from 1.
    fn encode(&self, mut item: Bound<'py, PyAny>, row: usize) -> PyResult<Encoded<'py>> {
        if let Some(decode) = self.decode.as_ref()
            && !item.is_instance_of::<PyString>()
        {
            item = decode.call1((item,))?;
        }
        match item.cast_into::<PyString>() {
            Ok(text) => encode(text),
            Err(error) => {
                let item = error.into_inner();
                // pandas and numpy write a missing text as None, NaN or NA.
                let name = item.get_type().name()?.to_string();
                if item.is_none() || matches!(name.as_str(), "float" | "NAType" | "NaTType") && !item.eq(&item)? {
                    return Err(self.missing(row));
                }
                let hint = if name == "bytes" { ": decode it first" } else { "" };
                Err(self.error(format!("the text in row {row} is of type {name}, not str{hint}")))
            }
        }
    }
}

fn bytes_of<'a>(batch: &'a [Encoded<'_>]) -> Vec<&'a [u8]> {
    batch.iter().map(Encoded::as_bytes).collect()
}

/// An array of one column, which is how scikit-learn passes a column on, as an array of one dimension.
fn flat(array: Bound<'_, PyAny>) -> PyResult<Bound<'_, PyAny>> {
    match array.getattr("shape")?.extract::<(usize, usize)>() {
        Ok((_, 1)) => array.call_method1("reshape", (-1,)),
        _ => Ok(array),
    }
}
