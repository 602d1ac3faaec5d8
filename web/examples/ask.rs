//! Asks the page, without a browser: reads one question as JSON from standard input, and prints the
//! answer. A test of the Python package compares the answers with those of the other interfaces.

use std::error::Error;
use std::io;

use page::Session;

#[expect(clippy::disallowed_methods, reason = "it writes no file")]
fn main() -> Result<(), Box<dyn Error>> {
    let question = io::read_to_string(io::stdin())?;
    println!("{}", Session::default().answer(&question, &()));
    Ok(())
}
