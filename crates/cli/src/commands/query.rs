//! `chomp query`: everything about a position.

pub mod board;
pub mod openings;
mod words;

use std::io;
use std::path::PathBuf;

use ask::input::{self, RowsFrom};
use ask::{Grundy, Moves, Question, SourceObject, Sourced, Values, json};
use clap::{ArgGroup, Args};
use driver::{Error, Position, Reach, Way, with_length};
use terminal::Watcher;

use super::poset;
use crate::options::Keep;
use crate::{none, output, tell};

/// Say whether a position is P or N, and which bites leave a P-position.
///
/// The position is P Q R or '(P,Q,R)', the row lengths from the top down. In square brackets it is
/// `[C,A,B]` as in Zeilberger's paper: C columns of three squares, A of two, B of one. A position
/// may have more rows than three, or fewer; `chomp help notation` has all ways to type it. The
/// lengths of the two longest rows may have any number of digits, even millions of them if they
/// come from a file (--from). R is a row that can be computed, or that the data set has. Rows of ω
/// squares, one for each natural number, are written `ω`, `omega` or `inf`: the board 2×ω is
/// `ω ω 0`. A product of chains such as ωxω or 2x2xω is answered by a strategy, or is not decided;
/// 3x4x5 is the poset `chains 3 4 5` of `chomp poset`.
///
/// A board of at most 24 rows and 24 columns is drawn, with the bites that win. If it takes a
/// hundredth of a second, or with --all ten seconds, the answer says how many turns the game takes
/// if the player who wins hurries, and the other one delays. Rows 0 to R are
/// computed, or read with --data. If that takes longer than a second, the rows of the transposed
/// position or all positions of the rectangle decide it, whichever takes the least time. Records
/// with fingerprints are enough if Q lies beyond the starts and ends of all these rows, and P
/// beyond them by more than R, and for 3xN; otherwise the rows are computed in spite of --data.
///
/// Theorems decide some positions without a computation (fact 14 of the proofs): two rows or two
/// columns, a row and a column, every rectangle, and positions from which one bite leaves such a
/// P-position, as the bite in row 2 and column 2 of a square does. If all bites that win would take
/// more than ten seconds or 1 GB, the answer by a theorem says that they were not computed; --all
/// computes them.
///
/// --grundy prints the Grundy value instead, and --moves every bite with the value that it leaves;
/// a bite that leaves the value 0 wins. Where a table takes seconds, values come from one: of all
/// boards within the position, or of all positions of three rows. Otherwise, levels are computed
/// until one contains the position; then its two longest rows may have any length. If there are too
/// many rows, the table is computed after all. A position with more rows than columns is
/// transposed.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option")]
#[command(group = ArgGroup::new("valued").args(["grundy", "moves"]).conflicts_with("all"))]
#[command(group = ArgGroup::new("how").multiple(true).args(["level", "by"]).requires("valued")
    .conflicts_with_all(["all", "answered", "on_board"]))]
#[command(group = ArgGroup::new("answered").multiple(true).args(["from", "data", "proof"])
    .conflicts_with_all(["valued", "on_board"]))]
#[command(group = ArgGroup::new("on_board").multiple(true)
    .args(["board", "svg", "list", "openings"]).conflicts_with("valued"))]
#[command(group = ArgGroup::new("of_openings").multiple(true).args(["folder", "verify"])
    .requires("openings").conflicts_with_all(["position", "svg", "list", "all", "valued", "answered"]))]
#[command(
    alias = "solve",
    after_help = "Examples:\n  chomp query 1000 900 120\n  \
    chomp query '[120,780,100]'\n  chomp query 7,5,5,4\n  chomp query ω 5 3\n  \
    chomp query --grundy 8x8\n  chomp query --moves 7 5 3\n  chomp query --board 8x10\n  \
    chomp query '[4557]' --svg 4557.svg\n\nExit codes: 0 \
    for P and for N, 2 if this is no position or the data set cannot tell, 4 for an infinite \
    board that is not decided, or a Grundy value above the levels that were computed."
)]
pub struct Arguments {
    /// The position.
    #[arg(
        value_name = "P Q R ...", required_unless_present_any = ["from", "openings"], num_args = 1..,
        allow_negative_numbers = true
    )]
    position: Vec<String>,
    /// Read the position from this file, or from standard input if FILE is -. This is for numbers
    /// that are too long for a command line. At most 10 000 000 characters.
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    from: Option<PathBuf>,
    #[command(flatten)]
    rows: RowsFrom,
    /// Print the records that the answer rests on. It is found by rows, even where a rectangle
    /// takes less time.
    #[arg(long, conflicts_with = "json")]
    proof: bool,
    /// Find all bites that win, whatever it costs.
    #[arg(long)]
    all: bool,
    /// Print the answer as JSON: `chomp help json`.
    #[arg(long)]
    json: bool,
    /// Print the Grundy value.
    #[arg(long, help_heading = "Grundy values")]
    grundy: bool,
    /// List every bite with the Grundy value that it leaves.
    #[arg(long, help_heading = "Grundy values")]
    moves: bool,
    #[command(flatten, next_help_heading = "Grundy values")]
    values: Values,
    /// Solve all positions of the rectangle around the board. For an N-position, draw the bites
    /// that win; for a P-position, a strategy: squares with the same label answer each other. If
    /// that takes more than ten seconds or 1 GB, a theorem answers where one does, unless --all is
    /// given. Row lengths may be given in either direction: 7,5,5,4, or `[4557]` as in Cho's paper.
    #[arg(long, help_heading = "Boards")]
    board: bool,
    /// Draw the bites that win or the strategy to this file, as SVG, and print them as with
    /// --board. Boards to 40 rows and columns. It implies --all. The poison is at the top left; of
    /// a board in Cho's notation at the bottom left, as in his figures.
    #[arg(long, help_heading = "Boards", value_name = "FILE")]
    svg: Option<PathBuf>,
    /// List all P-positions of the rectangle, by number of squares.
    #[arg(long, help_heading = "Boards", conflicts_with_all = ["svg", "openings", "all"])]
    list: bool,
    /// Print the winning openings of all a x b with a, b <= N; or, for 4x90, those of 4x4, 4x5, and
    /// so on to 4x90: tab-separated, with a header line. All rectangles to 20x20 take four minutes
    /// of processor time and 1 GB of memory.
    #[arg(long, help_heading = "Boards", value_name = "N|AxB", value_parser = board::of_openings,
        conflicts_with_all = ["position", "svg", "all"])]
    openings: Option<board::Rectangles>,
    #[command(flatten, next_help_heading = "Boards")]
    keep: Keep,
    /// Test the outcomes that the openings come from by the rules: play this number of games from
    /// random positions of the largest to the end, where every N-position must have a bite to a
    /// P-position, and no P-position one.
    #[arg(long, help_heading = "Boards", value_name = "GAMES")]
    verify: Option<u64>,
}

