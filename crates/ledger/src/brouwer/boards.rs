//! Claims about boards with any number of rows, decided by the solver of `boards`.

use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::Mutex;

use boards::openings::Openings;
use game::{Board, Square};
use record::joined;

use crate::evidence::{Evidence, SIDE};
use crate::verdict::Finding;

/// A square by its column and row.
pub fn at((column, row): (u16, u16)) -> Square {
    Square { row, column }
}

/// Squares as Cho names them: column and row.
pub fn squares(squares: &[Square]) -> String {
    let names = squares.iter().map(|Square { row, column }| format!("({column},{row})"));
    if squares.is_empty() { "none".to_owned() } else { joined(names, ", ") }
}

/// The winning openings, and the boards that they leave.
pub fn winning(evidence: &Evidence, rows: u16, columns: u16) -> (Vec<Square>, Vec<Board>) {
    let found =
        Openings::of(evidence.boards(), rows, columns).expect("a rectangle that was solved");
    let rectangle = Board::rectangle(rows, columns).expect("not empty");
    let leave = found.bites.iter().filter_map(|&bite| rectangle.after(bite)).collect();
    (found.bites, leave)
}

/// A statement about each n from this one on.
pub fn each_side(from: u16, wrong: impl Fn(u16) -> Option<String>) -> Finding {
    let wrong = |n| wrong(u16::try_from(n).expect("a side"));
    Finding::each(from.into()..=SIDE.into(), wrong)
}

/// On n × n, n >= from, the bite at a square (column, row) wins; if `alone` is set, no other does.
pub fn square_opening(
    evidence: &Evidence,
    (from, square, alone): (u16, (u16, u16), bool),
) -> Finding {
    each_side(from, |n| {
        let found = winning(evidence, n, n).0;
        let right = found.contains(&at(square)) && (!alone || found.len() == 1);
        (!right).then(|| format!("{n}x{n}: {}", squares(&found)))
    })
}

/// On m × n, from <= m <= n, taking the corner square alone loses.
pub fn corner_loses(evidence: &Evidence, (from,): (u16,)) -> Finding {
    each_side(from, |n| {
        let wins = |&m: &u16| winning(evidence, m, n).0.contains(&Square { row: m, column: n });
        (from..=n).find(wins).map(|m| format!("{m}x{n}: the corner square wins"))
    })
}

/// Rectangles have these numbers of winning openings: rows, columns and number.
pub fn number_of_openings(evidence: &Evidence, (said,): (Vec<(u16, u16, usize)>,)) -> Finding {
    let (mut right, mut figures) = (true, Vec::new());
    for (rows, columns, number) in said {
        let found = winning(evidence, rows, columns).0;
        figures.push(format!("{rows}x{columns}: {}", squares(&found)));
        right &= found.len() == number;
    }
    Finding::found(right, figures.join("; "))
}

/// The first Grundy values of 3 × 1, 3 × 2, ..., by a full table.
pub fn grundy_values(_: &Evidence, (terms,): (Vec<u64>,)) -> Finding {
    let columns = u16::try_from(terms.len()).expect("the ledger has a short list");
    let found = Mutex::new(Vec::new());
    let go_on = |_| ControlFlow::Continue(());
    boards::grundy::rectangles(columns, NonZero::<usize>::MIN, &go_on, &|_, value| {
        found.lock().expect("nobody panics").push(u64::from(value));
        ControlFlow::Continue(())
    })
    .expect("a small table");
    let found = found.into_inner().expect("nobody panics");
    let wrong = (1..).zip(terms.iter().zip(&found)).find(|(_, (term, value))| term != value);
    Finding::unless(wrong.map(|(n, (_, value))| format!("3x{n} has the value {value}")))
        .by(format!("all positions of 3x{columns}"))
}
