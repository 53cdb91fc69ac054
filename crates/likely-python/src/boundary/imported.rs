//! Arrow data of other programs as arrays of ours. What they lack is a named error, never a panic.

use crate::boundary::errors::named;
use arrow_array::ArrayRef;
use arrow_array::ffi::FFI_ArrowArray;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use pyo3_arrow::{PyArray, PyArrayReader};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Chunks of Arrow data, in order.
pub(super) type Chunks<'py> = Box<dyn Iterator<Item = PyResult<ArrayRef>> + 'py>;

/// The chunks of an object with `__arrow_c_array__` or `__arrow_c_stream__`.
pub(super) fn chunks_of<'py>(source: &Bound<'py, PyAny>) -> PyResult<Chunks<'py>> {
    let py = source.py();
    if source.hasattr("__arrow_c_array__")? {
        return Ok(Box::new(std::iter::once(array_of(source))));
    }
    check_sizes(source)?;
    let stream = source.call_method0("__arrow_c_stream__")?.cast_into::<PyCapsule>()?;
    let reader = caught(py, || PyArrayReader::from_arrow_pycapsule(&stream)?.into_reader())?;
    let mut reader = reader.map_err(|error| refused(py, &error))?;
    // The call is detached, because a reader may wait for threads of its own that need the interpreter.
    Ok(Box::new(std::iter::from_fn(move || match caught(py, || py.detach(|| reader.next())) {
        Ok(chunk) => chunk.map(|chunk| chunk.map_err(|error| invalid(py, &error.to_string()))),
        Err(error) => Some(Err(error)),
    })))
}

/// The array of an object with `__arrow_c_array__`.
pub(super) fn array_of(source: &Bound<'_, PyAny>) -> PyResult<ArrayRef> {
    let py = source.py();
    check_sizes(source)?;
    let (schema, array): (Bound<'_, PyCapsule>, Bound<'_, PyCapsule>) =
        source.call_method0("__arrow_c_array__")?.extract()?;
    if is_used_up(&array)? {
        return Err(invalid(py, "it has been read before, and can be read only once"));
    }
    let imported = caught(py, || PyArray::from_arrow_pycapsule(&schema, &array))?;
    imported.map(|array| array.into_inner().0).map_err(|error| refused(py, &error))
}

/// The Arrow data that a pandas column is made of, or the object itself if it is made of something else.
pub(super) fn backing<'py>(source: &Bound<'py, PyAny>) -> Bound<'py, PyAny> {
    let arrow = || source.getattr("array")?.call_method0("__arrow_array__");
    if is_of(source, "pandas") { arrow().unwrap_or_else(|_| source.clone()) } else { source.clone() }
}

/// Compares offsets with the sizes of buffers, which only pyarrow knows: they are not passed on with the data.
fn check_sizes(source: &Bound<'_, PyAny>) -> PyResult<()> {
    if is_of(source, "pyarrow") && source.hasattr("validate")? {
        source.call_method0("validate").map_err(|error| refused(source.py(), &error))?;
    }
    Ok(())
}

fn is_of(source: &Bound<'_, PyAny>, library: &str) -> bool {
    let module = source.get_type().module();
    module.is_ok_and(|module| module.to_str().is_ok_and(|name| name.split('.').next() == Some(library)))
}

/// Whether the array of a capsule was taken out of it before.
#[allow(unsafe_code)]
fn is_used_up(capsule: &Bound<'_, PyCapsule>) -> PyResult<bool> {
    let array = capsule.pointer_checked(Some(c"arrow_array"))?.cast::<FFI_ArrowArray>();
    // Safety: a capsule of this name holds a valid pointer to such an array as long as the capsule lives.
    Ok(unsafe { array.as_ref() }.is_released())
}

/// The result of importing. The library panics if the structure is not that of the type, such as a table with fewer
/// columns than names.
fn caught<T>(py: Python<'_>, import: impl FnOnce() -> T) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(import)).map_err(|_| invalid(py, "its structure is not that of its type"))
}

fn refused(py: Python<'_>, error: &PyErr) -> PyErr {
    invalid(py, &error.value(py).to_string())
}

fn invalid(py: Python<'_>, problem: &str) -> PyErr {
    named(py, "TextError", format!("texts is not valid Arrow data: {problem}"))
}
