//! A row against its definition, in true columns and in others; records that settle it late.

use std::collections::BTreeSet;

use super::column::Column;
use super::diagonal::Diagonal;
use super::row::{Landmark, Live};
use super::settled::Settled;
use super::*;
use crate::error::{Limit, Why};
use byrnes::Rows;
use num_integer::Integer;
use proptest::collection::{btree_set, vec};
use proptest::prelude::*;
use record::{Finite, Head, HeadForm, Periodic, Statement};

pub(super) fn true_rows(count: usize) -> Vec<Record> {
    let rows = Rows::new().take(count);
    rows.map(|row| row.unwrap().record(HeadForm::Fingerprint).unwrap()).collect()
}

const TILE: Tile = Tile { columns: 16, rows: 512, threads: 2 };

fn check_in(
    tile: Tile,
    all_far: bool,
    cells: u64,
    rows: &[Record],
    watch: &dyn CheckWatch,
) -> Result<(), EarlyEnd> {
    let mut heads = Heads::new(rows, tile, watch);
    heads.diagonal.all_far = all_far;
    heads.check(None, cells)
}

fn outcomes(rows: &[Record]) -> [Result<(), EarlyEnd>; 2] {
    [false, true].map(|all_far| check_in(TILE, all_far, u64::MAX, rows, &()))
}

/// One record with another fingerprint.
pub(super) fn forged(rows: &[Record], place: usize) -> Vec<Record> {
    let mut rows = rows.to_vec();
    let mut statement = rows[place].statement().clone();
    match &mut statement {
        Statement::Finite(Finite { head: Head::Fingerprint(sum), .. })
        | Statement::Periodic(Periodic { head: Head::Fingerprint(sum), .. }) => *sum ^= 1,
        _ => panic!("no fingerprint was asked for"),
    }
    rows[place] = Record::of_row(statement).unwrap();
    rows
}

/// Groups of any number of columns, handed on in parts of any number of rows, on any number of
/// threads.
#[test]
fn the_verdict_does_not_depend_on_tiles() {
    let right = true_rows(300);
    let two_wrong = forged(&forged(&right, 271), 97);
    for columns in (1..40).step_by(2).chain([2, 8, 16, 64, 200]) {
        for (rows, threads) in [(1, 1), (7, 2), (50, 3), (1000, 2), (3, 5)] {
            let tile = Tile { columns, rows, threads };
            assert!(check_in(tile, false, u64::MAX, &right, &()).is_ok(), "{tile:?}");
            let outcome = check_in(tile, false, u64::MAX, &two_wrong, &());
            let Err(EarlyEnd::Refuted { row, why }) = outcome else { panic!("{tile:?} passed") };
            assert_eq!(row, 97, "{tile:?}");
            assert!(matches!(why, Why::WrongFingerprint { .. }), "{why:?}");
        }
    }
}

/// With any tiles and threads, a wrong diagonal value is refuted in its own cell, before a row
/// above it uses the value.
#[test]
fn a_wrong_diagonal_value_is_refuted_first() {
    let right = true_rows(200);
    for place in [0, 1, 15, 16, 17, 120, 199] {
        for change in [-1, 1, 7, 1_000_000_007] {
            let mut rows = right.clone();
            let mut statement = rows[place].statement().clone();
            let (Statement::Finite(Finite { first, .. })
            | Statement::Periodic(Periodic { first, .. })) = &mut statement
            else {
                panic!("row {place} is empty")
            };
            let computed = *first;
            *first = first.saturating_add_signed(change);
            let stated = *first;
            let Ok(record) = Record::of_row(statement) else { continue };
            rows[place] = record;
            for (columns, threads) in [(1, 1), (5, 3), (16, 2)] {
                let tile = Tile { columns, rows: 20, threads };
                let outcome = check_in(tile, false, u64::MAX, &rows, &());
                let Err(EarlyEnd::Refuted { row, why }) = outcome else { panic!("it passed") };
                assert_eq!((row, why), (place as u64, Why::WrongFirst { stated, computed }));
            }
        }
    }
}

/// No known row needs its intervals. Here every row gets them.
#[test]
fn intervals_do_what_words_do() {
    let right = true_rows(500);
    assert!(outcomes(&right).iter().all(Result::is_ok));

    for place in [3, 10, 97, 118, 400] {
        let rows = forged(&right, place);
        for outcome in outcomes(&rows) {
            let Err(EarlyEnd::Refuted { row, why }) = outcome else { panic!("{place} passed") };
            assert_eq!(row, place as u64);
            assert!(matches!(why, Why::WrongFingerprint { .. }), "{why:?}");
        }
    }
}

