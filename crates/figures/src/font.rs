//! The one font: how wide text is, and the outlines of its letters.

use ttf_parser::{Face, GlyphId};

/// The letters of the font that figures use (see `fonts/README.md`).
static DEJA_VU_SANS: &[u8] = include_bytes!("../fonts/DejaVuSans-subset.ttf");

pub(super) struct Font(Face<'static>);

impl Font {
    pub(super) fn embedded() -> Self {
        Self(Face::parse(DEJA_VU_SANS, 0).expect("the font in the program is a font"))
    }

    /// The width of a text, in hundredths of a millimetre.
    pub(super) fn width(&self, text: &str, size: i64) -> i64 {
        let advances: i64 = text.chars().map(|letter| i64::from(self.advance(letter))).sum();
        advances * size / i64::from(self.0.units_per_em())
    }

    /// Breaks a text at spaces into lines no wider than that (a longer word gets a line of its
    /// own).
    pub(super) fn lines(&self, text: &str, size: i64, width: i64) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for word in text.split(' ') {
            match lines.last_mut() {
                Some(line) if self.width(&format!("{line} {word}"), size) <= width => {
                    line.push(' ');
                    line.push_str(word);
                }
                _ => lines.push(word.to_owned()),
            }
        }
        lines
    }

    fn advance(&self, letter: char) -> u16 {
        self.0.glyph_hor_advance(self.glyph(letter)).unwrap_or(0)
    }

    fn glyph(&self, letter: char) -> GlyphId {
        self.0
            .glyph_index(letter)
            .unwrap_or_else(|| panic!("the font in the program has no {letter:?}; add it there"))
    }
}

#[cfg(feature = "png")]
mod outlines {
    use std::fmt::Write;

    use ttf_parser::OutlineBuilder;

    use super::Font;

    /// Path data in units of the font, y upwards, from the beginning of the base line.
    #[derive(Default)]
    struct Outline {
        data: String,
        /// Where the next letter begins.
        pen: f32,
    }

    impl Font {
        /// The letters of a text, side by side.
        pub(crate) fn outline(&self, text: &str) -> String {
            let mut outline = Outline::default();
            for letter in text.chars() {
                // A space has no outline.
                let _bounds = self.0.outline_glyph(self.glyph(letter), &mut outline);
                outline.pen += f32::from(self.advance(letter));
            }
            outline.data
        }

        pub(crate) fn units(&self) -> u16 {
            self.0.units_per_em()
        }
    }

    impl Outline {
        fn push(&mut self, command: char, points: &[(f32, f32)]) {
            self.data.push(command);
            for &(x, y) in points {
                write!(self.data, "{} {} ", x + self.pen, y).expect("a string takes it");
            }
        }
    }

    impl OutlineBuilder for Outline {
        fn move_to(&mut self, x: f32, y: f32) {
            self.push('M', &[(x, y)]);
        }

        fn line_to(&mut self, x: f32, y: f32) {
            self.push('L', &[(x, y)]);
        }

        fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
            self.push('Q', &[(x1, y1), (x, y)]);
        }

        fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
            self.push('C', &[(x1, y1), (x2, y2), (x, y)]);
        }

        fn close(&mut self) {
            self.data.push('Z');
        }
    }
}
