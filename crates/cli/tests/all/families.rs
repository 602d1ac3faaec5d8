//! `chomp family`. Expected rows come from the exclusive or of heaps of Nim, from `chomp tail`, and
//! from the poset solver of `chomp poset`.

use std::fs;

use predicates::str::contains;
use serde_json::Value;
use tempfile::tempdir;

use crate::program::{INPUT_OR_OUTPUT, USAGE, chomp, stdout};

/// The p of column n by a record in JSON.
fn p_of(row: &Value, n: u64) -> Option<u64> {
    let ideal = &row["ideal"];
    let column = ideal["column"].as_u64().unwrap();
    if n < column {
        let early = ideal["early"].as_array().unwrap().iter();
        return early
            .map(|pair| [0, 1].map(|i| pair[i].as_u64().unwrap()))
            .find(|pair| pair[0] == n)
            .map(|pair| pair[1]);
    }
    let list = |field: &str| -> Vec<u64> {
        row[field]
            .as_array()
            .map(|list| list.iter().map(|own| own.as_u64().unwrap()).collect())
            .unwrap_or_default()
    };
    let (head, values) = (list("head"), list("values"));
    let since = usize::try_from(n - column).unwrap();
    let offset = match since.checked_sub(head.len()) {
        None => head[since],
        Some(past) => *values.get(past.checked_rem(values.len())?)?,
    };
    Some((n + offset).checked_add_signed(-ideal["shift"].as_i64().unwrap()).unwrap())
}

fn rows(arguments: &str) -> Vec<Value> {
    let output = stdout(chomp(arguments).args(["--full", "--json"]).assert().success());
    output.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A chain of k elements is a heap of k: p xor n xor k = g.
#[test]
fn nim_with_three_heaps() {
    let rows = rows("family beside chains 5 --levels 0..3");
    assert_eq!(rows.len(), 24);
    for row in rows {
        let generators = row["ideal"]["generators"].as_array().unwrap();
        let heap = match generators.as_slice() {
            [] => 0,
            [top] => top.as_str().unwrap().trim_matches(['(', ')']).parse::<u64>().unwrap(),
            _ => panic!("ideals of a chain have one generator"),
        };
        for n in 0..40 {
            assert_eq!(
                p_of(&row, n),
                Some(n ^ heap ^ row["level"].as_u64().unwrap()),
                "{row}, {n}"
            );
        }
    }
}

/// Tails as ideals have the statements of tails.
#[test]
fn tails_are_a_family() {
    let of_tails = rows("tail 6,4 --levels 0..2");
    let all = rows("family tails 6 4 --levels 0..2");
    let wanted: Vec<&Value> = all
        .iter()
        .filter(|row| row["ideal"]["generators"] == serde_json::json!(["3.6", "4.4"]))
        .collect();
    assert_eq!((of_tails.len(), wanted.len()), (3, 3));
    for (tail, ideal) in of_tails.iter().zip(wanted) {
        for field in
            ["level", "kind", "empty_by", "first", "last", "start", "values", "head", "certificate"]
        {
            assert_eq!(tail[field], ideal[field], "{field}");
        }
    }
}

/// 2×2×n with two bounded edges, against the solver of finite posets.
#[test]
fn two_by_two_by_n() {
    let rows = rows("family product 2 chains 2 2");
    let whole = rows.last().unwrap();
    assert_eq!(whole["ideal"]["generators"], serde_json::json!(["(2.2)2"]));
    for (p, n) in [(4, 2), (5, 3), (6, 4), (5, 5)] {
        let mut lines = Vec::new();
        for z in 1..=6 {
            let has = |chain: &str, most: u64| z <= most && !chain.is_empty();
            for (chain, most, below) in [("c", p, ""), ("d", n, "c"), ("e", 2, "c"), ("f", 2, "d")]
            {
                if !has(chain, most) {
                    continue;
                }
                lines.push(format!("{chain}{z}"));
                if z > 1 {
                    lines.push(format!("{chain}{} < {chain}{z}", z - 1));
                }
                if !below.is_empty() {
                    lines.push(format!("{below}{z} < {chain}{z}"));
                }
                if chain == "f" {
                    lines.push(format!("e{z} < f{z}"));
                }
            }
        }
        let folder = tempdir().unwrap();
        let file = folder.path().join("poset.txt");
        fs::write(&file, lines.join("\n")).unwrap();
        let answer = stdout(chomp("poset --json").arg(&file).assert().success());
        let answer: Value = serde_json::from_str(&answer).unwrap();
        let is_p = p_of(whole, n) == Some(p);
        assert_eq!(answer["outcome"] == "P", is_p, "{p} {n}");
    }
}

#[test]
fn a_data_set_is_written_and_checked() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("mine.txt");
    fs::write(&file, "c[i] < d[i]\nd[2] < a\nc[3] < b\n").unwrap();
    let out = folder.path().join("rows");
    let family = || {
        let mut command = chomp("family --levels 0..2 --out");
        command.arg(&out).arg(&file);
        stdout(command.assert().success())
    };
    let first = family();
    assert!(first.contains("Read back and verified"));
    assert_eq!(family(), first);
    let verdict = stdout(chomp("check --heads").arg(&out).assert().success());
    assert!(
        verdict.contains("Assumed: nothing.") && verdict.contains("2 elements beside two chains")
    );
    chomp("show 1 --data")
        .arg(&out)
        .assert()
        .code(INPUT_OR_OUTPUT)
        .stderr(contains("`chomp check` reads them"));
    // Between the first line of the segment and its last.
    let mut names = fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().path());
    let segment = names.find(|path| path.to_string_lossy().contains("/rows-")).unwrap();
    let segment = fs::read_to_string(segment).unwrap();
    let computed = stdout(chomp("family --levels 0..2").arg(&file).assert().success());
    assert!(segment.contains(&computed), "{computed}");
    chomp("family").arg(&out).assert().code(USAGE).stderr(contains("rows-*.ron` prints"));
    let described = stdout(chomp("family --describe").arg(&file).assert().success());
    assert_eq!(described, "c[i] < d[i]\nd[2] < a\nc[3] < b\n");
}

#[test]
fn wrong_descriptions() {
    for (text, words) in [
        ("d[2] < x\nx < c[7]", "the relations make d[2] < c[7]"),
        ("a < b\nb < a", "in a circle: "),
        ("c[i] < d[j]", "line 1"),
        ("c[i] < d[i]\nc[i] < d[i+1]", "line 2"),
        ("c[0] < a", "heights go from 1"),
        ("a < b < c", "is no relation"),
        ("a < ", "is no relation"),
        ("a,b < c", "is no name"),
    ] {
        chomp("family -").write_stdin(text).assert().code(INPUT_OR_OUTPUT).stderr(contains(words));
    }
    chomp("family product 5").assert().code(USAGE).stderr(contains("product N POSET"));
    chomp("family prodict 5 chains")
        .assert()
        .code(USAGE)
        .stderr(contains("`chomp family` lists them"));
    chomp("family beside boolean 9").assert().code(USAGE).stderr(contains("order ideals"));
    chomp("family /nowhere/poset.txt")
        .assert()
        .code(INPUT_OR_OUTPUT)
        .stderr(contains("lists the families"));
}
