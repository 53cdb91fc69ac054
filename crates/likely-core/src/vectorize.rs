//! Texts to a sparse matrix of counts: one row a text, one column a term, columns sorted by term.

use crate::analyze::{Analyzer, Scratch};
use crate::error::{Error, Result};
use crate::parallel::{self, Pulse};
use crate::vocabulary::{UNKNOWN, Vocabulary};

/// A matrix in compressed sparse rows: row `r` is `indptr[r]..indptr[r + 1]` of `indices` and `counts`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Matrix {
    /// Where each row starts, and one more for the end.
    pub indptr: Vec<i64>,
    /// The columns of the entries, ascending in each row.
    pub indices: Vec<u32>,
    /// How often the term of the column occurs.
    pub counts: Vec<u32>,
    /// The terms of the columns, sorted.
    pub terms: Vec<String>,
}

/// Rows of consecutive texts, with the ids of one worker's vocabulary.
struct Piece {
    worker: usize,
    first_row: usize,
    lengths: Vec<u32>,
    ids: Vec<u32>,
    counts: Vec<u32>,
}

/// A matrix of many texts, batch by batch, on several threads.
pub struct Vectorizing<'a> {
    analyzer: &'a Analyzer,
    threads: usize,
    rows: usize,
    workers: Vec<Worker>,
}

#[derive(Default)]
struct Worker {
    number: usize,
    scratch: Scratch,
    vocabulary: Vocabulary,
    tallies: Vec<u32>,
    touched: Vec<u32>,
    pieces: Vec<Piece>,
}

impl<'a> Vectorizing<'a> {
    /// Begins with no rows.
    pub fn new(analyzer: &'a Analyzer, threads: usize) -> Self {
        Self { analyzer, threads: threads.max(1), rows: 0, workers: Vec::new() }
    }

    /// Adds a row for each text. `stop` is asked every now and then whether to give up.
    pub fn add(&mut self, texts: &[&[u8]], stop: &dyn Fn() -> bool) -> Result<()> {
        if let Some((row, long)) =
            texts.iter().enumerate().find(|(_, text)| text.len() > self.analyzer.longest_text())
        {
            return Err(Error::TextTooLong { row, bytes: long.len() });
        }
        let bytes = texts.iter().map(|text| text.len()).sum();
        let threads = parallel::threads_for(bytes, self.threads);
        while self.workers.len() < threads {
            self.workers.push(Worker { number: self.workers.len(), ..Worker::default() });
        }
        let (analyzer, first) = (self.analyzer, self.rows);
        let blocks = parallel::blocks(texts.iter().map(|text| text.len()));
        let done =
            parallel::share(&mut self.workers[..threads], blocks.into_iter(), stop, |worker, block, pulse| {
                let first_row = first + block.start;
                worker.add(analyzer, &texts[block], first_row, pulse)
            });
        self.rows += texts.len();
        if done { Ok(()) } else { Err(Error::Interrupted) }
    }

    /// The matrix of all that was added.
    pub fn finish(self, stop: &dyn Fn() -> bool) -> Result<Matrix> {
        let mut all = Vocabulary::default();
        let mut ids_of = Vec::with_capacity(self.workers.len());
        let mut pieces = Vec::new();
        for mut worker in self.workers {
            ids_of.push(all.absorb(&worker.vocabulary, stop, |_| ())?);
            pieces.append(&mut worker.pieces);
        }
        pieces.sort_unstable_by_key(|piece| piece.first_row);
        let (columns, terms) = sorted_columns(&all, &pieces, &ids_of);
        let mut matrix = Matrix { indptr: vec![0], terms, ..Matrix::default() };
        let mut row = Vec::new();
        for piece in pieces {
            let ids = &ids_of[piece.worker];
            let mut entries = piece.ids.iter().zip(&piece.counts);
            for length in piece.lengths {
                row.clear();
                row.extend(
                    entries
                        .by_ref()
                        .take(length as usize)
                        .map(|(&id, &count)| (columns[ids[id as usize] as usize], count)),
                );
                row.sort_unstable();
                matrix.indices.extend(row.iter().map(|entry| entry.0));
                matrix.counts.extend(row.iter().map(|entry| entry.1));
                matrix.indptr.push(matrix.indices.len() as i64);
            }
        }
        Ok(matrix)
    }
}

