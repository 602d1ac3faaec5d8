//! The functions that decide claims, by name. Only this module knows all of them.
//!
//! A function takes the evidence and a tuple of arguments, and returns a finding. An entry of the
//! ledger names it and gives it the numbers that the paper prints: `followed(Diagonal, 89, 88)`.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use ron::value::RawValue;
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};

use crate::evidence::{Costly, Evidence};
use crate::verdict::Finding;
use crate::{brouwer, cho, garg, zeilberger};

/// A function with its arguments.
type Bound = Arc<dyn Fn(&Evidence) -> Finding + Send + Sync>;

/// A function with the arguments that an entry gives it.
#[derive(Clone)]
pub struct Test {
    /// As the entry writes it.
    text: String,
    /// The evidence that it reads besides rows.
    pub(crate) reads: Option<Costly>,
    function: Bound,
}

impl Test {
    /// The finding. Costs as much as the function, which is at most linear in the number of rows
    /// but for sorting, and the tables of the evidence that it is the first to use.
    pub(crate) fn examine(&self, evidence: &Evidence) -> Finding {
        (self.function)(evidence)
    }
}

/// `followed(Diagonal, 89, 88)`, or the name alone, if the function takes no arguments.
impl FromStr for Test {
    type Err = ron::Error;

    fn from_str(text: &str) -> Result<Self, ron::Error> {
        let (name, arguments) = text.find('(').map_or((text, "()"), |at| text.split_at(at));
        let (reads, function) = named(name, arguments)?;
        Ok(Self { text: text.to_owned(), reads, function })
    }
}

impl<'de> Deserialize<'de> for Test {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Box::<RawValue>::deserialize(deserializer)?;
        text.get_ron().trim().parse().map_err(D::Error::custom)
    }
}

/// As the entry writes it.
impl fmt::Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(&self.text)
    }
}

impl fmt::Debug for Test {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Test({self})")
    }
}

/// The arguments are read once, strictly.
fn bind<A: Clone + DeserializeOwned + Send + Sync + 'static>(
    function: fn(&Evidence, A) -> Finding,
    arguments: &str,
) -> Result<Bound, ron::Error> {
    let arguments: A = ron::from_str(arguments)?;
    Ok(Arc::new(move |evidence| function(evidence, arguments.clone())))
}

/// Defines `named`: the function of a name with these arguments, and the evidence that it reads.
macro_rules! functions {
    ($($reads:expr => $($module:ident)::+ :: { $($function:ident),* $(,)? })*) => {
        fn named(name: &str, arguments: &str) -> Result<(Option<Costly>, Bound), ron::Error> {
            $(use $($module)::+::{$($function),*};)*
            match name {
                $($(stringify!($function) => Ok(($reads, bind($function, arguments)?)),)*)*
                _ => Err(ron::Error::custom(format!("no function is called {name:?}"))),
            }
        }
    };
}

functions! {
    None => self::{all}
    None => brouwer::positions::{
        column_distinct, constant_rows, counts_to, leaves, off_diagonal, recurrence_for_f, replies,
        table, two_row_opening, unique_p,
    }
    None => brouwer::rows::{
        diagonal_above, ends_increase, first_of_larger_period, only_periods, openings_are,
        openings_at_least, patterns, period_list, periods, rectangles, row, rows_of_kinds,
        top_square_loses,
    }
    None => brouwer::sequences::{
        at_least_third, count_below, differences, extremes, families_of_period_1, followed,
        linear_bound, no_decrease, ratio, strip, terms, width,
    }
    Some(Costly::Cells) => brouwer::cells::{
        bound, diagonal_largest, diagonal_occurs, end_is_minimum, end_occurs, minima_after_ends,
        minima_columns, minima_rise,
    }
    None => brouwer::posets::{
        bipartite, bites, divisors, factored, forests, lost_if, solids, subsets_before, subsets_if,
        two_by_two,
    }
    Some(Costly::Posets) => brouwer::posets::{searched, subsets_just_if}
    None => brouwer::boards::{corner_loses, grundy_values, number_of_openings, square_opening}
    None => zeilberger::moves::{implied, legal_moves, predecessors}
    None => zeilberger::recurrences::{
        bounded, continued_fraction, crucial_facts, decimals, fundamental_recurrence,
        implied_winners, instant_winners, mex, mex_of_multiples, posteriori_bound, scheme,
        three_lines,
    }
    None => zeilberger::levels::{families_of_kinds, larger_periods, levels_of_kinds}
    None => zeilberger::rows::{largest_period, rare, take_over}
    None => cho::positions::{blocked, outcomes, p_positions, top_row_one, transposed_outcomes}
    None => cho::boards::{
        any_two, bite, board_outcomes, boards_blocked, family_blocked, fewest_squares,
        first_not_trivial, opening_move, openings, p_position_boards, rules_suffice,
    }
    None => garg::positions::{last_rows, period_divisible, shared_tail, unique_last_row}
    Some(Costly::FourRows) => garg::medians::{
        family_median, gap, high_share, medians, quadratic, separated,
    }
    Some(Costly::FourRows) => garg::triples::{
        accuracy, chi_squared, extending, four_row_positions, growth, peak, strongest, three_rows,
    }
}

/// All of these hold, which have the same method.
fn all(evidence: &Evidence, (tests,): (Vec<Test>,)) -> Finding {
    let findings = tests.iter().map(|test| test.examine(evidence));
    let findings: Vec<Finding> = findings.collect();
    let refuted = findings.iter().position(|finding| !finding.holds());
    findings
        .into_iter()
        .nth(refuted.unwrap_or(0))
        .expect("an entry lists tests")
        .with(String::new())
}
