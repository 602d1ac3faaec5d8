//! The program, and the files of `outputs/` that it makes in little time.

#![allow(clippy::disallowed_methods, reason = "tests open what they have made")]

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use boards::lengths::Lengths;
use game::Board;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use record::Record;
use record::data_set::DataSet;
use tempfile::TempDir;

const USAGE: i32 = 2;
const INPUT_OR_OUTPUT: i32 = 3;

fn experiments(arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_experiments"));
    command.args(arguments.split_whitespace());
    command
}

fn stdout(run: Assert) -> String {
    String::from_utf8(run.success().get_output().stdout.clone()).unwrap()
}

fn workspace(path: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join(path)
}

/// The ranges of an independent program, from the ends and starts of these rows.
#[test]
fn ranges_of_ends_and_starts() {
    let mut command = experiments("ends --data");
    let printed = stdout(command.arg(workspace("outputs/rows-10000")).assert());
    let lines: Vec<String> =
        printed.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    let expected = [
        "Rows 0 to 10000",
        "x_n - 2n - e(n) from -1 (n = 10) to 2 (n = 89)",
        "r_n - n - #{i: x_i + i < x_n} from -1 (n = 31) to 1 (n = 7)",
        "K(r) - e(r) from 0 (r = 0) to 2 (r = 89)",
        "N(r) - 2r, r >= 2 from -5857 (r = 10000) to 0 (r = 3)",
        "N(r) - the greatest N(c), c < r from -3 (r = 2977) to 5 (r = 626)",
        "N(r) - √2 r from -1.7098 (r = 458) to 5.4061 (r = 5431)",
    ];
    assert_eq!(lines, expected);
    experiments("ends").assert().code(USAGE);
}

/// The ranges of an independent program, by the definitions and the bare recurrence.
#[test]
fn ranges_in_columns() {
    let printed = stdout(experiments("ends --random 1 --to 800").assert());
    let lines: Vec<&str> = printed.lines().collect();
    let expected = [
        "E\tGA\tFF\tUB\tSL\tperturbation",
        "-1 to 1\t0 to 1\t-2 to 1\t0 to 2\t-2 to 2\tPerturbation(diagonal: [], cells: [])",
        "0 to 2\t5 to 7\t0 to 4\t6 to 10\t-1 to 10\t\
         Perturbation(diagonal: [1, 12, 47, 48, 53, 54, 58], cells: [])",
    ];
    assert_eq!(lines, expected);
    experiments("ends --random 1").assert().code(USAGE);
}

/// The document names the smallest boards with several openings, as the committed one does.
#[test]
fn the_document_of_openings_has_the_first_boards() {
    let folder = TempDir::new().unwrap();
    let parts = folder.path().join("parts");
    let document = stdout(experiments("openings 13").arg(&parts).assert());
    let committed = fs::read_to_string(workspace("outputs/OPENINGS.md")).unwrap();
    for line in
        document.lines().filter(|line| line.starts_with("| 8 × 10") || line.starts_with("| 13 | "))
    {
        assert!(committed.contains(line), "{line}");
    }
    assert!(document.contains("| 8 × 10 | 80 | 36 |"), "{document}");
    let figure = stdout(experiments("openings 13 --svg").arg(&parts).assert());
    assert!(figure.starts_with("<svg ") && figure.contains("up to 13 rows"));
}

fn file(text: &str) -> (TempDir, String) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("perturbed.ron");
    fs::write(&path, text).unwrap();
    let path = path.to_str().unwrap().to_owned();
    (folder, path)
}

