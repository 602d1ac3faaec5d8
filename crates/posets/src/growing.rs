//! Finite posets beside two growing chains, as texts with one relation a line.
//!
//! The chains are `c[1] < c[2] < ...` and `d[1] < d[2] < ...`; the line `c[i] < d[i]` relates them.
//! Such a text describes a family of Byrnes' theorem; `record::GrowingPoset` reads it.

use std::str::FromStr;

use crate::named::NamedPoset;
use crate::poset::{Poset, PosetError, entry};

/// The notation of each construction, and its meaning.
pub const GROWING: [(&str, &str); 6] = [
    (
        "tails A B ...",
        "Chomp with any number of rows; all but the two longest are within (A,B,...)",
    ),
    (
        "skew R K J",
        "three rows, the third of length R, where column i + K of the second row is the first above \
         column i of the longest, and column i + J of the third above column i of the second; K \
         and J may be negative; Chomp is skew R 0 0",
    ),
    (
        "product N POSET",
        "POSET times a chain that grows over the least element and over one that covers it, and \
         has N elements over each other one; N up to 1000",
    ),
    ("beside POSET", "POSET beside two heaps of Nim"),
    ("on POSET", "two-rowed Chomp, and POSET stands on the second row: its rank k on column k + 1"),
    ("under POSET", "POSET below two chains, which have no relation to each other"),
];

/// The longest third row, and the greatest shift and part of a tail.
const MOST_LENGTH: u64 = 10_000;

/// The longest finite chains of a product.
const MOST_HEIGHT: usize = 1000;

/// The poset beside two growing chains that a text of the form in [`GROWING`] names: its relations,
/// one a line.
///
/// # Errors
/// [`PosetError::Name`] if there is no such construction; another form, and a poset in it that does
/// not exist or is of no use there.
///
/// ```
/// use posets::growing;
/// assert_eq!(
///     growing("product 2 chains 3")?,
///     "c[i] < d[i]\nd[1] < (3)1\nd[2] < (3)2\n(3)1 < (3)2\n"
/// );
/// assert_eq!(growing("beside boolean 1")?, "{}\n1\n{} < 1\n");
/// assert!(growing("beside chain").is_err());
/// # Ok::<(), posets::PosetError>(())
/// ```
pub fn growing(text: &str) -> Result<String, PosetError> {
    let (name, usage, words) = entry(text, &GROWING, "construction")?;
    let hint = match name {
        "tails" => format!("they are numbers from 1 to {MOST_LENGTH}, and do not ascend"),
        "skew" => format!("they are numbers to {MOST_LENGTH}, and K and J may be negative"),
        "product" => format!("N is a number to {MOST_HEIGHT}"),
        _ => String::new(),
    };
    let wrong = || PosetError::not_of_form(text, usage, &hint);
    let lines = match (name, words.as_slice()) {
        ("tails", parts) => tails(&numbers(parts).ok_or_else(wrong)?).ok_or_else(wrong)?,
        ("skew", [length, shifts @ ..]) => match (length.parse(), numbers(shifts).as_deref()) {
            (Ok(length), Some(&[k, j])) => skew(length, k, j).ok_or_else(wrong)?,
            _ => return Err(wrong()),
        },
        (_, []) | ("product", [_]) => return Err(wrong()),
        ("product", [height, poset @ ..]) => {
            let height = height.parse().ok().filter(|height| *height <= MOST_HEIGHT);
            product(height.ok_or_else(wrong)?, &of_words(poset)?)?
        }
        ("beside", poset) => own_relations(&of_words(poset)?),
        ("on", poset) => on(&of_words(poset)?),
        (_, poset) => under(&of_words(poset)?),
    };
    Ok(lines.join("\n") + "\n")
}

fn numbers<T: FromStr>(words: &[&str]) -> Option<Vec<T>> {
    words.iter().map(|word| word.parse().ok()).collect()
}

/// A name in it that is not known is no name of a construction.
fn of_words(words: &[&str]) -> Result<Poset, PosetError> {
    let named = words.join(" ").parse().and_then(|named: NamedPoset| named.poset());
    named.map_err(|error| PosetError::Refused(error.to_string()))
}

