//! What every reader returns: columns of strings, the place of each row, and the rows that could not be read and why.
//!
//! If labels are wanted, the rows go into counts, so those that cannot be read are left out. If only texts are wanted,
//! each row gets an answer, so those that cannot be read stay in their place, with an empty text.

use memchr::memchr;
use std::collections::HashMap;

/// Strings in one block of bytes, in the layout of Arrow.
#[derive(Debug, PartialEq, Eq)]
pub struct Column {
    /// The bytes of all strings, valid UTF-8.
    pub values: Vec<u8>,
    /// Where each string begins; the last number is the end.
    pub offsets: Vec<i64>,
}

impl Default for Column {
    fn default() -> Self {
        Self { values: Vec::new(), offsets: vec![0] }
    }
}

impl Column {
    /// Ends the string that consists of the bytes since the last end.
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

    /// The string of a row.
    pub fn string(&self, row: usize) -> &[u8] {
        &self.values[self.offsets[row] as usize..self.offsets[row + 1] as usize]
    }

    /// The distinct strings, in order of appearance, and for each row the index of its string.
    pub fn distinct(&self) -> (Vec<String>, Vec<u32>) {
        let mut numbers: HashMap<&[u8], u32> = HashMap::new();
        let mut strings = Vec::new();
        let codes = (0..self.offsets.len() - 1).map(|row| {
            let string = self.string(row);
            *numbers.entry(string).or_insert_with(|| {
                strings.push(String::from_utf8_lossy(string).into_owned());
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
    /// The row has more or fewer fields than the header.
    Fields,
    /// A quote is not closed, or something follows the closing quote.
    Quoting,
    /// A wanted field is not valid UTF-8.
    Encoding,
    /// The row has no label.
    NoLabel,
    /// The row has no text.
    NoText,
    /// The row has more than one label.
    Labels,
    /// The line is not a JSON object.
    Json,
    /// The text is not a string, or the label is not a string, a whole number or a truth value.
    Kind,
    /// The row is longer than any row may be.
    TooLong,
}

impl Problem {
    /// Whether the row was cut into fields, so that its label is known.
    pub fn has_fields(self) -> bool {
        matches!(self, Self::Encoding | Self::NoText | Self::Kind | Self::NoLabel | Self::Labels)
    }

    /// The problem in words for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fields => "not as many fields as the header",
            Self::Quoting => "broken quoting",
            Self::Encoding => "not valid UTF-8",
            Self::NoLabel => "no label",
            Self::NoText => "no text",
            Self::Labels => "more than one label",
            Self::Json => "not a JSON object",
            Self::Kind => "text or label of the wrong type",
            Self::TooLong => "longer than a row may be",
        }
    }
}

/// A row that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadRow {
    /// The number of rows of the chunk before it.
    pub row: u64,
    /// The number of line ends of the chunk before it.
    pub line: u64,
    /// Why it cannot be used.
    pub problem: Problem,
    /// Its label, if that could be read.
    pub label: Option<String>,
}

/// The type of a label. Labels of text files are all strings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LabelKind {
    /// A string.
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
    /// The wanted columns; all are as long as `spans`.
    pub columns: Vec<Column>,
    /// The types of the labels, if the format has types.
    pub kinds: Vec<u8>,
    /// Where each row begins and ends in the chunk, without its line end.
    pub spans: Vec<[i64; 2]>,
    /// The rows that cannot be used. Unless labels are wanted, they are in `columns` too, as empty strings.
    pub bad: Vec<BadRow>,
    /// The number of rows, with those that cannot be used.
    pub rows: u64,
    /// The number of bytes that were read. What follows is a row that has not ended yet.
    pub used: usize,
    /// The number of line ends that were passed.
    pub passed: u64,
    /// Whether the last row was given up in the middle of a line, the rest of which is still to come.
    pub cut: bool,
    /// Quoting was broken: up to this place, counted from the end of what was read, a row ends with its line.
    pub broken: usize,
}

impl Records {
    pub(crate) fn new(columns: usize, chunk: &[u8]) -> Self {
        let mut records = Self::default();
        for at in 0..columns {
            let mut column = Column::default();
            // The first column is the text, which is nearly all of the chunk.
            column.values.reserve(if at == 0 { chunk.len() } else { 0 });
            records.columns.push(column);
        }
        records
    }

    /// Makes a row of the strings that are being written.
    pub(crate) fn end_row(&mut self, span: [usize; 2]) {
        self.rows += 1;
        self.columns.iter_mut().for_each(Column::close);
        self.spans.push(span.map(|at| at as i64));
    }

    /// Ends a row that cannot be used. What has been written of it is dropped.
    pub(crate) fn end_bad_row(&mut self, span: [usize; 2], problem: Problem, has_label: bool) {
        let is_known = has_label && problem.has_fields() && problem != Problem::Labels;
        let label = if is_known { self.columns[1].open() } else { &[] };
        let label = std::str::from_utf8(label).ok().filter(|label| !label.is_empty()).map(String::from);
        self.bad.push(BadRow { row: self.rows, line: self.passed, problem, label });
        self.columns.iter_mut().for_each(Column::reopen);
        if has_label {
            self.rows += 1;
        } else {
            self.end_row(span);
        }
    }

    /// Calls `read` with the place of each line that has ended. If the line is a row, `read` ends it.
    pub(crate) fn each_line(
        &mut self,
        chunk: &[u8],
        last: bool,
        longest: usize,
        has_label: bool,
        mut read: impl FnMut(&mut Self, [usize; 2]),
    ) {
        while self.used < chunk.len() {
            let start = self.used;
            let (end, next) = match memchr(b'\n', &chunk[start..]) {
                Some(length) => (start + length, start + length + 1),
                None if last => (chunk.len(), chunk.len()),
                None if chunk.len() - start > longest => return self.cut_line(chunk, has_label),
                None => return,
            };
            read(self, [start, without_return(chunk, start, end)]);
            self.used = next;
            self.passed += 1;
        }
    }

    /// Gives up a line that has become too long before its end was seen.
    pub(crate) fn cut_line(&mut self, chunk: &[u8], has_label: bool) {
        self.end_bad_row([0, 0], Problem::TooLong, has_label);
        self.used = chunk.len();
        self.cut = true;
    }

    /// The problem of the strings that are being written, if any; the first is the text, the second the label.
    pub(crate) fn check(&self, has_label: bool) -> Option<Problem> {
        let invalid = |column: &Column| simdutf8::basic::from_utf8(column.open()).is_err();
        if self.columns.iter().any(invalid) {
            return Some(Problem::Encoding);
        }
        (has_label && self.columns[1].open().is_empty()).then_some(Problem::NoLabel)
    }
}

/// The end of a line without the carriage return that Windows writes before a line end.
pub(crate) fn without_return(chunk: &[u8], start: usize, end: usize) -> usize {
    if end > start && chunk[end - 1] == b'\r' { end - 1 } else { end }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distinct_strings() {
        let column = Column { values: b"hamspamham".to_vec(), offsets: vec![0, 3, 7, 7, 10] };
        assert_eq!(column.distinct(), (["ham", "spam", ""].map(String::from).to_vec(), vec![0, 1, 2, 0]));
    }
}
