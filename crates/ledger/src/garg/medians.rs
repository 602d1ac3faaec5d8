//! Claims about the medians of b/a, c/a and d/a, and about the two families of a that they show.
//! All P-positions come from the sieve of `boards`.

use boards::four_rows::{FourRows, Fraction, Lower};
use census::Decimal;

use super::share;
use crate::arguments::{Printed, Written};
use crate::evidence::Evidence;
use crate::verdict::{Finding, Found};

fn rounded(of: Fraction, places: u32) -> Decimal {
    Decimal::ratio(*of.numer(), *of.denom(), places)
}

/// Whether this is the fraction, rounded to its places.
fn is_printed(printed: &Decimal, exact: Fraction) -> bool {
    rounded(exact, printed.places()) == *printed
}

/// The medians of b/a, c/a and d/a, above < a <= to, rounded.
pub fn medians(evidence: &Evidence, (above, to, medians): (u16, u16, Vec<Printed>)) -> Found {
    let found = evidence.four_rows(to)?;
    let rows = [(Lower::Second, "b/a"), (Lower::Third, "c/a"), (Lower::Last, "d/a")];
    let parts = rows.into_iter().zip(medians).map(|((lower, name), Written(printed))| {
        let exact = found.median(lower, above + 1..=to, |_| true).expect("each a has positions");
        (is_printed(&printed, exact), format!("{name}: {}", rounded(exact, 5)))
    });
    Ok(Finding::all(parts, ", "))
}

/// The percentage of the a <= to that are HIGH, rounded.
pub fn high_share(evidence: &Evidence, (to, percent): (u16, Printed)) -> Found {
    let found = evidence.four_rows(to)?;
    let is_high = |&a: &u16| !found.of(a).is_low();
    let high = (1..=to).filter(is_high).count() as u64;
    Ok(share(high, to.into(), &percent, "a are HIGH"))
}

/// The median of d/a for the positions with this a.
fn median(found: &FourRows, a: u16) -> Fraction {
    found.median(Lower::Last, a..=a, |_| true).expect("each a has positions")
}

/// The median of these.
fn middle(mut fractions: Vec<Fraction>) -> Option<Fraction> {
    fractions.sort_unstable();
    let last = fractions.len().checked_sub(1)?;
    let [one, other] = [last / 2, last.div_ceil(2)].map(|place| fractions[place]);
    Some((one + other) / 2)
}

/// The median, over the a that are LOW or over the others, above < a <= to, of the medians of d/a
/// for each a, rounded.
pub fn family_median(
    evidence: &Evidence,
    (low, above, to, Written(printed)): (bool, u16, u16, Printed),
) -> Found {
    let found = evidence.four_rows(to)?;
    let of_family = (above + 1..=to).filter(|&a| found.of(a).is_low() == low);
    let Some(exact) = middle(of_family.map(|a| median(found, a)).collect()) else {
        return Ok(Finding::found(false, "the family is empty".to_owned()));
    };
    Ok(Finding::found(is_printed(&printed, exact), rounded(exact, 6).to_string()))
}

/// For any two a >= from, the median of d/a is larger for HIGH than for LOW.
pub fn separated(evidence: &Evidence, (from,): (u16,)) -> Found {
    let found = evidence.four_rows(0)?;
    let [Some((high_at, high)), Some((low_at, low))] = found.extreme_medians(from..=found.to())
    else {
        return Ok(Finding::found(false, "a family is empty".to_owned()));
    };
    let how = || (high_at.max(low_at).into(), format!("a = {high_at} and {low_at}"));
    let failure = (high <= low).then(how);
    let [high, low] = [high, low].map(|of| rounded(of, 4));
    let figure = format!("medians from a = {from}: HIGH at least {high}, LOW at most {low}");
    Ok(Finding::to(found.to().into(), failure).with(figure))
}

