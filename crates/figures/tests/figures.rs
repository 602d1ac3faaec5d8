//! Figures, read back from their SVG with the numbers on their axes, against oracles and papers.

use std::collections::BTreeMap;

use figures::{
    Figure, FigureError, PeriodsPlot, Plot, SheetPlot, StripsPlot, TablePlot, WhyPlot, row_figure,
    settling_figure,
};
use game::brouwer::Table;
use record::Record;
use roxmltree::Document;

#[path = "../../census/tests/all/common/extreme.rs"]
mod extreme;
#[path = "common/reading.rs"]
mod reading;

use extreme::{NEARLY, finite, periodic};
use reading::{
    PATTERNS, add, assert_near, attribute, dots, drawn, float, lines, number, of_class, records,
    table, texts,
};

const TABLE: &str = include_str!("../../../testdata/brouwer-table-24.tsv");
#[test]
fn the_dots_of_a_row_are_its_p_positions() {
    let (records, table) = (records(121), Table::up_to(200));
    // The usual end, 8/5 of the row; row 121 is finite.
    for (row, last) in [(120, 192), (121, 193), (24, 38)] {
        let figure = row_figure(&records[usize::try_from(row).unwrap()]).unwrap();
        let positions = table.row(row).filter(|at| at.q() <= last);
        let expected: Vec<_> =
            positions.map(|at| (float(at.q()), float(at.p() - at.q()))).collect();
        assert_near(&dots(&figure), &expected, (0.1, 0.1));
    }
}

#[test]
fn the_dots_of_a_sheet_are_its_p_positions() {
    let (records, table) = (records(40), Table::up_to(100));
    let figure = drawn(SheetPlot::new(40), &records);
    // Both coordinates go to 3/4 of the row.
    let expected: Vec<_> = table
        .row(40)
        .map(|at| (at.q() - 40, at.p() - at.q()))
        .filter(|&(y, z)| y <= 30 && z <= 30)
        .map(|(y, z)| (float(y), float(z)))
        .collect();
    assert!(expected.len() > 10);
    assert_near(&dots(&figure), &expected, (0.05, 0.05));
}

#[test]
fn the_table_is_figure_1_of_the_2005_paper() {
    let figure = drawn(TablePlot::new(24), &records(24));
    // The fixture goes by q, then r; the figure by r, then q.
    let mut expected: Vec<(u64, u64, String)> = lines(TABLE)
        .map(|line| (line[1].parse().unwrap(), line[0].parse().unwrap(), line[2].to_owned()))
        .collect();
    expected.sort();
    let expected: Vec<String> = expected.into_iter().map(|(_, _, value)| value).collect();
    assert_eq!(expected.len(), 325);
    assert_eq!(texts(&figure, "value"), expected);
    assert_eq!(texts(&figure, "legend"), ["finite row", "period 1", "row has ended"]);
}

/// The texts beside a figure do not overlap, however few rows it has.
#[test]
fn figures_of_few_rows_have_room_for_their_words() {
    let records = records(10);
    for last in 0..=10 {
        let svg = drawn(TablePlot::new(last), &records).svg();
        let document = Document::parse(&svg).unwrap();
        let one = |class| of_class(&document, class).next().unwrap();
        let (below, beside) = (one("x-label"), one("y-label"));
        for column in of_class(&document, "column") {
            let free = attribute(below, "y") - attribute(below, "font-size");
            assert!(attribute(column, "y") <= free, "column under a table to {last}");
        }
        for row in of_class(&document, "row") {
            // A digit is less than two thirds as wide as high.
            let digits = float(row.text().unwrap().len() as u64) * 2.0 / 3.0;
            let free = attribute(row, "x") - digits * attribute(row, "font-size");
            assert!(attribute(beside, "x") <= free, "row beside a table to {last}");
        }

        let first = &records[..=usize::try_from(last).unwrap()];
        let svg = drawn(PeriodsPlot::default(), first).svg();
        let document = Document::parse(&svg).unwrap();
        let one = |class| of_class(&document, class).next().unwrap();
        let (title, beside) = (one("title"), one("y-label"));
        let half = float(beside.text().unwrap().len() as u64) / 3.0;
        let free = attribute(beside, "y") - half * attribute(beside, "font-size");
        assert!(attribute(title, "y") <= free, "the axis of periods to {last}");
    }
}

