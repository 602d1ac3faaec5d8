//! P or N, the winning bites, and the moves of the program.

use driver::{AnswerObject, Engine, Family, Player, Position, Source, Watch};
use serde::Serialize;

use crate::{json, require_row, words};

/// The most rows that a position with more than three rows may need: they take some seconds.
const TAILS: u64 = 10_000;

/// Whether a position, given as text, is P or N.
pub fn answer(text: &str, watch: &dyn Watch) -> Result<String, String> {
    let position = read(text)?;
    let answer = Engine::default().answer(&position, watch).map_err(words)?;
    Ok(json(&AnswerObject::from(&answer)))
}

/// A position whose rows the page computes.
fn read(text: &str) -> Result<Position, String> {
    let position: Position = text.trim().parse().map_err(words)?;
    let key = position.key();
    if key.is_three_rowed() {
        return require_row(key.first_column()).map(|()| position);
    }
    let family = Family::of_tails(0, key.tail);
    if family.count().is_some_and(|rows| rows <= TAILS) {
        return Ok(position);
    }
    Err("the rows below the two longest are too long for this page; the program chomp goes further"
        .to_owned())
}

/// The move of the program. The names of the fields are those of a bite in an answer.
#[derive(Serialize)]
struct Reply {
    bitten: usize,
    leaves: Vec<String>,
    /// Whether it leaves a P-position.
    wins: bool,
}

/// The bite that the program takes.
pub fn reply(text: &str, watch: &dyn Watch) -> Result<String, String> {
    let position = read(text)?;
    if position.finite_rows().is_none() {
        return Err("the program plays on finite boards only".to_owned());
    }
    let player = Player::of(&position, Engine::default(), watch).map_err(words)?;
    let played = player.bite(&position, watch).map_err(words)?;
    let played =
        played.ok_or("only the poison is left: there is no move, and who is to move has lost")?;
    let leaves = played.leaves.lengths().iter().map(ToString::to_string).collect();
    Ok(json(&Reply { bitten: played.bitten.row, leaves, wins: played.wins }))
}
