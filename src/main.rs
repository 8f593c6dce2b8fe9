//! The `millbase` program: reads its arguments and hands them to the library.

mod commands;

use std::process::ExitCode;

fn main() -> ExitCode {
    commands::main()
}
