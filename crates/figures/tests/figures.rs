//! Figures, read back from their SVG with the numbers on their axes, against oracles and papers.

use std::collections::BTreeMap;

use figures::{
    BandsPlot, DensitiesPlot, DiagonalPlot, Figure, FigureError, PeriodsPlot, Plot, QueuePlot,
    RowPlot, SettlingPlot, SheetPlot, StartsPlot, StripsPlot, TablePlot, WhyPlot,
};
use game::brouwer::Table;
use record::Record;
use roxmltree::{Document, Node};

#[path = "../../census/tests/all/common/extreme.rs"]
mod extreme;

use extreme::{NEARLY, finite, periodic};

const TABLE: &str = include_str!("../../../testdata/brouwer-table-24.tsv");
const PATTERNS: &str = include_str!("../../../testdata/patterns.tsv");

/// Records of rows 0 to the last, with their offsets.
fn records(last: u64) -> Vec<Record> {
    fixtures::rows_in_full(last + 1)
}

fn add(plot: &mut impl Plot, records: &[Record]) {
    for record in records {
        plot.add(record).unwrap();
    }
}

fn drawn(mut plot: impl Plot, records: &[Record]) -> Figure {
    add(&mut plot, records);
    plot.figure().unwrap()
}

/// A published list, without its comments and its header.
fn lines(text: &str) -> impl Iterator<Item = Vec<&str>> {
    let numbers = |line: &&str| line.starts_with(|first: char| first.is_ascii_digit());
    text.lines().filter(numbers).map(|line| line.split('\t').collect())
}

fn number(text: &str) -> f64 {
    let plain: String = text.replace('−', "-").split('\u{202f}').collect();
    plain.parse().unwrap()
}

fn attribute(node: Node, name: &str) -> f64 {
    node.attribute(name).unwrap().parse().unwrap()
}

fn of_class<'a>(document: &'a Document, class: &'a str) -> impl Iterator<Item = Node<'a, 'a>> {
    document.descendants().filter(move |node| node.attribute("class") == Some(class))
}

fn texts(figure: &Figure, class: &str) -> Vec<String> {
    let svg = figure.svg();
    let document = Document::parse(&svg).unwrap();
    of_class(&document, class).filter_map(|node| node.text().map(str::to_owned)).collect()
}

/// What an axis says of a place on the page: the line through its first and last tick.
fn axis(document: &Document, class: &str, place: &str) -> impl Fn(f64) -> f64 + use<> {
    let ticks: Vec<(f64, f64)> = of_class(document, class)
        .map(|tick| (attribute(tick, place), number(tick.text().unwrap())))
        .collect();
    let ((a, u), (b, v)) = (ticks[0], ticks[ticks.len() - 1]);
    move |place| u + (place - a) * (v - u) / (b - a)
}

/// The dots of a figure with one panel, in the units of its axes.
fn dots(figure: &Figure) -> Vec<(f64, f64)> {
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

fn assert_near(found: &[(f64, f64)], expected: &[(f64, f64)], (dx, dy): (f64, f64)) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        let near = (found.0 - expected.0).abs() < dx && (found.1 - expected.1).abs() < dy;
        assert!(near, "{found:?} should be {expected:?}");
    }
}

#[expect(clippy::cast_precision_loss, reason = "small numbers")]
fn float(n: u64) -> f64 {
    n as f64
}

