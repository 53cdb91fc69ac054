//! Bytes objects that are filled before Python sees them.
#![allow(unsafe_code)]

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::mem::MaybeUninit;
use zstd::zstd_safe::WriteBuf;

/// A bytes object that is still being filled. Its memory is not cleared first, as that of `PyBytes::new_with` is.
pub(crate) struct NewBytes<'py> {
    bytes: Bound<'py, PyBytes>,
    size: usize,
    filled: usize,
}

impl<'py> NewBytes<'py> {
    /// The bytes of `start`, and room behind them.
    pub(crate) fn behind(py: Python<'py>, start: &[u8], room: usize) -> PyResult<Self> {
        let size = start.len().saturating_add(room);
        let length = ffi::Py_ssize_t::try_from(size).unwrap_or(ffi::Py_ssize_t::MAX);
        // SAFETY: without bytes to copy, it returns a new object, or null with an exception, which is checked.
        let bytes = unsafe {
            let made = ffi::PyBytes_FromStringAndSize(std::ptr::null(), length);
            Bound::from_owned_ptr_or_err(py, made)?.cast_into_unchecked()
        };
        let mut new = Self { bytes, size, filled: 0 };
        for (to, &from) in new.room().memory.iter_mut().zip(start) {
            to.write(from);
        }
        new.filled = start.len();
        Ok(new)
    }

    /// The memory, with what is filled already.
    pub(crate) fn room(&mut self) -> Room<'_> {
        // SAFETY: this is the size of the object, and nobody else knows it yet.
        let memory = unsafe {
            let start = ffi::PyBytes_AsString(self.bytes.as_ptr()).cast::<MaybeUninit<u8>>();
            std::slice::from_raw_parts_mut(start, self.size)
        };
        Room { memory, filled: &mut self.filled }
    }

    /// The bytes that were filled.
    pub(crate) fn finish(mut self) -> Bound<'py, PyBytes> {
        if self.filled == self.size {
            return self.bytes;
        }
        let py = self.bytes.py();
        PyBytes::new(py, self.room().as_slice())
    }
}

/// Memory of which the first bytes are filled.
pub(crate) struct Room<'a> {
    memory: &'a mut [MaybeUninit<u8>],
    filled: &'a mut usize,
}

impl Room<'_> {
    /// The number of bytes that are filled.
    pub(crate) fn filled(&self) -> usize {
        *self.filled
    }

    /// Whether nothing more can be filled.
    pub(crate) fn is_full(&self) -> bool {
        *self.filled == self.memory.len()
    }
}

// SAFETY: the pointer and the capacity are those of the memory, and the slice ends where the bytes that are filled do.
unsafe impl WriteBuf for Room<'_> {
    fn as_slice(&self) -> &[u8] {
        let filled = &self.memory[..*self.filled];
        // SAFETY: these bytes were filled.
        unsafe { std::slice::from_raw_parts(filled.as_ptr().cast(), filled.len()) }
    }

    fn capacity(&self) -> usize {
        self.memory.len()
    }

    fn as_mut_ptr(&mut self) -> *mut u8 {
        self.memory.as_mut_ptr().cast()
    }

    unsafe fn filled_until(&mut self, n: usize) {
        *self.filled = n;
    }
}
