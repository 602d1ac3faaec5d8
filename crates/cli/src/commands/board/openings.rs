//! The openings of all small rectangles: `chomp board --openings`, and the table of
//! `chomp plot openings`.

use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use boards::Solved;
use boards::boundary::{Solution, Summary};
use boards::by_rules::{Games, play};
use boards::openings::{Measure, Openings};
use game::Square;
use record::joined;
use serde_json::{Value, json};
use terminal::Watcher;

use crate::failure::{self, Failure};
use crate::json;

/// The seed of the games of `--verify`: the same games each time.
const SEED: u64 = 1;

/// The games by which parts of an earlier run are tested at least.
const GAMES_OF_PARTS: u64 = 100;

/// All rectangles with sides up to some length.
pub struct Table {
    side: u16,
    openings: Vec<Openings>,
    summary: Summary,
    /// The parts that an earlier run found.
    believed: usize,
}

impl Table {
    /// Solves the largest of them; the time goes to stderr. Parts are kept in the folder, if there
    /// is one.
    pub fn of(
        side: u16,
        threads: Option<NonZero<usize>>,
        folder: Option<&Path>,
        games: u64,
    ) -> Result<Self, Failure> {
        let (watcher, began) = (Watcher::new()?, Instant::now());
        let (solution, believed) = match folder {
            None => (driver::solve_in_parts(side, side, threads, &watcher)?, 0),
            Some(folder) => driver::solve_and_keep_parts(side, side, threads, folder, &watcher)?,
        };
        let summary = solution.summary();
        let milliseconds = began.elapsed().as_millis();
        let (positions, p) = (solution.positions(), solution.p_count());
        let checksum = summary.checksum;
        tracing::info!(
            "{positions} positions of {side}x{side} solved in {milliseconds} ms; {p} are P, with \
             checksum {checksum:016x}"
        );
        let least = if believed > 0 { GAMES_OF_PARTS } else { 0 };
        let verified = require_symmetry(side, &summary)
            .and_then(|()| verify(&solution, side, games.max(least), &watcher));
        match folder.filter(|_| believed > 0) {
            Some(folder) => {
                let folder = failure::shown(folder);
                let words = format!("{believed} parts in {folder} are believed, not proved");
                verified.map_err(|error| match error {
                    Failure::Interrupted(_) => error,
                    _ => Failure::File(format!("{words}, and wrong: {error}; remove the folder")),
                })?;
                tracing::info!(
                    "{words}; tested: the P-positions are symmetric, and the games that were played"
                );
            }
            None => verified?,
        }
        Ok(Self { side, openings: Openings::up_to(&solution, side), summary, believed })
    }

    /// Rows, columns and the number of openings of each rectangle.
    pub fn numbers(&self) -> impl Iterator<Item = (u16, u16, usize)> {
        self.openings.iter().map(|found| (found.rows, found.columns, found.bites.len()))
    }

    fn p_count(&self, rows: u16, columns: u16) -> u64 {
        self.summary.p_counts[usize::from(rows) - 1][usize::from(columns) - 1]
    }

    /// An object for each rectangle.
    pub fn json(&self) -> String {
        let object = |Openings { rows, columns, bites }: &Openings| -> Value {
            let p = self.p_count(*rows, *columns);
            let bites: Vec<Value> = bites.iter().copied().map(json::square).collect();
            json::value(
                json!({"rows": rows, "columns": columns, "openings": bites, "p_positions": p,
                    "parts_believed": self.believed}),
            )
        };
        self.openings.iter().map(|found| json::line(&object(found))).collect()
    }

    /// Tab-separated, with a header line.
    pub fn lines(&self) -> String {
        let line = |Openings { rows, columns, bites }: &Openings| {
            let p = self.p_count(*rows, *columns);
            format!("{rows}\t{columns}\t{}\t{}\t{p}\n", bites.len(), written(bites, " "))
        };
        let lines = joined(self.openings.iter().map(line), "");
        format!("rows\tcolumns\tnumber\topenings\tp_positions\n{lines}")
    }

    /// The table for a person, and the smallest boards with several openings.
    pub fn document(&self) -> Result<String, Failure> {
        let mut several: Vec<&Openings> =
            self.halved().filter(|found| found.bites.len() > 1).collect();
        several.sort_by_key(|found| (found.rows * found.columns, found.rows));
        let lines = joined(several.iter().map(|found| line_of_several(found)), "");
        Ok(format!(
            "# Winning openings of a × b, a, b ≤ {}\n\n\
             Every bite of the full board that leaves a P-position, as *row,column* of the bitten square,\n\
             counted from 1 at the poison. There are a rows and b columns; for a > b exchange rows and\n\
             columns. Bold: more than one.\n\n\
             {}\n\n\
             ## More than one winning opening\n\n\
             | openings | boards a × b, a ≤ b |\n|---|---|\n\
             {}\n\
             No board to {} × {} has more than {}.\n\n\
             | board | squares | perimeter | openings |\n|---|---|---|---|\n\
             {}{}\n\
             ## P-positions\n\n\
             Positions and P-positions of n × n. The checksum of all P-positions of {} × {} is\n\
             {:016x}: the sum, modulo 2^64, of the outputs of `SplitMix64` whose states are their\n\
             boundary words (`boards::boundary::mix`).\n\n\
             | n | positions | P-positions | one in |\n|---|---|---|---|\n\
             {}",
            self.side,
            self.grid(),
            self.numbers_of_boards(),
            self.side,
            self.side,
            self.most(),
            lines,
            self.smallest(&several)?,
            self.side,
            self.side,
            self.summary.checksum,
            self.p_positions()
        ))
    }

