//! Rows as text for other programs: read by `languages.py`, which shares no code with the program,
//! and compared with Brouwer's recurrence, and with boards that are solved.

use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Command, Stdio};

use boards::Outcomes;
use boards::grundy::within;
use boards::rectangles::Solution;
use game::brouwer::Table;
use game::{Board, Outcome};
use predicates::str::contains;
use serde::de::DeserializeOwned;
use tempfile::tempdir;

use crate::program::{USAGE, chomp, data_set_to, stdout};

const LANGUAGES: [&str; 5] = ["latex", "sage", "mathematica", "maple", "pari"];

/// The last column that is compared.
const LAST: u64 = 700;

/// A level, a tail or the name of an ideal, and f(q) for q = 0, 1, 2, ..., as a reader of the text
/// finds them.
type Row<T> = (u64, T, Vec<Option<u64>>);

fn printed(rows: &[&str], language: &str) -> String {
    let show = |row: &&str| stdout(chomp(&format!("show {row} --{language}")).assert());
    // A formula is a paragraph.
    let between = if language == "latex" { "\n" } else { "" };
    rows.iter().map(show).collect::<Vec<_>>().join(between)
}

fn read<T: DeserializeOwned>(text: &str, language: &str, program: &str) -> Vec<Row<T>> {
    use std::io::Write;
    let reader = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/languages.py");
    let mut command = Command::new(program);
    command.arg(reader).args([language, &LAST.to_string()]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{language}: {text}");
    let lines = String::from_utf8(output.stdout).unwrap();
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Rows 0, 2 and 5 have period 1, 120 has 2, 402 has 4; 1, 3 and 200 are finite (Brouwer's page).
#[test]
fn rows_in_other_languages_have_the_values_of_brouwers_recurrence() {
    let table = Table::up_to(LAST);
    let rows = ["0", "1", "2", "3", "5", "120", "200", "402"];
    for language in LANGUAGES {
        let found: Vec<Row<Vec<u64>>> = read(&printed(&rows, language), language, "python3");
        assert_eq!(found.len(), rows.len(), "{language}");
        for ((level, tail, values), row) in found.iter().zip(rows) {
            let r: u64 = row.parse().unwrap();
            assert_eq!((*level, tail.as_slice()), (0, [r].as_slice()), "{language}");
            // Brouwer's f is a smaller number where the row has ended, or has not begun.
            let f = |q| table.f(q, r).filter(|&p| p >= q && q >= r);
            let expected: Vec<_> = (0..=LAST).map(f).collect();
            assert_eq!(*values, expected, "{language}, row {r}");
        }
    }
}

/// The P-positions (p,q,3,2) and (p,q,5,4) of 4 × 40, solved as boards; tail (3,1) has none.
#[test]
fn tails_in_other_languages_have_the_p_positions_of_a_board() {
    const COLUMNS: u16 = 40;
    let go_on = |_| ControlFlow::Continue(());
    let solution = Solution::of(4, COLUMNS, NonZero::<usize>::MIN, &go_on).unwrap();
    let f = |q: u16, [a, b]: [u16; 2]| {
        let is_p = |&p: &u16| {
            let board = Board::new(vec![p, q, a, b]).unwrap();
            solution.outcome(&board) == Some(Outcome::P)
        };
        if q < a { None } else { (q..=COLUMNS).find(is_p).map(u64::from) }
    };
    for language in LANGUAGES {
        let text = printed(&["3,2", "5,4", "3,1"], language);
        let found: Vec<Row<Vec<u64>>> = read(&text, language, "python3");
        let tails = [[3, 2], [5, 4], [3, 1]];
        for ((level, tail, values), expected) in found.iter().zip(tails) {
            assert_eq!((*level, tail.clone()), (0, expected.map(u64::from).to_vec()), "{language}");
            // Offsets are at most 10 (fact 12), so that each p fits onto the board.
            for q in 0..COLUMNS - 10 {
                assert_eq!(values[usize::from(q)], f(q, expected), "{language}, {tail:?}, {q}");
            }
        }
    }
    assert!(printed(&["3,1"], "latex").contains("is defined for no $q$"));
    // Row 1 has the positions (3,1,1) and (2,2,1); row 0 has one for each q.
    let row_1 = printed(&["1"], "latex");
    assert!(
        row_1.contains("if } 1 \\le q < 3, \\\\\n  \\text{undefined} & \\text{otherwise},"),
        "{row_1}"
    );
    assert!(!printed(&["0"], "latex").contains("undefined"));
}

/// The p such that (p,q) above this tail has this Grundy value, by a table of all boards within
/// (40,40) above the largest tail.
struct Boards(within::Table);

impl Boards {
    const COLUMNS: u64 = 40;

    fn above(tail: &[u16]) -> Self {
        let side = u16::try_from(Self::COLUMNS).unwrap();
        let around = Board::new([&[side, side], tail].concat()).unwrap();
        Self(within::Table::of(&around, &|_| ControlFlow::Continue(())).unwrap())
    }

    fn f(&self, level: u64, q: u64, tail: &[u64]) -> Option<u64> {
        let has_value = |&p: &u64| {
            let rows = [&[p, q], tail].concat();
            let rows = rows.into_iter().map(|length| u16::try_from(length).unwrap()).collect();
            self.0.value(&Board::new(rows).unwrap()).map(u64::from) == Some(level)
        };
        let is_tail = tail.first().is_none_or(|&r| q >= r);
        if is_tail { (q.max(1)..=Self::COLUMNS).find(has_value) } else { None }
    }
}

/// Offsets of these rows are at most 10 (fact 12), so that each p fits onto the boards.
#[test]
fn levels_in_other_languages_have_the_values_of_a_table() {
    for (command, largest, rows) in [
        ("grundy --levels 0..2 --to 6", &[6][..], 21),
        ("grundy --level 3 --to 5", &[5], 6),
        ("tail 3,2 --levels 0..1", &[3, 2], 2),
        ("tail --parts 2 --to 3 --levels 0..2", &[3, 3], 30),
    ] {
        let boards = Boards::above(largest);
        for language in LANGUAGES {
            let text = stdout(chomp(&format!("{command} --{language}")).assert());
            let found: Vec<Row<Vec<u64>>> = read(&text, language, "python3");
            assert_eq!(found.len(), rows, "{command} --{language}");
            for (level, tail, values) in &found {
                for q in 0..Boards::COLUMNS - 10 {
                    let expected = boards.f(*level, q, tail);
                    let place = usize::try_from(q).unwrap();
                    assert_eq!(values[place], expected, "{language}, {level}, {tail:?}, {q}");
                }
            }
        }
    }
}

/// Bouton: heaps p, n and k of Nim have the Grundy value p xor n xor k. These ideals are heaps.
#[test]
fn families_in_other_languages_have_the_values_of_nim() {
    for (family, heaps) in [
        ("beside chains 5", &["{}", "{(1)}", "{(2)}", "{(3)}", "{(4)}", "{(5)}"][..]),
        ("beside boolean 1", &["{}", "{{}}", "{1}"]),
    ] {
        for language in LANGUAGES {
            let text =
                stdout(chomp(&format!("family {family} --levels 0..2 --{language}")).assert());
            let found: Vec<Row<String>> = read(&text, language, "python3");
            assert_eq!(found.len(), 3 * heaps.len());
            for (level, ideal, values) in &found {
                let heap = heaps.iter().position(|name| name == ideal).expect(ideal) as u64;
                let nim = (0..=LAST).map(|n| Some(n ^ heap ^ level));
                assert!(values.iter().copied().eq(nim), "{language}, {level}, {ideal}");
            }
        }
    }
}

/// Rows 3 and 4 of a board as a poset below two chains: ideals are tails.
#[test]
fn ideals_in_other_languages_have_the_values_of_a_table() {
    let boards = Boards::above(&[4, 3]);
    let tail = |ideal: &str| {
        let names = ideal.trim_matches(['{', '}']).split(',').filter(|name| !name.is_empty());
        let squares: Vec<(u64, u64)> = names
            .map(|name| name.split_once('.').unwrap())
            .map(|(row, column)| (row.parse().unwrap(), column.parse().unwrap()))
            .collect();
        let length = |of: u64| {
            let below = squares.iter().filter(|&&(row, _)| row >= of);
            below.map(|&(_, column)| column).max().unwrap_or(0)
        };
        vec![length(3), length(4)]
    };
    for language in LANGUAGES {
        let text = stdout(chomp(&format!("family tails 4 3 --levels 0..1 --{language}")).assert());
        let found: Vec<Row<String>> = read(&text, language, "python3");
        assert_eq!(found.len(), 2 * 14);
        for (level, ideal, values) in &found {
            for q in 0..Boards::COLUMNS - 10 {
                let expected = boards.f(*level, q, &tail(ideal));
                let place = usize::try_from(q).unwrap();
                assert_eq!(values[place], expected, "{language}, {level}, {ideal}, {q}");
            }
        }
    }
}

#[test]
fn a_listing_is_printed_in_one_form() {
    for two in ["--sage --maple", "--latex --json", "--maple --tsv", "--latex --full"] {
        let refused = chomp(&format!("grundy --level 1 --to 5 {two}")).assert();
        refused.code(USAGE).stdout("").stderr(contains("cannot be used with"));
    }
    chomp("grundy 8x8 --sage").assert().code(USAGE).stdout("");
}

#[test]
#[ignore = "needs Sage"]
fn its_text_is_read_with_sage() {
    // Row 120 has the offsets 72, 70, 72, ... from column 170 on (the 2005 paper, 8.2).
    let code = printed(&["120", "3"], "sage")
        + "print(f_120(170), f_120(171), f_120(10^40), f_120(119), f_3(5), f_3(6))";
    let output = Command::new("sage").args(["-c", &code]).output().unwrap();
    let far = format!("1{}72", "0".repeat(38));
    let expected = format!("242 241 {far} None 5 None\n");
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
}

#[test]
fn a_row_is_printed_in_one_form() {
    for two in ["--sage --maple", "--latex --json", "--pari --sage", "--mathematica --full"] {
        let refused = chomp(&format!("show 5 {two}")).assert().code(USAGE).stdout("");
        refused.stderr(contains("cannot be used with"));
    }
    let folder = data_set_to(130);
    let show = |row: &str| chomp(&format!("show {row} --data")).arg(folder.path()).assert();
    // Nothing is computed of row 2, for it has no head.
    assert_eq!(stdout(show("2 --maple").stderr("")), "B[2] := [[], [2]]:\n");
    let full = tempdir().unwrap();
    chomp("rows --to 130 --full --out").arg(full.path()).assert().success();
    let read = chomp("show 120 --maple --data").arg(full.path()).assert();
    assert_eq!(stdout(read), stdout(chomp("show 120 --maple").assert()));
}

/// One row after the other, as each by itself.
#[test]
fn several_rows_are_printed_in_order() {
    for (options, between) in [("", "\n"), ("--full", "\n"), ("--maple", ""), ("--json", "")] {
        let alone = ["118", "119", "120"]
            .map(|row| stdout(chomp(&format!("show {row} {options}")).assert()));
        let together = stdout(chomp(&format!("show 118..120 {options}")).assert());
        assert_eq!(together, alone.join(between), "{options}");
    }
    // Far out with fingerprints, which are those of `chomp rows`.
    let far = stdout(chomp("show 10_000..10_001").assert());
    let titles: Vec<&str> = far.lines().filter(|line| line.starts_with("row ")).collect();
    assert!(matches!(titles[..], [a, b] if a.contains("10000 is") && b.contains("10001 is")));
    let folder = data_set_to(10_001);
    let read = chomp("show 10_000..10_001 --data").arg(folder.path()).assert();
    assert_eq!(stdout(read), far);
    assert!(far.contains(", fingerprint "), "{far}");

    let folder = data_set_to(130);
    let read = chomp("show 118..130 --json --data").arg(folder.path()).assert();
    assert_eq!(stdout(read).lines().count(), 13);
    let past = chomp("show 118..131 --data").arg(folder.path()).assert();
    past.code(USAGE).stdout("").stderr(contains("holds rows 0 to 130, not row 131"));
    for (range, words) in [
        ("7..6", "the first is past the last"),
        ("7..", "give a whole number"),
        ("0..536_870_912", "rows go to 536870911 here"),
    ] {
        chomp(&format!("show {range}")).assert().code(USAGE).stdout("").stderr(contains(words));
    }
}

/// Row 3001 has more than a thousand offsets. In full it says all that its record has.
#[test]
fn long_rows_are_shortened() {
    let short = stdout(chomp("show 3001").assert());
    assert!(short.lines().count() < 25 && short.lines().all(|line| line.len() < 200), "{short}");
    assert!(short.ends_with("--full prints all numbers.\n"), "{short}");
    let full = stdout(chomp("show 3001 --full").assert());
    assert!(!full.contains("--full") && !full.contains("..."), "{full}");
    let json = stdout(chomp("show 3001 --json").assert());
    let record: serde_json::Value = serde_json::from_str(&json).unwrap();
    let head: Vec<u64> = serde_json::from_value(record["head"].clone()).unwrap();
    assert!(head.len() > 1000);
    let lines = full.lines().filter_map(|line| line.trim_start().strip_prefix("head"));
    assert_eq!(lines.count(), 1);
    let listed = full.lines().filter(|line| line.contains("q = ") && line.contains(": "));
    let numbers: Vec<u64> = listed
        .filter_map(|line| line.split_once(": "))
        .filter(|(column, _)| column.trim_start().trim_start_matches("q = ").parse::<u64>().is_ok())
        .flat_map(|(_, numbers)| {
            numbers.split(", ").map(|n| n.parse().unwrap()).collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(numbers, head);
    // Each line of the short form is one of the full form, or says how much is left out.
    for line in short.lines().filter(|line| !line.contains("...") && !line.contains("--full")) {
        assert!(full.lines().any(|other| other == line), "{line}");
    }
}
