//! The counts of some texts, before it is decided which columns the matrix keeps.

use crate::error::{Error, Result};
use crate::parallel;
use crate::vectorize::matrix::piece::Piece;
use crate::vectorize::matrix::row;
use crate::vectorize::matrix::sparse::{Matrix, MatrixValue};
use crate::vectorize::pattern::rules::Pattern;
use crate::vectorize::term_columns::TermColumns;
use crate::vocabulary::term_ids::UNKNOWN;

/// The counts of some texts, before it is decided which columns to keep.
pub struct Counted {
    pub(super) rows: usize,
    /// The terms of the columns, sorted.
    pub(super) terms: TermColumns,
    /// In how many texts the term of each column occurs.
    pub(super) documents: Vec<u32>,
    /// For each worker, the column of each of its ids; empty for the worker whose ids are those of the terms.
    pub(super) columns_of: Vec<Vec<u32>>,
    pub(super) pieces: Vec<Piece>,
    pub(super) threads: usize,
}

impl Counted {
    /// How many texts were counted.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// In how many texts the term of each column occurs.
    pub fn documents(&self) -> &[u32] {
        &self.documents
    }

    /// How often the term of each column occurs in all texts.
    pub fn totals(&self) -> Vec<u64> {
        let mut totals = vec![0; self.terms.len()];
        for piece in &self.pieces {
            let columns = columns_of(&self.terms, &self.columns_of[piece.worker]);
            for (&id, count) in piece.numbers().iter().zip(piece.counts()) {
                totals[columns[id as usize] as usize] += u64::from(count);
            }
        }
        totals
    }

    /// Keeps only the columns for which `keep` is true.
    pub fn select(&mut self, source: &Pattern, keep: &[bool]) {
        let mut kept = 0;
        let new: Vec<u32> = keep
            .iter()
            .map(|&keep| {
                kept += u32::from(keep);
                if keep { kept - 1 } else { UNKNOWN }
            })
            .collect();
        // The terms get new ids, so their columns must be kept.
        self.columns_of[0] = self.terms.columns().to_vec();
        for old in self.columns_of.iter_mut().flatten() {
            *old = new.get(*old as usize).copied().unwrap_or(UNKNOWN);
        }
        let mut keeps = keep.iter();
        self.documents.retain(|_| keeps.next().is_some_and(|&keep| keep));
        self.terms = self.terms.selected(source, keep);
    }

    /// The matrix of counts, or of 1 for each count if `binary`; and the terms of its columns.
    pub fn into_rows<T: MatrixValue>(
        self,
        binary: bool,
        stop: &dyn Fn() -> bool,
    ) -> Result<(Matrix<T>, TermColumns)> {
        let Self { mut terms, columns_of: own, mut pieces, threads, documents, .. } = self;
        drop(documents);
        terms.seal();
        let mut workers = vec![(); threads.min(pieces.len())];
        let numbered = parallel::share(&mut workers, pieces.iter_mut(), stop, |(), piece, _| {
            piece.renumber(columns_of(&terms, &own[piece.worker]));
            true
        });
        drop(own);
        let rows = Matrix::assemble(pieces, threads, stop, |piece, row, columns, values| {
            let mut places = columns.iter_mut().zip(values);
            piece.sorted_rows(terms.len(), row, |entries| {
                for (&entry, (column, value)) in entries.iter().zip(&mut places) {
                    *column = row::column(entry) as i32;
                    *value = T::from_count(if binary { 1 } else { i64::from(entry as u32) });
                }
            });
        })?;
        if numbered { Ok((rows, terms)) } else { Err(Error::Interrupted) }
    }

    /// The terms of the columns, without the matrix.
    pub fn into_terms(self) -> TermColumns {
        self.terms
    }
}

/// The columns of a worker's ids.
fn columns_of<'a>(terms: &'a TermColumns, own: &'a [u32]) -> &'a [u32] {
    if own.is_empty() { terms.columns() } else { own }
}