#[test]
fn the_dots_of_a_row_are_its_p_positions() {
    let (records, table) = (records(121), Table::up_to(200));
    // The usual end, 8/5 of the row; row 121 is finite.
    for (row, last) in [(120, 192), (121, 193), (24, 38)] {
        let figure = drawn(RowPlot::new(row), &records);
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
    let caption = texts(&drawn(RowPlot::new(3), &records(3)), "caption").join(" ");
    assert!(caption.starts_with("The 3 P-positions (p, q, 3) with q = 3 to 5, one a"), "{caption}");
}

#[test]
fn the_diagonal_strays_from_its_line_as_far_as_brouwers_table_says() {
    let (records, table) = (records(300), Table::up_to(300));
    let figure = drawn(DiagonalPlot::default(), &records);
    let alpha = 1.0 + 0.5_f64.sqrt();
    let expected: Vec<_> =
        (0..=300).map(|n| (float(n), float(table.f(n, n).unwrap()) - alpha * float(n))).collect();
    assert_near(&dots(&figure), &expected, (0.1, 0.01));
}

#[test]
fn starts_are_those_of_brouwers_page() {
    let figure = drawn(StartsPlot::default(), &records(1000));
    let dots = dots(&figure);
    for line in lines(PATTERNS) {
        let (row, start): (f64, f64) = (line[0].parse().unwrap(), line[1].parse().unwrap());
        let excess = start - 2_f64.sqrt() * row;
        let near = |dot: &&(f64, f64)| (dot.0 - row).abs() < 0.3 && (dot.1 - excess).abs() < 0.01;
        assert_eq!(dots.iter().filter(near).count(), 1, "row {row}");
    }
    // Every row that Brouwer's table does not see ending within twice its length is periodic.
    let table = Table::up_to(400);
    let periodic = (0..=200).filter(|&row| table.f(400, row).unwrap() >= 400).count();
    assert_eq!(dots.iter().filter(|dot| dot.0 < 200.5).count(), periodic);
}

/// As `chomp rows` prints them: the least is rounded down, the largest up.
#[test]
fn the_caption_of_starts_bounds_them() {
    let records = records(1000);
    let excess = |record: &Record| {
        let row = record.periodic()?;
        Some(float(row.start) - 2_f64.sqrt() * float(row.row))
    };
    let least = records.iter().filter_map(excess).fold(f64::INFINITY, f64::min);
    let largest = records.iter().filter_map(excess).fold(f64::NEG_INFINITY, f64::max);
    let (down, up) = ((least * 1000.0).floor() / 1000.0, (largest * 1000.0).ceil() / 1000.0);
    let caption = texts(&drawn(StartsPlot::default(), &records), "caption").join(" ");
    let said = [format!("at least −{:.3} (row", -down), format!("at most {up:.3} (row")];
    assert!(said.iter().all(|words| caption.contains(words)), "{said:?} in {caption}");
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
    let figure = drawn(SettlingPlot::new(120), &records(120));
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
    let mut settling = SettlingPlot::new(1);
    assert_eq!(settling.figure().unwrap_err(), FigureError::Missing { row: 1 });
    add(&mut settling, &records);
    assert_eq!(settling.figure().unwrap_err(), FigureError::NoPattern { row: 1, last: 2 });
    let mut table = TablePlot::new(9);
    add(&mut table, &records);
    assert_eq!(table.figure().unwrap_err(), FigureError::Missing { row: 6 });

    let line = r#"Finite(row: 1, first: 3, last: 2, head: "22145bd91204b982")"#;
    let fingerprint = record::parse_line(line, 1).unwrap();
    for mut plot in [
        Box::new(RowPlot::new(1)) as Box<dyn Plot>,
        Box::new(SheetPlot::new(1)),
        Box::new(TablePlot::new(1)),
        Box::new(SettlingPlot::new(1)),
    ] {
        assert_eq!(plot.add(&fingerprint).unwrap_err(), FigureError::NoOffsets { row: 1 });
    }
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

#[cfg(feature = "png")]
#[test]
fn a_png_has_the_size_asked_for_and_the_same_bytes_every_time() {
    use resvg::tiny_skia::Pixmap;

    let figure = drawn(TablePlot::new(10), &records(10));
    let png = figure.png(127).unwrap();
    assert_eq!(png, figure.png(127).unwrap());
    let pixels = Pixmap::decode_png(&png).unwrap();
    // 120 mm at 127 dots an inch of 25.4 mm.
    assert_eq!(pixels.width(), 600);
    let dark = pixels.pixels().iter().filter(|pixel| pixel.red() < 100).count();
    assert!(dark > 1000, "there are letters: {dark} dark dots");
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
        let mut plots: Vec<Box<dyn Plot>> = vec![
            Box::new(DiagonalPlot::default()),
            Box::new(StartsPlot::default()),
            Box::new(StripsPlot::default()),
            Box::new(DensitiesPlot::default()),
            Box::new(BandsPlot::new([5])),
            Box::new(PeriodsPlot::default()),
        ];
        let mut taken = vec![true; plots.len()];
        for record in &records {
            for (plot, taken) in plots.iter_mut().zip(&mut taken) {
                *taken &= plot.add(record).is_ok();
            }
        }
        assert_eq!(taken, [false; 6], "2^62 is beyond a figure");
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
    let mut plot = StartsPlot::default();
    plot.add(&periodic(0, 1 << 40, NEARLY, 1)).unwrap();
    assert!(plot.figure().unwrap().svg().contains("1099511627776.000"));
    let error = plot.add(&periodic(1, 1 << 62, NEARLY, 1)).unwrap_err();
    let (column, largest) = (1 << 62, 1 << 40);
    assert_eq!(error, FigureError::TooFar { row: 1, column, largest });
    assert!(DiagonalPlot::default().add(&finite(1, 1 << 62)).is_err());
    assert!(PeriodsPlot::default().add(&finite(1, 1 << 62)).is_err());

    let text = r#"Periodic(row: 5, first: 10, start: 7, values: [4], certificate: (from: 7, recurs: 4611686018427387904, modulus: "1", filled: 4, above: []), head: [5, 3])"#;
    let record = record::parse_line(text, 1).unwrap();
    let mut plot = SettlingPlot::new(5);
    plot.add(&record).unwrap();
    assert!(matches!(plot.figure(), Err(FigureError::TooFar { row: 5, .. })));
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

/// A PDF, read by its table of objects.
struct Pdf(Vec<u8>);

impl Pdf {
    /// What it has from a byte on, a letter for each byte.
    fn from(&self, place: usize) -> String {
        self.0[place..].iter().map(|&byte| char::from(byte)).collect()
    }

    /// The object with a number, from the place that the table at the end says.
    fn object(&self, number: usize) -> String {
        let text = self.from(0);
        let (_, end) = text.rsplit_once("startxref").unwrap();
        let table = self.from(end.split_whitespace().next().unwrap().parse().unwrap());
        let line = table.lines().nth(2 + number).unwrap();
        let object = self.from(line.split(' ').next().unwrap().parse().unwrap());
        assert!(table.starts_with("xref") && object.starts_with(&format!("{number} 0 obj")));
        object.split("\nendobj").next().unwrap().to_owned()
    }

    /// What its stream has, of the length that is stated.
    fn stream(&self, number: usize) -> String {
        let object = self.object(number);
        let (header, stream) = object.split_once("stream\n").unwrap();
        let (_, length) = header.split_once("/Length ").unwrap();
        let length: usize =
            length.split(|c: char| !c.is_ascii_digit()).next().unwrap().parse().unwrap();
        let (stream, rest): (Vec<char>, String) =
            (stream.chars().take(length).collect(), stream.chars().skip(length).collect());
        assert!(rest.trim() == "endstream", "the length is that of the stream");
        stream.into_iter().collect()
    }
}

/// Sixteen bits each.
fn words(bytes: &[u8]) -> Vec<u16> {
    bytes.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]])).collect()
}

