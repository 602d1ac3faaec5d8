//! `ChompGrundy` against the definition of Grundy values, and against `Rows`.

use byrnes::{ChompGrundy, LevelRow, Rows};
use game::{Board, Chomp, Search};
use num_bigint::BigUint;
use record::HeadForm;

/// A position with a Grundy value below this has one of the levels.
const LEVELS: u64 = 4;

/// The longest row of the positions that are looked at.
const TO: u16 = 24;

fn level_of(levels: &[Vec<LevelRow>], p: u16, q: u16, r: u16) -> Option<u64> {
    (0..).zip(&levels[usize::from(r)]).find_map(|(level, row)| {
        let f = row.row()?.f(&BigUint::from(q))?;
        (f == BigUint::from(p)).then_some(level)
    })
}

#[test]
fn levels_are_grundy_values() {
    let rows = ChompGrundy::to_level(LEVELS - 1).take(usize::from(TO) + 1);
    let rows: Vec<Vec<LevelRow>> = rows.map(Result::unwrap).collect();
    let mut search = Search::of(&Chomp);
    for p in 1..=TO {
        for q in 0..=p {
            for r in 0..=q {
                let board = Board::new(vec![p, q, r]).unwrap();
                let value = Some(search.grundy(&board)).filter(|value| *value < LEVELS);
                assert_eq!(level_of(&rows, p, q, r), value, "({p},{q},{r})");
            }
        }
    }
}

#[test]
fn level_0_is_the_rows() {
    let levels = ChompGrundy::to_level(1).map(|rows| rows.unwrap().swap_remove(0));
    for (level, row) in levels.zip(Rows::new()).take(60) {
        let (form, row) = (HeadForm::Offsets, row.unwrap());
        let record = level.record(0, form).unwrap();
        assert_eq!(record, row.record(form).unwrap());
    }
}

#[test]
fn rows_of_level_2_are_empty_from_row_2_on() {
    // (1,1,1) has the bites to (1,1,0) and (1,0,0), with the values 1 and 0.
    for (r, rows) in ChompGrundy::to_level(2).enumerate().take(30) {
        let row = rows.unwrap().swap_remove(2);
        assert_eq!(row.to_string() == "empty by 1", r >= 2, "row {r}: {row}");
    }
}
/// The range of the paper's own computation.
#[test]
fn levels_0_to_3_to_row_100_are_proved_twice() {
    for (r, rows) in ChompGrundy::to_level(3).enumerate().take(101) {
        for row in rows.unwrap() {
            let proof = row.row().and_then(|row| row.offsets().proof());
            assert!(proof.is_none_or(|proof| proof.classical.checked), "row {r}: {row}");
        }
    }
}
