//! What must hold whatever is read: each function takes any bytes, and panics if a law is broken.
//!
//! The bytes are first a list of edits of a sound file or text, so that a fuzzer gets behind the first check. A panic
//! that `likely-core` catches is a finding too: libFuzzer ends at any panic. `crates/likely-core/tests/fuzz.rs` runs the
//! same functions in the normal suite.
#![allow(clippy::expect_used)]

use likely_core::analyze::analyzer::Analyzer;
use likely_core::analyze::normalize::{Form, Normalization};
use likely_core::analyze::settings::{Settings, Unit};
use likely_core::analyze::tokens::wanted::{Treatment, Wanted};
use likely_core::analyze::words::preparation::Preparation;
use likely_core::analyze::words::stem::Stemmer;
use likely_core::count::counting::{Counting, Document};
use likely_core::count::counts::Counts;
use likely_core::count::fixed_point::Amount;
use likely_core::ragged::Ragged;
use likely_core::read::csv::{Layout, read_csv, read_header};
use likely_core::read::json_array::JsonArray;
use likely_core::read::jsonl::read_jsonl;
use likely_core::read::lines::{Lines, read_lines};
use likely_core::read::records::{Problem, Records};
use likely_core::store::footer::Footer;
use likely_core::store::labels::Labels;
use likely_core::store::reading::{Classes, Parts, read_counts};
use likely_core::store::table_rows::TableRows;
use likely_core::store::untrusted_rows::RowRules;
use likely_core::store::writing::write_table;
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::HashMap;
use std::sync::LazyLock;

/// One of the seeds, changed as `data` says: it replaces bytes, inserts one of the `tokens`, and moves or removes parts.
fn edited(seeds: &[Vec<u8>], tokens: &[&[u8]], data: &[u8]) -> (usize, Vec<u8>) {
    let Some((&first, rest)) = data.split_first() else { return (0, Vec::new()) };
    let seed = usize::from(first) % (seeds.len() + 1);
    // In place of a seed, the bytes themselves.
    let Some(bytes) = seeds.get(seed) else { return (0, rest.to_vec()) };
    let mut bytes = bytes.clone();
    for &[how, high, low, what] in rest.as_chunks::<4>().0 {
        let at = usize::from(u16::from_be_bytes([high, low])) % (bytes.len() + 1);
        let end = (at + usize::from(what)).min(bytes.len());
        match how % 5 {
            0 => bytes[at..].iter_mut().take(1).for_each(|byte| *byte = what),
            1 => bytes[at..].iter_mut().take(1).for_each(|byte| *byte ^= 1 << (what % 8)),
            2 => drop(bytes.splice(at..at, tokens[usize::from(what) % tokens.len()].iter().copied())),
            3 => drop(bytes.drain(at..end)),
            _ => bytes.extend_from_within(at..end),
        }
    }
    (seed, bytes)
}

