//! Values separated by commas or tabs go in, records come out (RFC 4180).
//!
//! The time is linear: fields are found with memchr, and where quoting turns out to be broken, what had been taken for
//! one row is read once more, line by line.

use crate::read::records::{Column, Problem, Records, without_return};
use memchr::{memchr, memchr_iter, memchr2};

/// What a file looks like, and which fields the caller wants.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The character between fields.
    pub delimiter: u8,
    /// How many fields a row has.
    pub width: usize,
    /// The indices of the wanted fields, the text first.
    pub columns: Vec<usize>,
    /// Whether the second of them is a label, which must not be empty.
    pub has_label: bool,
    /// The longest row, in bytes.
    pub longest: usize,
}

/// Where the reader stands after a field.
enum After {
    /// Another field begins here.
    Field(usize),
    /// The row ended at the first number; the next row begins at the second.
    Row(usize, usize),
    /// The chunk ended within the field.
    Open,
    /// Something follows a closing quote, at this place.
    Broken(usize),
}

/// The rows of a chunk, which begins with a row. The end of the `last` chunk is the end of a row.
///
/// Up to `broken`, which is [`Records::broken`] of the previous chunk, a row ends with its line.
pub fn read_csv(chunk: &[u8], last: bool, layout: &Layout, broken: usize) -> Records {
    let mut records = Records::new(layout.columns.len(), chunk);
    records.broken = broken;
    let mut wanted = vec![None; layout.width];
    for (at, &column) in layout.columns.iter().enumerate() {
        if let Some(place) = wanted.get_mut(column) {
            *place = Some(at);
        }
    }
    while records.used < chunk.len() && !records.cut {
        let ended = if records.used < records.broken {
            read_line(chunk, last, layout, &wanted, &mut records)
        } else {
            read_row(chunk, last, layout, &wanted, &mut records)
        };
        if !ended {
            break;
        }
    }
    records.broken = records.broken.saturating_sub(records.used);
    records
}

/// The fields of the first row that is not blank, and where the next row begins; `None` if the row has not ended.
pub fn read_header(chunk: &[u8], last: bool, delimiter: u8) -> Option<(Vec<Vec<u8>>, usize)> {
    let (mut fields, mut at, mut start) = (Vec::new(), 0, 0);
    loop {
        let mut field = Vec::new();
        let after = read_field(chunk, at, last, delimiter, Some(&mut field));
        fields.push(field);
        match after {
            After::Field(next) => at = next,
            After::Row(end, next) if end == start && next < chunk.len() => {
                fields.clear();
                (at, start) = (next, next);
            }
            After::Row(_, next) => return Some((fields, next)),
            After::Open | After::Broken(_) => return None,
        }
    }
}

/// Reads a row that must end with its line; returns false if the line has not ended yet.
fn read_line(chunk: &[u8], last: bool, layout: &Layout, wanted: &[Option<usize>], records: &mut Records) -> bool {
    match memchr(b'\n', &chunk[records.used..]) {
        Some(length) => read_row(&chunk[..records.used + length + 1], true, layout, wanted, records),
        None => read_row(chunk, last, layout, wanted, records),
    }
}

/// Reads a row; returns false if it has not ended yet.
fn read_row(chunk: &[u8], last: bool, layout: &Layout, wanted: &[Option<usize>], records: &mut Records) -> bool {
    let start = records.used;
    let (mut at, mut fields) = (start, 0);
    loop {
        let column = wanted.get(fields).copied().flatten().map(|column| &mut records.columns[column].values);
        let after = read_field(chunk, at, last, layout.delimiter, column);
        fields += 1;
        match after {
            After::Field(next) => at = next,
            After::Row(end, next) => {
                let problem =
                    if fields == layout.width { records.check(layout.has_label) } else { Some(Problem::Fields) };
                let is_blank = fields == 1 && end == start;
                match problem {
                    _ if is_blank => records.columns.iter_mut().for_each(Column::reopen),
                    None => records.end_row([start, end]),
                    Some(problem) => records.end_bad_row([start, end], problem, layout.has_label),
                }
                return pass(chunk, next, records);
            }
            After::Broken(at) => return skip_line(chunk, last, layout, (Problem::Quoting, at), records),
            After::Open if last => {
                return skip_line(chunk, last, layout, (Problem::Quoting, chunk.len()), records);
            }
            After::Open if chunk.len() - start > layout.longest => {
                return skip_line(chunk, last, layout, (Problem::TooLong, chunk.len()), records);
            }
            After::Open => return wait(records),
        }
    }
}

