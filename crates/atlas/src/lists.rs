//! The rows that have a page, by period and by word.

use std::collections::BTreeMap;

use cascade::Word;
use cascade::why::Explanation;
use driver::Record;
use record::joined;

use crate::html::{Page, Safe, counted};

/// All rows of the data set, counted, and those that have a page.
#[derive(Default)]
pub(crate) struct Lists {
    /// By period; 0 stands for finite rows.
    periods: BTreeMap<u64, Period>,
    words: BTreeMap<Option<Word>, OfWord>,
}

#[derive(Default)]
struct Period {
    /// The number of rows of the data set.
    all: u64,
    pages: Vec<u64>,
}

#[derive(Default)]
struct OfWord {
    /// The number of pages of each period.
    periods: BTreeMap<u64, u64>,
    pages: Vec<u64>,
}

/// The file of a list by period; 0 stands for finite rows.
pub(crate) fn file_of_period(period: u64) -> String {
    match period {
        0 => "periods/finite.html".to_owned(),
        period => format!("periods/{period}.html"),
    }
}

/// The file of a list by word.
pub(crate) fn file_of_word(word: Option<&str>) -> String {
    format!("words/{}.html", word.unwrap_or("none").replace(':', "-"))
}

impl Lists {
    /// Counts a row of the data set.
    pub(crate) fn count(&mut self, record: &Record) {
        self.periods.entry(period_of(record)).or_default().all += 1;
    }

    /// Adds a row that has a page, with the reason of its period if it has one.
    pub(crate) fn add(&mut self, record: &Record, why: Option<&Explanation>) {
        let (row, period) = (record.row(), period_of(record));
        self.periods.entry(period).or_default().pages.push(row);
        if let Some(why) = why {
            let word = why.word.as_ref().map(|word| word.parse().expect("a row's word is a word"));
            let of_word = self.words.entry(word).or_default();
            *of_word.periods.entry(period).or_default() += 1;
            of_word.pages.push(row);
        }
    }

    /// The files of all lists, with their names.
    pub(crate) fn pages(&self, every: u64, last: u64) -> impl Iterator<Item = (String, String)> {
        let of_periods = self.periods.iter().filter(|(_, of)| !of.pages.is_empty());
        let of_periods = of_periods.map(move |(&period, of)| {
            let title = match period {
                0 => "Finite rows".to_owned(),
                period => format!("Rows of period {period}"),
            };
            let range = match period {
                0..=2 => format!("Those to row {every}, {} of them.", of.pages.len()),
                _ => format!("All to row {last}, {} of them.", of.pages.len()),
            };
            (file_of_period(period), list(&title, &range, &of.pages))
        });
        let of_words = self.words.iter().map(move |(word, of)| {
            let word = word.as_ref().map(ToString::to_string);
            let title = match &word {
                Some(word) => format!("Rows with the word {word}"),
                None => "Periodic rows without a word".to_owned(),
            };
            let range = format!(
                "Periods: {}. Of period 1 and 2 those to row {every}, of others all to row {last}.",
                of.periods()
            );
            (file_of_word(word.as_deref()), list(&title, &range, &of.pages))
        });
        of_periods.chain(of_words)
    }

    /// A table of periods, with links to their lists.
    pub(crate) fn period_table(&self, last: u64) -> String {
        let lines = self.periods.iter().map(|(&period, of)| {
            let name = if period == 0 { "finite".to_owned() } else { period.to_string() };
            let (file, pages, all) = (file_of_period(period), of.pages.len(), of.all);
            let name = match of.pages.first() {
                Some(_) => format!("<a href=\"{file}\">{name}</a>"),
                None => name,
            };
            let first = of.pages.first().map_or_else(String::new, |row| link("rows/", *row));
            format!("<tr><td>{name}<td>{all}<td>{pages}<td>{first}\n")
        });
        table(&["period", &format!("rows to {last}"), "pages", "the first"], lines)
    }

    /// A table of words, with links to their lists.
    pub(crate) fn word_table(&self) -> String {
        let lines = self.words.iter().map(|(word, of)| {
            let word = word.as_ref().map(ToString::to_string);
            let file = file_of_word(word.as_deref());
            let name = word.as_deref().unwrap_or("none");
            let first = of.pages.first().map_or_else(String::new, |row| link("rows/", *row));
            let periods = of.periods();
            let pages = of.pages.len();
            format!(
                "<tr><td><a href=\"{file}\">{}</a><td>{pages}<td>{first}<td>{periods}\n",
                Safe(name)
            )
        });
        table(&["word", "pages", "the first", "periods"], lines)
    }

    /// The number of rows that have a page.
    pub(crate) fn number(&self) -> usize {
        self.periods.values().map(|of| of.pages.len()).sum()
    }
}

impl OfWord {
    fn periods(&self) -> String {
        let periods = self.periods.iter();
        joined(
            periods.map(|(period, number)| format!("{period} ({})", counted(*number, "page"))),
            ", ",
        )
    }
}

fn period_of(record: &Record) -> u64 {
    record.periodic().map_or(0, record::Periodic::period)
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
    Page { root: "../", title, about, script: None, links: "", body: &body }.to_string()
}
