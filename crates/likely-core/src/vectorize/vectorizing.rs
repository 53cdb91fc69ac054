//! Texts go in; counts of their terms come out, from which a matrix is made: one row per text, one column per term,
//! columns sorted by term.

use crate::error::{Error, Result, check_lengths};
use crate::parallel::{self, Pulse};
use crate::vectorize::counted::Counted;
use crate::vectorize::matrix::piece::Piece;
use crate::vectorize::matrix::sparse::MOST_COLUMNS;
use crate::vectorize::source::Source;
use crate::vectorize::term_columns::TermColumns;
use crate::vocabulary::order::sorted;
use crate::vocabulary::term_ids::Vocabulary;

/// Counts the terms of many texts, batch by batch, on several threads.
pub struct Vectorizing<S: Source> {
    threads: usize,
    rows: usize,
    workers: Vec<LearningWorker<S>>,
}

struct LearningWorker<S: Source> {
    number: usize,
    scratch: S::Scratch,
    vocabulary: Vocabulary,
    tallies: Vec<Tally>,
    touched: Vec<u32>,
    pieces: Vec<Piece>,
}

/// How often a term occurs in the current text, and in how many texts it occurs.
#[derive(Clone, Copy, Default)]
struct Tally {
    count: u32,
    documents: u32,
}

impl<S: Source> Vectorizing<S> {
    /// Begins with no rows.
    pub fn new(threads: usize) -> Self {
        Self { threads: threads.max(1), rows: 0, workers: Vec::new() }
    }

    /// Adds one row per text. `stop` is asked from time to time whether to give up.
    pub fn add(&mut self, source: &S, texts: &[&[u8]], stop: &dyn Fn() -> bool) -> Result<()> {
        check_lengths(texts.iter().map(|text| text.len()), source.longest_text())?;
        let bytes = texts.iter().map(|text| text.len()).sum();
        let threads = parallel::threads_for(bytes, self.threads);
        while self.workers.len() < threads {
            self.workers.push(LearningWorker::new(source, self.workers.len(), bytes / threads));
        }
        let first = self.rows;
        let blocks = parallel::blocks(texts.iter().map(|text| text.len()));
        let done =
            parallel::share(&mut self.workers[..threads], blocks.into_iter(), stop, |worker, block, pulse| {
                let first_row = first + block.start;
                worker.add(source, &texts[block], first_row, pulse)
            });
        self.rows += texts.len();
        if self.workers.iter().any(|worker| worker.vocabulary.len() > MOST_COLUMNS) {
            return Err(Error::TooLarge("more than 2 billion terms"));
        }
        if done { Ok(()) } else { Err(Error::Interrupted) }
    }

    /// Everything that was added, with the columns in order.
    pub fn finish(self, source: &S, stop: &dyn Fn() -> bool) -> Result<Counted> {
        let (rows, threads) = (self.rows, self.threads);
        let mut workers = self.workers.into_iter();
        let first = workers.next().unwrap_or_else(|| LearningWorker::new(source, 0, 0));
        let (mut all, mut documents) = (first.vocabulary, first.tallies);
        let mut pieces = first.pieces;
        // The ids of the first worker are those of the whole, so that its columns are those of the terms.
        let mut ids_of = vec![Vec::new()];
        for mut worker in workers {
            worker.vocabulary.seal();
            let ids = all.absorb(&worker.vocabulary, stop, |_| ())?;
            documents.resize(all.len().max(documents.len()), Tally::default());
            for (&id, tally) in ids.iter().zip(&worker.tallies) {
                documents[id as usize].documents += tally.documents;
            }
            pieces.extend(worker.pieces);
            ids_of.push(ids);
        }
        documents.resize(all.len(), Tally::default());
        let order = sorted(&all, |id| documents[id as usize].documents > 0);
        if order.len() > MOST_COLUMNS {
            return Err(Error::TooLarge("more than 2 billion terms"));
        }
        let documents = order.iter().map(|&id| documents[id as usize].documents).collect();
        let terms = TermColumns::new(all, order);
        for id in ids_of.iter_mut().flatten() {
            *id = terms.column(*id);
        }
        Ok(Counted { rows, terms, documents, columns_of: ids_of, pieces, threads })
    }
}

impl<S: Source> LearningWorker<S> {
    fn new(source: &S, number: usize, bytes: usize) -> Self {
        let (scratch, vocabulary) = (source.scratch(), source.vocabulary(bytes));
        Self { number, scratch, vocabulary, tallies: Vec::new(), touched: Vec::new(), pieces: Vec::new() }
    }

