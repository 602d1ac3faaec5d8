//! Documents: every link leads to a file, and to a heading of it.

use std::fs;
use std::path::{Path, PathBuf};

use crate::program::workspace;

/// The Markdown files of the workspace, but for those of tools.
fn documents() -> Vec<PathBuf> {
    let folders = ["", "docs", "outputs", "outputs/deposit", "proofs", "python", "testdata"];
    let mut found = Vec::new();
    for folder in folders {
        let entries = fs::read_dir(workspace(folder)).unwrap().map(|entry| entry.unwrap().path());
        found.extend(entries.filter(|path| path.extension().is_some_and(|name| name == "md")));
    }
    found
}

/// A document without its blocks of code.
fn prose(path: &Path) -> String {
    fs::read_to_string(path).unwrap().split("\n```").step_by(2).collect()
}

/// The names of the headings, as they stand after `#` in a link.
fn anchors(path: &Path) -> Vec<String> {
    let text = prose(path);
    let headings = text.lines().filter(|line| line.starts_with('#'));
    headings
        .map(|line| {
            let words = line.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
            words.chars().filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_')).collect()
        })
        .collect()
}

#[test]
fn every_link_leads_somewhere() {
    let mut links = 0;
    for document in documents() {
        let text = prose(&document);
        for target in text.split("](").skip(1).map(|rest| rest.split(')').next().unwrap()) {
            if target.starts_with("http") {
                continue;
            }
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let path = match file {
                "" => document.clone(),
                _ => document.parent().unwrap().join(file),
            };
            let name = document.display();
            assert!(path.exists(), "{name} links to {target}, which is not there");
            let heading = anchor.is_empty() || anchors(&path).iter().any(|name| name == anchor);
            assert!(heading, "{name} links to {target}, and there is no such heading");
            links += 1;
        }
    }
    assert!(links > 100, "{links}");
}
