//! P or N, the winning bites, and how the program plays.

use driver::{
    Answer, AnyPosition, BoardPosition, Engine, OmegaAnswer, Played, Player, Position, Watch,
};
use serde::Serialize;
use serde_json::Value;

use crate::{object, require_row, words};

/// What the page shows of a position.
#[derive(Serialize)]
struct Shown {
    /// As it is written, `(7,5,3)`.
    name: String,
    lengths: [String; 3],
    /// Zeilberger's `[c,a,b]`; none with rows of ω squares.
    cab: Option<[String; 3]>,
    is_p: bool,
    bites: Vec<Bite>,
    /// The last of the rows that the answer rests on; the first is row 0.
    rests_on: u64,
}

/// A bite that leaves a P-position, or the program's move.
#[derive(Serialize)]
struct Bite {
    /// `top`, `middle` or `bottom`.
    row: String,
    /// The name of what it leaves.
    name: String,
    leaves: [String; 3],
}

/// Whether the position that a text names is P or N.
pub fn answer(text: &str, watch: &dyn Watch) -> Result<Value, String> {
    match text.trim().parse().map_err(words)? {
        AnyPosition::Finite(position) => Ok(object(&finite(&asked(&position, watch)?))),
        AnyPosition::Omega(position) => {
            require_row(position.row())?;
            let answer = Engine::default().query_omega(&position, watch).map_err(words)?;
            Ok(object(&omega(&answer)))
        }
    }
}

fn asked(position: &Position, watch: &dyn Watch) -> Result<Answer, String> {
    require_row(position.r())?;
    Engine::default().query(position, watch).map_err(words)
}

fn finite(answer: &Answer) -> Shown {
    let Answer { position, bites, .. } = answer;
    let bite = |bite: &driver::Bite| Bite {
        row: bite.bitten.to_string(),
        name: bite.leaves.to_string(),
        leaves: lengths(&bite.leaves),
    };
    Shown {
        name: position.to_string(),
        lengths: lengths(position),
        cab: Some(position.zeilberger().map(|number| number.to_string())),
        is_p: answer.is_p(),
        bites: bites.iter().map(bite).collect(),
        rests_on: position.r(),
    }
}

fn omega(answer: &OmegaAnswer) -> Shown {
    let OmegaAnswer { position, bites, record } = answer;
    let bite = |bite: &driver::OmegaBite| Bite {
        row: bite.bitten.to_string(),
        name: bite.leaves.to_string(),
        leaves: match &bite.leaves {
            AnyPosition::Finite(position) => lengths(position),
            AnyPosition::Omega(position) => position.lengths().map(|length| length.to_string()),
        },
    };
    Shown {
        name: position.to_string(),
        lengths: position.lengths().map(|length| length.to_string()),
        cab: None,
        is_p: answer.is_p(),
        bites: bites.iter().map(bite).collect(),
        rests_on: record.row(),
    }
}

fn lengths(position: &Position) -> [String; 3] {
    position.lengths().map(|length| length.to_string())
}

/// How the program moves.
#[derive(Serialize)]
struct Reply {
    bite: Bite,
    /// Whether it leaves a P-position.
    wins: bool,
}

/// The bite that the program takes.
pub fn reply(text: &str, watch: &dyn Watch) -> Result<Value, String> {
    let position: Position = text.trim().parse().map_err(words)?;
    require_row(position.r())?;
    let position = BoardPosition::new(position.lengths().to_vec()).map_err(words)?;
    let player = Player::of(&position, Engine::default(), watch).map_err(words)?;
    let played = player.bite(&position, watch).map_err(words)?;
    let Played { bitten, leaves, wins } =
        played.ok_or("only the poison is left: there is no move, and who is to move has lost")?;
    let row = ["top", "middle", "bottom"][bitten.row - 1].to_owned();
    let leaves = leaves.of_three_rows().ok_or("a bite adds no row")?;
    let bite = Bite { row, name: leaves.to_string(), leaves: lengths(&leaves) };
    Ok(object(&Reply { bite, wins }))
}
