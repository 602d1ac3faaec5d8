//! The map on instant-winner sheets, iterated from two first sheets: P-positions in units of r, and
//! how far they are from the three lines.

use census::Decimal;
use census::renormalization::{Sheet, ThreeLines};
use figures::chart::thousandths::{ONE, grouped, whole};
use figures::chart::{
    AxisText, Entry, Figure, Ink, Label, Page, Panel, Scale, colour, lines, y_label,
};

/// P-positions of the first and the last sheet that each start leads to, over the three lines, and
/// below them the bands about the lines in the last sheets.
pub struct RenormalizePlot {
    starts: [Start; 2],
}

/// The sheets that one first sheet leads to.
struct Start {
    name: String,
    sheets: Vec<Sheet>,
}

const TOP: i64 = 850;
const HEIGHT: i64 = 6600;
const BANDS: i64 = 2300;
const BETWEEN: i64 = 1500;
/// Distances from the lines that are drawn, in squares.
const FAR: i64 = 8;
/// Both axes end here, in thousandths of r.
const MOST: i64 = 750;
/// Starts, in their order: dots of the last sheet and of the first one.
const COLOURS: [(&str, &str); 2] = [(colour::BLUE, "#9ecae1"), (colour::VERMILION, "#fdae6b")];

/// Chomp's slope of the diagonal, α = 1 + 1/√2.
pub const ALPHA: (i64, i64) = (1, 1);

impl RenormalizePlot {
    /// A plot of two first sheets by name, each with the sheets that it leads to, at least one.
    pub fn new(starts: [(String, Vec<Sheet>); 2]) -> Self {
        Self { starts: starts.map(|(name, sheets)| Start { name, sheets }) }
    }

    /// The numbers of each sheet, tab-separated: the start, the row, the columns near the lower and
    /// the upper line and the share of the lower in 1000, the mean and the greatest distance from
    /// the lines in squares, and by how much the density of instant winners differs, in 1000 of the
    /// positions of a cell, from the sheet of half the row, and from the sheet of the first start.
    pub fn tsv(&self) -> String {
        let mut lines = vec![
            "start\trow\tlower\tupper\tlower_in_1000\tmean\tgreatest\tfrom_half\t\
                        from_first_start\n"
                .to_owned(),
        ];
        for Start { name, sheets } in &self.starts {
            let mut half: Option<&Sheet> = None;
            for (place, sheet) in sheets.iter().enumerate() {
                let Sheet { row, lower, upper, mean, greatest, .. } = sheet;
                let mean = Decimal::ratio(*mean, 1000, 3);
                let apart = |other: Option<&Sheet>| {
                    other.map_or(String::new(), |other| sheet.difference(other).to_string())
                };
                let (half, first) = (apart(half.replace(sheet)), self.starts[0].sheets.get(place));
                let (share, first) = (sheet.lower_in_1000(), apart(first));
                lines.push(format!(
                    "{name}\t{row}\t{lower}\t{upper}\t{share}\t{mean}\t{greatest}\t{half}\t\
                     {first}\n"
                ));
            }
        }
        lines.concat()
    }

    /// Draws the sheets.
    pub fn figure(&self) -> Figure {
        let mut page = Page::new("Sheets under renormalization");
        let scale = |from, to| Scale::with_room(0, MOST, 2, from, to);
        let panel = Panel { x: scale(Panel::LEFT, Panel::RIGHT), y: scale(TOP + HEIGHT, TOP) };
        let text = |label| AxisText { label, ticks: 9, unit: ONE / 10 };
        let (mut marks, mut entries) = (Vec::new(), Vec::new());
        for (start, (last_ink, first_ink)) in self.starts.iter().zip(COLOURS) {
            let [first, last] = start.ends();
            for (sheet, ink, size) in [(first, first_ink, 90), (last, last_ink, 40)] {
                let points = points(sheet).filter(|&point| panel.holds(point));
                marks.push((panel.dots(points), Ink::Dots(ink, size)));
                let words = format!("{}, row {}", start.name, grouped(sheet.row));
                entries.push(Entry::new(Ink::Dots(ink, 130), words));
            }
        }
        let bottom = panel.draw(&mut page, (text("(q − r) / r"), text("(p − q) / r")), |page| {
            for (dots, ink) in marks {
                page.path("dots", dots, ink);
            }
            // A row of one unit has the lines of every row in units of it.
            lines::draw(1, page, &panel, 0, MOST);
        });
        let bottom = self.bands(&mut page, bottom + BETWEEN / 2);
        entries.extend(lines::legend());
        let bottom = page.legend(bottom, &entries);
        page.caption(bottom, &self.caption())
    }

    /// Draws the columns by the distance of their P-position from its line, in the last sheets.
    fn bands(&self, page: &mut Page, top: i64) -> i64 {
        let bands: Vec<Vec<(i64, i64)>> = self.starts.iter().map(Start::bands).collect();
        let most = bands.iter().flatten().map(|point| point.1).max().unwrap_or(ONE);
        let panel = Panel {
            x: Scale::with_room(-FAR * ONE, FAR * ONE, 4, Panel::LEFT, Panel::RIGHT),
            y: Scale::with_room(0, most, 6, top + BANDS, top),
        };
        let x_text = AxisText::counts("distance from the line (squares, rounded down)");
        let y_text = AxisText::counts("").ticks(6).fractions();
        panel.draw_with_y_ticks(page, (x_text, y_text), |page| {
            for (points, (ink, _)) in bands.iter().zip(COLOURS) {
                page.path("trace", panel.path(points), Ink::Line(ink, 34));
                page.path("band", panel.dots(points.iter().copied()), Ink::Dots(ink, 110));
            }
        });
        panel.x_ticks(page, x_text);
        page.label(Label::new("panel", "the bands of the last sheets", (Panel::LEFT, top - 120)));
        y_label(page, "columns in 1000", top, top + BANDS);
        panel.x_label(page, x_text)
    }

