//! A board: who wins it, by all positions of the rectangle around it, with a strategy.

use std::num::NonZero;

use boards::Solved;
use boards::strategy::{Labelled, Rule, Strategy};
use driver::{
    Answer, Cost, Error, Position, Square, Theorem, Watch, answer_within, cost_of_rectangle,
    solve_board, with_length,
};
use game::Board;
use serde::{Serialize, Serializer};

/// Who wins a board, with the bites that win, or with a strategy.
#[derive(Debug)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(with = "BoardObject<'static>")
)]
pub struct BoardAnswer {
    /// The board.
    pub board: Board,
    /// Who wins, and by which bites.
    pub answer: Answer,
    /// All positions of the rectangle around the board, and the strategy of a P-position; `None` if
    /// a theorem answers.
    solved: Option<(Box<dyn Solved>, Option<Strategy>)>,
}

impl BoardAnswer {
    /// The answer about a board, from the rectangle around it. If that takes more than ten seconds
    /// or 1 GB, or cannot be solved, and `all` bites are not asked for, a theorem answers where one
    /// does.
    ///
    /// # Errors
    /// As [`solve_board`].
    ///
    /// ```
    /// use ask::BoardAnswer;
    /// let [solved, square] = ["8x10", "30x30"]
    ///     .map(|board| BoardAnswer::of(board.parse().unwrap(), None, false, &()).unwrap());
    /// assert_eq!((solved.answer.bites.len(), solved.answer.theorem()), (2, None));
    /// assert_eq!(square.answer.bites[0].square.to_string(), "row 2, column 2");
    /// assert!(!square.answer.has_all_bites());
    /// ```
    pub fn of(
        board: Board,
        threads: Option<NonZero<usize>>,
        all: bool,
        watch: &dyn Watch,
    ) -> Result<Self, Error> {
        let (rows, columns, position) = (board.height(), board.width(), Position::from(&board));
        if !all
            && cost_of_rectangle(rows, columns).is_none_or(Cost::is_much)
            && let Some(answer) = Theorem::decide(&position)
        {
            return Ok(Self { board, answer, solved: None });
        }
        let solution = solve_board(rows, columns, threads, watch)?;
        let answer = answer_within(&*solution, &position);
        let answer = answer.ok_or_else(|| Error::defect(format!("{board} is not in it")))?;
        let answer = with_length(answer, all, watch)?;
        let strategy = Strategy::of(&*solution, &board);
        Ok(Self { board, answer, solved: Some((solution, strategy)) })
    }

    /// The strategy of a P-position, if the rectangle is solved.
    pub fn strategy(&self) -> Option<&Strategy> {
        self.solved.as_ref()?.1.as_ref()
    }

    /// The rectangle around the board, if it is solved.
    pub fn solution(&self) -> Option<&dyn Solved> {
        Some(&*self.solved.as_ref()?.0)
    }
}

/// The answer about a board as a position, with the rectangle around it and a strategy if that is
/// solved.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Board"))]
struct BoardObject<'a> {
    #[serde(flatten)]
    answer: &'a Answer,
    /// The smallest rectangle around the board.
    rectangle: Option<RectangleObject>,
    /// Of a P-position, pairs of squares: a bite at one of them is answered at the other.
    strategy: Option<Vec<PairObject<'a>>>,
}

impl Serialize for BoardAnswer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let object = BoardObject {
            answer: &self.answer,
            rectangle: self.solution().map(rectangle_object),
            strategy: self.strategy().map(|all| all.chosen.iter().map(PairObject::of).collect()),
        };
        object.serialize(serializer)
    }
}

/// Two squares of a strategy.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct PairObject<'a> {
    /// A number, with primes if another pair contains one of the squares.
    label: &'a str,
    /// The position after bites at both squares.
    leaves: Position,
    /// Why this is a P-position; null if only the search shows it.
    rule: Option<&'static str>,
    squares: [Square; 2],
}

impl<'a> PairObject<'a> {
    fn of(Labelled { label, pair }: &'a Labelled) -> Self {
        let rule = pair.rule.map(|rule| match rule {
            Rule::TwoRows => "two_rows",
            Rule::EqualWings => "equal_wings",
            Rule::TwoTopRow => "two_top_row",
            Rule::ThreeTopRow => "three_top_row",
        });
        let (squares, leaves) = (pair.squares.map(Square::from), Position::from(&pair.leaves));
        Self { label, leaves, rule, squares }
    }
}

/// A solved rectangle.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RectangleObject {
    columns: u16,
    /// The number of P-positions.
    p_positions: u64,
    /// The number of positions without the empty one.
    positions: u64,
    rows: u16,
}

/// A solved rectangle, as a JSON object.
pub fn rectangle_object(solution: &dyn Solved) -> RectangleObject {
    RectangleObject {
        columns: solution.columns(),
        p_positions: solution.p_count(),
        positions: solution.positions(),
        rows: solution.rows(),
    }
}
