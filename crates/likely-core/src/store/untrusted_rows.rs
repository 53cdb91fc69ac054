//! Rows of a model file that nobody has checked go in; counts come out, or the reason why the rows are not counts.

use crate::analyze::analyzer::Analyzer;
use crate::count::cells::{Cell, Cells};
use crate::count::counts::{ClassTotal, Counts};
use crate::count::fixed_point::Amount;
use crate::count::stored_cells::StoredCells;
use crate::parallel::both;
use crate::store::refused::Result;
use crate::store::term_check::TermCheck;
use crate::store::untrusted_cells::UntrustedCells;
use crate::store::untrusted_terms::UntrustedTerms;
use crate::vocabulary::term_ids::Vocabulary;

pub(super) const CLASSES_NOT_SORTED: &str = "the classes of a term are not sorted";
pub(super) const NO_SUCH_CLASS: &str = "a class is not among the classes";
pub(super) const NO_COUNT: &str = "a count is 0";

/// The largest learned weight. Those of real models are below 1000; larger ones would make scores that are not numbers.
pub const LARGEST_WEIGHT: f32 = 1e9;

/// What the rows of a model can be.
#[derive(Clone, Copy, Debug, Default)]
pub struct RowRules {
    /// The greatest number of words of a term; 0 if terms do not consist of words.
    pub most_words: usize,
    /// Whether a term may count less than once per document.
    pub shares: bool,
    /// Whether a term may have rows without a count, besides rows with one: there it has only a learned weight.
    pub weighed: bool,
}

impl RowRules {
    /// Whether a term can be one of the model: valid UTF-8, and not empty or with too many words.
    pub(super) fn check_term(&self, term: &[u8]) -> Result<()> {
        TermCheck::default().check(term, (&[], 0), self.most_words)
    }

    /// Whether a term can have these amounts in a class with this number of documents.
    pub(super) fn check_cell(&self, cell: &Cell, of_class: Amount) -> Result<()> {
        if cell.documents.is_zero() || cell.count.is_zero() {
            return Err(NO_COUNT.into());
        }
        if cell.documents > cell.count && !self.shares || cell.documents > of_class {
            return Err("a term has more documents than occurrences, or than its class".into());
        }
        Ok(())
    }
}

/// The terms of the rows, and learned weights: those of each term that are not 0, term after term.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RowTerms {
    /// The id of each term, sorted by term.
    pub ids: Vec<u32>,
    /// The number of weights of each term.
    pub lengths: Vec<i64>,
    /// The class of each weight.
    pub classes: Vec<u32>,
    /// The weights.
    pub weights: Vec<f32>,
}

/// Counts that are read from rows. The rows must be sorted by term and class. Their terms and what they count do not
/// need each other until the end, so that they can be read at the same time.
pub(super) struct UntrustedRows<'a> {
    pub(super) terms: UntrustedTerms,
    pub(super) cells: UntrustedCells<'a>,
    /// For how many words and how many n-grams the hash tables should have room.
    pub(super) room: [usize; 2],
    /// The hash tables in which the terms will be found: those of an empty vocabulary, which is made beside them.
    pub(super) tables: Option<Vocabulary>,
}

impl<'a> UntrustedRows<'a> {
    /// Begins a table whose classes have these numbers of documents.
    pub(super) fn new(analyzer: &Analyzer, rules: RowRules, class_documents: &'a [Amount]) -> Self {
        let phrases = analyzer.has_words() && rules.most_words > 1;
        let cells = UntrustedCells::new(rules, class_documents);
        Self { terms: UntrustedTerms::new(rules, phrases), cells, room: [0; 2], tables: None }
    }

    /// Makes room for this number of terms.
    pub(super) fn reserve(&mut self, terms: usize) {
        self.terms.reserve(terms);
        self.room = if self.terms.phrases { [0, terms] } else { [terms, 0] };
    }