    fn caption(&self) -> String {
        let of = |start: &Start| {
            let far = |sheet: &Sheet| format!("{} in row {}", sheet.greatest, grouped(sheet.row));
            let [first, last] = start.ends().map(far);
            format!("{}: {first} and {last}", start.name)
        };
        let far = record::joined(self.starts.iter().map(of), "; ");
        format!(
            "P-positions (p, q, r) in units of r, where the map from an instant-winner sheet to the \
             next was iterated from two first sheets. The three lines are the fixed point that \
             Friedman and Landsberg describe; that sheets tend to it is observed, not proved. The \
             greatest distance from the lines, in squares and not scaled, is, for {far}."
        )
    }
}

impl Start {
    /// The first sheet and the last.
    fn ends(&self) -> [&Sheet; 2] {
        let ends = self.sheets.first().zip(self.sheets.last());
        ends.map(<[&Sheet; 2]>::from).expect("there is a sheet")
    }

    /// Columns in 1000, in thousandths, by distance in whole squares, of the last sheet. Columns
    /// that are further away count at the ends.
    fn bands(&self) -> Vec<(i64, i64)> {
        let [_, sheet] = self.ends();
        let lines = ThreeLines::new(sheet.row, ALPHA);
        let mut counts = vec![0_i64; usize::try_from(2 * FAR + 1).expect("a small number")];
        for (y, &z) in (0..).zip(&sheet.offsets) {
            let place = lines.nearest(y, z).1.floor_of(1).clamp(-FAR, FAR) + FAR;
            counts[usize::try_from(place).expect("at least 0")] += 1;
        }
        let all = i64::try_from(sheet.offsets.len().max(1)).expect("columns of a sheet");
        (-FAR..).zip(counts).map(|(at, count)| (at * ONE, 1_000_000 * count / all)).collect()
    }
}

/// The P-positions of a sheet, in thousandths of r, rounded down.
fn points(sheet: &Sheet) -> impl Iterator<Item = (i64, i64)> {
    let scaled = |n: u64| whole(n) / i64::try_from(sheet.row.max(1)).expect("a row of a figure");
    (0..).zip(&sheet.offsets).map(move |(y, &z)| (scaled(y), scaled(z)))
}

#[cfg(test)]
mod tests {
    use game::brouwer::Table;

    use super::*;

    /// The sheet of a row of Chomp by Brouwer's table.
    fn sheet(table: &Table, row: u64) -> Sheet {
        let offsets = (row..).map_while(|q| table.f(q, row)?.checked_sub(q));
        let is_winner =
            |p, q| (0..row).any(|c| table.f(q, c) == Some(p) || table.f(c, c) == Some(p));
        Sheet::of(row, ALPHA, offsets, is_winner)
    }

    /// Counts, distances and dots against floats; a sheet does not differ from itself.
    #[test]
    fn sheets_are_measured_and_drawn() {
        let table = Table::up_to(460);
        let sheets = [128, 256].map(|row| sheet(&table, row));
        let (mut lower, mut upper, mut greatest) = (0, 0, 0.0_f64);
        for (y, &z) in (0_u32..).zip(&sheets[1].offsets) {
            let (y, z) = (f64::from(y), f64::from(u32::try_from(z).unwrap()));
            let near = |from: f64| (z + y - from / 2_f64.sqrt()).abs();
            let is_past = y > (256.0 - y) / 2_f64.sqrt();
            let last = (z - (2.0 - 2_f64.sqrt()) * 256.0).abs();
            let (low, other) = (near(256.0 - y), if is_past { last } else { near(256.0 + y) });
            lower += u64::from(low < other);
            upper += u64::from(low >= other && !is_past);
            greatest = greatest.max(low.min(other));
        }
        assert_eq!((sheets[1].lower, sheets[1].upper), (lower, upper));
        assert!(greatest < 5.0 && (greatest.ceil() - 5.0).abs() < 0.01, "{greatest}");
        assert_eq!(sheets[1].greatest, 5);
        let difference = sheets[0].difference(&sheets[1]);
        assert!(sheets[1].difference(&sheets[1]) == 0 && (1..200).contains(&difference));

        let plot =
            RenormalizePlot::new(["Chomp", "again"].map(|of| (of.to_owned(), sheets.to_vec())));
        let figure = plot.figure();
        assert_eq!(figure.cut_texts(), [""; 0]);
        let svg = figure.svg();
        assert_eq!(svg.matches("class=\"dots\"").count(), 4);
        assert_eq!(svg.matches("class=\"band\"").count(), 2);
        let tsv = plot.tsv();
        assert_eq!(tsv.lines().count(), 5);
        let ending = format!("\t5\t{difference}\t0");
        assert!(tsv.lines().nth(2).unwrap().ends_with(&ending), "{tsv}");
    }
}
