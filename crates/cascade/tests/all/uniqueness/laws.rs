//! Rows with any number of holes (`proofs/cascade.md`, 5.1 and 5.2), in recurrences with more
//! diagonal values, where they are common: the laws, and explanations, against the offsets
//! themselves.

use std::collections::{BTreeMap, BTreeSet};

use cascade::why::{Doubt, Explainer};
use cascade::{LawReader, Met, NoLaw, Perturbation, PerturbedColumns, Queue};
use record::{Certificate, Finite, Head, Periodic, Record, Statement};

use super::{CASES, queue};
use crate::window::cases::Random;

const ROWS: usize = 160;
/// These rows have settled before this column, and periods are read from the next ones.
const FROM: usize = 520;
const READ: usize = 480;

/// The number of recurrences: rows enough for `CASES`.
const TABLES: u64 = 2300;

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
        let values = PerturbedColumns::new(&perturbation, last);
        let (mut columns, mut ends) = (Vec::new(), vec![None; ROWS]);
        for (q, values) in (0..FROM + READ).zip(values) {
            let mut column = vec![None; ROWS];
            for (row, number) in values {
                column[small(row)] = Some(small(number));
                if small(number) == q {
                    ends[small(row)] = Some(q);
                }
            }
            columns.push(column);
        }
        let more = perturbation.diagonal.len().cast_signed() as i64;
        Self { perturbation, more, columns, ends }
    }

    fn f(&self, q: usize, r: usize) -> Option<usize> {
        self.columns[q][r]
    }

    /// The offset of a row that does not end.
    fn offset(&self, q: usize, r: usize) -> usize {
        self.f(q, r).unwrap() - q
    }

    /// The offsets of a row that does not end, in the last columns.
    fn offsets(&self, r: usize) -> Vec<u64> {
        (FROM..FROM + READ).map(|q| self.offset(q, r) as u64).collect()
    }
}

/// Recurrences in which more numbers count as diagonal values, or cells are blocked, or both.
fn tables() -> impl Iterator<Item = Table> {
    (100..100 + TABLES).map(|seed| Table::of(Perturbation::random(seed)))
}

/// Recurrences in which more numbers count as diagonal values: there 3.2 of
/// `proofs/uniqueness.md` gives the means, as words need.
fn tables_with_words(number: u64) -> impl Iterator<Item = Table> {
    (0..number).map(|seed| Table::of(Perturbation::random(3 * seed)))
}

/// One period of the offsets, if they show it twice.
fn period(offsets: &[u64]) -> Option<&[u64]> {
    let repeats = |period: &usize| offsets.iter().zip(&offsets[*period..]).all(|(a, b)| a == b);
    (1..=READ / 2).find(repeats).map(|period| &offsets[..period])
}

/// The offsets of the rows below, in the last columns.
struct Below {
    has: Vec<Vec<bool>>,
    highest: Vec<usize>,
}

impl Below {
    fn none() -> Self {
        Self { has: vec![vec![false; 3 * ROWS]; READ], highest: vec![0; READ] }
    }

    fn add(&mut self, offsets: &[u64]) {
        for ((has, highest), &offset) in self.has.iter_mut().zip(&mut self.highest).zip(offsets) {
            let offset = usize::try_from(offset).unwrap();
            has[offset] = true;
            *highest = offset.max(*highest);
        }
    }
}

