//! A game against the program: which bite it takes.
//!
//! It wins whenever it can, and then hurries. When it cannot, it plays for time, and for an error
//! of the other player. In a game that is too large it does so as soon as a theorem or a short
//! search decides a position.

use std::cell::OnceCell;
use std::time::Duration;

use boards::Solved;
use boards::lengths::Lengths;
use serde::Serialize;

use driver::{
    Answer, Engine, Error, Position, Reach, Square, Theorem, Watch, Way, answer_within,
    lengths_within, solve_board,
};

mod opponent;
mod puzzle;

pub use opponent::Strength;
pub use puzzle::{Grade, puzzle};

/// The lengths of games are found before each bite if they take no longer.
const FOR_LENGTHS: Duration = Duration::from_millis(100);

/// The program as a player of one game.
#[derive(Debug)]
pub struct Player {
    engine: Engine,
    /// The way to decide all positions; `None` if the game is too large.
    way: Option<Way>,
    /// The rectangle, if that is the way; in a large game, the first that does not take long.
    solution: OnceCell<Box<dyn Solved>>,
}

/// A bite that was chosen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Played {
    /// The bitten square.
    pub square: Square,
    /// The position that is left.
    pub leaves: Position,
    /// Whether it is a P-position, so that the player who bit wins.
    pub wins: bool,
}

