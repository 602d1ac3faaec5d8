//! The engine as a source of rows and answers: the ways to decide a position, and the cheapest of
//! them: by a theorem, by its rows, by the rows of the transposed position, or by all positions of
//! a rectangle. And the length of the game.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use answers::{Answer, Basis, Position, Query, QueryError, Theorem, Value, likely_settled, value};
use boards::lengths::Lengths;
use boards::rectangles::{choices, positions};
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use record::{Family, HeadForm, Record, RowKey, Tail};

use crate::board::{answer_within, cost_of_rectangle, solve_board};
use crate::engine::{Engine, ProvedRow, require_row};
use crate::family::of_family;
use crate::job::{Cost, Job, Watch, Work};
use crate::source::{Source, ask, value_of_row};
use crate::{Error, costs};

/// A way to decide positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// By a theorem: fact 14.
    Theorem,
    /// By the rows of the position.
    Rows,
    /// By the rows of the transposed position.
    Columns,
    /// By all positions of the rectangle around it.
    Rectangle {
        /// Its rows.
        rows: u16,
        /// Its columns.
        columns: u16,
    },
}

/// The limits of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// The last row of three-rowed Chomp.
    pub row: u64,
    /// The most rows for a position with more than three rows.
    pub tails: u64,
    /// The most choices of lower rows in a rectangle.
    pub choices: u64,
}

impl Reach {
    /// No limits but time and memory.
    pub const ALL: Self = Self { row: crate::LARGEST_ROW, tails: u64::MAX, choices: u64::MAX };
}

/// An answer by rows is preferred if it takes no longer, since it has records.
const SHORT: Duration = Duration::from_secs(1);
/// For a game a rectangle is preferred if it takes no longer, as it decides all positions to come.
const AT_FIRST: Duration = Duration::from_secs(5);
/// A position with a longer row is not transposed.
const LONGEST_TRANSPOSED: u64 = 100_000;
/// The tails of more rows are not visited for an estimate: each costs about as much as in the
/// families of this size that were measured.
const MOST_VISITED: u64 = 1_000_000;

impl Way {
    /// The way to say who wins one position; `None` if none is within reach. A theorem, if it names
    /// all bites that win. Otherwise that of [`Self::of_all_bites`], unless it takes more than ten
    /// seconds or 1 GB, and a theorem says who wins.
    ///
    /// ```
    /// use driver::{Engine, Reach, Way};
    /// let way = |text: &str| Way::of(&text.parse().unwrap(), Engine::default(), &Reach::ALL);
    /// assert_eq!(way("7 5 5 4"), Some(Way::Rows));
    /// // 4.5 minutes by rows, and 0.1 s in a rectangle.
    /// assert_eq!(way("100 90 80 70 60"), Some(Way::Rectangle { rows: 5, columns: 100 }));
    /// // Three columns, the third with one square.
    /// assert_eq!(way(&format!("3{}", " 2".repeat(2000))), Some(Way::Columns));
    /// // 228 GB.
    /// assert_eq!(way("24x24"), Some(Way::Theorem));
    /// ```
    pub fn of(position: &Position, engine: Engine, reach: &Reach) -> Option<Self> {
        let (way, cost) = Self::of_all_bites(position, engine, reach).unzip();
        let is_cheap = cost.is_some_and(|cost| !cost.is_much());
        if is_cheap || Theorem::decide(position).is_none() { way } else { Some(Self::Theorem) }
    }

