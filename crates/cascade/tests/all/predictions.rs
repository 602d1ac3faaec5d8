//! The committed predictions: the words against the machine, and the arithmetic of D.

use std::cmp::Ordering;
use std::fs;
use std::path::Path;

use cascade::{Machine, Pattern, Word};

#[path = "../../examples/predictions/balance.rs"]
pub mod balance;
#[path = "../../examples/predictions/two_holes.rs"]
pub mod two_holes;

use balance::Balance;

fn output(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../outputs").join(name);
    fs::read_to_string(path).unwrap()
}

/// The words in the tables of `outputs`, against the machine. The numbers of rows need the records
/// from which `outputs/rebuild` writes the documents again.
#[test]
fn the_words_in_outputs() {
    let (one, two, three) = ((10, 53), (12, 51), (15, 48));
    for (millions, (seen, unseen)) in [("", one), ("-2000000", two), ("-3000000", three)] {
        let (name, expected) = (format!("PREDICTIONS{millions}.md"), seen + unseen);
        assert_eq!(words_of(&output(&name)), expected, "{name}");
    }
}

/// The score has all rows that move after the first million, as the tables have.
#[test]
fn the_score_counts_all_rows_that_move() {
    let score = output("PREDICTIONS-SCORE.md");
    let mut rows = 0;
    for line in score.lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        if cells.get(1).is_none_or(|cell| cell.parse::<Word>().is_err()) {
            continue;
        }
        rows += cells[4].replace(' ', "").parse::<usize>().unwrap();
    }
    let moving = |name: &str| output(name).lines().count() - 1;
    assert_eq!(rows, moving("periods-3000000.tsv") - moving("periods-1000000.tsv"));
}

/// The score also has the words that were expected and did not come: the expectations are for two
/// million rows, and those of `PREDICTIONS.md` for one.
#[test]
fn the_score_has_what_did_not_come() {
    let (score, predictions) = (output("PREDICTIONS-SCORE.md"), output("PREDICTIONS.md"));
    let (_, unseen) = predictions.split_once("## Words that have not been seen").unwrap();
    let mut expected = 0;
    for line in unseen.lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let Some(Ok(word)) = cells.get(1).map(|cell| cell.parse::<Word>()) else { continue };
        let rows = 2.0 * cells[4].parse::<f64>().unwrap();
        if rows < 0.51 {
            continue;
        }
        expected += 1;
        let scored = score.lines().find_map(|line| line.strip_prefix(&format!("| {word} |")));
        let scored: f64 = scored.unwrap().split('|').nth(1).unwrap().trim().parse().unwrap();
        assert!((scored - rows).abs() < 0.051, "{word}: {rows}, {scored}");
    }
    assert!(expected >= 5, "{expected}");
}

/// The number of words, each compared with the machine.
fn words_of(text: &str) -> usize {
    let mut machine = Machine::default();
    let mut words = 0;
    for line in text.lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let Some(Ok(word)) = cells.get(1).map(|cell| cell.parse::<Word>()) else { continue };
        words += 1;
        let patterns = machine.patterns(&word).unwrap();
        let mut periods: Vec<usize> = patterns.iter().map(Pattern::period).collect();
        periods.sort_unstable();
        periods.dedup();
        let stated = cells[2].split(['(', '[']).next().unwrap();
        let stated: Vec<usize> =
            stated.split(',').map(|period| period.trim().parse().unwrap()).collect();
        assert_eq!(stated, periods, "{line}");
        if let Some(pattern) = cells[2].split_once('(') {
            let pattern = pattern.1.trim_end_matches(')');
            assert_eq!(patterns.first().unwrap().to_string(), pattern, "{line}");
            assert_eq!(patterns.len(), 1);
        }
        if let Some(count) = cells[2].split_once('[') {
            assert_eq!(count.1, format!("{}]", patterns.len()), "{line}");
        }
        let rise = Balance {
            periodic: word.periodic_rows().cast_signed(),
            rows: word.rows().cast_signed(),
        };
        assert_eq!(cells[3], rise.decimal(), "{line}");
    }
    words
}

/// `a + b - b√2` against squares: `a + b > b√2` if and only if `(a + b)² > 2b²`, for `a, b >= 0`.
#[test]
fn balances() {
    let balance = |periodic, rows| Balance { periodic, rows };
    assert_eq!(Balance::step(3) + Balance::step(2), balance(2, 5));
    for periodic in 0..60_i64 {
        for rows in 0..60_i64 {
            let one = balance(periodic, rows);
            let squares = (periodic + rows).pow(2).cmp(&(2 * rows.pow(2)));
            assert_eq!(one.cmp(&balance(0, 0)), squares, "{one:?}");
            assert_eq!(balance(0, 0).cmp(&one), squares.reverse(), "{one:?}");
            assert_eq!(one.cmp(&one), Ordering::Equal);
            // ⌊100 D⌋ is the greatest integer that is not above 100 D.
            let floor = i64::try_from(one.floor(100)).unwrap();
            let above = |integer: i64| {
                let whole = 100 * (periodic + rows) - integer;
                whole >= 0 && whole.pow(2) >= 2 * (100 * rows).pow(2)
            };
            assert!(above(floor) && !above(floor + 1), "{one:?}");
        }
    }
    // 2 - √2 times 2, and so on, by hand.
    let rises = [(4, 6), (5, 8), (6, 10), (7, 12)].map(|(a, b)| balance(a, b).decimal());
    assert_eq!(rises, ["1.515", "1.686", "1.858", "2.029"]);
    assert_eq!(balance(-1, -1).decimal(), "-0.586");
}
