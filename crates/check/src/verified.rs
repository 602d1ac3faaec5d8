//! What a check proved, on what assumptions, and what it did not check.

use std::fmt;

use record::Family;

/// How deep a check went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// Every certificate, assuming the heads.
    Tails,
    /// Every head as well: nothing is assumed.
    Heads,
}

/// A check that found everything as stated. `Display` says what that means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// How deep it went.
    pub depth: Depth,
    /// The first row judged.
    pub first: u64,
    /// The last row judged.
    pub last: u64,
    /// The last row of the data set, whose structure was checked as a whole.
    pub held: u64,
    /// The number of periodic rows judged, each with its certificate.
    pub certificates: u64,
    /// The rows asked for, where not all of them were.
    pub asked: Option<(u64, u64)>,
    /// Of a data set of levels or tails, its rows; all of them were judged.
    pub family: Option<Family>,
}

impl Verified {
    /// What is proved.
    #[must_use]
    pub fn proved(&self) -> String {
        let &Self { depth, certificates, .. } = self;
        let rows = self.rows("from ");
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

    /// Which rows were judged.
    fn rows(&self, before: &str) -> String {
        match &self.family {
            Some(family) => format!("of {family}"),
            None => format!("{before}{} to {}", self.first, self.last),
        }
    }

    /// On what assumptions; `None` if on none.
    #[must_use]
    pub fn assumptions(&self) -> Option<String> {
        let below = match self.first {
            0 => "",
            _ => "; the certificates of the rows below them prove what they say",
        };
        let empty = if self.family.is_some() { "empty rows are empty, " } else { "" };
        (self.depth == Depth::Tails).then(|| {
            format!(
                "{empty}heads, first and last of all rows are right, starts are the least, and \
                 each U(from) is what fact 3 says it is{below}"
            )
        })
    }

    /// What was not checked; `None` if everything was.
    #[must_use]
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
        let &Self { depth, first, last, held, asked, .. } = self;
        let heads = if depth == Depth::Heads { ", heads" } else { "" };
        let (judged, files) = match &self.family {
            Some(family) => (family.to_string(), family.to_string()),
            None => (format!("rows {first} to {last}"), format!("rows 0 to {held}")),
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
