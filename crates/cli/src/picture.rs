//! Where a figure goes, and in which form it is written.

use std::io::{IsTerminal, stdout};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use figures::Figure;
#[cfg(feature = "png")]
use figures::FigureError;

use crate::failure::{self, Failure};
use crate::options;
use crate::output::{self, Output};

/// Where a figure goes.
#[derive(Clone, Debug, Args)]
pub struct Picture {
    /// The file to write; - is standard output.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// The form. By default the ending of FILE says it; to standard output it is SVG.
    #[arg(long, value_enum)]
    pub format: Option<PictureFormat>,
    #[command(flatten)]
    pub resolution: Resolution,
}

/// How fine a PNG is.
#[derive(Clone, Copy, Debug, Args)]
pub struct Resolution {
    /// Dots per inch of a PNG, 72 to 1200; by default 300.
    #[arg(long = "dpi", value_name = "DOTS", value_parser = options::within::<u16>(72..=1200))]
    dots_per_inch: Option<u16>,
}

/// A form of figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PictureFormat {
    Svg,
    Png,
    Pdf,
}

impl PictureFormat {
    /// The ending of its files.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Png => "png",
            Self::Pdf => "pdf",
        }
    }
}

/// The form in which a figure is written.
#[derive(Clone, Copy)]
pub struct Form {
    format: PictureFormat,
    /// Of a PNG, if it is not to be the usual number.
    dots_per_inch: Option<u16>,
}

/// Dots per inch: usual for print.
#[cfg(feature = "png")]
const USUAL_DOTS: u16 = 300;

impl Form {
    /// Refuses forms that this program was built without, and dots where there are none.
    pub fn of(format: PictureFormat, resolution: Resolution) -> Result<Self, Failure> {
        let dots_per_inch = resolution.dots_per_inch;
        if format != PictureFormat::Png {
            let dots = dots_per_inch.map(|_| "--dpi");
            options::none(dots, "SVG and PDF are drawn as lines, and have no dots")?;
        } else if !cfg!(feature = "png") {
            return Err(no_png());
        }
        Ok(Self { format, dots_per_inch })
    }
}

/// The chosen form, or else the form that the file's name implies.
fn format(picture: &Picture) -> Result<PictureFormat, Failure> {
    output::form(picture.format, &picture.out, PictureFormat::Svg, ".svg, .png or .pdf")
}

fn no_png() -> Failure {
    let advice = "write .svg or .pdf, or build it with its default features (`cargo install --path crates/cli`)";
    Failure::Usage(format!("this program was built without PNG; {advice}"))
}

#[cfg(feature = "png")]
fn png(figure: &Figure, dots_per_inch: Option<u16>) -> Result<Vec<u8>, FigureError> {
    figure.png(dots_per_inch.unwrap_or(USUAL_DOTS))
}

#[cfg(not(feature = "png"))]
fn png(_: &Figure, _: Option<u16>) -> Result<Vec<u8>, Failure> {
    Err(no_png())
}

/// Where a figure goes.
pub struct Canvas {
    output: Output,
    form: Form,
    file: PathBuf,
}

impl Canvas {
    /// Refuses, before any work, a file that cannot be written.
    pub fn open(picture: &Picture) -> Result<Self, Failure> {
        let form = Form::of(format(picture)?, picture.resolution)?;
        let (output, file) = (Output::open(&picture.out)?, picture.out.clone());
        let is_shown = matches!(output, Output::Standard) && stdout().is_terminal();
        if is_shown && form.format != PictureFormat::Svg {
            let words =
                "a terminal shows no PNG or PDF; name a file with --out FILE, or add > FILE";
            return Err(Failure::usage(words));
        }
        Ok(Self { output, form, file })
    }

    pub fn write(self, figure: &Figure) -> Result<(), Failure> {
        let Form { format, dots_per_inch } = self.form;
        let bytes = match format {
            PictureFormat::Svg => figure.svg().into_bytes(),
            PictureFormat::Png => png(figure, dots_per_inch)?,
            PictureFormat::Pdf => figure.pdf(),
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
        let file = failure::shown(&self.file);
        failure::print(format!("{file}: {}\n", figure.title()).as_bytes())
    }
}
