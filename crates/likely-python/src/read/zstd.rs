//! Zstandard files are decompressed and compressed, piece by piece.

use crate::boundary::detached::detached;
use pyo3::exceptions::{PyEOFError, PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::io::Write;
use zstd::stream::raw::{Decoder, InBuffer, Operation, OutBuffer};
use zstd::stream::write::Encoder;

/// How much of a compressed file is read at a time, in bytes.
const PIECE: usize = 256 << 10;

/// Decompresses a file, whose bytes `read(size)` returns piece by piece. The file may have several frames, also such as
/// are to be skipped.
#[pyclass(module = "likely._native")]
pub(crate) struct Zstd {
    decoder: Decoder<'static>,
    read: Py<PyAny>,
    input: Py<PyBytes>,
    used: usize,
    is_within_frame: bool,
}

#[pymethods]
impl Zstd {
    #[new]
    fn new(py: Python<'_>, read: Py<PyAny>) -> PyResult<Self> {
        let input = PyBytes::new(py, b"").unbind();
        Ok(Self { decoder: Decoder::new()?, read, input, used: 0, is_within_frame: false })
    }

    /// The bytes `start` and the next decompressed bytes, at most `size`. There are fewer only at the end.
    fn fill<'py>(&mut self, py: Python<'py>, start: &[u8], size: usize) -> PyResult<Bound<'py, PyBytes>> {
        let mut filled = start.len();
        let size = filled.saturating_add(size).min(isize::MAX as usize);
        let output = PyBytes::new_with(py, size, |room| {
            room[..filled].copy_from_slice(start);
            while filled < size {
                let input = self.input.bind(py).as_bytes();
                let (decoder, used, within) = (&mut self.decoder, &mut self.used, &mut self.is_within_frame);
                filled += detached(py, |_| decompress(decoder, input, used, &mut room[filled..], within))
                    .map_err(|error| PyOSError::new_err(error.to_string()))?;
                if filled < size && !self.has_more(py)? {
                    break;
                }
            }
            Ok(())
        })?;
        Ok(if filled == size { output } else { PyBytes::new(py, &output.as_bytes()[..filled]) })
    }
}

impl Zstd {
    /// Takes the next piece of the file. Returns false at its end, which must not be within a frame.
    fn has_more(&mut self, py: Python<'_>) -> PyResult<bool> {
        let piece = self.read.bind(py).call1((PIECE,))?.cast_into::<PyBytes>()?;
        let is_empty = piece.as_bytes().is_empty();
        if is_empty && self.is_within_frame {
            return Err(PyEOFError::new_err("the compressed file ends too early"));
        }
        (self.input, self.used) = (piece.unbind(), 0);
        Ok(!is_empty)
    }
}

/// Decompresses until the input is used or the room is full. Returns the number of bytes.
fn decompress(
    decoder: &mut Decoder<'_>,
    input: &[u8],
    used: &mut usize,
    room: &mut [u8],
    is_within_frame: &mut bool,
) -> std::io::Result<usize> {
    let mut output = OutBuffer::around(room);
    loop {
        let before = output.pos();
        let mut from = InBuffer::around(&input[*used..]);
        // What is still in the decoder's buffer comes out without any input.
        let hint = decoder.run(&mut from, &mut output)?;
        *used += from.pos();
        let is_stuck = from.pos() == 0 && output.pos() == before;
        if !is_stuck {
            *is_within_frame = hint != 0;
        }
        if output.pos() == output.capacity() || is_stuck {
            return Ok(output.pos());
        }
    }
}

/// Compresses a file that comes in pieces, as one frame with a checksum. The same bytes give the same frame, whatever
/// the sizes of the pieces.
#[pyclass(module = "likely._native")]
pub(crate) struct ZstdWriter {
    /// None after the end. What was compressed last is in its memory, which is used again and again.
    encoder: Option<Encoder<'static, Vec<u8>>>,
}

#[pymethods]
impl ZstdWriter {
    #[new]
    fn new(level: i32) -> PyResult<Self> {
        let mut encoder = Encoder::new(Vec::new(), level)?;
        encoder.include_checksum(true)?;
        // The size is known only if the file is empty; its header is like those of others.
        encoder.include_contentsize(false)?;
        Ok(Self { encoder: Some(encoder) })
    }

    /// The compressed bytes that are ready after the next piece.
    fn feed<'py>(&mut self, py: Python<'py>, piece: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
        let encoder = self.encoder.as_mut().ok_or_else(ended)?;
        encoder.get_mut().clear();
        detached(py, |_| encoder.write_all(piece))?;
        Ok(PyBytes::new(py, encoder.get_ref()))
    }

    /// The last compressed bytes.
    fn finish<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let mut encoder = self.encoder.take().ok_or_else(ended)?;
        encoder.get_mut().clear();
        Ok(PyBytes::new(py, &detached(py, |_| encoder.finish())?))
    }
}

fn ended() -> PyErr {
    PyValueError::new_err("the frame has ended")
}
