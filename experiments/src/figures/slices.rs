//! P-positions of four rows with nearly the same d/a, for HIGH and for LOW a.

use boards::four_rows::{FourRows, HighOrLow};
use boards::sieve::Layer;

use figures::chart::thousandths::{grouped, text};
use figures::chart::{AxisText, Figure, Label, Page, Panel, Scale, Shades, draw_cells};

use super::four_rows::name;

/// Small multiples: b/a and c/a of the positions with d/a near three numbers, for each family.
pub struct SlicesPlot {
    to: u16,
    /// By slice and family, the positions in each cell, the largest c first.
    cells: Vec<[Vec<Vec<u64>>; 2]>,
    positions: [u64; 2],
}

/// d/a in the middle of each slice, in thousandths.
const SLICES: [u64; 3] = [100, 200, 300];
/// The half width of a slice, in thousandths.
const HALF: u64 = 4;
/// a is larger than this part of the largest, in hundredths.
const ABOVE: u64 = 85;
const FAMILIES: [HighOrLow; 2] = [HighOrLow::High, HighOrLow::Low];
/// Cells each way, from `LEAST` to 1 across and from 0 to `MOST` upwards, in thousandths.
const CELLS: (usize, usize) = (120, 180);
const LEAST: u64 = 400;
const MOST: u64 = 900;
const CELL: i64 = 26;
const TOP: i64 = 1250;
const GAP: i64 = 480;

impl SlicesPlot {
    /// A plot of the positions with a from 0.85·`to` to `to`.
    pub fn new(to: u16) -> Self {
        let empty = || vec![vec![0; CELLS.0]; CELLS.1];
        let cells = SLICES.map(|_| [empty(), empty()]).to_vec();
        Self { to, cells, positions: [0; 2] }
    }

    /// Takes the P-positions with some a, and leaves others out.
    ///
    /// # Panics
    /// If positions do not have four rows.
    pub fn add(&mut self, layer: &Layer) {
        let a = u64::from(layer.first());
        if 100 * a <= ABOVE * u64::from(self.to) || a > self.to.into() {
            return;
        }
        let family = FourRows::counts(layer).family();
        let place = usize::from(family == HighOrLow::Low);
        layer.for_each(|lengths| {
            let [b, c, d] = [1, 2, 3].map(|row: usize| 1000 * u64::from(lengths[row]));
            let slice = SLICES.iter().position(|&middle| d.abs_diff(middle * a) <= HALF * a);
            let (Some(slice), true) = (slice, b >= LEAST * a && c < MOST * a) else { return };
            let cell = |part: u64, whole: u64, cells: usize| {
                usize::try_from(part * cells as u64 / whole).expect("a cell").min(cells - 1)
            };
            let column = cell(b - LEAST * a, (1000 - LEAST) * a, CELLS.0);
            let row = CELLS.1 - 1 - cell(c, MOST * a, CELLS.1);
            self.cells[slice][place][row][column] += 1;
            self.positions[place] += 1;
        });
    }

    /// The least number of cells that hold half of the positions, and the number of all cells.
    fn half(&self) -> (u64, u64) {
        let mut numbers: Vec<u64> =
            self.cells.iter().flatten().flatten().flatten().copied().collect();
        numbers.sort_unstable_by(|one, other| other.cmp(one));
        let all: u64 = numbers.iter().sum();
        let mut sum = 0;
        let half = numbers.iter().take_while(|&&number| {
            let is_less = 2 * sum < all;
            sum += number;
            is_less
        });
        (half.count() as u64, numbers.len() as u64)
    }

    /// Draws the positions that were taken.
    ///
    /// # Panics
    /// Never: there are few cells.
    pub fn figure(&self) -> Figure {
        let mut page = Page::new("P-positions of four rows with the same d/a");
        let largest = self.cells.iter().flatten().flatten().flatten().copied().max().unwrap_or(0);
        let shades = Shades::to(largest.max(1));
        let size = |cells: usize| CELL * i64::try_from(cells).expect("few cells");
        let (width, height) = (size(CELLS.0), size(CELLS.1));
        let (x_text, y_text) = (
            // Ticks at 0.4 and 1 of neighbours would touch.
            AxisText { label: "b/a", ticks: 2, unit: 100 },
            AxisText { label: "c/a", ticks: 5, unit: 100 },
        );
        let mut bottom = TOP;
        for (row, family) in FAMILIES.into_iter().enumerate() {
            let top = TOP + i64::try_from(row).expect("two") * (height + 500);
            let mut left = 1330;
            for (slice, cells) in SLICES.iter().zip(&self.cells) {
                let panel = Panel {
                    x: Scale::new(LEAST.cast_signed(), 1000, left, left + width),
                    y: Scale::new(0, MOST.cast_signed(), top + height, top),
                };
                draw_cells(&mut page, (left, top), (CELL, CELL), &shades.of_rows(&cells[row]));
                panel.frame(&mut page);
                let words = format!("{}, d/a = {}", name(family), text(slice.cast_signed(), 1));
                let label = Label::new("slice", words, (left + width / 2, top - 120)).size(260);
                page.label(label.middle());
                if left == 1330 {
                    panel.y_axis(&mut page, y_text);
                }
                if row == 1 {
                    bottom = panel.x_axis(&mut page, x_text);
                }
                left += width + GAP;
            }
        }
        let bottom = page.heading(bottom, "P-positions in a cell:");
        let bottom = page.legend(bottom, &shades.legend());
        let [high, low] = self.positions.map(grouped);
        let (half, cells) = self.half();
        let caption = format!(
            "P-positions (a, b, c, d) with {} < a ≤ {} and d/a within 0.004 of the number above: \
             {high} with HIGH a, {low} with LOW a. Half of them are in {} of the {} cells. For these \
             d/a the two families have the same curves; a LOW a only lacks P-positions with d/a above \
             0.44 (observed).",
            grouped(ABOVE * u64::from(self.to) / 100),
            grouped(self.to.into()),
            grouped(half),
            grouped(cells)
        );
        page.caption(bottom, &caption)
    }
}
