//! The parts of figures: pages, panels with axes, legends, clouds of points, and numbers on an
//! axis.
//!
//! Lengths on the page are whole hundredths of a millimetre and numbers on an axis whole
//! thousandths, all by integer arithmetic, so a figure is the same bytes on every machine.

mod axes;
mod density;
mod font;
mod legend;
pub mod lines;
mod page;
pub mod thousandths;

pub use axes::{AxisText, Panel, Scale, y_label};
pub use density::{Cloud, Shades, draw_cells};
pub use legend::Entry;
pub use page::{Figure, Ink, Label, Page, Path, colour};
pub(crate) use page::{MARGIN, WIDTH};
