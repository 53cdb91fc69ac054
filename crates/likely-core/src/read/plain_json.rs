//! Lines of JSON as nearly all are go in, and the wanted values come out, several times as fast as from `serde_json`.
//!
//! Every function returns `None` for what it does not know, be it wrong or only unusual: then `serde_json` decides.
//! So each line that is read here must be one that `serde_json` accepts with the same values; a test compares them.

use crate::read::json_blocks::{BLOCK, specials};
use crate::read::json_scan::{Scan, escaped, hex};
use crate::read::jsonl::Found;
use crate::read::records::Column;

/// Values within more arrays and objects than that are left to `serde_json`.
const DEEPEST: usize = 32;

/// Whole numbers with more digits are left to `serde_json`, which knows how many fit.
const MOST_DIGITS: usize = 18;

/// Reads one object into the columns. `None` if the line must be read in another way; the columns are then undefined.
pub(crate) fn read_plain(line: &str, names: &[String], columns: &mut [Column], found: &mut [Found]) -> Option<()> {
    let mut scan = Scan { line: line.as_bytes(), at: 0 };
    scan.skip_spaces();
    scan.skip_object(|scan| {
        let key = scan.plain_key()?;
        scan.skip_colon()?;
        match names.iter().position(|name| name.as_bytes() == key) {
            Some(at) => {
                // If a name occurs twice, its last value is taken.
                columns[at].reopen();
                found[at] = scan.copy_value(&mut columns[at].values)?;
            }
            None => scan.skip_value(DEEPEST)?,
        }
        Some(())
    })?;
    scan.skip_spaces();
    (scan.at == line.len()).then_some(())
}

impl Scan<'_> {
    /// Appends a wanted value.
    fn copy_value(&mut self, values: &mut Vec<u8>) -> Option<Found> {
        let start = self.at;
        let found = match self.next()? {
            b'"' => {
                self.copy_string(values)?;
                return Some(Found::Text);
            }
            b'n' => {
                self.skip(b"null")?;
                return Some(Found::Nothing);
            }
            b't' => {
                self.skip(b"true")?;
                Found::Truth
            }
            b'f' => {
                self.skip(b"false")?;
                Found::Truth
            }
            _ => {
                self.skip_whole()?;
                self.check_whole(&self.line[start..self.at])?;
                Found::Whole
            }
        };
        values.extend_from_slice(&self.line[start..self.at]);
        Some(found)
    }

    /// `Some` if a number is written as the kernel would write it, and does not go on.
    fn check_whole(&self, number: &[u8]) -> Option<()> {
        let goes_on = matches!(self.next(), Some(b'.' | b'e' | b'E'));
        (!goes_on && number.len() <= MOST_DIGITS && number != b"-0").then_some(())
    }

    fn copy_string(&mut self, values: &mut Vec<u8>) -> Option<()> {
        self.skip(b"\"")?;
        loop {
            self.copy_characters(values);
            match self.next()? {
                b'"' => break,
                b'\\' => self.copy_escapes(values)?,
                _ => return None,
            }
        }
        self.at += 1;
        Some(())
    }

    /// Appends what [`Self::skip_characters`] passes.
    fn copy_characters(&mut self, values: &mut Vec<u8>) {
        while let Some(block) = self.line[self.at..].first_chunk::<BLOCK>() {
            let plain = specials(block).trailing_zeros() as usize;
            // A copy of known size takes a few instructions; what is too much of it is dropped.
            let end = values.len() + plain;
            values.extend_from_slice(block);
            values.truncate(end);
            self.at += plain;
            if plain < BLOCK {
                return;
            }
        }
        let start = self.at;
        self.skip_characters();
        values.extend_from_slice(&self.line[start..self.at]);
    }

    /// Appends the characters that the next escapes stand for. In languages that are not written in ASCII, many follow
    /// each other.
    fn copy_escapes(&mut self, values: &mut Vec<u8>) -> Option<()> {
        loop {
            while let Some([b'\\', b'u', digits @ ..]) = self.line[self.at..].first_chunk::<6>() {
                let unit = hex(digits)?;
                self.at += 6;
                let code = if (0xd800..0xe000).contains(&unit) { self.second_half(unit)? } else { unit };
                push(code, values);
            }
            if self.next()? != b'\\' {
                return Some(());
            }
            values.push(escaped(*self.line.get(self.at + 1)?)?);
            self.at += 2;
        }
    }

    /// The number of the character whose number in UTF-16 has two halves, of which the second is the next escape.
    fn second_half(&mut self, first: u32) -> Option<u32> {
        let (true, [b'\\', b'u', digits @ ..]) = (first < 0xdc00, self.line[self.at..].first_chunk::<6>()?) else {
            return None;
        };
        let second = hex(digits)?;
        self.at += 6;
        (0xdc00..0xe000).contains(&second).then(|| 0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00))
    }
}