/// With nothing blocked from the outset, the rows are those of the certified records.
#[test]
fn an_empty_perturbation_is_experiments() {
    let (_folder, path) = file("Perturbation(diagonal: [], cells: [])");
    let printed =
        stdout(experiments(&format!("perturbed {path} --to 410 --rows")).assert().success());
    let lines = printed.lines().filter(|line| !line.starts_with('#')).skip(1);
    let found: Vec<Vec<&str>> = lines.map(|line| line.split('\t').collect()).collect();
    let data_set = DataSet::open(&workspace("outputs/rows-10000")).unwrap();
    let expected: Vec<Record> = data_set.rows().take(411).map(Result::unwrap).collect();
    assert_eq!(found.len(), expected.len());
    for (line, record) in found.iter().zip(&expected) {
        assert_eq!(line[0], record.row().to_string());
        let (kind, end, period, mean) = match (record.periodic(), record.finite()) {
            (Some(row), _) => {
                ("periodic", String::new(), row.period().to_string(), row.mean().to_string())
            }
            (_, Some(row)) => ("finite", row.last.to_string(), String::new(), String::new()),
            _ => unreachable!("rows are finite or periodic"),
        };
        assert_eq!(line[1..5], [kind, &end, &period, &mean], "row {}", record.row());
        // A row moves if and only if it has one hole (`proofs/cascade.md`, 5.4).
        let moves = record.periodic().is_some_and(|row| row.period() > 1);
        assert_eq!(moves, line[5] == "1", "row {}: {line:?}", record.row());
    }
    // Row 402 of Brouwer's page has the word 1:AA: two balls, of which it takes out one.
    assert_eq!(found[402][5..8], ["1", "2", "1"]);
}

/// `columns_apart` in `crates/cascade` finds the same exception by another program.
#[test]
fn the_perturbation_is_named_and_failures_are_counted() {
    let text = "Perturbation(diagonal: [18, 20, 21, 26, 36, 40, 46, 51, 55], cells: [])";
    let (_folder, path) = file(text);
    let printed = stdout(experiments(&format!("perturbed {path} --to 740")).assert().success());
    assert!(printed.starts_with(&format!("Not Chomp: {text}\n")), "{printed}");
    let cells = |name: &str| -> Vec<String> {
        let line = printed.lines().find(|line| line.starts_with(&format!("| {name}"))).unwrap();
        line.split('|').skip(2).map(|cell| cell.trim().to_owned()).collect()
    };
    assert_eq!(cells("8.10: these are successive")[1..4], ["1", "730", "730"]);
    for theorem in ["(M):", "(M*)", "no end is a diagonal", "each n is", "8.3", "8.10: n-th", "5.1"]
    {
        assert_eq!(cells(theorem)[1], "0", "{theorem}");
    }
}

#[test]
fn random_perturbations_are_counted() {
    let folder = TempDir::new().unwrap();
    let tsv = folder.path().join("games.tsv");
    let mut command = experiments("perturbed --random 4 --to 200 --tsv");
    let printed = stdout(command.arg(&tsv).assert().success());
    let lines = fs::read_to_string(&tsv).unwrap();
    let lines: Vec<Vec<&str>> = lines.lines().map(|line| line.split('\t').collect()).collect();
    assert!(lines.len() == 5 && lines.iter().all(|line| line.len() == lines[0].len()));
    // Each line names the recurrence, which gives the same numbers by itself.
    let (last, line) = (lines[0].len() - 1, &lines[2]);
    let (_folder, path) = file(line[last]);
    let alone = stdout(experiments(&format!("perturbed {path} --to 200")).assert().success());
    assert!(alone.contains(&format!("periodic rows           {}\n", line[1])), "{alone}");
    assert!(alone.contains(&format!("largest excess          {}\n", line[15])), "{alone}");
    for (name, column) in [("F(F(b)) - 4F(b) + 2b", 4), ("E_b - 2b + F(b)", 6)] {
        let entry = format!("{name:<23} from {} to {}\n", line[column], line[column + 1]);
        assert!(alone.contains(&entry), "{alone}");
    }
    // The sum of a column is in the table of all.
    let column = lines[0].iter().position(|name| *name == "h <= 1").unwrap();
    let failures: Vec<u64> = lines[1..].iter().map(|line| line[column].parse().unwrap()).collect();
    let row = printed.lines().find(|line| line.starts_with("| h <= 1")).unwrap();
    let cells: Vec<&str> = row.split('|').map(str::trim).collect();
    assert_eq!(cells[4], failures.iter().sum::<u64>().to_string());
    let failing = failures.iter().filter(|&&failures| failures > 0).count();
    assert_eq!(cells[2], failing.to_string());
}

