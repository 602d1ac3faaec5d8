//! The one font: how wide text is, and the outlines of its letters. All lengths of the font are in
//! its own units; [`UNITS`] of these are its size. `fonts/README.md` says how the tables are made.

use std::collections::BTreeMap;
use std::sync::LazyLock;

pub(crate) const UNITS: i16 = 2048;

static FONT: LazyLock<Font> = LazyLock::new(|| {
    let (mut advances, mut glyphs) = (Vec::new(), BTreeMap::new());
    for (glyph, line) in (0..).zip(include_str!("../../fonts/glyphs.tsv").lines()) {
        let (advance, letters) = line.split_once('\t').expect("the table has two columns");
        advances.push(advance.parse().expect("the table has advances"));
        glyphs.extend(letters.chars().map(|letter| (letter, glyph)));
    }
    Font { advances, glyphs }
});

pub(crate) struct Font {
    /// For each glyph, in order.
    advances: Vec<i16>,
    /// The glyph of each letter.
    glyphs: BTreeMap<char, u16>,
}

impl Font {
    pub(crate) fn embedded() -> &'static Self {
        &FONT
    }

    /// The width of a text, in hundredths of a millimetre.
    pub(crate) fn width(&self, text: &str, size: i64) -> i64 {
        let advances: i64 = text.chars().map(|letter| i64::from(self.advance(letter))).sum();
        advances * size / i64::from(UNITS)
    }

    /// # Panics
    /// If the font has no such letter.
    fn glyph(&self, letter: char) -> u16 {
        let glyph = self.glyphs.get(&letter);
        *glyph.unwrap_or_else(|| panic!("the font in the program has no {letter:?}; add it there"))
    }

    fn advance(&self, letter: char) -> i16 {
        self.advances[usize::from(self.glyph(letter))]
    }

    /// The letters of a text, side by side: path data, y upwards, from the beginning of the base
    /// line.
    #[cfg(feature = "png")]
    pub(crate) fn outline(&self, text: &str) -> String {
        use std::fmt::Write;

        static OUTLINES: LazyLock<Vec<&str>> =
            LazyLock::new(|| include_str!("../../fonts/outlines.txt").lines().collect());

        let (mut data, mut pen) = (String::new(), 0.0);
        for letter in text.chars() {
            let mut shift = [pen, 0.0];
            for part in OUTLINES[usize::from(self.glyph(letter))].split(' ') {
                if let Ok(length) = part.parse::<f32>() {
                    write!(data, "{} ", length + shift[0]).expect("a string takes it");
                    shift.swap(0, 1);
                } else {
                    data.push_str(part);
                }
            }
            pen += f32::from(self.advance(letter));
        }
        data
    }
}
