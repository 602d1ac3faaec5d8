//! A check that stops and resumes from its state ends as one that does not stop.

use std::io::{self, Write};
use std::sync::Mutex;

use super::absorbed::Absorbed;
use super::tests::{forged, true_rows};
use super::*;
use record::Statement;

/// Collects the states before the groups of columns whose first column this divides.
struct Collector {
    every: u64,
    wants: Mutex<u64>,
    states: Mutex<Vec<(u64, Vec<u8>)>>,
}

impl Collector {
    fn every(columns: u64) -> Self {
        Self { every: columns, wants: Mutex::default(), states: Mutex::default() }
    }
}

impl CheckWatch for Collector {
    fn wants_checkpoint(&self, _: u64) -> bool {
        let mut asked = self.wants.lock().unwrap();
        *asked += 1;
        asked.is_multiple_of(self.every)
    }

    fn checkpoint(&self, column: u64, save: &dyn Fn(&mut dyn Write) -> io::Result<()>) {
        let mut bytes = Vec::new();
        save(&mut bytes).unwrap();
        self.states.lock().unwrap().push((column, bytes));
    }
}

const CELLS: u64 = 1 << 40;

fn outcome(
    tile: Tile,
    all_far: bool,
    rows: &[Record],
    state: Option<&[u8]>,
    watch: &dyn CheckWatch,
) -> String {
    let state = state.map(|mut state| Checkpoint::restore(rows, CELLS, &mut state).unwrap());
    let mut heads = Heads::new(rows, tile, watch);
    heads.diagonal.all_far = all_far;
    match heads.check(state, CELLS) {
        Ok(()) => "verified".to_owned(),
        // The columns of a recurrence depend on where the check resumed.
        Err(EarlyEnd::Refuted { row, why }) if why.reason == "repeats_before" => {
            format!("row {row}: {}", why.reason)
        }
        Err(EarlyEnd::Refuted { row, why } | EarlyEnd::Limit { row, why }) => {
            format!("row {row}: {why}")
        }
        Err(EarlyEnd::Interrupted) => "interrupted".to_owned(),
    }
}

/// The outcome of a check, after which its states are resumed from, in other tiles.
fn resumed_everywhere(rows: &[Record], all_far: bool) -> String {
    let tile = |columns, rows, threads| Tile { columns, rows, threads };
    let mut expected = String::new();
    for (before, after) in [(tile(5, 7, 3), tile(5, 30, 2)), (tile(16, 20, 2), tile(16, 512, 1))] {
        expected = outcome(after, all_far, rows, None, &());
        let collector = Collector::every(2);
        assert_eq!(outcome(before, all_far, rows, None, &collector), expected);
        let states = collector.states.into_inner().unwrap();
        assert!(states.len() > 2, "{} states", states.len());
        for (column, state) in &states {
            assert_eq!(u32::try_from(*column).unwrap() % before.columns, 0);
            assert!(state.len() as u64 <= most_bytes(*column), "{column}");
            let resumed = outcome(after, all_far, rows, Some(state), &());
            assert_eq!(resumed, expected, "from column {column}");
        }
        // The same state again, from a check that was resumed.
        let (column, first) = &states[0];
        let collector = Collector::every(1);
        outcome(before, all_far, rows, Some(first), &collector);
        let again = collector.states.into_inner().unwrap();
        for (column, state) in &states {
            assert!(again.iter().any(|again| again == &(*column, state.clone())), "{column}");
        }
        assert_eq!(again[0].0, *column);
    }
    expected
}

#[test]
fn the_verdict_is_the_same_after_a_resume() {
    let right = true_rows(300);
    assert_eq!(resumed_everywhere(&right, false), "verified");
    assert_eq!(resumed_everywhere(&right, true), "verified");
    for place in [97, 271, 299] {
        let words = resumed_everywhere(&forged(&right, place), false);
        assert!(words.starts_with(&format!("row {place}: ")), "{words}");
    }
}

/// A late certificate, for which the landmark matters: a check that resumes finds another one.
#[test]
fn a_landmark_is_found_again_after_a_resume() {
    let mut rows = true_rows(121);
    let Statement::Periodic(mut late) = rows[120].statement().clone() else { panic!("row 120") };
    late.certificate.from += 1 << 20;
    late.certificate.recurs += 1 << 20;
    let right = Record::of_row(Statement::Periodic(late.clone())).unwrap();
    late.start = late.certificate.from;
    let wrong = Record::of_row(Statement::Periodic(late)).unwrap();
    rows[120] = right;
    assert_eq!(resumed_everywhere(&rows, false), "verified");
    rows[120] = wrong;
    assert_eq!(resumed_everywhere(&rows, false), "row 120: repeats_before");
}

/// Bytes that are no state, and states with other bytes, are refused or end the check; no check
/// runs on without end, and none panics.
#[test]
fn forged_states_end() {
    let rows = true_rows(150);
    let collector = Collector::every(4);
    let tile = Tile { columns: 16, rows: 20, threads: 1 };
    assert_eq!(outcome(tile, false, &rows, None, &collector), "verified");
    let states = collector.states.into_inner().unwrap();
    let (_, state) = &states[1];
    let restore = |rows: &[Record], mut state: &[u8]| {
        Checkpoint::restore(rows, CELLS, &mut state).map(drop).map_err(|error| error.to_string())
    };
    assert_eq!(restore(&rows, &state[..state.len() - 1]), Err("it is too short".to_owned()));
    assert_eq!(restore(&rows, &[state, &[0][..]].concat()), Err("it is too long".to_owned()));
    let of_others = restore(&rows[..140], state).unwrap_err();
    assert_eq!(of_others, "it is the state of a check of rows 0 to 149");
    let (mut refused, mut ended) = (0, 0);
    for place in (0..state.len()).step_by(3) {
        let mut forged = state.clone();
        forged[place] ^= 1 << (place % 8);
        let Ok(start) = Checkpoint::restore(&rows, CELLS, &mut forged.as_slice()) else {
            refused += 1;
            continue;
        };
        // The outcome depends on the place. There is one.
        let absorbed = Absorbed { cells_left: 1 << 16, ..start.absorbed };
        let _outcome =
            Heads::new(&rows, tile, &()).check(Some(Checkpoint { absorbed, ..start }), CELLS);
        ended += 1;
    }
    assert!(refused > 20 && ended > 100, "{refused} refused, {ended} ended");
}
