//! `chomp board`.

use std::num::NonZero;
use std::path::PathBuf;
use std::time::Instant;

mod book;
pub mod openings;

use boards::rectangles::Solution;
use boards::strategy::{Labelled, Rule, Strategy};
use clap::{ArgGroup, Args};
use figures::{BoardPlot, Figure, Poison};
use game::{Board, Outcome, Square};
use record::joined;
use serde_json::{Value, json};
use terminal::Watcher;

use self::openings::Table;
use crate::drawing;
use crate::failure::{self, Failure};
use crate::json;
use crate::notation::{self, TypedBoard};
use crate::options::threads;
use crate::output::Output;

/// Solve a board with any number of rows: winning bites, a strategy, all P-positions.
///
/// The board is a rectangle, such as 8x10 (8 rows, 10 columns), or row lengths in either direction:
/// 7,5,5,4, or `[4557]` as in Cho's paper. Squares are named by row and column, both counted from 1
/// at the poison; row 1 is the longest. For an N-position, lists all bites that leave a P-position.
/// For a P-position, draws a strategy: squares with the same label answer each other.
///
/// All positions of the rectangle around the board are solved. A run that needs much memory says
/// so; one that needs more than is free is refused. The openings of all rectangles to 20x20 take
/// four minutes of processor time and 1 GB of memory.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option")]
#[command(after_help = "Examples: chomp board 8x10, or chomp board '[4557]' --svg 4557.svg, or \
    chomp board 4x7 --book > 4x7.md")]
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
        long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..),
        conflicts_with = "svg"
    )]
    openings: Option<u16>,
    /// Print the openings as a document, outputs/OPENINGS.md, with the smallest boards that have
    /// several.
    #[arg(long, requires = "openings", conflicts_with_all = ["json", "written"])]
    markdown: bool,
    /// Keep each part of the openings in this folder as soon as it is found, and take parts from it
    /// that an earlier run kept: the same command resumes a run that was interrupted or killed. The
    /// folder is made if it is not there; it holds two bytes for each P-position.
    #[arg(long, value_name = "DIR", requires = "openings", conflicts_with = "written")]
    resume: Option<PathBuf>,
    /// Test the outcomes that the openings come from by the rules: play this number of games from
    /// random positions of N x N to the end, where every N-position must have a bite to a
    /// P-position, and no P-position one.
    #[arg(long, value_name = "GAMES", requires = "openings", conflicts_with = "written")]
    verify: Option<u64>,
    /// Draw the winning bites or the strategy to this file, as SVG. Boards to 40 rows and columns.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print JSON: docs/JSON.md.
    #[arg(long)]
    json: bool,
    /// Threads; by default as many as there are processors, and one for a small board.
    #[arg(long, value_name = "N", value_parser = threads, allow_hyphen_values = true)]
    threads: Option<NonZero<usize>>,
}

/// Answers a question about a board, or about all small rectangles.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    if let Some(side) = arguments.openings {
        return openings(side, arguments);
    }
    let written = notation::board(&arguments.written.join(" "))?;
    if arguments.list || arguments.book {
        return of_rectangle(&written.board, arguments);
    }
    let svg = arguments.svg.as_deref().map(Output::open).transpose()?;
    if svg.is_some() {
        plot(&written)?;
    }
    let solution = solve(written.board.height(), written.board.width(), arguments)?;
    let answer = Answer::of(&solution, written);
    if let Some(output) = svg {
        let figure = answer.figure()?;
        output.write(|out| Ok(out.write_all(figure.svg().as_bytes())?))?;
    }
    json::print_or(arguments.json, || answer.object(), || answer.words())
}

/// Solves a rectangle; the time goes to stderr.
fn solve(rows: u16, columns: u16, arguments: &Arguments) -> Result<Solution, Failure> {
    let (watcher, began) = (Watcher::new()?, Instant::now());
    let solution = driver::solve_board(rows, columns, arguments.threads, &watcher)?;
    let milliseconds = began.elapsed().as_millis();
    let positions = solution.positions();
    tracing::info!("{positions} positions of {rows}x{columns} solved in {milliseconds} ms");
    Ok(solution)
}

