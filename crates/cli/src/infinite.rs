//! Products of chains with ω among them, on the command line.

use driver::InfiniteBoard;
use record::joined;

use crate::failure::{self, Failure};

/// The infinite board that a text names.
pub fn board(text: &str) -> Option<InfiniteBoard> {
    text.trim().parse().ok()
}

/// Says who wins it, and by which bite, or why this is not decided.
pub fn print(board: &InfiniteBoard, as_json: bool) -> Result<(), Failure> {
    if as_json {
        let words = format!("there is no JSON of {board}; leave out --json");
        return Err(Failure::Usage(words));
    }
    let decided = board.decide().map_err(|error| Failure::Incomplete(error.to_string()))?;
    let why = decided.why;
    let text = match decided.bite {
        None => format!("{board} is a P-position.\n{why}\n"),
        Some((square, leaves)) => {
            let square = joined(&square, ",");
            format!(
                "{board} is an N-position.\nA bite at ({square}) wins; it leaves {leaves}.\n{why}\n"
            )
        }
    };
    failure::print(text.as_bytes())
}
