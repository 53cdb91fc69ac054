//! Texts go in; the rows of a matrix come out whose columns are already known, batch by batch, on several threads.

use crate::error::{Error, Result, check_lengths};
use crate::parallel;
use crate::vectorize::matrix::piece::Piece;
use crate::vectorize::matrix::row::RowSorter;
use crate::vectorize::matrix::sparse::{LONGEST_TEXT, Matrix, MatrixValue};
use crate::vectorize::pattern::rules::PatternScratch;
use std::cell::RefCell;

/// The rows so far.
pub struct Gathering {
    threads: usize,
    /// Whether counts may be negative, as those of hashes.
    signed: bool,
    rows: usize,
    workers: Vec<GatheringWorker>,
    pieces: Vec<Piece>,
}

#[derive(Default)]
struct GatheringWorker {
    work: Work,
    pieces: Vec<Piece>,
}

/// Up to this much text everything is done at once, in memory that each thread keeps.
const FEW: usize = 1 << 15;

thread_local! {
    static KEPT: RefCell<Work> = RefCell::default();
}

/// Memory that is reused from text to text.
#[derive(Default)]
pub(crate) struct Work {
    pub(crate) scratch: PatternScratch,
    pub(crate) row: RowSorter,
}

impl Gathering {
    /// Begins with no rows. If `signed`, counts may be negative.
    pub fn new(threads: usize, signed: bool) -> Self {
        Self { threads: threads.max(1), signed, rows: 0, workers: Vec::new(), pieces: Vec::new() }
    }

    /// Adds one row per text; `row` counts its columns, and returns whether to continue.
    pub(crate) fn add(
        &mut self,
        texts: &[&[u8]],
        stop: &dyn Fn() -> bool,
        row: impl Fn(&[u8], &mut Work, &dyn Fn() -> bool) -> bool + Sync,
    ) -> Result<()> {
        check_lengths(texts.iter().map(|text| text.len()), LONGEST_TEXT)?;
        let bytes = texts.iter().map(|text| text.len()).sum();
        if bytes <= FEW {
            let mut piece = Piece::like(None, 0, self.rows);
            KEPT.with_borrow_mut(|work| {
                texts.iter().for_each(|text| _ = push_row(text, work, &mut piece, &row, &|| true));
            });
            self.pieces.push(piece);
            self.rows += texts.len();
            return Ok(());
        }
        let threads = parallel::threads_for(bytes, self.threads);
        if self.workers.len() < threads {
            self.workers.resize_with(threads, GatheringWorker::default);
        }
        let first = self.rows;
        let blocks = parallel::blocks(texts.iter().map(|text| text.len()));
        let workers = &mut self.workers[..threads];
        let done = parallel::share(
            workers,
            blocks.into_iter(),
            stop,
            |GatheringWorker { work, pieces }, block, pulse| {
                let mut piece = Piece::like(pieces.last(), 0, first + block.start);
                let done =
                    texts[block].iter().all(|text| push_row(text, work, &mut piece, &row, &|| pulse.beat()));
                piece.close();
                pieces.push(piece);
                done
            },
        );
        self.rows += texts.len();
        if done { Ok(()) } else { Err(Error::Interrupted) }
    }

    /// The matrix of all rows. Its entries are counts, or all 1 if `binary`.
    pub fn finish<T: MatrixValue>(self, binary: bool, stop: &dyn Fn() -> bool) -> Result<Matrix<T>> {
        let Self { mut pieces, workers, .. } = self;
        pieces.extend(workers.into_iter().flat_map(|worker| worker.pieces));
        let value = |count: u32| match (binary, self.signed) {
            (true, _) => T::from_count(1),
            (false, true) => T::from_count(i64::from(count as i32)),
            (false, false) => T::from_count(i64::from(count)),
        };
        Matrix::assemble(pieces, self.threads, stop, |piece, _, columns, values: &mut [T]| {
            columns.iter_mut().zip(piece.numbers()).for_each(|(place, &column)| *place = column as i32);
            values.iter_mut().zip(piece.counts()).for_each(|(place, count)| *place = value(count));
        })
    }
}

/// Adds the row of a text to a piece; returns false if it was stopped.
fn push_row(
    text: &[u8],
    work: &mut Work,
    piece: &mut Piece,
    row: &impl Fn(&[u8], &mut Work, &dyn Fn() -> bool) -> bool,
    go_on: &dyn Fn() -> bool,
) -> bool {
    let done = row(text, work, go_on);
    piece.push_entries(work.row.added_up());
    done
}