#[test]
fn refusals() {
    for (text, message) in [
        ("", "the form is Perturbation"),
        ("Perturbation(diagonal: [0], cells: [])", "0 is out of range"),
        ("Perturbation(diagonal: [], cells: [(9, 5)])", "(9, 5) has no effect"),
        ("Perturbation(diagonal: [], cells: [], rows: 3)", "the form is Perturbation"),
    ] {
        let (_folder, path) = file(text);
        let refused = experiments(&format!("perturbed {path}")).assert().code(INPUT_OR_OUTPUT);
        refused.stderr(contains(message).and(contains("has no perturbation")));
    }
    experiments("perturbed /nowhere").assert().code(INPUT_OR_OUTPUT);
    for arguments in ["", "- --random 3", "--random 3 --rows", "- --to 30001", "- --tsv x"] {
        experiments(&format!("perturbed {arguments}")).assert().code(USAGE);
    }
}

/// What the command writes is no data set, nor a part of one.
#[test]
fn no_command_takes_its_output_for_rows_of_experiments() {
    let (folder, path) = file("Perturbation(diagonal: [18], cells: [])");
    let tsv = folder.path().join("games.tsv");
    let print = |arguments: &str| {
        stdout(experiments(&format!("perturbed {arguments} --to 150")).assert().success())
    };
    let games = print(&format!("--random 1 --tsv {}", tsv.display()));
    let rows = print(&format!("{path} --rows"));
    let outputs = [rows, print(&path), games, fs::read_to_string(&tsv).unwrap()];
    let (data, segment) = (folder.path().join("data"), "rows-0000000-0009999.ron");
    fs::create_dir(&data).unwrap();
    for part in ["MANIFEST.ron", segment, "rows-0010000-0010000.ron"] {
        fs::copy(workspace("outputs/rows-10000").join(part), data.join(part)).unwrap();
    }
    for part in ["MANIFEST.ron", segment] {
        let original = fs::read(data.join(part)).unwrap();
        for output in &outputs {
            fs::write(data.join(part), output).unwrap();
            let rows =
                DataSet::open(&data).and_then(|set| set.rows().collect::<Result<Vec<_>, _>>());
            assert!(rows.is_err(), "{part}: {output}");
        }
        fs::write(data.join(part), original).unwrap();
    }
    assert_eq!(DataSet::open(&data).unwrap().rows().count(), 10_001);
}

/// A table of openings: rows and columns, and the openings.
fn openings(name: &str) -> BTreeMap<(u32, u32), Vec<(u32, u32)>> {
    let text = fs::read_to_string(workspace(&format!("outputs/{name}"))).unwrap();
    let number = |text: &str| text.parse().unwrap();
    let line = |line: &str| {
        let parts: Vec<_> = line.split('\t').collect();
        let bites: Vec<_> = parts[3].split_terminator(' ').collect();
        assert_eq!(parts[2], bites.len().to_string());
        let bites = bites.iter().map(|bite| bite.split_once(',').unwrap());
        let bites = bites.map(|(row, column)| (number(row), number(column))).collect();
        ((number(parts[0]), number(parts[1])), bites)
    };
    text.lines().skip(1).map(line).collect()
}

