//! What reading gives: columns of strings, where each row lies, and which rows could not be read and why.

use memchr::memchr;
use std::collections::HashMap;

/// Strings one after another, as Arrow lays them out.
#[derive(Debug, PartialEq, Eq)]
pub struct Column {
    /// The bytes of all strings, valid UTF-8.
    pub values: Vec<u8>,
    /// Where each string begins, and where the last one ends.
    pub offsets: Vec<i64>,
}

impl Default for Column {
    fn default() -> Self {
        Self { values: Vec::new(), offsets: vec![0] }
    }
}

impl Column {
    /// Ends the string that the bytes since the last one make up.
    fn close(&mut self) {
        self.offsets.push(self.values.len() as i64);
    }

    /// The string that is being written.
    pub(crate) fn open(&self) -> &[u8] {
        &self.values[self.offsets[self.offsets.len() - 1] as usize..]
    }

    /// Drops the string that is being written.
    pub(crate) fn reopen(&mut self) {
        self.values.truncate(self.offsets[self.offsets.len() - 1] as usize);
    }
}

impl Column {
    /// The distinct strings, in order of appearance, and for each row which of them it has.
    pub fn distinct(&self) -> (Vec<&str>, Vec<u32>) {
        let mut numbers: HashMap<&[u8], u32> = HashMap::new();
        let mut strings = Vec::new();
        let codes = self.offsets.windows(2).map(|ends| {
            let string = &self.values[ends[0] as usize..ends[1] as usize];
            *numbers.entry(string).or_insert_with(|| {
                strings.push(std::str::from_utf8(string).unwrap_or_default());
                strings.len() as u32 - 1
            })
        });
        let codes = codes.collect();
        (strings, codes)
    }
}

/// Why a row cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    /// It has more or fewer fields than the header.
    Fields,
    /// A quote is not closed, or something follows the closing quote.
    Quoting,
    /// A field that is wanted is not valid UTF-8.
    Encoding,
    /// It has no label.
    NoLabel,
    /// It has no text.
    NoText,
    /// It has more than one label.
    Labels,
    /// The line is no JSON object.
    Json,
    /// The text, or the label, is neither text nor (for labels) a whole number or a truth value.
    Kind,
    /// It is longer than any row may be.
    TooLong,
}

impl Problem {
    /// What to tell people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fields => "not as many fields as the header",
            Self::Quoting => "broken quoting",
            Self::Encoding => "not valid UTF-8",
            Self::NoLabel => "no label",
            Self::NoText => "no text",
            Self::Labels => "more than one label",
            Self::Json => "no JSON object",
            Self::Kind => "text or label of the wrong type",
            Self::TooLong => "longer than a row may be",
        }
    }
}

/// What kind of value a label was. One row's kind; those of text files are all text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// Text.
    #[default]
    Text = 0,
    /// A whole number.
    Whole = 1,
    /// True or false.
    Truth = 2,
}

/// The rows of a chunk of a file.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Records {
    /// The columns asked for; all are as long as `spans`.
    pub columns: Vec<Column>,
    /// The kinds of the labels, if they are known.
    pub kinds: Vec<u8>,
    /// Where each row begins and ends in the chunk, without its line end.
    pub spans: Vec<[i64; 2]>,
    /// The rows that were skipped: their lines and why.
    pub bad: Vec<(u64, Problem)>,
    /// How many bytes were read. What follows is a row that has not ended yet.
    pub used: usize,
    /// How many line ends were passed.
    pub passed: u64,
    /// Whether the last row was given up in the middle of a line, whose rest is still to come.
    pub cut: bool,
    /// Up to where, from the end of what was read on, a row ends with its line, because quoting was broken.
    pub broken: usize,
}

impl Records {
    pub(crate) fn new(columns: usize, chunk: &[u8]) -> Self {
        let mut records = Self::default();
        for at in 0..columns {
            let mut column = Column::default();
            // The first column asked for is the text, which is nearly all there is.
            column.values.reserve(if at == 0 { chunk.len() } else { 0 });
            records.columns.push(column);
        }
        records
    }

    /// Takes the strings that are being written as a row, or drops them if there is a problem.
    pub(crate) fn end_row(&mut self, span: [usize; 2], problem: Option<Problem>) {
        if let Some(problem) = problem {
            self.columns.iter_mut().for_each(Column::reopen);
            self.bad.push((self.passed, problem));
            return;
        }
        self.columns.iter_mut().for_each(Column::close);
        self.spans.push(span.map(|at| at as i64));
    }

    /// Where the next line ends, and where the one after it begins; nothing if it has not ended yet.
    pub(crate) fn next_line(&mut self, chunk: &[u8], last: bool, longest: usize) -> Option<(usize, usize)> {
        let start = self.used;
        let (end, next) = match memchr(b'\n', &chunk[start..]) {
            Some(length) => (start + length, start + length + 1),
            None if last => (chunk.len(), chunk.len()),
            None if chunk.len() - start > longest => {
                self.cut_line(chunk);
                return None;
            }
            None => return None,
        };
        Some((without_return(chunk, start, end), next))
    }

    /// Gives up a line that has grown too long before its end was seen.
    pub(crate) fn cut_line(&mut self, chunk: &[u8]) {
        self.end_row([0, 0], Some(Problem::TooLong));
        self.used = chunk.len();
        self.cut = true;
    }

    /// What is wrong with the strings that are being written: the first is the text, the second the label.
    pub(crate) fn check(&self, has_label: bool) -> Option<Problem> {
        let invalid = |column: &Column| std::str::from_utf8(column.open()).is_err();
        if self.columns.iter().any(invalid) {
            return Some(Problem::Encoding);
        }
        (has_label && self.columns[1].open().is_empty()).then_some(Problem::NoLabel)
    }
}

/// The end of a line without the carriage return that Windows puts before the line end.
pub(crate) fn without_return(chunk: &[u8], start: usize, end: usize) -> usize {
    if end > start && chunk[end - 1] == b'\r' { end - 1 } else { end }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distinct_strings() {
        let column = Column { values: b"hamspamham".to_vec(), offsets: vec![0, 3, 7, 7, 10] };
        assert_eq!(column.distinct(), (vec!["ham", "spam", ""], vec![0, 1, 2, 0]));
    }
}
