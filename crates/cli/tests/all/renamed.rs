//! Names that commands had: each runs the command that answers now, and the help says which.

use predicates::str::contains;

use crate::options::commands;
use crate::program::{USAGE, chomp, stdout};

/// What was typed, and what is typed now.
const NAMES: [(&str, &str); 11] = [
    ("board 4x7", "query --board 4x7"),
    ("board 3x4 --list --json", "query 3x4 --list --json"),
    ("-q board --openings 4", "query --openings 4 -q"),
    ("moves 7 5 3 --json", "query 7 5 3 --json --moves"),
    ("grundy 8x8", "query 8x8 --grundy"),
    ("grundy --level 1 --to=20 --tsv", "family --tsv --to 20 --level 1"),
    ("tail --tsv 2,1 --to 9", "family 2,1 --tail --to 9 --tsv"),
    ("tail --parts 2 --to 9", "family --parts 2 --to 9"),
    ("f --json 5 5,4", "show 5 5,4 --f --json"),
    ("--progress json why 120", "show 120 --why"),
    ("periods --to 500", "show 0..500 --periods"),
];

#[test]
fn earlier_names_still_work() {
    for (earlier, now) in NAMES {
        assert_eq!(stdout(chomp(earlier).assert()), stdout(chomp(now).assert()), "{earlier}");
    }
    // Only the name of a command is read so.
    chomp("show why").assert().code(USAGE).stderr(contains("\"why\": a row is its number"));
}

#[test]
fn the_help_has_the_names_of_today_and_knows_the_earlier_ones() {
    let (listed, help) = (commands(), stdout(chomp("help").assert()));
    for (name, now) in [
        ("board", "`chomp query --board`"),
        ("moves", "`chomp query --moves`"),
        ("grundy", "`chomp family`"),
        ("grundy", "`chomp query --grundy`"),
        ("f", "`chomp show --f`"),
        ("why", "`chomp show --why`"),
        ("periods", "`chomp show --periods`"),
        ("tail", "`chomp family --tail`"),
    ] {
        assert!(!listed.iter().any(|command| command == name), "{name}");
        let text = help.split_once("Names of earlier commands").expect("a line on them").1;
        assert!(text.contains(name), "{name}");
        chomp(&format!("help {name}")).assert().success().stdout(contains(now));
    }
}

/// What no command printed before: all rows of a data set, and those of one period in words.
#[test]
fn rows_are_shown_by_their_period() {
    let words = stdout(chomp("show 0..450 --period 4").assert());
    let titles: Vec<&str> = words
        .lines()
        .filter(|line| line.starts_with("row ") && line.ends_with(" is periodic"))
        .collect();
    // Brouwer's table has the rows 402 and 424.
    assert_eq!(titles.len(), 2, "{words}");
    assert!(titles[0].starts_with("row 402 ") && titles[1].starts_with("row 424 "), "{titles:?}");
    let none = chomp("show 0..9 --period 4").assert().success().stdout("");
    none.stderr(contains("no row from 0 to 9 has period 4"));
    for useless in [
        "show --f 10 5 --full",
        "show --f 10 5 --why",
        "show 5 --tsv",
        "show --why 120 --period 2",
        "show --periods 5 --sage",
        "query --grundy --moves 2 1",
        "query --grundy 2 1 --all",
        "query --grundy 2 1 --proof",
        "query 2 1 --by table",
        "query 2 1 --level 3",
        "query --board 2x2 --verify 3",
        "query 2x2 --list --all",
        "family --parts 2",
        "family --tail --to 3",
        "family --to 3",
        "family tails 3 --parts 2 --to 3",
        "family --tail 3,2 --describe",
    ] {
        chomp(useless).assert().code(USAGE).stdout("");
    }
}
