//! The work of scoring one text does not grow with the vocabulary. Work is counted in allocated bytes, not in seconds.
#![allow(unsafe_code, clippy::expect_used)]

use likely_core::analyze::analyzer::Analyzer;
use likely_core::analyze::settings::Unit;
use likely_core::count::counting::{Counting, Document};
use likely_core::count::counts::Counts;
use likely_core::count::fixed_point::Amount;
use likely_core::count::term_value::Value;
use likely_core::score::session::Session;
use likely_core::score::weights::Weights;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The allocator of this program, which adds up what it is asked for.
struct Meter;

static ALLOCATED: AtomicUsize = AtomicUsize::new(0);

// SAFETY: everything is left to the allocator of the system.
unsafe impl GlobalAlloc for Meter {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATED.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps the promises of this function.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the promises of this function.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static METER: Meter = Meter;

/// Counts of a vocabulary with about this number of pairs of words.
fn counts(analyzer: &Analyzer, words: usize) -> Counts {
    let text: Vec<String> = (0..words).map(|word| format!("w{word}")).collect();
    let (text, same) = (text.join(" "), "so good so bad");
    let documents = [(text.as_str(), 0), (same, 0), (same, 1)].map(|(text, class)| Document {
        text: text.as_bytes(),
        class,
        weight: Amount::ONE,
    });
    let mut counting = Counting::new(analyzer, 1);
    counting.add(&documents, &|| false).expect("nothing stops it");
    counting.finish(&|| false).expect("small")
}

/// The bytes that are allocated to score one text.
fn work(words: usize, value: Value, normalized: bool) -> usize {
    let analyzer = Analyzer::plain(Unit::Word, 1, 2, true);
    let counts = counts(&analyzer, words);
    let mut weights = Weights::new(value, normalized, 0.0, 2, counts.terms());
    let ids: Vec<u32> = counts.ids().collect();
    let deltas: Vec<f64> = counts.rows(&ids).map(|cell| cell.count.to_f64()).collect();
    weights.set_rows(&counts, &ids, &[], &[], &deltas);
    let weights = Arc::new(weights);
    let last = format!("so good w{0} w{1} so bad unknown", words - 2, words - 1);
    let mut scores = [0.0f64; 2];
    let before = ALLOCATED.load(Ordering::Relaxed);
    let mut session = Session::new(weights, 16 << 20);
    session.score(&analyzer, &counts, &[0, 1], &[last.as_bytes()], &mut scores, 1, &|| false).expect("scored");
    let after = ALLOCATED.load(Ordering::Relaxed);
    assert!(scores.iter().all(|score| score.is_finite()));
    after - before
}

#[test]
fn one_text_costs_the_same_whatever_the_vocabulary() {
    for value in [Value::Count, Value::Presence, Value::Damped] {
        for normalized in [false, true] {
            let (small, large) = (work(100, value, normalized), work(100_000, value, normalized));
            // The names of the words are some bytes longer.
            assert!(large <= small + 64, "{value:?} {normalized}: {small} bytes, {large} bytes");
            assert!(large < 64 << 10, "{value:?} {normalized}: {large} bytes");
        }
    }
}
