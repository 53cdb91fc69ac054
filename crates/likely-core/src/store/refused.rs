//! Why a file is not a model, in one line.

use crate::store::untrusted_rows::Unsound;
use std::borrow::Cow;
use std::fmt;

/// A result of reading a file.
pub type Result<T> = std::result::Result<T, Refused>;

/// Why a file is not a model: a sentence whose subject is the file.
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

impl From<Unsound> for Refused {
    fn from(unsound: Unsound) -> Self {
        Self(unsound.to_string().into())
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