/// The answer for one board.
struct Answer<'a> {
    solution: &'a Solution,
    written: TypedBoard,
    /// The bites that win; none of a P-position.
    bites: Vec<Square>,
    strategy: Option<Strategy>,
}

impl<'a> Answer<'a> {
    fn of(solution: &'a Solution, written: TypedBoard) -> Self {
        let bites = solution.winning_bites(&written.board).unwrap_or_default();
        let strategy = Strategy::of(solution, &written.board);
        Self { solution, written, bites, strategy }
    }

    fn board(&self) -> &Board {
        &self.written.board
    }

    /// The name in messages: of a rectangle, its sides.
    fn name(&self) -> String {
        let board = self.board();
        if board.is_rectangle() {
            format!("{}x{}", board.height(), board.width())
        } else {
            named(board)
        }
    }

    fn figure(&self) -> Result<Figure, Failure> {
        let plot = plot(&self.written)?;
        Ok(match &self.strategy {
            Some(strategy) => plot.strategy(strategy),
            None => plot.winning_bites(&self.bites),
        })
    }

    fn words(&self) -> String {
        let mut lines = match &self.strategy {
            Some(strategy) => self.of_p_position(strategy),
            None => self.of_n_position(),
        };
        let (rows, columns) = (self.solution.rows(), self.solution.columns());
        let (positions, p) = (self.solution.positions(), self.solution.p_count());
        lines.push(String::new());
        lines.push(format!("Positions of {rows}x{columns}: {positions}, of which P: {p}."));
        lines.join("\n") + "\n"
    }

    fn of_n_position(&self) -> Vec<String> {
        let board = self.board();
        let what = if board.is_rectangle() { "winning opening bites" } else { "winning bites" };
        let mut lines = vec![
            format!("{} is an N-position.", self.name()),
            format!("Number of {what}: {}", self.bites.len()),
        ];
        let leaves =
            |&bite: &Square| Some(format!("  {bite} leaves {}", named(&board.after(bite)?)));
        lines.extend(self.bites.iter().filter_map(leaves));
        lines.push(String::new());
        let bites = &self.bites;
        lines.extend(
            self.drawing(|square| if bites.contains(&square) { "●" } else { "·" }.to_owned()),
        );
        lines
    }

    fn of_p_position(&self, strategy: &Strategy) -> Vec<String> {
        let mut lines = vec![format!("{} is a P-position.", self.name())];
        if strategy.chosen.is_empty() {
            lines.push("No bite is left but the poison.".to_owned());
            return lines;
        }
        lines.push("A bite at a square is answered at the other square with its label.".to_owned());
        lines.push(String::new());
        lines.extend(self.drawing(|square| {
            let labels = strategy.labels(square);
            joined(labels.iter().map(|pair| &pair.label), " ")
        }));
        for same_rule in strategy.chosen.chunk_by(|one, other| one.pair.rule == other.pair.rule) {
            lines.push(String::new());
            lines.push(match same_rule[0].pair.rule {
                None => "What the two leave is a P-position:".to_owned(),
                Some(rule) => format!("By {rule}:"),
            });
            let width = same_rule.iter().map(|pair| pair.label.len()).max().unwrap_or(1);
            lines.extend(same_rule.iter().map(|Labelled { label, pair }| {
                let [one, other] = pair.squares;
                let (pad, leaves) = (" ".repeat(width - label.len()), named(&pair.leaves));
                format!("  {label}{pad}  {one}, and {other}, leave {leaves}")
            }));
        }
        lines
    }

