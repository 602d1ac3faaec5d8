//! Two-rowed Chomp with instant winners, the macro Losers of Zeilberger's paper.

use clap::Args;
use driver::{Error, Losers, Proof, SetSequence, losers};
use num_bigint::BigUint;
use record::{Certificate, joined};
use serde::{Deserialize, Serialize};

use crate::input::{any_number, parsed};
use crate::objects::Told;
use crate::row_in_words::shortened;

/// Find the P-positions of two-rowed Chomp with instant winners, with a proof.
///
/// In Zeilberger's paper a position has a columns with two squares and b columns with one, and the
/// player who moves to an instant winner loses. The argument is a sequence of sets: member a, from
/// 0 on, is the set of the b of all instant winners with this a. A list in brackets comes first,
/// and a second one followed by ^∞ or ^oo repeats for ever. Two-rowed Chomp has `[{0}][{}]^∞`, as
/// there is no bite to the empty board.
///
/// Prints the losers, that is, the P-positions: for each a there is at most one b. The sequence of
/// these b either ends with 0, or repeats for ever. Then there are two proofs: the sequence
/// satisfies the recurrence up to its classical bound (fact 2 of the proofs), and a state recurs
/// (fact 3).
#[derive(Clone, Debug, Args, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[command(after_help = "Examples:\n  \
    chomp losers '[{0,1,2,3},{0,1,5}][{0,1}]^∞'  # the example of the paper\n  \
    chomp losers '[{0,1,2}]([{0}]^∞ ∪ [{2}, {}, {}]^∞)' --at 1000000")]
pub struct LosersOf {
    /// The instant winners, as a sequence of sets.
    #[arg(value_name = "SETS", value_parser = sets)]
    #[serde(deserialize_with = "parsed")]
    #[cfg_attr(
        feature = "schema",
        schemars(with = "String", example = "[{0,1,2,3},{0,1,5}][{0,1}]^∞")
    )]
    instant_winners: SetSequence,
    /// Print only the b of a = A, which may have any number of digits.
    #[arg(long, value_name = "A", value_parser = any_number, allow_hyphen_values = true,
        conflicts_with = "json")]
    #[serde(skip)]
    at: Option<BigUint>,
    /// Print the answer as JSON: `chomp help json`.
    #[arg(long)]
    #[serde(skip)]
    pub(crate) json: bool,
}

fn sets(text: &str) -> Result<SetSequence, String> {
    let example = "sets are typed as in [{0,1,2,3},{0,1,5}][{0,1}]^∞";
    text.parse().map_err(|error| format!("{error} ({example})"))
}

impl LosersOf {
    pub(crate) fn ask(&self) -> Result<Told, Error> {
        let found = losers(&self.instant_winners)?;
        let told = Told::of(losers_object(&self.instant_winners, &found), in_words(&found));
        let Some(a) = &self.at else { return Ok(told) };
        if let Some(loser) = found.get(a) {
            return Ok(Told { words: format!("{loser}\n"), ..told });
        }
        let last = found.members().head().len() - 1;
        let none = format!("there is no loser [{a},b]: the last loser is [{last},0]");
        Ok(Told { words: String::new(), ..told }.but(Error::nothing(none)))
    }
}

/// The losers of two-rowed Chomp with instant winners.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LosersObject<'a> {
    /// A state that recurs, by a; null if the sequence ends.
    certificate: Option<&'a Certificate>,
    /// The bound of fact 2 (e); null if the sequence ends.
    classical_bound: Option<String>,
    /// The `L_a` before those that repeat; all of them if the sequence ends.
    head: &'a [u64],
    /// The instant winners, as a sequence of sets.
    instant_winners: String,
    /// Whether the recurrence was computed up to the bound; null if the sequence ends.
    is_checked_to_bound: Option<bool>,
    /// The sequence of the `L_a`.
    losers: String,
    /// The `L_a` of one period; none if the sequence ends.
    values: &'a [u64],
}

/// The losers of two-rowed Chomp with these instant winners, as a JSON object.
pub fn losers_object<'a>(instant_winners: &SetSequence, found: &'a Losers) -> LosersObject<'a> {
    let (members, proof) = (found.members(), found.proof());
    LosersObject {
        certificate: proof.map(|proof| &proof.certificate),
        classical_bound: proof.map(|proof| proof.classical.bound.to_string()),
        head: members.head(),
        instant_winners: instant_winners.to_string(),
        is_checked_to_bound: proof.map(|proof| proof.classical.checked),
        losers: found.to_string(),
        values: members.periodic().map_or(&[], |sequence| sequence.cycle()),
    }
}

/// A state with more members is shortened.
const MOST: usize = 40;

fn in_words(found: &Losers) -> String {
    let Some(Proof { classical, certificate }) = found.proof() else {
        let last = found.members().head().len() - 1;
        return format!(
            "L = {found}\n\
             The last loser is [{last},0], for a bite from each [a,b] with a > {last} leaves it. All \
             losers were computed.\n"
        );
    };
    let bound = &classical.bound;
    let check = if classical.checked {
        format!("the recurrence gives these L_a for a = 0 to {bound}.")
    } else {
        "out of reach, so this proof is missing.".to_owned()
    };
    let mut state: Vec<u64> = (0..certificate.filled).collect();
    state.extend(&certificate.above);
    let (from, recurs) = (certificate.from, certificate.recurs);
    let (distance, modulus) = (recurs - from, &certificate.modulus);
    let state = if state.len() > MOST { shortened(&state, ", ") } else { joined(&state, ", ") };
    format!(
        "L = {found}\n\
         Classical bound max(a0, b0) + M + lcm(κ, ν) = {bound} (fact 2 of the proofs): {check}\n\
         Certificate (fact 3): before a = {from} and before a = {recurs} earlier losers block \
         {{{state}}}; the distance {distance} is a multiple of {modulus}, a period of those instant \
         winners from a = {from} on that matter.\n"
    )
}
