//! The slow oracles: they depend on no evidence. Each is computed on first use, and kept.

use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::LazyLock;

use boards::boundary::{Solution, Solver};
use boards::{Outcomes, Solved};
use byrnes::{ChompGrundy, LevelRow, Losers, Row};
use game::brouwer::Table;
use game::{Board, GameTree, Outcome, ThreeRows};
use record::{HeadForm, Record};

/// The game tree has all positions with p to this number.
pub const TREE: u64 = 60;

/// f(q,r) is computed by Brouwer's recurrence for q and r to this number.
pub const TABLE: u64 = 400;

/// The literal recurrence computes rows to this one.
pub const LITERAL: usize = 400;

/// Levels 0 to this one are computed by the literal recurrence.
pub const LEVEL: u64 = 3;

/// Of each level, rows 0 to this one.
pub const LEVEL_ROWS: usize = 100;

/// All boards with at most this number of rows and columns are solved.
pub const SIDE: u16 = 15;

pub static GAME_TREE: LazyLock<GameTree> = LazyLock::new(|| GameTree::up_to(TREE));

pub static BROUWERS_TABLE: LazyLock<Table> = LazyLock::new(|| Table::up_to(TABLE));

static LITERAL_ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let rows = byrnes::Rows::new().take(LITERAL + 1);
    rows.map(|row| row.expect("the first rows can be proved")).collect()
});

/// The levels of each row, by the literal recurrence.
pub static LEVELS_OF_ROWS: LazyLock<Vec<Vec<Record>>> = LazyLock::new(|| {
    let record = |(level, row): (u64, LevelRow)| {
        row.record(level, HeadForm::Fingerprint).expect("a row has a record")
    };
    let records = |levels: Vec<LevelRow>| (0..).zip(levels).map(record).collect();
    let rows = ChompGrundy::to_level(LEVEL).take(LEVEL_ROWS + 1);
    rows.map(|levels| records(levels.expect("the first rows can be proved"))).collect()
});

/// All positions of [`SIDE`] by [`SIDE`].
pub static BOARDS: LazyLock<Solution> = LazyLock::new(|| {
    let solver = Solver::new(SIDE, SIDE).expect("a small rectangle");
    let on_progress = |_| ControlFlow::Continue(());
    solver.solve(NonZero::<usize>::MIN, &|_, _| (), &on_progress).expect("nobody stops it")
});

/// The P-positions among them.
pub static P_POSITIONS: LazyLock<Vec<Board>> = LazyLock::new(|| BOARDS.p_positions().collect());

/// Row r by the literal recurrence, for r to [`LITERAL`].
pub fn literal(row: usize) -> &'static Losers {
    LITERAL_ROWS[row].offsets()
}

/// The outcome of a board with at most [`SIDE`] rows and columns.
pub fn outcome_of(board: &Board) -> Outcome {
    BOARDS.outcome(board).expect("a board that was solved")
}

/// The outcome of a position with p to [`TREE`].
pub fn outcome(position: ThreeRows) -> Outcome {
    GAME_TREE.outcome(position).expect("a position within the tree")
}

/// The bites of a position that leave P-positions, sorted.
pub fn replies(position: ThreeRows) -> Vec<ThreeRows> {
    let mut replies: Vec<ThreeRows> =
        position.bites().filter(|&bite| outcome(bite) == Outcome::P).collect();
    replies.sort_unstable();
    replies
}

/// Every p <= [`TREE`] that makes `(p, min(p,q), min(p,q,r))` a P-position, by the game tree. There
/// should be one.
pub fn values(q: u64, r: u64) -> Vec<u64> {
    let position = |p: u64| ThreeRows::new(p, p.min(q), p.min(q).min(r)).expect("sorted lengths");
    (1..=TREE).filter(|&p| outcome(position(p)) == Outcome::P).collect()
}