/// The openings of long rectangles are those of all rectangles to 20 × 20, by another solver and
/// another run, where both have them, and those that others have published. They obey two theorems:
/// no opening is within another, and on a square their number is odd.
#[test]
fn long_rectangles_have_the_openings_of_short_ones_and_those_that_are_published() {
    let (long, short) = (openings("openings-long.tsv"), openings("openings-20.tsv"));
    let both: Vec<_> = long.iter().filter(|(board, _)| short.contains_key(board)).collect();
    assert!(both.len() > 100 && both.iter().all(|(board, bites)| short[board] == **bites));
    // Padhi 2026, section 4.
    let of_two = [
        (6, 13),
        (6, 93),
        (7, 29),
        (7, 30),
        (7, 57),
        (8, 10),
        (8, 22),
        (8, 23),
        (9, 10),
        (9, 26),
        (10, 14),
        (10, 29),
        (10, 33),
        (10, 35),
        (11, 18),
        (12, 13),
        (13, 16),
        (14, 16),
    ];
    for board in of_two.iter().filter(|board| long.contains_key(board)) {
        assert_eq!(long[board].len(), 2, "{board:?}");
    }
    // Padhi and Dabish 2026.
    assert_eq!(long[&(10, 42)], [(5, 36), (7, 30), (8, 26)]);
    for ((rows, columns), bites) in &long {
        let is_antichain = bites.is_sorted_by(|one, next| one.0 < next.0 && one.1 > next.1);
        assert!(is_antichain, "{rows} × {columns}");
        assert!(rows != columns || *rows == 1 || bites.len() % 2 == 1, "{rows} × {columns}");
    }
}

/// The openings of boards with few rows, by a sieve, are those of rectangles, by tables; and one of
/// each number of rows is found again.
#[test]
fn few_rows_have_the_openings_of_rectangles() {
    let (few, long) = (openings("openings-few-rows.tsv"), openings("openings-long.tsv"));
    let both: Vec<_> = few.iter().filter(|(board, _)| long.contains_key(board)).collect();
    assert!(both.len() > 250 && both.iter().all(|(board, bites)| long[board] == **bites));
    // Padhi 2026, section 4.
    assert_eq!([few[&(6, 13)].len(), few[&(6, 93)].len()], [2, 2]);
    let (kept, told) = (TempDir::new().unwrap(), workspace("outputs/openings-few-rows.tsv"));
    let told = fs::read_to_string(told).unwrap();
    let mut command = experiments("rectangles 4x160 5x151 --keep");
    for line in stdout(command.arg(kept.path()).assert()).lines() {
        assert!(told.lines().any(|own| own == line), "{line}");
    }
    for ((rows, columns), bites) in &few {
        let is_antichain = bites.is_sorted_by(|one, next| one.0 < next.0 && one.1 > next.1);
        assert!(is_antichain && !bites.is_empty(), "{rows} × {columns}");
    }
}

/// Whether no bite but that of the poison, element 0, leaves a P-position, by the rules.
fn is_p(position: u64, above: &[u64], known: &mut HashMap<u64, bool>) -> bool {
    if let Some(&is_p) = known.get(&position) {
        return is_p;
    }
    let mut bites = (1..above.len()).filter(|bite| position >> bite & 1 == 1);
    let found = !bites.any(|bite| is_p(position & !above[bite], above, known));
    known.insert(position, found);
    found
}

/// Products of three chains, by plain search.
#[test]
fn products_have_the_openings_of_a_plain_search() {
    let told = fs::read_to_string(workspace("outputs/openings-products.tsv")).unwrap();
    let first = stdout(experiments("products 48").assert());
    assert!(told.lines().count() > first.lines().count());
    for line in first.lines().skip(1) {
        assert!(told.lines().any(|own| own == line), "{line}");
        let parts: Vec<_> = line.split('\t').collect();
        let [a, b, c] = [parts[0], parts[1], parts[2]].map(|side| side.parse::<usize>().unwrap());
        let elements: Vec<_> =
            (0..a * b * c).map(|n| [n / (b * c) + 1, n / c % b + 1, n % c + 1]).collect();
        let above = elements.iter().map(|own| {
            let is_above = |other: &[usize; 3]| (0..3).all(|chain| other[chain] >= own[chain]);
            let bits = elements.iter().enumerate().filter(|(_, other)| is_above(other));
            bits.fold(0, |set, (n, _)| set | 1 << n)
        });
        let (above, mut known) = (above.collect::<Vec<u64>>(), HashMap::new());
        let wins = |bite: &usize| is_p(above[0] & !above[*bite], &above, &mut known);
        let bites = (1..elements.len()).filter(wins).map(|bite| elements[bite]);
        let names: Vec<_> = bites.map(|[i, j, k]| format!("{i},{j},{k}")).collect();
        assert_eq!([parts[3], parts[4]], [&names.len().to_string(), &names.join(" ")]);
    }
}

