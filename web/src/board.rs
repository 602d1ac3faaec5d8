//! Boards with any number of rows: winning bites, or the strategy of the second player.

use boards::rectangles::choices;
use boards::strategy::Strategy;
use driver::{Watch, solve_board};
use figures::{BoardPlot, Figure, Poison};
use game::Board;
use serde::Serialize;

use crate::{json, words};

/// The most choices of lower rows in the rectangle around a board: it is solved in seconds.
const CHOICES: u64 = 30_000_000;

/// The answer for a board.
#[derive(Serialize)]
struct Shown<'a> {
    is_p: bool,
    svg: String,
    title: &'a str,
    caption: &'a str,
}

/// Solves a board, given as text.
pub fn answer(text: &str, watch: &dyn Watch) -> Result<String, String> {
    let board: Board = text.trim().parse().map_err(words)?;
    let (rows, columns) = (board.height(), board.width());
    if choices(rows, columns).map_err(words)? > CHOICES {
        return Err(format!(
            "{rows} × {columns} squares take too long here; the program chomp solves larger boards"
        ));
    }
    let solution = solve_board(rows, columns, None, watch).map_err(words)?;
    let plot = BoardPlot::new(&board, Poison::Top).map_err(words)?;
    let bites = solution.winning_bites(&board).ok_or("the board does not fit its rectangle")?;
    let figure = match Strategy::of(&solution, &board) {
        Some(strategy) => plot.strategy(&strategy),
        None => plot.winning_bites(&bites),
    };
    Ok(shown(&figure, bites.is_empty()))
}

fn shown(figure: &Figure, is_p: bool) -> String {
    let (title, caption) = (figure.title(), figure.caption());
    json(&Shown { is_p, svg: figure.svg(), title, caption })
}
