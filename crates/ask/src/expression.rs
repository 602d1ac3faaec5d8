//! A row as text for other programs: f(q,t) for all q, in LaTeX or in the language of a computer
//! algebra system. Of a level g > 0 it is `f_g(q,t)`, and of an order ideal I `f_g(n;I)`, fact 13.

use std::cmp::Ordering;

use record::{Ideal, Periodic, Record, joined};

use driver::{Error, QueryError};

/// A language in which a row is written.
///
/// A row of level g > 0 has g in its name. A row of an order ideal is a function of n, or for Maple
/// `B[g, I] := [column, shift, early, head, period]`: `early` has the n and p before the column.
/// From there on, p = n + o - shift if o is the offset of column n.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// A sentence with a formula, `f(q,120) = ...` or `f_{1}(q,120) = ...`.
    Latex,
    /// A function `f_120(q)`, or `f_120_level_1(q)`; `f[1, "{a,b}"]` of an ideal, in a
    /// map of [`Language::listed`]. `None` where it is not defined. Python reads it as well.
    Sage,
    /// A function `f_120(q)`, or `f_120_level_1(q)`; `mapget(f, [1, "{a,b}"])` of an ideal, in a
    /// map of [`Language::listed`]. The empty vector `[]` where it is not defined.
    Pari,
    /// A definition of `f[q, 120]`, `f[1][q, 120]` or `f[1, "{a,b}"][n]`; `Undefined` where it is
    /// not.
    Mathematica,
    /// `B[120]`, the `B_c` of Zeilberger's paper on his package BYRNES: the head and one period of
    /// the offsets, which belong to q - 120 = 0, 1, 2, .... A finite row has no period. Of level 1
    /// it is `B1[120]`.
    Maple,
}

/// The numbers in a line of LaTeX.
const NUMBERS_A_LINE: usize = 15;

impl Language {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Sage, Self::Maple, Self::Mathematica, Self::Latex, Self::Pari];

    /// Its name, for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Latex => "LaTeX",
            Self::Sage => "Sage",
            Self::Pari => "PARI/GP",
            Self::Mathematica => "Mathematica",
            Self::Maple => "Maple",
        }
    }

    /// The row of this record, as text that ends in a line break.
    ///
    /// # Errors
    /// [`Error::Query`] if the record has only a fingerprint of the offsets of its head.
    ///
    /// ```
    /// use ask::Language;
    /// use driver::Engine;
    /// let row_5 = Engine::default().row_in_full(5, &())?.record;
    /// assert_eq!(Language::Maple.expression(&row_5)?, "B[5] := [[5, 3], [4]]:\n");
    /// # Ok::<(), driver::Error>(())
    /// ```
    pub fn expression(self, record: &Record) -> Result<String, Error> {
        let row = Row::of(record)?;
        Ok(match self {
            Self::Latex => row.latex(),
            Self::Sage => row.sage(),
            Self::Pari => row.pari(),
            Self::Mathematica => row.mathematica(),
            Self::Maple => row.maple(),
        })
    }

    /// The same among several rows. Before the first row of an ideal the map `f` is made, in the
    /// languages that need that; in LaTeX each row is a paragraph.
    ///
    /// # Errors
    /// As [`Self::expression`].
    pub fn listed(self, record: &Record, is_first: bool) -> Result<String, Error> {
        let before = match self {
            Self::Latex if !is_first => "\n",
            Self::Sage if is_first && record.key().ideal().is_some() => "f = {}\n",
            Self::Pari if is_first && record.key().ideal().is_some() => "f = Map();\n",
            _ => "",
        };
        Ok(before.to_owned() + &self.expression(record)?)
    }

    /// A periodic row of three-rowed Chomp from its start on, as text that ends in a line break. It
    /// needs no head, and says itself from which column on it holds.
    ///
    /// ```
    /// use ask::Language;
    /// use driver::Engine;
    /// let row_5 = Engine::default().row_in_full(5, &())?.record;
    /// let text = Language::Mathematica.from_start(row_5.periodic().unwrap());
    /// assert_eq!(text, "f[q_Integer, 5] /; q >= 7 := q + {4}[[Mod[q - 7, 1] + 1]]\n");
    /// # Ok::<(), driver::Error>(())
    /// ```
    pub fn from_start(self, periodic: &Periodic) -> String {
        let Periodic { row, start, values, .. } = periodic;
        let (period, listed) = (periodic.period(), listed(values));
        match self {
            Self::Latex => {
                let index = format!("v_{{(q - {start}) \\bmod {period}}}");
                let formula =
                    format!("f(q,{row}) = q + {index} \\quad \\text{{if }} q \\ge {start},");
                let values = broken(values);
                format!(
                    "\\[\n{formula}\n\\]\nwhere indices begin with $0$, and\n$v = ({values})$.\n"
                )
            }
            Self::Sage => format!(
                "def f_{row}(q):\n    assert q >= {start}\n    \
                 return q + {listed}[(q - {start}) % {period}]\n"
            ),
            Self::Pari => format!(
                "f_{row}(q) = if(q < {start}, error(\"q < {start}\"), \
                 q + {listed}[(q - {start}) % {period} + 1]);\n"
            ),
            Self::Mathematica => {
                let place = format!("[[Mod[q - {start}, {period}] + 1]]");
                let values = joined(values, ", ");
                format!("f[q_Integer, {row}] /; q >= {start} := q + {{{values}}}{place}\n")
            }
            Self::Maple => format!(
                "f[{row}] := proc(q) if q < {start} then error \"q < {start}\" end if; \
                 q + {listed}[(q - {start}) mod {period} + 1] end proc:\n"
            ),
        }
    }
}

