//! The rows that have a page, by period and by word.

use std::collections::BTreeMap;

use cascade::Word;
use cascade::why::Explanation;
use driver::Record;
use record::{Periodic, joined};

use crate::html::{Page, Safe};

/// What the rows of a list have in common.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// Their period; 0 stands for finite rows.
    Period(u64),
    /// Their word; periodic rows with several holes have none.
    Word(Option<Word>),
}

/// All rows of the data set, counted, and those that have a page.
#[derive(Default)]
pub(crate) struct Lists(BTreeMap<Kind, Rows>);

#[derive(Default)]
struct Rows {
    /// The number of rows of the data set; of a word, 0.
    all: u64,
    pages: Vec<u64>,
    /// The number of pages of each period.
    periods: BTreeMap<u64, u64>,
}

impl Kind {
    pub(crate) fn of_period(record: &Record) -> Self {
        Self::Period(record.periodic().map_or(0, Periodic::period))
    }

    pub(crate) fn of_word(why: &Explanation) -> Self {
        Self::Word(why.word.as_ref().map(|word| word.parse().expect("a row's word is a word")))
    }

    /// Its name in a table.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Period(0) => "finite".to_owned(),
            Self::Period(period) => period.to_string(),
            Self::Word(word) => word.as_ref().map_or("none".to_owned(), Word::to_string),
        }
    }

    /// The file of the list.
    pub(crate) fn file(&self) -> String {
        let folder = if matches!(self, Self::Period(_)) { "periods" } else { "words" };
        format!("{folder}/{}.html", self.name().replace(':', "-"))
    }

    /// A link to it from the folder `root`.
    pub(crate) fn link(&self, root: &str) -> String {
        format!("<a href=\"{root}{}\">{}</a>", self.file(), Safe(&self.name()))
    }
}

impl Lists {
    /// Counts a row of the data set.
    pub(crate) fn count(&mut self, record: &Record) {
        self.0.entry(Kind::of_period(record)).or_default().all += 1;
    }

    /// Adds a row that has a page, with the reason of its period if it has one.
    pub(crate) fn add(&mut self, record: &Record, why: Option<&Explanation>) {
        for kind in [Kind::of_period(record)].into_iter().chain(why.map(Kind::of_word)) {
            let rows = self.0.entry(kind).or_default();
            rows.pages.push(record.row());
            *rows.periods.entry(record.periodic().map_or(0, Periodic::period)).or_default() += 1;
        }
    }

    /// The files of all lists, with their names.
    pub(crate) fn pages(&self, every: u64, last: u64) -> impl Iterator<Item = (String, String)> {
        self.0.iter().filter(|(_, of)| !of.pages.is_empty()).map(move |(kind, of)| {
            let number = of.pages.len();
            let title = match kind {
                Kind::Period(0) => "Finite rows".to_owned(),
                Kind::Period(period) => format!("Rows of period {period}"),
                Kind::Word(None) => "Periodic rows without a word".to_owned(),
                Kind::Word(Some(word)) => format!("Rows with the word {word}"),
            };
            let range = match kind {
                Kind::Period(0..=2) => format!("Those to row {every}, {number} of them."),
                Kind::Period(_) => format!("All to row {last}, {number} of them."),
                Kind::Word(_) => format!(
                    "Periods: {}. Of period 1 and 2 those to row {every}, of others all to row \
                     {last}.",
                    of.periods()
                ),
            };
            (kind.file(), list(&title, &range, &of.pages))
        })
    }

    /// A table of periods, with links to their lists.
    pub(crate) fn period_table(&self, last: u64) -> String {
        let lines = self.0.range(..Kind::Word(None)).map(|(kind, of)| {
            let name = if of.pages.is_empty() { kind.name() } else { kind.link("") };
            format!("<tr><td>{name}<td>{}<td>{}<td>{}\n", of.all, of.pages.len(), of.first())
        });
        table(&["period", &format!("rows to {last}"), "pages", "the first"], lines)
    }

    /// A table of words, with links to their lists.
    pub(crate) fn word_table(&self) -> String {
        let lines = self.0.range(Kind::Word(None)..).map(|(kind, of)| {
            let (link, pages, first) = (kind.link(""), of.pages.len(), of.first());
            format!("<tr><td>{link}<td>{pages}<td>{first}<td>{}\n", of.periods())
        });
        table(&["word", "pages", "the first", "periods"], lines)
    }

    /// The number of rows that have a page.
    pub(crate) fn number(&self) -> usize {
        self.0.range(..Kind::Word(None)).map(|(_, of)| of.pages.len()).sum()
    }
}

impl Rows {
    fn periods(&self) -> String {
        let plural = |number| if number == 1 { "" } else { "s" };
        let words = |(period, &number)| format!("{period} ({number} page{})", plural(number));
        joined(self.periods.iter().map(words), ", ")
    }

    /// A link to the first page.
    fn first(&self) -> String {
        self.pages.first().map_or_else(String::new, |row| link("rows/", *row))
    }
}

fn link(folder: &str, row: u64) -> String {
    format!("<a href=\"{folder}{row}.html\">{row}</a>")
}

fn table(columns: &[&str], lines: impl Iterator<Item = String>) -> String {
    let names = joined(columns.iter().map(|name| format!("<th scope=\"col\">{name}")), "");
    let lines = joined(lines, "");
    format!("<div class=\"wide-table\"><table>\n<tr>{names}\n{lines}</table></div>\n")
}

fn list(title: &str, range: &str, rows: &[u64]) -> String {
    let links = joined(rows.iter().map(|&row| link("../rows/", row)), "\n");
    let body = format!("<p>{range}</p>\n<p class=\"rows\">\n{links}\n</p>\n");
    let about = &format!("{title} of three-rowed Chomp, each with its record and its proof.");
    Page { root: "../", title, about, body: &body, ..Page::default() }.to_string()
}
