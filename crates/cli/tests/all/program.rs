//! The program: results, files, bad input, exit codes.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use tempfile::{TempDir, tempdir};

pub const REFUTED: i32 = 1;
pub const USAGE: i32 = 2;
pub const INPUT_OR_OUTPUT: i32 = 3;
pub const INCOMPLETE: i32 = 4;

pub fn chomp(arguments: &str) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("chomp"));
    command.args(arguments.split_whitespace());
    command
}

fn rows(to: u64, folder: &Path) -> Assert {
    chomp(&format!("rows --to {to} --out")).arg(folder).assert()
}

pub fn stdout(assert: Assert) -> String {
    String::from_utf8(assert.success().get_output().stdout.clone()).expect("output is UTF-8")
}

pub fn workspace(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

fn without_comments(path: &str) -> String {
    let text = fs::read_to_string(workspace(path)).expect("the fixture is there");
    text.split_inclusive('\n').filter(|line| !line.starts_with('#')).collect()
}

pub fn data_set_to(last: u64) -> TempDir {
    let folder = tempdir().unwrap();
    rows(last, folder.path()).success();
    folder
}

#[test]
fn the_console_examples_of_the_readme_and_the_guide_are_true() {
    let cases = trycmd::TestCases::new();
    cases.case(workspace("README.md")).case(workspace("docs/GUIDE.md"));
}

/// The README begins with two commands, and `.ci/readme` runs them as they stand there. Here the
/// first one makes the data set of `outputs`.
#[test]
fn the_readme_begins_with_the_commands_that_ci_runs() {
    let readme = fs::read_to_string(workspace("README.md")).unwrap();
    let (before, rest) = readme.split_once("```sh\n").unwrap();
    assert!(before.lines().count() < 20);
    let block = rest.split("```").next().unwrap().lines();
    let commands: Vec<&str> = block.map(|line| line.split('#').next().unwrap().trim()).collect();
    assert_eq!(commands, ["cargo run --release -- rows --to 10000", "cargo test --workspace"]);
    assert!(fs::read_to_string(workspace(".ci/run")).unwrap().contains("\nstep bash .ci/readme\n"));
    let folder = tempdir().unwrap();
    let arguments = commands[0].split_once(" -- ").unwrap().1;
    chomp(arguments).current_dir(folder.path()).assert().success();
    let manifest = |folder: PathBuf| fs::read(folder.join("MANIFEST.ron")).unwrap();
    let written = manifest(folder.path().join("chomp-rows"));
    assert!(written == manifest(workspace("outputs/rows-10000")));
}

/// The picture of the README is the one of `chomp query` with the marks of a terminal.
#[test]
fn the_readme_has_the_picture_of_the_program() {
    let answer = stdout(chomp("query 7 5 3").assert());
    let picture: Vec<&str> =
        answer.split("\n\n").filter(|part| part.contains('#')).take(1).collect();
    let picture = picture.concat().replace('#', "■").replace('o', "□").replace('x', "✕");
    let readme = fs::read_to_string(workspace("README.md")).unwrap();
    assert!(readme.contains(&format!("```text\n{picture}\n```")), "{picture}");
}

/// The counts of the README are those of the tables in `outputs/`.
#[test]
fn the_readme_quotes_the_census() {
    // The first row of each kind, and the number of rows.
    let table = |to: u64| -> Vec<(String, u64, u64)> {
        let text = fs::read_to_string(workspace(&format!("outputs/census-{to}.md"))).unwrap();
        let fields = |line: &str| -> Vec<String> {
            line.split('|').map(|field| field.trim().to_owned()).collect()
        };
        let rows = text.lines().filter(|line| line.starts_with('|')).skip(2).map(fields);
        rows.map(|row| {
            (row[1].clone(), row[2].parse().unwrap(), row[row.len() - 2].parse().unwrap())
        })
        .collect()
    };
    let million = table(1_000_000);
    let count = |kind: &str| million.iter().find(|row| row.0 == kind).unwrap().2;
    let readme = fs::read_to_string(workspace("README.md")).unwrap();
    let words = readme.split_whitespace().collect::<Vec<_>>().join(" ");
    let periodic = count("all") - count("finite");
    for number in [count("finite"), periodic, count("period 1"), periodic - count("period 1")] {
        let digits = number.to_string();
        let groups: Vec<&str> = digits
            .as_bytes()
            .rchunks(3)
            .rev()
            .map(|group| str::from_utf8(group).unwrap())
            .collect();
        assert!(words.contains(&format!(" {} ", groups.join(" "))), "{number}");
    }
    let periods = ["2", "3", "4", "6", "8", "9", "27"];
    let named = million.iter().filter_map(|row| row.0.strip_prefix("period ")).skip(1);
    assert!(named.eq(periods));
    assert!(words.contains("the periods 2, 3, 4, 6, 8, 9 and 27"));
    let is_new = |row: &&(String, u64, u64)| million.iter().all(|old| old.0 != row.0);
    let three_million = table(3_000_000);
    let new = three_million.iter().filter(is_new).map(|row| row.0.as_str());
    assert!(new.eq(["period 12", "period 16", "period 81"]));
    assert!(words.contains("To row 3 000 000, 12, 16 and 81 occur as well"));
}

#[test]
fn check_gives_the_verdict_that_the_readme_quotes() {
    let to_10000 = chomp("check --heads").arg(workspace("outputs/rows-10000")).assert();
    let readme = fs::read_to_string(workspace("README.md")).unwrap();
    let verdict = stdout(to_10000);
    assert!(readme.contains(&verdict), "{verdict}");
    let folder = data_set_to(200);
    let check = |options: &str| chomp("check").arg(folder.path()).args(options.split(' ')).assert();
    let verdict = stdout(check("--heads"));
    for threads in ["1", "2", "7"] {
        assert_eq!(stdout(check(&format!("--heads --threads {threads}"))), verdict);
    }
    check("--threads 2").code(USAGE).stderr(contains("--heads"));
    assert!(stdout(check("--rows 100..120")).contains("Not checked: finite rows"));
    let object = stdout(check("--heads --json"));
    assert!(object.contains(r#""verdict":"verified""#), "{object}");
    check("--rows 100..201").code(USAGE).stderr(contains("holds rows 0 to 200"));
    check("--rows 7..6").code(USAGE);
}

/// Changes one thing in the data set of rows 0 to 130, and makes the hashes good again.
pub fn forger(folder: &Path) -> impl Fn(&str, &str) {
    let segment = folder.join("rows-0000000-0000130.ron");
    let manifest = folder.join("MANIFEST.ron");
    let (text, listed) =
        (fs::read_to_string(&segment).unwrap(), fs::read_to_string(&manifest).unwrap());
    move |good: &str, bad: &str| {
        let body = &text[..text.rfind("End(").unwrap()];
        assert!(body.contains(good));
        let forged = body.replacen(good, bad, 1);
        let hash = |text: &str| blake3::hash(text.as_bytes()).to_string();
        let end = format!("End(rows: 131, blake3: \"{}\")\n", hash(&forged));
        fs::write(&segment, forged.clone() + &end).unwrap();
        fs::write(&manifest, listed.replace(&hash(body), &hash(&forged))).unwrap();
    }
}

/// Exit code 1 for what is false, 3 for what cannot be read, and never 0.
#[test]
fn check_refuses_what_is_not_so() {
    let folder = data_set_to(130);
    let segment = folder.path().join("rows-0000000-0000130.ron");
    let text = fs::read_to_string(&segment).unwrap();
    let forge = forger(folder.path());
    let check = |options: &[&str]| chomp("check").arg(folder.path()).args(options).assert();

    forge("values: [72, 70]", "values: [70, 72]");
    let place = "row 120, line 122 of rows-0000000-0000130.ron: values gives offset 70";
    check(&[]).code(REFUTED).stderr(contains("refuted: ").and(contains(place)));
    check(&["--json"]).code(REFUTED).stdout(contains(r#""row":120"#));
    forge("first: 206", "first: 207");
    check(&[]).success();
    check(&["--heads"]).code(REFUTED).stderr(contains("the diagonal value is 206"));
    forge("first: 206", "first: 1206");
    check(&[]).code(REFUTED).stderr(contains("row 120, line 122, column 20: offset 1086 is out"));
    forge("first: 206", "first: 2O6");
    check(&[]).code(INPUT_OR_OUTPUT).stderr(contains("row 120, line 122"));
    fs::write(&segment, &text[..text.len() / 2]).unwrap();
    check(&["--heads"]).code(INPUT_OR_OUTPUT);
    fs::remove_file(&segment).unwrap();
    check(&["--json"]).code(INPUT_OR_OUTPUT).stdout(contains("unreadable"));
    chomp("check no-such-folder").assert().code(INPUT_OR_OUTPUT).stderr(contains("no data set"));
}

/// Of a data set that is there already `rows` claims what it verifies now, and no more.
#[test]
fn rows_believes_no_finished_data_set() {
    let folder = data_set_to(130);
    let forge = forger(folder.path());
    forge("values: [72, 70]", "values: [70, 72]");
    rows(130, folder.path()).code(REFUTED).stdout("").stderr(contains("gives offset 70"));
    forge("first: 206", "first: 207");
    let summary = stdout(rows(130, folder.path()));
    for words in [
        "Nothing was computed. Verified now, depths structure and tails: every periodic row from 0 to 130",
        "Assumed: heads, first and last of all rows are right",
        "`chomp check --heads` verifies that, too.",
    ] {
        assert!(summary.contains(words), "{summary}");
    }
    assert!(!summary.to_lowercase().contains("proved"), "{summary}");
}

/// A true certificate that begins later than a check goes.
#[test]
fn check_says_what_it_cannot_decide() {
    let folder = data_set_to(130);
    let check = |options: &[&str]| chomp("check").arg(folder.path()).args(options).assert();
    forger(folder.path())("from: 170, recurs: 172", "from: 1073741994, recurs: 1073741996");
    check(&[]).success();
    let place =
        "row 120, line 122 of rows-0000000-0000130.ron: a head that reaches column 1073741994";
    check(&["--heads"]).code(INCOMPLETE).stderr(contains(place));
    check(&["--heads", "--json"]).code(INCOMPLETE).stdout(contains(r#""verdict":"incomplete""#));
}

#[test]
fn periods_to_1000_are_those_of_brouwers_page() {
    let expected = without_comments("testdata/patterns.tsv");
    assert_eq!(expected.lines().count(), 1 + 17);
    assert_eq!(stdout(chomp("periods --to 1000 --tsv").assert()), expected);

    let folder = data_set_to(1000);
    let read = chomp("periods --tsv --data").arg(folder.path()).assert();
    assert_eq!(stdout(read), expected);

    // The table for the eye says the same in other columns.
    let table = stdout(chomp("periods --to 1000").assert());
    let words = |text: &str| -> Vec<String> {
        text.split([' ', '\t', ',', '\n'])
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect()
    };
    assert_eq!(words(&table), words(&expected));
}

#[test]
fn periods_can_be_chosen() {
    let fours = stdout(chomp("periods --to 600 --period 4 --tsv").assert());
    let table = "row\tstart\tperiod\tpattern\n402\t571\t4\t0,1,1,-2\n424\t600\t4\t0,1,1,-2\n\
                 585\t828\t4\t1,1,-2,0\n";
    assert_eq!(fours, table);
    let ones = stdout(chomp("periods --to 10 --period 1 --tsv").assert());
    let rows: Vec<&str> =
        ones.lines().skip(1).map(|line| line.split('\t').next().unwrap()).collect();
    // A029905.
    assert_eq!(rows, ["0", "2", "5", "7", "9"]);

    // The first row of a longer period is 120 (Brouwer's page); an empty table says that it is one.
    let none = "no row from 0 to 119 has a period of 2 or more";
    chomp("periods --to 119").assert().success().stderr(contains(none));
    chomp("periods --to 120").assert().success().stderr(contains("no row").not());
    let none = "no row from 0 to 130 has period 4";
    chomp("periods --to 130 --period 4").assert().success().stderr(contains(none));
}

#[test]
fn show_120_says_what_is_known_of_it() {
    let text = stdout(chomp("show 120").assert());
    for words in [
        "row 120 is periodic",
        "start        170",
        "period       2",
        "values       72, 70",
        "pattern      1 -1",
        "q = 120: 86, 84, 85, 85, 79,",
        "][72, 70]^∞",
        "When column 170 is reached, 0, the diagonal and the row itself block just the offsets 0 to 70.",
        "When column 172 is reached, they block the same again.",
        "with a period that divides 2.",
        "max(a0, b0) + M + lcm(κ, ν)",
    ] {
        assert!(text.contains(words), "{words} in\n{text}");
    }
}

/// The band engine with the cells of one row, and the pointer engine.
#[test]
fn a_row_by_itself_is_that_of_the_full_data_set() {
    let folder = tempdir().unwrap();
    chomp("rows --to 2100 --full --out").arg(folder.path()).assert().success();
    for row in [1001, 1023, 1024, 1500, 2027, 2099, 2100] {
        let mut show = chomp(&format!("show {row}"));
        let computed = stdout(show.assert());
        let read = stdout(show.arg("--data").arg(folder.path()).assert());
        assert_eq!(computed, read, "row {row}");
    }
}

#[test]
fn show_reads_a_data_set_too() {
    let folder = data_set_to(30);
    let show = |row: u64| chomp(&format!("show {row} --data")).arg(folder.path()).assert();
    assert!(stdout(show(3)).contains("the last P-position is (5,5,3)"));
    let row_2 = stdout(show(2));
    assert!(row_2.contains("values       2,") && row_2.contains("head         empty"), "{row_2}");
    show(31).code(USAGE).stderr(contains("holds rows 0 to 30, not row 31"));
}

#[test]
fn a_row_as_json_is_its_record() {
    let text = stdout(chomp("show 5 --json").assert());
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["head"], serde_json::json!([5, 3]));
    assert_eq!(value["values"], serde_json::json!([4]));
}

#[test]
fn every_engine_kernel_and_number_of_threads_writes_the_same_bytes() {
    let write = |arguments: &str| {
        let folder = tempdir().unwrap();
        chomp(&format!("rows --to 1500 {arguments} --out")).arg(folder.path()).assert().success();
        let segment = fs::read(folder.path().join("rows-0000000-0001500.ron")).unwrap();
        (fs::read(folder.path().join("MANIFEST.ron")).unwrap(), segment)
    };
    let literal = write("--engine literal");
    for arguments in ["", "--threads 1", "--threads 3", "--threads 1_000_000", "--kernel portable"]
    {
        assert!(write(arguments) == literal, "{arguments}");
    }
    assert!(write("--full") == write("--full --engine literal"));
    chomp("rows --to 5 --threads 0").assert().code(USAGE).stderr(contains("at least 1 thread"));
}

#[test]
fn a_kernel_of_another_machine_is_refused() {
    let elsewhere = if cfg!(target_arch = "aarch64") { "avx2" } else { "neon" };
    let parent = tempdir().unwrap();
    chomp(&format!("rows --to 5 --kernel {elsewhere} --out"))
        .arg(parent.path().join("rows"))
        .assert()
        .code(USAGE)
        .stderr(contains("this machine cannot run the").and(contains("leave out --kernel")));
    assert_eq!(fs::read_dir(&parent).unwrap().count(), 0, "no folder is left");
}

#[test]
fn what_the_machine_cannot_hold_is_refused() {
    let folder = tempdir().unwrap();
    rows(536_870_911, &folder.path().join("new/rows"))
        .code(USAGE)
        .stderr(contains("GB of memory").and(contains("choose a smaller row")));
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "no folder is left");
}

#[test]
fn words_may_wait_on_disk() {
    let folder = tempdir().unwrap();
    let (out, words) = (folder.path().join("rows"), folder.path().join("words"));
    let rows = |memory: &str| {
        let mut command = chomp("rows --to 3000 --out");
        command.arg(&out).arg("--spill").arg(&words).args(["--memory", memory]).assert()
    };
    rows("1M").code(USAGE).stderr(contains("may take 1 MB").and(contains("(--memory)")));
    let among = chomp("rows --to 9 --out OUT --spill OUT/other").current_dir(&folder).assert();
    among.code(USAGE).stderr(contains("in the folder of the data set"));
    rows("9 cows").code(USAGE).stderr(contains("512M, 8G or 2GiB"));
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "no folder is left");
    rows("64M").success();
    assert!(!words.exists(), "what has been read is removed");
    let manifest = |folder: &Path| fs::read(folder.join("MANIFEST.ron")).unwrap();
    assert_eq!(manifest(&out), manifest(data_set_to(3000).path()));
}

#[test]
fn a_data_set_is_extended_and_a_finished_one_left_alone() {
    let (at_once, grown) = (data_set_to(300), data_set_to(120));
    rows(300, grown.path()).success().stderr(contains("extending rows 0 to 120"));
    for file in ["MANIFEST.ron", "rows-0000000-0000300.ron"] {
        let read = |folder: &TempDir| fs::read(folder.path().join(file)).unwrap();
        assert_eq!(read(&at_once), read(&grown), "{file}");
    }
    rows(300, grown.path())
        .success()
        .stdout(contains("| all      |     0 |  10 |    90 |     201 | 301 |"))
        .stderr(contains("holds rows 0 to 300 already"));
}

#[test]
fn a_data_set_of_another_range_or_form_is_refused() {
    let folder = data_set_to(50);
    rows(20, folder.path())
        .code(INPUT_OR_OUTPUT)
        .stderr(contains("holds rows 0 to 50 already, more than the rows 0 to 20"))
        .stderr(contains("; choose another folder with --out, or remove it"));
    chomp("rows --to 50 --full --out").arg(folder.path()).assert().code(INPUT_OR_OUTPUT).stderr(
        contains("holds records with fingerprints").and(contains("; leave out --full, or")),
    );
    rows(50, folder.path()).success();
    let file = folder.path().join("MANIFEST.ron");
    rows(50, &file).code(INPUT_OR_OUTPUT).stderr(contains("not a folder; choose another folder"));
}

#[test]
fn a_folder_with_other_things_is_refused() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("notes.txt"), "mine").unwrap();
    rows(5, folder.path()).code(INPUT_OR_OUTPUT).stderr(contains("holds no data set"));
    assert_eq!(fs::read_to_string(folder.path().join("notes.txt")).unwrap(), "mine");
}

#[test]
fn a_folder_that_cannot_be_written_is_refused_at_once() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    rows(100_000, &file.join("below")).code(INPUT_OR_OUTPUT).stderr(contains("below"));
    rows(100_000, &file).code(INPUT_OR_OUTPUT).stderr(contains("file"));
}

#[test]
fn bad_numbers_are_refused_with_advice() {
    for number in ["-1", "1e99", "ten", "0x10", "1.5", "１", "99999999999999999999", "536870912"] {
        let why = || contains("number").or(contains("rows go to")).or(contains("negative"));
        for command in ["rows --to", "periods --to", "show"] {
            chomp(command)
                .arg(number)
                .assert()
                .code(USAGE)
                .stdout("")
                .stderr(contains(number).and(why()));
        }
    }
    chomp("periods --to 5 --period 0").assert().code(USAGE).stderr(contains("at least 1"));
    chomp("periods").assert().code(USAGE).stderr(contains("--data"));
    chomp("").assert().code(USAGE).stderr(contains("Usage"));
    chomp("row --to 5").assert().code(USAGE).stderr(contains("rows"));
}

/// A segment whose records are changed, its hashes made good again.
fn forge(folder: &Path, last: u64, change: impl Fn(&str) -> String) {
    let path = folder.join(format!("rows-0000000-{last:07}.ron"));
    let text = fs::read_to_string(&path).unwrap();
    let (body, _) = text.split_at(text.rfind("End(").unwrap());
    let forged = change(body);
    assert_ne!(forged, body, "the change was applied");
    let hash = |text: &str| blake3::hash(text.as_bytes()).to_string();
    let end = format!("End(rows: {}, blake3: \"{}\")\n", last + 1, hash(&forged));
    fs::write(&path, format!("{forged}{end}")).unwrap();
    let manifest = folder.join("MANIFEST.ron");
    let listed = fs::read_to_string(&manifest).unwrap().replace(&hash(body), &hash(&forged));
    fs::write(&manifest, listed).unwrap();
}

#[test]
fn forged_records_are_refused_with_file_line_and_column() {
    for (good, bad, words) in [
        ("row: 5, first", "row: 5, extra: 1, first", "Unexpected field named `extra`"),
        ("row: 5, first: 10", "row: 5, first: 10, first: 10", "duplicate field named `first`"),
        ("values: [4]", "values: [4, 4]", "the period 2 of values is not minimal"),
        ("values: [4]", "values: [7]", "offset 7 is out of range"),
        ("row: 5, first: 10", "row: 5, first: 1o", "not understood: "),
    ] {
        let folder = data_set_to(8);
        forge(folder.path(), 8, |body| {
            let lines = body.split_inclusive('\n').map(|line| {
                if line.contains("row: 5,") { line.replacen(good, bad, 1) } else { line.to_owned() }
            });
            lines.collect()
        });
        for command in ["show 3 --data", "periods --data"] {
            chomp(command).arg(folder.path()).assert().code(INPUT_OR_OUTPUT).stderr(
                contains("rows-0000000-0000008.ron, row 5, line 7, column").and(contains(words)),
            );
        }
    }
}

#[test]
fn an_untouched_control_is_accepted() {
    let folder = data_set_to(8);
    stdout(chomp("show 3 --data").arg(folder.path()).assert());
}

#[test]
fn a_data_set_that_contradicts_the_rows_is_not_extended() {
    let folder = data_set_to(8);
    forge(folder.path(), 8, |body| body.replacen("22145bd91204b982", "22145bd91204b983", 1));
    rows(20, folder.path()).code(INPUT_OR_OUTPUT).stderr(contains("row 1 of the data set differs"));
}

#[test]
fn there_is_no_data_set_in_an_empty_folder() {
    let folder = tempdir().unwrap();
    chomp("periods --data")
        .arg(folder.path())
        .assert()
        .code(INPUT_OR_OUTPUT)
        .stderr(contains("there is no data set in"));
}

#[test]
fn the_version_names_the_commit() {
    assert!(stdout(chomp("--version").assert()).starts_with("chomp 0.1.0 (commit "));
}

#[test]
fn completions_and_man_page_know_the_commands() {
    for arguments in ["completions bash", "completions zsh", "man"] {
        let text = stdout(chomp(arguments).assert()).replace("\\-", "-");
        for name in ["rows", "show", "periods", "--full", "--period", "--json"] {
            assert!(text.contains(name), "{name} in {arguments}");
        }
    }
    // It has the ends of all help texts.
    let page = stdout(chomp("man").assert()).replace("\\-", "-");
    for words in [
        "Exit codes: 0 done or verified",
        "  chomp check chomp-rows --heads",
        "Columns of CSV; none has gaps:",
    ] {
        assert!(page.contains(words), "{words}");
    }
}

/// Every page that a page names is there, with the options and the words at the end of the help.
#[test]
fn there_is_a_page_for_each_command() {
    let folder = tempdir().unwrap();
    let pages = folder.path().join("new/man1");
    chomp("man --out").arg(&pages).assert().success().stdout("");
    let read = |name: &str| {
        let page = fs::read_to_string(pages.join(name));
        page.unwrap_or_else(|error| panic!("{name}: {error}")).replace("\\-", "-")
    };
    let mut found = Vec::new();
    let mut wanted = vec!["chomp.1".to_owned()];
    while let Some(page) = wanted.pop() {
        let named = read(&page);
        let names = named.split_whitespace().filter_map(|word| word.strip_suffix("(1)"));
        wanted.extend(names.map(|name| format!("{name}.1")).filter(|name| *name != page));
        found.push(page);
    }
    found.sort();
    found.dedup();
    let mut written: Vec<String> = fs::read_dir(&pages)
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    written.sort();
    assert_eq!(written, found);
    for page in ["chomp-rows.1", "chomp-check.1", "chomp-plot-row.1"] {
        assert!(found.iter().any(|name| name == page), "{page} in {found:?}");
    }
    assert!(read("chomp.1").contains("Exit codes: 0 done or verified"));
    assert!(read("chomp-rows.1").contains("--full"));

    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let refused = chomp("man --out").arg(file).assert().code(INPUT_OR_OUTPUT);
    refused.stderr(contains("cannot write the pages to"));
}

#[test]
fn help_says_what_becomes_of_files_and_interrupts() {
    let help = stdout(chomp("help rows").assert());
    for words in ["Ctrl-C", "manifest", "stderr", "--full"] {
        assert!(help.contains(words), "{words} in {help}");
    }
    let help = stdout(chomp("periods --help").assert()).replace('\n', " ");
    assert!(help.contains("left out unless --period 1"), "{help}");
}

#[test]
fn outputs_are_as_the_program_writes_them() {
    let folder = tempdir().unwrap();
    chomp("rows --to 400 --full --out").arg(folder.path()).assert().success();
    let written = fs::read(folder.path().join("rows-0000000-0000400.ron")).unwrap();
    let committed = fs::read(workspace("outputs/closed-forms-400.ron")).unwrap();
    assert!(written == committed, "run `just outputs`, and look at what changed");

    let periods = fs::read_to_string(workspace("outputs/periods-1000000.tsv")).unwrap();
    let computed = stdout(chomp("periods --to 20000 --tsv").assert());
    assert!(computed.lines().count() > 300);
    let next = periods.strip_prefix(&computed).expect("the list begins with what is computed");
    assert!(next.split('\t').next().unwrap().parse::<u64>().unwrap() > 20_000);

    let (folder, committed) = (tempdir().unwrap(), workspace("outputs/rows-10000"));
    chomp("rows --to 10000 --out").arg(folder.path()).assert().success();
    let files = |folder: &Path| {
        let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
        let mut files: Vec<_> =
            files.map(|file| (file.file_name(), fs::read(file.path()).unwrap())).collect();
        files.sort();
        files
    };
    let (written, committed) = (files(folder.path()), files(&committed));
    assert_eq!(written.len(), 3);
    assert!(written == committed, "run `just outputs`, and look at what changed");
}

/// The claims whose tests read the rows or visit cells, and others that take no time.
pub const ON_ROWS: &str = "2005-1-rectangles 2005-7-two-rows 2005-7.1-gale-3xn 2005-7.1-unique \
    2005-7.2-top-3 2005-8 page-unique page-small-rows page-row page-z page-sun page-complement \
    page-n page-i page-p page-a page-b page-c 2003-larger 2003-take-over 2003-rather \
    2018-2.3-2toprow 2018-2.9-3toprow garg-seven";

/// The lines of claims, whose columns are as wide as the longest of their cells.
fn claims(table: &str) -> Vec<String> {
    let lines = table.lines().skip(1).take_while(|line| !line.is_empty());
    lines.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

fn ids(table: &str) -> Vec<String> {
    claims(table).iter().map(|line| line.split(' ').next().unwrap().to_owned()).collect()
}

#[test]
fn reproduce_gives_the_same_verdicts_however_it_gets_the_rows() {
    let reproduce = |options: &str| stdout(chomp(&format!("reproduce {options}")).assert());
    let table = reproduce("--to 1000 --threads 1");
    let on_rows = |options: &str| reproduce(&format!("{ON_ROWS} --to 1000 {options}"));
    let chosen = on_rows("--threads 3");
    let read =
        |folder: &Path| stdout(chomp(&format!("reproduce {ON_ROWS} --data")).arg(folder).assert());
    assert_eq!(chosen, read(data_set_to(1000).path()));
    let folder = tempdir().unwrap();
    chomp("rows --to 1000 --engine literal --out").arg(folder.path()).assert().success();
    assert_eq!(chosen, read(folder.path()));
    let (all, ids) = (claims(&table), ids(&table));
    let is_meant = |id: &String, word: &str| {
        id == word || !ids.iter().any(|id| id == word) && id.starts_with(word)
    };
    let asked = |(_, id): &(String, &String)| ON_ROWS.split(' ').any(|word| is_meant(id, word));
    let expected: Vec<String> =
        all.into_iter().zip(&ids).filter(asked).map(|(line, _)| line).collect();
    assert_eq!(claims(&chosen), expected);

    let line = |id: &str| table.lines().find(|line| line.starts_with(id)).unwrap();
    assert!(line("2005-8.2-row-782 ").contains("wrong"));
    assert!(line("page-a ").contains("misprint"));
    assert!(line("2003-take-over ").contains("vague, not seen to 1000 "));
    assert!(line("2005-8.2-row-7751 ").contains("out of reach"));
    assert!(line("page-unique ").contains("confirmed to 1000 "));
    assert!(line("page-iv-grundy ").contains("confirmed"));
    assert!(line("garg-500 ").contains("confirmed"));
    assert!(line("garg-3000 ").contains("out of reach"));
    chomp("reproduce --to 100 --four-rows 499").assert().code(USAGE).stderr(contains("500"));

    let longer = reproduce("2005-8.2-row --to 10000");
    let readme = fs::read_to_string(workspace("README.md")).unwrap();
    let quoted = longer.lines().filter(|line| line.contains("8.2-row"));
    assert!(quoted.clone().count() == 3);
    for line in quoted {
        let mut columns = line.split("  ").map(str::trim).filter(|text| !text.is_empty()).skip(1);
        let (verdict, finding) = (columns.next().unwrap(), columns.next().unwrap());
        let finding = finding.strip_suffix(" (2005 paper, 8.2)").unwrap();
        assert!(readme.contains(&format!("{verdict}: {finding} |")), "{line}");
    }

    let object = on_rows("--json");
    let object: serde_json::Value = serde_json::from_str(&object).unwrap();
    let claims = object["claims"].as_array().unwrap();
    assert!(claims.len() >= 50);
    assert_eq!(object["last_row"], 1000);
    let counted: u64 =
        object["counts"].as_object().unwrap().values().filter_map(serde_json::Value::as_u64).sum();
    assert_eq!(counted, claims.len() as u64);
    chomp("reproduce --data no-such-folder").assert().code(INPUT_OR_OUTPUT);
}

/// By ids, or by the beginning of ids, in the order of the ledger. A whole id means no longer one.
#[test]
fn reproduce_tests_the_claims_that_are_asked_for() {
    let tested = |asked: &str| ids(&stdout(chomp(&format!("reproduce --to 9 {asked}")).assert()));
    assert_eq!(tested("page-p-thirds"), ["page-p-thirds"]);
    assert_eq!(tested("page-p-t"), ["page-p-thirds", "page-p-thirds-floor"]);
    let both = ["2005-7.1-unique", "2005-7.1-321"];
    assert_eq!(tested("2005-7.1-321 2005-7.1-unique 2005-7.1-3"), both);
    for words in [["page-p", "2005-9"], ["page-p", ""]] {
        let refused = chomp("reproduce --to 9").args(words).assert().code(USAGE);
        let word = format!("no claim has the id {:?}", words[1]);
        refused.stdout("").stderr(contains(word).and(contains("2018-, garg-, nguyen-, older-")));
    }
    // The cells are visited for this one.
    let cells = stdout(chomp("reproduce 2005-8.3-largest --to 9").assert());
    assert!(cells.contains(" confirmed to 9 "), "{cells}");
    let whole = stdout(chomp("reproduce --to 9 2003-mex").assert());
    assert_eq!(ids(&whole), ["2003-mex"], "2003-mex-exercise is another one");
}

#[test]
fn reproduce_fails_when_a_claim_stops_holding() {
    let folder = data_set_to(130);
    let forge = forger(folder.path());
    let reproduce = || chomp(&format!("reproduce {ON_ROWS} --data")).arg(folder.path()).assert();
    // The sequence of ends begins with 2, and (3,3,3) has two winning moves.
    forge("first: 3, last: 2", "first: 3, last: 3");
    reproduce()
        .code(REFUTED)
        .stdout(contains("wrong"))
        .stderr(contains("2005-8.6-ends-terms (wrong)").and(contains("2005-7.1-unique (wrong)")));
    forge("first: 3, last: 2", "first: 3, last: 2");
    reproduce().success();
}

#[cfg(unix)]
mod unix {
    use std::io::{BufRead, BufReader, Read};
    use std::process::{Command, Stdio};

    use super::*;

    /// For `env`: tests that run in the background may ignore signals, and the program then ignores
    /// them, too.
    const CAUGHT: &str = if cfg!(target_os = "linux") { "--default-signal=INT,TERM" } else { "--" };

    fn spawn(folder: &Path) -> std::process::Child {
        Command::new("env")
            .arg(CAUGHT)
            .arg(assert_cmd::cargo::cargo_bin!("chomp"))
            .args(["rows", "--to", "20000", "--engine", "literal", "--progress", "json", "--out"])
            .arg(folder)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }

    fn send(signal: &str, child: &std::process::Child) {
        let id = child.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
    }

    /// Reads messages until one says how many rows are done, about a second after the start.
    fn wait_for_progress(child: &mut std::process::Child) -> BufReader<std::process::ChildStderr> {
        let mut messages = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        while !line.contains("\"all\":20001") {
            line.clear();
            assert!(messages.read_line(&mut line).unwrap() > 0, "the run goes on");
        }
        messages
    }

    #[test]
    fn ctrl_c_keeps_the_rows_so_far() {
        keeps_the_rows_so_far(&["-INT"]);
    }

    #[test]
    fn the_two_signals_of_timeout_keep_the_rows_so_far() {
        keeps_the_rows_so_far(&["-TERM", "-TERM"]);
    }

    fn keeps_the_rows_so_far(signals: &[&str]) {
        let folder = tempdir().unwrap();
        let mut child = spawn(folder.path());
        let mut messages = wait_for_progress(&mut child);
        for signal in signals {
            send(signal, &child);
        }
        let mut rest = String::new();
        messages.read_to_string(&mut rest).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(4), "{rest}");
        assert!(rest.contains("the same command extends them"), "{rest}");

        let rows = |arguments| stdout(super::chomp(arguments).arg(folder.path()).assert());
        let published = without_comments("testdata/patterns.tsv");
        let listed = rows("periods --tsv --data");
        let common = listed.len().min(published.len());
        assert_eq!(listed[..common], published[..common]);
        assert!(rows("show 3 --data").contains("(5,5,3)"));
    }

    #[test]
    fn a_second_ctrl_c_ends_at_once() {
        // It waits for somebody to read more than a pipe holds, so the first one does not end it.
        let mut child = Command::new("env")
            .args([CAUGHT, assert_cmd::cargo::cargo_bin!("chomp").to_str().unwrap()])
            .args(["show", "0..1000", "--json"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let unread = child.stdout.take().unwrap();
        let held = || rustix::io::ioctl_fionread(&unread).unwrap();
        let wait = |ms| std::thread::sleep(std::time::Duration::from_millis(ms));
        // Until nothing more fits.
        let mut before = 0;
        while before == 0 || held() > before {
            before = held();
            assert!(child.try_wait().unwrap().is_none());
            wait(500);
        }
        for _ in 0..2 {
            assert!(child.try_wait().unwrap().is_none());
            send("-INT", &child);
            wait(500);
        }
        let ended = child.try_wait().unwrap();
        child.kill().unwrap();
        assert_eq!(ended.expect("it does not wait any longer").code(), Some(4));
    }

    #[test]
    fn kill_leaves_the_data_set_from_before() {
        let folder = data_set_to(40);
        let mut child = spawn(folder.path());
        let _messages = wait_for_progress(&mut child);
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(
            stdout(super::chomp("show 3 --data").arg(folder.path()).assert()).contains("(5,5,3)")
        );
        rows(60, folder.path()).success();
    }

    #[test]
    fn messages_that_nobody_can_read_stop_nothing() {
        let Ok(full) = fs::OpenOptions::new().write(true).open("/dev/full") else { return };
        let folder = tempdir().unwrap();
        let status = Command::new(assert_cmd::cargo::cargo_bin!("chomp"))
            .args(["rows", "--to", "20", "--out"])
            .arg(folder.path())
            .stdout(Stdio::null())
            .stderr(full)
            .status()
            .unwrap();
        assert_eq!(status.code(), Some(0));
    }

    #[test]
    fn a_full_disk_is_an_output_error() {
        let full = fs::OpenOptions::new().write(true).open("/dev/full");
        let Ok(full) = full else { return };
        let status = Command::new(assert_cmd::cargo::cargo_bin!("chomp"))
            .args(["show", "5"])
            .stdout(full)
            .output()
            .unwrap();
        assert_eq!(status.status.code(), Some(INPUT_OR_OUTPUT));
        assert!(
            String::from_utf8_lossy(&status.stderr).contains("cannot write to standard output")
        );
    }

    #[test]
    fn a_closed_pipe_is_not_success() {
        let mut child = Command::new(assert_cmd::cargo::cargo_bin!("chomp"))
            .args(["periods", "--to", "2000", "--period", "1"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        assert_eq!(child.wait().unwrap().code(), Some(4));
    }
}

/// The paper lists the diagonal to n = 70: of the first 64 differences one is negative, from 89
/// to 88.
#[test]
fn stats_say_what_the_paper_says() {
    let report = stdout(chomp("stats --to 64 --cells").assert());
    for line in [
        "Rows 0 to 64: computed, each with its certificate.",
        "Diagonal (8.4), d_n for n = 0 to 64",
        "              -1         1   0.015625       51",
        "  neither d_n nor q_n          none (a theorem, 8.5)",
        "  both a d_n and a q_n         none",
        "  f(q,r) - q - r               at most 1 (first at r = 0, q = 0)",
        "  q_n - 3n (8.8)               at most -1 (n = 1)",
        "  d_q not largest in column q  none of columns 1 to 64 (a theorem)",
    ] {
        assert!(report.lines().any(|found| found == line), "{line:?} is not in\n{report}");
    }
    let threads =
        |n: u32| stdout(chomp(&format!("stats --to 3000 --cells --threads {n}")).assert());
    assert_eq!(threads(1), threads(3));
}

#[test]
fn stats_of_a_data_set_are_those_of_its_rows() {
    let folder = data_set_to(300);
    let read = chomp("stats --json --data").arg(folder.path()).assert();
    let object = |text: String| -> serde_json::Value { serde_json::from_str(&text).unwrap() };
    let (read, computed) =
        (object(stdout(read)), object(stdout(chomp("stats --json --to 300").assert())));
    assert_eq!(read["source"]["from"], "data_set");
    assert_eq!(read["rows"], computed["rows"]);
    // d_300 by Brouwer's recurrence is in the report of no other command but `show`.
    let shown = object(stdout(chomp("show 300 --json").assert()));
    assert_eq!(computed["rows"]["diagonal"]["last"], shown["first"]);
    assert_eq!(computed["rows"]["complementarity"]["decided"], 301);
    assert_eq!(computed["cells"], serde_json::Value::Null);

    chomp("stats --data no-such-folder").assert().code(INPUT_OR_OUTPUT).stderr(contains("no data"));
    chomp("stats").assert().code(USAGE);
    chomp("stats --cells --data x").assert().code(USAGE);
    assert_eq!(
        stdout(chomp("stats --to 0 --cells").assert()),
        stdout(chomp("stats --to 0 --cells --threads 2").assert())
    );
}

/// The committed figures that take no time, drawn again.
#[test]
fn figures_are_those_of_outputs() {
    let folder = tempdir().unwrap();
    for (figure, name) in [
        ("row 892", "row-892.svg"),
        ("sheet 301", "sheet-301.svg"),
        ("table", "table-24.svg"),
        ("why 6541", "why-6541.svg"),
        ("openings", "openings-14.svg"),
    ] {
        let file = folder.path().join(name);
        chomp(&format!("plot {figure} --out")).arg(&file).assert().success();
        let committed = workspace("outputs/figures").join(name);
        assert!(fs::read(&file).unwrap() == fs::read(committed).unwrap(), "{name} differs");
    }
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 5, "nothing else is left there");
}

#[test]
fn figures_are_the_same_from_a_data_set() {
    let folder = tempdir().unwrap();
    let set = folder.path().join("full");
    chomp("rows --to 150 --full --out").arg(&set).assert().success();
    for figure in [
        "row 120",
        "sheet 40",
        "table 30",
        "settling 120",
        "periods --to 150",
        "why 120",
        "strips --to 150",
    ] {
        let draw = |name: &str, data: Option<&Path>| {
            let file = folder.path().join(name);
            let mut command = chomp(&format!("plot {figure} --out"));
            command.arg(&file);
            if let Some(data) = data {
                command.arg("--data").arg(data);
            }
            command.assert().success();
            fs::read_to_string(file).unwrap()
        };
        assert_eq!(draw("a.svg", None), draw("b.svg", Some(&set)), "{figure}");
    }
}

#[test]
fn what_cannot_be_plotted_is_said() {
    let folder = data_set_to(50);
    let data = folder.path().display();
    let plot = |arguments: &str| chomp(&format!("plot {arguments}")).current_dir(&folder).assert();
    for (name, form) in [("a.PDF", "pdf"), ("a.png", "png")] {
        let advice = format!(
            "cannot write {name}: figures are SVG; `rsvg-convert -f {form} -o {name} a.svg`"
        );
        plot(&format!("row 5 --out {name}")).code(USAGE).stderr(contains(advice));
    }
    plot("row 5").code(USAGE).stderr(contains("--out"));
    plot("row -5 --out a.svg").code(USAGE);
    plot("row five --out a.svg").code(USAGE).stderr(contains("whole number"));
    plot("table 31 --out a.svg").code(USAGE).stderr(contains("31 is not in 0..=30"));
    plot("settling 1 --out a.svg").code(USAGE).stderr(contains("chomp plot row 1"));
    plot(&format!("periods --to 51 --data {data} --out a.svg"))
        .code(USAGE)
        .stderr(contains("holds rows 0 to 50, not row 51"));
    plot("row 5 --out nowhere/a.svg").code(INPUT_OR_OUTPUT).stderr(contains("no folder nowhere"));
    assert!(!folder.path().join("a.svg").exists());
    // Without --to, all rows of the data set.
    plot(&format!("periods --data {data} --out a.svg")).success();
    let drawn = fs::read_to_string(folder.path().join("a.svg")).unwrap();
    assert!(drawn.contains("Rows r = 0 to 50 by"));
}

/// A name that moved exits 2, and says where to.
#[test]
fn names_that_moved_say_where() {
    for (typed, now) in [
        ("plot bands --out a.svg", "experiments/figures.py bands"),
        ("plot all --out a", "outputs/rebuild"),
        ("plot openings --out a.svg --resume parts", "plot openings --to N"),
        ("board --openings 3 --markdown", "tables.py openings N DIR"),
        ("reproduce --markdown", "tables.py ledger"),
        ("perturbed --random 3", "-- perturbed"),
        ("diff rows others", "`diff -r A B`"),
        ("stats --to 9 --kernel portable", "only `chomp rows` takes it"),
        ("plot starts --out a.svg", "experiments/figures.py level-starts"),
        ("plot row 5 --out a.svg --dpi 300", "`rsvg-convert -f png`"),
        ("plot row 5 --out a.svg --format svg", "figures are SVG"),
        ("board 4x7 --book", "`chomp query --board`"),
        ("query 4x7 --book", "`chomp query --board`"),
        ("grundy --levels 0..1 --to 9 --lists", "`chomp family --tsv`"),
        ("family --levels 0..1 --to 9 --lists", "`chomp family --tsv`"),
        ("periods --to 9 --lists", "experiments/tables.py lists"),
        ("show --periods --to 9 --lists", "experiments/tables.py lists"),
        ("family beside boolean 2 --summary", "experiments/tables.py families"),
    ] {
        chomp(typed).assert().code(USAGE).stdout("").stderr(contains(now));
    }
}

/// Standard output and a file get the same bytes, and the title goes elsewhere.
#[test]
fn figures_go_to_standard_output() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("row.svg");
    chomp("plot row 120 --out").arg(&file).assert().success().stdout(contains("of row 120"));
    let printed = chomp("plot row 120 --out -").assert().success();
    let printed = printed.stderr(contains("of row 120")).get_output().stdout.clone();
    assert!(printed.starts_with(b"<svg ") && printed == fs::read(file).unwrap());
    let svg = stdout(chomp("plot table 9 --out -").assert());
    assert!(svg.starts_with("<svg "));
}

/// What an option is called, `advice` says. Two files hold no messages but results of the program,
/// which say how it was called.
#[test]
fn libraries_name_neither_the_program_nor_its_options() {
    // The questions of `ask` are commands.
    const PROGRAMS: [&str; 4] = ["cli", "ask", "atlas", "cluster/src/chomp-mpi"];
    // What results say, and options of git.
    const RESULTS: [&str; 3] =
        ["census/src/export/coq.rs", "ledger/src/render.rs", "terminal/src/version.rs"];
    let crates = workspace("crates");
    let (mut seen, mut found) = (0, Vec::new());
    let mut folders = vec![crates.clone()];
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            let name = path.strip_prefix(&crates).unwrap().to_str().unwrap().to_owned();
            if path.is_dir() {
                let is_source = name.matches('/').count() != 1 || name.ends_with("/src");
                let is_program = PROGRAMS.contains(&name.as_str());
                folders.extend(Some(path).filter(|_| is_source && !is_program));
            } else if path.extension().is_some_and(|end| end == "rs")
                && !RESULTS.contains(&name.as_str())
            {
                seen += 1;
                let text = fs::read_to_string(path).unwrap();
                let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
                let names_one = |line: &&str| line.contains("`chomp ") || has_option(line);
                found.extend(code.filter(names_one).map(|line| format!("{name}: {line}")));
            }
        }
    }
    assert!(seen > 150, "the sources are seen");
    assert!(found.is_empty(), "{found:#?}");
}

/// Whether there is a word such as `--full`.
fn has_option(line: &str) -> bool {
    let is_one = |word: &str| {
        let name = word.trim_start_matches(['"', '`', '(']).strip_prefix("--");
        name.is_some_and(|name| name.starts_with(|first: char| first.is_ascii_lowercase()))
    };
    line.split_whitespace().any(is_one)
}
