//! How a position is decided here: by the rows that the page can compute in seconds, those of the
//! transposed position, or a rectangle that it can solve.

use driver::{Answer, Engine, Player, Position, Reach, Theorem, Watch, Way};

use crate::{LARGEST_ROW, words};

/// The page goes so far. 10 000 rows of tails take some seconds, as does 14 x 14, which has 20
/// million choices of lower rows.
const REACH: Reach = Reach { row: LARGEST_ROW, tails: 10_000, choices: 30_000_000 };

/// Decides positions; the last rectangle is kept.
pub struct Solver(Player);

impl Solver {
    /// A solver for this position; `kept` if it can decide it in the same way. For a game a
    /// rectangle is preferred, as it decides all positions to come.
    pub fn of(
        position: &Position,
        for_game: bool,
        kept: Option<Self>,
        watch: &dyn Watch,
    ) -> Result<Self, String> {
        let engine = Engine::default();
        let way = if for_game {
            Way::of_game(position, engine, &REACH).map(|(way, _)| way)
        } else {
            Way::of(position, engine, &REACH)
        };
        let way = way.ok_or_else(|| too_large(position))?;
        match kept {
            Some(kept) if kept.knows(way) => Ok(kept),
            _ => Player::by(way, engine, watch).map(Self).map_err(words),
        }
    }

    /// Whether it decides positions in this way, or knows the whole rectangle.
    fn knows(&self, way: Way) -> bool {
        match (self.0.way(), way) {
            (
                Some(Way::Rectangle { rows, columns }),
                Way::Rectangle { rows: inner, columns: across },
            ) => inner <= rows && across <= columns,
            (own, way) => own == Some(way),
        }
    }

    /// Whether a solver for a game knows all positions within this one.
    pub fn can_know_all(position: &Position) -> bool {
        Way::of_game(position, Engine::default(), &REACH).is_some_and(|(way, _)| way.solves_all())
    }

    /// Whether there is a solver for games that begin with this position.
    pub fn can_play(position: &Position) -> bool {
        Way::of_game(position, Engine::default(), &REACH).is_some()
    }

    pub fn player(&self) -> &Player {
        &self.0
    }

    pub fn answer(&self, position: &Position, watch: &dyn Watch) -> Result<Answer, String> {
        self.0.answer(position, watch).map_err(words)
    }

    /// The basis of an answer about this position.
    pub fn basis(&self, position: &Position) -> String {
        match self.0.way().unwrap_or(Way::Rows) {
            Way::Theorem => {
                let answer = Theorem::decide(position);
                let theorem = answer.and_then(|answer| answer.theorem());
                theorem.map_or(String::new(), |theorem| format!("a theorem. {theorem}"))
            }
            Way::Rows => basis_of_rows(position),
            Way::Columns => {
                let basis = position.transposed().as_ref().map(basis_of_rows);
                format!("{} of the transposed position", basis.unwrap_or_default())
            }
            Way::Rectangle { rows, columns } => format!("all positions within {rows} × {columns}"),
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