/// Gives up a row that went wrong at some place, and continues with the next line: a quote that is never closed must
/// cost one row, not all rows after it.
fn skip_line(
    chunk: &[u8],
    last: bool,
    layout: &Layout,
    (problem, at): (Problem, usize),
    records: &mut Records,
) -> bool {
    let start = records.used;
    let next = match memchr(b'\n', &chunk[start..]) {
        Some(length) => start + length + 1,
        None if last => chunk.len(),
        None if chunk.len() - start > layout.longest => {
            records.cut_line(chunk, layout.has_label);
            return true;
        }
        None => return wait(records),
    };
    records.broken = records.broken.max(at);
    let end = if chunk[..next].ends_with(b"\n") { next - 1 } else { next };
    records.end_bad_row([start, without_return(chunk, start, end)], problem, layout.has_label);
    pass(chunk, next, records)
}

/// Leaves a row until more of it has come; returns false.
fn wait(records: &mut Records) -> bool {
    records.columns.iter_mut().for_each(Column::reopen);
    false
}

/// Continues at `next`; returns true.
fn pass(chunk: &[u8], next: usize, records: &mut Records) -> bool {
    records.passed += memchr_iter(b'\n', &chunk[records.used..next]).count() as u64;
    records.used = next;
    true
}

/// Reads a field into a column, if it is wanted.
fn read_field(chunk: &[u8], at: usize, last: bool, delimiter: u8, column: Option<&mut Vec<u8>>) -> After {
    if chunk.get(at) == Some(&b'"') {
        return read_quoted(chunk, at + 1, last, delimiter, column);
    }
    let Some(length) = memchr2(delimiter, b'\n', &chunk[at..]) else {
        if last {
            let end = without_return(chunk, at, chunk.len());
            keep(column, &chunk[at..end]);
            return After::Row(end, chunk.len());
        }
        return After::Open;
    };
    let end = at + length;
    if chunk[end] == delimiter {
        keep(column, &chunk[at..end]);
        return After::Field(end + 1);
    }
    let text_end = without_return(chunk, at, end);
    keep(column, &chunk[at..text_end]);
    After::Row(text_end, end + 1)
}

/// Reads a field that begins after its opening quote.
fn read_quoted(chunk: &[u8], mut at: usize, last: bool, delimiter: u8, mut column: Option<&mut Vec<u8>>) -> After {
    loop {
        let Some(length) = memchr(b'"', &chunk[at..]) else { return After::Open };
        let quote = at + length;
        let next = chunk.get(quote + 1);
        if next == Some(&b'"') {
            keep(column.as_deref_mut(), &chunk[at..=quote]);
            at = quote + 2;
            continue;
        }
        keep(column, &chunk[at..quote]);
        return match next {
            Some(&b'\n') => After::Row(quote + 1, quote + 2),
            Some(&b'\r') if chunk.get(quote + 2) == Some(&b'\n') => After::Row(quote + 1, quote + 3),
            Some(&b'\r') if quote + 2 == chunk.len() => end_of_chunk(quote + 1, chunk, last),
            Some(&next) if next == delimiter => After::Field(quote + 2),
            Some(_) => After::Broken(quote + 1),
            None => end_of_chunk(quote + 1, chunk, last),
        };
    }
}

fn end_of_chunk(end: usize, chunk: &[u8], last: bool) -> After {
    if last { After::Row(end, chunk.len()) } else { After::Open }
}

