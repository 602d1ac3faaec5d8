//! Levels and tails against every Grundy value of three rows to 300, and every one of four and five
//! rows to 14; against Cho's paper; and boards against their conjugates.

use std::collections::HashMap;
use std::num::NonZero;
use std::ops::ControlFlow;

use boards::grundy::within::Table;
use game::{Board, Chomp, Search, ThreeRows};
use levels::{Options, rows};
use record::{Family, HeadForm, Record, Tail};

/// All rows of a family: of each tail, those of levels 0, 1, 2, ...
struct RowsByTail(HashMap<Tail, Vec<Record>>);

impl RowsByTail {
    fn of(level: u64, within: &str) -> Self {
        let family = Family::of_tails(level, within.parse().unwrap());
        let options = Options {
            threads: NonZero::new(2).unwrap(),
            form: HeadForm::Offsets,
            ..Options::default()
        };
        let mut by_tail: HashMap<Tail, Vec<Record>> = HashMap::new();
        for row in rows(&family, &options, &mut |_| ControlFlow::Continue(())).unwrap() {
            by_tail.entry(row.key().tail().clone()).or_default().push(row);
        }
        Self(by_tail)
    }

    /// The value of a position, if one of the levels has it.
    fn value(&self, p: u64, q: u64, tail: &Tail) -> Option<u64> {
        value(p, q, &self.0[tail])
    }

    fn value_of(&self, board: &Board) -> Option<u64> {
        let row = |number: usize| board.rows().get(number).map_or(0, |&length| length.into());
        let parts = board.rows().iter().skip(2).map(|&part| part.into()).collect();
        self.value(row(0), row(1), &Tail::new(parts).unwrap())
    }
}

fn value(p: u64, q: u64, levels: &[Record]) -> Option<u64> {
    let has = |row: &Record| row.offset(q).unwrap().is_some_and(|offset| q + offset == p);
    levels.iter().find(|row| has(row)).map(|row| row.key().level)
}

/// All boards of at most this number of rows, none of them longer than this.
fn boards(rows: usize, longest: u16) -> Vec<Board> {
    let within = Tail::new(vec![longest.into(); rows]).unwrap();
    let parts = within.within().map(|tail| tail.parts().to_vec()).skip(1);
    let short = |part: u64| u16::try_from(part).unwrap();
    parts.map(|parts| Board::new(parts.into_iter().map(short).collect()).unwrap()).collect()
}

/// The Grundy values of all positions of three rows with p <= n.
fn values(n: u16) -> impl Iterator<Item = (ThreeRows, u64)> {
    let around = Board::rectangle(3, n).unwrap();
    let table = Table::of(&around, &|_| ControlFlow::Continue(())).unwrap();
    ThreeRows::up_to(n.into()).map(move |position| {
        let value = table.value(&Board::try_from(position).unwrap());
        (position, value.unwrap().into())
    })
}

/// 4.5 million values; one in a hundred has one of these levels.
#[test]
fn levels_are_those_of_the_table() {
    let rows = RowsByTail::of(6, "300");
    let by_row: Vec<&[Record]> = (0..=300).map(|r| &rows.0[&Tail::of_row(r)][..]).collect();
    let mut found = 0;
    for (position, expected) in values(300) {
        let levels = by_row[usize::try_from(position.r()).unwrap()];
        let stated = value(position.p(), position.q(), levels);
        assert_eq!(stated, Some(expected).filter(|value| *value <= 6), "{position}");
        found += u64::from(stated.is_some());
    }
    assert!(found > 40_000, "{found}");
}

#[test]
fn two_rows_are_those_of_the_table() {
    const LEVEL: u64 = 60;
    let rows = RowsByTail::of(LEVEL, "()");
    for (position, value) in values(100).filter(|(position, _)| position.r() == 0) {
        let stated = rows.value(position.p(), position.q(), &Tail::default());
        assert_eq!(stated, Some(value).filter(|value| *value <= LEVEL), "{position}");
    }
}

#[test]
fn four_and_five_rows_are_those_of_the_search() {
    let (rows, mut search) = (RowsByTail::of(3, "14,14,14"), Search::of(&Chomp));
    let boards = boards(5, 14);
    assert_eq!(boards.len(), 11_627);
    for board in boards {
        let value = search.grundy(&board);
        assert_eq!(rows.value_of(&board), Some(value).filter(|value| *value <= 3), "{board}");
    }
}

/// Summary 2 of his paper: every P-position of four rows, from 4 × 5 to 4 × 7.
#[test]
fn four_rowed_p_positions_of_cho() {
    let rows = RowsByTail::of(0, "7,7");
    for shape in [
        "[1133]", "[1125]", "[2255]", "[2335]", "[2226]", "[2237]", "[2357]", "[2447]", "[3377]",
        "[3457]", "[4557]",
    ] {
        assert_eq!(rows.value_of(&shape.parse().unwrap()), Some(0), "{shape}");
    }
}

/// The recurrence treats the rows of a board in different ways, and its columns not at all.
#[test]
fn a_board_and_its_conjugate_have_the_same_value() {
    const SIDE: u16 = 7;
    let rows = RowsByTail::of(6, "7,7,7,7,7");
    let mut found = 0;
    for board in boards(SIDE.into(), SIDE) {
        let value = rows.value_of(&board);
        assert_eq!(value, rows.value_of(&board.transposed()), "{board}");
        found += u64::from(value.is_some());
    }
    assert!(found > 500, "{found}");
}
