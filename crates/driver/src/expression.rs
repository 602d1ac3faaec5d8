//! A row as text for other programs: f(q,t) for all q, in LaTeX or in the language of a computer
//! algebra system.

use answers::QueryError;
use record::{Record, joined};

use crate::Error;

/// A language in which a row is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// A sentence with a formula, `f(q,120) = ...`.
    Latex,
    /// A function `f_120(q)`, `None` where f is not defined. Python reads it as well.
    Sage,
    /// A definition of `f[q, 120]`, `Undefined` where f is not.
    Mathematica,
    /// `B[120]`, the `B_c` of Zeilberger's paper on his package BYRNES: the head and one period of
    /// the offsets, which belong to q - 120 = 0, 1, 2, .... A finite row has no period.
    Maple,
}

/// The numbers in a line of LaTeX.
const NUMBERS_A_LINE: usize = 15;

impl Language {
    /// The row of this record of level 0, as text that ends in a line break.
    ///
    /// # Errors
    /// [`Error::Query`] if the record has only a fingerprint of the offsets of its head.
    ///
    /// ```
    /// use driver::{Engine, Language};
    /// let row_5 = Engine::default().row_in_full(5, &())?.record;
    /// assert_eq!(Language::Maple.expression(&row_5)?, "B[5] := [[5, 3], [4]]:\n");
    /// # Ok::<(), driver::Error>(())
    /// ```
    pub fn expression(self, record: &Record) -> Result<String, Error> {
        let row = Row::of(record)?;
        Ok(match self {
            Self::Latex => row.latex(),
            Self::Sage => row.sage(),
            Self::Mathematica => row.mathematica(),
            Self::Maple => row.maple(),
        })
    }
}

/// The offsets of a row, by column.
struct Row<'a> {
    /// The lower rows of its positions, at least one number.
    tail: Vec<u64>,
    /// The first column.
    first: u64,
    head: &'a [u64],
    /// The column in which the head ends, not included.
    end: u64,
    /// The offsets of one period from `end` on; none of a row that ends.
    values: &'a [u64],
}

impl<'a> Row<'a> {
    fn of(record: &'a Record) -> Result<Self, Error> {
        let first = record.key().first_column();
        let tail = record.key().tail.parts();
        let tail = if tail.is_empty() { vec![0] } else { tail.to_vec() };
        let values = record.periodic().map_or(&[][..], |periodic| &periodic.values);
        let end = record.settled().max(first);
        let head = match record.head_offsets() {
            Some(head) => head,
            None if end == first => &[],
            None => return Err(QueryError::NeedsHead { key: record.key().clone(), end }.into()),
        };
        Ok(Self { tail, first, head, end, values })
    }

    fn sage(&self) -> String {
        let Self { first, end, values, .. } = self;
        let name = joined(&self.tail, "_");
        let mut cases = Vec::new();
        if !self.head.is_empty() {
            let head = listed(self.head);
            cases.push(format!("q + {head}[q - {first}] if {first} <= q < {end}"));
        }
        if !values.is_empty() {
            let (period, values) = (values.len(), listed(values));
            cases.push(format!("q + {values}[(q - {end}) % {period}] if q >= {end}"));
        }
        cases.push("None\n".to_owned());
        format!("f_{name} = lambda q: {}", cases.join(" else "))
    }

    fn mathematica(&self) -> String {
        let Self { first, end, values, .. } = self;
        let tail = joined(&self.tail, ", ");
        let braced = |numbers: &[u64]| format!("{{{}}}", joined(numbers, ", "));
        let mut cases = Vec::new();
        if !self.head.is_empty() {
            let head = braced(self.head);
            cases.push(format!("{first} <= q < {end}, q + {head}[[q - {first} + 1]]"));
        }
        if !values.is_empty() {
            let (period, values) = (values.len(), braced(values));
            cases.push(format!("q >= {end}, q + {values}[[Mod[q - {end}, {period}] + 1]]"));
        }
        cases.push("True, Undefined".to_owned());
        let cases = cases.join(", ");
        format!("f[q_Integer, {tail}] := Which[{cases}]\n")
    }

    fn maple(&self) -> String {
        let tail = joined(&self.tail, ", ");
        format!("B[{tail}] := [{}, {}]:\n", listed(self.head), listed(self.values))
    }

    fn latex(&self) -> String {
        let Self { first, end, values, .. } = self;
        let name = format!("f(q,{})", joined(&self.tail, ","));
        let mut cases = Vec::new();
        let mut lists = Vec::new();
        if !self.head.is_empty() {
            cases.push(format!("q + h_{{q - {first}}} & \\text{{if }} {first} \\le q < {end}"));
            lists.push(format!("$h = ({})$", broken(self.head)));
        }
        if let [value] = values {
            cases.push(format!("q + {value} & \\text{{if }} q \\ge {end}"));
        } else if !values.is_empty() {
            let period = values.len();
            let place = format!("(q - {end}) \\bmod {period}");
            cases.push(format!("q + v_{{{place}}} & \\text{{if }} q \\ge {end}"));
            lists.push(format!("$v = ({})$", broken(values)));
        }
        if cases.is_empty() {
            return format!("${name}$ is defined for no $q$.\n");
        }
        let cases = cases.join(", \\\\\n  ");
        let after = if lists.is_empty() { "." } else { "," };
        let formula =
            format!("\\[\n{name} = \\begin{{cases}}\n  {cases}{after}\n\\end{{cases}}\n\\]\n");
        if lists.is_empty() {
            return formula;
        }
        format!("{formula}where indices begin with $0$, and\n{}.\n", lists.join(" and\n"))
    }
}

/// `[1, 2, 3]`.
fn listed(numbers: &[u64]) -> String {
    format!("[{}]", joined(numbers, ", "))
}

/// Numbers, with places where TeX can break the line.
fn broken(numbers: &[u64]) -> String {
    joined(numbers.chunks(NUMBERS_A_LINE).map(|line| joined(line, ", ")), ", \\allowbreak\n")
}
