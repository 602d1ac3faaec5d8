//! `experiments rectangles`: the winning openings of long rectangles, one solved rectangle after
//! the other.

use std::error::Error;
use std::fmt::Display;
use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;

use boards::by_rules::{Games, play};
use boards::openings::Openings;
use clap::Args;
use driver::{Event, Watch};
use files::ResumeFolder;
use game::Board;
use record::joined;

use crate::openings::written;

/// Print the winning openings of a x a, a x (a+1), ..., a x b for each of these rectangles a x b,
/// a <= b: tab-separated, with a header line.
///
/// The P-positions of a x b decide them all. A thousand games from random positions of it test them
/// by the rules. With --several, print a section of a document instead, on those with more than one
/// opening.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The rectangles.
    #[arg(value_name = "AxB", required = true)]
    rectangles: Vec<Board>,
    /// The folder that keeps the lines of each rectangle that has been solved, which is believed
    /// and not solved again. It is made if it is not there.
    #[arg(value_name = "DIR", long)]
    keep: PathBuf,
    /// Print the rectangles with more than one opening, as a section in Markdown.
    #[arg(long)]
    several: bool,
}

/// The rectangles with two openings that Padhi lists (2026, section 4).
const PADHI: &str = "6x13 6x93 7x29 7x30 7x57 8x10 8x22 8x23 9x10 9x26 10x14 10x29 10x33 10x35 \
                     11x18 12x13 13x16 14x16";

impl Arguments {
    /// The table.
    pub fn text(&self, watch: &dyn Watch) -> Result<String, Box<dyn Error>> {
        let (mut lines, folder) = (String::new(), ResumeFolder::open(&self.keep)?);
        for board in &self.rectangles {
            let (rows, columns) = (board.height(), board.width());
            if !board.is_rectangle() || rows > columns {
                return Err(format!("{board} is no rectangle a x b with a <= b").into());
            }
            lines += &kept_lines(rows, columns, &folder, watch)?;
        }
        if self.several {
            let solved = self.rectangles.iter();
            let solved = solved.map(|board| format!("{} × {}", board.height(), board.width()));
            let solved: Vec<_> = solved.collect();
            let solved = solved.chunks(10).map(|line| line.join(", "));
            return several(&lines, &joined(solved, ",\n"));
        }
        Ok(format!("rows\tcolumns\tnumber\topenings\n{lines}"))
    }
}

/// The section on the rectangles with more than one opening.
fn several(lines: &str, solved: &str) -> Result<String, Box<dyn Error>> {
    let mut found = Vec::new();
    for line in lines.lines() {
        let [rows, columns, number, openings] = line.split('\t').collect::<Vec<_>>()[..] else {
            return Err(format!("{line:?} is no line of openings").into());
        };
        let (rows, columns, number) = (rows.parse()?, columns.parse()?, number.parse::<usize>()?);
        if number > 1 {
            found.push((u32::from(rows) * u32::from(columns), rows, columns, number, openings));
        }
    }
    found.sort_unstable();
    let lines =
        found.iter().map(|&(squares, rows, columns, number, openings): &(_, u16, u16, _, _)| {
            let openings = openings.replace(' ', " and ");
            let is_listed = PADHI.split(' ').any(|name| name == format!("{rows}x{columns}"));
            let listed = if is_listed { "yes" } else { "" };
            format!("| {rows} × {columns} | {squares} | {number} | {openings} | {listed} |\n")
        });
    let (all, most) = (found.len(), found.iter().map(|found| found.3).max().unwrap_or(0));
    Ok(format!(
        "\n## Long rectangles\n\nAll a × a, a × (a + 1), ..., a × b were solved for these a × b:\n\
         {solved}.\n{all} of them have more than one winning opening; none has more than {most}.\n\n\
         | board | squares | number | openings | in the list of Padhi 2026 |\n|---|---|---|---|---|\n{}",
        joined(lines, "")
    ))
}

/// The lines of a rectangle, from the folder or by a solver.
fn kept_lines(
    rows: u16,
    columns: u16,
    folder: &ResumeFolder,
    watch: &dyn Watch,
) -> Result<String, Box<dyn Error>> {
    let name = format!("{rows}x{columns}");
    let (file, first) = (folder.file(&name), format!("chomp-openings 1 of {name}"));
    let unusable = |problem: &dyn Display| format!("{}: {problem}; remove it", file.display());
    if let Some(kept) = folder.read(&name).map_err(|error| unusable(&error))? {
        if kept.line != first {
            return Err(unusable(&format!("it does not begin with `{first}`")).into());
        }
        let verified = kept.verify(u16::MAX.into(), || watch.stop());
        let (mut source, _) = verified.map_err(|error| unusable(&error))?;
        watch.event(&Event::Remark(format!("{} is believed", file.display())));
        return Ok(io::read_to_string(&mut source)?);
    }
    let solution = driver::solve_board(rows, columns, None, watch)?;
    let on_game = || if watch.stop() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    play(&*solution, Games { rows, columns, number: 1000, seed: 1 }, on_game)?;
    if watch.stop() {
        return Err(driver::Error::Interrupted.into());
    }
    let openings = (rows..=columns).filter_map(|b| Openings::of(&*solution, rows, b));
    let lines = openings.map(|Openings { rows, columns, bites }| {
        format!("{rows}\t{columns}\t{}\t{}\n", bites.len(), written(&bites, " "))
    });
    let lines: String = lines.collect();
    folder.write(&name, &first, |out| out.write_all(lines.as_bytes()))?;
    Ok(lines)
}
