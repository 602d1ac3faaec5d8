//! A row against its definition, in true columns and in others; records that settle it late.

use std::collections::BTreeSet;
use std::slice;
use std::sync::LazyLock;

use super::column::{Column, Columns, Settled};
use super::row::Live;
use super::words::Diagonal;
use super::*;
use byrnes::Rows;
use num_integer::Integer;
use proptest::collection::{btree_set, vec};
use proptest::prelude::*;
use record::{Finite, Head, HeadForm, Periodic, Statement};
use serde_json::json;

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
            assert_eq!(why.reason, "wrong_fingerprint", "{why}");
        }
    }
}

/// Rows that are wrong in one number, each with the reason for which its row is refuted.
fn wrong_rows(form: HeadForm) -> Vec<(usize, Vec<Record>, &'static str)> {
    let right: Vec<Record> =
        Rows::new().take(131).map(|row| row.unwrap().record(form).unwrap()).collect();
    let mut wrong = Vec::new();
    let mut add = |place: usize, statement: Statement, reason| {
        let mut rows = right.clone();
        rows[place] = Record::of_row(statement).unwrap();
        wrong.push((place, rows, reason));
    };
    let finite = |place: usize, change: &dyn Fn(&mut Finite)| {
        let Statement::Finite(mut row) = right[place].statement().clone() else {
            panic!("{place}")
        };
        change(&mut row);
        Statement::Finite(row)
    };
    let periodic = |place: usize, change: &dyn Fn(&mut Periodic)| {
        let mut row = right[place].periodic().unwrap().clone();
        change(&mut row);
        Statement::Periodic(row)
    };
    let head = |head: &mut Head, change: &dyn Fn(&mut Vec<u64>)| match head {
        Head::Offsets(offsets) => change(offsets),
        Head::Fingerprint(_) => {}
    };
    for place in [98, 121] {
        let longer = finite(place, &|row| {
            row.last += 1;
            head(&mut row.head, &|offsets| offsets.insert(offsets.len() - 1, row.row + 1));
        });
        let shorter = finite(place, &|row| {
            row.last -= 1;
            head(&mut row.head, &|offsets| _ = offsets.remove(offsets.len() - 2));
        });
        let listed = form == HeadForm::Offsets;
        add(place, longer, if listed { "wrong_offset" } else { "ends" });
        add(place, shorter, if listed { "wrong_offset" } else { "goes_on" });
    }
    add(120, periodic(120, &|row| row.certificate.filled -= 1), "wrong_state");
    add(99, periodic(99, &|row| row.certificate.above.push(70)), "wrong_state");
    if form == HeadForm::Fingerprint {
        let later = periodic(120, &|row| {
            row.start += 2;
            row.certificate.from += 2;
            row.certificate.recurs += 2;
        });
        add(120, later, "start_not_least");
    } else {
        let other = |offsets: &mut Vec<u64>| offsets[30] = 99;
        add(120, periodic(120, &|row| head(&mut row.head, &other)), "wrong_offset");
        add(98, finite(98, &|row| head(&mut row.head, &other)), "wrong_offset");
    }
    wrong
}

/// With groups of any odd number of columns.
#[test]
fn wrong_numbers_are_refuted_in_any_tiles() {
    for form in [HeadForm::Fingerprint, HeadForm::Offsets] {
        for (place, rows, reason) in wrong_rows(form) {
            for columns in (1..40).step_by(2) {
                for (parts, threads) in [(1000, 1), (13, 2)] {
                    let tile = Tile { columns, rows: parts, threads };
                    let outcome = check_in(tile, false, u64::MAX, &rows, &());
                    let Err(EarlyEnd::Refuted { row, why }) = outcome else {
                        panic!("row {place} passed in {tile:?}: {reason}")
                    };
                    assert_eq!((row, why.reason), (place as u64, reason), "{tile:?}: {why}");
                }
            }
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
                assert_eq!((row, why.reason), (place as u64, "wrong_first"));
                assert_eq!(why.details, json!({ "stated": stated, "computed": computed }));
            }
        }
    }
}

