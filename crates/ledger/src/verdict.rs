//! From the finding of a test to a verdict.

use std::fmt;
use std::ops::RangeInclusive;

use record::joined;
use serde::{Deserialize, Serialize, Serializer};

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
pub(crate) struct Finding {
    tested: Tested,
    /// The finding, in words.
    figure: String,
    /// How it was found, in words.
    method: String,
}

/// What a test does, and what came out.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Tested {
    /// All that the claim names was tested, or a statement about each value of a variable in a
    /// number of cases.
    Stated {
        /// The first thing that is not as claimed.
        counterexample: Option<String>,
        /// What was tested, in words.
        cases: String,
    },
    /// A statement about each value of a variable was tested in order.
    Each {
        /// The least value for which it fails, and how.
        failure: Option<(u64, String)>,
        /// The last value that could be tested.
        last: u64,
    },
    /// A vague claim was given a meaning, and rows that support it were searched for.
    Sought {
        /// The first such row.
        seen: Option<u64>,
        /// The last row that was searched.
        last: u64,
    },
    /// Something is missing. The figure says what would be enough.
    OutOfReach,
}

/// The verdict on a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "VerdictOnClaim"))]
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
    /// All of them with their names, in the order of tables.
    pub const ALL: [(Self, &str); 9] = [
        (Self::Confirmed, "confirmed"),
        (Self::Extended, "extended"),
        (Self::Wrong, "wrong"),
        (Self::Misprint, "misprint"),
        (Self::Rounding, "rounding"),
        (Self::Vague, "vague"),
        (Self::Proved, "proved"),
        (Self::Reported, "reported"),
        (Self::OutOfReach, "out of reach"),
    ];
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(Self::ALL[*self as usize].1)
    }
}

/// An empty text is null in JSON.
pub(crate) fn unless_empty<S: Serializer>(text: &str, to: S) -> Result<S::Ok, S::Error> {
    (!text.is_empty()).then_some(text).serialize(to)
}

/// A verdict with its basis.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Judgement {
    /// The verdict.
    pub verdict: Verdict,
    /// The range that was tested; empty if nothing was.
    #[serde(serialize_with = "unless_empty")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub tested: String,
    /// The last value of the variable that was tested; `None` if the claim has no variable, or
    /// exactly the claimed values were tested.
    pub reached: Option<u64>,
    /// Of a vague claim, the first row that supports it.
    pub seen: Option<u64>,
    /// The method of the test; empty if there was none.
    #[serde(serialize_with = "unless_empty")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub method: String,
    /// The finding; of claims that were not tested, the reason.
    pub figure: String,
}

impl Judgement {
    /// A verdict without a test.
    pub(crate) fn new(verdict: Verdict, figure: String) -> Self {
        let (tested, method) = Default::default();
        Self { verdict, tested, reached: None, seen: None, method, figure }
    }
}

/// There is too little evidence. The text says what is enough.
#[derive(Debug)]
pub(crate) struct OutOfReach(pub String);

/// A finding, if there is enough evidence.
pub(crate) type Found = Result<Finding, OutOfReach>;

impl From<Found> for Finding {
    fn from(found: Found) -> Self {
        found.unwrap_or_else(|OutOfReach(enough)| Self::of(Tested::OutOfReach).with(enough))
    }
}

impl Finding {
    fn of(tested: Tested) -> Self {
        Self { tested, figure: String::new(), method: String::new() }
    }

    /// All that the claim names was tested: it holds unless there is a counterexample.
    pub fn unless(counterexample: Option<String>) -> Self {
        Self::in_cases("all that is claimed", counterexample)
    }

    /// The same for a claim that was tested in these cases only.
    pub fn in_cases(cases: impl Into<String>, counterexample: Option<String>) -> Self {
        Self::of(Tested::Stated { counterexample, cases: cases.into() })
    }

    /// A finding in words, which are also the counterexample if the claim is not right.
    pub fn found(right: bool, figure: String) -> Self {
        if right { Self::unless(None).with(figure) } else { Self::unless(Some(figure)) }
    }

    /// A statement about each value to the last one, with the least value for which it fails, and
    /// how.
    pub fn to(last: u64, failure: Option<(u64, String)>) -> Self {
        Self::of(Tested::Each { failure, last })
    }