/// The law and the balls, from the offsets of the last columns.
fn check(met: &Met, below: &Below, offsets: &[u64], row: usize) {
    let (top, law) = (usize::try_from(met.top).unwrap(), met.law.depths());
    let mut lengths = 0;
    for (place, &own) in offsets.iter().enumerate() {
        let (q, own) = (FROM + place, usize::try_from(own).unwrap());
        assert_eq!(met.falls[q % met.falls.len()], met.holes >= 0 && own <= top, "row {row}");
        if met.holes < 0 {
            let expected = met.top.cast_signed() + 1 - met.holes;
            assert_eq!(own.cast_signed() as i64, expected, "row {row}");
            continue;
        }
        assert!(below.highest[place] <= top, "row {row}");
        // `top - depth` may be less than 0, and then it is free.
        let is_free = |depth: &usize| top.checked_sub(*depth).is_none_or(|o| !below.has[place][o]);
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

/// The kind, by `proofs/cascade.md`, 5.5, if it says; 3.2 for one hole.
fn check_kind(met: &Met, offsets: &[u64], row: usize) {
    let (h, balls, taken) = (met.holes, met.law.balls().cast_signed(), met.taken.cast_signed());
    let is_constant = match () {
        () if h <= 0 => true,
        () if h < balls || taken < balls => false,
        () if h == balls => met.law.period() == 1,
        () => return,
    };
    assert_eq!(offsets.iter().all(|offset| *offset == offsets[0]), is_constant, "row {row}");
    if h != 1 {
        return;
    }
    // The ball's cycle: the shifts by periods of the law until the ball is the same.
    let falls = |column: usize| met.falls[column % met.falls.len()];
    let is_same = |shift: &usize| (0..met.falls.len()).all(|q| falls(q) == falls(q + shift));
    let mut shifts = (1..=met.falls.len()).map(|balls| balls * met.law.period());
    let cycle = shifts.find(is_same).unwrap();
    let values = period(offsets).unwrap().len();
    assert!(cycle.is_multiple_of(values), "row {row}: {values}, {cycle}");
    let all = met.law.balls() == (cycle / met.law.period()) as u64;
    assert!(!all || cycle == values, "row {row}: {values}, {cycle}");
}

#[test]
fn laws_of_perturbed_rows() {
    let (mut cases, mut many, mut all_taken) = (0, 0, 0);
    for table in tables() {
        let (mut laws, mut queue, mut finite) = (LawReader::default(), Queue::default(), 0);
        let mut below = Below::none();
        for row in 0..ROWS {
            let ended = table.ends[row].is_some();
            finite += i64::from(ended);
            let Some(h) = queue.next(ended) else { continue };
            let offsets = table.offsets(row);
            let Some(met) = law(&mut laws, row, h, &offsets, &table) else {
                below.add(&offsets);
                continue;
            };
            if table.perturbation.cells.is_empty() {
                // 3.2 of `proofs/uniqueness.md`. Row 0 is a reset if more numbers are blocked.
                let more = if row == 0 { table.more } else { 0 };
                assert_eq!(met.holes, h - more, "{}, row {row}", table.perturbation);
                let mean = 1 + table.more + finite;
                assert_eq!(met.top.cast_signed() + 1 - met.holes, mean);
            }
            check(&met, &below, &offsets, row);
            check_kind(&met, &offsets, row);
            below.add(&offsets);
            cases += 1;
            many += u64::from(met.holes >= 2);
            all_taken += u64::from(met.holes >= 2 && met.taken.cast_signed() == met.holes);
        }
    }
    assert!(cases > CASES && many > MANY && many - all_taken > 1000, "{cases} {many} {all_taken}");
}

/// The least number of rows with two holes or more.
const MANY: u64 = 5000;

/// The law that a row meets; `None` if it is not known, because the period of this row or of one
/// below in the cluster is too long.
fn law(laws: &mut LawReader, row: usize, h: i64, offsets: &[u64], table: &Table) -> Option<Met> {
    let Some(values) = period(offsets) else {
        // The laws are not known until the next reset.
        assert!(laws.next(row as u64, 0, &[]).is_err());
        return None;
    };
    match laws.next(row as u64, FROM as u64, values) {
        Ok(met) => Some(met),
        Err(NoLaw::Lost(_) | NoLaw::TooLong(_)) => {
            if h < 0 {
                laws.reset(values[0]);
            }
            None
        }
        Err(contradicted) => panic!("{}: {contradicted}", table.perturbation),
    }
}

/// A periodic row: its h, its word as far as `h <= 1` in its cluster, and its offsets.
struct PeriodicRow {
    number: usize,
    h: i64,
    word: Option<String>,
    offsets: Vec<u64>,
}

impl PeriodicRow {
    fn is_constant(&self) -> bool {
        self.offsets.iter().all(|offset| *offset == self.offsets[0])
    }
}

/// The periodic rows of a recurrence. Words are found here from their definition
/// (`proofs/cascade.md`, 5.3).
fn rows(table: &Table) -> Vec<PeriodicRow> {
    let mut rows: Vec<PeriodicRow> = Vec::new();
    let finite: Vec<bool> = table.ends.iter().map(Option::is_some).collect();
    let mut word: Option<(usize, String)> = None;
    for (row, h) in queue(&finite).into_iter().enumerate() {
        let Some(h) = h else { continue };
        word = match (word, h) {
            (_, h) if h < 0 || row == 0 => Some((1, String::new())),
            (Some((k, letters)), 0) if letters.is_empty() => Some((k + 1, letters)),
            (Some((k, letters)), 0 | 1) => Some((k, letters + if h == 1 { "A" } else { "s" })),
            _ => None,
        };
        let word = word.as_ref().map(|(k, letters)| format!("{k}:{letters}"));
        rows.push(PeriodicRow { number: row, h, word, offsets: table.offsets(row) });
    }
    rows
}

/// Section 7: the means; and what `proofs/cascade.md`, 5.5, says of the kinds. After a reset and
/// h = 1, 2, 1, both kinds occur; so do both periods of 1:AsA and of 3:AAA.
#[test]
fn kinds_of_perturbed_rows() {
    let (mut constant, mut moving, mut other) = (0, 0, 0);
    let mut kinds = BTreeSet::new();
    let mut periods: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    for table in tables_with_words(3000) {
        let rows = rows(&table);
        kinds.extend(rows.windows(4).filter_map(kind_after_a_reset));
        for PeriodicRow { number: row, h, word, offsets } in rows {
            let finite = (0..row).filter(|&c| table.ends[c].is_some()).count();
            let mean = 1 + table.more.cast_unsigned() + finite as u64;
            let values = period(&offsets);
            if let Some(values) = values {
                assert_eq!(values.iter().sum::<u64>(), mean * values.len() as u64);
            }
            let is_constant = offsets.iter().all(|&offset| offset == mean);
            if h <= 0 {
                constant += 1;
                assert!(is_constant, "{}, row {row}: {offsets:?}", table.perturbation);
            } else if word.is_some() {
                moving += 1;
                assert!(!is_constant, "{}, row {row}: {offsets:?}", table.perturbation);
            } else {
                other += 1;
            }
            if let (Some(word), Some(values)) = (word, values) {
                periods.entry(word).or_default().insert(values.len());
            }
        }
    }
    assert!(constant + moving > CASES && moving > 5000, "{constant} {moving} {other}");
    assert_eq!(kinds.len(), 2);
    assert_eq!(periods["1:AsA"], BTreeSet::from([2, 4]));
    assert_eq!(periods["3:AAA"], BTreeSet::from([16, 48]));
}

/// Of four successive periodic rows, a reset and rows with h = 1, 2, 1: whether the last is
/// constant.
fn kind_after_a_reset(rows: &[PeriodicRow]) -> Option<bool> {
    let [reset, one, two, three] = [0, 1, 2, 3].map(|place| rows[place].h);
    if reset >= 0 || (one, two, three) != (1, 2, 1) {
        return None;
    }
    let distances = [1, 2, 3].map(|place| rows[place].number - rows[place - 1].number);
    assert_eq!(distances, [1, 1, 3]);
    Some(rows[3].is_constant())
}

/// A law that another row has changed is contradicted.
#[test]
fn false_values_contradict_the_law() {
    let mut laws = LawReader::default();
    laws.next(0, 0, &[9]).unwrap();
    for values in [&[8, 9, 10][..], &[9], &[11, 8, 8], &[10, 10, 7], &[8, 9], &[]] {
        let refused = laws.clone().next(1, 5, values);
        assert_eq!(refused, Err(NoLaw::Contradicted(1)), "{values:?}");
    }
    assert_eq!(laws.next(1, 5, &[10, 8]).unwrap().taken, 1);
}

/// A row with these offsets, as a record. Only the parts that an explanation reads are true. Rows
/// get larger numbers, as no row of Chomp has such large offsets.
fn record(table: &Table, row: usize) -> Option<Record> {
    let number = row as u64 + 300;
    let (first, head) = (number + 1, Head::Fingerprint(0));
    if table.ends[row].is_some() {
        let finite = Finite { row: number, first, last: first, head };
        return Some(Record::of_row(Statement::Finite(finite)).unwrap());
    }
    let (from, offsets) = (FROM as u64, table.offsets(row));
    let values = period(&offsets)?.to_vec();
    let diagonal = (0..row).map(|c| table.f(c, c).unwrap());
    let more = table.perturbation.diagonal.iter().map(|&number| usize::try_from(number).unwrap());
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
    let (words, holes, fewer) = count_explained(TABLES / 2);
    assert!(holes > 2500 && words > 10_000 && fewer > 1500, "{holes} {words} {fewer}");
}

#[test]
#[ignore = "a quarter of a minute: 11 500 recurrences (just test-long)"]
fn many_rows_with_any_number_of_holes_are_explained() {
    let (words, holes, fewer) = count_explained(5 * TABLES);
    assert!(words > CASES as u64 && holes > 20_000, "{holes} {words} {fewer}");
}

/// The rows that the laws explain: those with a word, those with two holes and more, and of these
/// the rows that take out fewer balls than they have holes.
fn count_explained(tables: u64) -> (u64, u64, u64) {
    let (mut holes, mut words, mut fewer) = (0, 0, 0);
    for table in tables_with_words(tables) {
        assert!(table.perturbation.cells.is_empty());
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
            assert_eq!(found.start_at_most, None);
            holes += 1;
            fewer += u64::from(explained.taken.cast_signed() < explained.number);
            let text = found.to_string();
            assert!(text.contains(&format!("has h = {}", explained.number)), "{text}");
        }
    }
    (words, holes, fewer)
}

/// Every interval of rows is tried; h + 1 is the largest excess of an interval that begins at an
/// earlier periodic row.
#[test]
fn the_largest_excess_of_any_interval() {
    let (mut random, mut cases) = (Random::new(27), 0);
    while cases < CASES {
        let share = 2 + random.below(4);
        let finite: Vec<bool> = (0..60).map(|_| random.below(share) > 0).collect();
        let mut sums = vec![0];
        for &finite in &finite {
            sums.push(sums.last().unwrap() + if finite { -1 } else { 1 });
        }
        let (mut queue, mut best) = (Queue::default(), None);
        for (last, &is_finite) in finite.iter().enumerate() {
            let h = queue.next(is_finite).map(|h| h + 1);
            let excess = |first: usize| sums[last + 1] - sums[first];
            let largest: i64 = (0..=last).map(excess).max().unwrap();
            if largest > 0 && best.is_none_or(|(best, _)| largest.cast_unsigned() > best) {
                best = Some((largest.cast_unsigned(), last as u64));
            }
            let earlier = (0..last).filter(|&first| !finite[first]).map(excess).max();
            // Without an earlier one: as from row -2.
            let first = 1 - last.cast_signed() as i64;
            assert_eq!(h, (!is_finite).then(|| earlier.unwrap_or(first)), "{last}: {finite:?}");
            cases += 1;
        }
        assert_eq!(queue.largest_excess(), best, "{finite:?}");
    }
}
