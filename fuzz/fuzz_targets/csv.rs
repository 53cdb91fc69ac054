#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| likely_fuzz::csv(data));