/// The offsets of a row, by column.
struct Row<'a> {
    level: u64,
    /// The lower rows of its positions, at least one number; or its order ideal.
    lower: Lower<'a>,
    /// The positions before the first column: column and p.
    early: &'a [(u64, u64)],
    /// The first column.
    first: u64,
    head: &'a [u64],
    /// The column in which the head ends, not included.
    end: u64,
    /// The offsets of one period from `end` on; none of a row that ends.
    values: &'a [u64],
}

enum Lower<'a> {
    Tail(Vec<u64>),
    Ideal(&'a Ideal),
}

impl<'a> Row<'a> {
    fn of(record: &'a Record) -> Result<Self, Error> {
        let key = record.key();
        let first = key.first_column();
        let tail = key.tail().parts();
        let tail = if tail.is_empty() { vec![0] } else { tail.to_vec() };
        let lower = key.ideal().map_or(Lower::Tail(tail), Lower::Ideal);
        let values = record.periodic().map_or(&[][..], |periodic| &periodic.values);
        let end = record.settled().max(first);
        let head = match record.head_offsets() {
            Some(head) => head,
            None if end == first => &[],
            None => return Err(QueryError::NeedsHead { key: key.clone(), end }.into()),
        };
        Ok(Self { level: key.level, lower, early: record.early(), first, head, end, values })
    }

    /// q of a board, n of an ideal.
    fn variable(&self) -> char {
        if matches!(self.lower, Lower::Tail(_)) { 'q' } else { 'n' }
    }

    /// The summand of column and offset: ` - 6`, or nothing.
    fn shift(&self) -> String {
        let Lower::Ideal(&Ideal { shift, .. }) = self.lower else { return String::new() };
        match shift.cmp(&0) {
            Ordering::Greater => format!(" - {shift}"),
            Ordering::Equal => String::new(),
            Ordering::Less => format!(" + {}", shift.unsigned_abs()),
        }
    }

