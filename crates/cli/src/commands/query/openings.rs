//! The openings of all small rectangles, or of those with the same number of rows: `chomp query
//! --openings`.

use std::iter::once;
use std::num::NonZero;
use std::ops::RangeInclusive;
use std::path::Path;
use std::time::Instant;

use boards::boundary::Summary;
use boards::by_rules::{Games, play};
use boards::openings::Openings;
use boards::sieve::Run;
use boards::{Outcomes, Solved};
use driver::{Error, PositionsRun, Watch};
use game::Square;
use record::joined;
use serde::Serialize;
use terminal::Watcher;

use crate::output;
use ask::json;

/// The seed of the games of `--verify`: the same games each time.
const SEED: u64 = 1;

/// The games by which parts of an earlier run are tested at least.
const GAMES_OF_PARTS: u64 = 100;

/// The numbers of rows for which a sieve finds the openings of long rectangles.
const SIEVED: RangeInclusive<u16> = 3..=6;
/// The columns of the longest of these rectangles whose P-positions are kept in a table.
const LONGEST_TABLE: u16 = 150;

/// The openings of rectangles.
pub struct Table {
    openings: Vec<Openings>,
    /// The P-positions, of all rectangles with sides up to some length.
    summary: Option<Summary>,
    /// The parts that an earlier run found.
    believed: usize,
}

impl Table {
    /// Of all rectangles with sides up to some length. Solves the largest; the time goes to stderr.
    /// Parts are kept in the folder, if there is one.
    pub fn of(
        side: u16,
        threads: Option<NonZero<usize>>,
        folder: Option<&Path>,
        games: u64,
    ) -> Result<Self, Error> {
        let (watcher, began) = (Watcher::new()?, Instant::now());
        let (solution, believed) = driver::solve_in_parts(side, side, threads, folder, &watcher)?;
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
            .and_then(|()| verify(&solution, [side, side], games.max(least), &watcher));
        match folder.filter(|_| believed > 0) {
            Some(folder) => {
                let folder = output::shown(folder);
                let words = format!("{believed} parts in {folder} are believed, not proved");
                verified.map_err(|error| match error.kind() {
                    driver::ErrorKind::Incomplete => error,
                    _ => Error::file(format!("{words}, and wrong: {error}; remove the folder")),
                })?;
                tracing::info!(
                    "{words}; tested: the P-positions are symmetric, and the games that were played"
                );
            }
            None => verified?,
        }
        Ok(Self { openings: Openings::up_to(&solution, side), summary: Some(summary), believed })
    }

    /// Of `rows` × `rows`, ..., `rows` × `columns`, by the P-positions of the last one.
    pub fn along(
        rows: u16,
        columns: u16,
        threads: Option<NonZero<usize>>,
        games: u64,
    ) -> Result<Self, Error> {
        let watcher = Watcher::new()?;
        let openings = if games == 0 && SIEVED.contains(&rows) && columns > LONGEST_TABLE {
            by_sieve(rows, columns, threads, &watcher)?
        } else {
            let solution = driver::solve_board(rows, columns, threads, &watcher)?;
            verify(&*solution, [rows, columns], games, &watcher)?;
            (rows..=columns).filter_map(|b| Openings::of(&*solution, rows, b)).collect()
        };
        Ok(Self { openings, summary: None, believed: 0 })
    }

    fn p_count(&self, rows: u16, columns: u16) -> Option<u64> {
        let summary = self.summary.as_ref()?;
        Some(summary.p_counts[usize::from(rows) - 1][usize::from(columns) - 1])
    }

    /// An object for each rectangle.
    pub fn json(&self) -> String {
        let object = |&Openings { rows, columns, ref bites }: &Openings| OpeningsOf {
            checksum: self.summary.as_ref().map(|summary| format!("{:016x}", summary.checksum)),
            columns,
            openings: bites.iter().map(|&bite| bite.into()).collect(),
            p_positions: self.p_count(rows, columns),
            parts_believed: self.believed,
            rows,
        };
        self.openings.iter().map(|found| json::line(&object(found))).collect()
    }

    /// Tab-separated, with a header line.
    pub fn lines(&self) -> String {
        let line = |Openings { rows, columns, bites }: &Openings| {
            let p = self.p_count(*rows, *columns).map_or(String::new(), |p| format!("\t{p}"));
            let written = bites.iter().map(|Square { row, column }| format!("{row},{column}"));
            format!("{rows}\t{columns}\t{}\t{}{p}\n", bites.len(), joined(written, " "))
        };
        let lines = joined(self.openings.iter().map(line), "");
        let p = if self.summary.is_some() { "\tp_positions" } else { "" };
        format!("rows\tcolumns\tnumber\topenings{p}\n{lines}")
    }
}

/// The openings of a rectangle.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct OpeningsOf {
    /// The checksum of all P-positions of the largest rectangle; null for `AxB`.
    checksum: Option<String>,
    columns: u16,
    /// The bites that win.
    openings: Vec<driver::Square>,
    /// The number of P-positions; null for `AxB`.
    p_positions: Option<u64>,
    /// How many parts of the work an earlier run had done, which are trusted.
    parts_believed: usize,
    rows: u16,
}

/// The mirror image of a P-position is P. The solver does not know that.
fn require_symmetry(side: u16, summary: &Summary) -> Result<(), Error> {
    if summary.checksum == summary.mirrored_checksum {
        return Ok(());
    }
    let what = format!("the P-positions of {side}x{side} are not symmetric");
    Err(Error::defect(what))
}

/// Plays games against the rules.
fn verify(
    solution: &(impl Outcomes + ?Sized),
    [rows, columns]: [u16; 2],
    games: u64,
    watcher: &Watcher,
) -> Result<(), Error> {
    if games == 0 {
        return Ok(());
    }
    let chosen = Games { rows, columns, number: games, seed: SEED };
    let played = play(solution, chosen, || watcher.go_on()).map_err(Error::refuted)?;
    if played.games < games {
        return Err(Error::interrupted(format!(" after {} games", played.games)));
    }
    let (positions, p) = (played.positions, played.p);
    tracing::info!("verified by the rules: {positions} positions of {games} games, {p} of them P");
    Ok(())
}

/// The openings of `rows` × `rows`, ..., `rows` × `columns` by the P-positions in the order of
/// their rows: an opening of `rows` × n leaves one whose first rows have n squares, and whose other
/// rows have the same number of squares.
fn by_sieve(
    rows: u16,
    columns: u16,
    threads: Option<NonZero<usize>>,
    watcher: &Watcher,
) -> Result<Vec<Openings>, Error> {
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
    PositionsRun { threads, ..PositionsRun::new(rows, columns) }.count(watcher, visit)?;
    Ok(found.split_off(usize::from(rows) - 1))
}
