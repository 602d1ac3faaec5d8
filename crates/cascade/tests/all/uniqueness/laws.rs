//! Rows with any number of holes (`proofs/cascade.md`, 5.1 and 5.2), in recurrences with more
//! diagonal values, where they are common: the laws, and explanations, against the offsets
//! themselves.

use cascade::why::{Doubt, Explainer};
use cascade::{LawReader, Met, NoLaw, Queue};
use record::{Certificate, Finite, Head, Periodic, Record, Statement};

use byrnes::{Perturbation, PerturbedColumns};

use crate::window::cases::Random;

const ROWS: usize = 300;
/// These rows have settled before this column, and periods are read from the next ones.
const FROM: usize = 1400;
const READ: usize = 1800;

/// The values of rows 0 to `ROWS - 1` of a recurrence, column by column.
struct Table {
    perturbation: Perturbation,
    /// The number of diagonal values that were added.
    more: i64,
    columns: Vec<Vec<Option<usize>>>,
    ends: Vec<Option<usize>>,
}

impl Table {
    fn of(perturbation: Perturbation) -> Self {
        let small = |number: u32| usize::try_from(number).unwrap();
        let last = u32::try_from(ROWS - 1).unwrap();
        let mut values = PerturbedColumns::new(&perturbation, last);
        let (mut columns, mut ends) = (Vec::new(), vec![None; ROWS]);
        for q in 0..FROM + READ {
            let mut column = vec![None; ROWS];
            for &(row, number) in values.next_column() {
                column[small(row)] = Some(small(number));
                if small(number) == q {
                    ends[small(row)] = Some(q);
                }
            }
            columns.push(column);
        }
        let more = perturbation.diagonal().count().cast_signed() as i64;
        Self { perturbation, more, columns, ends }
    }

    fn f(&self, q: usize, r: usize) -> Option<usize> {
        self.columns[q][r]
    }
}

/// Recurrences in which more numbers count as diagonal values, or cells are blocked, or both.
fn tables() -> impl Iterator<Item = Table> {
    (100..124).map(|seed| Table::of(Perturbation::random(seed)))
}

/// Recurrences in which more numbers count as diagonal values: there 3.2 of
/// `proofs/uniqueness.md` gives the means, as words need.
fn tables_with_words() -> impl Iterator<Item = Table> {
    (100..160).step_by(3).map(|seed| Table::of(Perturbation::random(seed + 2)))
}

/// The offset of a row that does not end.
fn offset(table: &Table, q: usize, r: usize) -> usize {
    table.f(q, r).unwrap() - q
}

/// One period of the offsets from the first of the last columns on, if these show it twice.
fn values(table: &Table, row: usize) -> Option<(u64, Vec<u64>)> {
    let offsets: Vec<u64> = (FROM..FROM + READ).map(|q| offset(table, q, row) as u64).collect();
    let repeats = |period: &usize| offsets.iter().zip(&offsets[*period..]).all(|(a, b)| a == b);
    let period = (1..=READ / 2).find(repeats)?;
    Some((FROM as u64, offsets[..period].to_vec()))
}

/// The law and the balls, from the offsets of the last columns.
fn check(met: &Met, table: &Table, row: usize) {
    let (top, law) = (usize::try_from(met.top).unwrap(), met.law.depths());
    let mut lengths = 0;
    for q in FROM..FROM + READ {
        let rows = (0..row).filter_map(|r| Some(table.f(q, r)? - q));
        let below: Vec<usize> = rows.collect();
        let own = offset(table, q, row);
        assert_eq!(met.falls[q % met.falls.len()], met.holes >= 0 && own <= top, "row {row}");
        if met.holes < 0 {
            assert_eq!(
                own.cast_signed() as i64,
                met.top.cast_signed() + 1 - met.holes,
                "row {row}"
            );
            continue;
        }
        assert!(below.iter().all(|&offset| offset <= top), "row {row}");
        // `top - depth` may be less than 0, and then it is free.
        let is_free = |depth: &usize| top.checked_sub(*depth).is_none_or(|o| !below.contains(&o));
        let depth = (0..=top + 1).find(is_free).unwrap();
        assert_eq!(law[q % law.len()], depth as u64, "row {row}, column {q}");
        if met.taken.cast_signed() == met.holes && own <= top {
            assert_eq!(own, top - depth, "row {row}, column {q}");
        }
        lengths += depth + 1;
    }
    if met.holes >= 0 && READ.is_multiple_of(law.len()) {
        assert_eq!(lengths as u64, met.law.balls() * READ as u64, "row {row}");
    }
}

