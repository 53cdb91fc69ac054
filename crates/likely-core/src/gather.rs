//! Rows of texts whose columns are known beforehand, batch by batch, on several threads.

use crate::error::{Error, Result};
use crate::parallel::{self, Pulse};
use crate::pattern::Scratch;
use crate::sparse::{Piece, Rows, Value, check_lengths};

/// The rows so far.
pub struct Gathering {
    threads: usize,
    /// Whether counts may be below zero, as those of hashes.
    signed: bool,
    rows: usize,
    workers: Vec<Worker>,
}

#[derive(Default)]
struct Worker {
    work: Work,
    pieces: Vec<Piece>,
}

/// Memory that is used again from text to text.
#[derive(Default)]
pub(crate) struct Work {
    pub(crate) scratch: Scratch,
    pub(crate) columns: Vec<u32>,
}

impl Gathering {
    /// Begins with no rows. If `signed`, counts may be below zero.
    pub fn new(threads: usize, signed: bool) -> Self {
        Self { threads: threads.max(1), signed, rows: 0, workers: Vec::new() }
    }

    /// Adds a row for each text, which `row` appends to a piece; it returns whether to go on.
    pub(crate) fn add(
        &mut self,
        texts: &[&[u8]],
        stop: &dyn Fn() -> bool,
        row: impl Fn(&[u8], &mut Work, &mut Piece, &Pulse<'_>) -> bool + Sync,
    ) -> Result<()> {
        check_lengths(texts)?;
        let bytes = texts.iter().map(|text| text.len()).sum();
        let threads = parallel::threads_for(bytes, self.threads);
        if self.workers.len() < threads {
            self.workers.resize_with(threads, Worker::default);
        }
        let first = self.rows;
        let blocks = parallel::blocks(texts.iter().map(|text| text.len()));
        let workers = &mut self.workers[..threads];
        let done = parallel::share(workers, blocks.into_iter(), stop, |Worker { work, pieces }, block, pulse| {
            let mut piece = Piece { first_row: first + block.start, ..Piece::default() };
            let done = texts[block].iter().all(|text| row(text, work, &mut piece, pulse));
            piece.entries.shrink_to_fit();
            pieces.push(piece);
            done
        });
        self.rows += texts.len();
        if done { Ok(()) } else { Err(Error::Interrupted) }
    }

    /// The matrix of all rows; entries are counts, or 1 each if `binary`.
    pub fn finish<T: Value>(self, binary: bool, stop: &dyn Fn() -> bool) -> Result<Rows<T>> {
        let pieces: Vec<Piece> = self.workers.into_iter().flat_map(|worker| worker.pieces).collect();
        let value = |count: u32| match (binary, self.signed) {
            (true, _) => 1,
            (false, true) => i64::from(count as i32),
            (false, false) => i64::from(count),
        };
        let threads = if pieces.len() > 1 { self.threads } else { 1 };
        Rows::assemble(pieces, threads, stop, |_| (), value)
    }
}
