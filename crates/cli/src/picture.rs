//! Where a figure goes, and in which form it is written.

use driver::Error;
use std::io::{IsTerminal, stdout};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use figures::Figure;

use crate::failure;
use crate::options;
use crate::output::{self, Output};

// Where a figure goes. No comment for clap, which would be the help of each figure.
#[derive(Clone, Debug, Args)]
pub struct Picture {
    /// The file to write; - is standard output.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// The form. By default the ending of FILE says it; to standard output it is SVG.
    #[arg(long, value_enum)]
    format: Option<PictureFormat>,
    /// Dots per inch of a PNG, 72 to 1200; by default 300.
    #[arg(long = "dpi", value_name = "DOTS", value_parser = options::within::<u16>(72..=1200))]
    dots_per_inch: Option<u16>,
}

/// A form of figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PictureFormat {
    Svg,
    Png,
}

/// Dots per inch: usual for print.
#[cfg(feature = "png")]
const USUAL_DOTS: u16 = 300;

/// The chosen form, or else the form that the file's name implies. Refuses a form that this program
/// was built without, and dots where there are none.
fn format(picture: &Picture) -> Result<PictureFormat, Error> {
    let (typed, file) = (picture.format, &picture.out);
    if typed.is_none() && file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("pdf"))
    {
        let (svg, file) = (failure::shown(&file.with_extension("svg")), failure::shown(file));
        return Err(Error::usage(format!(
            "cannot write {file}: figures are SVG or PNG; `rsvg-convert -f pdf -o {file} {svg}` \
             makes a PDF of an SVG"
        )));
    }
    let format = output::form(typed, file, PictureFormat::Svg, ".svg or .png")?;
    if format != PictureFormat::Png {
        let dots = picture.dots_per_inch.map(|_| "--dpi");
        options::none(dots, "an SVG is drawn as lines, and has no dots")?;
    } else if !cfg!(feature = "png") {
        return Err(no_png());
    }
    Ok(format)
}

fn no_png() -> Error {
    let advice =
        "write .svg, or build it with its default features (`cargo install --path crates/cli`)";
    Error::usage(format!("this program was built without PNG; {advice}"))
}

#[cfg(feature = "png")]
fn png(figure: &Figure, dots_per_inch: Option<u16>) -> Result<Vec<u8>, Error> {
    figure.png(dots_per_inch.unwrap_or(USUAL_DOTS)).map_err(Error::file)
}

#[cfg(not(feature = "png"))]
fn png(_: &Figure, _: Option<u16>) -> Result<Vec<u8>, Error> {
    Err(no_png())
}

/// Where a figure goes.
pub struct Canvas<'a> {
    output: Output,
    format: PictureFormat,
    picture: &'a Picture,
}

impl<'a> Canvas<'a> {
    /// Refuses, before any work, a file that cannot be written.
    pub fn open(picture: &'a Picture) -> Result<Self, Error> {
        let (format, output) = (format(picture)?, Output::open(&picture.out)?);
        let is_shown = matches!(output, Output::Standard) && stdout().is_terminal();
        if is_shown && format != PictureFormat::Svg {
            let words = "a terminal shows no PNG; name a file with --out FILE, or add > FILE";
            return Err(Error::usage(words));
        }
        Ok(Self { output, format, picture })
    }

    pub fn write(self, figure: &Figure) -> Result<(), Error> {
        let bytes = match self.format {
            PictureFormat::Svg => figure.svg().into_bytes(),
            PictureFormat::Png => png(figure, self.picture.dots_per_inch)?,
        };
        let is_result = matches!(self.output, Output::Standard);
        self.output.write(|out| {
            out.write_all(&bytes)?;
            Ok(out.flush()?)
        })?;
        if is_result {
            tracing::info!("{}", figure.title());
            return Ok(());
        }
        let file = failure::shown(&self.picture.out);
        failure::print(format!("{file}: {}\n", figure.title()).as_bytes())
    }
}
