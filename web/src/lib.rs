//! The questions of the page in the browser, and the answers: JSON in, JSON out.
//!
//! All answers come from the crates that `chomp` calls as well: `driver` computes, `cascade`
//! explains, `check` verifies, `figures` draws. Here they are put into the form that the scripts in
//! `page/scripts` show, and nothing is computed. A [`Session`] keeps the last sheet, the last list
//! of rows and the last solved rectangle for the next question.
//!
//! In the browser the module `memory` hands texts in and out. On this machine the tests call
//! [`Session::answer`].

#[cfg(target_family = "wasm")]
mod memory;

mod bytes;
mod position;
mod row;
mod rows;
mod solver;
mod sums;
mod verify;
mod why;

use ask::json::to_json as json;
use ask::{Grade, Strength};
use driver::{Task, Watch};
use figures::Figure;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::bytes::Bytes;
use crate::solver::Solver;

/// A question. In JSON, an object with the name of the question as `ask`, in lower case.
#[derive(Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "lowercase", deny_unknown_fields)]
enum Question {
    /// Whether a position is P or N, and which bites win.
    Position { text: String },
    /// The lengths of a bar, and whether the program can play there; who wins an infinite product.
    Bar { text: String },
    /// A strategy of the second player in a P-position.
    Strategy { text: String },
    /// The move of the program in a position; `chance` is a random number.
    Reply { text: String, strength: Strength, chance: u64 },
    /// The Grundy value of a position and the length of the game. They take longer than who wins.
    Values { text: String },
    /// A position in which few bites win.
    Puzzle { grade: Grade, chance: u64 },
    /// One row in words.
    Row { row: u64 },
    /// One row of a level: all positions with this bottom row and this Grundy value.
    Level { level: u64, row: u64 },
    /// A row in words, from its record.
    Record { line: String },
    /// All offsets of a row, drawn, and as text for other programs.
    Full { row: u64 },
    /// Why a row has its period.
    Why { row: u64 },
    /// Several rows, one over the other.
    Overlay { rows: Vec<u64> },
    /// A part of the sheet of a row; all of it if there is no part.
    Sheet { row: u64, part: Option<[u64; 3]> },
    /// The kind of a position of the last sheet.
    Point { y: u64, z: u64 },
    /// All rows to this one.
    Rows { to: u64 },
    /// The rows to this one that have these offsets one after the other.
    Find { offsets: Vec<u64>, to: u64 },
    /// The files of the data set of rows 0 to this one.
    Files { to: u64 },
    /// A question of the table of `ask`: its answer in words, as JSON, and what it lacks.
    Table { question: Value },
    /// The verdict on a data set: names and bytes of its files. With `to`, on rows 0 to this one.
    Verify { files: Vec<(String, Bytes)>, heads: bool, to: Option<u64> },
}

/// The state between questions.
#[derive(Default)]
pub struct Session {
    sheet: Option<row::Sheet>,
    rows: Vec<driver::Record>,
    in_full: Vec<driver::Record>,
    solver: Option<Solver>,
}

impl Session {
    /// Answers a question, or gives an object with the field `error`.
    pub fn answer(&mut self, question: &str, watch: &dyn Watch) -> String {
        let answer = match serde_json::from_str(question) {
            Ok(question) => self.answer_question(question, watch),
            Err(error) => Err(format!("the question is none: {error}")),
        };
        answer.unwrap_or_else(|error| json(&serde_json::json!({"error": error})))
    }