fn seeds(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

/// What a model file was made of.
struct Model {
    labels: Labels,
    weighed: bool,
    kept: usize,
}

const DOCUMENTS: [(&str, u32); 4] =
    [("good fun", 0), ("good good plot", 0), ("a dull plot", 1), ("naïve 漢字", 1)];

fn learned(analyzer: &Analyzer) -> Counts {
    let mut counting = Counting::new(analyzer, 1);
    let document =
        |&(text, class): &(&'static str, u32)| Document { text: text.as_bytes(), class, weight: Amount::ONE };
    let documents: Vec<Document<'_>> = DOCUMENTS.iter().map(document).collect();
    counting.add(&documents, &|| false).expect("counted");
    counting.finish(&|| false).expect("counted")
}

/// A file is refused, or its counts can be written and read again; memory is in proportion to the file.
pub fn models(data: &[u8]) {
    static ANALYZER: LazyLock<Analyzer> = LazyLock::new(|| Analyzer::plain(Unit::Word, 1, 2, true));
    static COUNTS: LazyLock<Counts> = LazyLock::new(|| learned(&ANALYZER));
    static MODELS: LazyLock<Vec<Model>> = LazyLock::new(|| {
        let texts = || Labels::Text(vec!["+".into(), "-".into()]);
        vec![
            Model { labels: texts(), weighed: false, kept: 0 },
            Model { labels: Labels::Truth(vec![false, true]), weighed: true, kept: 0 },
            Model { labels: Labels::Whole(vec![-7, i64::MAX]), weighed: false, kept: 4 },
        ]
    });
    static FILES: LazyLock<Vec<Vec<u8>>> =
        LazyLock::new(|| MODELS.iter().map(|model| file(&COUNTS, model)).collect());
    let tokens = [&b"PAR1"[..], b"\0", b"\x15", b"\x19\xfc", b"\xff\xff\xff\xff\x0f", b"\x80\x80\x80\x80\x80\x01"];
    let (seed, bytes) = edited(&FILES, &tokens, data);
    let Ok(footer) = Footer::read(&bytes) else { return };
    assert!(footer.document().end <= bytes.len());
    let model = &MODELS[seed];
    let amounts = |of: fn(&_) -> Amount| COUNTS.totals().iter().map(of).collect::<Vec<Amount>>();
    let (documents, tokens) = (amounts(|total| total.documents), amounts(|total| total.tokens));
    let classes = Classes { labels: &model.labels, documents: &documents, tokens: &tokens };
    let rules = RowRules { most_words: 2, shares: false, weighed: model.weighed };
    let of = COUNTS.terms();
    for parts in [None, Some(false), Some(true)] {
        let parts = parts.map(|whole| Parts { kept: model.kept, of, whole });
        let Ok((counts, terms)) = read_counts(&bytes, &footer, classes, &ANALYZER, rules, parts) else { continue };
        assert_eq!(terms.ids.len(), counts.terms());
        let rows = TableRows::new(&counts, &terms.ids, &[0, 1], None, 0).expect("known terms");
        let again = write_table(&rows, &model.labels, "{}").expect("written");
        let footer = Footer::read(&again).expect("our own file");
        if parts.is_none_or(|parts| parts.whole) {
            let rules = RowRules { weighed: false, ..rules };
            let read = read_counts(&again, &footer, classes, &ANALYZER, rules, None).expect("our own counts");
            assert_eq!(read.0.terms(), counts.terms());
        }
    }
}

fn file(counts: &Counts, model: &Model) -> Vec<u8> {
    let ids = counts.sorted_ids();
    let starts: Vec<i64> = (0..=ids.len() as i64).collect();
    let (classes, weights) = (vec![1; ids.len()], vec![0.5; ids.len()]);
    let table = Ragged::new(&starts, &classes, 2).expect("sound");
    let learned = model.weighed.then_some((table, &weights[..]));
    let rows = TableRows::new(counts, &ids, &[0, 1], learned, model.kept).expect("ranked");
    write_table(&rows, &model.labels, "{}").expect("written")
}

/// The strings of a row that was read.
fn row(records: &Records, at: usize) -> Vec<String> {
    let columns = records.columns.iter();
    columns.map(|column| String::from_utf8(column.string(at).to_vec()).expect("valid UTF-8")).collect()
}

/// A file that comes in pieces: all rows, and the bad ones with their line.
type Rows = (Vec<Vec<String>>, Vec<(u64, Problem)>);

/// Reads a file in pieces of `size` bytes. `read` gets the piece, whether it is the last, and what quoting left open.
fn in_pieces(file: &[u8], size: usize, read: impl Fn(&[u8], bool, usize) -> Records) -> Rows {
    let (mut rows, mut bad, mut start, mut end, mut line, mut broken) = (Vec::new(), Vec::new(), 0, 0, 0, 0);
    loop {
        end = (end + size).min(file.len());
        let last = end == file.len();
        let records = read(&file[start..end], last, broken);
        rows.extend((0..records.spans.len()).map(|at| row(&records, at)));
        bad.extend(records.bad.iter().map(|bad| (line + bad.line, bad.problem)));
        (broken, line, start) = (records.broken, line + records.passed, start + records.used);
        if last {
            assert_eq!(start, file.len());
            return (rows, bad);
        }
    }
}

/// The same rows are read whatever the pieces.
fn same_in_pieces(file: &[u8], size: usize, read: impl Fn(&[u8], bool, usize) -> Records) -> Rows {
    let whole = in_pieces(file, file.len().max(1), &read);
    assert_eq!(in_pieces(file, size, &read), whole);
    whole
}

/// A line is read as `serde_json` reads it, arrays become the same lines whatever the pieces, and so do rows.
pub fn json(data: &[u8]) {
    static SEEDS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
        seeds(&[
            "{\"t\": \"a\\n\\u00e9\", \"l\": \"x\", \"o\": [1, {\"t\": 2}, \"\\ud83d\"]}\r\n\n{\"l\": -3, \"t\": \"\\ud83d\\ude00\"}",
            "{\"t\":\"1\",\"t\":\"2\",\"l\":true}\n{\"o\":[NaN,-Infinity,{\"p\":Infinity}],\"t\":\"NaN \\\"NaN\",\"l\":1}",
            " [{\"t\": \"],[\\\"}\", \"l\": 1},\n {\"t\": \"x\ny\", \"l\": [1, {\"c\": null}]}, nul,, {\"l\": 1.50}]\n",
            "{\"n\": [1, [{\"no\": 1}]], \"data\": [ {\"t\": \"0123456789012345678901234567890123456789\"}, 2], \"x\": 1e999}",
            "{\"l\": 12345678901234567890, \"t\": \"漢字\\/\\u0000\\\\\", \"o\": {\"p\": {\"\": -2E+5}}}",
        ])
    });
    let tokens: Vec<&[u8]> =
        "\" \\ { } [ ] , : : \\n \\\" \\u00e9 \\ud83d \\ude00 \\u0074 \"t\": \"l\": null true NaN Infinity - 0 7 -0 1e5 .5 999999999999999999 é"
            .split(' ')
            .map(str::as_bytes)
            .chain([&b"\n"[..], b" ", b"\t", b"\xff", b"\x01", b"\r"])
            .collect();
    let (_, bytes) = edited(&SEEDS, &tokens, data);
    let names = ["t".to_owned(), "l".to_owned()];
    let size = 1 + data.len() % 37;
    for has_label in [true, false] {
        same_in_pieces(&bytes, size, |piece, last, _| read_jsonl(piece, last, &names, has_label, 1 << 20));
    }
    for line in bytes.split(|&byte| byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line)) {
        let Ok(text) = std::str::from_utf8(line) else { continue };
        if text.contains("NaN") || text.contains("Infinity") || text.trim_ascii().is_empty() {
            continue;
        }
        let records = read_jsonl(line, true, &names, false, 1 << 20);
        let problem = records.bad.first().map(|bad| bad.problem);
        let expected = by_serde_json(text);
        match expected {
            Err(expected) => assert_eq!(problem, Some(expected), "{text}"),
            // Of two values with one name the last counts, but the kernel refuses a line if the first is not sound.
            Ok(_) if problem == Some(Problem::Json) && is_named_twice(text) => {}
            Ok(expected) => assert_eq!((problem, row(&records, 0)), (None, expected), "{text}"),
        }
    }
    let whole = JsonArray::default().feed(&bytes);
    let mut array = JsonArray::default();
    let pieces: Vec<u8> = bytes.chunks(size).flat_map(|piece| array.feed(piece)).collect();
    assert_eq!(pieces, whole);
}

