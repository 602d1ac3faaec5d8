//! `chomp seq --oeis`: a draft of an entry for the OEIS, in its internal format.

use std::ops::ControlFlow;

use driver::{DataSet, Error, NamedSequence, Sequence, TermsFrom};
use terminal::Watcher;

/// The most characters of all terms in an entry, with commas and spaces.
const MOST_CHARACTERS: usize = 260;

/// The most words for an entry: each takes more than twice the time of the one before, and 20 of
/// the first sequence take a fifth of a second.
const MOST_WORDS: u64 = 20;

/// The most characters on a line of terms.
const LINE: usize = 80;

/// The comments that the OEIS needs with every sequence of rows.
const GAME: &[&str] = &[
    "In Chomp, a position (p,q,r) has rows of p >= q >= r squares. A bite takes a square and all \
     squares to the right of it and below it; who takes the top left square loses.",
    "For each bottom row r, the positions (p,q,r) that the previous player wins are finite in \
     number, or their offsets p - q, for q = r, r+1, ..., end in a pattern that repeats (Byrnes \
     2003). The period of row r is the least period of this pattern.",
];

/// The same for four rows.
const FOUR_ROWS: &[&str] = &[
    "In Chomp, a position (a,b,c,d) has rows of a >= b >= c >= d >= 0 squares. A bite takes a \
     square and all squares to the right of it and below it; who takes the top left square loses. \
     The term is the number of positions with the longest row of n squares that the previous \
     player wins.",
    "For each (a,b,c) at most one d makes (a,b,c,d) such a position.",
];

/// The same for the length of a game.
const TURNS: &[&str] = &[
    "In Chomp, two players take turns. A bite takes a square and all squares to the right of it and \
     below it; who takes the top left square loses. The player who can win chooses bites after \
     which the game takes as few turns as possible, the other one those after which it takes as \
     many as possible. The last turn takes the top left square.",
    "The first player wins, so all terms are even. a(n) >= 2*n for n >= 2: one player can take the \
     last square of row 1 each time, and no reply in row 1 wins.",
];

const LINKS: &[&str] = &[
    "A. E. Brouwer, <a href=\"https://www.win.tue.nl/~aeb/games/chomp.html\">The game of Chomp</a>",
    "A. E. Brouwer, G. Horváth, I. Molnár-Sáska and C. Szabó, On three-rowed Chomp, Integers 5 \
     (2005), #G07.",
    "S. Byrnes, Poset game periodicity, Integers 3 (2003), #G03.",
    "D. Zeilberger, Chomp, recurrences and chaos(?), J. Difference Equ. Appl. 10 (2004), 1281-1293.",
];

/// A sequence that the OEIS does not have: its title, a comment of its own, those of its game, and
/// related sequences.
type Draft = (String, Option<String>, &'static [&'static str], &'static str);

fn draft(sequence: &NamedSequence, data: Option<&DataSet>) -> Result<Draft, Error> {
    let related = "A029905 (rows of period 1), A147983 (rows of other periods).";
    let from = data.map(|data| {
        let last = data.last_row();
        format!("The terms follow from the rows 0 to {last}, each with a finite certificate.")
    });
    let of_rows = |title: &str| (title.to_owned(), from, GAME, related);
    let of_words = |title| {
        let comment = "The word of a row decides its pattern. Words are defined in the \
            documentation of the program; `chomp show --why R` prints the word of row R.";
        (title, Some(comment.to_owned()), GAME, "A029905, A147983.")
    };
    Ok(match sequence {
        NamedSequence::Rows(Sequence::Period(period)) => of_rows(&format!(
            "Numbers r such that the bottom row r of three-rowed Chomp has period {period}."
        )),
        NamedSequence::Rows(Sequence::NewPeriods) => of_rows(
            "Periods of the rows of three-rowed Chomp, in the order in which they first occur.",
        ),
        NamedSequence::Rows(Sequence::FirstRows) => {
            of_rows("Rows of three-rowed Chomp whose period no earlier row has.")
        }
        NamedSequence::Words(constants) => {
            of_words(format!("Period of a row of three-rowed Chomp with the word {constants}:A^n."))
        }
        NamedSequence::Pattern(word) => of_words(format!(
            "The pattern of a row of three-rowed Chomp with the word {word}, repeated."
        )),
        NamedSequence::FourRowCounts => {
            let title = "Number of P-positions (n,b,c,d) of Chomp, n >= b >= c >= d >= 0.";
            (title.to_owned(), None, FOUR_ROWS, "A395126 (the numbers d of all these positions).")
        }
        NamedSequence::GameLengths => {
            let title = "Number of turns of Chomp on a 3 X n board with best play.";
            (title.to_owned(), None, TURNS, "A029900, A069001 (Grundy values).")
        }
        NamedSequence::Rows(_)
        | NamedSequence::Boards(_)
        | NamedSequence::GrundyValues
        | NamedSequence::FourRows => {
            return Err(Error::usage("the OEIS has this sequence already"));
        }
    })
}

