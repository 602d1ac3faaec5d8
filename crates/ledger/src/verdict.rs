//! From the finding of a test to a verdict.

use std::fmt;
use std::ops::RangeInclusive;

use record::joined;
use serde::{Deserialize, Serialize};

/// The range that a claim is made for.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Range {
    /// The claim is about finitely many things, which it names.
    Stated,
    /// All values of a variable up to this one.
    To(String, u64),
    /// All values of a variable, without end.
    All(String),
}

/// The result of a test, without regard to the claimed range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Finding {
    /// All that the claim names was tested.
    Stated {
        /// The first thing that is not as claimed.
        counterexample: Option<String>,
        /// The finding, in words.
        figure: String,
    },
    /// A statement about each value of a variable was tested in order.
    Each {
        /// The least value for which it fails, and how.
        failure: Option<(u64, String)>,
        /// The last value that could be tested.
        last: u64,
        /// The finding, in words.
        figure: String,
    },
    /// A statement without a variable to count by was tested in a number of cases.
    Cases {
        /// The first case in which it fails.
        counterexample: Option<String>,
        /// The cases, in words.
        tested: String,
    },
    /// A vague claim was given a meaning, and rows that support it were searched for.
    Sought {
        /// The first such row.
        seen: Option<u64>,
        /// The last row that was searched.
        last: u64,
        /// The finding, in words.
        figure: String,
    },
    /// There are not enough rows.
    OutOfReach {
        /// The last row that is needed.
        needs: u64,
    },
    /// The search of a poset is missing.
    NeedsPoset {
        /// The poset.
        poset: String,
    },
    /// There are not enough P-positions of four rows.
    NeedsFourRows {
        /// The length that row 1 must reach.
        to: u64,
    },
}

/// The result of a test, and its method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Examined {
    pub finding: Finding,
    pub method: String,
}

/// The verdict on a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It holds on its whole range; or, where that is infinite or exceeds the known rows, on all of
    /// it that was tested.
    Confirmed,
    /// It holds on its whole range and beyond.
    Extended,
    /// There is a counterexample.
    Wrong,
    /// There is a counterexample, and the printed claim is a misprint of a true one.
    Misprint,
    /// There is a counterexample, only because a bound was rounded to nearest before it was
    /// printed.
    Rounding,
    /// It has no exact meaning, so no computation refutes it.
    Vague,
    /// A theorem that no computation decides, proved here.
    Proved,
    /// Beyond computation here.
    Reported,
    /// There are not enough rows.
    OutOfReach,
}

impl Verdict {
    /// All of them, in the order of tables.
    pub const ALL: [Self; 9] = [
        Self::Confirmed,
        Self::Extended,
        Self::Wrong,
        Self::Misprint,
        Self::Rounding,
        Self::Vague,
        Self::Proved,
        Self::Reported,
        Self::OutOfReach,
    ];
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(match self {
            Self::Confirmed => "confirmed",
            Self::Extended => "extended",
            Self::Wrong => "wrong",
            Self::Misprint => "misprint",
            Self::Rounding => "rounding",
            Self::Vague => "vague",
            Self::Proved => "proved",
            Self::Reported => "reported",
            Self::OutOfReach => "out of reach",
        })
    }
}

/// A verdict with its basis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Judgement {
    pub verdict: Verdict,
    /// The range that was tested.
    pub tested: String,
    /// The last value of the variable that was tested; `None` if the claim has no variable, or
    /// exactly the claimed values were tested.
    pub reached: Option<u64>,
    /// Of a vague claim, the first row that supports it.
    pub seen: Option<u64>,
    pub figure: String,
}

impl Judgement {
    fn out_of_reach(figure: String) -> Self {
        let (verdict, tested) = (Verdict::OutOfReach, String::new());
        Self { verdict, tested, reached: None, seen: None, figure }
    }
}

impl Finding {
    /// The finding, and the method.
    pub fn by(self, method: impl Into<String>) -> Examined {
        Examined { finding: self, method: method.into() }
    }

    /// A finding in words, which are also the counterexample if the claim is not right.
    pub fn found(right: bool, figure: String) -> Self {
        if right {
            Self::Stated { counterexample: None, figure }
        } else {
            Self::unless(Some(figure))
        }
    }

