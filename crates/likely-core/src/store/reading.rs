//! A model file that nobody has checked goes in; counts and learned weights come out, or the reason why it is refused.

use crate::analyze::analyzer::Analyzer;
use crate::count::cells::Cell;
use crate::count::counts::Counts;
use crate::count::fixed_point::Amount;
use crate::store::footer::{Footer, Kind};
use crate::store::labels::Labels;
use crate::store::pages::{Column, Encoding, Page, Unpacking, checked_pages, spent};
use crate::store::refused::{Refused, Result};
use crate::store::untrusted_rows::{RowRules, RowTerms, UntrustedRows};
use crate::store::values::{DeltaStrings, each_plain_string, floats, push_places, truths, wholes};
use std::collections::HashMap;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What the document of a file says about its classes.
#[derive(Clone, Copy)]
pub struct Classes<'a> {
    /// Their labels.
    pub labels: &'a Labels,
    /// The number of documents of each class.
    pub documents: &'a [Amount],
    /// The number of tokens of each class.
    pub tokens: &'a [Amount],
}

/// The two parts of a table: first the rows of the kept terms, then, in row groups of their own, those of all others.
#[derive(Clone, Copy, Debug)]
pub struct Parts {
    /// The number of kept terms.
    pub kept: usize,
    /// The number of all terms.
    pub of: usize,
    /// Whether the second part is read too.
    pub whole: bool,
}

/// The counts of a file, and its terms with their learned weights; `parts` is `None` if the table has one part.
pub fn read_counts(
    data: &[u8],
    footer: &Footer,
    classes: Classes<'_>,
    analyzer: &Analyzer,
    rules: RowRules,
    parts: Option<Parts>,
) -> Result<(Counts, RowTerms)> {
    // Nothing here panics that we know of. If something does, it is the fault of the file all the same.
    catch_unwind(AssertUnwindSafe(|| {
        let names = Names::of(footer, classes.labels, rules.weighed)?;
        let (groups, left) = checked_pages(data, footer, classes.labels.len())?;
        let mut rows = UntrustedRows::new(analyzer, rules, classes.documents)?;
        let ranks = Ranks::of(classes.labels);
        let mut reading = Reading { unpacking: Unpacking::new(data)?, names, ranks, left };
        reserve(&mut rows, footer, parts);
        let (mut groups, other) = (groups.iter(), "its parts have more or fewer terms than it says");
        let mut waiting = Waiting::default();
        if let Some(parts) = parts {
            while waiting.terms.len().max(rows.terms()) < parts.kept {
                let columns = groups.next().ok_or(other)?;
                if parts.whole {
                    reading.group(columns, |term, cell, weight| waiting.push(term, cell, weight))?;
                } else {
                    rows.reserve_rows(rows_of(columns));
                    reading.group(columns, |term, cell, weight| Ok(rows.put(term, cell, weight)?))?;
                }
            }
            if waiting.terms.len().max(rows.terms()) > parts.kept {
                return Err(other.into());
            }
            if !parts.whole {
                return Ok(rows.finish_part(classes.tokens)?);
            }
        }
        for columns in groups {
            rows.reserve_rows(rows_of(columns));
            reading.group(columns, |term, cell, weight| {
                waiting.put_until(Some(term), &mut rows)?;
                Ok(rows.put(term, cell, weight)?)
            })?;
        }
        waiting.put_until(None, &mut rows)?;
        if parts.is_some_and(|parts| rows.terms() != parts.of) {
            return Err(other.into());
        }
        Ok(rows.finish(classes.tokens)?)
    }))
    .unwrap_or_else(|_| Err("it is damaged".into()))
}

/// Makes room for the terms that are read, which are at most as many as there are rows.
fn reserve(rows: &mut UntrustedRows<'_>, footer: &Footer, parts: Option<Parts>) {
    let all: usize = footer.groups.iter().map(|group| group.rows).sum();
    let expected = parts.map_or(all / 2, |parts| if parts.whole { parts.of } else { parts.kept });
    rows.reserve(expected.min(all));
}

/// The number of rows of a row group. Its pages were checked, so the file has as many.
fn rows_of(columns: &[Column]) -> usize {
    columns.first().map_or(0, |column| column.pages.iter().map(|page| page.values).sum())
}

