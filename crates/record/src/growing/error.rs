//! Why a text describes no poset beside two growing chains.

use thiserror::Error;

/// Heights of chains that a relation may name.
pub(super) const LARGEST_HEIGHT: u64 = 10_000;

/// The most finite elements.
pub(super) const MOST_ELEMENTS: usize = 10_000;

/// The longest name of an element.
pub(super) const LONGEST_NAME: usize = 40;

/// Why a text describes no poset beside two growing chains.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GrowingPosetError {
    /// A line in another form.
    #[error(
        "line {line}: {text:?} is no relation; give one a line, such as a < b, d[3] < a or \
         c[i] < d[i+1], or an element alone"
    )]
    Line {
        /// The line, from 1.
        line: usize,
        /// Its text.
        text: String,
    },
    /// A name with characters that it may not have, or one too long.
    #[error(
        "line {line}: {name:?} is no name; names are 1 to {LONGEST_NAME} visible ASCII characters, \
         without < # [ ] , \" and \\"
    )]
    Name {
        /// The line, from 1.
        line: usize,
        /// The name.
        name: String,
    },
    /// A height out of range.
    #[error(
        "line {line}: {text:?} is no element of a chain; heights go from 1 to {LARGEST_HEIGHT}"
    )]
    Height {
        /// The line, from 1.
        line: usize,
        /// The text.
        text: String,
    },
    /// A line with the letter i that is no rule of the chains, or a second rule.
    #[error(
        "line {line}: {text:?} is not the rule of the two chains; it has the form c[i] < d[i], \
         c[i] < d[i+2] or c[i] < d[i-2], and is given once"
    )]
    Rule {
        /// The line, from 1.
        line: usize,
        /// The text.
        text: String,
    },
    /// Too many elements.
    #[error("there are more than {MOST_ELEMENTS} finite elements; give fewer")]
    TooLarge,
    /// The relations contain a circle.
    #[error("the relations go round in a circle: {0}; in an order no element is below itself")]
    Cycle(String),
    /// An element of d below one of c.
    #[error(
        "{0}: an element of chain d is below one of chain c, and in a family none may be; if no \
         element of c is below one of d, exchange the names of the chains"
    )]
    DBelowC(String),
}
