//! Work on several threads that can be stopped at any moment.
//!
//! Threads live only as long as one call, so there is nothing to shut down, and nothing to repair in a forked process.

use std::cell::Cell;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How often the caller is asked whether to stop.
const POLL: Duration = Duration::from_millis(50);
/// How much text a thread takes at a time.
const BLOCK: usize = 64 << 10;
/// Below this much text another thread costs more than it gives.
const WORTH_A_THREAD: usize = 256 << 10;

/// Tells a worker whether it may go on.
pub struct Pulse<'a> {
    stopped: &'a AtomicBool,
    stop: Option<&'a dyn Fn() -> bool>,
    last: Cell<Instant>,
}

impl Pulse<'_> {
    /// Whether to go on.
    #[inline]
    pub fn beat(&self) -> bool {
        if let Some(stop) = self.stop
            && self.last.get().elapsed() >= POLL
        {
            self.last.set(Instant::now());
            if stop() {
                self.stopped.store(true, Ordering::Relaxed);
            }
        }
        !self.stopped.load(Ordering::Relaxed)
    }
}

/// Gives each worker the next of `blocks` until none is left; returns false if it was stopped.
///
/// The first worker runs on the calling thread, and `stop` is asked only there.
pub fn share<W: Send, B>(
    workers: &mut [W],
    blocks: impl Iterator<Item = B> + Send,
    stop: &dyn Fn() -> bool,
    work: impl Fn(&mut W, B, &Pulse<'_>) -> bool + Sync,
) -> bool {
    let stopped = AtomicBool::new(false);
    let blocks = Mutex::new(blocks);
    let run = |worker: &mut W, stop| {
        let pulse = Pulse { stopped: &stopped, stop, last: Cell::new(Instant::now()) };
        while pulse.beat() {
            let next = blocks.lock().map_or(None, |mut blocks| blocks.next());
            let Some(block) = next else { return };
            if !work(worker, block, &pulse) {
                stopped.store(true, Ordering::Relaxed);
            }
        }
    };
    thread::scope(|scope| {
        let Some((first, others)) = workers.split_first_mut() else {
            return;
        };
        for worker in others {
            // If no further thread can be had, the others do its share.
            let _ = thread::Builder::new().spawn_scoped(scope, || run(worker, None));
        }
        run(first, Some(stop));
    });
    !stopped.load(Ordering::Relaxed)
}

/// Calls two functions and returns both results. If it `is_worth` a thread, and there is one, the first gets its own.
pub(crate) fn both<A: Send, B>(
    is_worth: bool,
    one: impl FnOnce() -> A + Send,
    other: impl FnOnce() -> B,
) -> (A, B) {
    let (mut one, mut first) = (Some(one), None);
    let second = thread::scope(|scope| {
        if is_worth {
            // If no further thread can be had, both are called one after the other.
            let _ = thread::Builder::new().spawn_scoped(scope, || first = one.take().map(|one| one()));
        }
        other()
    });
    let alone = one.map(|one| one());
    #[allow(clippy::expect_used)]
    // a thread that does not return its result has panicked, which the scope has passed on
    (first.or(alone).expect("called once"), second)
}

/// The number of threads that this much text is worth, at most `allowed`.
pub fn threads_for(bytes: usize, allowed: usize) -> usize {
    allowed.min(bytes / WORTH_A_THREAD).max(1)
}

/// As many workers as this much text is worth, at most `allowed`.
pub fn workers<W>(bytes: usize, allowed: usize, make: impl FnMut() -> W) -> Vec<W> {
    std::iter::repeat_with(make).take(threads_for(bytes, allowed)).collect()
}

/// Cuts `0..lengths.len()` into ranges of about a block of text each.
pub fn blocks(lengths: impl Iterator<Item = usize>) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let (mut start, mut end, mut bytes) = (0, 0, 0);
    for length in lengths {
        end += 1;
        // An empty text costs something too.
        bytes += length + 16;
        if bytes >= BLOCK {
            ranges.push(start..end);
            (start, bytes) = (end, 0);
        }
    }
    if start < end {
        ranges.push(start..end);
    }
    ranges
}

/// Blocks of items, each with its part of `rows`, of which every item has `width`.
pub fn with_rows<T>(
    blocks: Vec<Range<usize>>,
    mut rows: &mut [T],
    width: usize,
) -> impl Iterator<Item = (Range<usize>, &mut [T])> {
    blocks.into_iter().map(move |block| {
        let (here, after) = std::mem::take(&mut rows).split_at_mut(block.len() * width);
        rows = after;
        (block, here)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_block_is_done_once() {
        for threads in 1..5 {
            let mut sums = vec![0u64; threads];
            assert!(share(&mut sums, 0..1000u64, &|| false, |sum, i, _| {
                *sum += i;
                true
            }));
            assert_eq!(sums.iter().sum::<u64>(), 499_500);
        }
    }

    #[test]
    fn both_functions_are_called() {
        for is_worth in [false, true] {
            let (mut ours, theirs) = (vec![1], vec![2]);
            let push = || {
                ours.push(3);
                ours.len()
            };
            assert_eq!(both(is_worth, || theirs.len(), push), (1, 2));
            assert_eq!(ours, [1, 3]);
            let panicked = std::panic::catch_unwind(|| both(is_worth, || assert!(theirs.is_empty()), || ()));
            assert!(panicked.is_err());
        }
    }

    #[test]
    fn stops_soon_when_asked() {
        let begun = Instant::now();
        let ended = share(&mut [(), ()], 0.., &|| true, |(), _, pulse| {
            while pulse.beat() {
                thread::sleep(Duration::from_millis(1));
            }
            false
        });
        assert!(!ended && begun.elapsed() < Duration::from_secs(5));
    }

    #[test]
    fn blocks_cover_everything_in_order() {
        let ranges = blocks([10, 200_000, 0, 40_000, 40_000, 1].into_iter());
        assert_eq!(ranges, [0..2, 2..5, 5..6]);
    }
}
