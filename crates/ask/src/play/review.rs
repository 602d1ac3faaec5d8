//! A game that is over, judged bite by bite.

use serde::Serialize;

use super::Player;
use driver::{Answer, Error, Position, Watch};

/// A bite of a game, judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Judged {
    /// Whether it gave a win away: the position before it is N, and so is the one that it leaves.
    pub is_error: bool,
    /// The position before it, with the bites that win there.
    pub before: Answer,
    /// The position that it leaves, with the bites by which the other player wins.
    pub after: Answer,
}

/// Judges each bite of a game, given by its positions, the first one among them.
///
/// # Errors
/// As [`Player::winning_bites`].
///
/// ```
/// use ask::{Player, review};
/// use driver::Position;
/// let player = Player::by_rectangle(3, 3, &())?;
/// let read = |text: &&str| text.parse::<Position>().unwrap();
/// // The bite at the corner gives the win away; the reply takes it.
/// let game: Vec<Position> = ["3 3 3", "3 3 2", "3 1 1"].iter().map(read).collect();
/// let judged = review(&player, &game, &())?;
/// assert_eq!([judged[0].is_error, judged[1].is_error], [true, false]);
/// assert!(judged[1].after.is_p());
/// # Ok::<(), driver::Error>(())
/// ```
pub fn review(
    player: &Player,
    positions: &[Position],
    watch: &dyn Watch,
) -> Result<Vec<Judged>, Error> {
    let answers = positions.iter().map(|position| player.answer(position, watch));
    let answers = answers.collect::<Result<Vec<Answer>, _>>()?;
    Ok(answers.windows(2).map(|pair| judged(&pair[0], &pair[1])).collect())
}

fn judged(before: &Answer, after: &Answer) -> Judged {
    let is_error = !before.is_p() && !after.is_p();
    Judged { is_error, before: before.clone(), after: after.clone() }
}
