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

    /// Of each glyph, in order, in units of the font.
    pub(super) fn advances(&self) -> impl Iterator<Item = i16> {
        let advance = |glyph| self.0.glyph_hor_advance(GlyphId(glyph)).unwrap_or(0);
        (0..self.0.number_of_glyphs()).map(move |glyph| advance(glyph).cast_signed())
    }

    /// Glyphs with the letters that they stand for, in the order of these.
    pub(super) fn letters(&self) -> Vec<(u16, char)> {
        let mut letters = Vec::new();
        for table in self.0.tables().cmap.iter().flat_map(|cmap| cmap.subtables) {
            if table.is_unicode() {
                table.codepoints(|code| letters.extend(char::from_u32(code)));
            }
        }
        letters.sort_unstable();
        letters.dedup();
        letters.into_iter().map(|letter| (self.glyph(letter).0, letter)).collect()
    }

    /// A length of the font in thousandths of its size.
    pub(super) fn thousandths(&self, length: i16) -> f32 {
        f32::from(length) * 1000.0 / f32::from(self.0.units_per_em())
    }

    pub(super) fn face(&self) -> &Face<'static> {
        &self.0
    }

    /// The file of the font.
    pub(super) fn file() -> &'static [u8] {
        DEJA_VU_SANS
    }

    fn advance(&self, letter: char) -> u16 {
        self.0.glyph_hor_advance(self.glyph(letter)).unwrap_or(0)
    }

    pub(super) fn glyph(&self, letter: char) -> GlyphId {
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
