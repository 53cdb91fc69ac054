//! Settings by name: a dict of them, and the choices that a string can be.

use crate::boundary::errors::named;
use likely_core::count::term_value::Value;
use pyo3::conversion::FromPyObjectOwned;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// A dict of settings, of which each must be taken once.
pub(crate) struct Settings<'a, 'py> {
    given: &'a Bound<'py, PyDict>,
    taken: Vec<&'static str>,
}

impl<'a, 'py> Settings<'a, 'py> {
    pub(crate) fn new(given: &'a Bound<'py, PyDict>) -> Self {
        Self { given, taken: Vec::new() }
    }

    /// The setting of this name.
    pub(crate) fn take<T: FromPyObjectOwned<'py>>(&mut self, name: &'static str) -> PyResult<T> {
        self.taken.push(name);
        match self.given.get_item(name)? {
            Some(value) => value.extract().map_err(Into::into),
            None => Err(self.error(format!("the kernel needs the setting {name:?}"))),
        }
    }

    /// The choice that the setting of this name is.
    pub(crate) fn choice<T: Copy>(&mut self, name: &'static str, choices: &[(&str, T)]) -> PyResult<T> {
        let value: String = self.take(name)?;
        choice(self.given.py(), name, &value, choices)
    }

    /// Refuses settings that were not taken.
    pub(crate) fn finish(self) -> PyResult<()> {
        for name in self.given.keys() {
            let name: String = name.extract()?;
            if !self.taken.contains(&name.as_str()) {
                return Err(self.error(format!("the kernel does not know the setting {name:?}")));
            }
        }
        Ok(())
    }

    fn error(&self, message: String) -> PyErr {
        named(self.given.py(), "OptionError", message)
    }
}

/// The choice of this name.
pub(crate) fn choice<T: Copy>(py: Python<'_>, what: &str, name: &str, choices: &[(&str, T)]) -> PyResult<T> {
    let found = choices.iter().find(|(choice, _)| *choice == name);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let known: Vec<String> = choices.iter().map(|(choice, _)| format!("{choice:?}")).collect();
        named(py, "OptionError", format!("{what} is {name:?}: the kernel knows {}", known.join(", ")))
    })
}

/// What a term counts in a document, by name.
pub(crate) fn value_of(py: Python<'_>, name: &str) -> PyResult<Value> {
    choice(py, "value", name, VALUES)
}

/// The names of what a term can count in a document.
pub(crate) const VALUES: &[(&str, Value)] =
    &[("count", Value::Count), ("presence", Value::Presence), ("damped", Value::Damped)];
