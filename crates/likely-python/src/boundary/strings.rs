//! Strings that belong to the kernel, and that Python sees as a sequence and as Arrow data.

use crate::boundary::detached::detached;
use crate::boundary::errors::named;
use crate::boundary::texts::Texts;
use arrow_array::builder::LargeBinaryBuilder;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::{Array, LargeBinaryArray};
use arrow_buffer::OffsetBuffer;
use arrow_schema::{DataType, Field};
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyList, PyString};

/// Texts without a missing one, in memory of the kernel.
#[pyclass(frozen, sequence, module = "likely._native")]
pub(crate) struct Strings {
    /// All are UTF-8. An array of texts would check that once more, and take several times as long.
    array: LargeBinaryArray,
}

impl Strings {
    pub(crate) fn of_parts(py: Python<'_>, values: Vec<u8>, offsets: Vec<i64>) -> PyResult<Self> {
        Self::checked(values, offsets).ok_or_else(|| not_utf8(py))
    }

    /// The strings that end at these places, if all of them are UTF-8.
    pub(crate) fn checked(values: Vec<u8>, offsets: Vec<i64>) -> Option<Self> {
        let text = simdutf8::basic::from_utf8(&values).ok()?;
        let are_texts = offsets.iter().all(|&at| usize::try_from(at).is_ok_and(|at| text.is_char_boundary(at)));
        are_texts
            .then(|| Self { array: LargeBinaryArray::new(OffsetBuffer::new(offsets.into()), values.into(), None) })
    }

    pub(crate) fn texts(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        (0..self.array.len()).map(|at| self.array.value(at))
    }
}

/// The error for strings that are not texts.
pub(crate) fn not_utf8(py: Python<'_>) -> PyErr {
    named(py, "TextError", "the texts are not valid UTF-8".into())
}

#[pymethods]
impl Strings {
    #[new]
    fn new(texts: Bound<'_, PyAny>) -> PyResult<Self> {
        let py = texts.py();
        let (mut values, mut offsets) = (Vec::new(), vec![0]);
        Texts::new(texts)?.for_each(|batch, _| {
            for text in batch {
                values.extend_from_slice(text);
                offsets.push(values.len() as i64);
            }
            Ok(())
        })?;
        Self::of_parts(py, values, offsets)
    }

    fn __len__(&self) -> usize {
        self.array.len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, at: isize) -> PyResult<Bound<'py, PyString>> {
        let place = if at < 0 { at + self.array.len() as isize } else { at };
        if place < 0 || place as usize >= self.array.len() {
            return Err(PyIndexError::new_err("there is not a text at this place"));
        }
        PyString::from_bytes(py, self.array.value(place as usize))
    }

    /// The number of bytes of all texts.
    #[getter]
    fn nbytes(&self) -> usize {
        self.array.value_data().len()
    }

    /// The number of characters of each text.
    fn lengths<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        // Every character has one byte that does not continue another one.
        let characters = |text: &[u8]| text.iter().map(|&byte| i64::from(byte as i8 >= -0x40)).sum();
        detached(py, |_| self.texts().map(characters).collect::<Vec<i64>>()).into_pyarray(py)
    }

    /// The texts as a list.
    fn to_pylist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let texts: PyResult<Vec<_>> = self.texts().map(|text| PyString::from_bytes(py, text)).collect();
        PyList::new(py, texts?)
    }

    /// The texts for which `wanted` is true.
    fn chosen(&self, py: Python<'_>, wanted: PyReadonlyArray1<'_, bool>) -> PyResult<Self> {
        let wanted = wanted.as_slice()?;
        if wanted.len() != self.array.len() {
            let message = format!("{} texts cannot be chosen by {} values", self.array.len(), wanted.len());
            return Err(named(py, "ArgumentError", message));
        }
        let mut chosen = LargeBinaryBuilder::with_capacity(wanted.len(), self.nbytes());
        detached(py, |_| {
            self.texts().zip(wanted).filter(|(_, wanted)| **wanted).for_each(|(text, _)| chosen.append_value(text))
        });
        Ok(Self { array: chosen.finish() })
    }

    /// The texts for other programs. Whoever requests another type converts them.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        drop(requested_schema);
        let schema = FFI_ArrowSchema::try_from(Field::new("", DataType::LargeUtf8, false));
        let schema = schema.map_err(|error| PyValueError::new_err(error.to_string()))?;
        let array = FFI_ArrowArray::new(&self.array.to_data());
        Ok((
            PyCapsule::new_with_value(py, schema, c"arrow_schema")?,
            PyCapsule::new_with_value(py, array, c"arrow_array")?,
        ))
    }
}
