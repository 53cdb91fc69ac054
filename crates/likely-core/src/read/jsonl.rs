//! JSON Lines go in, records come out: one object per line, of which some values are wanted.

use crate::read::json::{Found, read_object};
use crate::read::records::{Column, LabelKind, Problem, Records};

/// The rows of a chunk, which begins with a line: the values under `names`, that of the text first.
///
/// With `has_label` the second is a label, which may also be a whole number or a truth value.
pub fn read_jsonl(chunk: &[u8], last: bool, names: &[String], has_label: bool, longest: usize) -> Records {
    let mut records = Records::new(names.len(), chunk);
    records.each_line(chunk, last, longest, has_label, |records, [start, end]| {
        if !chunk[start..end].iter().all(u8::is_ascii_whitespace) {
            read_line(&chunk[start..end], names, has_label, [start, end], records);
        }
    });
    records
}

fn read_line(line: &[u8], names: &[String], has_label: bool, span: [usize; 2], records: &mut Records) {
    let mut found = vec![Found::Nothing; names.len()];
    let problem = match read_object(line, names, &mut records.columns, &mut found) {
        false if std::str::from_utf8(line).is_err() => Some(Problem::Encoding),
        false => Some(Problem::Json),
        true => problem_of(&found, has_label, &records.columns),
    };
    if let Some(problem) = problem {
        // A label of the wrong type is not the label of a class.
        if has_label && matches!(found[1], Found::Nothing | Found::Other) {
            records.columns[1].reopen();
        }
        return records.end_bad_row(span, problem, has_label);
    }
    if has_label {
        records.kinds.push(match found[1] {
            Found::Whole => LabelKind::Whole,
            Found::Truth => LabelKind::Truth,
            _ => LabelKind::Text,
        } as u8);
    }
    records.end_row(span);
}

fn problem_of(found: &[Found], has_label: bool, columns: &[Column]) -> Option<Problem> {
    match found.first() {
        Some(Found::Nothing) => return Some(Problem::NoText),
        Some(Found::Whole | Found::Truth | Found::Other) => return Some(Problem::Kind),
        Some(Found::Text) | None => {}
    }
    if !has_label {
        return None;
    }
    match found[1] {
        Found::Nothing => Some(Problem::NoLabel),
        Found::Text if columns[1].open().is_empty() => Some(Problem::NoLabel),
        Found::Other => Some(Problem::Kind),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Rows = Vec<(String, String, u8)>;

    fn read(file: &[u8]) -> (Rows, Vec<(u64, &'static str)>) {
        let records = read_jsonl(file, true, &["t".into(), "l".into()], true, 1 << 20);
        assert_eq!(records.used, file.len());
        let field = |column: usize, row: usize| {
            String::from_utf8(records.columns[column].string(row).to_vec()).expect("checked")
        };
        let rows =
            (0..records.spans.len()).map(|row| (field(0, row), field(1, row), records.kinds[row])).collect();
        (rows, records.bad.iter().map(|bad| (bad.line, bad.problem.name())).collect())
    }

    #[test]
    fn values_of_every_kind() {
        let file = b"{\"t\": \"a\\n\\u00e9\", \"l\": \"x\", \"o\": [1, {\"t\": 2}]}\r\n\n\
            {\"l\": -3, \"t\": \"\\ud83d\\ude00\"}\n{\"t\":\"1\",\"t\":\"2\",\"l\":true}";
        let (rows, bad) = read(file);
        let expected = [("a\né", "x", 0), ("😀", "-3", 1), ("2", "true", 2)];
        assert_eq!(rows, expected.map(|(text, label, kind)| (text.to_string(), label.to_string(), kind)));
        assert_eq!(bad, []);
    }

    #[test]
    fn fractions_are_read_to_the_last_bit() {
        let file = b"{\"t\":\"a\",\"w\":900719925.9921875}\n{\"t\":\"b\"}\n{\"t\":\"c\",\"w\":[1]}\n";
        let records = read_jsonl(file, true, &["t".into(), "w".into()], false, 1 << 20);
        assert_eq!(records.columns[1].values, b"900719925.9921875");
        assert_eq!((records.columns[1].offsets.len(), records.bad.len()), (4, 0));
    }

    #[test]
    fn bad_lines_are_named() {
        let file = b"[1]\n{\"t\":\"a\"}\n{\"l\":1}\n{\"t\":2,\"l\":1}\n{\"t\":\"a\",\"l\":1.5}\n{\"t\":\"\xff\",\"l\":1}\n\
            {\"t\":\"a\",\"l\":\"\"}\n{\"t\":\"a\",\"l\":1} x\n{\"t\":\"\\ud800\",\"l\":1}\n{\"t\":\"a\",\"l\":1";
        let (rows, bad) = read(file);
        assert_eq!(rows, []);
        let names: Vec<&str> = bad.iter().map(|&(_, name)| name).collect();
        let json = "not a JSON object";
        let kind = "text or label of the wrong type";
        assert_eq!(
            names,
            [json, "no label", "no text", kind, kind, "not valid UTF-8", "no label", json, json, json]
        );
        assert!(bad.iter().enumerate().all(|(line, bad)| bad.0 == line as u64));
    }

    #[test]
    fn other_fields_may_have_what_is_not_json() {
        let file = b"{\"t\":\"NaN \\\"NaN\",\"l\":1,\"o\":[NaN,-Infinity,{\"p\":Infinity}]}\n{\"o\":\"\\ud800\",\"t\":\"b\",\"l\":2}\n\
            {\"t\":NaN,\"l\":1}\n{\"t\":\"c\",\"l\":NaN}\n{\"t\":\"d\",\"l\":NaNa}";
        let (rows, bad) = read(file);
        assert_eq!(rows, [("NaN \"NaN".into(), "1".into(), 1), ("b".into(), "2".into(), 1)]);
        assert_eq!(bad, [(2, "no text"), (3, "no label"), (4, "not a JSON object")]);
    }

    #[test]
    fn invalid_bytes_matter_only_in_what_is_wanted() {
        let file = b"{\"o\":\"\xff\",\"t\":\"d\xc3\xa9j\xc3\xa0\",\"l\":1}\n{\"t\":\"\xff\",\"l\":1}\n{\"\xff\":1,\"t\":\"a\",\"l\":2}";
        let (rows, bad) = read(file);
        assert_eq!(rows, [("d\u{e9}j\u{e0}".into(), "1".into(), 1)]);
        assert_eq!(bad, [(1, "not valid UTF-8"), (2, "not valid UTF-8")]);
    }

    #[test]
    fn a_bad_line_stays_in_its_place_and_its_label_is_known() {
        let file = b"{\"t\":\"a\",\"l\":\"x\"}\n{\"t\":5,\"l\":\"y\"}\nno\n{\"t\":\"b\",\"l\":[]}\n";
        let records = read_jsonl(file, true, &["t".into(), "l".into()], true, 1 << 20);
        let labels: Vec<Option<&str>> = records.bad.iter().map(|bad| bad.label.as_deref()).collect();
        assert_eq!((labels, records.spans.len(), records.rows), (vec![Some("y"), None, None], 1, 4));
        let records = read_jsonl(file, true, &["t".into()], false, 1 << 20);
        assert_eq!((records.columns[0].values.as_slice(), records.spans.len()), (&b"ab"[..], 4));
    }

    #[test]
    fn a_line_that_has_not_ended_waits() {
        let records = read_jsonl(b"{\"t\":\"a\"}\n{\"t\"", false, &["t".into()], false, 1 << 20);
        assert_eq!((records.used, records.spans.len(), records.passed), (10, 1, 1));
    }
}
