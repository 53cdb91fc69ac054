//! Strings that belong to the kernel, and that Python sees as a sequence and as Arrow data.

use crate::boundary::errors::named;
use crate::boundary::texts::Texts;
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, BooleanArray, LargeStringArray};
use arrow_buffer::{Buffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::Field;
use arrow_select::filter::filter;
use likely_core::read::records::Column;
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyList, PyTuple};
use pyo3_arrow::error::PyArrowResult;
use pyo3_arrow::ffi::to_array_pycapsules;
use std::sync::Arc;

/// Texts without a missing one, in memory of the kernel.
#[pyclass(frozen, sequence, module = "likely._native")]
pub(crate) struct Strings {
    array: LargeStringArray,
}

impl Strings {
    pub(crate) fn of_column(py: Python<'_>, column: Column) -> PyResult<Self> {
        Self::of_parts(py, column.values, column.offsets)
    }

    pub(crate) fn of_parts(py: Python<'_>, values: Vec<u8>, offsets: Vec<i64>) -> PyResult<Self> {
        let is_sound = are_texts(&values, &offsets);
        let (offsets, values) = (OffsetBuffer::new(ScalarBuffer::from(offsets)), Buffer::from_vec(values));
        if is_sound {
            return Ok(Self { array: unchecked(offsets, values) });
        }
        let array = LargeStringArray::try_new(offsets, values, None);
        Ok(Self { array: array.map_err(|error| named(py, "TextError", error.to_string()))? })
    }

    pub(crate) fn array(&self) -> ArrayRef {
        Arc::new(self.array.clone())
    }
}

/// Whether bytes that are cut at these places are texts. It finds out several times as fast as Arrow does.
fn are_texts(values: &[u8], offsets: &[i64]) -> bool {
    let Ok(text) = simdutf8::basic::from_utf8(values) else { return false };
    offsets.iter().all(|&at| usize::try_from(at).is_ok_and(|at| text.is_char_boundary(at)))
}

#[allow(unsafe_code)]
fn unchecked(offsets: OffsetBuffer<i64>, values: Buffer) -> LargeStringArray {
    // SAFETY: `are_texts` found that the values are valid UTF-8, and that each offset is within them and does not cut
    // a character. That the offsets do not decrease is what `OffsetBuffer::new` checks.
    unsafe { LargeStringArray::new_unchecked(offsets, values, None) }
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

    fn __getitem__(&self, at: isize) -> PyResult<&str> {
        let place = if at < 0 { at + self.array.len() as isize } else { at };
        if place < 0 || place as usize >= self.array.len() {
            return Err(PyIndexError::new_err("there is not a text at this place"));
        }
        Ok(self.array.value(place as usize))
    }

    /// The number of bytes of all texts.
    #[getter]
    fn nbytes(&self) -> usize {
        self.array.value_data().len().min(self.array.get_array_memory_size())
    }

    /// The number of characters of each text.
    fn lengths<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        // Every character has one byte that does not continue another one.
        let characters = |text: &str| text.bytes().map(|byte| i64::from(byte as i8 >= -0x40)).sum();
        py.detach(|| (0..self.array.len()).map(|at| characters(self.array.value(at))).collect::<Vec<i64>>())
            .into_pyarray(py)
    }

    /// The texts as a list.
    fn to_pylist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, (0..self.array.len()).map(|at| self.array.value(at)))
    }

    /// The texts for which `wanted` is true.
    fn chosen(&self, py: Python<'_>, wanted: PyReadonlyArray1<'_, bool>) -> PyResult<Self> {
        let wanted = BooleanArray::from(wanted.as_slice()?.to_vec());
        let array = py.detach(|| filter(&self.array, &wanted));
        let array = array.map_err(|error| named(py, "LengthError", error.to_string()))?;
        Ok(Self { array: array.as_string::<i64>().clone() })
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyArrowResult<Bound<'py, PyTuple>> {
        let field = Field::new("", self.array.data_type().clone(), false);
        to_array_pycapsules(py, Arc::new(field), &self.array, requested_schema)
    }
}