/// The rows of the first part, if the second is read too: each waits for its turn in the order of all terms.
#[derive(Default)]
struct Waiting {
    /// All terms, one after the other.
    spelled: Vec<u8>,
    /// Where each term ends, and where its rows end.
    terms: Vec<(usize, usize)>,
    rows: Vec<(Cell, f32)>,
    /// The number of terms whose turn has come.
    done: usize,
}

impl Waiting {
    /// The bytes of a term, and its rows.
    fn places(&self, term: usize) -> (Range<usize>, Range<usize>) {
        let before = if term == 0 { (0, 0) } else { self.terms[term - 1] };
        let end = self.terms[term];
        (before.0..end.0, before.1..end.1)
    }

    fn push(&mut self, term: &[u8], cell: Cell, weight: f32) -> Result<()> {
        let last = self.terms.len().checked_sub(1).map(|last| self.places(last).0);
        if last.is_none_or(|last| &self.spelled[last] != term) {
            self.spelled.extend_from_slice(term);
            self.terms.push((self.spelled.len(), 0));
        }
        self.rows.push((cell, weight));
        self.terms.last_mut().into_iter().for_each(|end| end.1 = self.rows.len());
        Ok(())
    }

    /// Puts the rows of all terms that sort before a term; of all terms if it is `None`.
    fn put_until(&mut self, term: Option<&[u8]>, into: &mut UntrustedRows<'_>) -> Result<()> {
        while self.done < self.terms.len() {
            let (spelled, rows) = self.places(self.done);
            let waiting = &self.spelled[spelled];
            if term.is_some_and(|term| term < waiting) {
                break;
            }
            for &(cell, weight) in &self.rows[rows] {
                into.put(waiting, cell, weight)?;
            }
            self.done += 1;
        }
        Ok(())
    }
}

/// The columns of a table by what they mean.
struct Names {
    term: usize,
    class: (usize, Kind),
    count: Exact,
    documents: Exact,
    weight: Option<usize>,
}

/// The columns of exact numbers: whole parts, and fractions in units of 2^-64 if any number has one.
struct Exact {
    whole: usize,
    is_signed: bool,
    fraction: Option<usize>,
}

impl Names {
    fn of(footer: &Footer, labels: &Labels, weighed: bool) -> Result<Self> {
        let other = "its columns are not those of a model";
        let mut expected = vec!["term", "class", "count", "documents"];
        expected.extend(weighed.then_some("weight"));
        let found = footer.columns.iter().map(|column| column.0.as_str());
        if !found.filter(|name| !name.ends_with("_fraction")).eq(expected.iter().copied()) {
            return Err(other.into());
        }
        let of_kind = |name: &str, kinds: &[Kind]| match footer.column(name) {
            Some((at, kind)) if kinds.contains(&kind) => Ok(Some((at, kind))),
            Some(_) => Err(Refused::column(name, "is of another type than `likely` writes")),
            None => Ok(None),
        };
        let label = match labels {
            Labels::Text(_) => Kind::Text,
            Labels::Truth(_) => Kind::Truth,
            Labels::Whole(_) => Kind::Signed,
        };
        let exact = |name: &str, fraction: &str| -> Result<Exact> {
            let (whole, kind) = of_kind(name, &[Kind::Signed, Kind::Unsigned])?.ok_or(other)?;
            let fraction = of_kind(fraction, &[Kind::Unsigned])?.map(|(at, _)| at);
            Ok(Exact { whole, is_signed: kind == Kind::Signed, fraction })
        };
        let names = Self {
            term: of_kind("term", &[Kind::Text])?.ok_or(other)?.0,
            class: of_kind("class", &[label])?.ok_or(other)?,
            count: exact("count", "count_fraction")?,
            documents: exact("documents", "documents_fraction")?,
            weight: of_kind("weight", &[Kind::Float])?.map(|(at, _)| at),
        };
        let fractions = [names.count.fraction, names.documents.fraction];
        let known = expected.len() + fractions.iter().flatten().count();
        if known == footer.columns.len() { Ok(names) } else { Err(other.into()) }
    }
}

/// A file that is being read.
struct Reading<'a> {
    unpacking: Unpacking<'a>,
    names: Names,
    ranks: Ranks<'a>,
    /// The number of bytes that the terms may still have.
    left: u64,
}