/// How long games from rectangles last: at least `2·max(a,b)`. The tests of `boards` compare these
/// lengths with the game tree.
#[test]
fn lengths_of_rectangles_are_those_of_outputs() {
    let told = fs::read_to_string(workspace("outputs/lengths-12.tsv")).unwrap();
    assert_eq!(told, stdout(experiments("lengths --rectangles 12").assert()));
    for line in told.lines().skip(1) {
        let numbers: Vec<u32> = line.split('\t').map(|number| number.parse().unwrap()).collect();
        let [rows, columns, turns] = numbers[..] else { panic!("{line}") };
        assert!(rows == 1 || turns >= 2 * columns && turns % 2 == 0, "{line}");
    }
    experiments("lengths").assert().code(USAGE);
    experiments("lengths 3501").assert().code(USAGE);
}

/// How long games last along the first rows, by the lengths of all boards of a rectangle, with the
/// condition under which `proofs/boards.md`, 8 (e), proves it for all columns.
#[test]
fn lengths_repeat_along_rows_as_all_boards_say() {
    const LAST: u16 = 120;
    let told = fs::read_to_string(workspace("outputs/lengths-2000.tsv")).unwrap();
    let first = stdout(experiments("lengths 130").assert());
    assert!(told.lines().count() > first.lines().count() && told.starts_with(&first));
    let lengths = Lengths::of(3, 660, &|_| ControlFlow::Continue(())).unwrap();
    // L - 2q and L - (2p - 1) at the P-position of a column.
    let of_column = |q: u16, r: u16| {
        let of_p = |p| lengths.of_board(&Board::new(vec![p, q, r]).unwrap()).map(|l| (p, l));
        let (p, length) = (q.max(1)..=q + r + 1).filter_map(of_p).find(|(_, l)| l % 2 == 1)?;
        Some((i32::from(length) - 2 * i32::from(q), i32::from(length) - 2 * i32::from(p) + 1))
    };
    let data = DataSet::open(&workspace("outputs/rows-10000")).unwrap();
    let rows = data.rows().take(usize::from(LAST) + 1).collect::<Result<Vec<_>, _>>().unwrap();
    let table: BTreeMap<u16, Vec<&str>> = told
        .lines()
        .skip(1)
        .map(|line| {
            let fields: Vec<_> = line.split('\t').collect();
            (fields[0].parse().unwrap(), fields)
        })
        .collect();
    let (mut settled, mut most, mut checked) = (0, 1, 0);
    for (r, row) in (0..).zip(&rows) {
        settled = settled.max(row.settled()).max(row.row() + 1);
        let Some(of) = row.periodic() else { continue };
        let number = |field: usize| table[&r][field].parse::<u16>().unwrap();
        let [start, period, from, repeats, window, shift] = [1, 2, 3, 4, 7, 8].map(number);
        assert_eq!((u64::from(start), usize::from(period)), (of.start, of.values.len()));
        most = most.max(period);
        // All periods so far are 1 or 2.
        assert!(u64::from(window) == settled + 2 * u64::from(r) + 3 && shift == most && most <= 2);
        let list = |field: usize| table[&r][field].split(',').map(|n| n.parse::<i32>().unwrap());
        let cycle: Vec<_> = list(5).zip(list(6)).collect();
        assert_eq!(cycle.len(), usize::from(repeats));
        for q in from..window + r + 2 + shift {
            let expected = cycle[usize::from((q - from) % repeats)];
            assert_eq!(of_column(q, r), Some(expected), "row {r}, column {q}");
        }
        let at_last = cycle[usize::from(repeats) - 1];
        assert!(from == r || of_column(from - 1, r) != Some(at_last), "row {r}");
        assert!(repeats == 1 || repeats == 2 && cycle[0] != cycle[1], "row {r}");
        checked += 1;
    }
    assert_eq!(checked, rows.iter().filter(|row| row.periodic().is_some()).count());
}
