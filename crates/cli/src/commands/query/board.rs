//! Boards: all positions of the rectangle around one, strategies, lists and figures.

use std::path::{Path, PathBuf};
use std::time::Instant;

use ask::{BoardAnswer, RectangleObject, json, notation, rectangle_object};
use boards::Solved;
use clap::Args;
use driver::{Error, Position};
use figures::{BoardPlot, Poison};
use game::Board;
use record::joined;
use serde::Serialize;
use terminal::Watcher;

use super::openings::Table;
use super::words;
use crate::none;
use crate::options::{Keep, Threads, within};
use crate::output::{self, Output};

// What is asked of boards. No comment for clap, which would be the help of the command.
#[derive(Debug, Args)]
#[command(next_help_heading = "Boards")]
pub struct OfBoards {
    /// Solve all positions of the rectangle around the board. For an N-position, draw the bites
    /// that win; for a P-position, a strategy: squares with the same label answer each other. If
    /// that takes more than ten seconds or 1 GB, a theorem answers where one does, unless --all is
    /// given. Row lengths may be given in either direction: 7,5,5,4, or `[4557]` as in Cho's paper.
    #[arg(long)]
    board: bool,
    /// Draw the bites that win or the strategy to this file, as SVG, and print them as with
    /// --board. Boards to 40 rows and columns. It implies --all. The poison is at the top left; of
    /// a board in Cho's notation at the bottom left, as in his figures.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// List all P-positions of the rectangle, by number of squares.
    #[arg(long, conflicts_with_all = ["svg", "openings", "all"])]
    list: bool,
    /// Print the winning openings of all a x b with a, b <= N; or, for 4x90, those of 4x4, 4x5, and
    /// so on to 4x90: tab-separated, with a header line. All rectangles to 20x20 take four minutes
    /// of processor time and 1 GB of memory.
    #[arg(long, value_name = "N|AxB", value_parser = of_openings,
        conflicts_with_all = ["position", "svg", "all"])]
    pub openings: Option<Rectangles>,
    #[command(flatten)]
    keep: Keep,
    /// Test the outcomes that the openings come from by the rules: play this number of games from
    /// random positions of the largest to the end, where every N-position must have a bite to a
    /// P-position, and no P-position one.
    #[arg(long, value_name = "GAMES")]
    verify: Option<u64>,
}

impl OfBoards {
    /// Whether the rectangle around a position is asked about.
    pub fn is_asked(&self) -> bool {
        self.board || self.needs_board().is_some()
    }

    /// The option that lists or draws positions of a rectangle.
    pub fn needs_board(&self) -> Option<&'static str> {
        self.svg.is_some().then_some("--svg").or(self.list.then_some("--list"))
    }

    /// Answers about a board.
    pub fn answer(&self, text: &str, all: bool, json: bool, threads: Threads) -> Result<(), Error> {
        let written = notation::board(text)?;
        if self.list {
            return list(&written.board, json, threads);
        }
        let plot = |file: &Path| {
            let poison = if written.poison_last { Poison::Bottom } else { Poison::Top };
            let plot = BoardPlot::new(&written.board, poison).map_err(Error::usage);
            Ok::<_, Error>((Output::open(file)?, plot?))
        };
        let svg = self.svg.as_deref().map(plot).transpose()?;
        let (watcher, began, all) = (Watcher::new()?, Instant::now(), all || svg.is_some());
        let answer = BoardAnswer::of(written.board.clone(), threads.threads, all, &watcher)?;
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

    /// `--openings`.
    pub fn openings(&self, of: Rectangles, json: bool, threads: Threads) -> Result<(), Error> {
        let (folder, games) = (self.keep.folder.as_deref(), self.verify.unwrap_or(0));
        let table = match of {
            Rectangles::To(side) => Table::of(side, threads.threads, folder, games)?,
            Rectangles::Along { rows, columns } => {
                let kept = folder.map(|_| "--keep");
                none(kept, "it keeps parts of N x N, and an AxB has none")?;
                Table::along(rows, columns, threads.threads, games)?
            }
        };
        output::print(if json { table.json() } else { table.lines() }.as_bytes())
    }
}

/// `--list`.
fn list(board: &Board, json: bool, threads: Threads) -> Result<(), Error> {
    if !board.is_rectangle() {
        let words = format!("--list takes a rectangle, such as 4x7, and {board} is none");
        return Err(Error::usage(words));
    }
    let (watcher, began) = (Watcher::new()?, Instant::now());
    let (height, width) = (board.height(), board.width());
    let solution = driver::solve_board(height, width, threads.threads, &watcher)?;
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

fn of_openings(text: &str) -> Result<Rectangles, String> {
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