    /// The board with a text in each square but the poison, rows in the order in which they were
    /// written; nothing if it is too large for a terminal.
    fn drawing(&self, text: impl Fn(Square) -> String) -> Vec<String> {
        let board = self.board();
        if board.height().max(board.width()) > BoardPlot::LARGEST {
            return Vec::new();
        }
        let text = |square| if square == Square::POISON { "⊗".to_owned() } else { text(square) };
        let texts: Vec<Vec<String>> = (1..=board.height())
            .map(|row| (1..=board.width()).map(move |column| Square { row, column }))
            .map(|row| row.filter(|&square| board.has(square)).map(text).collect())
            .collect();
        let widest = texts.iter().flatten().map(|text| text.chars().count()).max();
        let mut lines = drawing::grid(&texts, "", widest.unwrap_or(1).max(2) + 2);
        if self.written.poison_last {
            lines.reverse();
        }
        lines
    }

    fn object(&self) -> Value {
        let board = self.board();
        let bite_object = |&bite: &Square| {
            let leaves = board.after(bite).as_ref().map(json::board);
            json!({"row": bite.row, "column": bite.column, "leaves": leaves})
        };
        let outcome = if self.strategy.is_some() { Outcome::P } else { Outcome::N };
        let pairs = |strategy: &Strategy| strategy.chosen.iter().map(pair_object).collect();
        let strategy: Option<Vec<Value>> = self.strategy.as_ref().map(pairs);
        json!({
            "position": json::board(board),
            "outcome": outcome.to_string(),
            "winning_bites": self.bites.iter().map(bite_object).collect::<Vec<Value>>(),
            "strategy": strategy,
            "rectangle": rectangle_object(self.solution),
        })
    }
}

fn pair_object(Labelled { label, pair }: &Labelled) -> Value {
    json!({
        "label": label,
        "squares": pair.squares.map(json::square),
        "leaves": json::board(&pair.leaves),
        "rule": pair.rule.map(rule_name),
    })
}

fn rule_name(rule: Rule) -> &'static str {
    match rule {
        Rule::TwoRows => "two_rows",
        Rule::EqualWings => "equal_wings",
        Rule::TwoTopRow => "two_top_row",
        Rule::ThreeTopRow => "three_top_row",
    }
}

fn rectangle_object(solution: &Solution) -> Value {
    json::value(json!({
        "rows": solution.rows(),
        "columns": solution.columns(),
        "positions": solution.positions(),
        "p_positions": solution.p_count(),
    }))
}

/// Row lengths, and the same in Cho's notation.
fn named(board: &Board) -> String {
    format!("{board} = {}", board.in_notation_of_cho())
}

fn plot(written: &TypedBoard) -> Result<BoardPlot<'_>, Failure> {
    let poison = if written.poison_last { Poison::Bottom } else { Poison::Top };
    BoardPlot::new(&written.board, poison).map_err(Failure::usage)
}

/// `--list` and `--book`.
fn of_rectangle(board: &Board, arguments: &Arguments) -> Result<(), Failure> {
    if !board.is_rectangle() {
        let option = if arguments.book { "--book" } else { "--list" };
        let words = format!("{option} takes a rectangle, such as 4x7, and {board} is none");
        return Err(Failure::Usage(words));
    }
    let solution = solve(board.height(), board.width(), arguments)?;
    let mut found: Vec<Board> = solution.p_positions().collect();
    found.sort_by_cached_key(|board| (board.area(), board.clone()));
    if arguments.book {
        return failure::print(book::document(&solution, &found).as_bytes());
    }
    let object = || {
        let found: Vec<Vec<String>> = found.iter().map(json::board).collect();
        json!({"rectangle": rectangle_object(&solution), "p_positions": found})
    };
    json::print_or(arguments.json, object, || joined(&found, "\n") + "\n")
}

/// `--openings`.
fn openings(side: u16, arguments: &Arguments) -> Result<(), Failure> {
    let Arguments { threads, verify, .. } = *arguments;
    let folder = arguments.resume.as_deref();
    let table = Table::of(side, threads, folder, verify.unwrap_or(0))?;
    let text = if arguments.json {
        table.json()
    } else if arguments.markdown {
        table.document()?
    } else {
        table.lines()
    };
    failure::print(text.as_bytes())
}
