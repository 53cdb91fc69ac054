//! A model file that nobody has checked goes in; counts and learned weights come out, or the reason why it is refused.

use crate::analyze::analyzer::Analyzer;
use crate::count::counts::Counts;
use crate::count::fixed_point::Amount;
use crate::parallel::both;
use crate::store::columns::{CellColumns, Names, Ranks};
use crate::store::footer::Footer;
use crate::store::labels::Labels;
use crate::store::pages::{Column, Encoding, Unpacking, checked_pages, spent};
use crate::store::refused::{Refused, Result};
use crate::store::untrusted_rows::{RowRules, RowTerms, UntrustedRows, WORTH_A_THREAD};
use crate::store::untrusted_terms::UntrustedTerms;
use crate::store::values::{DeltaStrings, each_plain_string};
use crate::store::waiting_terms::WaitingTerms;
use crate::vocabulary::term_ids::Vocabulary;
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

const OTHER_TERMS: &str = "its parts have more or fewer terms than it says";

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
        let (groups, left) = checked_pages(data, footer, classes.labels.classes())?;
        let mut rows = UntrustedRows::new(analyzer, rules, classes.documents);
        let all: usize = groups.iter().map(|columns| rows_of(columns)).sum();
        let expected = parts.map_or(all / 2, |parts| if parts.whole { parts.of } else { parts.kept });
        rows.reserve(expected.min(all));
        if parts.is_none_or(|parts| parts.whole) {
            rows.cells.reserve(all);
        }
        let mut reading = Reading {
            terms: TermReading { unpacking: Unpacking::new(data)?, left, waiting: WaitingTerms::default() },
            unpacking: Unpacking::new(data)?,
            names,
            ranks: Ranks::of(classes.labels),
        };
        let mut groups = groups.iter();
        if let Some(parts) = parts {
            while reading.terms.waiting.len().max(rows.terms.ids.len()) < parts.kept {
                reading.group(groups.next().ok_or(OTHER_TERMS)?, &mut rows, parts.whole)?;
            }
            if reading.terms.waiting.len().max(rows.terms.ids.len()) > parts.kept {
                return Err(OTHER_TERMS.into());
            }
            if !parts.whole {
                return rows.finish(classes.tokens, true);
            }
        }
        for columns in groups {
            reading.group(columns, &mut rows, false)?;
        }
        reading.terms.waiting.put_until(None, &mut rows.terms)?;
        let (counts, terms) = rows.finish(classes.tokens, false)?;
        if parts.is_some_and(|parts| terms.ids.len() != parts.of) {
            return Err(OTHER_TERMS.into());
        }
        Ok((counts, terms))
    }))
    .unwrap_or_else(|_| Err("it is damaged".into()))
}

/// The number of rows of a row group. Its pages were checked, so the file has as many.
fn rows_of(columns: &[Column]) -> usize {
    columns.first().map_or(0, Column::rows)
}

/// A file that is being read: the column of terms, and all others.
struct Reading<'a> {
    terms: TermReading<'a>,
    unpacking: Unpacking<'a>,
    names: Names,
    ranks: Ranks,
}

/// Why a row is refused, and its number.
type RefusedRow = (usize, Refused);

impl Reading<'_> {
    /// Puts the rows of a row group into the table. If the terms `wait`, they are not put yet: the terms of later groups
    /// sort between them.
    fn group(&mut self, columns: &[Column], rows: &mut UntrustedRows<'_>, wait: bool) -> Result<()> {
        let (first, UntrustedRows { terms, cells, room, tables }) = (rows.cells.rows(), rows);
        let (number, Self { terms: reading, unpacking, names, ranks }) = (rows_of(columns), self);
        let term = &columns[names.term];
        let found = both(
            number >= WORTH_A_THREAD,
            || reading.group(term, first, terms, wait),
            || {
                // This takes about as long as to read the cells, and is needed at the end.
                let [words, phrases] = *room;
                tables.get_or_insert_with(|| Vocabulary::with_room(words, phrases));
                cells.reserve(number);
                let mut read = || {
                    let mut values = CellColumns::new(unpacking, columns, names, ranks)?;
                    while cells.rows() < first + number {
                        values.unpack()?.try_for_each(|(cell, weight)| cells.put(cell, weight))?;
                    }
                    Ok(())
                };
                let found = read();
                found.map_err(|refused| (cells.rows(), refused))
            },
        );
        match found {
            (Ok(()), Ok(())) => Ok(()),
            // The first row that is refused says why.
            (Err(one), Err(other)) => Err(if one.0 <= other.0 { one.1 } else { other.1 }),
            (Err(only), _) | (_, Err(only)) => Err(only.1),
        }
    }
}

struct TermReading<'a> {
    unpacking: Unpacking<'a>,
    /// The number of bytes that the terms may still have.
    left: u64,
    waiting: WaitingTerms,
}

impl TermReading<'_> {
    /// Reads the term of each row of a row group, the first of which has this number.
    fn group(
        &mut self,
        column: &Column,
        first: usize,
        terms: &mut UntrustedTerms,
        wait: bool,
    ) -> std::result::Result<(), RefusedRow> {
        let mut row = first;
        let Self { unpacking, left, waiting } = self;
        let mut take = |term: &[u8], shared: usize| {
            // The number of cells is checked where they are stored.
            let place = row as u32..(row as u32).wrapping_add(1);
            if wait {
                waiting.push(term, place);
            } else if waiting.len() == 0 {
                terms.put(term, shared, place)?;
            } else {
                waiting.put_until(Some(term), terms)?;
                terms.put(term, 0, place)?;
            }
            row += 1;
            Ok(())
        };
        let mut read = || {
            for page in &column.pages {
                let content = unpacking.content(page)?;
                if page.encoding == Encoding::Plain {
                    each_plain_string(&content, page.values, |term| take(term, 0))?;
                    continue;
                }
                let strings = DeltaStrings::new(&content, page.values)?;
                *left = spent(*left, strings.size())?;
                strings.each(&mut take)?;
            }
            Ok(())
        };
        let found = read();
        found.map_err(|refused| (row, refused))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::settings::Unit;
    use crate::count::cells::Cell;
    use crate::ragged::Ragged;
    use crate::store::table_rows::TableRows;
    use crate::store::writing::write_table;
    use parquet::file::reader::{FileReader, SerializedFileReader};

    const WORDS: RowRules = RowRules { most_words: 2, shares: false, weighed: false };

    fn analyzer() -> Analyzer {
        Analyzer::plain(Unit::Word, 1, 2, true)
    }

    fn model() -> Counts {
        let texts = [("good fun", 0), ("good good plot", 0), ("a dull plot", 1), ("naïve 漢字", 1)];
        Counts::of_texts(&analyzer(), texts)
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
}