    fn answer_question(&mut self, question: Question, watch: &dyn Watch) -> Result<String, String> {
        match question {
            Question::Position { text } => match position::read(&text) {
                Ok(position) => {
                    position::answer(self.solver(&position, false, watch)?, &position, watch)
                }
                Err(error) => position::answer_product(&text).unwrap_or(Err(error)),
            },
            Question::Bar { text } => match position::read(&text) {
                Ok(position) => Ok(position::bar(&position)),
                Err(error) => position::answer_product(&text).unwrap_or(Err(error)),
            },
            Question::Strategy { text } => {
                let position = position::read_board(&text)?;
                position::strategy(self.solver(&position, true, watch)?, &position)
            }
            Question::Reply { text, strength, chance } => {
                let position = position::read_board(&text)?;
                let solver = self.solver(&position, true, watch)?;
                position::reply(solver, &position, strength, chance, watch)
            }
            Question::Values { text } => {
                let position = position::read_board(&text)?;
                position::values(self.solver(&position, false, watch)?, &position, watch)
            }
            Question::Puzzle { grade, chance } => position::pose(grade, chance, watch),
            Question::Why { row } => why::explain(row, watch),
            Question::Overlay { rows } => {
                let last = rows.iter().copied().max().unwrap_or(0);
                if index(last) >= self.in_full.len() {
                    self.in_full = Vec::new();
                    self.in_full = rows::in_full(last, watch)?;
                }
                rows::overlay(&self.in_full, rows)
            }
            Question::Row { row } => row::describe(row, watch),
            Question::Level { level, row } => row::of_level(level, row, watch),
            Question::Record { line } => row::describe_record(&line),
            Question::Full { row } => row::in_full(row, watch),
            Question::Sheet { row, part } => {
                if self.sheet.as_ref().is_none_or(|sheet| sheet.row() != row) {
                    // Two of them may not fit into the memory.
                    self.sheet = None;
                    self.sheet = Some(row::Sheet::new(row, watch)?);
                }
                self.sheet.as_ref().ok_or("there is no sheet")?.part(part)
            }
            Question::Point { y, z } => {
                self.sheet.as_ref().ok_or("there is no sheet yet")?.point(y, z)
            }
            Question::Rows { to } => {
                self.hold(to, watch)?;
                rows::list(&self.rows[..=index(to)])
            }
            Question::Find { offsets, to } => rows::find(&offsets, to, watch),
            Question::Files { to } => {
                self.hold(to, watch)?;
                Ok(rows::files(&self.rows[..=index(to)]))
            }
            Question::Table { question } => {
                let question = ask::Question::read(&question.to_string())?;
                let told = question.ask(watch).map_err(|error| error.to_string())?;
                let lacks = told.ending.err().map(|error| error.to_string());
                let (words, answer) = (told.words, told.object);
                Ok(json(&serde_json::json!({"words": words, "answer": answer, "lacks": lacks})))
            }
            Question::Verify { files, heads, to } => {
                let files = files.into_iter().map(|(name, Bytes(bytes))| (name, bytes));
                let rows = to.map(|to| (0, to));
                let task = Task { heads, rows, ..Task::default() };
                Ok(verify::verdict(&files.collect(), &task, watch))
            }
        }
    }

    /// A solver for this position.
    fn solver(
        &mut self,
        position: &driver::Position,
        for_game: bool,
        watch: &dyn Watch,
    ) -> Result<&Solver, String> {
        let solver = Solver::of(position, for_game, self.solver.take(), watch)?;
        Ok(self.solver.insert(solver))
    }

    /// Computes rows 0 to this one, unless they are held already.
    fn hold(&mut self, to: u64, watch: &dyn Watch) -> Result<(), String> {
        if index(to) >= self.rows.len() {
            self.rows = rows::computed(to, watch)?;
        }
        Ok(())
    }
}

/// A figure, with what it shows and what it rests on.
#[derive(Serialize)]
struct Shown {
    svg: String,
    title: String,
    caption: String,
}

impl Shown {
    fn of(figure: &Figure) -> Self {
        let (title, caption) = (figure.title.clone(), figure.caption.clone());
        Self { svg: figure.svg(), title, caption }
    }
}

/// The largest row that the page computes, on one thread: in nine seconds of processor time
/// (`docs/PERFORMANCE.md`).
const LARGEST_ROW: u64 = 100_000;

fn require_row(row: u64) -> Result<(), String> {
    if row <= LARGEST_ROW {
        return Ok(());
    }
    Err(format!(
        "this page goes to row {LARGEST_ROW}, and row {row} is asked for; the program chomp goes \
         further"
    ))
}

/// The JSON of an answer that has more fields on this page.
fn json_with(answer: &impl Serialize, more: Value) -> String {
    let mut object = serde_json::json!(answer);
    if let (Value::Object(fields), Value::Object(more)) = (&mut object, more) {
        fields.extend(more);
    }
    json(&object)
}

/// Rows that are held in memory.
fn index(row: u64) -> usize {
    usize::try_from(row).unwrap_or(usize::MAX)
}

/// For `map_err`.
fn words(error: impl std::fmt::Display) -> String {
    error.to_string()
}