/// Answers a question about a position, a board, or all small rectangles.
pub fn run(arguments: &Arguments) -> Result<(), Error> {
    let &Arguments { all, json, grundy, moves, list, values, .. } = arguments;
    let (threads, text) = (arguments.rows.threads, arguments.position.join(" "));
    if grundy || moves {
        let asked = Grundy { position: text, values, threads };
        let question = if moves { Question::Moves(Moves(asked)) } else { Question::Grundy(asked) };
        return tell(&question, json);
    }
    if let Some(of) = arguments.openings {
        let (folder, games) = (arguments.keep.folder.as_deref(), arguments.verify.unwrap_or(0));
        return board::openings(of, folder, games, json, threads.threads);
    }
    let svg = arguments.svg.as_deref();
    let needs_board = svg.is_some().then_some("--svg").or(list.then_some("--list"));
    let is_of_board = arguments.board || needs_board.is_some();
    let position = (!is_of_board).then(|| position(arguments, &text));
    if !matches!(position, Some(Ok(_)))
        && let Ok(product) = text.parse()
    {
        let rows = &arguments.rows;
        let useless = needs_board
            .or(arguments.proof.then_some("--proof"))
            .or(rows.data.is_some().then_some("--data"))
            .or(rows.threads.given().is_some().then_some("--threads"));
        let advice = useless.map_or(String::new(), |option| format!("; leave out {option}"));
        none(useless, &format!("a product of chains is only decided{advice}"))?;
        return poset::product(&product, all, json);
    }
    let Some(position) = position.transpose()? else {
        let threads = threads.threads;
        return if list {
            board::list(&text, json, threads)
        } else {
            board::answer(&text, svg, all, json, threads)
        };
    };
    let (source, watcher) = (arguments.rows.open()?, Watcher::new()?);
    let engine = threads.engine();
    let answer = if arguments.proof && arguments.rows.data.is_none() {
        engine.answer_by(Way::Rows, &position, &watcher)?
    } else if all {
        source.answer_with_all_bites(&position, &watcher)?
    } else {
        source.answer(&position, &watcher)?
    };
    let answer = with_length(answer, all, &watcher)?;
    let data = source.folder_of(&answer);
    let words = || {
        let cost = || Some(Way::of_all_bites(&position, engine, &Reach::ALL)?.1);
        let computed = || "computed here".to_owned();
        let source = data.map_or_else(computed, |at| format!("read from {}", output::shown(at)));
        words::of_position(&answer, &source, arguments.proof, cost)
    };
    let object = || json::value(Sourced { result: &answer, source: SourceObject::of(data) });
    output::print_or(json, object, words)
}

/// The longest text of a position, in bytes: such numbers take some twenty seconds.
const LONGEST_POSITION: u64 = 10_000_000;

fn position(arguments: &Arguments, typed: &str) -> Result<Position, Error> {
    let Some(path) = &arguments.from else { return input::position(typed.trim()) };
    let is_standard = output::is_standard(path);
    let file = path.display().to_string();
    let name = if is_standard { "standard input" } else { &file };
    let text =
        files::text_or_stdin(path, LONGEST_POSITION).map_err(|error| match error.kind() {
            io::ErrorKind::FileTooLarge => Error::usage(format!(
                "the position in {name} is longer than {LONGEST_POSITION} characters"
            )),
            _ if is_standard => Error::file(format!("cannot read {name}: {error}")),
            _ => Error::file(format!("cannot read {name}: {error}; --from - reads standard input")),
        })?;
    input::position(text.trim())
}