    /// A statement about each of these values, and how it fails for some.
    pub fn each(values: RangeInclusive<u64>, wrong: impl Fn(u64) -> Option<String>) -> Self {
        let last = *values.end();
        Self::to(last, values.into_iter().find_map(|value| wrong(value).map(|how| (value, how))))
    }

    /// The first row to the last one that supports a vague claim.
    pub fn sought(last: u64, seen: Option<u64>) -> Self {
        Self::of(Tested::Sought { seen, last })
    }

    /// Several findings in words, each with whether it is as claimed.
    pub fn all(parts: impl IntoIterator<Item = (bool, String)>, between: &str) -> Self {
        let (right, words): (Vec<bool>, Vec<String>) = parts.into_iter().unzip();
        Self::found(right.into_iter().all(|right| right), words.join(between))
    }

    /// The first terms of a sequence, from the n-th on. `words` says what is there instead of one.
    pub fn terms<T: PartialEq + Copy>(
        first: u64,
        said: &[T],
        found: impl IntoIterator<Item = T>,
        words: impl Fn(u64, T) -> String,
    ) -> Self {
        let wrong = (first..).zip(found).zip(said).find(|((_, found), said)| found != *said);
        Self::unless(wrong.map(|((n, found), _)| words(n, found)))
    }

    /// Sets the finding in words.
    pub fn with(self, figure: String) -> Self {
        Self { figure, ..self }
    }

    /// Sets the method, unless it has one.
    pub fn by(mut self, method: impl Into<String>) -> Self {
        if self.method.is_empty() {
            self.method = method.into();
        }
        self
    }

    /// Whether all that the claim names was tested, and is as claimed.
    pub fn holds(&self) -> bool {
        matches!(self.tested, Tested::Stated { counterexample: None, .. })
    }

    /// The verdict for a claimed range. A failure is *wrong* here; no computation tells the defect.
    pub fn judge(self, range: &Range) -> Judgement {
        let Self { tested, figure, method } = self;
        let judgement = match tested {
            Tested::OutOfReach => Judgement::new(Verdict::OutOfReach, figure),
            Tested::Sought { seen, last } => Judgement {
                tested: format!("r <= {last}"),
                reached: Some(last),
                seen,
                ..Judgement::new(Verdict::Vague, figure)
            },
            Tested::Stated { counterexample, cases } => {
                let wrong = counterexample.is_some();
                let verdict = if wrong { Verdict::Wrong } else { Verdict::Confirmed };
                let figure = join([&counterexample.unwrap_or_default(), &figure], "as claimed");
                Judgement { tested: cases, ..Judgement::new(verdict, figure) }
            }
            Tested::Each { failure, last } => {
                let (variable, claimed) = match range {
                    Range::To(variable, claimed) => (variable.as_str(), Some(*claimed)),
                    Range::All(variable) => (variable.as_str(), None),
                    Range::Stated => ("n", None),
                };
                let judgement = each(failure.as_ref(), last, &figure, claimed);
                Judgement { tested: format!("{variable} <= {}", judgement.tested), ..judgement }
            }
        };
        Judgement { method, ..judgement }
    }
}

/// The texts that are not empty, separated by semicolons, or another one.
fn join(parts: [&str; 2], if_empty: &str) -> String {
    let text = joined(parts.iter().filter(|part| !part.is_empty()), "; ");
    if text.is_empty() { if_empty.to_owned() } else { text }
}

fn each(
    failure: Option<&(u64, String)>,
    last: u64,
    figure: &str,
    claimed: Option<u64>,
) -> Judgement {
    let inside = |value: u64| claimed.is_none_or(|claimed| value <= claimed);
    let (verdict, figures) = match failure {
        Some((value, how)) if inside(*value) => (Verdict::Wrong, [how, figure]),
        Some((_, how)) => {
            (Verdict::Confirmed, [figure, &format!("beyond the range claimed: {how}")])
        }
        None if claimed.is_some_and(|claimed| last > claimed) => (Verdict::Extended, [figure, ""]),
        None => (Verdict::Confirmed, [figure, ""]),
    };
    let (tested, reached) = match claimed {
        Some(claimed) if last < claimed => (format!("{last} of {claimed}"), Some(last)),
        Some(claimed) if verdict == Verdict::Confirmed => (claimed.to_string(), None),
        _ => (last.to_string(), Some(last)),
    };
    Judgement { tested, reached, ..Judgement::new(verdict, join(figures, "no exception")) }
}
