//! The checker stands on no engine: the crate graph says so.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::Value;

/// The names of the packages that `root` is built from, tests left out.
fn built_from(metadata: &Value, root: &str) -> BTreeSet<String> {
    let packages = metadata["packages"].as_array().unwrap();
    let nodes = metadata["resolve"]["nodes"].as_array().unwrap();
    let name_of = |id: &Value| {
        let package = packages.iter().find(|package| package["id"] == *id).unwrap();
        package["name"].as_str().unwrap().to_owned()
    };
    let root = &packages.iter().find(|package| package["name"] == root).unwrap()["id"];
    let (mut names, mut queue) = (BTreeSet::new(), vec![root]);
    while let Some(id) = queue.pop() {
        if !names.insert(name_of(id)) {
            continue;
        }
        let node = nodes.iter().find(|node| node["id"] == *id).unwrap();
        for dependency in node["deps"].as_array().unwrap() {
            let kinds = dependency["dep_kinds"].as_array().unwrap();
            if kinds.iter().any(|kind| kind["kind"].is_null()) {
                queue.push(&dependency["pkg"]);
            }
        }
    }
    names
}

/// Whether a package is of this workspace, by the rule for their names.
fn is_ours(name: &&str) -> bool {
    *name == "byrnes" || name.starts_with("chomp-")
}

fn cargo(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO")).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn check_depends_on_no_engine() {
    let version = cargo(&["--version", "--verbose"]);
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    let metadata = cargo(&[
        "metadata",
        "--format-version=1",
        "--offline",
        "--filter-platform",
        host,
        "--manifest-path",
        concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"),
    ]);
    let metadata = serde_json::from_str(&metadata).unwrap();
    let names = built_from(&metadata, "chomp-check");
    let ours: Vec<&str> = names.iter().map(String::as_str).filter(is_ours).collect();
    assert_eq!(ours, ["chomp-check", "chomp-files", "chomp-record", "chomp-ultimate"]);
    let names = built_from(&metadata, "chomp-cli");
    for engine in ["byrnes", "chomp-sweep"] {
        assert!(names.contains(engine), "the walk sees engines");
    }
}