impl Player {
    /// A player of the game that begins with this position, in the way of [`Way::of_game`]. That
    /// way may take ten seconds and 1 GB; `all` removes the limit.
    ///
    /// # Errors
    /// As [`solve_board`].
    ///
    /// ```
    /// use ask::Player;
    /// use driver::{Position, Engine};
    /// let start = Position::finite([3_u32; 4])?;
    /// let player = Player::of(&start, Engine::default(), false, &())?;
    /// let bite = player.bite(&start, &())?.unwrap();
    /// assert!(bite.wins);
    /// // In this position no bite wins.
    /// assert!(player.winning_bites(&bite.leaves, &())?.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(
        start: &Position,
        engine: Engine,
        all: bool,
        watch: &dyn Watch,
    ) -> Result<Self, Error> {
        match Way::of_game(start, engine, &Reach::ALL) {
            Some((way, cost)) if all || !cost.is_much() => Self::by(way, engine, watch),
            None if all => Self::by(Way::Rows, engine, watch),
            _ => Ok(Self { engine, way: None, solution: OnceCell::new() }),
        }
    }

    /// A player who decides every position in this way; one that does not fit into the rectangle,
    /// or cannot be transposed, by its rows.
    ///
    /// # Errors
    /// As [`solve_board`].
    ///
    /// ```
    /// use ask::Player;
    /// use driver::{Engine, Position, Way};
    /// let player = Player::by(Way::Columns, Engine::default(), &())?;
    /// // Two columns are a P-position if and only if one has one square more.
    /// let lost: Position = Position::finite([2_u32; 99].into_iter().chain([1]))?;
    /// assert!(player.winning_bites(&lost, &())?.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn by(way: Way, engine: Engine, watch: &dyn Watch) -> Result<Self, Error> {
        let solution = match way {
            Way::Rectangle { rows, columns } => solve_board(rows, columns, None, watch)?.into(),
            Way::Theorem | Way::Rows | Way::Columns => OnceCell::new(),
        };
        Ok(Self { engine, way: Some(way), solution })
    }

    /// The way in which it decides positions; `None` if the game is too large for one.
    pub fn way(&self) -> Option<Way> {
        self.way
    }

    /// The solved rectangle, if there is one.
    pub fn solution(&self) -> Option<&dyn Solved> {
        self.solution.get().map(AsRef::as_ref)
    }

    /// Who wins a position. No cost is too high.
    ///
    /// # Errors
    /// As [`Engine::answer_by`].
    ///
    /// ```
    /// use ask::Player;
    /// use driver::{Engine, Way};
    /// let way = Way::Rectangle { rows: 8, columns: 10 };
    /// let player = Player::by(way, Engine::default(), &())?;
    /// let answer = player.answer(&"8x10".parse()?, &())?;
    /// // The 2005 paper, 7.1: the smallest rectangle with two winning bites.
    /// assert_eq!(answer.bites.len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn answer(&self, position: &Position, watch: &dyn Watch) -> Result<Answer, Error> {
        match self.known(position, watch)? {
            Some(answer) => Ok(answer),
            None => self.engine.answer_by(Way::Rows, position, watch),
        }
    }

    /// The P-positions that bites leave, by the row of the bite: those that are known.
    ///
    /// # Errors
    /// As [`Engine::answer_by`].
    pub fn winning_bites(
        &self,
        position: &Position,
        watch: &dyn Watch,
    ) -> Result<Vec<Position>, Error> {
        let answer = self.known(position, watch)?;
        Ok(answer.into_iter().flat_map(|answer| answer.bites).map(|bite| bite.leaves).collect())
    }

    /// Who wins a position. In a game that is too large the answer may lack bites, and there may be
    /// none.
    ///
    /// # Errors
    /// As [`Engine::answer_by`].
    ///
    /// ```
    /// use ask::Player;
    /// use driver::{Engine, Position};
    /// let player = Player::of(&"100x100".parse()?, Engine::default(), false, &())?;
    /// let known = |text: &str| player.known(&text.parse().unwrap(), &()).unwrap();
    /// assert_eq!(known("100x100").unwrap().bites[0].square.row, 2);
    /// assert!(known("90x100").is_some_and(|answer| answer.bites.is_empty()));
    /// assert!(known(&format!("{}5", "100 ".repeat(90))).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn known(&self, position: &Position, watch: &dyn Watch) -> Result<Option<Answer>, Error> {
        let solved = |solution: &dyn Solved| answer_within(solution, position);
        if let Some(answer) = self.solution().and_then(solved) {
            return Ok(Some(answer));
        }
        let way = match self.way {
            Some(Way::Rectangle { .. }) => Way::Rows,
            Some(way) => way,
            None => match Way::soon(position, self.engine) {
                Some(Way::Rectangle { rows, columns }) if self.solution().is_none() => {
                    let solution = solve_board(rows, columns, None, watch)?;
                    return Ok(solved(&**self.solution.get_or_init(|| solution)));
                }
                Some(way) => way,
                None => return Ok(Theorem::decide(position)),
            },
        };
        self.engine.answer_by(way, position, watch).map(Some)
    }

    /// A bite that leaves a P-position, if one is known: with which the game is over first. If
    /// there is none, a bite with which it lasts longest, and of these one that takes the fewest
    /// squares. If that is not known, of the bites that take a single square the one that leaves
    /// the fewest winning bites; any of them if it is not known who wins. `None` if only the poison
    /// is left.
    ///
    /// # Errors
    /// As [`Self::winning_bites`].
    ///
    /// ```
    /// use ask::Player;
    /// use driver::{Position, Engine};
    /// // Zeilberger's [3,1,3] is a P-position.
    /// let lost = Position::finite([7_u32, 4, 3])?;
    /// let player = Player::of(&lost, Engine::default(), false, &())?;
    /// let bite = player.bite(&lost, &())?.unwrap();
    /// assert!(!bite.wins);
    /// // From this position of 14 squares the game takes 13 turns, and 12 after the bite.
    /// let lengths = driver::lengths_within(3, 7, std::time::Duration::MAX, &())?.unwrap();
    /// let length = |position: &Position| lengths.of_board(&position.board().unwrap()).unwrap();
    /// assert_eq!([&lost, &bite.leaves].map(length), [13, 12]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bite(&self, position: &Position, watch: &dyn Watch) -> Result<Option<Played>, Error> {
        let known = self.known(position, watch)?;
        let is_lost = known.as_ref().is_some_and(Answer::is_p);
        let lengths = self.lengths(watch)?;
        let length = |left: &Position| lengths.as_ref()?.of_board(&left.board()?);
        let bites = known.into_iter().flat_map(|answer| answer.bites);
        let winning = bites.min_by_key(|bite| length(&bite.leaves));
        let wins = winning.is_some();
        let leaves = match winning {
            Some(bite) => Some(bite.leaves),
            None if is_lost => self.for_time(position, lengths.as_ref(), watch)?,
            None => single_squares(position).next(),
        };
        Ok(leaves.and_then(|leaves| {
            let square = position.bite_to(&leaves)?;
            Some(Played { square, leaves, wins })
        }))
    }

    /// The lengths of the games within its rectangle.
    fn lengths(&self, watch: &dyn Watch) -> Result<Option<Lengths>, Error> {
        let Some(Way::Rectangle { rows, columns }) = self.way else { return Ok(None) };
        lengths_within(rows, columns, FOR_LENGTHS, watch)
    }

    /// A bite from a lost position.
    fn for_time(
        &self,
        position: &Position,
        lengths: Option<&Lengths>,
        watch: &dyn Watch,
    ) -> Result<Option<Position>, Error> {
        let known = lengths.zip(position.board());
        if let Some((lengths, board)) = known.filter(|(of, board)| of.of_board(board).is_some()) {
            let left = board.bites().map(|(_, left)| left);
            let longest = left.max_by_key(|left| (lengths.of_board(left), left.area()));
            return Ok(longest.map(|left| Position::from(&left)));
        }
        let replies = |left| Ok((self.winning_bites(&left, watch)?.len(), left));
        let counted = single_squares(position).map(replies).collect::<Result<Vec<_>, Error>>()?;
        Ok(counted.into_iter().min_by_key(|(number, _)| *number).map(|(_, left)| left))
    }
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