    /// All that the claim names was tested: it holds unless there is a counterexample.
    pub fn unless(counterexample: Option<String>) -> Self {
        Self::Stated { counterexample, figure: String::new() }
    }

    /// A statement about each of these values, and how it fails for some.
    pub fn each(values: RangeInclusive<u64>, wrong: impl Fn(u64) -> Option<String>) -> Self {
        let last = *values.end();
        let failure = values.into_iter().find_map(|value| wrong(value).map(|how| (value, how)));
        Self::Each { failure, last, figure: String::new() }
    }

    /// Sets the figure, if findings of this kind have one.
    pub fn with(mut self, found: String) -> Self {
        if let Self::Stated { figure, .. } | Self::Each { figure, .. } = &mut self {
            *figure = found;
        }
        self
    }

    /// A statement about each value that holds to the last one, and fails for one beyond it.
    pub fn or_beyond(mut self, wrong: Option<(u64, String)>) -> Self {
        if let Self::Each { failure: failure @ None, last, .. } = &mut self
            && let Some((value, how)) = wrong
        {
            *last = value;
            *failure = Some((value, how));
        }
        self
    }

    /// The verdict for a claimed range. A failure is *wrong* here; no computation tells the defect.
    pub fn judge(self, range: &Range) -> Judgement {
        match (self, range) {
            (Self::OutOfReach { needs }, _) => {
                Judgement::out_of_reach(format!("rows to {needs} are enough"))
            }
            (Self::NeedsPoset { poset }, _) => {
                Judgement::out_of_reach(format!("a search of {poset} is enough"))
            }
            (Self::NeedsFourRows { to }, _) => {
                Judgement::out_of_reach(format!("P-positions of four rows to a = {to} are enough"))
            }
            (Self::Sought { seen, last, figure }, _) => Judgement {
                verdict: Verdict::Vague,
                tested: format!("r <= {last}"),
                reached: Some(last),
                seen,
                figure,
            },
            (Self::Stated { counterexample, figure }, _) => {
                stated(counterexample, "all that is claimed".to_owned(), figure)
            }
            (Self::Cases { counterexample, tested }, _) => {
                stated(counterexample, tested, String::new())
            }
            (Self::Each { failure, last, figure }, range) => {
                let (variable, claimed) = match range {
                    Range::To(variable, claimed) => (variable.as_str(), Some(*claimed)),
                    Range::All(variable) => (variable.as_str(), None),
                    Range::Stated => ("n", None),
                };
                each(failure, last, figure, variable, claimed)
            }
        }
    }
}

fn stated(counterexample: Option<String>, tested: String, figure: String) -> Judgement {
    let verdict = if counterexample.is_some() { Verdict::Wrong } else { Verdict::Confirmed };
    let figure = join([counterexample.unwrap_or_default(), figure]);
    let figure = if figure.is_empty() { "as claimed".to_owned() } else { figure };
    Judgement { verdict, tested, reached: None, seen: None, figure }
}

/// The texts that are not empty, separated by semicolons.
fn join(parts: [String; 2]) -> String {
    joined(parts.into_iter().filter(|part| !part.is_empty()), "; ")
}

fn each(
    failure: Option<(u64, String)>,
    last: u64,
    figure: String,
    variable: &str,
    claimed: Option<u64>,
) -> Judgement {
    let inside = |value: u64| claimed.is_none_or(|claimed| value <= claimed);
    let (verdict, figure) = match failure {
        Some((value, how)) if inside(value) => (Verdict::Wrong, join([how, figure])),
        Some((_, how)) => {
            (Verdict::Confirmed, join([figure, format!("beyond the range claimed: {how}")]))
        }
        None if claimed.is_some_and(|claimed| last > claimed) => (Verdict::Extended, figure),
        None => (Verdict::Confirmed, figure),
    };
    let (tested, reached) = match claimed {
        Some(claimed) if last < claimed => (format!("{last} of {claimed}"), Some(last)),
        Some(claimed) if verdict == Verdict::Confirmed => (claimed.to_string(), None),
        _ => (last.to_string(), Some(last)),
    };
    let figure = if figure.is_empty() { "no exception".to_owned() } else { figure };
    let tested = format!("{variable} <= {tested}");
    Judgement { verdict, tested, reached, seen: None, figure }
}
