//! Why a file is not a model, or rows are not counts, in one line.

use crate::error::Error;
use std::borrow::Cow;
use std::fmt;

/// A result of reading a file or rows.
pub type Result<T> = std::result::Result<T, Refused>;

/// Why a file is not a model, or rows are not counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused(Cow<'static, str>);

impl Refused {
    /// A refusal that concerns one column.
    pub(super) fn column(name: &str, what: &str) -> Self {
        Self(format!("its column '{name}' {what}").into())
    }
}

impl From<&'static str> for Refused {
    fn from(message: &'static str) -> Self {
        Self(message.into())
    }
}

impl From<Error> for Refused {
    fn from(error: Error) -> Self {
        Self(error.to_string().into())
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
