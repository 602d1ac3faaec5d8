//! Against tables of the published recurrences, and against committed tables.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::ops::ControlFlow;

use boards::four_rows::FourRows;
use boards::sieve::{Sieve, Width};
use figures::Plot;
use game::brouwer::Table;
use roxmltree::{Document, Node};

use super::{
    BandsPlot, DensitiesPlot, DiagonalPlot, FamiliesPlot, LevelsPlot, SectionPlot, SlicesPlot,
};

#[path = "../../../crates/census/tests/all/common/extreme.rs"]
mod extreme;
#[path = "../../../crates/figures/tests/common/reading.rs"]
mod reading;

use reading::{PATTERNS, add, assert_near, dots, drawn, float, lines, number, records, table};

#[test]
fn the_diagonal_strays_from_its_line_as_far_as_brouwers_table_says() {
    let (records, table) = (records(300), Table::up_to(300));
    let figure = drawn(DiagonalPlot::default(), &records);
    let alpha = 1.0 + 0.5_f64.sqrt();
    let expected: Vec<_> =
        (0..=300).map(|n| (float(n), float(table.f(n, n).unwrap()) - alpha * float(n))).collect();
    assert_near(&dots(&figure), &expected, (0.1, 0.01));
}

const LEVELS: &str = include_str!("../../../outputs/levels-1000.tsv");
const LEVELS_FIGURE: &str = include_str!("../../../outputs/figures/levels-1000.svg");
const LEVEL_STARTS_FIGURE: &str = include_str!("../../../outputs/figures/level-starts-1000.svg");

/// The committed table of levels says the same of each level: how many rows are of each kind.
#[test]
fn the_figure_of_levels_counts_the_rows_of_the_table() {
    let svg = Document::parse(LEVELS_FIGURE).unwrap();
    let texts = |class: &str| {
        let texts = svg.descendants().filter(|node| node.attribute("class") == Some(class));
        let place = |node: Node, name| node.attribute(name).unwrap().to_owned();
        let all = texts.map(|node| (place(node, "x"), place(node, "y"), node.text().unwrap()));
        all.collect::<Vec<_>>()
    };
    let (levels, kinds) = (texts("level"), texts("y-tick"));
    let mut drawn: Vec<(&str, &str, f64)> = Vec::new();
    for (x, y, text) in texts("number") {
        let level = levels.iter().find(|level| level.0 == x).unwrap().2;
        let kind = kinds.iter().find(|kind| kind.1 == y).unwrap().2;
        drawn.push((level, kind, number(text)));
    }
    let mut counted: Vec<(&str, &str, f64)> = Vec::new();
    for line in lines(LEVELS) {
        let kind = if line[2] == "periodic" { line[3] } else { line[2] };
        match counted.iter_mut().find(|cell| (cell.0, cell.1) == (line[0], kind)) {
            Some(cell) => cell.2 += 1.0,
            None => counted.push((line[0], kind, 1.0)),
        }
    }
    let order = |a: &(&str, &str, f64), b: &(&str, &str, f64)| (a.0, a.1).cmp(&(b.0, b.1));
    drawn.sort_by(order);
    counted.sort_by(order);
    assert_eq!(drawn, counted);
}

/// A dot for each periodic row of the levels that are not empty, and the extremes of their starts.
#[test]
fn the_figure_of_starts_has_the_rows_of_the_table() {
    let svg = Document::parse(LEVEL_STARTS_FIGURE).unwrap();
    let nodes = |class: &'static str| {
        svg.descendants().filter(move |node| node.attribute("class") == Some(class))
    };
    let panels: Vec<_> = nodes("level").zip(nodes("dots")).collect();
    assert_eq!(panels.len(), 4);
    for (words, dots) in panels {
        let words = words.text().unwrap();
        let level = &words["level ".len()..words.find(':').unwrap()];
        let rows = lines(LEVELS).filter(|line| line[0] == level && line[2] == "periodic");
        let excess = |line: Vec<&str>| number(line[4]) - 2_f64.sqrt() * number(line[1]);
        let starts: Vec<f64> = rows.map(excess).collect();
        assert_eq!(dots.attribute("d").unwrap().matches('M').count(), starts.len(), "{words}");
        let (_, extremes) = words.split_once(", from ").unwrap();
        let (least, largest) = extremes.split_once(" to ").unwrap();
        let said = |text: &str| number(text.split_once(" (").unwrap().0);
        let found = |of: fn(f64, f64) -> f64| starts.iter().copied().reduce(of).unwrap();
        assert!((said(least) - found(f64::min)).abs() < 0.0011, "{words}");
        assert!((said(largest) - found(f64::max)).abs() < 0.0011, "{words}");
    }
}

