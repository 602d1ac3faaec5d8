//! `experiments lengths`: how the length of a game goes on along each periodic row
//! (`proofs/boards.md`, 8).

use std::error::Error;
use std::fmt::Write;
use std::num::NonZero;
use std::ops::ControlFlow;

use boards::lengths::{Lengths, of_three_rows};
use clap::Args;
use driver::{Engine, HeadForm, Source, Watch};
use game::Board;
use game::number::within;
use num_integer::Integer;
use record::{Record, joined};

/// Print how the length of a game goes on along each periodic row to R: tab-separated, with a
/// header line.
///
/// L is the length of the P-position (p,q,r) in column q of row r. From the column `from` on,
/// L - 2q repeats with the least period `repeats`, and `lengths` has one period of it; `excess` has
/// L - (2p - 1), which is never negative, in the same columns. This is proved for all columns
/// (`proofs/boards.md`, 8 (e)): L - 2q is the same `shift` columns later in columns `window` to
/// `window` + r + 1.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub struct Arguments {
    /// The last row.
    #[arg(value_name = "R", value_parser = within::<u16>(0..=3500))]
    last: Option<u16>,
    /// Print instead how many turns a game from a x b takes, for all a <= b <= N.
    #[arg(long, value_name = "N")]
    rectangles: Option<u16>,
}

/// What the rows so far have in common.
struct Below {
    /// They have settled from this column on, which is past all of them.
    settled: u64,
    /// The periods of these rows and of their lengths divide it.
    period: usize,
}

impl Arguments {
    /// The table.
    pub fn text(&self, watch: &dyn Watch) -> Result<String, Box<dyn Error>> {
        match self.last {
            Some(last) => along_rows(last, watch),
            None => of_rectangles(self.rectangles.unwrap_or_default(), watch),
        }
    }
}

/// The table of rectangles.
fn of_rectangles(side: u16, watch: &dyn Watch) -> Result<String, Box<dyn Error>> {
    let lengths = Lengths::of(side, side, &|_| watch.go_on())?;
    let mut text = "rows\tcolumns\tturns\n".to_owned();
    for rows in 1..=side {
        for columns in rows..=side {
            let turns = lengths.of_board(&Board::rectangle(rows, columns)?).unwrap_or_default();
            writeln!(text, "{rows}\t{columns}\t{turns}")?;
        }
    }
    Ok(text)
}

/// The table of rows.
fn along_rows(last: u16, watch: &dyn Watch) -> Result<String, Box<dyn Error>> {
    let mut records = Vec::new();
    let source: &dyn Source = &Engine::default();
    source.rows(last.into(), HeadForm::Fingerprint, watch, &mut |proved| {
        records.push(proved.record.clone());
        ControlFlow::Continue(())
    })?;
    let lengths = lengths(last, &records, watch)?;
    let mut below = Below { settled: 0, period: 1 };
    let mut text = "row\tstart\tperiod\tfrom\trepeats\tlengths\texcess\twindow\tshift\n".to_owned();
    for (record, lengths) in records.iter().zip(&lengths) {
        below.settled = below.settled.max(record.settled()).max(record.row() + 1);
        if let Some(row) = record.periodic() {
            below.period = below.period.lcm(&row.values.len());
            let line = line(record, lengths, &below)?;
            let (start, period) = (row.start, row.values.len());
            writeln!(text, "{}\t{start}\t{period}\t{line}", record.row())?;
        }
    }
    Ok(text)
}

/// The p and the length L of the P-position in a column of a row, if it is known.
type Cell = Option<(u16, u16)>;

/// The first column of the window of row r.
fn window(row: u64, settled: u64) -> u64 {
    settled + 2 * row + 3
}

/// The cells of each row by column, as far as the windows go.
fn lengths(
    last: u16,
    records: &[Record],
    watch: &dyn Watch,
) -> Result<Vec<Vec<Cell>>, Box<dyn Error>> {
    let settled = records.iter().map(Record::settled).max().unwrap_or(0);
    let shift =
        records.iter().filter_map(Record::periodic).fold(1, |m, row| m.lcm(&row.values.len()));
    let row = u64::from(last);
    let columns = window(row, settled) + row + 2 + 2 * shift as u64;
    // An offset is at most r + 1.
    let to = u16::try_from(columns + row + 1)?;
    let mut found = vec![vec![None; usize::try_from(columns)?]; usize::from(last) + 1];
    of_three_rows(
        to,
        last,
        NonZero::<usize>::MIN,
        &|_| watch.go_on(),
        &mut |[p, q, r], length| {
            if let Some(row) = found.get_mut(usize::from(r))
                && let Some(cell) = row.get_mut(usize::from(q))
            {
                *cell = Some((p, length));
            }
            watch.go_on()
        },
    )?;
    if watch.stop() {
        return Err(driver::Error::Interrupted.into());
    }
    Ok(found)
}

/// How the lengths of a periodic row repeat, after those of the rows below.
fn line(record: &Record, cells: &[Cell], below: &Below) -> Result<String, Box<dyn Error>> {
    let (row, shift) = (record.row(), below.period);
    let of_column = |q: usize| {
        let (p, length) = cells.get(q).copied().flatten()?;
        Some((i64::from(length) - 2 * i64::try_from(q).ok()?, length + 1 - 2 * p))
    };
    let first = usize::try_from(window(row, below.settled))?;
    let agrees = |q: usize, by: usize| of_column(q).is_some() && of_column(q) == of_column(q + by);
    if let Some(q) = (first..=first + usize::try_from(row)? + 1).find(|&q| !agrees(q, shift)) {
        return Err(
            format!("row {row}: the lengths of columns {q} and {} differ", q + shift).into()
        );
    }
    let is_period = |by: &usize| shift % by == 0 && (first..first + shift).all(|q| agrees(q, *by));
    let repeats = (1..=shift).find(is_period).expect("the shift");
    let from = (0..first).rev().find(|&q| !agrees(q, repeats)).map_or(0, |q| q + 1);
    let period: Vec<_> = (from..from + repeats).filter_map(of_column).collect();
    let lengths = joined(period.iter().map(|values| values.0.to_string()), ",");
    let above = joined(period.iter().map(|values| values.1.to_string()), ",");
    Ok(format!("{from}\t{repeats}\t{lengths}\t{above}\t{first}\t{shift}"))
}
