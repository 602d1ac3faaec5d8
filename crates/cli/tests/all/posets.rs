//! `chomp poset`.

use std::fs;
use std::time::{Duration, Instant};

use posets::LIST;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, is_empty};
use tempfile::tempdir;

use crate::program::{INCOMPLETE, INPUT_OR_OUTPUT, USAGE, chomp, stdout};

#[test]
fn families_are_listed_with_a_line_each() {
    let list = stdout(chomp("poset").assert());
    for (usage, what) in LIST {
        let line = list.lines().find(|line| line.starts_with(usage));
        assert!(line.is_some_and(|line| line.ends_with(what)), "{usage} in {list}");
    }
    for usage in ["graph FILE", "FILE"] {
        assert!(list.lines().any(|line| line.starts_with(usage)), "{usage} in {list}");
    }
}

#[test]
fn a_poset_is_answered_in_words_and_as_json() {
    let words = stdout(chomp("poset solid tetrahedron").assert());
    let expected = "solid tetrahedron: 15 elements; the player who cannot bite loses.\n\
                    An N-position: the next player wins.\n\
                    These bites leave a P-position, and no other does:\n  solid\n\
                    The Grundy value is 1.\n";
    assert!(words.starts_with(expected), "{words}");
    // 2005 paper, section 6: the P-position [2,2,2,1] of 2 x 2 x 2.
    let words = stdout(chomp("poset chains 2 2 2 --after (2,2,2)").assert());
    assert!(words.contains("7 elements are left.\nA P-position"), "{words}");

    let text = stdout(chomp("poset chains 2 3 --json").assert());
    let object: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(object["poison"], "(1,1)");
    assert_eq!(object["outcome"], "N");
    assert_eq!(object["winning_bites"], serde_json::json!(["(2,3)"]));
    assert_eq!((&object["elements"], &object["left"]), (&6.into(), &6.into()));
    chomp("poset chains 2 3 --after (2,4)").assert().code(USAGE).stderr(contains("no element"));
    let twice = "poset chains 2 3 --after (2,2) --after (2,3)";
    chomp(twice).assert().code(USAGE).stderr(contains("cannot be bitten"));
    chomp("poset chains 2 3 --after (1,1)").assert().code(USAGE).stderr(contains("the poison"));
}

#[test]
fn posets_and_graphs_come_from_files() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("diamond.txt");
    fs::write(&file, "# two atoms\n0 < a\n0 < b\na < 1\nb < 1\n").unwrap();
    let words = stdout(chomp("poset").arg(&file).assert());
    // This is 2 x 2: the top wins.
    assert!(
        words.starts_with("diamond.txt: 4 elements; 0 is the poison.\nAn N-position"),
        "{words}"
    );
    assert!(words.contains("no other does:\n  1\n"), "{words}");

    // A circuit of three vertices with a vertex more: that vertex wins, since circuits are lost.
    let graph = folder.path().join("graph.txt");
    fs::write(&graph, "u v\nv w\nw u\nx\n").unwrap();
    let words = stdout(chomp("poset graph").arg(&graph).assert());
    assert!(
        words.contains("graph of graph.txt: 7 elements; the player who cannot bite loses."),
        "{words}"
    );
    assert!(words.contains("\n  x\n"), "{words}");
}

