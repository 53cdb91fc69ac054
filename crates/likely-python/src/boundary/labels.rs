//! Labels become numbers, for long lists.

use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyInt, PyList, PyString};

/// After how many labels signals are checked.
const PATIENCE: usize = 1 << 20;

/// The number of each label, handed out in order of appearance and noted in `numbers`; None if the labels are not all
/// of one type: str, int or bool.
#[pyfunction]
pub(crate) fn encode_labels<'py>(
    labels: &Bound<'py, PyList>,
    numbers: &Bound<'py, PyDict>,
) -> PyResult<Option<Bound<'py, PyArray1<u32>>>> {
    let py = labels.py();
    let mut codes: Vec<u32> = Vec::with_capacity(labels.len());
    let Ok(first) = labels.get_item(0) else { return Ok(Some(codes.into_pyarray(py))) };
    let plain = first.is_exact_instance_of::<PyString>()
        || first.is_exact_instance_of::<PyInt>()
        || first.is_exact_instance_of::<PyBool>();
    let kind = first.get_type();
    for (row, label) in labels.iter().enumerate() {
        if row.is_multiple_of(PATIENCE) {
            py.check_signals()?;
        }
        if !plain || !label.get_type().is(&kind) {
            return Ok(None);
        }
        codes.push(match numbers.get_item(&label)? {
            Some(number) => number.extract()?,
            None => {
                let number = numbers.len() as u32;
                numbers.set_item(label, number)?;
                number
            }
        });
    }
    Ok(Some(codes.into_pyarray(py)))
}