/// The entry of a sequence, with at most this number of terms.
///
/// # Errors
/// The OEIS has the sequence, or it has no terms here.
pub fn entry(sequence: &NamedSequence, wanted: u64, from: &TermsFrom) -> Result<String, Error> {
    let (title, comment, game, related) = draft(sequence, from.data)?;
    let terms = fitting(sequence, wanted, from)?;
    let first = terms.first().map_or(0, |(n, _)| *n);
    let above_1 = terms.iter().position(|(_, value)| value.abs() > 1).map_or(1, |at| at + 1);
    let mut lines = vec!["%I A000000".to_owned()];
    lines.extend("STU".chars().zip(data_lines(&terms)).map(|(tag, line)| field(tag, &line)));
    lines.push(field('N', &title));
    lines.extend(comment.map(|comment| field('C', &comment)));
    lines.extend(game.iter().map(|comment| field('C', comment)));
    lines.extend(LINKS.iter().map(|link| field('H', link)));
    let (made, options) = match from.data {
        Some(data) => (format!("chomp rows --to {} --out rows; ", data.last_row()), " --data rows"),
        None => (String::new(), ""),
    };
    let command = format!("{made}chomp seq {sequence} --terms {}{options}", terms.len());
    lines.push(field('o', &format!("(Other) # {command}")));
    lines.push(field('Y', &format!("Cf. {related}")));
    let sign = if terms.iter().any(|(_, value)| *value < 0) { "sign" } else { "nonn" };
    let is_whole = matches!(sequence, NamedSequence::Pattern(_));
    let more = if is_whole { "" } else { ",more" };
    lines.push(field('K', &format!("{sign}{more}")));
    lines.push(field('O', &format!("{first},{above_1}")));
    lines.push(field('A', "_NAME OF THE CONTRIBUTOR_, DATE"));
    Ok(lines.join("\n") + "\n")
}

/// As many terms as fit into an entry, of those that the rows or the words decide.
fn fitting(
    sequence: &NamedSequence,
    wanted: u64,
    from: &TermsFrom,
) -> Result<Vec<(u64, i128)>, Error> {
    let (mut terms, mut characters) = (Vec::new(), 0);
    let is_of_words = matches!(sequence, NamedSequence::Words(_));
    let wanted = if is_of_words { wanted.min(MOST_WORDS) } else { wanted };
    let found = sequence.terms(wanted, from, &Watcher::new()?, |n, value| {
        characters += value.to_string().len() + 2;
        if characters > MOST_CHARACTERS {
            return ControlFlow::Break(());
        }
        terms.push((n, value));
        ControlFlow::Continue(())
    });
    match found {
        Err(Error::Other { .. }) if !terms.is_empty() => Ok(terms),
        found => Ok(found.map(|()| terms)?),
    }
}

fn field(tag: char, text: &str) -> String {
    format!("%{tag} A000000 {text}")
}

/// At most three lines of terms; all but the last end in a comma.
fn data_lines(terms: &[(u64, i128)]) -> Vec<String> {
    let mut lines = vec![String::new()];
    for (at, (_, value)) in terms.iter().enumerate() {
        let comma = if at + 1 < terms.len() { "," } else { "" };
        let term = format!("{value}{comma}");
        let number = lines.len();
        let line = &mut lines[number - 1];
        if line.len() + term.len() > LINE && number < 3 {
            lines.push(term);
        } else {
            line.push_str(&term);
        }
    }
    lines
}