    fn sage(&self) -> String {
        let (x, first) = (self.variable(), self.first);
        let pairs = joined(self.early.iter().map(|(n, p)| format!("{n}: {p}")), ", ");
        let early = (!pairs.is_empty()).then(|| format!("{{{pairs}}}.get({x}) if {x} < {first}"));
        let at = |place| format!("[{place}]");
        let cases = self.cases("", listed, at, |x, m| format!("({x}) % {m}")).into_iter();
        let cases =
            early.into_iter().chain(cases.map(|[when, value]| format!("{value} if {when}")));
        let cases = joined(cases.chain(["None\n".to_owned()]), " else ");
        format!("{} = lambda {x}: {cases}", self.name_in_sage())
    }

    fn name_in_sage(&self) -> String {
        match &self.lower {
            Lower::Tail(tail) if self.level == 0 => format!("f_{}", joined(tail, "_")),
            Lower::Tail(tail) => format!("f_{}_level_{}", joined(tail, "_"), self.level),
            Lower::Ideal(ideal) => format!("f[{}, {}]", self.level, quoted(ideal)),
        }
    }

    /// Indices begin with 1.
    fn pari(&self) -> String {
        let (level, x) = (self.level, self.variable());
        let at = |place| format!("[{place} + 1]");
        let cases = self.cases(&format!(" && {x}"), listed, at, |x, m| format!("({x}) % {m}"));
        let cases = self.early_cases().chain(cases).collect::<Vec<_>>().into_iter().rev();
        let nested = cases
            .fold("[]".to_owned(), |rest, [when, value]| format!("if({when}, {value}, {rest})"));
        match &self.lower {
            Lower::Tail(_) => format!("{}({x}) = {nested};\n", self.name_in_sage()),
            Lower::Ideal(ideal) => {
                format!("mapput(f, [{level}, {}], ({x}) -> {nested});\n", quoted(ideal))
            }
        }
    }

    fn mathematica(&self) -> String {
        let level = self.level;
        let name = match &self.lower {
            Lower::Tail(tail) => {
                let of_level = if level == 0 { String::new() } else { format!("[{level}]") };
                format!("f{of_level}[q_Integer, {}]", joined(tail, ", "))
            }
            Lower::Ideal(ideal) => format!("f[{level}, {}][n_Integer]", quoted(ideal)),
        };
        let braced = |numbers: &[u64]| format!("{{{}}}", joined(numbers, ", "));
        let at = |place| format!("[[{place} + 1]]");
        let cases = self.cases("", braced, at, |x, m| format!("Mod[{x}, {m}]"));
        let cases = self.early_cases().chain(cases).map(|case| case.join(", "));
        let cases = joined(cases.chain(["True, Undefined".to_owned()]), ", ");
        format!("{name} := Which[{cases}]\n")
    }

    /// The positions before the first column: condition and value of each.
    fn early_cases(&self) -> impl Iterator<Item = [String; 2]> {
        let x = self.variable();
        self.early.iter().map(move |(n, p)| [format!("{x} == {n}"), p.to_string()])
    }

    /// The head and the columns that repeat, as far as the row has them: condition and value of
    /// each. `and` stands between the two bounds of a column.
    fn cases(
        &self,
        and: &str,
        list: impl Fn(&[u64]) -> String,
        at: impl Fn(String) -> String,
        modulo: impl Fn(String, usize) -> String,
    ) -> Vec<[String; 2]> {
        let Self { first, head, end, values, .. } = self;
        let (x, shift) = (self.variable(), self.shift());
        let value = |numbers: &[u64], place| format!("{x} + {}{}{shift}", list(numbers), at(place));
        let of_head = (!head.is_empty()).then(|| {
            [format!("{first} <= {x}{and} < {end}"), value(head, format!("{x} - {first}"))]
        });
        let repeated = (!values.is_empty()).then(|| {
            let place = modulo(format!("{x} - {end}"), values.len());
            [format!("{x} >= {end}"), value(values, place)]
        });
        of_head.into_iter().chain(repeated).collect()
    }