fn keep(column: Option<&mut Vec<u8>>, field: &[u8]) {
    if let Some(column) = column {
        column.extend_from_slice(field);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn layout(width: usize) -> Layout {
        Layout { delimiter: b',', width, columns: (0..width).collect(), has_label: false, longest: 1 << 20 }
    }

    fn rows(records: &Records) -> Vec<Vec<String>> {
        let field = |row: usize, column: &Column| String::from_utf8(column.string(row).to_vec()).expect("checked");
        (0..records.spans.len()).map(|row| records.columns.iter().map(|c| field(row, c)).collect()).collect()
    }

    /// The rows and bad lines of a file that comes in chunks of `size` bytes.
    fn in_chunks(file: &[u8], size: usize, width: usize) -> (Vec<Vec<String>>, Vec<(u64, Problem)>) {
        let (mut all, mut bad, mut start, mut end, mut line, mut broken) = (Vec::new(), Vec::new(), 0, 0, 0, 0);
        loop {
            end = (end + size).min(file.len());
            let last = end == file.len();
            let records = read_csv(&file[start..end], last, &layout(width), broken);
            broken = records.broken;
            all.extend(rows(&records));
            bad.extend(records.bad.iter().map(|bad| (line + bad.line, bad.problem)));
            line += records.passed;
            start += records.used;
            if last {
                assert_eq!(start, file.len());
                return (all, bad);
            }
        }
    }

    #[test]
    fn fields_quotes_and_line_ends() {
        let file = b"a,b\r\n\"x, \"\"y\"\"\nz\",\n\n5\" disk,\"\"\r\nlast,\xc3\xa9";
        let expected = [["a", "b"], ["x, \"y\"\nz", ""], ["5\" disk", ""], ["last", "é"]];
        for size in 1..file.len() + 1 {
            let (all, bad) = in_chunks(file, size, 2);
            assert_eq!(all, expected.map(|row| row.map(String::from).to_vec()), "{size}");
            assert_eq!(bad, []);
        }
    }

    #[test]
    fn bad_rows_are_named_and_the_next_is_read() {
        let file = b"a,b\n\"open,b\n\"c\",d\ne\nf,\xff\n\"g\"x,h\ni,\"j\nk,l\n";
        let (all, bad) = in_chunks(file, 1000, 2);
        let none = ["", ""];
        assert_eq!(all, [["a", "b"], none, ["c", "d"], none, none, none, none, ["k", "l"]]);
        let lines: Vec<(u64, &str)> = bad.iter().map(|&(line, problem)| (line, problem.name())).collect();
        let expected = [
            (1, "broken quoting"),
            (3, "not as many fields as the header"),
            (4, "not valid UTF-8"),
            (5, "broken quoting"),
            (6, "broken quoting"),
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn bad_rows_stay_in_their_place_unless_labels_are_wanted() {
        let file = b"a,x\r\n\xff,y\r\n\"open,z\r\nb,x\r\n";
        let records = read_csv(file, true, &layout(2), 0);
        let spans: Vec<&[u8]> =
            records.spans.iter().map(|span| &file[span[0] as usize..span[1] as usize]).collect();
        assert_eq!(spans, [&b"a,x"[..], b"\xff,y", b"\"open,z", b"b,x"]);
        let records = read_csv(file, true, &Layout { has_label: true, ..layout(2) }, 0);
        assert_eq!(rows(&records), [["a", "x"], ["b", "x"]]);
        let bad: Vec<(u64, Option<&str>)> =
            records.bad.iter().map(|bad| (bad.row, bad.label.as_deref())).collect();
        assert_eq!((bad, records.rows), (vec![(1, Some("y")), (2, None)], 4));
    }

    #[test]
    fn headers() {
        let header = |chunk: &[u8], last| read_header(chunk, last, b',');
        assert_eq!(header(b"\r\n\"a\nb\",c\r\nx", false), Some((vec![b"a\nb".to_vec(), b"c".to_vec()], 11)));
        assert_eq!(header(b"a,b", true), Some((vec![b"a".to_vec(), b"b".to_vec()], 3)));
        assert_eq!((header(b"a,b", false), header(b"a,\"b", true)), (None, None));
    }

    #[test]
    fn quotes_that_never_match_cost_linear_time() {
        let file = b"a\",b,\"\n".repeat(200_000);
        let records = read_csv(&file, true, &layout(3), 0);
        assert_eq!((records.spans.len(), records.bad.len()), (200_000, 200_000));
    }

    #[test]
    fn a_row_without_end_costs_no_more_than_its_length() {
        let mut file = b"a,\"".to_vec();
        file.extend([b'x'; 5000]);
        let mut layout = layout(2);
        layout.longest = 1000;
        let records = read_csv(&file, false, &layout, 0);
        assert_eq!((records.bad[0].problem, records.used), (Problem::TooLong, file.len()));
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(rows in prop::collection::vec(prop::collection::vec("[a-c,\"\r\né]{0,6}", 2), 0..8),
                                   size in 1usize..40, quote_all: bool) {
            let mut file = String::new();
            let mut expected = Vec::new();
            for row in rows {
                let fields: Vec<String> = row.iter().map(|field| {
                    let special = quote_all || field.contains([',', '"', '\n', '\r']) || field.is_empty();
                    if special { format!("\"{}\"", field.replace('"', "\"\"")) } else { field.clone() }
                }).collect();
                file.push_str(&fields.join(","));
                file.push('\n');
                expected.push(row);
            }
            let (all, bad) = in_chunks(file.as_bytes(), size, 2);
            prop_assert_eq!(all, expected);
            prop_assert_eq!(bad, vec![]);
        }
    }
}
