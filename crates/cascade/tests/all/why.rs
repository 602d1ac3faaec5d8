//! Why a row has its period: against the state by its definition, and the rows below by brute
//! force.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use cascade::why::{Doubt, Explainer, Explanation};
use record::{Head, Periodic, Record, Statement};

/// The explanations of the rows of period above 1 among these, rows 0, 1, 2, ...
fn explanations(records: &[Record]) -> Vec<Explanation> {
    let mut explainer = Explainer::default();
    let moves = |row: &Periodic| row.period() > 1;
    records.iter().filter_map(|record| explainer.add(record, moves)).collect()
}

/// The offset of a row in a column; `None` past its end.
fn offset(record: &Record, column: u64) -> Option<u64> {
    let Some(Head::Offsets(offsets)) = record.head() else { unreachable!("records in full") };
    let place = column - record.row();
    if let Some(offset) = offsets.get(usize::try_from(place).unwrap()) {
        return Some(*offset);
    }
    let Periodic { start, values, .. } = record.periodic()?;
    let place = usize::try_from(column - start).unwrap() % values.len();
    Some(values[place])
}

/// U(q) of fact 3, from its definition: the offsets that 0, (D) or (R) block.
fn state(records: &[Record], row: u64, column: u64) -> BTreeSet<u64> {
    let (below, own) = records.split_at(usize::try_from(row).unwrap());
    let diagonal = below.iter().map(Record::diagonal);
    let past = (row..column).map(|q| q + offset(&own[0], q).unwrap());
    diagonal.chain(past).filter_map(|p| p.checked_sub(column)).collect()
}

fn explain_as_defined(records: &[Record], row: &Periodic) {
    let explanations = explanations(&records[..=usize::try_from(row.row).unwrap()]);
    let explanation = explanations.last().unwrap();
    let (mut least, mut largest) = (u64::MAX, 0);
    let columns = row.certificate.from..row.certificate.recurs;
    for (column, place) in columns.clone().zip((0..explanation.hole.len()).cycle()) {
        let state = state(records, row.row, column);
        let missing: Vec<u64> = (0..=row.mean()).filter(|o| !state.contains(o)).collect();
        let depth = explanation.hole[place].depth;
        assert_eq!(missing, [row.mean() - depth], "row {}, column {column}", row.row);
        assert!(state.iter().all(|&o| o <= row.mean()), "row {}, column {column}", row.row);
        let own = offset(&records[usize::try_from(row.row).unwrap()], column).unwrap();
        (least, largest) = (least.min(missing[0]), largest.max(own));
    }
    assert_eq!(explanation.window, (least, largest));
    let window = |record: &&Record| {
        let values = record.periodic().map(|row| row.values.clone()).unwrap_or_default();
        values.iter().any(|value| (least..=largest).contains(value))
    };
    let below = records[..usize::try_from(row.row).unwrap()].iter().filter(window);
    let expected: Vec<u64> = below.map(Record::row).collect();
    let neighbours = explanation.obstacles.iter().chain(&explanation.companions);
    let found: BTreeSet<u64> = neighbours.map(|neighbour| neighbour.row).collect();
    assert_eq!(found.into_iter().collect::<Vec<_>>(), expected, "row {}", row.row);
}

/// The bounds of `proofs/effective.md`, 3, by hand: 133 426/14, and 42 960/8 with 238 beside it.
#[test]
fn starts_are_within_their_bound() {
    let found = explanations(&fixtures::rows_in_full(2100));
    assert!(found.iter().all(|row| row.start_at_most.unwrap() >= row.start));
    let words = "170; at most 9530, as no row to 120 has h >= 2; in any case at most 2^5370 + 5608";
    assert!(found[0].row == 120 && found[0].to_string().contains(words), "{}", found[0]);
}

#[test]
fn holes_and_windows_are_those_of_the_definition() {
    let records = fixtures::rows_in_full(2100);
    let rows = records.iter().filter_map(Record::periodic).filter(|row| row.period() > 1);
    let rows: Vec<&Periodic> = rows.collect();
    // Brouwer's page has 120, 400, 402, ..., 2027 of period 3.
    assert!(rows.iter().any(|row| row.period() == 3));
    for row in rows {
        explain_as_defined(&records, row);
    }
}

