//! Records as a list of Coq, for the checker of `proofs/coq/Checker.v`.

use record::{Certificate, Record, Statement, joined, wrapped};

/// The longest line of the file.
const COLUMNS: usize = 100;

/// Its beginning.
pub(super) const BEGINNING: &str = "\
(** The records of a data set, written by [chomp export --format coq]. [Checker.check] says whether
they are true. *)

From Chomp Require Import Checker.
From Coq Require Import BinNums NArith List.
Import ListNotations.

Local Open Scope N_scope.

Definition records : list record := [";

/// The lines of a record. One column is left for the sign after a line.
pub(super) fn lines(record: &Record) -> Vec<String> {
    wrapped(&term(record), |line| line.len() < COLUMNS)
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