/// A name without the characters that a description forbids.
fn name(poset: &Poset, element: usize) -> String {
    poset.name(element).replace(',', ".")
}

/// Each element by itself, so that they keep their order, and the covers.
fn own_relations(poset: &Poset) -> Vec<String> {
    let own = (0..poset.len()).map(|element| name(poset, element));
    let covers = poset.covers().map(|(a, b)| format!("{} < {}", name(poset, a), name(poset, b)));
    own.chain(covers).collect()
}

fn on(poset: &Poset) -> Vec<String> {
    let minimal_on_d =
        (0..poset.len()).map(|own| format!("d[{}] < {}", poset.rank(own) + 1, name(poset, own)));
    ["c[i] < d[i]".to_owned()].into_iter().chain(minimal_on_d).chain(own_relations(poset)).collect()
}

fn under(poset: &Poset) -> Vec<String> {
    let mut lines = own_relations(poset);
    for chain in ["c", "d"] {
        lines.extend((0..poset.len()).map(|own| format!("{} < {chain}[1]", name(poset, own))));
    }
    lines
}

/// Three rows, the second and the third shifted.
fn skew(length: u64, k: i64, j: i64) -> Option<Vec<String>> {
    if [length, k.unsigned_abs(), j.unsigned_abs()].into_iter().any(|own| own > MOST_LENGTH) {
        return None;
    }
    let mut lines = vec![match k {
        0 => "c[i] < d[i]".to_owned(),
        _ => format!("c[i] < d[i{k:+}]"),
    }];
    for z in 1..=length {
        let below = z.checked_add_signed(-j).filter(|below| *below > 0);
        lines.push(below.map_or(format!("r{z}"), |below| format!("d[{below}] < r{z}")));
        if z > 1 {
            lines.push(format!("r{} < r{z}", z - 1));
        }
    }
    Some(lines)
}

/// The squares of the rows below the two longest; `None` if these are no lengths of rows.
fn tails(parts: &[u64]) -> Option<Vec<String>> {
    let is_tail = parts.windows(2).all(|pair| pair[0] >= pair[1]) && !parts.contains(&0);
    if !is_tail || parts.iter().any(|part| *part > MOST_LENGTH) {
        return None;
    }
    let mut lines = vec!["c[i] < d[i]".to_owned()];
    for (row, &part) in (3..).zip(parts) {
        for z in 1..=part {
            let below = if row == 3 { format!("d[{z}]") } else { format!("{}.{z}", row - 1) };
            lines.push(format!("{below} < {row}.{z}"));
            if z > 1 {
                lines.push(format!("{row}.{} < {row}.{z}", z - 1));
            }
        }
    }
    Some(lines)
}

/// `poset` times a chain, over its least element and the first one that covers it without end.
fn product(height: usize, poset: &Poset) -> Result<Vec<String>, PosetError> {
    let least = (0..poset.len()).find(|own| poset.above(*own).len() == poset.len());
    let second = (0..poset.len()).find(|own| least.is_some_and(|a| poset.covered(*own) == [a]));
    let Some((least, second)) = least.zip(second) else {
        let needs = "a product needs a poset with a least element and one that covers it";
        return Err(PosetError::Refused(needs.to_owned()));
    };
    let at = |own: usize, z: usize| match own {
        _ if own == least => format!("c[{z}]"),
        _ if own == second => format!("d[{z}]"),
        _ => format!("{}{z}", name(poset, own)),
    };
    let mut lines = vec!["c[i] < d[i]".to_owned()];
    for own in (0..poset.len()).filter(|own| ![least, second].contains(own)) {
        for z in 1..=height {
            lines.extend(
                poset.covered(own).iter().map(|&a| format!("{} < {}", at(a, z), at(own, z))),
            );
        }
        lines.extend((2..=height).map(|z| format!("{} < {}", at(own, z - 1), at(own, z))));
    }
    Ok(lines)
}
