//! Plain text goes in, records come out: one document per line, with or without the labels of fastText.

use crate::read::records::{Problem, Records};

/// The prefix of a label in fastText's format.
const MARK: &[u8] = b"__label__";

/// What the lines contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lines {
    /// Texts without labels.
    Plain,
    /// Texts after labels, which the caller does not want.
    Labelled,
    /// Texts after labels, which the caller wants.
    WithLabels,
}

/// The rows of a chunk, which begins with a line. An empty line is an empty text.
pub fn read_lines(chunk: &[u8], last: bool, lines: Lines, longest: usize) -> Records {
    let has_label = lines == Lines::WithLabels;
    let mut records = Records::new(if has_label { 2 } else { 1 }, chunk);
    records.each_line(chunk, last, longest, has_label, |records, [start, end]| {
        match read_line(&chunk[start..end], lines, records) {
            None => records.end_row([start, end]),
            Some(problem) => records.end_bad_row([start, end], problem, has_label),
        }
    });
    records
}

fn read_line(line: &[u8], lines: Lines, records: &mut Records) -> Option<Problem> {
    if lines == Lines::Plain {
        records.columns[0].values.extend_from_slice(line);
        return records.check(false);
    }
    let (mut text, mut labels) = (line, 0);
    while let Some(labelled) = text.trim_ascii_start().strip_prefix(MARK) {
        let end = labelled.iter().position(u8::is_ascii_whitespace).unwrap_or(labelled.len());
        if lines == Lines::WithLabels {
            records.columns[1].values.extend_from_slice(&labelled[..end]);
        }
        labels += 1;
        text = &labelled[end..];
    }
    records.columns[0].values.extend_from_slice(text.trim_ascii_start());
    if labels > 1 && lines == Lines::WithLabels {
        return Some(Problem::Labels);
    }
    records.check(lines == Lines::WithLabels)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_with_and_without_labels() {
        let file = b"__label__spam  win big\r\nhi\n\n__label__a __label__b both\n__label__ham\n__label__x \xff";
        let records = read_lines(file, true, Lines::WithLabels, 1 << 20);
        assert_eq!(records.columns[0].values, b"win big");
        assert_eq!(records.columns[1].values, b"spamham");
        let bad: Vec<(u64, Problem)> = records.bad.iter().map(|bad| (bad.line, bad.problem)).collect();
        let expected =
            [(1, Problem::NoLabel), (2, Problem::NoLabel), (3, Problem::Labels), (5, Problem::Encoding)];
        assert_eq!(bad, expected);
        let records = read_lines(file, true, Lines::Labelled, 1 << 20);
        assert_eq!(records.columns[0].values, b"win bighiboth");
        assert_eq!((records.spans.len(), records.bad.len()), (6, 1));
        assert_eq!(read_lines(b"a\nb", false, Lines::Plain, 1 << 20).used, 2);
    }
}