    fn add(&mut self, source: &S, texts: &[&[u8]], first_row: usize, pulse: &Pulse<'_>) -> bool {
        let mut piece = Piece::like(self.pieces.last(), self.number, first_row);
        for text in texts {
            let Self { scratch, vocabulary, tallies, touched, .. } = self;
            let mut found = 0;
            let done = source.learn(text, vocabulary, scratch, |ids, vocabulary| {
                if tallies.len() < vocabulary.len() {
                    tallies.resize(vocabulary.len() + vocabulary.len() / 4 + 64, Tally::default());
                }
                if touched.len() < found + ids.len() {
                    touched.resize(found + ids.len(), 0);
                }
                for &id in ids {
                    // An unknown id has no tally.
                    let Some(tally) = tallies.get_mut(id as usize) else { continue };
                    let is_first = tally.count == 0;
                    tally.count += 1;
                    tally.documents += u32::from(is_first);
                    // The id is written in any case, so that there is no branch.
                    touched[found] = id;
                    found += usize::from(is_first);
                }
                pulse.beat()
            });
            if !done {
                return false;
            }
            piece.push_row(&touched[..found], |id| std::mem::take(&mut tallies[id as usize].count));
        }
        piece.close();
        self.pieces.push(piece);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::analyzer::Analyzer;
    use crate::analyze::settings::Unit;
    use crate::vectorize::matrix::sparse::Matrix;
    use crate::vectorize::pattern::rules::{Pattern, PatternUnit};

    fn counted<S: Source>(texts: &[&str], source: &S, threads: usize, batch: usize) -> Counted {
        let texts: Vec<&[u8]> = texts.iter().map(|text| text.as_bytes()).collect();
        let mut vectorizing = Vectorizing::new(threads);
        for some in texts.chunks(batch) {
            vectorizing.add(source, some, &|| false).expect("nothing stops it");
        }
        vectorizing.finish(source, &|| false).expect("small")
    }

    fn rows(counted: Counted) -> (Matrix<i64>, Vec<String>) {
        let (rows, terms) = counted.into_rows(false, &|| false).expect("nothing stops it");
        (rows, (0..terms.len()).map(|column| terms.term(column)).collect())
    }

    #[test]
    fn rows_and_columns_are_as_expected() {
        let analyzer = Analyzer::plain(Unit::Word, 1, 1, true);
        let (rows, terms) = rows(counted(&["b a b", "", "c a"], &analyzer, 1, 9));
        assert_eq!(terms, ["a", "b", "c"]);
        assert_eq!(rows.starts, [0, 2, 2, 4]);
        assert_eq!(rows.columns, [0, 1, 0, 2]);
        assert_eq!(rows.values, [1, 2, 1, 1]);
    }

    #[test]
    fn only_the_asked_n_grams_are_columns() {
        let analyzer = Analyzer::plain(Unit::Word, 2, 2, true);
        assert_eq!(rows(counted(&["b a b"], &analyzer, 1, 9)).1, ["a b", "b a"]);
    }

    #[test]
    fn columns_can_be_left_out() {
        let pattern = Pattern::new(PatternUnit::Word(2), 1, 2, true, std::iter::empty());
        let mut counted = counted(&["aa bb aa", "bb"], &pattern, 1, 9);
        assert_eq!(counted.documents(), [1, 1, 2, 1]);
        assert_eq!(counted.totals(), [2, 1, 2, 1]);
        counted.select(&pattern, &[true, false, false, true]);
        assert_eq!(counted.documents(), [1, 1]);
        let (rows, terms) = rows(counted);
        assert_eq!(terms, ["aa", "bb aa"]);
        assert_eq!((rows.starts, rows.columns, rows.values), (vec![0, 2, 2], vec![0, 1], vec![2, 1]));
    }

    #[test]
    fn threads_and_batches_do_not_matter() {
        let texts: Vec<String> =
            (0..9000).map(|i| format!("w{} w{} some words in common", i % 91, i % 17)).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let analyzer = Analyzer::plain(Unit::Word, 1, 2, true);
        let expected = rows(counted(&texts, &analyzer, 1, usize::MAX));
        assert_eq!(rows(counted(&texts, &analyzer, 3, usize::MAX)), expected);
        assert_eq!(rows(counted(&texts, &analyzer, 2, 1000)), expected);
    }
}
