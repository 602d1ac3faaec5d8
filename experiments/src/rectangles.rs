//! `experiments rectangles`: the winning openings of long rectangles, one solved rectangle after
//! the other.

use std::error::Error;
use std::fmt::Display;
use std::io;
use std::iter::once;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use boards::by_rules::{Games, play};
use boards::openings::Openings;
use boards::sieve::Run;
use clap::Args;
use driver::{Event, PositionsRun, Watch};
use files::ResumeFolder;
use game::{Board, Square};
use record::joined;

use crate::openings::written;

/// Print the winning openings of a x a, a x (a+1), ..., a x b for each of these rectangles a x b,
/// a <= b: tab-separated, with a header line.
///
/// The P-positions of a x b decide them all. A thousand games from random positions of it test them
/// by the rules. If a is 3 to 6 and b more than 150, they are those of `chomp positions --rows a
/// --to b`, and no games are played. With --several, print a section of a document instead, on
/// those with more than one opening.
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

/// The numbers of rows for which a sieve finds the openings of long rectangles.
const SIEVED: RangeInclusive<u16> = 3..=6;
/// The columns of the longest of these rectangles whose P-positions are kept in a table.
const LONGEST_TABLE: u16 = 150;

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
        let verified = kept.verify(1 << 24, || watch.stop());
        let (mut source, _) = verified.map_err(|error| unusable(&error))?;
        watch.event(&Event::Remark(format!("{} is believed", file.display())));
        return Ok(io::read_to_string(&mut source)?);
    }
    let openings = if SIEVED.contains(&rows) && columns > LONGEST_TABLE {
        by_sieve(rows, columns, watch)?
    } else {
        by_all_positions(rows, columns, watch)?
    };
    let lines = openings.into_iter().map(|Openings { rows, columns, bites }| {
        format!("{rows}\t{columns}\t{}\t{}\n", bites.len(), written(&bites, " "))
    });
    let lines: String = lines.collect();
    folder.write(&name, &first, |out| out.write_all(lines.as_bytes()))?;
    Ok(lines)
}

/// The openings of rows x rows, ..., rows x columns by the P-positions of the last one.
fn by_all_positions(
    rows: u16,
    columns: u16,
    watch: &dyn Watch,
) -> Result<Vec<Openings>, Box<dyn Error>> {
    let solution = driver::solve_board(rows, columns, None, watch)?;
    play(&*solution, Games { rows, columns, number: 1000, seed: 1 }, || watch.go_on())?;
    if watch.stop() {
        return Err(driver::Error::Interrupted.into());
    }
    Ok((rows..=columns).filter_map(|b| Openings::of(&*solution, rows, b)).collect())
}

/// Those by the P-positions in the order of their rows: an opening of rows x n leaves one whose
/// first rows have n squares, and whose other rows have the same number of squares.
fn by_sieve(rows: u16, columns: u16, watch: &dyn Watch) -> Result<Vec<Openings>, driver::Error> {
    let empty = |columns| Openings { rows, columns, bites: Vec::new() };
    let mut found: Vec<Openings> = (1..=columns).map(empty).collect();
    let after_row_2 = usize::from(rows - 2);
    let visit = |first: u16, Run { second, lower }: Run<'_>| {
        // If row 2 is shorter than row 1, all later rows are as long: the last of these positions.
        let before = if second < first { lower.len().saturating_sub(after_row_2) } else { 0 };
        for lower in lower[before..].chunks_exact(after_row_2) {
            let mut cut = (2..).zip(once(&second).chain(lower)).skip_while(|(_, x)| **x == first);
            if let Some((row, &length)) = cut.next()
                && cut.all(|(_, x)| *x == length)
            {
                found[usize::from(first) - 1].bites.push(Square { row, column: length + 1 });
            }
        }
    };
    PositionsRun::new(rows, columns).count(watch, visit)?;
    Ok(found.split_off(usize::from(rows) - 1))
}
