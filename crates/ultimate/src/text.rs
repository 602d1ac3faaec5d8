//! Reading the printed forms: a cursor over the text, and the error with its place.
//!
//! The grammar of each type stands with the type.

use std::fmt;

/// A text is not the printed form of a value of this type: the place, the expected and the found
/// token.
///
/// ```
/// let error = "[{4}, {2}][{3}".parse::<ultimate::SetSequence>().unwrap_err();
/// assert_eq!(error.to_string(), "at byte 14: expected `,` or `]`, found the end of the text");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ParseError(String);

/// What follows a list that repeats.
const FOR_EVER: &str = "`^∞` or `^oo`";

/// The part of a text not yet read. White space between tokens is skipped.
pub(crate) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        let mut cursor = Self { text, at: 0 };
        cursor.advance(0);
        cursor
    }

    /// The place of the next token.
    pub(crate) fn offset(&self) -> usize {
        self.at
    }

    pub(crate) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Passes these bytes, and the white space after them.
    fn advance(&mut self, bytes: usize) {
        self.at = self.text.len() - self.rest()[bytes..].trim_start().len();
    }

    pub(crate) fn eat(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        if found {
            self.advance(token.len());
        }
        found
    }

    pub(crate) fn end(&self) -> Result<(), ParseError> {
        if self.rest().is_empty() { Ok(()) } else { Err(self.error("the end of the text")) }
    }

    /// Decimal digits without sign, at most `largest`.
    pub(crate) fn number(&mut self, largest: u64) -> Result<u64, ParseError> {
        let digits = self.rest().find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest().len());
        match self.rest()[..digits].parse() {
            Ok(number) if number <= largest => {
                self.advance(digits);
                Ok(number)
            }
            _ => Err(self.error(format!("a number up to {largest}"))),
        }
    }

    /// The text after an opening bracket: items with commas between them, and the closing bracket.
    pub(crate) fn items<T>(
        &mut self,
        close: &str,
        item: impl Fn(&mut Self) -> Result<T, ParseError>,
    ) -> Result<Vec<T>, ParseError> {
        let mut items = Vec::new();
        if self.eat(close) {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if self.eat(close) {
                return Ok(items);
            }
            if !self.eat(",") {
                return Err(self.error(format!("`,` or `{close}`")));
            }
        }
    }

    /// A list in brackets, and whether it repeats for ever; then it is not empty.
    pub(crate) fn list<T>(
        &mut self,
        item: impl Fn(&mut Self) -> Result<T, ParseError>,
    ) -> Result<(Vec<T>, bool), ParseError> {
        if !self.eat("[") {
            return Err(self.error("`[`"));
        }
        let first_term = self.at;
        let list = self.items("]", item)?;
        match self.eat("^") {
            false => Ok((list, false)),
            true if list.is_empty() => Err(self.error_at(first_term, "a term")),
            true if self.eat("∞") || self.eat("oo") => Ok((list, true)),
            true => Err(self.error(FOR_EVER)),
        }
    }

    /// A list that repeats for ever.
    pub(crate) fn cycle<T>(
        &mut self,
        item: impl Fn(&mut Self) -> Result<T, ParseError>,
    ) -> Result<Vec<T>, ParseError> {
        let (list, repeats) = self.list(item)?;
        if repeats { Ok(list) } else { Err(self.error(FOR_EVER)) }
    }

    pub(crate) fn error(&self, expected: impl fmt::Display) -> ParseError {
        self.error_at(self.at, expected)
    }

    /// An error at an earlier place of the text.
    pub(crate) fn error_at(&self, offset: usize, expected: impl fmt::Display) -> ParseError {
        let rest = &self.text[offset..];
        let word = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
        let found = match rest.chars().next() {
            None => "the end of the text".to_owned(),
            Some(_) if word > 0 => {
                format!("`{}`", rest[..word].chars().take(24).collect::<String>())
            }
            Some(sign) => format!("`{sign}`"),
        };
        ParseError(format!("at byte {offset}: expected {expected}, found {found}"))
    }
}

/// Writes `open`, the items with commas between them, and `close`.
pub(crate) fn write_items<T: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    open: char,
    items: impl IntoIterator<Item = T>,
    close: char,
) -> fmt::Result {
    write!(f, "{open}")?;
    for (index, item) in items.into_iter().enumerate() {
        write!(f, "{}{item}", if index == 0 { "" } else { ", " })?;
    }
    write!(f, "{close}")
}
