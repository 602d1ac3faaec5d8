//! Figures of P-positions `(a,b,c,d)` of four rows, `a >= b >= c >= d`.

mod families;
mod section;
mod slices;

pub use families::FamiliesPlot;
pub use section::SectionPlot;
pub use slices::SlicesPlot;

use boards::four_rows::{Counts, HighOrLow, Opening};

use super::page::{Ink, colour};

/// The colour of a winning opening, by its row.
fn of_opening(row: u8) -> &'static str {
    match row {
        2 => colour::VERMILION,
        3 => colour::BLUE,
        _ => "#009e73",
    }
}

/// The name of a family.
fn name(family: HighOrLow) -> &'static str {
    match family {
        HighOrLow::High => "HIGH",
        HighOrLow::Low => "LOW",
    }
}

/// The lower rows that the winning opening of 4 × a leaves, if it has just one.
fn left(a: u16, counts: &Counts) -> Option<(Opening, [u16; 3])> {
    let &[opening] = counts.openings() else { return None };
    let Opening { row, left } = opening;
    Some((opening, [2, 3, 4].map(|lower| if lower < row { a } else { left })))
}

/// A mark for openings.
fn opening_ink(row: u8) -> Ink {
    Ink::Dots(of_opening(row), 190)
}

#[cfg(test)]
mod tests {
    use std::num::NonZero;
    use std::ops::ControlFlow;

    use boards::four_rows::FourRows;
    use boards::sieve::{Sieve, Width};

    use super::*;

    #[test]
    fn no_text_is_cut_by_the_edge_of_the_page() {
        let (mut four_rows, mut slices) = (FourRows::default(), SlicesPlot::new(200));
        let mut sections = [150, 160, 200].map(SectionPlot::new);
        let mut sieve = Sieve::new(4, 200, Width::Of128).unwrap();
        let go_on = |_| ControlFlow::Continue(());
        while let Some(layers) = sieve.next_layers(NonZero::<usize>::MIN, &go_on).unwrap() {
            for layer in layers {
                layer.runs().for_each(|run| four_rows.add(layer.first(), run));
                slices.add(&layer);
                for section in &mut sections {
                    section.add(&layer);
                }
            }
        }
        let mut figures = vec![FamiliesPlot::of(&four_rows).figure(), slices.figure()];
        figures.extend(sections.iter().map(|section| section.figure().unwrap()));
        for figure in figures {
            assert_eq!(figure.cut_texts(), [""; 0], "{}", figure.title());
        }
        assert!(SectionPlot::new(150).figure().is_err());
    }
}
