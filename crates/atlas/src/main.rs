//! `chomp-atlas`: builds the atlas of rows in a folder. `just atlas` calls it.

use std::path::PathBuf;
use std::process::ExitCode;

use atlas::{Archive, Built, Inputs, Verdict, build, hash};
use clap::Parser;
use driver::{DataSet, Error};
use terminal::Watcher;

/// Build a static site with pages of rows of three-rowed Chomp.
#[derive(Debug, Parser)]
struct Arguments {
    /// The folder of the site. It is made.
    #[arg(value_name = "SITE")]
    site: PathBuf,
    /// The data set: each of its rows whose period exceeds 2 gets a page.
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// A data set whose rows all get a page, and which browsers verify.
    #[arg(long, value_name = "DIR")]
    in_browser: PathBuf,
    /// The folder of the page in the browser, as web/build makes it with `ATLAS=../`.
    #[arg(long, value_name = "DIR")]
    page: PathBuf,
    /// A verdict of `chomp check --json` on one of these data sets, or on the archive. Can be given
    /// several times.
    #[arg(long = "verdict", value_name = "FILE")]
    verdicts: Vec<PathBuf>,
    /// The archive in which the search finds all other rows: rows-1000000.zip of `just deposit`.
    #[arg(long, value_name = "FILE")]
    archive: Option<PathBuf>,
    /// The address of that archive for browsers. The site has it in archive.json, where it can be
    /// changed.
    #[arg(long, value_name = "URL", requires = "archive", default_value = ARCHIVE_AT)]
    archive_at: String,
}

/// Where the archive will be: a placeholder, like the repository in it.
const ARCHIVE_AT: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/rows-1000000.zip");

fn main() -> ExitCode {
    terminal::log_to_stderr(false, terminal::ProgressForm::Words);
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => terminal::report(&error, ""),
    }
}

fn run(arguments: &Arguments) -> Result<(), Error> {
    let watcher = Watcher::new()?;
    let data = DataSet::open(&arguments.data)?;
    let in_browser = DataSet::open(&arguments.in_browser)?;
    let archive = arguments.archive.as_ref();
    let archive = archive.map(|path| Archive::of(path, arguments.archive_at.clone(), &data));
    let archive = archive.transpose()?;
    let mut known = vec![hash(data.manifest()), hash(in_browser.manifest())];
    known.extend(archive.as_ref().map(|archive| &*archive.data));
    let read = |path: &PathBuf| Verdict::read(path, &known);
    let verdicts = arguments.verdicts.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    let inputs = Inputs {
        data: &data,
        in_browser: &in_browser,
        verdicts: &verdicts,
        archive: archive.as_ref(),
        page: &arguments.page,
    };
    let Built { pages, files, bytes } = build(&arguments.site, &inputs, &watcher)?;
    let site = arguments.site.display();
    terminal::tell(&format!("{site}: {pages} pages of rows; {files} files, {bytes} bytes"));
    Ok(())
}
