//! Boards: all positions of the rectangle around one, strategies, lists and figures.

use std::num::NonZero;
use std::path::Path;
use std::time::Instant;

use ask::{BoardAnswer, RectangleObject, input, json, rectangle_object};
use boards::Solved;
use driver::{Error, Position};
use figures::{BoardPlot, Poison};
use game::Board;
use record::joined;
use serde::Serialize;
use terminal::Watcher;

use super::openings::Table;
use super::words;
use crate::none;
use crate::options::within;
use crate::output::{self, Output};

/// Answers about a board, and draws it to this file.
pub fn answer(
    text: &str,
    svg: Option<&Path>,
    all: bool,
    json: bool,
    threads: Option<NonZero<usize>>,
) -> Result<(), Error> {
    let written = input::board(text)?;
    let plot = |file: &Path| {
        let poison = if written.poison_last { Poison::Bottom } else { Poison::Top };
        let plot = BoardPlot::new(&written.board, poison).map_err(Error::usage);
        Ok::<_, Error>((Output::open(file)?, plot?))
    };
    let svg = svg.map(plot).transpose()?;
    let (watcher, began, all) = (Watcher::new()?, Instant::now(), all || svg.is_some());
    let answer = BoardAnswer::of(written.board.clone(), threads, all, &watcher)?;
    if let Some(solution) = answer.solution() {
        tell_time(solution, began);
    }
    if let Some((output, plot)) = svg {
        let figure = match answer.strategy() {
            Some(strategy) => plot.strategy(strategy),
            None => plot.winning_bites(&answer.answer.squares()),
        };
        output.write_all(figure.svg().as_bytes())?;
    }
    output::print_or(json, || json::value(&answer), || words::of_board(&answer))
}

/// `--openings`, with parts in a folder and a test by this number of games.
pub fn openings(
    of: Rectangles,
    folder: Option<&Path>,
    games: u64,
    json: bool,
    threads: Option<NonZero<usize>>,
) -> Result<(), Error> {
    let table = match of {
        Rectangles::To(side) => Table::of(side, threads, folder, games)?,
        Rectangles::Along { rows, columns } => {
            let kept = folder.map(|_| "--keep");
            none(kept, "it keeps parts of N x N, and an AxB has none")?;
            Table::along(rows, columns, threads, games)?
        }
    };
    output::print(if json { table.json() } else { table.lines() }.as_bytes())
}

/// `--list`.
pub fn list(text: &str, json: bool, threads: Option<NonZero<usize>>) -> Result<(), Error> {
    let board = input::board(text)?.board;
    if !board.is_rectangle() {
        let words = format!("--list takes a rectangle, such as 4x7, and {board} is none");
        return Err(Error::usage(words));
    }
    let (watcher, began) = (Watcher::new()?, Instant::now());
    let (height, width) = (board.height(), board.width());
    let solution = driver::solve_board(height, width, threads, &watcher)?;
    tell_time(&*solution, began);
    let (watcher, mut found) = (Watcher::new()?, Vec::new());
    for (number, position) in solution.p_positions().enumerate() {
        if number.is_multiple_of(1024) {
            Error::if_interrupted(&watcher)?;
        }
        found.push(position);
    }
    found.sort_unstable_by(|one, other| (one.area(), one).cmp(&(other.area(), other)));
    let object = || {
        let p_positions = found.iter().map(Position::from).collect();
        PPositions { p_positions, rectangle: rectangle_object(&*solution) }
    };
    output::print_or(json, object, || joined(&found, "\n") + "\n")
}

/// The rectangles whose openings are asked for.
#[derive(Clone, Copy, Debug)]
pub enum Rectangles {
    /// All with sides to this length.
    To(u16),
    /// Those with this number of rows and no fewer columns, up to this number.
    Along { rows: u16, columns: u16 },
}

/// Reads `N` or `AxB`.
pub fn of_openings(text: &str) -> Result<Rectangles, String> {
    if !text.contains(['x', '×']) {
        return within(1..=u16::MAX.into())(text).map(Rectangles::To);
    }
    let board = text.parse::<Board>().map_err(|error| error.to_string())?;
    let (rows, columns) = (board.height(), board.width());
    if !board.is_rectangle() || rows > columns {
        return Err("it is no rectangle AxB with A <= B".to_owned());
    }
    Ok(Rectangles::Along { rows, columns })
}

fn tell_time(solution: &dyn Solved, began: Instant) {
    let (rows, columns, positions) = (solution.rows(), solution.columns(), solution.positions());
    let milliseconds = began.elapsed().as_millis();
    tracing::info!("{positions} positions of {rows}x{columns} solved in {milliseconds} ms");
}

/// The P-positions of a rectangle, by number of squares.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PPositions {
    p_positions: Vec<Position>,
    rectangle: RectangleObject,
}