    /// The way to all bites that win which is expected to take the least time, and its cost; `None`
    /// if none is within reach. The rows, if they take at most a second.
    ///
    /// ```
    /// use driver::{Engine, Reach, Way};
    /// let way = Way::of_all_bites(&"20x19".parse()?, Engine::default(), &Reach::ALL);
    /// assert_eq!(way.unwrap().0, Way::Rectangle { rows: 20, columns: 19 });
    /// # Ok::<(), driver::ReadError>(())
    /// ```
    pub fn of_all_bites(
        position: &Position,
        engine: Engine,
        reach: &Reach,
    ) -> Option<(Self, Cost)> {
        if Theorem::decide(position).is_some_and(|answer| answer.has_all_bites()) {
            return Some((Self::Theorem, Cost::default()));
        }
        let rows = cost_of_rows(position, engine, reach);
        if rows.is_some_and(|cost| cost.weight() <= SHORT) || position.finite_rows().is_none() {
            return rows.map(|cost| (Self::Rows, cost));
        }
        let rectangle = rectangle(position, reach);
        let transposed = transposed(position);
        let columns = transposed.and_then(|transposed| cost_of_rows(&transposed, engine, reach));
        let ways = [
            rows.map(|cost| (Self::Rows, cost)),
            columns.map(|cost| (Self::Columns, cost)),
            rectangle,
        ];
        ways.into_iter().flatten().min_by_key(|(_, cost)| cost.weight())
    }

    /// The way to decide all positions of a game that begins with this one, and its cost: that of
    /// the rectangle, or that of a bite.
    ///
    /// ```
    /// use driver::{Engine, Reach, Way};
    /// let way = |text: &str| Way::of_game(&text.parse().unwrap(), Engine::default(), &Reach::ALL);
    /// assert_eq!(way("7 5 5 4").unwrap().0, Way::Rectangle { rows: 4, columns: 7 });
    /// assert_eq!(way("9000 100 100 3").unwrap().0, Way::Rows);
    /// ```
    pub fn of_game(position: &Position, engine: Engine, reach: &Reach) -> Option<(Self, Cost)> {
        let rectangle = rectangle(position, reach);
        rectangle
            .filter(|(_, cost)| cost.weight() <= AT_FIRST)
            .or_else(|| Self::of_all_bites(position, engine, reach))
    }

    /// The way to all bites that win from one position of a game, if it is short.
    pub fn soon(position: &Position, engine: Engine) -> Option<Self> {
        let found = Self::of_all_bites(position, engine, &Reach::ALL);
        found.filter(|(_, cost)| cost.weight() <= AT_FIRST).map(|(way, _)| way)
    }
}

/// The cost of the rows that the position needs; `None` if they are beyond reach.
fn cost_of_rows(position: &Position, engine: Engine, reach: &Reach) -> Option<Cost> {
    let key = position.key();
    if key.is_three_rowed() {
        let last = key.first_column();
        return (last <= reach.row).then(|| engine.cost(last));
    }
    let family = Family::of_tails(0, key.tail().clone());
    let rows = family.count().filter(|rows| *rows <= reach.tails)?;
    if rows <= MOST_VISITED {
        return Some(of_family(&family, HeadForm::Offsets));
    }
    let parts = position.height().saturating_sub(2) as u64;
    let time = costs::family(0, parts, rows.saturating_mul(4000));
    Some(Cost::new(rows.saturating_mul(100_000), time))
}

/// The transposed position, if a row of it is a tail that can be a key.
pub(crate) fn transposed(position: &Position) -> Option<Position> {
    let is_short = position.p().finite()?.to_u64()? <= LONGEST_TRANSPOSED;
    is_short.then(|| position.transposed()).flatten()
}

/// The rectangle around the position, if it is within reach, and its cost.
fn rectangle(position: &Position, reach: &Reach) -> Option<(Way, Cost)> {
    let (rows, columns) = (position.height().to_u16()?, position.p().finite()?.to_u16()?);
    let few = choices(rows, columns).is_ok_and(|choices| choices <= reach.choices);
    let cost = few.then(|| cost_of_rectangle(rows, columns)).flatten()?;
    Some((Way::Rectangle { rows, columns }, cost))
}

impl Source for Engine {
    fn last(&self) -> Option<u64> {
        None
    }

    fn rows(
        &self,
        last: u64,
        form: HeadForm,
        watch: &dyn Watch,
        visit: &mut dyn FnMut(ProvedRow) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        self.visit(last, form, watch, &mut |row| Ok(visit(row)))
    }

