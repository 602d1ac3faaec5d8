//! How a position is decided here: by the rows that the page can compute in seconds, those of the
//! transposed position, or a rectangle that it can solve.

use ask::Player;
use driver::{Engine, Position, Reach, Watch, Way};

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
        let way =
            if for_game { Self::way_of_game(position) } else { Way::of(position, engine, &REACH) };
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

    /// How a solver for games decides those that begin with this position.
    pub fn way_of_game(position: &Position) -> Option<Way> {
        Way::of_game(position, Engine::default(), &REACH).map(|(way, _)| way)
    }

    pub fn player(&self) -> &Player {
        &self.0
    }
}

fn too_large(position: &Position) -> String {
    if position.key().is_three_rowed() {
        return format!(
            "three rows are answered here if the third has at most {LARGEST_ROW} squares, and this \
             one has {}",
            position.key().first_column()
        );
    }
    format!(
        "this position is too large for this page. It answers three rows, or three columns, with a \
         third one of up to {LARGEST_ROW} squares; boards of up to 14 × 14; and more rows if those \
         below the two longest are short, as in 1000 90 5 4"
    )
}
