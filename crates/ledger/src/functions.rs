//! The functions that decide claims, by name. Only this module knows all of them.
//!
//! A function takes the evidence and a tuple of arguments, and returns a finding, or fails if there
//! is too little evidence. An entry of the ledger names it and gives it the numbers that the paper
//! prints: `followed(Diagonal, 89, 88)`.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use ron::value::RawValue;
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};

use crate::brouwer::posets::SEARCH;
use crate::brouwer::positions::recurrence;
use crate::evidence::{Costly, Evidence};
use crate::oracles::{LEVEL, LEVEL_ROWS, SIDE, TREE};
use crate::verdict::Finding;
use crate::{brouwer, cho, garg, nguyen, padhi, zeilberger};

/// A function with its arguments.
type Bound = Arc<dyn Fn(&Evidence) -> Finding + Send + Sync>;

/// A function with the arguments that an entry gives it.
#[derive(Clone)]
pub struct Test {
    /// As the entry writes it.
    text: String,
    /// The evidence that it reads besides rows.
    pub(crate) reads: Option<Costly>,
    /// How it decides, in words.
    method: String,
    function: Bound,
}

impl Test {
    /// The finding. Costs as much as the function, which is at most linear in the number of rows
    /// but for sorting, and the tables of the evidence that it is the first to use.
    pub(crate) fn examine(&self, evidence: &Evidence) -> Finding {
        (self.function)(evidence).by(self.method.as_str())
    }
}

/// `followed(Diagonal, 89, 88)`, or the name alone, if the function takes no arguments.
impl FromStr for Test {
    type Err = ron::Error;

    fn from_str(text: &str) -> Result<Self, ron::Error> {
        let (name, arguments) = text.find('(').map_or((text, "()"), |at| text.split_at(at));
        let (reads, method, function) = named(name, arguments)?;
        Ok(Self { text: text.to_owned(), reads, method, function })
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
fn bind<A: Clone + DeserializeOwned + Send + Sync + 'static, F: Into<Finding> + 'static>(
    function: fn(&Evidence, A) -> F,
    arguments: &str,
) -> Result<Bound, ron::Error> {
    let arguments: A = ron::from_str(arguments)?;
    Ok(Arc::new(move |evidence| function(evidence, arguments.clone()).into()))
}

/// Defines `named`: the function of a name with these arguments, the evidence that it reads, and
/// its method in words, unless a finding names another one.
macro_rules! functions {
    ($($reads:expr, $method:expr => $($module:ident)::+ :: { $($function:ident),* $(,)? })*) => {
        fn named(name: &str, arguments: &str) -> Result<(Option<Costly>, String, Bound), ron::Error> {
            $(use $($module)::+::{$($function),*};)*
            match name {
                $($(stringify!($function) => {
                    Ok(($reads, String::from($method), bind($function, arguments)?))
                })*)*
                _ => Err(ron::Error::custom(format!("no function is called {name:?}"))),
            }
        }
    };
}

functions! {
    None, "" => self::{all}
    None, game_tree() => brouwer::positions::{
        counts_to, leaves, recurrence_for_f, replies, two_row_opening, unique_p
    }
    None, recurrence() => brouwer::positions::{column_distinct, constant_rows, off_diagonal, table}
    None, RECORDS => brouwer::rows::{
        diagonal_above, ends_increase, only_periods, patterns, period_list, periods, row,
        rows_of_kinds, top_square_loses, winning_openings
    }
    None, "row records" => brouwer::sequences::{
        at_least_third, beyond_earlier, count_below, followed, linear_bound, no_decrease, ratio, terms
    }
    None, "row records; frequencies as fractions, rounded to nearest"
        => brouwer::sequences::{differences}
    None, "row records; distances from the line compared in integers"
        => brouwer::sequences::{extremes, strip, width}
    Some(Costly::Cells), "every cell of the rows, as the sweep decides it" => brouwer::cells::{
        bound, diagonal_largest, diagonal_occurs, end_is_minimum, end_occurs, minima_after_ends,
        minima_columns, minima_rise
    }
    None, SEARCH => brouwer::posets::{
        bipartite, bites, forests, lost_if, solids, subsets_before, subsets_if
    }
    None, "all bites of every position" => brouwer::posets::{two_by_two}
    None, "an order isomorphism, found by search, of the divisors by trial division"
        => brouwer::posets::{divisors, factored}
    Some(Costly::Posets), SEARCH => brouwer::posets::{searched, subsets_just_if}
    None, "the map on sheets; distances from the lines compared in integers"
        => brouwer::boards::{three_lines}
    None, solved() => brouwer::boards::{
        corner_loses, grundy_values, number_of_openings, square_opening
    }
    None, game_tree() => zeilberger::moves::{implied, legal_moves, predecessors}
    None, "all bites of every position"
        => zeilberger::recurrences::{fundamental_recurrence, implied_winners}
    None, "the recurrence, on all small cases"
        => zeilberger::recurrences::{bounded, posteriori_bound}
    None, "by definition" => zeilberger::recurrences::{mex, mex_of_multiples}
    None, "the literal recurrence, proved" => zeilberger::recurrences::{
        continued_fraction, crucial_facts, decimals, instant_winners, scheme
    }
    None, format!("rows 0 to {LEVEL_ROWS} of levels 0 to {LEVEL} by the literal recurrence, proved")
        => zeilberger::{families_of_kinds, larger_periods, levels_of_kinds}
    None, RECORDS => zeilberger::{largest_period, rare, take_over}
    None, game_tree() => cho::{blocked, top_row_one}
    None, solved() => cho::boards::{
        any_two, bite, board_outcomes, boards_blocked, family_blocked, fewest_squares,
        first_not_trivial, opening_move, openings, p_position_boards, rules_suffice
    }
    None, format!("all positions of 4x{SIDE}") => garg::{last_rows, shared_tail}
    None, solved() => garg::{unique_last_row}
    None, "the periods of all row records" => garg::{period_divisible}
    Some(Costly::FourRows), SIEVE => garg::medians::{
        family_median, gap, high_share, medians, quadratic, separated
    }
    Some(Costly::FourRows), SIEVE => garg::triples::{
        accuracy, chi_squared, extending, four_row_positions, growth, peak, strongest, three_rows
    }
    None, "row records" => nguyen::{successive_columns, two_scales, words_of_ends}
    None, solved() => padhi::{parity, staircase}
}

const SIEVE: &str = "all P-positions of four rows, by a sieve";

const RECORDS: &str = "row records, each with its certificate or computed to its end";

fn game_tree() -> String {
    format!("game tree of all positions with p <= {TREE}")
}

fn solved() -> String {
    format!("all positions of {SIDE}x{SIDE}")
}

/// All of these hold, which have the same method.
fn all(evidence: &Evidence, (tests,): (Vec<Test>,)) -> Finding {
    let mut findings: Vec<Finding> = tests.iter().map(|test| test.examine(evidence)).collect();
    let refuted = findings.iter().position(|finding| !finding.holds());
    findings.swap_remove(refuted.unwrap_or(0)).with(String::new())
}