/// Whether a line may have two texts, or two values beside the text.
fn is_named_twice(line: &str) -> bool {
    let line = line.replace("\\u0074", "t");
    ["\"t\"", "\"l\""].iter().any(|name| line.matches(name).count() > 1)
}

/// The text of a line, and the value beside it, as the kernel writes it.
fn by_serde_json(line: &str) -> Result<Vec<String>, Problem> {
    let values: HashMap<String, &RawValue> = serde_json::from_str(line).map_err(|_| Problem::Json)?;
    let mut wanted = ["t", "l"].map(|name| values.get(name).map_or("null", |value| value.get())).into_iter();
    let value = |raw: &str| {
        // A deep value is only passed over.
        if raw.starts_with(['{', '[']) { Ok(Value::Array(Vec::new())) } else { serde_json::from_str(raw) }
    };
    let text = value(wanted.next().unwrap_or_default()).map_err(|_| Problem::Json)?;
    let beside = value(wanted.next().unwrap_or_default()).map_err(|_| Problem::Json)?;
    let beside = match beside {
        Value::Bool(truth) => truth.to_string(),
        Value::Number(number) if number.is_f64() => number.as_f64().unwrap_or_default().to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => text,
        _ => String::new(),
    };
    match text {
        Value::String(text) => Ok(vec![text, beside]),
        Value::Null => Err(Problem::NoText),
        _ => Err(Problem::Kind),
    }
}

/// The same rows are read whatever the pieces, from separated values and from lines.
pub fn csv(data: &[u8]) {
    static SEEDS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
        seeds(&[
            "a,b\r\n\"x, \"\"y\"\"\nz\",\n\n5\" disk,\"\"\r\nlast,é",
            "a,b\n\"open,b\n\"c\",d\ne\nf,漢\n\"g\"x,h\ni,\"j\nk,l\n",
            "__label__spam  win big\r\nhi\n\n__label__a __label__b both\n__label__ham\n",
        ])
    });
    let tokens =
        [&b","[..], b"\"", b"\n", b"\r\n", b"\r", b"\"\"", b",\"", b"\",", b"\"\n", b"\xff", b" ", b"__label__"];
    let (_, bytes) = edited(&SEEDS, &tokens, data);
    let size = 1 + data.len() % 37;
    for has_label in [true, false] {
        let layout = Layout { delimiter: b',', width: 2, columns: vec![0, 1], has_label, longest: 1 << 20 };
        let (rows, bad) =
            same_in_pieces(&bytes, size, |piece, last, broken| read_csv(piece, last, &layout, broken));
        assert!(rows.len() + bad.len() <= 2 * (bytes.len() + 1));
    }
    for lines in [Lines::Plain, Lines::Labelled, Lines::WithLabels] {
        same_in_pieces(&bytes, size, |piece, last, _| read_lines(piece, last, lines, 1 << 20));
    }
    if let Some((fields, end)) = read_header(&bytes, true, b',') {
        assert!(!fields.is_empty() && end <= bytes.len());
    }
}