    /// Row r of three-rowed Chomp costs as much as all rows to it; another row, as much as all rows
    /// with tails within its tail, at its level and those below.
    fn row(&self, key: &RowKey, _form: HeadForm, watch: &dyn Watch) -> Result<ProvedRow, Error> {
        if key.is_three_rowed() {
            return self.row_in_full(key.first_column(), watch);
        }
        let found = self.tails(key.level, key.tail(), watch)?.pop();
        let record = found.ok_or_else(|| Error::defect(format!("{key} was not found")))?;
        Ok(record.into())
    }

    fn value(&self, q: &BigUint, tail: &Tail, watch: &dyn Watch) -> Result<Value, Error> {
        let r = tail.first_column();
        if tail.parts().len() <= 1 && likely_settled(q, r) {
            match value(&self.last_row(r, HeadForm::Fingerprint, watch)?.record, q) {
                Err(QueryError::NeedsHead { .. }) => {}
                found => return Ok(found?),
            }
        }
        value_of_row(self, q, tail, HeadForm::Offsets, watch)
    }

    /// In the way that is expected to be the fastest ([`Way::of`]).
    fn answer(&self, position: &Position, watch: &dyn Watch) -> Result<Answer, Error> {
        let way = Way::of(position, *self, &Reach::ALL);
        self.answer_by(way.unwrap_or(Way::Rows), position, watch)
    }

    fn folder_of(&self, _answer: &Answer) -> Option<&Path> {
        None
    }

    fn answer_with_all_bites(
        &self,
        position: &Position,
        watch: &dyn Watch,
    ) -> Result<Answer, Error> {
        let way = Way::of_all_bites(position, *self, &Reach::ALL);
        self.answer_by(way.map_or(Way::Rows, |(way, _)| way), position, watch)
    }
}

impl Engine {
    /// The answer about a position in this way.
    ///
    /// # Errors
    /// As [`Source::answer`] and [`solve_board`].
    ///
    /// ```
    /// use driver::{Engine, Way};
    /// let position = "6 6 4 4 1".parse()?;
    /// let ways = [Way::Rows, Way::Columns, Way::Rectangle { rows: 5, columns: 6 }];
    /// let answers = ways.map(|way| Engine::default().answer_by(way, &position, &()).unwrap());
    /// assert!(answers.iter().all(|answer| answer.leaves().eq(answers[0].leaves())));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn answer_by(
        self,
        way: Way,
        position: &Position,
        watch: &dyn Watch,
    ) -> Result<Answer, Error> {
        let found = match way {
            Way::Theorem => Theorem::decide(position),
            Way::Rows => None,
            Way::Columns => {
                let of_columns = |transposed: Position| {
                    let answer = self.answer_by_rows(&transposed, watch)?;
                    let leaves = answer.leaves().filter_map(Position::transposed);
                    Ok::<_, Error>(Answer::without_record(position, leaves, Basis::Columns))
                };
                transposed(position).map(of_columns).transpose()?
            }
            Way::Rectangle { rows, columns } => {
                answer_within(&*solve_board(rows, columns, None, watch)?, position)
            }
        };
        found.map_or_else(|| self.answer_by_rows(position, watch), Ok)
    }

    /// From fingerprints, and where they are not enough, from the cells of row r and column q as
    /// well. With four rows or more, from all offsets.
    pub(crate) fn answer_by_rows(
        self,
        position: &Position,
        watch: &dyn Watch,
    ) -> Result<Answer, Error> {
        let (query, key) = (Query::new(position.clone()), position.key());
        let unanswered = || Error::defect(format!("{key} does not end the question"));
        if !key.is_three_rowed() {
            let rows = self.tails(0, key.tail(), watch)?;
            return ask(query, rows.into_iter().map(Ok::<_, Error>))?.ok_or_else(unanswered);
        }
        let r = key.first_column();
        require_row(r)?;
        if matches!(self, Self::Literal) {
            return self.ask(query, r, HeadForm::Offsets, watch)?.ok_or_else(unanswered);
        }
        if query.likely_settled() {
            match self.ask(query.clone(), r, HeadForm::Fingerprint, watch) {
                Err(Error::Query(QueryError::NeedsHead { .. })) => {}
                answer => return answer?.ok_or_else(unanswered),
            }
        }
        self.ask_with_cells(query, position, watch)?.ok_or_else(unanswered)
    }

    /// All rows with tails within this one, of levels 0 to `level`, with all offsets.
    fn tails(self, level: u64, tail: &Tail, watch: &dyn Watch) -> Result<Vec<Record>, Error> {
        let family = Family::of_tails(level, tail.clone());
        self.family(&family, HeadForm::Offsets, watch, |_| ControlFlow::Continue(()))
    }

    fn ask(
        self,
        mut query: Query,
        last: u64,
        form: HeadForm,
        watch: &dyn Watch,
    ) -> Result<Option<Answer>, Error> {
        let mut answer = None;
        self.visit(last, form, watch, &mut |row| {
            answer = query.add(&row.record)?;
            Ok(if answer.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })?;
        Ok(answer)
    }

    fn ask_with_cells(
        self,
        mut query: Query,
        position: &Position,
        watch: &dyn Watch,
    ) -> Result<Option<Answer>, Error> {
        let q = position.q().finite().and_then(|q| u64::try_from(q).ok());
        let mut unsettled = Vec::new();
        let mut below = |record| match query.add(&record) {
            Err(QueryError::NeedsHead { .. }) => {
                unsettled.push(record);
                Ok(())
            }
            result => Ok(result.map(drop)?),
        };
        let r = position.tail().first_column();
        let (own, column) = self.row_and_column(r, q, watch, &mut below)?;
        for record in unsettled {
            let row = record.row();
            let unknown = || Error::defect(format!("row {row}: a cell is not known"));
            let offset = column.get(&row).ok_or_else(unknown)?;
            query.add_with_offset(&record, *offset);
        }
        Ok(query.add(&own)?)
    }
}

