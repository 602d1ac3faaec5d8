//! How a position is decided here: by the rows that the page can compute in seconds, those of the
//! transposed position, or a rectangle that it can solve.

use boards::rectangles::choices;
use driver::{AnswerObject, Engine, Family, Player, Position, Watch};
use num_traits::ToPrimitive;

use crate::{LARGEST_ROW, words};

/// The largest number of rows that the page computes for a position with more than three rows; they
/// take some seconds.
const TAILS: u64 = 10_000;
/// Up to this number, rows are cheaper than a rectangle.
const FEW_TAILS: u64 = 500;
/// The largest number of choices of lower rows in a rectangle that the page solves, in seconds: 14
/// x 14 has 20 million.
const CHOICES: u64 = 30_000_000;

/// A way to decide positions.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Way {
    Rows,
    Columns,
    Rectangle(u16, u16),
}

/// Decides positions; the last rectangle is kept.
pub struct Solver {
    way: Way,
    player: Player,
}

impl Solver {
    /// A solver for this position; `kept` if it can decide it in the same way. For a game a
    /// rectangle is preferred, as it decides all positions to come.
    pub fn of(
        position: &Position,
        for_game: bool,
        kept: Option<Self>,
        watch: &dyn Watch,
    ) -> Result<Self, String> {
        let way = way(position, for_game).ok_or_else(|| too_large(position))?;
        if let Some(kept) = kept
            && (kept.way == way || kept.holds(&way))
        {
            return Ok(kept);
        }
        let player = match way {
            Way::Rows => Player::by_rows(Engine::default()),
            Way::Columns => Player::by_columns(Engine::default()),
            Way::Rectangle(rows, columns) => {
                Player::by_rectangle(rows, columns, watch).map_err(words)?
            }
        };
        Ok(Self { way, player })
    }

    /// Whether the solved rectangle is around the other one.
    fn holds(&self, way: &Way) -> bool {
        match (&self.way, way) {
            (Way::Rectangle(rows, columns), Way::Rectangle(inner, across)) => {
                inner <= rows && across <= columns
            }
            _ => false,
        }
    }

    /// Whether a solver for a game knows all positions within this one.
    pub fn can_know_all(position: &Position) -> bool {
        rectangle(position).is_some()
    }

    /// Whether there is a solver for games that begin with this position.
    pub fn can_play(position: &Position) -> bool {
        way(position, true).is_some()
    }

    pub fn player(&self) -> &Player {
        &self.player
    }

    pub fn answer(&self, position: &Position, watch: &dyn Watch) -> Result<AnswerObject, String> {
        self.player.answer(position, watch).map_err(words)
    }

    /// What an answer about this position rests on.
    pub fn basis(&self, position: &Position) -> String {
        match &self.way {
            Way::Rows => basis_of_rows(position),
            Way::Columns => {
                let basis = position.transposed().as_ref().map(basis_of_rows);
                format!("{} of the transposed position", basis.unwrap_or_default())
            }
            Way::Rectangle(rows, columns) => format!("all positions within {rows} × {columns}"),
        }
    }
}

fn basis_of_rows(position: &Position) -> String {
    let tail = position.tail();
    match tail.first_column() {
        _ if tail.parts().len() > 1 => format!("the rows of all tails within {tail}"),
        0 => "row 0".to_owned(),
        row => format!("rows 0 to {row}"),
    }
}

fn way(position: &Position, for_game: bool) -> Option<Way> {
    let rectangle = rectangle(position);
    if for_game && rectangle.is_some() {
        return rectangle;
    }
    if position.key().is_three_rowed() {
        return has_rows(position, TAILS).then_some(Way::Rows);
    }
    let by_rows = |most| has_rows(position, most).then_some(Way::Rows);
    let short = position.p().finite().and_then(ToPrimitive::to_u64).is_some_and(|p| p <= TAILS);
    let transposed = || position.transposed().filter(|transposed| has_rows(transposed, TAILS));
    let by_columns = || short.then(transposed).flatten().map(|_| Way::Columns);
    by_rows(FEW_TAILS).or(rectangle).or_else(by_columns).or_else(|| by_rows(TAILS))
}

/// Whether the page can compute the rows that the position needs.
fn has_rows(position: &Position, most: u64) -> bool {
    let key = position.key();
    if key.is_three_rowed() {
        return key.first_column() <= LARGEST_ROW;
    }
    Family::of_tails(0, key.tail).count().is_some_and(|rows| rows <= most)
}

/// The rectangle around the position, if the page can solve it.
fn rectangle(position: &Position) -> Option<Way> {
    let (rows, columns) = (position.height().to_u16()?, position.p().finite()?.to_u16()?);
    let few = choices(rows, columns).is_ok_and(|choices| choices <= CHOICES);
    few.then_some(Way::Rectangle(rows, columns))
}

fn too_large(position: &Position) -> String {
    if position.key().is_three_rowed() {
        return format!(
            "three rows are answered here if the third has at most {LARGEST_ROW} squares, and this \
             one has {}; the program chomp goes further",
            position.key().first_column()
        );
    }
    format!(
        "this position is too large for this page. It answers three rows, or three columns, with a \
         third one of up to {LARGEST_ROW} squares; boards of up to 14 × 14; and more rows if those \
         below the two longest are short, as in 1000 90 5 4. The program chomp goes further"
    )
}