/// No known row needs a set. Here every row gets one.
#[test]
fn sets_do_what_words_do() {
    let right = true_rows(500);
    assert!(outcomes(&right).iter().all(Result::is_ok));

    for place in [3, 10, 97, 118, 400] {
        let rows = forged(&right, place);
        for outcome in outcomes(&rows) {
            let Err(EarlyEnd::Refuted { row, why }) = outcome else { panic!("{place} passed") };
            assert_eq!(row, place as u64);
            assert_eq!(why.reason, "wrong_fingerprint", "{why}");
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
        assert_eq!(why.reason, "repeats_before", "row {row}: {why}");
        let [column, again] = ["column", "again"].map(|name| why.details[name].as_u64().unwrap());
        let distance = again - column;
        assert!(column > 2 * row + 64 && distance > 0, "row {row}: {column}, {again}");
        assert!(distance.is_multiple_of(common), "row {row}: {column}, {again}");

        let why = refused(&|late| late.start += period);
        assert_eq!(why.reason, "start_not_least", "row {row}: {why}");
        let why = refused(&|late| late.certificate.filled -= 1);
        assert_eq!(why.reason, "wrong_state", "row {row}: {why}");
        if period > 1 {
            let why = refused(&|late| {
                late.certificate.from += 1;
                late.certificate.recurs += 1;
            });
            assert_eq!(why.reason, "wrong_state", "row {row}: {why}");
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
        let Err(EarlyEnd::Limit { row, why }) = outcome else { panic!("{}", outcome.is_ok()) };
        assert_eq!((why.reason, &why.details["cells"]), ("cells", &json!(cells)));
        let column = why.details["column"].as_u64().unwrap();
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

/// The offsets that a column blocks: an interval from 0 on, and others.
type Blocked = (u32, BTreeSet<u32>);

/// The numbers that the diagonal blocks, and the columns: near each other, or far apart.
fn surroundings() -> impl Strategy<Value = (BTreeSet<u32>, Vec<Blocked>)> {
    (1..120_u32).prop_flat_map(|scale| {
        let columns = vec((0..scale, intervals(2 * scale)), 1..120);
        (intervals(3 * scale), columns)
    })
}

/// A row in columns, and its definition.
struct Followed {
    diagonal: Diagonal,
    live: Live<'static>,
    model: Model,
}

impl Followed {
    fn new(row: u32, members: BTreeSet<u32>, all_far: bool) -> Self {
        static RECORD: LazyLock<Record> = LazyLock::new(|| true_rows(1).remove(0));
        // Rows above block more of the diagonal, which does not affect this row.
        let mut diagonal = Diagonal::default();
        diagonal.all_far = all_far;
        (0..400).filter(|p| p % 3 == 0).for_each(|p| diagonal.block_from(p, row + 1));
        for &p in &members {
            diagonal.block_from(p, row);
        }
        let end = members.last().map_or(1, |last| last + 1);
        diagonal.ends = vec![end; row as usize + 1];
        let mut live = Live::new(&RECORD, row).ok().unwrap();
        (live.attend, live.last) = (u32::MAX, u32::MAX);
        Self { diagonal, live, model: Model { diagonal: members, past: BTreeSet::new() } }
    }

    /// The offsets that a column blocks for the row.
    fn column(&self, q: u32, (filled, others): &Blocked) -> BTreeSet<u32> {
        let on_diagonal = self.model.diagonal.range(q..).map(|p| p - q);
        (0..*filled).chain(others.iter().copied()).chain(on_diagonal).collect()
    }

    fn begin(&mut self, column: &mut Column) {
        let first = column.next_free(column.q);
        self.live.take_first(first, column, &self.diagonal);
    }
}

/// Columns in which these offsets are blocked.
fn blocked<'b>(bytes: &'b mut Vec<u8>, q: u32, offsets: &[BTreeSet<u32>]) -> Columns<'b> {
    let count = u32::try_from(offsets.len()).unwrap();
    let mut columns = Columns::new(q, count, &Settled::none(), bytes);
    for (column, offsets) in columns.all.iter_mut().zip(offsets) {
        for offset in offsets {
            column.block(column.q + offset);
        }
    }
    columns
}

/// Follows a row through columns and compares it with its definition.
fn follow(row: u32, members: BTreeSet<u32>, others: Vec<Blocked>, columns: u32, all_far: bool) {
    let mut followed = Followed::new(row, members, all_far);
    for (q, others) in (row..).zip(others) {
        let offsets = followed.column(q, &others);
        let floor = (q - q % columns) / 8;
        let mut bytes = [0; 1024];
        let column = &mut Column::new(q, floor, &mut bytes, &Settled::none());
        for offset in &offsets {
            column.block(q + offset);
        }
        let Followed { live, model, diagonal } = &mut followed;
        let p = if q == row {
            let first = column.next_free(q);
            live.take_first(first, column, diagonal);
            first
        } else {
            live.words.raise(floor);
            live.take(column, diagonal)
        };
        assert_eq!(p - q, model.take(q, &offsets), "column {q}");
        assert_eq!(column.next_free(p), column.next_free(p + 1), "{p} is taken");
        assert_eq!(live.state(q + 1, diagonal), model.state(q + 1));
    }
}

/// Follows a row through groups of columns, as long as it does not end.
fn follow_groups(row: u32, members: BTreeSet<u32>, others: &[Blocked], columns: usize) {
    let mut followed = Followed::new(row, members, false);
    let Some((first, others)) = others.split_first() else { return };
    let offsets = followed.column(row, first);
    followed.model.take(row, &offsets);
    let mut bytes = Vec::new();
    followed.begin(&mut blocked(&mut bytes, row, slice::from_ref(&offsets)).all[0]);
    let mut sum = 0_u64;
    for (q, others) in (row + 1..).step_by(columns).zip(others.chunks(columns)) {
        let offsets: Vec<_> =
            (q..).zip(others).map(|(q, others)| followed.column(q, others)).collect();
        let mut group = blocked(&mut bytes, q, &offsets);
        let outcome = followed.live.cells(&mut group, &followed.diagonal);
        for (column, offsets) in group.all.iter().zip(&offsets) {
            let q = column.q;
            let offset = followed.model.take(q, offsets);
            if offset == 0 {
                let Err(EarlyEnd::Refuted { why, .. }) = outcome else { panic!("it ends at {q}") };
                assert_eq!((why.reason, why.details), ("ends", json!({ "column": q })));
                return;
            }
            sum = sum.wrapping_add(column.weighted(q + offset));
            assert_eq!(column.next_free(q + offset), column.next_free(q + offset + 1));
        }
        assert!(outcome.is_ok(), "columns from {q}");
        assert_eq!(followed.live.sum, sum, "columns from {q}");
        let next = group.all.last().unwrap().q + 1;
        assert_eq!(followed.live.state(next, &followed.diagonal), followed.model.state(next));
    }
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

    /// The same for the cells of a group.
    #[test]
    fn a_row_takes_the_least_p_in_each_column_of_a_group(
        row in 1..30_u32,
        (diagonal, others) in surroundings(),
        columns in 1..40_usize,
    ) {
        follow_groups(row, diagonal, &others, columns);
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
