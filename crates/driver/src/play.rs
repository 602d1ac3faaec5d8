//! A game against the program: which bite it takes.
//!
//! It wins whenever it can. When it cannot, it plays for time, and for an error of the other
//! player.

use answers::AnswerObject;
use boards::rectangles::{Solution, choices};
use game::Board;
use num_traits::ToPrimitive;
use record::Family;

use crate::watch::Watch;
use crate::{Engine, Error, Position, Source, Square, solve_board};

mod opponent;
mod puzzle;
mod review;

pub use opponent::Strength;
pub use puzzle::{Grade, puzzle};
pub use review::{Judged, review};

/// A rectangle of more than three rows is solved for all of a game if it has no more choices of
/// lower rows than this, times its longer side. 15 x 15 has 1.2 thousand million, and takes some
/// seconds.
const SOLVED: u64 = 1_500_000_000;
/// Larger ones are solved only if the rows that their positions need are more than this.
const FEW_ROWS: u64 = 100_000;

/// The program as a player of one game.
#[derive(Clone, Debug)]
pub struct Player {
    way: Way,
}

/// How positions are decided.
#[derive(Clone, Debug)]
enum Way {
    /// By the rows of the engine.
    Rows(Engine),
    /// The same of the transposed positions.
    Columns(Engine),
    /// By all positions of a rectangle; one that does not fit into it, by rows.
    Rectangle(Solution, Engine),
}

/// A bite that was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The bitten square.
    pub bitten: Square,
    /// The position that is left.
    pub leaves: Position,
    /// Whether it is a P-position, so that the player who bit wins.
    pub wins: bool,
}

impl Player {
    /// A player of the game that begins with this position. The engine decides positions of three
    /// rows at most; the others are solved, or decided by the rows of their tails.
    ///
    /// # Errors
    /// As [`solve_board`].
    ///
    /// ```
    /// use driver::{Position, Engine, Player};
    /// let start = Position::finite([3_u32; 4])?;
    /// let player = Player::of(&start, Engine::default(), &())?;
    /// let bite = player.bite(&start, &())?.unwrap();
    /// assert!(bite.wins);
    /// // In what is left no bite wins.
    /// assert!(player.winning_bites(&bite.leaves, &())?.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(start: &Position, engine: Engine, watch: &dyn Watch) -> Result<Self, Error> {
        match board(start) {
            Some(board) if is_to_be_solved(start, &board) => {
                let solution = solve_board(board.height(), board.width(), None, watch)?;
                Ok(Self { way: Way::Rectangle(solution, engine) })
            }
            _ => Ok(Self::by_rows(engine)),
        }
    }

    /// A player who decides every position by its rows.
    #[must_use]
    pub fn by_rows(engine: Engine) -> Self {
        Self { way: Way::Rows(engine) }
    }

    /// A player who decides every position by the rows of the transposed position: for finite
    /// boards with many short rows.
    ///
    /// ```
    /// use driver::{Engine, Player, Position};
    /// let player = Player::by_columns(Engine::default());
    /// // Two columns are a P-position if and only if one has one square more.
    /// let lost: Position = Position::finite([2_u32; 99].into_iter().chain([1]))?;
    /// assert!(player.winning_bites(&lost, &())?.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn by_columns(engine: Engine) -> Self {
        Self { way: Way::Columns(engine) }
    }

    /// A player who knows all positions of a rectangle, and decides others by their rows.
    ///
    /// # Errors
    /// As [`solve_board`].
    pub fn by_rectangle(rows: u16, columns: u16, watch: &dyn Watch) -> Result<Self, Error> {
        let solution = solve_board(rows, columns, None, watch)?;
        Ok(Self { way: Way::Rectangle(solution, Engine::default()) })
    }

    /// The solved rectangle, if there is one.
    #[must_use]
    pub fn solution(&self) -> Option<&Solution> {
        match &self.way {
            Way::Rectangle(solution, _) => Some(solution),
            Way::Rows(_) | Way::Columns(_) => None,
        }
    }

    /// Who wins a position, as an object for JSON. It has records only if rows of the position
    /// itself decide it.
    ///
    /// # Errors
    /// As [`Self::winning_bites`].
    ///
    /// ```
    /// use driver::{Player, Position};
    /// let player = Player::by_rectangle(8, 10, &())?;
    /// let answer = player.answer(&"8x10".parse()?, &())?;
    /// let answer = serde_json::to_value(answer)?;
    /// // The 2005 paper, 7.1: the smallest rectangle with two winning bites.
    /// assert_eq!(answer["winning_bites"].as_array().unwrap().len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn answer(&self, position: &Position, watch: &dyn Watch) -> Result<AnswerObject, Error> {
        if let Way::Rows(engine) = &self.way {
            return Ok(AnswerObject::from(&engine.answer(position, watch)?));
        }
        let leaves = self.winning_bites(position, watch)?;
        Ok(AnswerObject::without_rows(position, &leaves))
    }

    /// The P-positions that bites leave, by the row of the bite.
    ///
    /// # Errors
    /// As [`Source::answer`].
    pub fn winning_bites(
        &self,
        position: &Position,
        watch: &dyn Watch,
    ) -> Result<Vec<Position>, Error> {
        match &self.way {
            Way::Rows(engine) => by_rows(*engine, position, watch),
            Way::Columns(engine) => match position.transposed() {
                Some(transposed) => {
                    let left = by_rows(*engine, &transposed, watch)?;
                    Ok(left.iter().filter_map(Position::transposed).collect())
                }
                None => by_rows(*engine, position, watch),
            },
            Way::Rectangle(solution, engine) => match by_solution(solution, position) {
                Some(left) => Ok(left),
                None => by_rows(*engine, position, watch),
            },
        }
    }

    /// A bite that leaves a P-position, if there is one. If there is none, of the bites that take a
    /// single square the one that leaves the fewest winning bites. `None` if only the poison is
    /// left.
    ///
    /// # Errors
    /// As [`Self::winning_bites`].
    ///
    /// ```
    /// use driver::{Position, Engine, Player};
    /// // Zeilberger's [3,1,3] is a P-position.
    /// let lost = Position::finite([7_u32, 4, 3])?;
    /// let player = Player::of(&lost, Engine::default(), &())?;
    /// let bite = player.bite(&lost, &())?.unwrap();
    /// let squares = |position: &Position| position.finite_rows().unwrap().into_iter().sum();
    /// let (before, after): (num_bigint::BigUint, _) = (squares(&lost), squares(&bite.leaves));
    /// assert!(!bite.wins && before - 1_u32 == after);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bite(&self, position: &Position, watch: &dyn Watch) -> Result<Option<Played>, Error> {
        let winning = self.winning_bites(position, watch)?.into_iter().next();
        let wins = winning.is_some();
        let leaves = match winning {
            Some(leaves) => Some(leaves),
            None => self.for_time(position, watch)?,
        };
        Ok(leaves.and_then(|leaves| {
            let bitten = position.bite_to(&leaves)?;
            Some(Played { bitten, leaves, wins })
        }))
    }

    fn for_time(&self, position: &Position, watch: &dyn Watch) -> Result<Option<Position>, Error> {
        let mut best: Option<(usize, Position)> = None;
        for left in single_squares(position) {
            let replies = self.winning_bites(&left, watch)?.len();
            if best.as_ref().is_none_or(|(fewest, _)| replies < *fewest) {
                best = Some((replies, left));
            }
        }
        Ok(best.map(|(_, left)| left))
    }
}

