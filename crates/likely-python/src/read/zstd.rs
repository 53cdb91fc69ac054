//! Zstandard files are decompressed and compressed, piece by piece.

use likely_core::read::zstd_frame::FrameWriter;
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use zstd::stream::raw::{Decoder, InBuffer, Operation, OutBuffer};

/// How much is decompressed at a time, in bytes: less than fits into the cache, from where it is copied.
const PIECE: usize = 512 << 10;

/// Decompresses a file that comes in pieces. The file may have several frames, also such as are to be skipped.
#[pyclass(module = "likely._native")]
pub(crate) struct Zstd {
    decoder: Decoder<'static>,
    input: Vec<u8>,
    used: usize,
    /// What was decompressed last. Its memory is used again and again.
    output: Vec<u8>,
    is_within_frame: bool,
}

#[pymethods]
impl Zstd {
    #[new]
    fn new() -> PyResult<Self> {
        let (decoder, input, output) = (Decoder::new()?, Vec::new(), Vec::new());
        Ok(Self { decoder, input, used: 0, output, is_within_frame: false })
    }

    /// Takes the next piece of the file. All of the piece before it must have been used.
    fn feed(&mut self, piece: &[u8]) {
        self.input.clear();
        self.input.extend_from_slice(piece);
        self.used = 0;
    }

    /// The next decompressed bytes, at most `size`; none if the next piece is needed.
    fn read<'py>(&mut self, py: Python<'py>, size: usize) -> PyResult<Bound<'py, PyBytes>> {
        py.detach(|| self.fill(size.min(PIECE))).map_err(|error| PyOSError::new_err(error.to_string()))?;
        Ok(PyBytes::new(py, &self.output))
    }

    /// Whether the file has ended in the middle of a frame, if no piece follows.
    #[getter]
    fn is_within_frame(&self) -> bool {
        self.is_within_frame
    }
}

impl Zstd {
    /// Decompresses as many bytes as the input allows, at most `size`.
    fn fill(&mut self, size: usize) -> std::io::Result<()> {
        self.output.clear();
        if self.output.capacity() != size {
            self.output = Vec::with_capacity(size);
        }
        let mut to = OutBuffer::around(&mut self.output);
        loop {
            let mut from = InBuffer::around(&self.input[self.used..]);
            let before = to.pos();
            // What is still in the decoder's buffer comes out without any input.
            let hint = self.decoder.run(&mut from, &mut to)?;
            let used = from.pos();
            self.used += used;
            let is_stuck = used == 0 && to.pos() == before;
            if !is_stuck {
                self.is_within_frame = hint != 0;
            }
            if to.pos() == to.capacity() || is_stuck {
                return Ok(());
            }
        }
    }
}

/// Compresses a file that comes in pieces, as one frame with a checksum. The same bytes give the same frame, whatever
/// the sizes of the pieces.
#[pyclass(module = "likely._native")]
pub(crate) struct ZstdWriter {
    /// None after the end.
    core: Option<FrameWriter>,
    /// What was compressed last. Its memory is used again and again.
    written: Vec<u8>,
}

#[pymethods]
impl ZstdWriter {
    #[new]
    fn new(level: i32) -> PyResult<Self> {
        Ok(Self { core: Some(FrameWriter::new(level)?), written: Vec::new() })
    }

    /// The compressed bytes that are ready after the next piece.
    fn feed<'py>(&mut self, py: Python<'py>, piece: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
        let core = self.core.as_mut().ok_or_else(ended)?;
        self.written.clear();
        py.detach(|| core.feed(piece, &mut self.written))?;
        Ok(PyBytes::new(py, &self.written))
    }

    /// The last compressed bytes.
    fn finish<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let core = self.core.take().ok_or_else(ended)?;
        self.written.clear();
        py.detach(|| core.finish(&mut self.written))?;
        Ok(PyBytes::new(py, &self.written))
    }
}

fn ended() -> PyErr {
    PyValueError::new_err("the frame has ended")
}
