//! The openings of all small rectangles: `chomp query --openings`.

use driver::Error;
use std::num::NonZero;
use std::path::Path;
use std::time::Instant;

use boards::Solved;
use boards::boundary::{Solution, Summary};
use boards::by_rules::{Games, play};
use boards::openings::Openings;
use game::Square;
use record::joined;
use serde::Serialize;
use terminal::Watcher;

use crate::failure;
use ask::json;

/// The seed of the games of `--verify`: the same games each time.
const SEED: u64 = 1;

/// The games by which parts of an earlier run are tested at least.
const GAMES_OF_PARTS: u64 = 100;

/// All rectangles with sides up to some length.
pub struct Table {
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
    ) -> Result<Self, Error> {
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
        Ok(Self { openings: Openings::up_to(&solution, side), summary, believed })
    }

    fn p_count(&self, rows: u16, columns: u16) -> u64 {
        self.summary.p_counts[usize::from(rows) - 1][usize::from(columns) - 1]
    }

    /// An object for each rectangle.
    pub fn json(&self) -> String {
        let object = |&Openings { rows, columns, ref bites }: &Openings| OpeningsOf {
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
            let p = self.p_count(*rows, *columns);
            format!("{rows}\t{columns}\t{}\t{}\t{p}\n", bites.len(), written(bites, " "))
        };
        let lines = joined(self.openings.iter().map(line), "");
        format!("rows\tcolumns\tnumber\topenings\tp_positions\n{lines}")
    }
}

/// The openings of a rectangle.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct OpeningsOf {
    columns: u16,
    /// The bites that win.
    openings: Vec<driver::Square>,
    p_positions: u64,
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
fn verify(solution: &Solution, side: u16, games: u64, watcher: &Watcher) -> Result<(), Error> {
    use driver::Watch;

    if games == 0 {
        return Ok(());
    }
    let chosen = Games { rows: side, columns: side, number: games, seed: SEED };
    let played = play(solution, chosen, || watcher.go_on()).map_err(Error::refuted)?;
    if played.games < games {
        return Err(Error::interrupted(format!(" after {} games", played.games)));
    }
    let (positions, p) = (played.positions, played.p);
    tracing::info!("verified by the rules: {positions} positions of {games} games, {p} of them P");
    Ok(())
}

/// `4,9` for row 4, column 9.
fn written(bites: &[Square], between: &str) -> String {
    joined(bites.iter().map(|Square { row, column }| format!("{row},{column}")), between)
}