    /// The counts, if the tokens of the classes are these, and the terms with their learned weights. If these are only
    /// some of the rows, the others have the other tokens.
    pub(super) fn finish(mut self, class_tokens: &[Amount], is_part: bool) -> Result<(Counts, RowTerms)> {
        self.terms.finish();
        let UntrustedTerms { mut known, mut vocabulary, ids, mut cells, .. } = self.terms;
        let UntrustedCells { stored, totals, weights, .. } = self.cells;
        let mut terms = RowTerms { ids, ..RowTerms::default() };
        let (is_worth, tables) = (terms.ids.len() >= WORTH_A_THREAD, self.tables);
        // Meanwhile the hash tables are filled.
        let (_, filled) = both(
            is_worth,
            || known.end_order(&mut vocabulary, tables),
            || terms.fill(&mut cells, stored, &weights),
        );
        filled?;
        let fits =
            |(total, tokens): (&ClassTotal, &Amount)| total.tokens == *tokens || is_part && total.tokens < *tokens;
        if totals.len() != class_tokens.len() || !totals.iter().zip(class_tokens).all(fits) {
            return Err("the tokens of its classes are not those of its rows".into());
        }
        Ok((Counts::of_parts(vocabulary, cells, totals), terms))
    }
}

/// Below this number of rows another thread costs more than it gives.
pub(super) const WORTH_A_THREAD: usize = 1 << 12;

impl RowTerms {
    /// Stores the cells of all rows, and takes their learned weights.
    fn fill(&mut self, cells: &mut Cells, stored: StoredCells, weights: &[f32]) -> Result<()> {
        cells.store(stored);
        for at in 0..self.ids.len() {
            let id = self.ids[at];
            if !cells.classes(id).is_sorted_by(|before, after| before < after) {
                return Err(CLASSES_NOT_SORTED.into());
            }
            if !weights.is_empty() {
                self.put_weights(cells, id, weights)?;
            }
        }
        Ok(())
    }

