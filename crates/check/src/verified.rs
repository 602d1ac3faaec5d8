//! The result of a check: the proved statements, the assumptions, and the parts not checked.

use std::fmt;

use record::Family;
use serde::{Deserialize, Serialize};

/// How deep a check went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Depth {
    /// Every certificate, assuming the heads.
    #[default]
    Tails,
    /// Every head as well: nothing is assumed.
    Heads,
}

/// A statement that a check did not prove, and relies on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Assumption {
    /// Rows that are called empty are empty, by the numbers that their records state.
    EmptyRows,
    /// The heads, and with them `first` and `last`, of all rows.
    Heads,
    /// No row repeats from an earlier column on than its start.
    LeastStarts,
    /// The state U(from) of every certificate.
    States,
    /// The certificates of the rows below the rows that were judged.
    RowsBelow,
    /// The columns before that of the checkpoint from which the heads were resumed.
    Checkpoint,
}

impl Assumption {
    /// As a clause of a sentence.
    pub fn words(self) -> &'static str {
        match self {
            Self::EmptyRows => "empty rows are empty",
            Self::Heads => "heads, first and last of all rows are right",
            Self::LeastStarts => "starts are the least",
            Self::States => "each U(from) is what fact 3 says it is",
            Self::Checkpoint => "the checkpoint is right",
            Self::RowsBelow => "the certificates of the rows below them prove what they say",
        }
    }

    /// Several, in their order, as a sentence; `None` if there are none.
    pub fn all_in_words(all: &[Self]) -> Option<String> {
        let (last, others) = all.split_last()?;
        let others: Vec<&str> = others.iter().map(|assumption| assumption.words()).collect();
        Some(match (last, others.as_slice()) {
            (_, []) => last.words().to_owned(),
            (Self::RowsBelow, [others @ .., states]) => {
                format!("{}, and {states}; {}", others.join(", "), last.words())
            }
            _ => format!("{}, and {}", others.join(", "), last.words()),
        })
    }
}

/// A check that found everything as stated. `Display` explains this.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// How deep it went.
    pub depth: Depth,
    /// The first row judged.
    pub first: u64,
    /// The last row judged.
    pub last: u64,
    /// The last row of the data set.
    pub held: u64,
    /// The last row of the files that were read, whose structure was checked.
    pub read: u64,
    /// The number of periodic rows judged, each with its certificate.
    pub certificates: u64,
    /// The rows asked for, where not all of them were.
    pub asked: Option<(u64, u64)>,
    /// Of a data set of levels or tails, its rows; all of them were judged.
    pub family: Option<Family>,
    /// Of a data set in files, the hash of its last segment, which covers all of them.
    pub data: Option<String>,
    /// The checkpoint from which the heads were resumed, and which is assumed to be right.
    pub resumed: Option<Resumed>,
}

/// A checkpoint of *heads*.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Resumed {
    /// The hash of the checkpoint, in hexadecimal digits.
    pub hash: String,
    /// The first column that was computed anew.
    pub column: u64,
}

impl Verified {
    /// The statement that is proved.
    pub fn proved(&self) -> String {
        let &Self { depth, certificates, .. } = self;
        let rows = match &self.family {
            Some(family) => format!("of {family}"),
            None => format!("from {} to {}", self.first, self.last),
        };
        match depth {
            Depth::Tails => format!(
                "every periodic row {rows} ({certificates} of them) is as stated \
                 from its certificate's from on"
            ),
            Depth::Heads => format!(
                "every row {rows} is as stated, {certificates} of them periodic \
                 with the least start and period"
            ),
        }
    }

    /// The assumptions, in the order of [`Assumption`].
    pub fn assumed(&self) -> Vec<Assumption> {
        if self.depth == Depth::Heads {
            return self.resumed.iter().map(|_| Assumption::Checkpoint).collect();
        }
        let of_family = self.family.is_some().then_some(Assumption::EmptyRows);
        let of_all = [Assumption::Heads, Assumption::LeastStarts, Assumption::States];
        let below = (self.first > 0).then_some(Assumption::RowsBelow);
        of_family.into_iter().chain(of_all).chain(below).collect()
    }

    /// The same in words; `None` if nothing is assumed.
    pub fn assumptions(&self) -> Option<String> {
        if let Some(Resumed { hash, column }) = &self.resumed {
            return Some(format!(
                "the checkpoint with hash {hash}, of columns 0 to {}",
                column.saturating_sub(1)
            ));
        }
        Assumption::all_in_words(&self.assumed())
    }

    /// The parts that were not checked; `None` if everything was.
    pub fn not_checked(&self) -> Option<String> {
        let &Self { depth, first, last, held, .. } = self;
        let mut parts = Vec::new();
        if depth == Depth::Tails {
            parts.push(
                "finite rows, that starts are the least, and what precedes from (heads do)"
                    .to_owned(),
            );
        }
        if first > 0 {
            parts.push(format!("rows 0 to {}", first.saturating_sub(1)));
        }
        if last < held {
            parts.push(format!("rows {} to {held}", last.saturating_add(1)));
        }
        (!parts.is_empty()).then(|| parts.join("; "))
    }
}

impl fmt::Display for Verified {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let &Self { depth, first, last, read, asked, .. } = self;
        let heads = if depth == Depth::Heads { ", heads" } else { "" };
        let (judged, files) = match &self.family {
            Some(family) => (family.to_string(), family.to_string()),
            None => (format!("rows {first} to {last}"), format!("rows 0 to {read}")),
        };
        writeln!(f, "Verified: {judged}, depths structure, tails{heads}.")?;
        if let Some((from, _)) = asked.filter(|&(from, _)| from > first) {
            writeln!(
                f,
                "Heads need the rows below: rows {first} to {} as well.",
                from.saturating_sub(1)
            )?;
        }
        writeln!(f, "Structure: the files of {files} are whole, canonical and in order.")?;
        writeln!(f, "Proved: {}.", self.proved())?;
        writeln!(f, "Assumed: {}.", self.assumptions().as_deref().unwrap_or("nothing"))?;
        writeln!(f, "Not checked: {}.", self.not_checked().as_deref().unwrap_or("nothing"))
    }
}
