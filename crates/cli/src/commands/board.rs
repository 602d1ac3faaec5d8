//! `chomp board`.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

mod answer;
mod book;
mod openings;

use ask::{BoardAnswer, rectangle_object};
use boards::Solved;
use clap::{ArgGroup, Args};
use driver::{Error, Position};
use game::Board;
use record::joined;
use serde_json::json;
use terminal::Watcher;

use self::answer::{figure, plot, words};
use self::openings::Table;
use crate::commands::product;
use crate::failure;
use crate::options::{Keep, Threads, within};
use crate::output::Output;
use ask::json;
use ask::notation;

/// Solve a board with any number of rows: winning bites, a strategy, all P-positions.
///
/// The board is a rectangle, such as 8x10 (8 rows, 10 columns), or row lengths in either direction:
/// 7,5,5,4, or `[4557]` as in Cho's paper. Squares are named by row and column, both counted from 1
/// at the poison; row 1 is the longest. For an N-position, lists all bites that leave a P-position.
/// For a P-position, draws a strategy: squares with the same label answer each other. The poison is
/// at the top left; in the SVG of a board in Cho's notation it is at the bottom left, as in his
/// figures. A product of chains with ω among them, such as ωxω or 2x2xω, is decided where a
/// strategy is known; 3x4x5 is the poset `chains 3 4 5` of `chomp poset`.
///
/// All positions of the rectangle around the board are solved. If that takes more than ten seconds
/// or 1 GB, a theorem answers where one does, as for every rectangle: then not all bites that win
/// are known (fact 14 of the proofs), and --all solves the rectangle. A run that needs much memory
/// says so; one that needs more than is free is refused. The openings of all rectangles to 20x20
/// take four minutes of processor time and 1 GB of memory. With --keep each part of them is kept as
/// soon as it is found; the folder holds two bytes for each P-position, and stays.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option")]
#[command(after_help = "Examples:\n  chomp board 8x10\n  \
    chomp board '[4557]' --svg 4557.svg\n  chomp board 4x7 --book > 4x7.md")]
#[command(group = ArgGroup::new("kept").arg("folder").requires("openings").conflicts_with("written"))]
#[command(group = ArgGroup::new("asked").required(true).multiple(false).args(["written", "openings"]))]
pub struct Arguments {
    /// The board.
    #[arg(value_name = "BOARD", num_args = 1.., allow_negative_numbers = true)]
    written: Vec<String>,
    /// List all P-positions of the rectangle, by number of squares.
    #[arg(long, requires = "written", conflicts_with_all = ["svg", "openings"])]
    list: bool,
    /// Print a document with a strategy for each P-position of the rectangle, as in the figures of
    /// Cho's paper, by number of squares.
    #[arg(long, requires = "written", conflicts_with_all = ["svg", "openings", "list", "json"])]
    book: bool,
    /// Print the winning openings of all a x b with a, b <= N: tab-separated, with a header line.
    #[arg(
        long, value_name = "N", value_parser = within::<u16>(1..=u16::MAX.into()),
        conflicts_with = "svg"
    )]
    openings: Option<u16>,
    #[command(flatten)]
    keep: Keep,
    /// Test the outcomes that the openings come from by the rules: play this number of games from
    /// random positions of N x N to the end, where every N-position must have a bite to a
    /// P-position, and no P-position one.
    #[arg(long, value_name = "GAMES", requires = "openings", conflicts_with = "written")]
    verify: Option<u64>,
    /// Draw the winning bites or the strategy to this file, as SVG. Boards to 40 rows and columns.
    /// It implies --all.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Find all bites that win, whatever it costs.
    #[arg(long, requires = "written", conflicts_with_all = ["list", "book", "openings"])]
    all: bool,
    /// Print JSON: `chomp help json`.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    threads: Threads,
}

/// Answers a question about a board, or about all small rectangles.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    if let Some(side) = arguments.openings {
        return openings(side, arguments);
    }
    let text = arguments.written.join(" ");
    if let Ok(product) = text.parse() {
        refuse_product(arguments)?;
        return product::print(&product, arguments.all, arguments.json);
    }
    let written = notation::board(&text)?;
    if arguments.list || arguments.book {
        return of_rectangle(&written.board, arguments);
    }
    let svg = arguments.svg.as_deref().map(Output::open).transpose()?;
    if svg.is_some() {
        plot(&written)?;
    }
    let (watcher, began, all) = (Watcher::new()?, Instant::now(), arguments.all || svg.is_some());
    let answer = BoardAnswer::of(written.board.clone(), arguments.threads.threads, all, &watcher)?;
    if let Some(solution) = answer.solution() {
        tell_time(solution, began);
    }
    if let Some(output) = svg {
        let figure = figure(&written, &answer)?;
        output.write(|out| Ok(out.write_all(figure.svg().as_bytes())?))?;
    }
    failure::print_or(arguments.json, || json::value(&answer), || words(&answer))
}

/// Refuses the options that list positions, or draw.
fn refuse_product(arguments: &Arguments) -> Result<(), Error> {
    if arguments.list || arguments.book || arguments.svg.is_some() {
        let words = "such a board is only decided; leave out --list, --book and --svg";
        return Err(Error::usage(words));
    }
    Ok(())
}

fn tell_time(solution: &dyn Solved, began: Instant) {
    let (rows, columns, positions) = (solution.rows(), solution.columns(), solution.positions());
    let milliseconds = began.elapsed().as_millis();
    tracing::info!("{positions} positions of {rows}x{columns} solved in {milliseconds} ms");
}

/// Solves a rectangle; the time goes to stderr.
fn solve(rows: u16, columns: u16, arguments: &Arguments) -> Result<Box<dyn Solved>, Error> {
    let (watcher, began) = (Watcher::new()?, Instant::now());
    let solution = driver::solve_board(rows, columns, arguments.threads.threads, &watcher)?;
    tell_time(&*solution, began);
    Ok(solution)
}

/// `--list` and `--book`.
fn of_rectangle(board: &Board, arguments: &Arguments) -> Result<(), Error> {
    if !board.is_rectangle() {
        let option = if arguments.book { "--book" } else { "--list" };
        let words = format!("{option} takes a rectangle, such as 4x7, and {board} is none");
        return Err(Error::usage(words));
    }
    let solution = solve(board.height(), board.width(), arguments)?;
    let (watcher, mut by_area) = (Watcher::new()?, BTreeMap::<_, Vec<Board>>::new());
    for (number, found) in solution.p_positions().enumerate() {
        if number.is_multiple_of(1024) {
            Error::if_interrupted(&watcher)?;
        }
        by_area.entry(found.area()).or_default().push(found);
    }
    let mut found = Vec::new();
    for mut of_area in by_area.into_values() {
        Error::if_interrupted(&watcher)?;
        of_area.sort_unstable();
        found.append(&mut of_area);
    }
    if arguments.book {
        return failure::print(book::document(&*solution, &found, &watcher)?.as_bytes());
    }
    let object = || {
        let found: Vec<Position> = found.iter().map(Position::from).collect();
        json::value(json!({"rectangle": rectangle_object(&*solution), "p_positions": found}))
    };
    failure::print_or(arguments.json, object, || joined(&found, "\n") + "\n")
}

/// `--openings`.
fn openings(side: u16, arguments: &Arguments) -> Result<(), Error> {
    let Arguments { threads: Threads { threads }, verify, .. } = *arguments;
    let folder = arguments.keep.folder.as_deref();
    let table = Table::of(side, threads, folder, verify.unwrap_or(0))?;
    failure::print(if arguments.json { table.json() } else { table.lines() }.as_bytes())
}