#[test]
fn what_is_no_poset_is_refused_at_once() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("poset.txt");
    let huge = "a < b\n".repeat(100 * 1024 * 1024 / 6);
    for (text, expected) in [
        ("a < b\nb < c\nc < a\n", "in a circle: a < b < c < a"),
        ("", "without elements"),
        ("a < b\na < b\n", "line 2 repeats line 1"),
        ("a < b < c\n", "line 1: "),
        ("\u{1b}[2K < b\n", "is no name"),
        (&huge, "at most 1000000"),
    ] {
        fs::write(&file, text).unwrap();
        let began = Instant::now();
        let refused = chomp("poset").arg(&file).assert().code(INPUT_OR_OUTPUT);
        refused.stdout(is_empty()).stderr(contains(expected));
        assert!(began.elapsed() < Duration::from_secs(20), "{expected}");
    }
    fs::write(&file, [0xff, 0xfe]).unwrap();
    chomp("poset").arg(&file).assert().code(INPUT_OR_OUTPUT).stderr(contains("cannot read"));
    let missing = chomp("poset solids").assert().code(INPUT_OR_OUTPUT);
    missing.stderr(contains("cannot read solids").and(contains("lists the posets")));
    for (bad, expected) in [
        ("poset solid ball", "is not of the form solid NAME"),
        ("poset balls 3 4", "there is no poset named"),
        ("poset circuit 2", "at least 3 vertices"),
        ("poset chains 99999 99999", "at most 4096 elements"),
        ("poset semigroup 3 5 --to 9", "semigroup X G1 G2"),
        ("poset graph", "there is no poset named"),
        ("poset chains 40 40", "a poset of 1600 elements is not searched"),
        ("poset boolean 4 --strategy", "no strategy by symmetry"),
        ("poset semigroup 4 4 6", "no common divisor"),
        ("poset semigroup 4 3 5", "a bite is a sum of generators"),
        ("poset semigroup 5000 3 5", "at most 4096 elements"),
    ] {
        chomp(bad).assert().code(USAGE).stdout(is_empty()).stderr(contains(expected));
    }
}

#[test]
fn a_search_that_needs_more_memory_than_it_may_use_says_what_it_found() {
    // The 7-set needs more than this. It has a greatest element, and so it is N; its subsets with
    // at most 3 elements have none.
    let ended = chomp("poset boolean 7 --memory 64K").assert().code(INCOMPLETE);
    ended.stdout(contains("strategy stealing")).stderr(contains("bites are undecided after"));
    let ended = chomp("poset subsets 7 3 --memory 64K").assert().code(INCOMPLETE);
    ended.stdout(contains("Not decided.")).stderr(contains("bites are undecided after"));
    let ended = chomp("poset boolean 6 --grundy --memory 1M").assert().code(INCOMPLETE);
    ended.stderr(contains("more --memory"));
    // What there is not, it may not use.
    let refused = chomp("poset boolean 7 --memory 999999T").assert().code(USAGE);
    refused.stdout(is_empty()).stderr(contains("allow less memory (--memory)"));
}

#[test]
fn strategies_by_symmetry_are_verified_where_a_search_does_not_reach() {
    let words = stdout(chomp("poset subspaces 4 --strategy").assert());
    assert!(words.contains("the bite 1 leaves a P-position"), "{words}");
    assert!(words.contains("4 involutions, verified here"), "{words}");
    let text = stdout(chomp("poset circuit 2000 --strategy --json").assert());
    let object: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&object["outcome"], &object["elements"]), (&"P".into(), &4000.into()));
}

#[test]
fn a_hasse_diagram_has_the_bites_that_win() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("fano.dot");
    chomp("poset subspaces 2 --dot").arg(&file).assert().success();
    let dot = fs::read_to_string(&file).unwrap();
    // Of the Fano plane: 21 flags, and 7 covers above 0 and below the whole space.
    assert_eq!((dot.matches(" -- ").count(), dot.matches("#d55e00").count()), (35, 7));
    assert_eq!((dot.matches("fillcolor=black").count(), dot.matches("grey").count()), (1, 0));
    chomp("poset chains 2 2 --after (2,2) --dot").arg(&file).assert().success();
    let gone = "  \"(2,2)\" [color=grey, fontcolor=grey];\n";
    assert!(fs::read_to_string(&file).unwrap().contains(gone));
    let lost = folder.path().join("no/such/folder.dot");
    chomp("poset subspaces 2 --dot").arg(lost).assert().code(INPUT_OR_OUTPUT).stdout(is_empty());
}
