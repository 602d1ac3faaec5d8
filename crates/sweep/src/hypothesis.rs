//! What the fast engine takes for granted only after it has looked: the hypotheses of the window
//! theorem and of what surrounds it, in the order in which proofs/sweep.md introduces them.

use std::fmt;

/// A hypothesis of proofs/sweep.md, which displays as `V1` to `V12`.
///
/// If one of V6, V7 and V8 fails in a tile, or V5 as a group moves to the next band, the tile is
/// done by the exact path, and only time is lost. Any other failure ends the run: with
/// [`SweepError::Hypothesis`](crate::error::SweepError::Hypothesis), or that of V12 with an error
/// of the crate `cluster`.
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
    /// V12, where processes share a run.
    Messages,
}

impl Hypothesis {
    /// All, in the order of their numbers.
    pub const ALL: [Self; 12] = [
        Self::SkippedColumns,
        Self::OldRows,
        Self::LeastValues,
        Self::WordsAtHand,
        Self::NothingBelow,
        Self::Gap,
        Self::Guard,
        Self::EveryCell,
        Self::Diagonals,
        Self::WindowsFit,
        Self::Corner,
        Self::Messages,
    ];

    /// What must hold.
    #[must_use]
    pub fn statement(self) -> &'static str {
        match self {
            Self::SkippedColumns => {
                "no column that is skipped is in a pair that proves a row periodic"
            }
            Self::OldRows => {
                "where a column begins, the rows below are settled, with no value above its high \
                 window"
            }
            Self::LeastValues => {
                "the values of a periodic row r are at least `least_value(r)`, and no look at the \
                 old rows needs a missing one"
            }
            Self::WordsAtHand => "no stored word is asked for that is not at hand",
            Self::NothingBelow => "nothing free in a column is below its low window",
            Self::Gap => "nothing row-free is between the windows, or in the guard of the low one",
            Self::Guard => "the guard of the high window is unused",
            Self::EveryCell => "every cell of a tile takes a number",
            Self::Diagonals => {
                "a diagonal value d_r is at least `least_diagonal(r)`, and no window looks for a \
                 missing one"
            }
            Self::WindowsFit => {
                "in a band's tiles the windows do not overlap, and the low ones are above the \
                 diagonal"
            }
            Self::Corner => {
                "nothing is free below the words of the corner, and everything above them"
            }
            Self::Messages => {
                "messages from one process to another come whole, each once, in the order in which \
                 they were sent"
            }
        }
    }

    /// Where it is checked.
    #[must_use]
    pub fn checked_in(self) -> &'static str {
        match self {
            Self::SkippedColumns => "`Tail::skip`, `Tail::recurs`",
            Self::OldRows => "`Block::activate`, `Held::activate`, `seed_columns`",
            Self::LeastValues => "`Knowledge::add`, `Input::group`, `Held::wide`, `Held::is_free`",
            Self::WordsAtHand => "`Held::wide`, `Held::is_free`",
            Self::NothingBelow => "`Passing::raise`, `Held::advance`, `Held::activate`",
            Self::Gap | Self::Guard => "`tile::decide_lanes`",
            Self::EveryCell => "`Passing::raise`, `tile::decide_lanes`",
            Self::Diagonals => "`Block::enter_diagonal`, `Block::start_band`",
            Self::WindowsFit => "`Block::start_band`",
            Self::Corner => {
                "`Corner::raise`, `Corner::row_free`, `Held::wide`, `Block::start_band`, \
                 `Block::start_row`, `seed_columns`"
            }
            Self::Messages => "`Watched::hear`",
        }
    }

    /// What can be done if it fails.
    #[must_use]
    pub fn remedy(self) -> &'static str {
        match self {
            Self::WindowsFit => "the default windows fit",
            Self::Messages => "one process needs no messages",
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

    fn proof() -> String {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../proofs/sweep.md");
        fs::read_to_string(file).unwrap()
    }

    /// The numbers are those of the proof, which introduces them in this order, in bold type.
    #[test]
    fn the_proof_introduces_them_in_order() {
        let proof = proof();
        let introduced: Vec<&str> = proof
            .split("**V")
            .skip(1)
            .map(|rest| rest.split_once("**").expect("bold type ends").0)
            .collect();
        assert_eq!(introduced, Hypothesis::ALL.map(|h| h.to_string()[1..].to_owned()));
    }

    /// The list at the end of the proof says what this module says.
    #[test]
    fn the_proof_lists_them() {
        let proof = proof();
        let listed: Vec<&str> = proof.lines().filter(|line| line.starts_with("| V")).collect();
        let said =
            Hypothesis::ALL.map(|h| format!("| {h} | {} | {} |", h.statement(), h.checked_in()));
        assert_eq!(listed, said);
    }

    /// What is said to check is there: here, or in what takes messages between processes.
    #[test]
    fn checks_are_where_they_are_said_to_be() {
        let mut sources = String::new();
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut folders = vec![crates.join("sweep/src"), crates.join("cluster/src/transport")];
        while let Some(folder) = folders.pop() {
            for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
                if path.is_dir() {
                    folders.push(path);
                } else {
                    sources += &fs::read_to_string(path).unwrap();
                }
            }
        }
        for name in Hypothesis::ALL.iter().flat_map(|h| h.checked_in().split(", ")) {
            let name = name.trim_matches('`').rsplit("::").next().unwrap();
            let function = [format!("fn {name}("), format!("fn {name}<")];
            assert!(function.iter().any(|function| sources.contains(function)), "{name}");
        }
    }
}