#[test]
fn laws_of_perturbed_rows() {
    let (mut many, mut all_taken, mut resets) = (0, 0, 0);
    for table in tables() {
        let (mut laws, mut queue, mut finite) = (LawReader::default(), Queue::default(), 0);
        for row in 0..ROWS {
            let ended = table.ends[row].is_some();
            finite += i64::from(ended);
            let Some(h) = queue.next(ended) else { continue };
            let Some((start, values)) = values(&table, row) else {
                // The laws are not known until the next reset.
                assert!(laws.next(row as u64, 0, &[]).is_err());
                continue;
            };
            let met = match laws.next(row as u64, start, &values) {
                Ok(met) => met,
                Err(NoLaw::Lost { .. } | NoLaw::TooLong { .. }) => {
                    if h < 0 {
                        laws.reset(values[0]);
                    }
                    continue;
                }
                Err(contradicted) => panic!("{}: {contradicted}", table.perturbation),
            };
            if table.perturbation.cells().len() == 0 {
                // 3.2 of `proofs/uniqueness.md`. Row 0 is a reset if more numbers are blocked.
                let more = if row == 0 { table.more } else { 0 };
                assert_eq!(met.holes, h - more, "{}, row {row}", table.perturbation);
                let mean = 1 + table.more + finite;
                assert_eq!(met.top.cast_signed() + 1 - met.holes, mean);
            }
            check(&met, &table, row);
            resets += u64::from(met.holes < 0);
            many += u64::from(met.holes >= 2);
            all_taken += u64::from(met.holes >= 2 && met.taken.cast_signed() == met.holes);
        }
    }
    assert!(many > 50 && all_taken > 20 && resets > 500, "{many} {all_taken} {resets}");
}

/// A law that another row has changed is contradicted.
#[test]
fn false_values_contradict_the_law() {
    let mut laws = LawReader::default();
    laws.next(0, 0, &[9]).unwrap();
    for values in [&[8, 9, 10][..], &[9], &[11, 8, 8], &[10, 10, 7], &[8, 9], &[]] {
        let refused = laws.clone().next(1, 5, values);
        assert_eq!(refused, Err(NoLaw::Contradicted { row: 1 }), "{values:?}");
    }
    assert_eq!(laws.next(1, 5, &[10, 8]).unwrap().taken, 1);
}

/// A row with these offsets, as a record. Only the parts that an explanation reads are true. Rows
/// get larger numbers, as no row of Chomp has such large offsets.
fn record(table: &Table, row: usize) -> Option<Record> {
    let number = row as u64 + 1000;
    let (first, head) = (number + 1, Head::Fingerprint(0));
    if table.ends[row].is_some() {
        let finite = Finite { row: number, first, last: first, head };
        return Some(Record::of_row(Statement::Finite(finite)).unwrap());
    }
    let (from, values) = values(table, row)?;
    let diagonal = (0..row).map(|c| table.f(c, c).unwrap());
    let more = table.perturbation.diagonal().map(|number| usize::try_from(number).unwrap());
    let past = (row..FROM).filter_map(|t| table.f(t, row)).chain([FROM]);
    let blocked = diagonal.chain(more).chain(past).filter_map(|p| p.checked_sub(FROM));
    let mut state: Vec<u64> = blocked.map(|offset| offset as u64).collect();
    state.sort_unstable();
    state.dedup();
    let filled = (0..).zip(&state).take_while(|(n, member)| n == *member).count() as u64;
    let above = state.into_iter().filter(|&member| member > filled).collect();
    let recurs = from + values.len() as u64;
    let certificate = Certificate { from, recurs, modulus: 1_u32.into(), filled, above };
    let periodic = Periodic { row: number, first, start: from, values, certificate, head };
    Some(Record::of_row(Statement::Periodic(periodic)).unwrap())
}

#[test]
fn rows_with_any_number_of_holes_are_explained() {
    let (mut holes, mut words, mut fewer) = (0, 0, 0);
    for table in tables_with_words() {
        assert_eq!(table.perturbation.cells().len(), 0);
        let mut explainer = Explainer::default();
        let records = (0..ROWS).map_while(|row| record(&table, row));
        for record in records {
            let Some(found) = explainer.add(&record, |_| true) else { continue };
            // The mean differs from that of Chomp.
            let other = |doubt: &&Doubt| !matches!(doubt, Doubt::OtherMean { .. });
            assert_eq!(found.doubts.iter().find(other), None, "{}: {found}", table.perturbation);
            words += u64::from(found.word.is_some());
            assert_eq!(found.word.is_none(), found.holes.is_some());
            let Some(explained) = found.holes.as_ref().filter(|it| it.number >= 2) else {
                continue;
            };
            holes += 1;
            fewer += u64::from(explained.taken.cast_signed() < explained.number);
            let text = found.to_string();
            assert!(text.contains(&format!("has h = {}", explained.number)), "{text}");
        }
    }
    assert!(holes > 10 && words > 100 && fewer > 0, "{holes} {words} {fewer}");
}

/// Every interval of rows is tried.
#[test]
fn the_largest_excess_of_any_interval() {
    let mut random = Random::new(27);
    for _ in 0..300 {
        let share = 2 + random.below(4);
        let finite: Vec<bool> = (0..60).map(|_| random.below(share) > 0).collect();
        let mut queue = Queue::default();
        for &finite in &finite {
            queue.next(finite);
        }
        let excess = |first: usize, last: usize| -> i64 {
            finite[first..=last].iter().map(|&finite| if finite { -1 } else { 1 }).sum()
        };
        let largest = |last: usize| (0..=last).map(|first| excess(first, last)).max().unwrap();
        let best = (0..finite.len()).map(largest).max().unwrap();
        let first = (0..finite.len()).find(|&last| largest(last) == best).unwrap();
        let expected = (best > 0).then_some((best.cast_unsigned(), first as u64));
        assert_eq!(queue.largest_excess(), expected, "{finite:?}");
    }
}