    fn maple(&self) -> String {
        let Self { level, first, .. } = self;
        let lists = format!("{}, {}", listed(self.head), listed(self.values));
        match &self.lower {
            Lower::Tail(tail) => {
                let of_level = if *level == 0 { String::new() } else { level.to_string() };
                format!("B{of_level}[{}] := [{lists}]:\n", joined(tail, ", "))
            }
            Lower::Ideal(ideal) => {
                let early = self.early.iter().map(|(n, p)| format!("[{n}, {p}]"));
                let early = joined(early, ", ");
                let shift = ideal.shift;
                let name = quoted(ideal);
                format!("B[{level}, {name}] := [{first}, {shift}, [{early}], {lists}]:\n")
            }
        }
    }

    fn latex(&self) -> String {
        let Self { first, end, values, .. } = self;
        let (x, shift, name) = (self.variable(), self.shift(), self.latex_name());
        let early = self.early.iter();
        let mut cases: Vec<String> =
            early.map(|(n, p)| format!("{p} & \\text{{if }} {x} = {n}")).collect();
        let mut lists = Vec::new();
        if !self.head.is_empty() {
            let when = format!("{first} \\le {x} < {end}");
            cases.push(format!("{x} + h_{{{x} - {first}}}{shift} & \\text{{if }} {when}"));
            lists.push(format!("$h = ({})$", broken(self.head)));
        }
        if let [value] = values {
            cases.push(format!("{x} + {value}{shift} & \\text{{if }} {x} \\ge {end}"));
        } else if !values.is_empty() {
            let period = values.len();
            let place = format!("({x} - {end}) \\bmod {period}");
            cases.push(format!("{x} + v_{{{place}}}{shift} & \\text{{if }} {x} \\ge {end}"));
            lists.push(format!("$v = ({})$", broken(values)));
        }
        if cases.is_empty() {
            return format!("${name}$ is defined for no ${x}$.\n");
        }
        if values.is_empty() || self.early.len() as u64 != *first {
            cases.push("\\text{undefined} & \\text{otherwise}".to_owned());
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

    /// `f(q,3,2)`, `f_{1}(q,3,2)`, `f_{0}(n;\\{\\texttt{a},\\texttt{b}\\})`.
    fn latex_name(&self) -> String {
        let level = self.level;
        match &self.lower {
            Lower::Tail(tail) if level == 0 => format!("f(q,{})", joined(tail, ",")),
            Lower::Tail(tail) => format!("f_{{{level}}}(q,{})", joined(tail, ",")),
            Lower::Ideal(ideal) => {
                let names = ideal
                    .generators
                    .iter()
                    .map(|name| format!("\\text{{\\texttt{{{}}}}}", escaped(name)));
                format!("f_{{{level}}}(n;\\{{{}\\}})", joined(names, ","))
            }
        }
    }
}

/// An ideal as a string of Sage, Mathematica and Maple.
fn quoted(ideal: &Ideal) -> String {
    let text = ideal.to_string();
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// A name as text of LaTeX.
fn escaped(name: &str) -> String {
    let escape = |letter: char| match letter {
        '\\' => "\\textbackslash{}".to_owned(),
        '~' => "\\textasciitilde{}".to_owned(),
        '^' => "\\textasciicircum{}".to_owned(),
        '{' | '}' | '#' | '$' | '%' | '&' | '_' => format!("\\{letter}"),
        other => other.to_string(),
    };
    name.chars().map(escape).collect()
}

/// `[1, 2, 3]`.
fn listed(numbers: &[u64]) -> String {
    format!("[{}]", joined(numbers, ", "))
}

/// Numbers, with places where TeX can break the line.
fn broken(numbers: &[u64]) -> String {
    joined(numbers.chunks(NUMBERS_A_LINE).map(|line| joined(line, ", ")), ", \\allowbreak\n")
}