/// The bytes of a string of a PDF: hexadecimal digits, or between parentheses, where a byte may be
/// three octal digits.
fn bytes_of(string: &str) -> Vec<u8> {
    if let Some(digits) = string.strip_prefix('<') {
        let byte = |place| u8::from_str_radix(&digits[place..place + 2], 16).unwrap();
        return (0..digits.len() - 1).step_by(2).map(byte).collect();
    }
    let mut rest = string.strip_prefix('(').unwrap().strip_suffix(')').unwrap();
    let mut bytes = Vec::new();
    while let Some(letter) = rest.chars().next() {
        let (length, byte) = match (letter, rest.chars().nth(1)) {
            ('\\', Some('0'..='7')) => (4, u8::from_str_radix(&rest[1..4], 8).unwrap()),
            ('\\', Some(escaped)) => {
                let named = [('n', 10), ('r', 13), ('t', 9), ('b', 8), ('f', 12)];
                let named = named.iter().find(|(name, _)| *name == escaped).map(|(_, byte)| *byte);
                (2, named.unwrap_or_else(|| u8::try_from(escaped).unwrap()))
            }
            _ => (1, u8::try_from(letter).unwrap()),
        };
        bytes.push(byte);
        rest = &rest[length..];
    }
    bytes
}

/// The same points and the same words, in the same order.
#[test]
fn a_pdf_draws_what_the_svg_draws() {
    let records = records(130);
    let figure = drawn(RowPlot::new(120), &records[120..121]);
    let (pdf, svg) = (Pdf(figure.pdf()), figure.svg());
    assert!(pdf.0.starts_with(b"%PDF-1.7\n") && pdf.0.ends_with(b"%%EOF"));
    assert_eq!(pdf.0, figure.pdf());
    let document = Document::parse(&svg).unwrap();
    let content = pdf.stream(4);

    // From `M1 2L3 4` and `M1 2h0` to the points 1 2 m, 3 4 l.
    let mut points = Vec::new();
    for path in document.descendants().filter(|node| node.has_tag_name("path")) {
        let data = path.attribute("d").unwrap();
        for step in data.split_inclusive(|c: char| "ML".contains(c)).collect::<Vec<_>>().windows(2)
        {
            let [command, place] = step else { unreachable!() };
            let place = place.trim_end_matches(['M', 'L']);
            let is_dot = place.ends_with("h0");
            let place = place.trim_end_matches("h0");
            if !place.contains('h') {
                let operator = if command.ends_with('M') { "m" } else { "l" };
                points.push(format!("{place} {operator}"));
                points.extend(is_dot.then(|| format!("{place} l")));
            }
        }
    }
    let drawn = content.lines().filter(|line| line.ends_with(" m") || line.ends_with(" l"));
    assert!(points.len() > 100 && drawn.eq(points.iter()), "{points:?}");

    let letters = pdf.stream(10);
    let letter_of: BTreeMap<u16, char> = letters
        .lines()
        .filter_map(|line| line.strip_prefix('<')?.strip_suffix('>')?.split_once("> <"))
        .filter(|(glyph, letter)| glyph.len() == 4 && letter.len() == 4)
        .map(|(glyph, letter)| {
            let number = |text| u16::from_str_radix(text, 16).unwrap();
            (number(glyph), char::from_u32(number(letter).into()).unwrap())
        })
        .collect();
    let shown = content.lines().filter_map(|line| line.strip_suffix(" Tj"));
    let shown: Vec<String> = shown
        .map(|string| words(&bytes_of(string)).iter().map(|glyph| letter_of[glyph]).collect())
        .collect();
    let texts: Vec<String> = document
        .descendants()
        .filter(|node| node.has_tag_name("text"))
        .map(|node| node.text().unwrap().to_owned())
        .collect();
    assert_eq!(shown, texts);
    assert!(pdf.object(5).contains("/Title"));
    let font = pdf.stream(9).chars().count();
    assert_eq!(font, include_bytes!("../fonts/DejaVuSans-subset.ttf").len());
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

/// The lines of a table, without its header.
fn table(text: &str) -> Vec<Vec<String>> {
    let cells = |line: &str| line.split('\t').map(str::to_owned).collect();
    text.lines().skip(1).map(cells).collect()
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

/// Every interval is counted, and whether a row of Brouwer's recurrence ends.
#[test]
fn the_queue_is_that_of_the_table() {
    let (oracle, last) = (Table::up_to(300), 120_u64);
    // A row that ends does so in column 2r or before (`proofs/uniqueness.md`, 3.6).
    let ends = |r: u64| (r..=2 * r).any(|q| oracle.f(q, r) == Some(q));
    let steps: Vec<i64> = (0..=last).map(|r| if ends(r) { -1 } else { 1 }).collect();
    let mut plot = QueuePlot::default();
    add(&mut plot, &records(last));
    let found = table(&plot.tsv().unwrap());
    for (rows, line) in (1..=60).zip(&found) {
        let excesses: Vec<i64> = steps.windows(rows).map(|rows| rows.iter().sum()).collect();
        let largest = *excesses.iter().max().unwrap();
        let intervals = excesses.iter().filter(|&&excess| excess == largest).count();
        let first = excesses.iter().position(|&excess| excess == largest).unwrap();
        let least = *excesses.iter().min().unwrap();
        let counts = [rows, intervals, first + rows - 1].map(|number| number.to_string());
        let [number, intervals, first_to] = counts;
        let (largest, least) = (largest.to_string(), least.to_string());
        let expected = ["rows".to_owned(), number, largest, intervals, first_to, least];
        assert_eq!(*line, expected, "{rows} rows");
    }
    // h + 1 is the largest excess of an interval that ends at the row and does not begin at it.
    let mut tallies: BTreeMap<(&str, i64), (usize, usize)> = BTreeMap::new();
    let periodic: Vec<usize> = (0..steps.len()).filter(|&r| steps[r] == 1).collect();
    for pair in periodic.windows(2) {
        let excess = |&first: &usize| steps[first..=pair[1]].iter().sum::<i64>();
        let h = periodic.iter().take_while(|&&r| r < pair[1]).map(excess).max().unwrap() - 1;
        tallies.entry(("h", h)).or_insert((0, pair[1])).0 += 1;
        let difference = i64::try_from(pair[1] - pair[0]).unwrap();
        tallies.entry(("Δ", difference)).or_insert((0, pair[0])).0 += 1;
    }
    // Row 0.
    let (count, _) = tallies[&("h", 0)];
    tallies.insert(("h", 0), (count + 1, 0));
    for line in &found[60..] {
        let key = (line[0].as_str(), line[1].parse().unwrap());
        let (count, first) = tallies.remove(&key).unwrap();
        assert_eq!([&line[3], &line[4]], [&count.to_string(), &first.to_string()], "{key:?}");
    }
    assert_eq!(tallies.len(), 0, "{tallies:?}");
    assert!(plot.figure().unwrap().caption().contains("The largest is 2, first in the 2 rows"));
}

/// Against the table of Brouwer's recurrence, in floats.
#[test]
fn bands_and_strips_are_those_of_the_table() {
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
    let mut plot = BandsPlot::new([u64::from(row)]);
    add(&mut plot, &records(60));
    let found = table(&plot.tsv().unwrap());
    assert_eq!(found.len(), expected.len());
    for line in &found {
        let key = (line[1].as_str(), line[2].parse().unwrap());
        assert_eq!(expected[&key].to_string(), line[3], "{line:?}");
    }
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
