#![no_main]

#[path = "../targets.rs"]
#[allow(dead_code, reason = "one target of several")]
mod targets;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    targets::moves(input);
});
