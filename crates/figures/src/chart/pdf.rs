//! PDF: the same paths as the SVG, and text as text, in the embedded font.
//!
//! The bytes are the same on every machine. Nothing is compressed.

use pdf_writer::types::{CidFontType, FontFlags, LineCapStyle, SystemInfo, UnicodeCmap};
use pdf_writer::{Content, Finish, Name, Pdf, Rect, Ref, Str, TextStr};

use super::Figure;
use super::font::{ASCENT, BOUNDS, DESCENT, FILE, Font, thousandths};
use super::page::{Ink, Label, Mark, Path, Step, WIDTH};

/// A hundredth of a millimetre in points, of 1/72 inch.
const POINTS: f32 = 72.0 / 2540.0;

const FONT: Name = Name(b"F");
const FONT_NAME: Name = Name(b"DejaVuSans");
const SYSTEM: SystemInfo =
    SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };

/// The objects of the file.
mod id {
    pub(super) const CATALOG: i32 = 1;
    pub(super) const PAGES: i32 = 2;
    pub(super) const PAGE: i32 = 3;
    pub(super) const CONTENT: i32 = 4;
    pub(super) const INFORMATION: i32 = 5;
    pub(super) const FONT: i32 = 6;
    pub(super) const GLYPHS: i32 = 7;
    pub(super) const DESCRIPTOR: i32 = 8;
    pub(super) const FONT_FILE: i32 = 9;
    pub(super) const LETTERS: i32 = 10;
}

impl Figure {
    /// The picture as PDF 1.7, one page of its size.
    pub fn pdf(&self) -> Vec<u8> {
        let font = Font::embedded();
        let mut pdf = Pdf::new();
        pdf.catalog(Ref::new(id::CATALOG)).pages(Ref::new(id::PAGES));
        pdf.pages(Ref::new(id::PAGES)).kids([Ref::new(id::PAGE)]).count(1);
        let (width, height) = (real(WIDTH) * POINTS, real(self.height) * POINTS);
        let mut page = pdf.page(Ref::new(id::PAGE));
        page.parent(Ref::new(id::PAGES)).media_box(Rect::new(0.0, 0.0, width, height));
        page.contents(Ref::new(id::CONTENT));
        page.resources().fonts().pair(FONT, Ref::new(id::FONT));
        page.finish();
        pdf.stream(Ref::new(id::CONTENT), &self.content(font));
        let (title, caption) = (TextStr(self.title()), TextStr(self.caption()));
        pdf.document_info(Ref::new(id::INFORMATION)).title(title).subject(caption);
        write_font(&mut pdf, font);
        pdf.finish()
    }

    /// The drawing, in hundredths of a millimetre, y downwards as in the SVG.
    fn content(&self, font: &Font) -> Vec<u8> {
        let mut content = Content::new();
        content.transform([POINTS, 0.0, 0.0, -POINTS, 0.0, real(self.height) * POINTS]);
        content.set_fill_rgb(1.0, 1.0, 1.0);
        content.rect(0.0, 0.0, real(WIDTH), real(self.height)).fill_nonzero();
        for mark in self.marks() {
            match mark {
                Mark::Path(_, path, ink) => draw(&mut content, path, *ink),
                Mark::Label(label) => write(&mut content, font, label),
            }
        }
        content.finish().into_vec()
    }
}

/// A length on the page, which f32 holds exactly: it is less than 2^24.
#[expect(clippy::cast_precision_loss, reason = "lengths on a page are short")]
fn real(length: i64) -> f32 {
    length as f32
}

/// Red, green and blue of `#rrggbb`.
fn parts(colour: &str) -> [f32; 3] {
    [1, 3, 5].map(|place| {
        let part = colour.get(place..place + 2).and_then(|part| u8::from_str_radix(part, 16).ok());
        f32::from(part.expect("colours are #rrggbb")) / 255.0
    })
}

