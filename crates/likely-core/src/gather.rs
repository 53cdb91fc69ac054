//! Rows of texts whose columns are known beforehand, batch by batch, on several threads.

use crate::error::{Error, Result};
use crate::parallel;
use crate::pattern::Scratch;
use crate::sparse::{Piece, Rows, Value, check_lengths, column, count, entry};
use crate::tally::Tallies;
use std::cell::RefCell;

/// The rows so far.
pub struct Gathering {
    threads: usize,
    /// Whether counts may be below zero, as those of hashes.
    signed: bool,
    rows: usize,
    workers: Vec<Worker>,
    pieces: Vec<Piece>,
}

#[derive(Default)]
struct Worker {
    work: Work,
    pieces: Vec<Piece>,
}

/// Below this much text everything is done at once and in memory that each thread keeps.
const FEW: usize = 1 << 15;

thread_local! {
    static KEPT: RefCell<Work> = RefCell::default();
}

/// Memory that is used again from text to text.
#[derive(Default)]
pub(crate) struct Work {
    pub(crate) scratch: Scratch,
    pub(crate) row: Row,
}

/// The row at hand.
#[derive(Default)]
pub(crate) struct Row {
    tallies: Tallies,
    /// Columns and counts, where there are too many columns for tallies.
    entries: Vec<u64>,
    is_tallied: bool,
}

impl Row {
    /// Begins a row of a matrix of so many columns.
    pub(crate) fn begin(&mut self, columns: usize) {
        self.is_tallied = self.tallies.make_room(columns);
    }

    /// Counts a column; below zero counts wrap around.
    #[inline]
    pub(crate) fn add(&mut self, column: u32, amount: u32) {
        if self.is_tallied {
            self.tallies.add(column, amount);
        } else {
            self.entries.push(entry(column, amount));
        }
    }

    /// Ends the row: calls `each` with its columns, in order, and their counts.
    fn drain(&mut self, mut each: impl FnMut(u32, u32)) {
        if self.is_tallied {
            return self.tallies.drain(each);
        }
        self.entries.sort_unstable();
        for run in self.entries.chunk_by(|&a, &b| column(a) == column(b)) {
            each(column(run[0]), run.iter().fold(0, |sum, &entry| sum.wrapping_add(count(entry))));
        }
        self.entries.clear();
    }
}

impl Gathering {
    /// Begins with no rows. If `signed`, counts may be below zero.
    pub fn new(threads: usize, signed: bool) -> Self {
        Self { threads: threads.max(1), signed, rows: 0, workers: Vec::new(), pieces: Vec::new() }
    }

    /// Adds a row for each text; `row` counts its columns, and returns whether to go on.
    pub(crate) fn add(
        &mut self,
        texts: &[&[u8]],
        stop: &dyn Fn() -> bool,
        row: impl Fn(&[u8], &mut Work, &dyn Fn() -> bool) -> bool + Sync,
    ) -> Result<()> {
        check_lengths(texts)?;
        let bytes = texts.iter().map(|text| text.len()).sum();
        if bytes <= FEW {
            let mut piece = Piece { first_row: self.rows, ..Piece::default() };
            KEPT.with_borrow_mut(|work| texts.iter().for_each(|text| _ = push_row(text, work, &mut piece, &row, &|| true)));
            self.pieces.push(piece);
            self.rows += texts.len();
            return Ok(());
        }
        let threads = parallel::threads_for(bytes, self.threads);
        if self.workers.len() < threads {
            self.workers.resize_with(threads, Worker::default);
        }
        let first = self.rows;
        let blocks = parallel::blocks(texts.iter().map(|text| text.len()));
        let workers = &mut self.workers[..threads];
        let done = parallel::share(workers, blocks.into_iter(), stop, |Worker { work, pieces }, block, pulse| {
            let mut piece = Piece { first_row: first + block.start, ..Piece::default() };
            let done = texts[block].iter().all(|text| push_row(text, work, &mut piece, &row, &|| pulse.beat()));
            piece.entries.shrink_to_fit();
            pieces.push(piece);
            done
        });
        self.rows += texts.len();
        if done { Ok(()) } else { Err(Error::Interrupted) }
    }

    /// The matrix of all rows; entries are counts, or 1 each if `binary`.
    pub fn finish<T: Value>(self, binary: bool, stop: &dyn Fn() -> bool) -> Result<Rows<T>> {
        let Self { mut pieces, workers, .. } = self;
        pieces.extend(workers.into_iter().flat_map(|worker| worker.pieces));
        let value = |count: u32| match (binary, self.signed) {
            (true, _) => 1,
            (false, true) => i64::from(count as i32),
            (false, false) => i64::from(count),
        };
        let threads = if pieces.len() > 1 { self.threads } else { 1 };
        Rows::assemble(pieces, threads, stop, |_, _| (), value)
    }
}

/// Adds the row of a text to a piece; false if it was cut short.
fn push_row(
    text: &[u8],
    work: &mut Work,
    piece: &mut Piece,
    row: &impl Fn(&[u8], &mut Work, &dyn Fn() -> bool) -> bool,
    go_on: &dyn Fn() -> bool,
) -> bool {
    let done = row(text, work, go_on);
    let before = piece.entries.len();
    work.row.drain(|column, count| piece.entries.push(entry(column, count)));
    piece.lengths.push((piece.entries.len() - before) as u32);
    done
}
