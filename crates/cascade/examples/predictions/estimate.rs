//! Estimates of the number of rows of a word. They assume that the difference to the next periodic
//! row depends only on D(r) and on whether row r moves.

use std::collections::BTreeMap;

use cascade::{Letter, Word};

use crate::balance::Balance;

/// The strips of D are 1/20 wide.
const STRIPS: i128 = 20;

/// The unit of estimates: the number of units of one row.
pub const ROW: u128 = 1_000_000_000_000;

/// How often each difference followed, by strip of D and by whether the row moved.
#[derive(Default)]
pub struct Steps(BTreeMap<(bool, i128), [u64; 4]>);

impl Steps {
    /// The row after one with this D came `difference` rows later.
    pub fn add(&mut self, moves: bool, at: Balance, difference: u64) {
        let place = usize::try_from(difference.min(4) - 1).unwrap_or(3);
        self.0.entry((moves, at.floor(STRIPS))).or_default()[place] += 1;
    }

    /// The share of `amount` that the difference has among the rows in the strip of D; 0 if there
    /// is no such row.
    fn share(&self, amount: u128, moves: bool, at: Balance, difference: u64) -> u128 {
        let Some(counts) = self.0.get(&(moves, at.floor(STRIPS))) else { return 0 };
        let count = usize::try_from(difference - 1).ok().and_then(|place| counts.get(place));
        let all: u64 = counts.iter().sum();
        amount * u128::from(*count.unwrap_or(&0)) / u128::from(all)
    }

    /// The share of `amount` that the difference has among all rows in the strip of D, whether they
    /// move or not.
    pub fn share_of_any(&self, amount: u128, at: Balance, difference: u64) -> u128 {
        self.share_in(amount, at.floor(STRIPS), difference)
    }

    /// The same for the strip of D in which it is greatest.
    pub fn greatest_share(&self, amount: u128, difference: u64) -> u128 {
        let strips = self.0.keys().map(|&(_, strip)| strip);
        strips.map(|strip| self.share_in(amount, strip, difference)).max().unwrap_or(0)
    }

    fn share_in(&self, amount: u128, strip: i128, difference: u64) -> u128 {
        let of = |moves: bool| self.0.get(&(moves, strip)).copied().unwrap_or_default();
        let (stands, moves) = (of(false), of(true));
        let all: u64 = stands.iter().chain(&moves).sum();
        let place = usize::try_from(difference - 1).unwrap_or(usize::MAX);
        let counts = [stands, moves].map(|counts| counts.get(place).copied().unwrap_or(0));
        (amount * u128::from(counts[0] + counts[1])).checked_div(all.into()).unwrap_or(0)
    }

    /// The expected number of rows of this word after the rows with these D. All of these have the
    /// word of the cluster's last constant row.
    pub fn expected(&self, constants: &[Balance], word: &Word) -> u128 {
        let path = path(word);
        let expected = |&start: &Balance| {
            let (mut amount, mut at, mut moves) = (ROW, start, false);
            for &(difference, letter) in &path {
                amount = self.share(amount, moves, at, difference);
                if amount == 0 {
                    break;
                }
                at = at + Balance::step(difference);
                moves = letter == Letter::A;
            }
            amount
        };
        constants.iter().map(expected).sum()
    }
}

/// The letters of a word, each with the difference before it.
pub fn path(word: &Word) -> Vec<(u64, Letter)> {
    let mut path = Vec::new();
    let mut word = word.clone();
    while let Some(&letter) = word.letters().last() {
        let before = word.before().expect("a word with letters");
        path.push((word.rows() - before.rows(), letter));
        word = before;
    }
    path.reverse();
    path
}