/// As many rows of each period as Brouwer's page lists.
#[test]
fn densities_count_the_rows_of_the_page() {
    let mut plot = DensitiesPlot::default();
    add(&mut plot, &records(900));
    let table = table(&plot.tsv().unwrap());
    for period in ["2", "4"] {
        let listed = lines(PATTERNS)
            .filter(|line| line[0].parse::<u64>().unwrap() <= 900 && line[2] == period);
        let of_period = table.iter().filter(|line| line[0] == period);
        let counted: usize = of_period.map(|line| line[3].parse::<usize>().unwrap()).sum();
        assert_eq!(counted, listed.count(), "period {period}");
    }
    // Twenty ranges of 45 rows, and one of them has 46: 901 rows in all.
    let rows: u64 = table.iter().map(|line| line[3].parse::<u64>().unwrap()).sum();
    assert_eq!(rows, 901);
    for line in &table {
        let [first, last, rows] = [1, 2, 3].map(|place| line[place].parse::<f64>().unwrap());
        let all = last - first + 1.0;
        let [density, error] = [4, 5].map(|place| number(&line[place]));
        assert!((density - 1000.0 * rows / all).abs() < 0.002, "{line:?}");
        let expected = 1000.0 * (rows * (1.0 - rows / all)).sqrt() / all;
        assert!((error - expected).abs() < 0.002, "{line:?}");
    }
}

/// Against the table of Brouwer's recurrence, in floats.
#[test]
fn bands_are_those_of_the_table() {
    let (oracle, row) = (Table::up_to(90), 60_u32);
    let root = 2_f64.sqrt();
    let mut expected: BTreeMap<(&str, i64), u64> = BTreeMap::new();
    let last = (f64::from(row) * root).floor();
    for q in (row + row.div_ceil(24)..).take_while(|&q| f64::from(q) <= last) {
        let Some(p) = oracle.f(q.into(), row.into()) else { break };
        let (z, y) = (float(p) - f64::from(q), f64::from(q - row));
        let line = |sign: f64| z - f64::from(row) / root - (-1.0 + sign / root) * y;
        let (lower, upper) = (line(-1.0), line(1.0));
        let (name, distance) =
            if lower.abs() < upper.abs() { ("lower", lower) } else { ("upper", upper) };
        #[expect(clippy::cast_possible_truncation, reason = "a few squares")]
        let distance = distance.floor() as i64;
        *expected.entry((name, distance)).or_default() += 1;
    }
    let found = table(&BandsPlot::of(&records(60)[60..]).unwrap().tsv());
    assert_eq!(found.len(), expected.len());
    for line in &found {
        let key = (line[1].as_str(), line[2].parse().unwrap());
        assert_eq!(expected[&key].to_string(), line[3], "{line:?}");
    }
}

/// Records come from files. No plot may panic on the largest numbers that a record can have.
#[test]
fn nothing_panics_on_the_largest_numbers_of_a_record() {
    for records in extreme::all() {
        let mut plots: Vec<Box<dyn Plot>> =
            vec![Box::new(DiagonalPlot::default()), Box::new(DensitiesPlot::default())];
        let _drawn_or_not = BandsPlot::of(&records).map(|plot| plot.figure());
        for plot in &mut plots {
            let taken = records.iter().all(|record| plot.add(record).is_ok());
            assert!(!taken, "2^62 is beyond a figure");
            if let Err(error) = plot.figure() {
                println!("{error}");
            }
        }
    }
}

#[test]
fn no_text_is_cut_by_the_edge_of_the_page() {
    let mut plots: [Box<dyn Plot>; 2] =
        [Box::new(DiagonalPlot::default()), Box::new(DensitiesPlot::default())];
    let records = records(2027);
    for record in &records {
        for plot in &mut plots {
            plot.add(record).unwrap();
        }
    }
    let bands = BandsPlot::of(&[records[500].clone(), records[2027].clone()]).unwrap();
    let mut plot = LevelsPlot::default();
    let mut visit = |record: &record::Record| {
        plot.add(record).unwrap();
        ControlFlow::Continue(())
    };
    let family = record::Family::three_rowed(6, 1000);
    ::levels::rows(&family, &::levels::Options::default(), &mut visit).unwrap();
    let drawn = plots.iter().map(|plot| plot.figure().unwrap());
    for figure in drawn.chain([plot.periods(), plot.starts(), bands.figure()]) {
        assert_eq!(figure.cut_texts(), [""; 0], "{}", figure.title());
    }
}

#[test]
fn no_text_of_four_rows_is_cut_by_the_edge_of_the_page() {
    let (mut four_rows, mut slices) = (FourRows::default(), SlicesPlot::new(200));
    let mut figures = Vec::new();
    let mut sieve = Sieve::new(4, 200, Width::Of128).unwrap();
    let go_on = |_| ControlFlow::Continue(());
    while let Some(layers) = sieve.next_layers(NonZero::<usize>::MIN, &go_on).unwrap() {
        for layer in layers {
            layer.runs().for_each(|run| four_rows.add(layer.first(), run));
            slices.add(&layer);
            if [150, 160, 200].contains(&layer.first()) {
                figures.push(SectionPlot::of(&layer).figure());
            }
        }
    }
    figures.extend([FamiliesPlot::of(&four_rows).figure(), slices.figure()]);
    assert_eq!(figures.len(), 5);
    for figure in figures {
        assert_eq!(figure.cut_texts(), [""; 0], "{}", figure.title());
    }
}
