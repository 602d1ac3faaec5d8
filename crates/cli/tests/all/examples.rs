//! Every example of every help works, as text, and as JSON where the command has it.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use tempfile::{TempDir, tempdir};

use crate::json::require_objects;
use crate::options::commands;
use crate::program::{chomp, stdout};

/// Options of examples that give the output another form than JSON.
const FORMS: [&str; 4] = [" --tsv", " --sage", " --at 1000000", " --out "];

/// A folder with the files that examples read.
fn prepared() -> TempDir {
    let folder = tempdir().unwrap();
    for (name, last) in [("chomp-rows", "200"), ("other-rows", "150")] {
        let mut rows = chomp("rows --to");
        rows.arg(last).arg("--out").arg(folder.path().join(name)).assert().success();
    }
    fs::write(folder.path().join("my-poset.txt"), "a < b\nd[1] < b\nc[i] < d[i]\n").unwrap();
    folder
}

/// The output of a line in a shell in a copy of such a folder. The line must succeed, and leave a
/// file if it prints nothing.
fn typed(line: &str) -> String {
    static PREPARED: LazyLock<TempDir> = LazyLock::new(prepared);
    let folder = tempdir().unwrap();
    let mut copy = Command::new("cp");
    let copied = copy.arg("-r").arg(PREPARED.path().join(".")).arg(folder.path()).status();
    assert!(copied.unwrap().success());
    let files = || fs::read_dir(&folder).unwrap().count();
    let (program, before) = (Path::new(assert_cmd::cargo::cargo_bin!("chomp")), files());
    let path = format!("{}:{}", program.parent().unwrap().display(), env!("PATH"));
    let mut shell = Command::new("sh");
    shell.args(["-c", line]).current_dir(&folder).env("PATH", path).stdin(Stdio::null());
    let output = shell.output().unwrap();
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && !words.contains("error: "), "{line}: {words}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(!text.is_empty() || files() > before, "{line}: no output");
    text
}

#[test]
fn the_examples_of_all_helps_work() {
    let mut objects = 0;
    for name in commands() {
        let help = stdout(chomp(&format!("help {name}")).assert());
        let (_, examples) = help.split_once("\nExamples:\n").unwrap_or_else(|| panic!("{name}"));
        for line in examples.lines().take_while(|line| line.starts_with("  ")) {
            assert!(line.contains(&format!("chomp {name}")), "{name}: {line}");
            typed(line);
            if !help.contains(" --json\n") || line.contains(" --json") {
                continue;
            }
            let call = line.split([';', '&', '|', '>', '#']).next().unwrap().trim();
            let call =
                FORMS.iter().fold(call.to_owned(), |call, form| match call.split_once(form) {
                    Some((call, _)) => call.to_owned(),
                    None => call,
                });
            require_objects(&typed(&format!("{call} --json")));
            objects += 1;
        }
    }
    assert!(objects > 25, "{objects}");
}
