//! Counts as the columns of a table, and back: how a model gets into a file and out of one.

use likely_core::analyze::analyzer::Analyzer;
use likely_core::count::cells::Cell;
use likely_core::count::counts::{ClassTotal, Counts};
use likely_core::count::fixed_point::Amount;
use likely_core::error::Error;
use likely_core::vocabulary::term_ids::JOINT;

use arrow_array::builder::LargeStringBuilder;
use arrow_array::cast::AsArray;
use arrow_array::{Array, LargeStringArray};
use arrow_schema::DataType;
use likely_core::store::delta_strings;
use pyo3::prelude::*;

/// One row a term and class: the term, the rank of the class among all, the amounts.
pub(crate) struct Columns {
    pub(crate) terms: LargeStringArray,
    pub(crate) ranks: Vec<u32>,
    pub(crate) counts: Vec<Amount>,
    pub(crate) documents: Vec<Amount>,
}

/// The rows of some terms, in their order, those of a term by the rank of the class. `None` if a class has no rank.
pub(crate) fn columns(counts: &Counts, ids: &[u32], ranks: &[u32]) -> Option<Columns> {
    let rows = ids.iter().map(|&id| counts.row_length(id)).sum();
    let mut terms = LargeStringBuilder::with_capacity(rows, 8 * rows);
    let mut cells: Vec<Cell> = Vec::with_capacity(rows);
    let mut spelled = Vec::new();
    for &id in ids {
        let start = cells.len();
        for cell in counts.row(id) {
            cells.push(Cell { class: *ranks.get(cell.class as usize)?, ..cell });
        }
        cells[start..].sort_unstable_by_key(|cell| cell.class);
        spelled.clear();
        counts.vocabulary().spell(id, &mut spelled);
        let term = String::from_utf8_lossy(&spelled);
        (start..cells.len()).for_each(|_| terms.append_value(&term));
    }
    Some(Columns {
        terms: terms.finish(),
        ranks: cells.iter().map(|cell| cell.class).collect(),
        counts: cells.iter().map(|cell| cell.count).collect(),
        documents: cells.iter().map(|cell| cell.documents).collect(),
    })
}

const NO_COUNT: &str = "a count is 0";
const NO_CLASS: &str = "a class is not among the classes";

/// Counts that come in as rows which nobody has checked. If they are `weighed`, a row may have no count.
pub(crate) struct Reading<'a> {
    analyzer: &'a Analyzer,
    most_words: usize,
    shares: bool,
    weighed: bool,
    class_documents: &'a [Amount],
    counts: Counts,
    term: Vec<u8>,
    /// The id of the term and the class of the last row.
    last: Option<(u32, u32)>,
    /// How many rows each term has.
    lengths: Vec<i64>,
    /// Whether the last term has been counted in a class.
    counted: bool,
}

impl<'a> Reading<'a> {
    pub(crate) fn new(
        analyzer: &'a Analyzer,
        most_words: usize,
        shares: bool,
        weighed: bool,
        class_documents: &'a [Amount],
    ) -> Result<Self, String> {
        let mut counts = Counts::default();
        for (class, &documents) in class_documents.iter().enumerate() {
            let total = ClassTotal { documents, ..ClassTotal::default() };
            counts.add_total(class as u32, total).map_err(|error| error.to_string())?;
        }
        Ok(Self {
            analyzer,
            most_words,
            shares,
            weighed,
            class_documents,
            counts,
            term: Vec::new(),
            last: None,
            lengths: Vec::new(),
            counted: true,
        })
    }

    /// Takes in further rows, or says what is wrong with them.
    pub(crate) fn add(
        &mut self,
        terms: &dyn Array,
        classes: &[u32],
        counts: &[Amount],
        documents: &[Amount],
    ) -> Result<(), String> {
        let rows = terms.len();
        if terms.null_count() > 0 || [classes.len(), counts.len(), documents.len()] != [rows; 3] {
            return Err("a row has no term, class or count".into());
        }
        let cell = |row: usize| Cell { class: classes[row], count: counts[row], documents: documents[row] };
        // As bytes, because nobody has checked that they are UTF-8.
        match terms.data_type() {
            DataType::Binary => {
                let terms = terms.as_binary::<i32>();
                (0..rows).try_for_each(|row| self.put(terms.value(row), cell(row)))
            }
            DataType::LargeBinary => {
                let terms = terms.as_binary::<i64>();
                (0..rows).try_for_each(|row| self.put(terms.value(row), cell(row)))
            }
            other => Err(format!("the terms are of type {other}")),
        }
    }

    fn put(&mut self, term: &[u8], cell: Cell) -> Result<(), String> {
        let id = match self.last {
            Some((id, class)) if self.term == term => {
                if class >= cell.class {
                    return Err("the classes of a term are not sorted".into());
                }
                id
            }
            _ => self.next_term(term)?,
        };
        self.last = Some((id, cell.class));
        self.lengths.last_mut().into_iter().for_each(|length| *length += 1);
        if self.weighed && cell.documents.is_zero() && cell.count.is_zero() {
            return if self.class_documents.len() > cell.class as usize { Ok(()) } else { Err(NO_CLASS.into()) };
        }
        self.counted = true;
        self.check(cell)?;
        self.counts.put(id, cell).map_err(|error: Error| error.to_string())
    }

    fn next_term(&mut self, term: &[u8]) -> Result<u32, String> {
        self.check_counted()?;
        self.counted = false;
        self.lengths.push(0);
        if self.last.is_some() && self.term.as_slice() > term {
            return Err("the terms are not sorted".into());
        }
        let text = std::str::from_utf8(term).map_err(|_| "a term is no UTF-8")?;
        let mut words = term.split(|&byte| byte == JOINT);
        if term.is_empty() || self.most_words > 0 && words.any(<[u8]>::is_empty) {
            return Err("a term is empty".into());
        }
        if self.most_words > 0 && term.iter().filter(|&&byte| byte == JOINT).count() >= self.most_words {
            return Err("a term has too many words".into());
        }
        self.term.clear();
        self.term.extend_from_slice(term);
        Ok(self.analyzer.intern(self.counts.vocabulary_mut(), text))
    }

    /// A term occurs in some documents of the class, and at least once in each, or with some share in each.
    fn check(&self, cell: Cell) -> Result<(), String> {
        let of_class = self.class_documents.get(cell.class as usize).ok_or(NO_CLASS)?;
        if cell.documents.is_zero() || cell.count.is_zero() {
            return Err(NO_COUNT.into());
        }
        if cell.documents > cell.count && !self.shares || cell.documents > *of_class {
            return Err("a term has more documents than occurrences, or than its class".into());
        }
        Ok(())
    }

    /// A term that weighs something where it was not counted must have been counted elsewhere.
    fn check_counted(&self) -> Result<(), String> {
        if self.counted { Ok(()) } else { Err(NO_COUNT.into()) }
    }

    /// The counts, and how many rows each term had.
    pub(crate) fn finish(self) -> Result<(Counts, Vec<i64>), String> {
        self.check_counted()?;
        Ok((self.counts, self.lengths))
    }
}

/// The bytes of all strings in a page of Parquet's encoding DELTA_BYTE_ARRAY; nothing if it is not sound.
#[pyfunction]
pub(crate) fn delta_strings_size(py: Python<'_>, page: &[u8], strings: usize) -> Option<u64> {
    py.detach(|| delta_strings::strings_size(page, strings))
}
