//! The hypotheses of the fast engine, in the order in which proofs/sweep.md introduces them: those
//! of the window theorem, and the hypotheses of the steps before and after it. The engine checks
//! each of them.

use std::fmt;

/// A hypothesis of proofs/sweep.md, which displays as `V1` to `V11`.
///
/// If V6, V7 or V8 fails in a tile, or V5 when a group moves to the next band, the exact path
/// computes the tile, and only time is lost. Any other failure ends the run with
/// [`SweepError::Hypothesis`](crate::error::SweepError::Hypothesis).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Hypothesis {
    /// V1.
    SkippedColumns,
    /// V2.
    OldRows,
    /// V3.
    LeastValues,
    /// V4.
    WordsAtHand,
    /// V5.
    NothingBelow,
    /// V6.
    Gap,
    /// V7.
    Guard,
    /// V8.
    EveryCell,
    /// V9.
    Diagonals,
    /// V10.
    WindowsFit,
    /// V11.
    Corner,
}

/// The hypotheses in words, in their order.
const STATEMENTS: [&str; 11] = [
    "no column that is skipped is in a pair that proves a row periodic",
    "where a column begins, the rows below have settled",
    "the values of a periodic row r are at least `least_value(r)`, and no look-up among the old rows \
     needs a row that is missing",
    "every stored word that is needed is at hand",
    "nothing free in a column is below its low window",
    "nothing row-free is between the windows",
    "the guard of the high window is unused",
    "every cell of a tile takes a number",
    "a diagonal value d_r is at least `least_diagonal(r)`, and no window needs one that is missing",
    "in a band's tiles the windows do not overlap, and the low ones are above the diagonal",
    "nothing is free below the words of the corner, and everything above them",
];

impl Hypothesis {
    /// The hypothesis in words.
    pub fn statement(self) -> &'static str {
        STATEMENTS[self as usize]
    }

    /// Advice in case it fails.
    pub fn remedy(self) -> &'static str {
        match self {
            Self::WindowsFit => "the default windows fit",
            _ => "the pointer engine needs no hypothesis",
        }
    }
}

impl fmt::Display for Hypothesis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "V{}", *self as u8 + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{fs, path::Path};

    const ALL: [Hypothesis; 11] = [
        Hypothesis::SkippedColumns,
        Hypothesis::OldRows,
        Hypothesis::LeastValues,
        Hypothesis::WordsAtHand,
        Hypothesis::NothingBelow,
        Hypothesis::Gap,
        Hypothesis::Guard,
        Hypothesis::EveryCell,
        Hypothesis::Diagonals,
        Hypothesis::WindowsFit,
        Hypothesis::Corner,
    ];

    /// The functions that check it.
    fn checked_in(hypothesis: Hypothesis) -> &'static str {
        match hypothesis {
            Hypothesis::SkippedColumns => "`Trace::skip`, `Trace::recurs`",
            Hypothesis::OldRows => "`Block::activate`, `seed_columns`",
            Hypothesis::LeastValues => {
                "`Knowledge::add`, `Input::group`, `GroupInBlock::wide`, `GroupInBlock::is_free`"
            }
            Hypothesis::WordsAtHand => "`GroupInBlock::wide`, `GroupInBlock::is_free`",
            Hypothesis::NothingBelow => {
                "`OctetColumns::raise`, `GroupInBlock::advance`, `GroupInBlock::activate`"
            }
            Hypothesis::Gap => "`ExactRow::gather`, `tile::decide_lanes`",
            Hypothesis::Guard => "`tile::decide_lanes`",
            Hypothesis::EveryCell => "`OctetColumns::raise`, `tile::decide_lanes`",
            Hypothesis::Diagonals => "`Block::enter_diagonal`, `Block::start_band`",
            Hypothesis::WindowsFit => "`Block::start_band`",
            Hypothesis::Corner => {
                "`Corner::raise`, `Corner::row_free`, `GroupInBlock::wide`, `Block::start_band`, \
                 `Block::start_row`, `seed_columns`"
            }
        }
    }

    fn proof() -> String {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../proofs/sweep.md");
        fs::read_to_string(file).unwrap()
    }

    /// The proof introduces them in this order, with these numbers, in bold type, and after them
    /// those of the crate `cluster`.
    #[test]
    fn the_proof_introduces_them_in_order() {
        let proof = proof();
        let introduced: Vec<&str> = proof
            .split("**V")
            .skip(1)
            .map(|rest| rest.split_once("**").expect("bold type ends").0)
            .collect();
        assert_eq!(introduced[..ALL.len()], ALL.map(|h| h.to_string()[1..].to_owned()));
    }

    /// The list at the end of the proof agrees with this module.
    #[test]
    fn the_proof_lists_them() {
        let proof = proof();
        let listed: Vec<&str> = proof.lines().filter(|line| line.starts_with("| V")).collect();
        let said = ALL.map(|h| format!("| {h} | {} | {} |", h.statement(), checked_in(h)));
        assert_eq!(listed[..ALL.len()], said);
    }

    /// The functions named exist.
    #[test]
    fn checks_exist_where_stated() {
        let mut sources = String::new();
        let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
        while let Some(folder) = folders.pop() {
            for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
                if path.is_dir() {
                    folders.push(path);
                } else {
                    sources += &fs::read_to_string(path).unwrap();
                }
            }
        }
        for name in ALL.iter().flat_map(|&h| checked_in(h).split(", ")) {
            let name = name.trim_matches('`').rsplit("::").next().unwrap();
            let function = [format!("fn {name}("), format!("fn {name}<")];
            assert!(function.iter().any(|function| sources.contains(function)), "{name}");
        }
    }
}