/// The time that the length of a game may take beside an answer.
const MOMENT: Duration = Duration::from_millis(10);

/// The lengths of the games from all boards within a rectangle; `None` if they take longer than
/// `most`, ten seconds or 1 GB.
///
/// # Errors
/// [`Error::Memory`] before any work, and [`Error::Interrupted`].
///
/// ```
/// use std::time::Duration;
/// use driver::lengths_within;
/// let lengths = lengths_within(3, 12, Duration::from_millis(10), &())?.unwrap();
/// assert_eq!(lengths.of_board(&"3x12".parse()?), Some(28));
/// assert!(lengths_within(30, 30, Duration::MAX, &())?.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn lengths_within(
    rows: u16,
    columns: u16,
    most: Duration,
    watch: &dyn Watch,
) -> Result<Option<Lengths>, Error> {
    let cost = costs::lengths(rows, columns);
    if cost.is_much() || cost.time > most {
        return Ok(None);
    }
    let what = format!("the lengths of games on {rows}x{columns} need");
    let all = positions(rows, columns);
    let work = Work { unit: "position", all, before: 0, exponent: 1.0 };
    let running = Job::new(what, "choose a smaller board", cost).run(work, watch)?;
    let (shorter, longer) = (rows.min(columns), rows.max(columns));
    running.steps(|tell| Lengths::of(shorter, longer, tell)).map(Some)
}

/// The answer with the length of the game, if that takes a hundredth of a second; beside all bites,
/// ten seconds and 1 GB.
///
/// # Errors
/// As [`lengths_within`].
pub fn with_length(answer: Answer, all_bites: bool, watch: &dyn Watch) -> Result<Answer, Error> {
    let Some(board) = answer.position.board() else { return Ok(answer) };
    let most = if all_bites { Duration::MAX } else { MOMENT };
    let lengths = lengths_within(board.height(), board.width(), most, watch)?;
    Ok(Answer { length: lengths.and_then(|lengths| lengths.of_board(&board)), ..answer })
}
