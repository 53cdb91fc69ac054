//! Every error of the kernel, by name.

use std::fmt;

/// A result of the kernel.
pub type Result<T> = std::result::Result<T, Error>;

/// Why the kernel refused. What it was asked to change is unchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The caller asked to stop.
    Interrupted,
    /// Parts that the caller passed do not fit each other.
    Misfit,
    /// A text does not fit 32-bit offsets.
    TextTooLong {
        /// The index of the text in its batch.
        row: usize,
        /// The length of the text.
        bytes: usize,
    },
    /// A count does not fit 64 bits, or there are more terms or counts than 32 bits can number.
    TooLarge(&'static str),
    /// What is to be forgotten is not in the counts.
    NotLearned {
        /// The first term that is missing, or `None` if a class has too few documents or tokens.
        term: Option<String>,
        /// The class in which it is missing.
        class: u32,
    },
}

/// Refuses texts of more than `longest` bytes, whose offsets do not fit.
pub(crate) fn check_lengths(lengths: impl Iterator<Item = usize>, longest: usize) -> Result<()> {
    let long = lengths.enumerate().find(|(_, bytes)| *bytes > longest);
    long.map_or(Ok(()), |(row, bytes)| Err(Error::TextTooLong { row, bytes }))
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Interrupted => f.write_str("interrupted"),
            Self::Misfit => f.write_str("the parts of a table do not fit each other"),
            Self::TextTooLong { row, bytes } => {
                // Messages number rows from 1.
                write!(f, "the text in row {} has {bytes} bytes; a single text may have at most 4 GiB", row + 1)
            }
            Self::TooLarge(what) => write!(f, "the counts grew too large: {what}"),
            Self::NotLearned { term: Some(term), .. } => write!(f, "the term {term:?} was not learned that often"),
            Self::NotLearned { term: None, .. } => f.write_str("that many documents were not learned"),
        }
    }
}

impl std::error::Error for Error {}