impl Reading<'_> {
    /// Calls `take` for each row of a row group.
    fn group(&mut self, columns: &[Column], mut take: impl FnMut(&[u8], Cell, f32) -> Result<()>) -> Result<()> {
        let ranks = self.ranks(&columns[self.names.class.0])?;
        let counts = exact_numbers(&mut self.unpacking, columns, &self.names.count)?;
        let documents = exact_numbers(&mut self.unpacking, columns, &self.names.documents)?;
        let weights = match self.names.weight {
            Some(at) => weights(&mut self.unpacking, &columns[at])?,
            None => Vec::new(),
        };
        let mut row = 0;
        self.each_term(&columns[self.names.term], |term| {
            let cell = Cell { class: ranks[row], count: counts[row], documents: documents[row] };
            let weight = weights.get(row).copied().unwrap_or(0.0);
            row += 1;
            take(term, cell, weight)
        })
    }

    fn each_term(&mut self, column: &Column, mut take: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
        for page in &column.pages {
            let content = self.unpacking.content(page)?;
            if page.encoding == Encoding::Plain {
                each_plain_string(&content, page.values, &mut take)?;
                continue;
            }
            let strings = DeltaStrings::new(&content, page.values)?;
            self.left = spent(self.left, strings.size())?;
            strings.each(&mut take)?;
        }
        Ok(())
    }

    /// The rank of the class of each row.
    fn ranks(&mut self, column: &Column) -> Result<Vec<u32>> {
        let dictionary = match &column.dictionary {
            Some(page) => self.ranks.of_page(&self.unpacking.content(page)?, page)?,
            None => Vec::new(),
        };
        let mut ranks = Vec::with_capacity(column.pages.iter().map(|page| page.values).sum());
        for page in &column.pages {
            let content = self.unpacking.content(page)?;
            match page.encoding {
                Encoding::Places => push_places(&content, page.values, &dictionary, &mut ranks)?,
                _ => ranks.extend(self.ranks.of_page(&content, page)?),
            }
        }
        Ok(ranks)
    }
}

/// The ranks of the classes by their labels.
enum Ranks<'a> {
    Text(HashMap<&'a [u8], u32>),
    Truth(HashMap<bool, u32>),
    Whole(HashMap<u64, u32>),
}

impl<'a> Ranks<'a> {
    fn of(labels: &'a Labels) -> Self {
        match labels {
            Labels::Text(labels) => {
                Self::Text((0..).zip(labels).map(|(at, label)| (label.as_bytes(), at)).collect())
            }
            Labels::Truth(labels) => Self::Truth((0..).zip(labels).map(|(at, &label)| (label, at)).collect()),
            Labels::Whole(labels) => {
                Self::Whole((0..).zip(labels).map(|(at, &label)| (label as u64, at)).collect())
            }
        }
    }

    /// The ranks of the labels of a page that is written plain.
    fn of_page(&self, content: &[u8], page: &Page) -> Result<Vec<u32>> {
        let known =
            |rank: Option<&u32>| rank.copied().ok_or("a row has a class that is not one of its classes".into());
        match self {
            Self::Text(ranks) => {
                let mut found = Vec::with_capacity(page.values);
                each_plain_string(content, page.values, |label| {
                    found.push(known(ranks.get(label))?);
                    Ok(())
                })?;
                Ok(found)
            }
            Self::Truth(ranks) => truths(content, page.values).map(|label| known(ranks.get(&label))).collect(),
            Self::Whole(ranks) => wholes(content).map(|label| known(ranks.get(&label))).collect(),
        }
    }
}

fn exact_numbers(unpacking: &mut Unpacking<'_>, columns: &[Column], of: &Exact) -> Result<Vec<Amount>> {
    let pages = &columns[of.whole].pages;
    let mut amounts = Vec::with_capacity(pages.iter().map(|page| page.values).sum());
    for page in pages {
        amounts.extend(wholes(&unpacking.content(page)?).map(|whole| Amount::new(whole, 0)));
    }
    if of.is_signed && amounts.iter().any(|amount| amount.whole() > i64::MAX as u64) {
        return Err("a count is negative".into());
    }
    let mut row = amounts.iter_mut();
    for page in of.fraction.iter().flat_map(|&at| &columns[at].pages) {
        let content = unpacking.content(page)?;
        for (fraction, amount) in wholes(&content).zip(&mut row) {
            *amount = Amount::new(amount.whole(), fraction);
        }
    }
    Ok(amounts)
}

