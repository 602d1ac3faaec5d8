//! A strategy for a P-position: the reply to every bite.
//!
//! In a P-position replies come in *pairs* of squares: if the reply to a bite at A is a bite at B,
//! then a bite at A answers a bite at B, and leaves the same position. For a bite at either square
//! leaves the other square: B is still there after A, and if B removed A, the one bite at B would
//! leave a P-position. So a strategy is a set of pairs in which every square but the poison occurs.
//! Cho (2018) draws it so: the two squares of a pair have the same label.

use std::collections::BTreeMap;
use std::fmt;

use game::{Board, Outcome, Square};

use crate::Outcomes;

/// A reason why a position is a P-position, without any search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// Two rows or two columns, whose lengths differ by one. Cho, proposition 2.1; the 2005 paper,
    /// section 5.2.
    TwoRows,
    /// A row and a column of the same length and nothing else. Cho, proposition 2.2; the 2005
    /// paper, section 5.1.
    EqualWings,
    /// `(b+2,b,2)`, or its mirror image: the 2TopRow Rule of Cho, proposition 2.3; the 2005 paper,
    /// section 8.
    TwoTopRow,
    /// `(b+3,b,3)`, b = 3 or 4, or its mirror image: the 3TopRow Rule of Cho, corollary 2.9.
    ThreeTopRow,
}

impl Rule {
    /// The rule that makes a board a P-position, if one does.
    pub fn of(board: &Board) -> Option<Self> {
        // At most one rule has the lengths of rows or of columns.
        [board, &board.transposed()].into_iter().find_map(|board| match *board.rows() {
            [first, second] if first == second + 1 => Some(Self::TwoRows),
            [first, second, 2] if first == second + 2 => Some(Self::TwoTopRow),
            [first, second @ (3 | 4), 3] if first == second + 3 => Some(Self::ThreeTopRow),
            [first, ref others @ ..] if first == board.height() => {
                others.iter().all(|&row| row == 1).then_some(Self::EqualWings)
            }
            _ => None,
        })
    }
}

/// As in `by the rule of equal wings`.
impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(match self {
            Self::TwoRows => "the rule of two rows",
            Self::EqualWings => "the rule of equal wings",
            Self::TwoTopRow => "the rule (b+2,b,2)",
            Self::ThreeTopRow => "the rule (b+3,b,3), b = 3 and 4",
        })
    }
}

/// Two squares of a P-position that answer each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The squares, in their order.
    pub squares: [Square; 2],
    /// The P-position that the two bites leave, in either order.
    pub leaves: Board,
    /// The rule by which it is one.
    pub rule: Option<Rule>,
}

/// A pair of a strategy with its label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labelled {
    /// A number, from 1 on, with primes if another pair with this number has the reply, too.
    pub label: String,
    /// The pair.
    pub pair: Pair,
}

/// The reply to every bite of a P-position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strategy {
    /// The position.
    pub board: Board,
    /// All pairs: all replies to all bites.
    pub all: Vec<Pair>,
    /// Pairs that cover every square but the poison, by label: first those whose positions no rule
    /// explains.
    pub chosen: Vec<Labelled>,
}

impl Strategy {
    /// The strategy of a position; `None` if it is N, or does not fit into the rectangle.
    ///
    /// Replies that a rule explains are preferred to others, and squares that have no label yet to
    /// those that have. Costs the square of the number of squares.
    pub fn of(solution: &(impl Outcomes + ?Sized), board: &Board) -> Option<Self> {
        if solution.outcome(board)? == Outcome::N {
            return None;
        }
        let all = all_pairs(solution, board);
        let chosen = labelled(choice(&all));
        Some(Self { board: board.clone(), all, chosen })
    }

    /// The chosen pairs with this square, by label.
    pub fn labels(&self, square: Square) -> Vec<&Labelled> {
        let mut labels: Vec<_> =
            self.chosen.iter().filter(|labelled| labelled.pair.squares.contains(&square)).collect();
        labels.sort_by_key(|labelled| (labelled.label.len(), &labelled.label));
        labels
    }
}

fn all_pairs(solution: &(impl Outcomes + ?Sized), board: &Board) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (bitten, left) in board.bites() {
        for (reply, leaves) in left.bites().filter(|(reply, _)| *reply > bitten) {
            if solution.outcome(&leaves) == Some(Outcome::P) {
                let rule = Rule::of(&leaves);
                pairs.push(Pair { squares: [bitten, reply], leaves, rule });
            }
        }
    }
    pairs
}

/// The pairs of each square, those that a rule explains first.
fn by_square(all: &[Pair]) -> BTreeMap<Square, Vec<&Pair>> {
    let mut pairs = BTreeMap::<Square, Vec<&Pair>>::new();
    for pair in all {
        for square in pair.squares {
            pairs.entry(square).or_default().push(pair);
        }
    }
    for pairs in pairs.values_mut() {
        pairs.sort_by_key(|pair| (pair.rule.is_none(), pair.rule));
    }
    pairs
}

/// Pairs in which every square occurs: first those of which no two have a square in common, then
/// those of which one square is in another pair. A pair is *free* while none of its squares has a
/// label. While there are free pairs, the square with the fewest of them takes one. Each remaining
/// square shares the label of another one.
fn choice(all: &[Pair]) -> [Vec<&Pair>; 2] {
    let mut open = by_square(all);
    let (mut apart, mut shared) = (Vec::new(), Vec::new());
    while let Some((&square, pairs)) =
        open.iter().min_by_key(|(_, pairs)| free(pairs, &open).count())
    {
        let free_pair = free(pairs, &open).next();
        if let Some(pair) = free_pair {
            apart.push(pair);
            open.retain(|square, _| !pair.squares.contains(square));
        } else {
            shared.push(pairs[0]);
            open.remove(&square);
        }
    }
    [apart, shared]
}

fn free<'a>(
    pairs: &[&'a Pair],
    open: &BTreeMap<Square, Vec<&Pair>>,
) -> impl Iterator<Item = &'a Pair> {
    pairs.iter().copied().filter(|pair| pair.squares.iter().all(|square| open.contains_key(square)))
}

/// Labels. Pairs that share no square are numbered, first those that no rule explains. A pair that
/// shares a square has the number of a pair with that square, and primes.
fn labelled([mut apart, shared]: [Vec<&Pair>; 2]) -> Vec<Labelled> {
    apart.sort_by_key(|pair| (pair.rule, pair.squares));
    let mut labels: Vec<Labelled> = (1..)
        .zip(apart)
        .map(|(n, pair): (usize, _)| Labelled { label: n.to_string(), pair: pair.clone() })
        .collect();
    for pair in shared {
        let has_square = |other: &&Labelled| {
            other.pair.squares.iter().any(|square| pair.squares.contains(square))
        };
        let other = labels.iter().find(has_square).map(|other| other.label.clone());
        let mut label = other.unwrap_or_default() + "'";
        while labels.iter().any(|other| other.label == label) {
            label.push('\'');
        }
        labels.push(Labelled { label, pair: pair.clone() });
    }
    labels.sort_by_key(|labelled| labelled.pair.rule);
    labels
}