/// Appends a character in UTF-8, given its number, which is not one of half a character.
#[inline]
fn push(code: u32, values: &mut Vec<u8>) {
    let part = |shift: u32| 0x80 | (code >> shift & 0x3f) as u8;
    let (bytes, size) = match code {
        0..0x80 => ([code as u8, 0, 0, 0], 1),
        0x80..0x800 => ([0xc0 | (code >> 6) as u8, part(0), 0, 0], 2),
        0x800..0x1_0000 => ([0xe0 | (code >> 12) as u8, part(6), part(0), 0], 3),
        _ => ([0xf0 | (code >> 18) as u8, part(12), part(6), part(0)], 4),
    };
    // A copy of known size takes a few instructions; what is too much of it is dropped.
    let end = values.len() + size;
    values.extend_from_slice(&bytes);
    values.truncate(end);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::jsonl::parse_any;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::{Index, select};

    type Row = (Vec<Found>, Vec<String>);

    /// What a function reads from a line; `None` if it cannot read it.
    fn row(read: impl FnOnce(&[String], &mut [Column], &mut [Found]) -> bool) -> Option<Row> {
        let names = ["t".to_string(), "l".to_string()];
        let mut columns = [Column::default(), Column::default()];
        let mut found = vec![Found::Nothing; 2];
        let is_read = read(&names, &mut columns, &mut found);
        let strings = columns.map(|column| String::from_utf8(column.values).expect("text"));
        is_read.then(|| (found, strings.to_vec()))
    }

    fn ours(line: &str) -> Option<Row> {
        row(|names, columns, found| read_plain(line, names, columns, found).is_some())
    }

    fn of_serde_json(line: &str) -> Option<Row> {
        row(|names, columns, found| parse_any(line, names, columns, found))
    }

    #[test]
    fn common_lines_are_read() {
        let long = format!("{}\\n\\u00e9\\ud83d\\ude00\\\"{}", "a".repeat(100), "é".repeat(70));
        let line = format!(
            " {{\"o\": {{\"p\": [1, -2.5e+3, {{}}, [], null, true]}}, \"t\" :\"{long}\",\"l\":-17, \"q\":\"\\u0041\"}}\r"
        );
        let text = format!("{}\né😀\"{}", "a".repeat(100), "é".repeat(70));
        assert_eq!(ours(&line), Some((vec![Found::Text, Found::Whole], vec![text, "-17".into()])));
        assert_eq!(ours(&line), of_serde_json(&line));
        for line in ["{}", r#"{"l":true,"t":null}"#, r#"{"t":"1","t":"2"}"#, r#"{"t":"","l":"x"}"#] {
            assert_eq!((ours(line).is_some(), ours(line)), (true, of_serde_json(line)));
        }
    }

    #[test]
    fn what_is_not_json_is_left_to_others() {
        for value in
            ["01", "-", "1.", ".5", "+1", "1e", "1e+", "tru", "nulll", "[1,]", "[,]", "{\"a\":1,}", "{1:2}"]
        {
            let line = format!("{{\"o\":{value},\"t\":\"\"}}");
            assert_eq!((ours(&line), of_serde_json(&line)), (None, None), "{line}");
        }
        for text in
            ["\\x", "\\u12g4", "\\u12", "\u{1}", "\n", "\0", "\\ud800", "\\udc00", "\\ud800\\u0041", "\\ud800\\n"]
        {
            let line = format!("{{\"t\":\"{text}\"}}");
            assert_eq!((ours(&line), of_serde_json(&line)), (None, None), "{line}");
        }
        for line in [
            "",
            " ",
            "{",
            "[]",
            "{} {}",
            "{}x",
            "{\"t\":\"a\"",
            "{\"t\":\"a",
            "{\"t\"",
            "{\"t\":",
            "{\"t\":\"a\"\u{b}}",
        ] {
            assert_eq!((ours(line), of_serde_json(line)), (None, None), "{line}");
        }
    }

    #[test]
    fn deep_values_are_left_to_others() {
        for depth in [1, DEEPEST, DEEPEST + 1, 5000] {
            let line = format!("{{\"o\":{}{},\"t\":\"a\"}}", "[".repeat(depth), "]".repeat(depth));
            assert_eq!((ours(&line).is_some(), of_serde_json(&line).is_some()), (depth <= DEEPEST, true));
        }
    }

    /// Parts of strings: characters, escapes, and, at the end, what may not be in a string.
    const PARTS: &[&str] = &[
        "a",
        "é",
        "😀",
        "\\n",
        "\\\\",
        "\\/",
        "\\\"",
        "\\u00e9",
        "\\uD83D\\uDE00",
        "\\u0000",
        "\u{7f}",
        "0123456789012345678901234567890123456789",
        "\\ud800",
        "\\udE00",
        "\\u12",
        "\\x",
        "\u{1}",
        "\t",
        "\0",
    ];

    /// Values, and, at the end, those that are left to `serde_json` or are wrong.
    const SCALARS: &[&str] = &[
        "null",
        "true",
        "false",
        "0",
        "7",
        "-12",
        "12345678901234567",
        "-0",
        "1.50",
        "-2e5",
        "3E-07",
        "-123456789012345678",
        "1234567890123456789",
        "99999999999999999999",
        "1e999",
        "01",
        "1.",
        "-",
        "nul",
        "NaN",
    ];

    /// The first elements, and rarely one of all, so that most lines are right.
    fn mostly(all: &'static [&'static str], first: usize, rare: u32) -> impl Strategy<Value = String> {
        prop_oneof![30 => select(&all[..first]), rare => select(all)].prop_map(String::from)
    }

    fn string(rare: u32) -> impl Strategy<Value = String> {
        vec(mostly(PARTS, 12, rare), 0..8).prop_map(|parts| format!("\"{}\"", parts.concat()))
    }

    fn space(rare: u32) -> impl Strategy<Value = String> {
        mostly(&["", "", "", " ", "\t", "\r \n", "\u{b}", "\u{a0}"], 6, rare)
    }

    fn value(rare: u32) -> impl Strategy<Value = String> {
        prop_oneof![3 => string(rare), 2 => mostly(SCALARS, 7, rare)].prop_recursive(4, 20, 4, move |inner| {
            let list = vec(inner.clone(), 0..4).prop_map(|values| format!("[{}]", values.join(",")));
            prop_oneof![list, object(inner, &["\"o\"", "\"p q\"", "\"\\n\""], rare)]
        })
    }

    fn object(
        values: impl Strategy<Value = String>,
        keys: &'static [&'static str],
        rare: u32,
    ) -> impl Strategy<Value = String> {
        let pair = (space(rare), mostly(keys, 3, rare), space(rare), space(rare), values, space(rare))
            .prop_map(|(a, key, b, c, value, d)| format!("{a}{key}{b}:{c}{value}{d}"));
        (vec(pair, 0..5), mostly(&["", ","], 1, rare))
            .prop_map(|(pairs, comma)| format!("{{{}{comma}}}", pairs.join(",")))
    }

    const KEYS: &[&str] = &["\"t\"", "\"l\"", "\"o\"", "\"\"", "\"\\u0074\"", "t", "1", "\"\u{1}\""];

    /// A line with some characters deleted, inserted or replaced.
    fn damaged() -> impl Strategy<Value = String> {
        let character = select("{}[]\",:\\u0e.-tn \u{0}\u{1f}é".chars().collect::<Vec<_>>());
        let change = (any::<Index>(), prop::option::of(character), any::<bool>());
        (space(1), object(value(1), KEYS, 1), space(1), vec(change, 0..3)).prop_map(
            |(before, line, after, changes)| {
                let mut line: Vec<char> = format!("{before}{line}{after}").chars().collect();
                for (place, new, replaces) in changes {
                    let at = place.index(line.len() + 1);
                    let end = if replaces || new.is_none() { (at + 1).min(line.len()) } else { at };
                    line.splice(at..end, new);
                }
                line.into_iter().collect()
            },
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]
        #[test]
        fn what_is_read_is_what_serde_json_reads(line in damaged()) {
            if let Some(row) = ours(&line) {
                prop_assert_eq!(Some(row), of_serde_json(&line));
            }
        }

        #[test]
        fn what_is_usual_needs_no_other_parser(
            line in object(prop_oneof![string(0), mostly(SCALARS, 7, 0)], KEYS, 0),
            other in value(0),
        ) {
            let line = format!("{{\"o\":{other},{}", &line[1..]);
            prop_assert_eq!(ours(&line), of_serde_json(&line));
        }
    }
}
