//! Levels and tails against Grundy values by search, and against `ChompGrundy`.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use byrnes::ChompGrundy;
use game::{Board, Chomp, Search};
use levels::{Family, Options, rows};
use record::{HeadForm, Record, RowKey};

fn found(level: u64, within: &str, threads: usize) -> Vec<Record> {
    let family = Family::of_tails(level, within.parse().unwrap());
    let threads = NonZeroUsize::new(threads).unwrap();
    let options = Options { threads, form: HeadForm::Offsets, ..Options::default() };
    rows(&family, &options, &mut |_| ControlFlow::Continue(())).unwrap()
}

/// All positions with these lower rows and a first row up to `longest`, by search.
fn assert_searched(level: u64, within: &str, longest: u16) {
    let found = found(level, within, 2);
    let by_key: HashMap<&RowKey, &Record> = found.iter().map(|row| (row.key(), row)).collect();
    let mut search = Search::of(&Chomp);
    for record in found.iter().filter(|record| record.key().level == 0) {
        let tail = record.key().tail();
        let first = u16::try_from(tail.first_column()).unwrap();
        for (q, p) in (first..=longest).flat_map(|q| (q.max(1)..=longest).map(move |p| (q, p))) {
            let lower = tail.parts().iter().map(|part| u16::try_from(*part).unwrap());
            let board = Board::new([p, q].into_iter().chain(lower).collect()).unwrap();
            let value = Some(search.grundy(&board)).filter(|value| *value <= level);
            let stated = (0..=level).find(|level| {
                let record = by_key[&RowKey::new(*level, tail.clone())];
                record.offset(q.into()).unwrap() == Some(u64::from(p - q))
            });
            assert_eq!(stated, value, "{board:?}");
        }
    }
}

#[test]
fn three_rows_by_search() {
    assert_searched(6, "20", 24);
}

#[test]
fn four_and_five_rows_by_search() {
    assert_searched(3, "9,9", 12);
    assert_searched(3, "6,6,6", 9);
    assert_searched(2, "3,3,3,3", 7);
}

#[test]
fn levels_are_those_of_the_paper() {
    const LAST: u64 = 100;
    let found = found(3, &LAST.to_string(), 1);
    let mut expected = Vec::new();
    for rows in ChompGrundy::to_level(3).take(101) {
        for (level, row) in (0..).zip(rows.unwrap()) {
            expected.push(row.record(level, HeadForm::Offsets).unwrap());
        }
    }
    assert_eq!(found, expected);
}

/// Series that begin far from column 0: the offsets of each row by its rule alone.
#[test]
fn long_tails_are_those_of_the_rule() {
    let found = found(0, "70,70", 1);
    let by_tail: HashMap<&[u64], &Record> =
        found.iter().map(|row| (row.key().tail().parts(), row)).collect();
    let offset = |tail: &[u64], q: u64| {
        let end = tail.iter().position(|part| *part == 0).unwrap_or(tail.len());
        by_tail[&tail[..end]].offset(q).unwrap()
    };
    for (r, s) in [(65, 65), (70, 66), (70, 70)] {
        let diagonal = (0..r).filter_map(|y| Some(y + offset(&[y, s.min(y)], y)?));
        let mut blocked: Vec<u64> = diagonal.chain([0]).collect();
        for q in r..r + 200 {
            let one = (0..r).filter_map(|z| offset(&[z, s.min(z)], q));
            let column: Vec<u64> = one.chain((0..s).filter_map(|z| offset(&[r, z], q))).collect();
            let p =
                (q..q + 600).find(|p| !blocked.contains(p) && !column.contains(&(p - q))).unwrap();
            assert_eq!(offset(&[r, s], q), Some(p - q), "({r},{s}), column {q}");
            blocked.push(p);
            if p == q {
                break;
            }
        }
    }
}

#[test]
fn threads_do_not_matter() {
    assert_eq!(found(2, "12,9,2", 1), found(2, "12,9,2", 3));
}

#[test]
fn a_visitor_hears_of_rows_before_those_that_need_them() {
    let family = Family::of_tails(1, "5,3".parse().unwrap());
    let mut heard: Vec<RowKey> = Vec::new();
    let all = rows(&family, &Options::default(), &mut |row| {
        heard.push(row.key().clone());
        ControlFlow::Continue(())
    });
    for (place, key) in heard.iter().enumerate() {
        let later = &heard[place..];
        assert!(later.iter().all(|later| later == key || !contains(key, later)), "{key}");
    }
    assert_eq!(heard.len(), all.unwrap().len());
}

fn contains(key: &RowKey, other: &RowKey) -> bool {
    key.tail().contains(other.tail()) && other.level <= key.level
}