/// The last P-position of row 3 is (5,5,3) (2005 paper, section 8).
#[test]
fn the_caption_of_a_finite_row_goes_to_its_end() {
    let caption = texts(&row_figure(&records(3)[3]).unwrap(), "caption").join(" ");
    assert!(caption.starts_with("The 3 P-positions (p, q, 3) with q = 3 to 5, one a"), "{caption}");
}

#[test]
fn periods_are_counted_as_on_brouwers_page() {
    let figure = drawn(PeriodsPlot::default(), &records(1000));
    let mut expected: BTreeMap<u64, (u64, u64)> = BTreeMap::new();
    for line in lines(PATTERNS) {
        let (row, period) = (line[0].parse().unwrap(), line[2].parse().unwrap());
        expected.entry(period).or_insert((0, row)).0 += 1;
    }
    let (names, numbers, first) =
        (texts(&figure, "y-tick"), texts(&figure, "number"), texts(&figure, "first"));
    assert_eq!(names[..2], ["finite", "1"]);
    let found: Vec<_> = (2..names.len())
        .map(|strip| [&names, &numbers, &first].map(|column| column[strip].parse::<u64>().unwrap()))
        .collect();
    let expected: Vec<[u64; 3]> =
        expected.into_iter().map(|(period, (number, first))| [period, number, first]).collect();
    assert_eq!(found, expected);
    let all: u64 = numbers.iter().map(|number| number.parse::<u64>().unwrap()).sum();
    assert_eq!(all, 1001);
}

#[test]
fn a_settling_row_shows_its_certificate() {
    // docs and README quote the record: start 170, period 2, from 170, recurs 172.
    let figure = settling_figure(&records(120)[120]).unwrap();
    let entries = texts(&figure, "legend");
    for entry in ["start 170", "one period: 2 columns", "certificate: from 170", "recurs 172"] {
        assert!(entries.iter().any(|text| text == entry), "{entries:?}");
    }
    let svg = figure.svg();
    let document = Document::parse(&svg).unwrap();
    let dots: usize = of_class(&document, "dots")
        .map(|path| path.attribute("d").unwrap().matches('M').count())
        .sum();
    // 30 columns before the start, and 30 after it.
    assert_eq!(dots, 61);
}

#[test]
fn what_cannot_be_drawn_is_an_error() {
    let records = records(5);
    let finite = settling_figure(&records[1]);
    assert_eq!(finite.unwrap_err(), FigureError::NoPattern { row: 1, last: 2 });
    assert_eq!(SheetPlot::new(1).figure().unwrap_err(), FigureError::Missing { row: 1 });
    let mut table = TablePlot::new(9);
    add(&mut table, &records);
    assert_eq!(table.figure().unwrap_err(), FigureError::Missing { row: 6 });

    let line = r#"Finite(row: 1, first: 3, last: 2, head: "22145bd91204b982")"#;
    let fingerprint = record::parse_line(line, 1).unwrap();
    let refused = [
        SheetPlot::new(1).add(&fingerprint),
        TablePlot::new(1).add(&fingerprint),
        row_figure(&fingerprint).map(drop),
        settling_figure(&fingerprint).map(drop),
    ];
    assert_eq!(refused, [const { Err(FigureError::NoOffsets { row: 1 }) }; 4]);
}

#[test]
fn the_same_bytes_every_time() {
    let svg = || drawn(SheetPlot::new(60), &records(60)).svg();
    let first = svg();
    assert_eq!(first, svg());
    let document = Document::parse(&first).unwrap();
    let root = document.root_element();
    assert_eq!(root.attribute("width"), Some("120.00mm"));
    // Every number of a place or a length is whole.
    for node in document.descendants() {
        for attribute in ["x", "y", "d", "font-size", "stroke-width"] {
            let fraction = node.attribute(attribute).is_some_and(|value| value.contains('.'));
            assert!(!fraction, "{attribute} of {node:?}");
        }
    }
}

