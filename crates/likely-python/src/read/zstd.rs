//! Zstandard files are decompressed, piece by piece.

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use zstd::stream::raw::{Decoder, InBuffer, Operation, OutBuffer};

/// Decompresses a file that comes in pieces. The file may have several frames, also such as are to be skipped.
#[pyclass(module = "likely._native")]
pub(crate) struct Zstd {
    decoder: Decoder<'static>,
    input: Vec<u8>,
    used: usize,
    is_within_frame: bool,
}

#[pymethods]
impl Zstd {
    #[new]
    fn new() -> PyResult<Self> {
        Ok(Self { decoder: Decoder::new()?, input: Vec::new(), used: 0, is_within_frame: false })
    }

    /// Takes the next piece of the file. All of the piece before it must have been used.
    fn feed(&mut self, piece: &[u8]) {
        self.input = piece.to_vec();
        self.used = 0;
    }

    /// The next decompressed bytes, at most `size`; none if the next piece is needed.
    fn read<'py>(&mut self, py: Python<'py>, size: usize) -> PyResult<Bound<'py, PyBytes>> {
        let mut output = vec![0; size];
        let written =
            py.detach(|| self.fill(&mut output)).map_err(|error| PyOSError::new_err(error.to_string()))?;
        Ok(PyBytes::new(py, &output[..written]))
    }

    /// Whether the file has ended in the middle of a frame, if no piece follows.
    #[getter]
    fn is_within_frame(&self) -> bool {
        self.is_within_frame
    }
}

impl Zstd {
    /// Fills the output as far as the input allows; returns the number of bytes.
    fn fill(&mut self, output: &mut [u8]) -> std::io::Result<usize> {
        let mut to = OutBuffer::around(output);
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
                return Ok(to.pos());
            }
        }
    }
}