/// The least median of d/a of a HIGH a, less the largest of a LOW one, from <= a <= to, rounded.
pub fn gap(evidence: &Evidence, (from, to, Written(printed)): (u16, u16, Printed)) -> Found {
    let found = evidence.four_rows(to)?;
    let [Some((high_at, high)), Some((low_at, low))] = found.extreme_medians(from..=to) else {
        return Ok(Finding::found(false, "a family is empty".to_owned()));
    };
    if high < low {
        return Ok(Finding::found(false, "the families overlap".to_owned()));
    }
    let gap = high - low;
    let [between, high, low] = [gap, high, low].map(|of| rounded(of, 4));
    let high = format!("HIGH at least {high} (a = {high_at})");
    let figure = format!("{between}: {high}, LOW at most {low} (a = {low_at})");
    Ok(Finding::found(is_printed(&printed, gap), figure))
}

/// The unit in which medians are compared: 10^-9.
const UNIT: i128 = 1_000_000_000;

/// `p·x² + q·xy + r·y² + s·x + t·y + u`, times `UNIT²`.
fn sides_apart([p, q, r, s, t, u]: [i128; 6], (x, y): (i128, i128)) -> i128 {
    p * x * x + q * x * y + r * y * y + UNIT * (s * x + t * y) + UNIT * UNIT * u
}

/// All lists of coefficients up to sign, with one at least of a quadratic term.
fn relations(most: i64) -> impl Iterator<Item = [i128; 6]> {
    let side = u32::try_from(2 * most + 1).expect("few coefficients");
    let all = (0..side.pow(6)).map(move |number| {
        let digit = |place: u32| i128::from(number / side.pow(place) % side) - i128::from(most);
        [0, 1, 2, 3, 4, 5].map(digit)
    });
    let is_quadratic = |of: &[i128; 6]| of[..3].iter().any(|own| *own != 0);
    all.filter(move |of| is_quadratic(of) && of.iter().find(|own| **own != 0) > Some(&0))
}

/// In each family some quadratic relation with integer coefficients, at most `most`, holds for the
/// medians of b/a and c/a, 0.9n < a <= n, both for two thirds of the largest n and for that n. It
/// holds if the difference of its sides is less than a unit in the decimal place `places`.
pub fn quadratic(evidence: &Evidence, (most, places): (i64, u32)) -> Found {
    let limit = UNIT * UNIT / 10_i128.pow(places);
    let apart = |of: &[i128; 6], at| sides_apart(*of, at).abs();
    let decimal = |value: i128| {
        let value = u64::try_from(value).expect("less than 1");
        Decimal::ratio(value, u64::try_from(UNIT).expect("small"), 5)
    };
    let found = evidence.four_rows(0)?;
    let (first, last) = (found.to() / 3 * 2, found.to());
    let parts = [("HIGH", false), ("LOW", true)].map(|(name, low)| {
        let medians = |to: u16| {
            let median = |lower| {
                let of = found.median(lower, to / 10 * 9 + 1..=to, |of| of.is_low() == low);
                let of = of.expect("both families have members");
                let [part, whole] = [*of.numer(), *of.denom()].map(i128::from);
                (2 * UNIT * part + whole) / (2 * whole)
            };
            (median(Lower::Second), median(Lower::Third))
        };
        let [before, at] = [first, last].map(medians);
        let right = relations(most).any(|of| apart(&of, before) < limit && apart(&of, at) < limit);
        let nearest = relations(most).min_by_key(|of| apart(of, before)).expect("there are some");
        let [x, y] = [at.0, at.1].map(decimal);
        let [by, then] = [before, at].map(|at| decimal(apart(&nearest, at) / UNIT));
        let words = format!(
            "{name}: b/a {x}, c/a {y} for n = {last}; the relation {nearest:?} that is nearest for \
             n = {first}, by {by}, fails by {then} for n = {last}"
        );
        (right, words)
    });
    Ok(Finding::all(parts, "; "))
}