/// The terms that are counted are those that are shown, and these cut the text in order.
pub fn tokens(data: &[u8]) {
    static SEEDS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
        seeds(&[
            "It is not good, don't buy: running 3.14 times @you #tag http://a.b/c?d=1 x.y@example.org!",
            "ΑΣ Σ İstanbul e\u{301} ﬁn 漢字かな Größe naïve \u{200d}👩\u{200d}👩\u{1f3fd} का की ภาษาไทย",
            "word word's a bb b \u{ad}soft \u{2060}joined 1,000,000.00 -- ... (so) ¿qué? l'été",
        ])
    });
    let tokens: Vec<&[u8]> =
        "not ' . , : ! @a #b www. http:// 3 14 é ﬁ Σ İ 漢 का 👩 \u{301} \u{ad} \u{200d} \u{300} \u{fdfa}"
            .split(' ')
            .map(str::as_bytes)
            .chain([
                &b"\n"[..],
                b" ",
                b"\xff",
                b"\xff\xcc\x81",
                b"\xc2\xa0",
                b"\xe6\xbc",
                b"\0",
                b"a b c d e f g h i j k l m n o p q r s t u v w x y z",
            ])
            .collect();
    let Some((&[units, wanted], data)) = data.split_first_chunk() else { return };
    let (_, text) = edited(&SEEDS, &tokens, data);
    let analyzer = analyzer(units, wanted);
    let shown = analyzer.spans(&text);
    // N-grams of words end where their words do, before n-grams of characters.
    let in_order = !analyzer.has_words();
    let mut end = 0;
    for term in &shown {
        let fits = term.start <= term.end && term.end <= text.len() && (term.end >= end || !in_order);
        assert!(fits, "{term:?} after {end} of {}: {units} {wanted}", text.len());
        end = term.end;
    }
    let mut counting = Counting::new(&analyzer, 1);
    counting.add(&[Document { text: &text, class: 0, weight: Amount::ONE }], &|| false).expect("counted");
    let counts = counting.finish(&|| false).expect("counted");
    let total: f64 = counts.totals().iter().map(|total| total.tokens.to_f64()).sum();
    assert_eq!(total, shown.len() as f64);
    for term in &shown {
        let id = analyzer.find(counts.vocabulary(), &term.term);
        assert!(counts.knows(&[id]), "{:?}", term.term);
    }
}

/// An analyzer, whose options are some bits.
fn analyzer(units: u8, wanted: u8) -> Analyzer {
    let bit = |at: u8| wanted >> at & 1 == 1;
    let treatment = |at: u8| [Treatment::Split, Treatment::Keep, Treatment::Mask][usize::from(wanted >> at) % 3];
    let shortest = 1 + usize::from(units >> 2 & 1);
    let unit = [Unit::Word, Unit::Char, Unit::CharWb, Unit::Both][usize::from(units % 4)];
    let words = |all: &[&str]| all.iter().map(ToString::to_string).collect();
    let prepared = Preparation {
        wanted: Wanted {
            punctuation: bit(0),
            numbers: bit(1),
            breaks: bit(7),
            urls: treatment(2),
            emails: treatment(3),
            mentions: treatment(4),
            hashtags: treatment(5),
        },
        stemmer: Stemmer::new("english").filter(|_| bit(6)),
        stop_words: words(if bit(5) { &["a", "bb", "é"] } else { &[] }),
        negators: words(if bit(7) { &["not", "b"] } else { &[] }),
        ..Preparation::default()
    };
    let plain = Settings::plain(unit, shortest, shortest + usize::from(units >> 3 & 1), units >> 4 & 1 == 1);
    let lowercase = plain.preparation.lowercase;
    Analyzer::new(Settings {
        normalization: Normalization {
            form: [Form::None, Form::Nfc, Form::Nfkc][usize::from(units >> 5) % 3],
            strip_accents: units >> 7 == 1,
        },
        preparation: if wanted == 0 { plain.preparation } else { Preparation { lowercase, ..prepared } },
        char_ngrams: (2, 3),
        ..plain
    })
}