fn by_rows(engine: Engine, position: &Position, watch: &dyn Watch) -> Result<Vec<Position>, Error> {
    let answer = engine.answer(position, watch)?;
    Ok(answer.bites.into_iter().map(|bite| bite.leaves).collect())
}

/// `None` if the position does not fit into the rectangle.
fn by_solution(solution: &Solution, position: &Position) -> Option<Vec<Position>> {
    let bites = solution.winning_bites(&board(position)?)?;
    let square = |bite: game::Square| Square { row: bite.row.into(), column: bite.column.into() };
    Some(bites.into_iter().filter_map(|bite| position.after(&square(bite))).collect())
}

/// The positions after bites of one square: the last of a row that is longer than the next one.
fn single_squares(position: &Position) -> impl Iterator<Item = Position> {
    let lengths = position.finite_rows().unwrap_or_default();
    (0..lengths.len()).filter_map(move |row| {
        let mut left = lengths.clone();
        left[row] -= 1_u32;
        Position::finite(left).ok()
    })
}

/// A position that is short enough to be a board.
fn board(position: &Position) -> Option<Board> {
    let rows: Option<Vec<u16>> = position.finite_rows()?.iter().map(ToPrimitive::to_u16).collect();
    Board::new(rows?).ok()
}

/// Whether the board is solved, rather than decided by its rows.
fn is_to_be_solved(start: &Position, board: &Board) -> bool {
    let Ok(choices) = choices(board.height(), board.width()) else { return false };
    let side = u64::from(board.height().max(board.width()));
    let family = Family::of_tails(0, start.tail().clone());
    let few_rows = family.count().is_some_and(|rows| rows <= FEW_ROWS);
    board.height() > 3 && (choices.saturating_mul(side) <= SOLVED || !few_rows)
}
