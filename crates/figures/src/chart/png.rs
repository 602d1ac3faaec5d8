//! PNG: the SVG with its text as outlines of the embedded font, so that it does not depend on the
//! machine's fonts.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};
use svg::node::element::Element;

use super::Figure;
use super::font::{Font, UNITS};
use super::page::{Label, element};
use crate::FigureError;

impl Figure {
    /// The picture as PNG, with this number of dots per inch; 300 is usual for print.
    ///
    /// # Errors
    /// [`FigureError::Png`] if the picture is too large for the memory.
    pub fn png(&self, dots_per_inch: u16) -> Result<Vec<u8>, FigureError> {
        let font = Font::embedded();
        let svg = self.document(|label| letters(font, label));
        let options = Options { dpi: f32::from(dots_per_inch), ..Options::default() };
        let tree = Tree::from_str(&svg, &options).map_err(refused)?;
        let size = tree.size().to_int_size();
        let mut pixels = Pixmap::new(size.width(), size.height())
            .ok_or_else(|| FigureError::Png("it has too many dots".to_owned()))?;
        resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
        pixels.encode_png().map_err(refused)
    }
}

fn refused(error: impl std::fmt::Display) -> FigureError {
    FigureError::Png(error.to_string())
}

/// The outlines are in units of the font, y upwards.
fn letters(font: &Font, label: &Label) -> Element {
    let before = label.before(font.width(&label.text, UNITS.into()));
    let ((x, y), size) = (label.at, label.size);
    let turn = if label.upwards { " rotate(-90)" } else { "" };
    let transform = format!(
        "translate({x} {y}){turn} scale({size}) scale({scale} -{scale}) translate(-{before} 0)",
        scale = 1.0 / f64::from(UNITS)
    );
    element(
        "path",
        &[
            ("d", font.outline(&label.text)),
            ("fill", label.colour.to_owned()),
            ("transform", transform),
        ],
    )
}
