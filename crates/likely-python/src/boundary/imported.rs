//! Arrow data of other programs as arrays of ours. What they lack is a named error, never a panic.

use crate::boundary::detached::detached;
use crate::boundary::errors::named;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{ArrayRef, make_array};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::ffi::{CStr, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};

const READ_BEFORE: &str = "it has been read before, and can be read only once";

/// Chunks of Arrow data, in order.
pub(super) type Chunks<'py> = Box<dyn Iterator<Item = PyResult<ArrayRef>> + 'py>;

/// A function of a stream that writes what it is asked for to a place.
type Get<T> = unsafe extern "C" fn(*mut FFI_ArrowArrayStream, *mut T) -> c_int;

/// The chunks of an object with `__arrow_c_array__` or `__arrow_c_stream__`.
pub(super) fn chunks_of<'py>(source: &Bound<'py, PyAny>) -> PyResult<Chunks<'py>> {
    let py = source.py();
    if source.hasattr("__arrow_c_array__")? {
        return Ok(Box::new(std::iter::once(array_of(source))));
    }
    check_sizes(source)?;
    let stream = source.call_method0("__arrow_c_stream__")?.cast_into::<PyCapsule>()?;
    let mut stream = taken(&stream, c"arrow_array_stream", FFI_ArrowArrayStream::empty())?;
    let get = stream.get_schema();
    let mut schema = caught(py, || asked(&mut stream, get, FFI_ArrowSchema::empty()))?;
    // The call is detached, because a stream may wait for threads of its own that need the interpreter.
    let next = move || caught(py, || detached(py, |_| next_of(&mut stream, &mut schema))).transpose();
    Ok(Box::new(std::iter::from_fn(next)))
}

/// The array of an object with `__arrow_c_array__`.
pub(super) fn array_of(source: &Bound<'_, PyAny>) -> PyResult<ArrayRef> {
    check_sizes(source)?;
    let (schema, array): (Bound<'_, PyCapsule>, Bound<'_, PyCapsule>) =
        source.call_method0("__arrow_c_array__")?.extract()?;
    let array = taken(&array, c"arrow_array", FFI_ArrowArray::empty())?;
    let schema = taken(&schema, c"arrow_schema", FFI_ArrowSchema::empty())?;
    caught(source.py(), || imported(array, &schema)?.ok_or_else(|| READ_BEFORE.into()))
}

/// The Arrow data that a pandas column is made of, or the object itself if it is made of something else.
pub(super) fn backing<'py>(source: &Bound<'py, PyAny>) -> Bound<'py, PyAny> {
    let arrow = || source.getattr("array")?.call_method0("__arrow_array__");
    if is_of(source, "pandas") { arrow().unwrap_or_else(|_| source.clone()) } else { source.clone() }
}

/// Compares offsets with the sizes of buffers, which only pyarrow knows: they are not passed on with the data.
fn check_sizes(source: &Bound<'_, PyAny>) -> PyResult<()> {
    let py = source.py();
    if is_of(source, "pyarrow") && source.hasattr("validate")? {
        source.call_method0("validate").map_err(|error| invalid(py, &error.value(py).to_string()))?;
    }
    Ok(())
}

fn is_of(source: &Bound<'_, PyAny>, library: &str) -> bool {
    let module = source.get_type().module();
    module.is_ok_and(|module| module.to_str().is_ok_and(|name| name.split('.').next() == Some(library)))
}

/// Takes a structure out of its capsule, which holds a released one from then on. `T` is what the name stands for.
#[allow(unsafe_code)]
fn taken<T>(capsule: &Bound<'_, PyCapsule>, name: &CStr, released: T) -> PyResult<T> {
    let place = capsule.pointer_checked(Some(name))?.cast::<T>();
    // SAFETY: a capsule of this name points to such a structure as long as it lives, and whoever is attached to the
    // interpreter may move it.
    Ok(unsafe { place.replace(released) })
}

/// What a function of a stream writes to a place.
#[allow(unsafe_code)]
fn asked<T>(stream: &mut FFI_ArrowArrayStream, get: Option<Get<T>>, mut place: T) -> Result<T, String> {
    let get = get.filter(|_| stream.release().is_some()).ok_or(READ_BEFORE)?;
    // SAFETY: both functions belong to this stream, which is not released, and the place holds nothing that is lost. A
    // message ends with a zero, and stays until the next call.
    let message = unsafe {
        if get(stream, &raw mut place) == 0 {
            return Ok(place);
        }
        stream.get_last_error().and_then(|get| get(stream).as_ref()).map(|start| CStr::from_ptr(start))
    };
    Err(message.unwrap_or(c"its stream fails").to_string_lossy().into_owned())
}

fn next_of(stream: &mut FFI_ArrowArrayStream, schema: &mut FFI_ArrowSchema) -> Result<Option<ArrayRef>, String> {
    imported(asked(stream, stream.get_next(), FFI_ArrowArray::empty())?, schema)
}

/// The array of two structures; None if they are released.
#[allow(unsafe_code)]
fn imported(array: FFI_ArrowArray, schema: &FFI_ArrowSchema) -> Result<Option<ArrayRef>, String> {
    if array.is_released() || schema.release().is_none() {
        return Ok(None);
    }
    if !is_aligned(&array, schema) {
        return Err("its buffers are not aligned".into());
    }
    // SAFETY: the array has the type that came with it, and what Arrow reads here is aligned.
    unsafe { from_ffi(array, schema) }.map(|data| Some(make_array(data))).map_err(|error| error.to_string())
}

/// Whether the sizes of buffers are aligned: Arrow reads them where they are, and copies everything else if it must.
fn is_aligned(array: &FFI_ArrowArray, schema: &FFI_ArrowSchema) -> bool {
    let is_at = |buffer: usize, alignment| array.buffer(buffer).addr().is_multiple_of(alignment);
    let is_own = match schema.format() {
        "vu" | "vz" => is_at(array.num_buffers() - 1, 8),
        _ if array.len() + array.offset() == 0 => true,
        "u" | "z" => is_at(1, 4),
        "U" | "Z" => is_at(1, 8),
        _ => true,
    };
    let children = schema.children().enumerate().map(|(at, schema)| (array.child(at), schema));
    let values = array.dictionary().zip(schema.dictionary());
    is_own && children.chain(values).all(|(array, schema)| is_aligned(array, schema))
}

/// The result of importing. The library panics if the structure is not that of the type, such as a table with fewer
/// columns than names.
fn caught<T>(py: Python<'_>, import: impl FnOnce() -> Result<T, String>) -> PyResult<T> {
    let result = catch_unwind(AssertUnwindSafe(import));
    result.unwrap_or_else(|_| Err("its structure is not that of its type".into())).map_err(|why| invalid(py, &why))
}

fn invalid(py: Python<'_>, problem: &str) -> PyErr {
    named(py, "TextError", format!("texts is not valid Arrow data: {problem}"))
}
