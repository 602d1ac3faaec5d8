//! The ways to decide a position, and the cheapest of them: by a theorem, by its rows, by the rows
//! of the transposed position, or by all positions of a rectangle.

use std::time::Duration;

use answers::{Answer, Basis, Theorem};
use boards::rectangles::choices;
use num_traits::ToPrimitive;
use record::{Family, HeadForm};

use crate::board::{answer_within, cost_of_rectangle};
use crate::family::of_family;
use crate::{Cost, Engine, Error, Position, Watch, costs, solve_board};

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

impl Engine {
    /// The answer about a position in this way.
    ///
    /// # Errors
    /// As [`Source::answer`](crate::Source::answer) and [`solve_board`].
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
}
