//! Figures, read back from their SVG with the numbers on their axes.

#![allow(dead_code, reason = "each user of this file reads other figures")]

use figures::{Figure, Plot};
use record::Record;
use roxmltree::{Document, Node};

pub const PATTERNS: &str = include_str!("../../../../testdata/patterns.tsv");

/// Records of rows 0 to the last, with their offsets.
pub fn records(last: u64) -> Vec<Record> {
    fixtures::rows_in_full(last + 1)
}

pub fn add(plot: &mut impl Plot, records: &[Record]) {
    for record in records {
        plot.add(record).unwrap();
    }
}

pub fn drawn(mut plot: impl Plot, records: &[Record]) -> Figure {
    add(&mut plot, records);
    plot.figure().unwrap()
}

/// A published list, without its comments and its header.
pub fn lines(text: &str) -> impl Iterator<Item = Vec<&str>> {
    let numbers = |line: &&str| line.starts_with(|first: char| first.is_ascii_digit());
    text.lines().filter(numbers).map(|line| line.split('\t').collect())
}

pub fn number(text: &str) -> f64 {
    let plain: String = text.replace('−', "-").split('\u{202f}').collect();
    plain.parse().unwrap()
}

pub fn attribute(node: Node, name: &str) -> f64 {
    node.attribute(name).unwrap().parse().unwrap()
}

pub fn of_class<'a>(document: &'a Document, class: &'a str) -> impl Iterator<Item = Node<'a, 'a>> {
    document.descendants().filter(move |node| node.attribute("class") == Some(class))
}

pub fn texts(figure: &Figure, class: &str) -> Vec<String> {
    let svg = figure.svg();
    let document = Document::parse(&svg).unwrap();
    of_class(&document, class).filter_map(|node| node.text().map(str::to_owned)).collect()
}

/// What an axis says of a place on the page: the line through its first and last tick.
pub fn axis(document: &Document, class: &str, place: &str) -> impl Fn(f64) -> f64 + use<> {
    let ticks: Vec<(f64, f64)> = of_class(document, class)
        .map(|tick| (attribute(tick, place), number(tick.text().unwrap())))
        .collect();
    let ((a, u), (b, v)) = (ticks[0], ticks[ticks.len() - 1]);
    move |place| u + (place - a) * (v - u) / (b - a)
}

/// The dots of a figure with one panel, in the units of its axes.
pub fn dots(figure: &Figure) -> Vec<(f64, f64)> {
    let svg = figure.svg();
    let document = Document::parse(&svg).unwrap();
    let (x_axis, y_axis) = (axis(&document, "x-tick", "x"), axis(&document, "y-tick", "y"));
    // A number stands beside its tick, its base line a little lower.
    let below = 95.0;
    let path = of_class(&document, "dots").next().unwrap().attribute("d").unwrap();
    path.split_terminator("h0")
        .map(|dot| {
            let (x, y) = dot.strip_prefix('M').unwrap().split_once(' ').unwrap();
            (x_axis(x.parse().unwrap()), y_axis(y.parse::<f64>().unwrap() + below))
        })
        .collect()
}

pub fn assert_near(found: &[(f64, f64)], expected: &[(f64, f64)], (dx, dy): (f64, f64)) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        let near = (found.0 - expected.0).abs() < dx && (found.1 - expected.1).abs() < dy;
        assert!(near, "{found:?} should be {expected:?}");
    }
}

#[expect(clippy::cast_precision_loss, reason = "small numbers")]
pub fn float(n: u64) -> f64 {
    n as f64
}

/// The lines of a table, without its header.
pub fn table(text: &str) -> Vec<Vec<String>> {
    let cells = |line: &str| line.split('\t').map(str::to_owned).collect();
    text.lines().skip(1).map(cells).collect()
}