/// Records come from files. No plot may panic on the largest numbers that a record can have,
/// whether there is a figure or an error.
#[test]
fn nothing_panics_on_the_largest_numbers_of_a_record() {
    for records in extreme::all() {
        let mut explainer = cascade::why::Explainer::default();
        for record in &records {
            if let Some(explanation) = explainer.add(record, |_| true) {
                let _drawn_or_not = WhyPlot::new(explanation).map(|plot| plot.figure());
            }
        }
        let mut plots: Vec<Box<dyn Plot>> =
            vec![Box::new(StripsPlot::default()), Box::new(PeriodsPlot::default())];
        let mut taken = vec![true; plots.len()];
        for record in &records {
            for (plot, taken) in plots.iter_mut().zip(&mut taken) {
                *taken &= plot.add(record).is_ok();
            }
        }
        assert_eq!(taken, [false; 2], "2^62 is beyond a figure");
        for plot in plots {
            if let Err(error) = plot.figure() {
                println!("{error}");
            }
        }
    }
}

/// Rows as long as 2^40 are drawn, and longer ones refused.
#[test]
fn figures_end_where_their_arithmetic_does() {
    let mut plot = PeriodsPlot::default();
    plot.add(&periodic(0, 1 << 40, NEARLY, 1)).unwrap();
    assert!(plot.figure().is_ok());
    let error = plot.add(&periodic(1, 1 << 62, NEARLY, 1)).unwrap_err();
    let (column, largest) = (1 << 62, 1 << 40);
    assert_eq!(error, FigureError::TooFar { row: 1, column, largest });
    assert!(PeriodsPlot::default().add(&finite(1, 1 << 62)).is_err());

    let text = r#"Periodic(row: 5, first: 10, start: 7, values: [4], certificate: (from: 7, recurs: 4611686018427387904, modulus: "1", filled: 4, above: []), head: [5, 3])"#;
    let record = record::parse_line(text, 1).unwrap();
    assert!(matches!(settling_figure(&record), Err(FigureError::TooFar { row: 5, .. })));
}

/// Why a row among these has its period.
fn explained(records: &[Record], row: u64) -> Figure {
    let mut explainer = cascade::why::Explainer::default();
    let found = records.iter().filter_map(|record| explainer.add(record, |it| it.row == row));
    WhyPlot::new(found.last().unwrap()).unwrap().figure()
}

/// The pattern of the older copy of Brouwer's page, in the columns from the start on.
#[test]
fn a_row_with_its_companions_has_the_published_pattern() {
    let records = records(900);
    let mut tested = 0;
    for line in lines(PATTERNS) {
        let row: u64 = line[0].parse().unwrap();
        if row > 900 {
            continue;
        }
        let start: u64 = line[1].parse().unwrap();
        let pattern: Vec<f64> = line[3].split([' ', ',']).map(number).collect();
        let figure = explained(&records, row);
        let found = dots(&figure);
        let expected: Vec<(f64, f64)> =
            (start..).map(float).zip(pattern.into_iter().cycle()).take(found.len()).collect();
        assert_near(&found, &expected, (0.1, 0.1));
        tested += 1;
    }
    assert!(tested > 10, "{tested}");
}

/// Against the table of Brouwer's recurrence, in floats.
#[test]
fn strips_are_those_of_the_table() {
    let (oracle, root) = (Table::up_to(90), 2_f64.sqrt());
    let mut plot = StripsPlot::default();
    add(&mut plot, &records(60));
    let strips = table(&plot.tsv().unwrap());
    for n in 0..=60_u32 {
        let d = float(oracle.f(n.into(), n.into()).unwrap());
        let line = strips.iter().find(|line| line[0] == "dₙ − αn" && line[1] == n.to_string());
        let expected = d - (1.0 + 1.0 / root) * f64::from(n);
        assert!((number(&line.unwrap()[2]) - expected).abs() < 0.0011, "{n}");
    }
}