/// Fails if the check takes more cells than this.
struct UpTo(u64);

impl CheckWatch for UpTo {
    fn progress(&self, done: u64, _: u64, _: u64) {
        assert!(done <= self.0, "{done} cells, and the row has not settled");
    }
}

/// A true certificate can begin much later than necessary. Its check costs little, and compares all
/// that it states; a start that is too late is refused.
#[test]
fn late_certificates_cost_little() {
    let right = true_rows(200);
    let mut common = 1_u64;
    for (number, record) in right.iter().enumerate() {
        let Some(periodic) = record.periodic() else { continue };
        let (row, period) = (periodic.row, periodic.period());
        common = common.lcm(&period);
        let outcome = |change: &dyn Fn(&mut Periodic)| {
            let mut late = periodic.clone();
            late.certificate.from += (1 << 20) * common;
            late.certificate.recurs += (1 << 20) * common;
            change(&mut late);
            let late = Record::of_row(Statement::Periodic(late)).unwrap();
            let rows = [&right[..number], &[late]].concat();
            check_in(TILE, false, u64::MAX, &rows, &UpTo((8 * row + 512) * (row + 1)))
        };
        let refused = |change: &dyn Fn(&mut Periodic)| match outcome(change) {
            Err(EarlyEnd::Refuted { row: refused, why }) if refused == row => why,
            _ => panic!("row {row}"),
        };
        assert!(outcome(&|_| {}).is_ok(), "row {row}");

        let why = refused(&|late| late.start = late.certificate.from);
        let Why::RepeatsBefore { column, again } = why else { panic!("row {row}: {why:?}") };
        let distance = again - column;
        assert!(column > 2 * row + 64 && distance > 0, "row {row}: {column}, {again}");
        assert!(distance.is_multiple_of(common), "row {row}: {column}, {again}");

        let why = refused(&|late| late.start += period);
        assert!(matches!(why, Why::StartNotLeast { .. }), "row {row}: {why:?}");
        let why = refused(&|late| late.certificate.filled -= 1);
        assert!(matches!(why, Why::WrongState { .. }), "row {row}: {why:?}");
        if period > 1 {
            let why = refused(&|late| {
                late.certificate.from += 1;
                late.certificate.recurs += 1;
            });
            assert!(matches!(why, Why::WrongState { .. }), "row {row}: {why:?}");
        }
    }
    assert_eq!(common, 2, "row 120");
}

/// True certificates that all begin late: rows stay unsettled, one after the other, and their cells
/// count.
#[test]
fn cells_of_unsettled_rows_count() {
    let late = |by: u64| -> Vec<Record> {
        let late = |record: Record| match record.statement().clone() {
            Statement::Periodic(mut periodic) => {
                periodic.certificate.from += by;
                periodic.certificate.recurs += by;
                Record::of_row(Statement::Periodic(periodic)).unwrap()
            }
            _ => record,
        };
        true_rows(130).into_iter().map(late).collect()
    };
    let ordinary = 130 * 130;
    assert!(check_in(TILE, false, ordinary, &late(0), &()).is_ok());
    for cells in [ordinary, 0] {
        let outcome = check_in(TILE, false, cells, &late(1 << 20), &());
        let Err(EarlyEnd::Limit { row, limit }) = outcome else { panic!("{}", outcome.is_ok()) };
        let Limit::Cells { cells: most, column } = limit else { panic!("{limit}") };
        assert_eq!(most, cells);
        assert!(row < 130 && column >= row && column < 1 << 20, "row {row}, column {column}");
    }
    assert!(check(&late(1 << 20), None, None, &()).is_ok());
}

/// A row by its definition: it takes the least p from q on that neither the column, nor
/// the diagonal, nor its own past blocks.
struct Model {
    diagonal: BTreeSet<u32>,
    past: BTreeSet<u32>,
}

impl Model {
    fn take(&mut self, q: u32, column: &BTreeSet<u32>) -> u32 {
        let free = |p: &u32| !column.contains(&(p - q)) && !self.blocks(*p);
        let p = (q..q + 1000).find(free).unwrap();
        self.past.insert(p);
        p - q
    }

    fn blocks(&self, p: u32) -> bool {
        self.diagonal.contains(&p) || self.past.contains(&p)
    }

    fn state(&self, q: u32) -> (u64, Vec<u64>) {
        let members = self.members(q);
        let free = (0..).take(1000).find(|offset| !members.contains(offset)).unwrap();
        (free, members.into_iter().filter(|&member| member > free).collect())
    }