fn weights(unpacking: &mut Unpacking<'_>, column: &Column) -> Result<Vec<f32>> {
    let mut weights = Vec::new();
    for page in &column.pages {
        weights.extend(floats(&unpacking.content(page)?));
    }
    Ok(weights)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::settings::Unit;
    use crate::count::counting::{Counting, Document};
    use crate::ragged::Ragged;
    use crate::store::table_rows::TableRows;
    use crate::store::writing::write_table;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use proptest::prelude::*;

    const WORDS: RowRules = RowRules { most_words: 2, shares: false, weighed: false };

    fn analyzer() -> Analyzer {
        Analyzer::plain(Unit::Word, 1, 2, true)
    }

    fn counted(texts: &[(&str, u32)]) -> Counts {
        let analyzer = analyzer();
        let mut counting = Counting::new(&analyzer, 1);
        let documents: Vec<Document<'_>> = texts
            .iter()
            .map(|&(text, class)| Document { text: text.as_bytes(), class, weight: Amount::ONE })
            .collect();
        counting.add(&documents, &|| false).expect("counted");
        counting.finish(&|| false).expect("counted")
    }

    fn model() -> Counts {
        counted(&[("good fun", 0), ("good good plot", 0), ("a dull plot", 1), ("naïve 漢字", 1)])
    }

    fn written(counts: &Counts, labels: &Labels, weights: Option<&[f32]>) -> Vec<u8> {
        in_parts(counts, labels, weights, &counts.sorted_ids(), counts.terms())
    }

    /// A file with terms in this order, the first of which are the first part.
    fn in_parts(counts: &Counts, labels: &Labels, weights: Option<&[f32]>, ids: &[u32], kept: usize) -> Vec<u8> {
        let ranks = [0, 1];
        let starts: Vec<i64> = (0..=ids.len() as i64).collect();
        let classes = vec![1; ids.len()];
        let learned = weights.map(|weights| (Ragged::new(&starts, &classes, 2).expect("sound"), weights));
        let rows = TableRows::new(counts, ids, &ranks, learned, kept).expect("ranked");
        write_table(&rows, labels, "{}").expect("written")
    }

    fn read(data: &[u8], labels: &Labels, rules: RowRules) -> Result<(Counts, RowTerms)> {
        read_parts(data, labels, rules, None)
    }

    fn read_parts(
        data: &[u8],
        labels: &Labels,
        rules: RowRules,
        parts: Option<Parts>,
    ) -> Result<(Counts, RowTerms)> {
        let footer = Footer::read(data)?;
        assert!(footer.document().end <= data.len());
        let totals = model();
        let documents: Vec<Amount> = totals.totals().iter().map(|total| total.documents).collect();
        let tokens: Vec<Amount> = totals.totals().iter().map(|total| total.tokens).collect();
        let classes = Classes { labels, documents: &documents, tokens: &tokens };
        read_counts(data, &footer, classes, &analyzer(), rules, parts)
    }

    fn texts() -> Labels {
        Labels::Text(vec!["+".into(), "-".into()])
    }

    /// The terms and cells of counts, sorted by term.
    fn shown(counts: &Counts) -> Vec<(String, Vec<Cell>)> {
        let term = |&id: &u32| (counts.vocabulary().term(id), counts.row(id).collect());
        counts.sorted_ids().iter().map(term).collect()
    }

    #[test]
    fn what_is_written_is_read() {
        let counts = model();
        for labels in [texts(), Labels::Truth(vec![false, true]), Labels::Whole(vec![-7, i64::MAX])] {
            let data = written(&counts, &labels, None);
            let (found, weights) = read(&data, &labels, WORDS).expect("sound");
            assert_eq!(shown(&found), shown(&counts));
            assert!(weights.weights.is_empty());
            assert_eq!(written(&found, &labels, None), data);
        }
    }

    #[test]
    fn learned_weights_are_read() {
        let counts = model();
        let weights: Vec<f32> = (1..=counts.terms()).map(|at| at as f32 / 8.0).collect();
        let data = written(&counts, &texts(), Some(&weights));
        let (found, read_weights) = read(&data, &texts(), RowRules { weighed: true, ..WORDS }).expect("sound");
        assert_eq!(shown(&found), shown(&counts));
        assert_eq!(read_weights.weights, weights);
        assert_eq!(read_weights.lengths, vec![1; weights.len()]);
        assert!(read(&data, &texts(), WORDS).is_err());
    }

    #[test]
    fn the_first_part_is_read_alone_or_with_the_second() {
        let counts = model();
        let sorted = counts.sorted_ids();
        for kept in 0..sorted.len() {
            // Every third term is kept, and then all others until there are enough.
            let (first, rest): (Vec<u32>, Vec<u32>) =
                (0..).zip(&sorted).fold(Default::default(), |mut both, (at, &id)| {
                    if both.0.len() < kept && (at % 3 == 0 || sorted.len() - at <= kept - both.0.len()) {
                        both.0.push(id);
                    } else {
                        both.1.push(id);
                    }
                    both
                });
            let data = in_parts(&counts, &texts(), None, &[first.clone(), rest].concat(), kept);
            let of = sorted.len();
            let read = |parts| read_parts(&data, &texts(), WORDS, Some(parts));
            let (part, terms) = read(Parts { kept, of, whole: false }).expect("sound");
            assert_eq!((part.terms(), terms.ids.len()), (kept, kept));
            let same = |(&here, &there): (&u32, &u32)| {
                part.vocabulary().term(here) == counts.vocabulary().term(there)
                    && part.row(here).eq(counts.row(there))
            };
            assert!(terms.ids.iter().zip(&first).all(same), "{kept}");
            let (whole, terms) = read(Parts { kept, of, whole: true }).expect("sound");
            assert_eq!(shown(&whole), shown(&counts), "{kept}");
            assert_eq!(terms.ids, whole.sorted_ids());
            for (kept, of) in [(kept + 1, of), (kept, of + 1)] {
                assert!(read(Parts { kept, of, whole: true }).is_err(), "{kept} {of}");
            }
        }
    }

    #[test]
    fn a_term_in_both_parts_is_refused() {
        let counts = model();
        let ids = counts.sorted_ids();
        let data = in_parts(&counts, &texts(), None, &[&ids[..3], &ids[2..]].concat(), 3);
        let read = |whole| read_parts(&data, &texts(), WORDS, Some(Parts { kept: 3, of: ids.len() + 1, whole }));
        assert_eq!(read(false).expect("sound").0.terms(), 3);
        assert_eq!(
            read(true).err().map(|refused| refused.to_string()).as_deref(),
            Some("the classes of a term are not sorted")
        );
    }

    #[test]
    fn the_crate_reads_what_is_written() {
        let data = written(&model(), &texts(), None);
        let file = SerializedFileReader::new(bytes::Bytes::from(data)).expect("a Parquet file");
        let rows: Vec<String> =
            file.get_row_iter(None).expect("rows").map(|row| row.expect("a row").to_string()).collect();
        assert_eq!(rows.len(), 16);
        assert_eq!(rows[0], "{term: \"a\", class: \"-\", count: 1, documents: 1}");
    }

    #[test]
    fn other_labels_are_refused() {
        let data = written(&model(), &texts(), None);
        let message = |labels: &Labels| read(&data, labels, WORDS).err().map(|refused| refused.to_string());
        let other = Labels::Text(vec!["+".into(), "?".into()]);
        assert_eq!(message(&other).as_deref(), Some("a row has a class that is not one of its classes"));
        let numbers = Labels::Whole(vec![1, 2]);
        let expected = "its column 'class' is of another type than `likely` writes";
        assert_eq!(message(&numbers).as_deref(), Some(expected));
    }

    #[test]
    fn every_cut_and_every_changed_byte_is_read_without_panic() {
        let data = written(&model(), &texts(), None);
        for length in 0..data.len() {
            assert!(read(&data[..length], &texts(), WORDS).is_err(), "{length}");
        }
        let mut changed = data.clone();
        for at in 0..data.len() {
            for bit in 0..8 {
                changed[at] = data[at] ^ 1 << bit;
                let _ = read(&changed, &texts(), WORDS);
            }
            changed[at] = data[at];
        }
    }

    proptest! {
        #[test]
        fn any_damage_is_read_without_panic(
            changes in proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>()), 1..6),
            cut in any::<proptest::sample::Index>(),
        ) {
            let mut data = written(&model(), &texts(), None);
            for (at, byte) in changes {
                let at = at.index(data.len());
                data[at] = byte;
            }
            let parts = Parts { kept: 3, of: 9, whole: cut.index(2) == 0 };
            let _ = read(&data, &texts(), WORDS);
            let _ = read_parts(&data, &texts(), WORDS, Some(parts));
            data.remove(cut.index(data.len()));
            let _ = read(&data, &texts(), WORDS);
        }
    }
}
