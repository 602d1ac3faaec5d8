//! All P-positions of four rows with the same row 1, in the plane of b and c.

use boards::four_rows::{Counts, FourRows};
use boards::sieve::Layer;

use figures::chart::thousandths::{grouped, whole};
use figures::chart::{AxisText, Entry, Figure, Ink, Page, Panel, Scale, colour, draw_cells};

use super::four_rows::{left, name, opening_ink};

/// The plane section of one a: each `(b,c)` that extends, shaded by the least d of its cell.
pub struct SectionPlot {
    a: u16,
    /// `(b,c,d)`.
    positions: Vec<[u16; 3]>,
    /// Of this a alone.
    counts: Counts,
}

/// The largest number of cells each way.
const CELLS: u16 = 250;
/// Size of the panel, if the cells fit it exactly.
const SIDE: i64 = 10_000;
const TOP: i64 = 850;
/// The upper ends of the ranges of d, in hundredths of a, with the words of the legend.
const RANGES: [(u64, &str); 5] =
    [(2, "d to a/50"), (10, "to a/10"), (20, "to a/5"), (30, "to 3a/10"), (100, "more")];

impl SectionPlot {
    /// A plot of the P-positions with some a.
    pub fn of(layer: &Layer) -> Self {
        let mut positions = Vec::new();
        layer.for_each(|lengths| positions.push([lengths[1], lengths[2], lengths[3]]));
        Self { a: layer.first(), positions, counts: FourRows::counts(layer) }
    }

    /// The squares of a side of a cell.
    fn shared(&self) -> u16 {
        (self.a + 1).div_ceil(CELLS)
    }

    /// Shades of the cells, the largest c first: the least d is the darkest.
    fn cells(&self) -> Vec<Vec<Option<usize>>> {
        let (shared, a) = (self.shared(), u64::from(self.a));
        let number = usize::from((self.a + 1).div_ceil(shared));
        let mut cells = vec![vec![None; number]; number];
        for &[b, c, d] in &self.positions {
            let range = RANGES.iter().position(|&(end, _)| 100 * u64::from(d) <= end * a);
            let shade = range.map(|range| RANGES.len() - 1 - range);
            let cell = &mut cells[number - 1 - usize::from(c / shared)][usize::from(b / shared)];
            *cell = shade.max(*cell);
        }
        cells
    }

    /// Draws the positions.
    ///
    /// # Panics
    /// Never: there are few cells.
    pub fn figure(&self) -> Figure {
        let (a, counts) = (u64::from(self.a), &self.counts);
        let cells = self.cells();
        let number = i64::try_from(cells.len()).expect("few cells");
        let side = SIDE / number;
        let most = whole(cells.len() as u64 * u64::from(self.shared())) - 500;
        let left_edge = Panel::LEFT - 200;
        let panel = Panel {
            x: Scale::new(-500, most, left_edge, left_edge + number * side),
            y: Scale::new(-500, most, TOP + number * side, TOP),
        };
        let title =
            format!("P-positions of four rows with a = {}: {}", grouped(a), name(counts.family()));
        let mut page = Page::new(&title);
        draw_cells(&mut page, (left_edge, TOP), (side, side), &cells);
        let diagonal = panel.line((0, 0), (whole(a), whole(a)));
        page.path("diagonal", diagonal, Ink::Line(colour::GRID, 20));
        let opening = left(self.a, counts);
        if let Some((opening, [b, c, _])) = opening {
            let dot = panel.dots([(whole(b.into()), whole(c.into()))]);
            page.path("opening", dot, opening_ink(opening.row));
        }
        panel.frame(&mut page);
        panel.y_axis(&mut page, AxisText::counts("c (squares)"));
        let bottom = panel.x_axis(&mut page, AxisText::counts("b (squares)"));
        let shades = RANGES.iter().zip(colour::SHADES.iter().rev());
        let mut entries: Vec<Entry> =
            shades.map(|((_, text), shade)| Entry::new(Ink::Cells(shade), *text)).collect();
        if let Some((opening, [b, c, d])) = opening {
            let words = format!("left by the winning opening: ({a}, {b}, {c}, {d})");
            entries.push(Entry::new(opening_ink(opening.row), words));
        }
        let bottom = page.legend(bottom, &entries);
        page.caption(bottom, &self.caption(counts.number()))
    }

    fn caption(&self, number: u64) -> String {
        let shared = self.shared();
        let cells = match shared {
            1 => "Each (b, c) is a cell".to_owned(),
            _ => format!("Cells have {shared} × {shared} of the (b, c)"),
        };
        format!(
            "All {} P-positions (a, b, c, d), a\u{a0}≥\u{a0}b\u{a0}≥\u{a0}c\u{a0}≥\u{a0}d, with \
             a\u{a0}=\u{a0}{}; for each (b, c) there is at most one d. {cells}, with the shade of \
             its least d. The darkest ones, with the least d, lie along the three lines of \
             three-rowed Chomp.",
            grouped(number),
            grouped(self.a.into())
        )
    }
}