    /// U(q).
    fn members(&self, q: u32) -> BTreeSet<u64> {
        let blocked = self.diagonal.union(&self.past).filter(|&&p| p >= q);
        blocked.map(|&p| u64::from(p - q)).collect()
    }
}

/// Sets of intervals that begin below `end`, and numbers below it.
fn intervals(end: u32) -> impl Strategy<Value = BTreeSet<u32>> {
    let runs = vec((0..end, 0..=end / 5), 0..6);
    (runs, btree_set(0..end, 0..30)).prop_map(|(runs, scattered)| {
        let runs = runs.into_iter().flat_map(|(begin, length)| begin..begin + length);
        runs.chain(scattered).collect()
    })
}

/// What a column blocks: an interval of offsets from 0 on, and others.
type Blocked = (u32, BTreeSet<u32>);

/// What the diagonal blocks, and columns: near each other, or far apart.
fn surroundings() -> impl Strategy<Value = (BTreeSet<u32>, Vec<Blocked>)> {
    (1..120_u32).prop_flat_map(|scale| {
        let columns = vec((0..scale, intervals(2 * scale)), 1..120);
        (intervals(3 * scale), columns)
    })
}

/// Follows a row through columns and compares it with its definition. Returns the columns in which
/// its words determine its state.
fn follow(
    row: u32,
    diagonal: BTreeSet<u32>,
    others: Vec<Blocked>,
    columns: u32,
    all_far: bool,
) -> Vec<u32> {
    let record = true_rows(1).remove(0);
    // Rows above block more of the diagonal, which does not affect this row.
    let mut of_diagonal = Diagonal { all_far, ..Diagonal::default() };
    (0..400).filter(|p| p % 3 == 0).for_each(|p| of_diagonal.block_from(p, row + 1));
    for &p in &diagonal {
        of_diagonal.block_from(p, row);
    }
    let end = diagonal.last().map_or(1, |last| last + 1);
    of_diagonal.ends = vec![end; row as usize + 1];
    let mut live = Live::new(&record, row).ok().unwrap();
    let mut model = Model { diagonal, past: BTreeSet::new() };
    let mut landmarks = Vec::new();
    for (q, (filled, others)) in (row..).zip(others) {
        let on_diagonal = model.diagonal.range(q..).map(|p| p - q);
        let column: BTreeSet<u32> = (0..filled).chain(others).chain(on_diagonal).collect();
        let floor = (q - q % columns) & !7;
        let mut blocked = Column::default();
        blocked.prepare(q, floor, &Settled::none());
        for offset in &column {
            blocked.block(q + offset);
        }
        let p = if q == row {
            let first = blocked.next_free(q);
            live.take_first(first, &blocked, &of_diagonal);
            first
        } else {
            live.raise(floor);
            live.take(&mut blocked, &of_diagonal)
        };
        let offset = p - q;
        assert_eq!(offset, model.take(q, &column), "column {q}");
        assert_eq!(live.state(q + 1, &of_diagonal), model.state(q + 1));
        if let Some(Landmark { filled, above, .. }) = live.landmark(q + 1, &of_diagonal) {
            let above = (0..64).filter(|bit| above >> bit & 1 == 1).map(|bit| filled + bit);
            let members: BTreeSet<u64> = (0..filled).chain(above).map(u64::from).collect();
            assert_eq!(members, model.members(q + 1));
            landmarks.push(q + 1);
        }
    }
    landmarks
}

/// While the columns block a free p below those that the row has taken, its words do not determine
/// its state.
#[test]
fn landmarks_come_when_nothing_is_left_below() {
    // Row 2 takes 102, 103, ..., and leaves what is less; column 69 is the first that is late.
    let landmarks = follow(2, BTreeSet::new(), vec![(100, BTreeSet::new()); 120], 16, false);
    assert_eq!(landmarks, (102..=122).collect::<Vec<u32>>());
}

proptest! {
    /// In the columns of Chomp the words are enough. In these they are not.
    #[test]
    fn a_row_takes_the_least_p_that_any_column_leaves(
        row in 1..30_u32,
        (diagonal, others) in surroundings(),
        columns in 1..50_u32,
        all_far: bool,
    ) {
        follow(row, diagonal, others, columns, all_far);
    }

    /// Columns that are all alike, so that rows settle.
    #[test]
    fn a_row_in_columns_that_are_all_alike(
        row in 1..8_u32,
        diagonal in intervals(90),
        column in (0..120_u32, intervals(130)),
        columns in 1..50_u32,
    ) {
        follow(row, diagonal, vec![column; 150], columns, false);
    }
}