impl Worker {
    fn add(&mut self, analyzer: &Analyzer, texts: &[&[u8]], first_row: usize, pulse: &Pulse<'_>) -> bool {
        let mut piece = Piece { worker: self.number, first_row, lengths: vec![], ids: vec![], counts: vec![] };
        for text in texts {
            let Self { scratch, vocabulary, tallies, touched, .. } = self;
            let done = analyzer.terms(text, &mut { vocabulary }, scratch, |ids, vocabulary| {
                if tallies.len() < vocabulary.len() {
                    tallies.resize(vocabulary.len().next_power_of_two(), 0);
                }
                for &id in ids.iter().filter(|&&id| id != UNKNOWN) {
                    if tallies[id as usize] == 0 {
                        touched.push(id);
                    }
                    tallies[id as usize] += 1;
                }
                pulse.beat()
            });
            if !done {
                return false;
            }
            piece.lengths.push(touched.len() as u32);
            for id in touched.drain(..) {
                piece.ids.push(id);
                piece.counts.push(std::mem::take(&mut tallies[id as usize]));
            }
        }
        self.pieces.push(piece);
        true
    }
}

/// The column of each id that occurs, and the terms in the order of the columns.
fn sorted_columns(all: &Vocabulary, pieces: &[Piece], ids_of: &[Vec<u32>]) -> (Vec<u32>, Vec<String>) {
    let mut columns = vec![UNKNOWN; all.len()];
    let mut terms = Vec::new();
    for piece in pieces {
        for &id in &piece.ids {
            let id = ids_of[piece.worker][id as usize];
            if columns[id as usize] == UNKNOWN {
                columns[id as usize] = 0;
                terms.push((all.term(id), id));
            }
        }
    }
    terms.sort_unstable();
    for (column, (_, id)) in terms.iter().enumerate() {
        columns[*id as usize] = column as u32;
    }
    (columns, terms.into_iter().map(|(term, _)| term).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::Unit;

    fn vectorize(texts: &[&str], analyzer: &Analyzer, threads: usize, batch: usize) -> Matrix {
        let texts: Vec<&[u8]> = texts.iter().map(|text| text.as_bytes()).collect();
        let mut vectorizing = Vectorizing::new(analyzer, threads);
        for some in texts.chunks(batch) {
            vectorizing.add(some, &|| false).expect("nothing stops it");
        }
        vectorizing.finish(&|| false).expect("small")
    }

    #[test]
    fn rows_and_columns_are_as_expected() {
        let matrix = vectorize(&["b a b", "", "c a"], &Analyzer::plain(Unit::Word, 1, 1, true), 1, 9);
        assert_eq!(matrix.terms, ["a", "b", "c"]);
        assert_eq!(matrix.indptr, [0, 2, 2, 4]);
        assert_eq!(matrix.indices, [0, 1, 0, 2]);
        assert_eq!(matrix.counts, [1, 2, 1, 1]);
    }

    #[test]
    fn only_the_asked_n_grams_are_columns() {
        let matrix = vectorize(&["b a b"], &Analyzer::plain(Unit::Word, 2, 2, true), 1, 9);
        assert_eq!(matrix.terms, ["a b", "b a"]);
    }

    #[test]
    fn threads_and_batches_do_not_matter() {
        let texts: Vec<String> =
            (0..9000).map(|i| format!("w{} w{} some words in common", i % 91, i % 17)).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let analyzer = Analyzer::plain(Unit::Word, 1, 2, true);
        let expected = vectorize(&texts, &analyzer, 1, usize::MAX);
        assert_eq!(vectorize(&texts, &analyzer, 3, usize::MAX), expected);
        assert_eq!(vectorize(&texts, &analyzer, 2, 1000), expected);
    }
}
