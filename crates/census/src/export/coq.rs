//! Records as a list of Coq, for the checker of `proofs/coq/Checker.v`.

use std::io::{self, Write};

use record::{Certificate, Record, Statement, joined, wrapped};

/// The longest line of the file.
const COLUMNS: usize = 100;

const BEGINNING: &str = "\
(** The records of a data set, written by [chomp export --format coq]. [Checker.check] says whether
they are true. *)

From Chomp Require Import Checker.
From Coq Require Import BinNums NArith List.
Import ListNotations.

Local Open Scope N_scope.

Definition records : list record := [";

pub(super) struct Writer<W: Write> {
    out: W,
    /// Whether a record comes before the next one.
    separate: bool,
}

impl<W: Write> Writer<W> {
    pub(super) fn new(mut out: W) -> io::Result<Self> {
        write!(out, "{BEGINNING}")?;
        Ok(Self { out, separate: false })
    }

    pub(super) fn add(&mut self, record: &Record) -> io::Result<()> {
        if self.separate {
            write!(self.out, ";")?;
        }
        self.separate = true;
        // One column is left for the sign after a line.
        for line in wrapped(&term(record), |line| line.len() < COLUMNS) {
            write!(self.out, "\n{line}")?;
        }
        Ok(())
    }

    pub(super) fn finish(mut self) -> io::Result<W> {
        writeln!(self.out, "\n].")?;
        Ok(self.out)
    }
}

fn term(record: &Record) -> String {
    let head = list(record.head_offsets().unwrap_or_default());
    let (row, first) = (record.row(), record.diagonal());
    match record.statement() {
        Statement::Empty { .. } => unreachable!("it has a diagonal value"),
        Statement::Finite(finite) => format!("FiniteRow {row} {first} {} {head}", finite.last),
        Statement::Periodic(periodic) => {
            let Certificate { from, recurs, modulus, filled, above } = &periodic.certificate;
            let (start, values, above) = (periodic.start, list(&periodic.values), list(above));
            format!(
                "PeriodicRow {row} {first} {start} {values} \
                 (Certificate {from} {recurs} {modulus} {filled} {above}) {head}"
            )
        }
    }
}

fn list(numbers: &[u64]) -> String {
    format!("[{}]", joined(numbers, "; "))
}
