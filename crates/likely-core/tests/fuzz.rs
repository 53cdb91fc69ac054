//! The short form of `make fuzz`: what its targets check of any bytes, for some thousand seeded inputs.
#![allow(clippy::expect_used)]

#[path = "../../../fuzz/src/lib.rs"]
#[allow(unreachable_pub)]
mod targets;

use std::panic::{catch_unwind, set_hook, take_hook};
use std::sync::Mutex;

/// All panics of this program, also those that were caught.
static PANICS: Mutex<Vec<String>> = Mutex::new(Vec::new());

fn run(name: &str, target: fn(&[u8]), cases: u64) {
    let before = take_hook();
    set_hook(Box::new(|panic| PANICS.lock().expect("no panic here").push(panic.to_string())));
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    let found = (0..cases).find_map(|case| {
        // Mostly a few edits, so that much is still sound.
        let size = next() >> 2 >> (next() % 4);
        let data: Vec<u8> = (0..size).map(|_| next()).collect();
        let _ = catch_unwind(|| target(&data));
        let panics = std::mem::take(&mut *PANICS.lock().expect("no panic here"));
        (!panics.is_empty()).then_some((case, data, panics))
    });
    set_hook(before);
    assert!(found.is_none(), "{name}: {found:?}");
}

/// One test, because a panic cannot be told from that of another thread.
#[test]
fn any_bytes_keep_the_laws() {
    run("models", targets::models, 4_000);
    run("json", targets::json, 6_000);
    run("csv", targets::csv, 6_000);
    run("tokens", targets::tokens, 4_000);
}
