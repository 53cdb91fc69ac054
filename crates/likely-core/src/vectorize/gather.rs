//! Rows of texts whose columns are known beforehand, batch by batch, on several threads.

use crate::error::{Error, Result};
use crate::parallel;
use crate::vectorize::pattern::Scratch;
use crate::vectorize::piece::Piece;
use crate::vectorize::sparse::{LONGEST_TEXT, Rows, Value, check_lengths};
use crate::vectorize::tally::Tallies;
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

/// How many columns are on their way from memory at once.
const STAGED: usize = 64;

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
    /// Where there are too many columns for tallies.
    entries: Vec<(u32, u32)>,
    is_tallied: bool,
}

impl Row {
    /// Begins a row of a matrix of so many columns.
    pub(crate) fn begin(&mut self, columns: usize) {
        self.is_tallied = self.tallies.make_room(columns);
    }

    /// Counts columns, a few at a time, so that the memory they lead to is on its way; below zero counts wrap around.
    #[inline]
    pub(crate) fn add(&mut self, columns: impl Iterator<Item = (u32, u32)>) {
        if !self.is_tallied {
            return self.entries.extend(columns);
        }
        let (mut staged, mut count) = ([(0, 0); STAGED], 0);
        for (column, amount) in columns {
            self.tallies.prefetch(column);
            staged[count] = (column, amount);
            count += 1;
            if count == STAGED {
                staged.iter().for_each(|&(column, amount)| self.tallies.add(column, amount));
                count = 0;
            }
        }
        staged[..count].iter().for_each(|&(column, amount)| self.tallies.add(column, amount));
    }

    /// Ends the row, which is added to a piece.
    fn end(&mut self, piece: &mut Piece) {
        if self.is_tallied {
            return piece.push_tallied(&mut self.tallies);
        }
        self.entries.sort_unstable();
        let runs = self.entries.chunk_by(|a, b| a.0 == b.0);
        piece.push_row(runs.map(|run| (run[0].0, run.iter().fold(0, |sum, entry| entry.1.wrapping_add(sum)))));
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
        check_lengths(texts, LONGEST_TEXT)?;
        let bytes = texts.iter().map(|text| text.len()).sum();
        if bytes <= FEW {
            let mut piece = Piece::like(None, 0, self.rows);
            KEPT.with_borrow_mut(|work| {
                texts.iter().for_each(|text| _ = push_row(text, work, &mut piece, &row, &|| true))
            });
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
            let mut piece = Piece::like(pieces.last(), 0, first + block.start);
            let done = texts[block].iter().all(|text| push_row(text, work, &mut piece, &row, &|| pulse.beat()));
            piece.close();
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
    work.row.end(piece);
    done
}