/// The free depths, from offsets far out.
#[test]
fn balls_are_the_depths_that_the_rows_below_leave_free() {
    let records = fixtures::rows_in_full(2100);
    for explanation in explanations(&records) {
        let balls = explanation.balls.as_ref().unwrap();
        let below = &records[..usize::try_from(explanation.row).unwrap()];
        let far = 10_000;
        let mut sum = 0;
        for column in far..far + balls.depths.len() as u64 {
            let blocked: BTreeSet<u64> = below
                .iter()
                .filter(|record| matches!(record.statement(), Statement::Periodic(_)))
                .filter_map(|record| offset(record, column))
                .collect();
            let depth = (0..=explanation.mean)
                .find(|depth| !blocked.contains(&(explanation.mean - depth)))
                .unwrap();
            assert_eq!(balls.depth(column), Some(depth), "row {}", explanation.row);
            sum += depth + 1;
        }
        assert_eq!(balls.balls * balls.depths.len() as u64, sum, "row {}", explanation.row);
    }
}

#[test]
fn every_row_to_30_000_is_explained() {
    let (mut explainer, mut explained) = (Explainer::default(), 0);
    let mut visit = |record: Record| {
        if let Some(explanation) = explainer.add(&record, |_| true) {
            assert_eq!(explanation.doubts, [], "row {}", explanation.row);
            assert_eq!(explanation.balls.unwrap().period(), explanation.period);
            explained += u64::from(explanation.period > 1);
        }
        ControlFlow::Continue(())
    };
    sweep::band::rows(30_000, sweep::band::Options::default(), &mut visit).unwrap();
    // Nivasch's lists have 205 rows to 10 000 (outputs/period-lists-10000.txt).
    assert!(explained > 205, "{explained}");
}

/// The defects of false records are named: row 2027 with the pattern of a row of period 4, row 120
/// without the row that stands in its way, and a row of another word.
#[test]
fn false_records_are_not_explained() {
    let records = fixtures::rows_in_full(2030);
    let doubts = |row: usize, change: &dyn Fn(&mut Vec<Record>)| {
        let mut records = records[..=row].to_vec();
        change(&mut records);
        let found = explanations(&records);
        let found = found.into_iter().find(|it| it.row == row as u64);
        found.map(|it| it.doubts).unwrap_or_default()
    };
    assert_eq!(doubts(120, &|_| {}), []);
    let finite_instead = |row: usize| {
        move |records: &mut Vec<Record>| {
            let number = row as u64;
            let head = record::Head::Fingerprint(0);
            let (first, last) = (number + 1, number + 1);
            let finite = record::Finite { row: number, first, last, head };
            records[row] = Record::of_row(Statement::Finite(finite)).unwrap();
        }
    };
    let without_obstacle = doubts(120, &finite_instead(119));
    assert!(without_obstacle.contains(&Doubt::OtherOffset { column: 170 }), "{without_obstacle:?}");
    assert!(without_obstacle.contains(&Doubt::NoLaw {}), "{without_obstacle:?}");
    assert!(without_obstacle.contains(&Doubt::OtherWord {}), "{without_obstacle:?}");
    assert_eq!(doubts(120, &finite_instead(2)), [Doubt::OtherMean { expected: 72 }]);
    let other_values = |records: &mut Vec<Record>| {
        let mut row = records[2027].periodic().unwrap().clone();
        row.values.rotate_left(1);
        row.head = record::Head::Fingerprint(1);
        records[2027] = Record::of_row(Statement::Periodic(row)).unwrap();
    };
    let start = records[2027].periodic().unwrap().certificate.from;
    let found = doubts(2027, &other_values);
    let in_period = |doubt: &Doubt| {
        matches!(doubt, Doubt::OtherOffset { column } | Doubt::NotOneHole { column }
        if (start..start + 3).contains(column))
    };
    assert!(found.iter().any(in_period), "{found:?}");
}