fn draw(content: &mut Content, path: &Path, ink: Ink) {
    content.save_state();
    for step in path.steps() {
        match *step {
            Step::Move((x, y)) => content.move_to(real(x), real(y)),
            Step::Line((x, y)) => content.line_to(real(x), real(y)),
            Step::Dot((x, y)) => content.move_to(real(x), real(y)).line_to(real(x), real(y)),
            Step::Rectangle((x, y), width, height) => {
                content.rect(real(x), real(y), real(width), real(height))
            }
        };
    }
    let style = ink.style();
    if let Some((colour, width)) = style.stroke {
        let [red, green, blue] = parts(colour);
        content.set_stroke_rgb(red, green, blue).set_line_width(real(width));
    }
    if let Some(dashes) = style.dashes {
        let lengths = dashes.split(' ').map(str::parse::<f32>);
        let lengths = lengths.map(|length| length.expect("dashes are numbers"));
        content.set_dash_pattern(lengths, 0.0);
    }
    if style.is_round {
        content.set_line_cap(LineCapStyle::RoundCap);
    }
    if let Some(colour) = style.fill {
        let [red, green, blue] = parts(colour);
        content.set_fill_rgb(red, green, blue).fill_nonzero();
    } else {
        content.stroke();
    }
    content.restore_state();
}

fn write(content: &mut Content, font: &Font, label: &Label) {
    let before = label.before(font.width(&label.text, label.size));
    let ((x, y), size) = (label.at, real(label.size));
    let matrix = if label.upwards {
        [0.0, -size, -size, 0.0, real(x), real(y + before)]
    } else {
        [size, 0.0, 0.0, -size, real(x - before), real(y)]
    };
    let [red, green, blue] = parts(label.colour);
    let glyphs: Vec<u8> =
        label.text.chars().flat_map(|letter| font.glyph(letter).to_be_bytes()).collect();
    content.begin_text().set_font(FONT, 1.0).set_fill_rgb(red, green, blue);
    content.set_text_matrix(matrix).show(Str(&glyphs)).end_text();
}

/// The font as a whole, which has the letters of figures only.
fn write_font(pdf: &mut Pdf, font: &Font) {
    let mut whole = pdf.type0_font(Ref::new(id::FONT));
    whole.base_font(FONT_NAME).encoding_predefined(Name(b"Identity-H"));
    whole.descendant_font(Ref::new(id::GLYPHS)).to_unicode(Ref::new(id::LETTERS));
    whole.finish();

    let mut glyphs = pdf.cid_font(Ref::new(id::GLYPHS));
    glyphs.subtype(CidFontType::Type2).base_font(FONT_NAME).system_info(SYSTEM);
    glyphs.font_descriptor(Ref::new(id::DESCRIPTOR)).default_width(0.0);
    glyphs.cid_to_gid_map_predefined(Name(b"Identity"));
    glyphs.widths().consecutive(0, font.advances().map(thousandths));
    glyphs.finish();

    let [left, low, right, high] = BOUNDS.map(thousandths);
    let [ascent, descent] = [ASCENT, DESCENT].map(thousandths);
    let mut descriptor = pdf.font_descriptor(Ref::new(id::DESCRIPTOR));
    descriptor.name(FONT_NAME).flags(FontFlags::SYMBOLIC).bbox(Rect::new(left, low, right, high));
    descriptor.italic_angle(0.0).ascent(ascent).descent(descent).cap_height(ascent).stem_v(80.0);
    descriptor.font_file2(Ref::new(id::FONT_FILE));
    descriptor.finish();

    let length = i32::try_from(FILE.len()).expect("the font in the program is short");
    pdf.stream(Ref::new(id::FONT_FILE), FILE).pair(Name(b"Length1"), length);

    let mut letters = UnicodeCmap::<u16>::new(FONT_NAME, SYSTEM);
    for (letter, glyph) in font.letters() {
        letters.pair(glyph, letter);
    }
    pdf.cmap(Ref::new(id::LETTERS), letters.finish().as_slice());
}
