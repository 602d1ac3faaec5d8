//! Reading the fixtures in `testdata/`.

use std::path::Path;

/// The lines of a fixture as fields, without comments and without the header line if there is one.
pub fn fixture(name: &str) -> Vec<Vec<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(name);
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines: Vec<Vec<String>> = text
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter(|line| !line.starts_with(|first: char| first.is_ascii_alphabetic()))
        .map(|line| line.split_whitespace().map(str::to_owned).collect())
        .collect();
    assert!(!lines.is_empty(), "{} has no data", path.display());
    lines
}

/// A fixture of `N` columns of numbers.
pub fn numbers<const N: usize>(name: &str) -> Vec<[u64; N]> {
    let parse = |field: &String| field.parse().unwrap_or_else(|_| panic!("{name}: {field:?}"));
    fixture(name)
        .iter()
        .map(|line| {
            let numbers: Vec<u64> = line.iter().map(parse).collect();
            numbers.try_into().unwrap_or_else(|line| panic!("{name}: {line:?}"))
        })
        .collect()
}