    /// Puts the weights of a term where they belong. Where it has only a weight, it has no cell; but it must have one
    /// elsewhere.
    fn put_weights(&mut self, cells: &mut Cells, id: u32, weights: &[f32]) -> Result<()> {
        let places = cells.places(id);
        let known = cells.classes(id).zip(&weights[places]).filter(|(_, weight)| **weight != 0.0);
        let before = self.weights.len();
        for (class, &weight) in known {
            self.classes.push(class);
            self.weights.push(weight);
        }
        self.lengths.push((self.weights.len() - before) as i64);
        if cells.drop_empty(id) { Ok(()) } else { Err(NO_COUNT.into()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::settings::Unit;
    use crate::vocabulary::sorted_terms::shared_bytes;

    /// A term, a class, the count and the documents; the weight is 1 if the rows are weighed.
    type Row<'a> = (&'a [u8], u32, f64, f64);

    const WORDS: RowRules = RowRules { most_words: 2, shares: false, weighed: false };

    fn amount(number: f64) -> Amount {
        Amount::from_f64(number).expect("a fit number")
    }

    fn read(rules: RowRules, rows: &[Row<'_>], tokens: [f64; 2]) -> Result<(Counts, RowTerms)> {
        let analyzer = Analyzer::plain(Unit::Word, 1, 2, true);
        let documents = [amount(3.0), amount(2.0)];
        let mut read = UntrustedRows::new(&analyzer, rules, &documents);
        for (row, &(term, class, count, documents)) in (0..).zip(rows) {
            let cell = Cell { class, count: amount(count), documents: amount(documents) };
            // A hint may be too small, but never too large.
            let shared = shared_bytes(read.terms.known.last(), term);
            read.terms.put(term, shared / 2 * (row as usize % 2), row..row + 1)?;
            read.cells.put(cell, if rules.weighed { 1.0 } else { 0.0 })?;
        }
        read.finish(&tokens.map(amount), false)
    }

    fn refusal(rules: RowRules, rows: &[Row<'_>]) -> Option<String> {
        read(rules, rows, [0.0, 0.0]).err().map(|refused| refused.to_string())
    }

    #[test]
    fn sound_rows_are_counts() {
        let rows: [Row<'_>; 4] =
            [(b"bad", 1, 2.0, 2.0), (b"good", 0, 4.0, 3.0), (b"good", 1, 1.0, 1.0), (b"good fun", 0, 1.0, 1.0)];
        let (counts, terms) = read(WORDS, &rows, [5.0, 3.0]).expect("sound");
        assert_eq!((counts.terms(), terms.lengths), (3, vec![]));
        let good = counts.vocabulary().find(b"good", true);
        assert_eq!((terms.ids.len(), terms.ids[1]), (3, good));
        let expected = Cell { class: 0, count: amount(4.0), documents: amount(3.0) };
        assert_eq!(counts.row(good).next(), Some(expected));
        assert_eq!(counts.totals()[0].documents, amount(3.0));
        assert!(read(WORDS, &[], [0.0, 0.0]).expect("sound").0.ids().next().is_none());
    }

    #[test]
    fn every_unsound_row_is_refused() {
        let cases: [(&[Row<'_>], &str); 18] = [
            (&[(b"b", 0, 1.0, 1.0), (b"a", 0, 1.0, 1.0)], "the terms are not sorted"),
            (&[(b"a", 1, 1.0, 1.0), (b"a", 0, 1.0, 1.0)], "the classes of a term are not sorted"),
            (&[(b"a", 1, 1.0, 1.0), (b"a", 1, 1.0, 1.0)], "the classes of a term are not sorted"),
            (&[(b"a", 0, 1.0, 1.0), (b"b", 0, 1.0, 1.0), (b"a", 1, 1.0, 1.0)], "the terms are not sorted"),
            (&[(b"ab", 0, 1.0, 1.0), (b"a", 0, 1.0, 1.0)], "the terms are not sorted"),
            (&[(b"a\xff", 0, 1.0, 1.0)], "a term is not valid UTF-8"),
            // A character that is cut off, and one whose last bytes are others than those of the term before.
            (&[("\u{e9}".as_bytes(), 0, 1.0, 1.0), (b"\xc3\xff", 0, 1.0, 1.0)], "a term is not valid UTF-8"),
            (&[("x\u{6f22}".as_bytes(), 0, 1.0, 1.0), (b"x\xe6\xbd", 0, 1.0, 1.0)], "a term is not valid UTF-8"),
            (&[(b"", 0, 1.0, 1.0)], "a term is empty"),
            (&[(b"a  b", 0, 1.0, 1.0)], "a term is empty"),
            (&[(b" a", 0, 1.0, 1.0)], "a term is empty"),
            (&[(b"a", 0, 1.0, 1.0), (b"a ", 0, 1.0, 1.0)], "a term is empty"),
            (&[(b"a b c", 0, 1.0, 1.0)], "a term has too many words"),
            (&[(b"a", 2, 1.0, 1.0)], "a class is not among the classes"),
            (&[(b"a", 0, 0.0, 1.0)], "a count is 0"),
            (&[(b"a", 0, 1.0, 0.0)], "a count is 0"),
            (&[(b"a", 0, 1.0, 2.0)], "a term has more documents than occurrences, or than its class"),
            (&[(b"a", 1, 9.0, 3.0)], "a term has more documents than occurrences, or than its class"),
        ];
        for (rows, expected) in cases {
            assert_eq!(refusal(WORDS, rows).as_deref(), Some(expected), "{rows:?}");
        }
    }

    #[test]
    fn rows_of_a_term_are_together() {
        let mut found = UntrustedTerms::new(WORDS, true);
        assert_eq!(found.put(b"a", 0, 0..1), Ok(()));
        assert_eq!(found.put(b"a", 1, 2..3), Err("the classes of a term are not sorted".into()));
    }

    #[test]
    fn characters_may_have_spaces_and_shares_may_be_small() {
        let characters = RowRules { most_words: 0, ..WORDS };
        assert!(read(characters, &[(b" a  b c", 0, 1.0, 1.0)], [1.0, 0.0]).is_ok());
        let shares = RowRules { shares: true, ..WORDS };
        assert!(read(shares, &[(b"a", 0, 0.5, 2.0)], [0.5, 0.0]).is_ok());
        assert_eq!(
            refusal(shares, &[(b"a", 0, 0.5, 4.0)]).as_deref(),
            Some("a term has more documents than occurrences, or than its class")
        );
    }

    #[test]
    fn a_term_with_only_a_weight_needs_a_count_elsewhere() {
        let weighed = RowRules { weighed: true, ..WORDS };
        let rows: [Row<'_>; 3] = [(b"a", 0, 0.0, 0.0), (b"a", 1, 1.0, 1.0), (b"b", 0, 1.0, 1.0)];
        let expected =
            RowTerms { ids: vec![0, 1], lengths: vec![2, 1], classes: vec![0, 1, 0], weights: vec![1.0; 3] };
        assert_eq!(read(weighed, &rows, [1.0, 1.0]).expect("sound").1, expected);
        assert_eq!(refusal(WORDS, &rows).as_deref(), Some("a count is 0"));
        assert_eq!(refusal(weighed, &rows[..1]).as_deref(), Some("a count is 0"));
        assert_eq!(refusal(weighed, &[rows[0], rows[2]]).as_deref(), Some("a count is 0"));
        assert_eq!(refusal(weighed, &[(b"a", 0, 0.0, 1.0)]).as_deref(), Some("a count is 0"));
        assert_eq!(refusal(weighed, &[(b"a", 2, 0.0, 0.0)]).as_deref(), Some("a class is not among the classes"));
    }

    #[test]
    fn weights_must_be_finite_and_not_too_large() {
        let analyzer = Analyzer::plain(Unit::Word, 1, 1, true);
        let weighed = RowRules { weighed: true, ..WORDS };
        let documents = [amount(1.0)];
        let cell = |count| Cell { class: 0, count: amount(count), documents: amount(count) };
        let put =
            |weight, count| UntrustedRows::new(&analyzer, weighed, &documents).cells.put(cell(count), weight);
        for weight in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -2e9, f32::MAX] {
            assert_eq!(
                put(weight, 1.0),
                Err("a weight is not a finite number, or is larger than any that is learned".into()),
                "{weight}"
            );
        }
        assert_eq!(put(0.0, 0.0), Err("a count is 0".into()));
        assert_eq!(put(-1e9, 0.0), Ok(()));
    }

    #[test]
    fn totals_must_agree_and_fit() {
        let rows: [Row<'_>; 1] = [(b"a", 0, 2.0, 1.0)];
        for tokens in [[2.0, 1.0], [1.0, 0.0], [2.5, 0.0]] {
            assert_eq!(
                read(WORDS, &rows, tokens).err(),
                Some("the tokens of its classes are not those of its rows".into())
            );
        }
        let huge = 18_446_744_073_709_549_568.0;
        let found = refusal(WORDS, &[(b"a", 0, huge, 1.0), (b"b", 0, huge, 1.0)]);
        assert!(found.is_some_and(|found| found.starts_with("the counts grew too large")));
        let analyzer = Analyzer::plain(Unit::Word, 1, 1, true);
        let few = || UntrustedRows::new(&analyzer, WORDS, &[]);
        assert_eq!(
            few().finish(&[Amount::ZERO], false).err(),
            Some("the tokens of its classes are not those of its rows".into())
        );
        assert_eq!(
            few().finish(&[Amount::ZERO], true).err(),
            Some("the tokens of its classes are not those of its rows".into())
        );
    }
}