    /// With no more rows than columns.
    fn halved(&self) -> impl Iterator<Item = &Openings> {
        self.openings.iter().filter(|found| found.rows <= found.columns)
    }

    fn most(&self) -> usize {
        self.numbers().map(|(_, _, number)| number).max().unwrap_or(0)
    }

    /// The number of boards with each number of openings.
    fn numbers_of_boards(&self) -> String {
        let count = |number| self.halved().filter(|found| found.bites.len() == number).count();
        joined((0..=self.most()).map(|number| format!("| {number} | {} |\n", count(number))), "")
    }

    /// The openings of each board, a line for each number of rows.
    fn grid(&self) -> String {
        let columns: Vec<String> = (1..=self.side).map(|columns| format!(" {columns} |")).collect();
        let rule = "---|".repeat(self.side.into());
        let header = format!("| a \\ b |{}\n|---|{rule}", columns.concat());
        let cell = |Openings { rows, columns, bites }: &Openings| match bites.len() {
            _ if rows > columns => " |".to_owned(),
            0 => " none |".to_owned(),
            1 => format!(" {} |", written(bites, "")),
            _ => format!(" **{}** |", written(bites, " and ")),
        };
        let by_rows = self.openings.chunk_by(|one, other| one.rows == other.rows);
        let of_rows = by_rows.map(|of_row| {
            format!("| **{}** |{}", of_row[0].rows, joined(of_row.iter().map(cell), ""))
        });
        joined(std::iter::once(header).chain(of_rows), "\n")
    }

    /// The smallest boards with two openings, with three, and so on.
    fn smallest(&self, several: &[&Openings]) -> Result<String, Failure> {
        let mut text = String::new();
        for number in 2..=self.most() {
            let several = several.iter().filter(|found| found.bites.len() >= number);
            for (measure, what) in
                [(Measure::Squares, "squares"), (Measure::Perimeter, "perimeter")]
            {
                let sizes = several.clone().map(|found| measure.of(found.rows, found.columns));
                if let Some(most) = sizes.min() {
                    text += &smallest(number, measure, what, most)?;
                }
            }
        }
        Ok(text)
    }

    fn p_positions(&self) -> String {
        let line = |n: u16| {
            let p = self.p_count(n, n);
            let positions = boards::rectangles::positions(n, n);
            format!("| {n} | {positions} | {p} | {} |\n", positions / p)
        };
        joined((1..=self.side).map(line), "")
    }
}

/// The mirror image of a P-position is P. The solver does not know that.
fn require_symmetry(side: u16, summary: &Summary) -> Result<(), Failure> {
    if summary.checksum == summary.mirrored_checksum {
        return Ok(());
    }
    let what = format!("the P-positions of {side}x{side} are not symmetric");
    Err(driver::Error::defect(what).into())
}

/// Plays games against the rules.
fn verify(solution: &Solution, side: u16, games: u64, watcher: &Watcher) -> Result<(), Failure> {
    use driver::Watch;

    if games == 0 {
        return Ok(());
    }
    let on_game =
        || if watcher.stop() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    let chosen = Games { rows: side, columns: side, number: games, seed: SEED };
    let played =
        play(solution, chosen, on_game).map_err(|found| Failure::Refuted(found.to_string()))?;
    if played.games < games {
        return Err(Failure::Interrupted(format!(" after {} games", played.games)));
    }
    let (positions, p) = (played.positions, played.p);
    tracing::info!("verified by the rules: {positions} positions of {games} games, {p} of them P");
    Ok(())
}

/// `4,9` for row 4, column 9.
fn written(bites: &[Square], between: &str) -> String {
    joined(bites.iter().map(|Square { row, column }| format!("{row},{column}")), between)
}

fn line_of_several(Openings { rows, columns, bites }: &Openings) -> String {
    let (squares, perimeter) = (rows * columns, 2 * (rows + columns));
    format!("| {rows} × {columns} | {squares} | {perimeter} | {} |\n", written(bites, " and "))
}

/// The smallest boards with this number of openings, searched without a limit on their sides; one
/// of this measure has them.
fn smallest(number: usize, measure: Measure, what: &str, most: u32) -> Result<String, Failure> {
    let most = u16::try_from(most).expect("the measure of a small board");
    let smallest = measure.smallest_with(number, most).map_err(driver::Error::from)?;
    let names = smallest.iter().map(|found| format!("{} × {}", found.rows, found.columns));
    let names = joined(names, ", ");
    Ok(format!(
        "\nSmallest with {number} by {what}: {names}, {most}. Every a × b that is smaller was solved, \
         however\nlong.\n"
    ))
}
