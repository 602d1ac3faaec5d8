//! The page of a row.

use ask::{Detail, Language, RowInWords};
use cascade::why::Explanation;
use driver::{ProvedRow, Record};
use record::{Statement, joined, to_json};

use crate::figure;
use crate::html::{ADDRESS, Page, SOURCE, Safe, minus};
use crate::lists::{file_of_period, file_of_word};
use crate::verdict::Verdict;

/// The content of the page of a row.
pub(crate) struct RowPage<'a> {
    /// The record, with all offsets if they are known.
    pub(crate) record: &'a Record,
    pub(crate) why: Option<&'a Explanation>,
    /// The rows of the pages before and after this one.
    pub(crate) before: Option<u64>,
    pub(crate) after: Option<u64>,
    pub(crate) verdicts: &'a [Verdict],
    /// The hash of the data set.
    pub(crate) data: &'a str,
    /// Whether the site has all rows to this one, so that a browser can verify and draw it.
    pub(crate) in_browser: bool,
}

/// Where the browser draws all offsets.
const DRAWN: &str = "<figure class=\"figure\" id=\"full-figure\"></figure>\n\
                     <p class=\"caption\" id=\"full-caption\"></p>\n";

impl RowPage<'_> {
    pub(crate) fn html(&self) -> String {
        let row = self.record.row();
        let links = [("prev", "◀", self.before), ("next", "▶", self.after)];
        let links = links.iter().filter_map(|(rel, arrow, row)| {
            let row = (*row)?;
            Some(format!(" <a rel=\"{rel}\" href=\"{row}.html\">{arrow} {row}</a>"))
        });
        let parts = [
            self.picture(),
            self.lead(),
            self.reason(),
            self.verification(),
            self.texts(),
            self.offsets(),
            self.cite(),
            self.record(),
        ];
        Page {
            root: "../",
            title: &format!("Row {row}"),
            about: &self.about(),
            script: Some("row.js"),
            links: &links.collect::<String>(),
            body: &parts.concat(),
        }
        .to_string()
    }

    /// The row in a sentence.
    fn about(&self) -> String {
        let row = ProvedRow { record: self.record.clone(), classical: None };
        let title = RowInWords::of(&row, Detail::Brief).title.replacen("row", "Row", 1);
        let period = self
            .record
            .periodic()
            .map(|row| format!(", with period {} from column {} on", row.period(), row.start));
        format!("{title}{}, in three-rowed Chomp.", period.unwrap_or_default())
    }

    /// A sentence, with links to the lists that have the row.
    fn lead(&self) -> String {
        let row = self.record.row();
        let said = match self.record.statement() {
            Statement::Periodic(periodic) => {
                let (period, start) = (periodic.period(), periodic.start);
                let file = file_of_period(period);
                let word = self.why.map(|why| why.word.as_deref());
                let word = word.map_or_else(String::new, |word| {
                    let file = file_of_word(word);
                    format!("; word <a href=\"../{file}\">{}</a>", word.unwrap_or("none"))
                });
                format!(
                    "periodic, with period <a href=\"../{file}\">{period}</a> from column {start} \
                     on{word}"
                )
            }
            Statement::Finite(finite) => {
                let (file, last) = (file_of_period(0), finite.last);
                format!(
                    "<a href=\"../{file}\">finite</a>: its last P-position is ({last},{last},{row})"
                )
            }
            Statement::Empty { .. } => "empty".to_owned(),
        };
        format!("<p class=\"lead\" data-row=\"{row}\">Row {row} is {said}.</p>\n")
    }

    fn record(&self) -> String {
        let row = ProvedRow { record: self.record.clone(), classical: None };
        let entries = RowInWords::of(&row, Detail::Brief).entries;
        let entries = entries.iter().map(|entry| {
            let text = match entry.lines.as_slice() {
                [first, offsets @ ..] if entry.name == "head" && !offsets.is_empty() => {
                    let (first, offsets) = (Safe(first), minus(&offsets.join("\n")));
                    format!("{first}<pre tabindex=\"0\">{}</pre>", Safe(&offsets))
                }
                lines => Safe(&minus(&lines.join(" "))).to_string(),
            };
            format!("<dt>{}<dd>{text}\n", entry.name)
        });
        let periodic = self.record.periodic().filter(|_| self.record.head_offsets().is_none());
        let closed_form = periodic.map(|periodic| {
            let (row, values) = (periodic.row, joined(&periodic.values, ", "));
            let offsets = periodic.start - row;
            format!("<dt>closed form<dd>[{offsets} offsets][{values}]^∞, from q = {row} on\n")
        });
        let list = joined(entries.chain(closed_form), "");
        let record = self.record.abridged();
        let json = to_json(&record);
        format!(
            "<h2>Numbers and record</h2>\n<dl>\n{list}</dl>\n<pre class=\"broken\" \
             id=\"record\">{}</pre>\n<details><summary>The same as JSON</summary><pre \
             class=\"broken\">{}</pre></details>\n",
            Safe(&record.to_string()),
            Safe(&json)
        )
    }

    /// One period, drawn; of a finite row, what the browser draws.
    fn picture(&self) -> String {
        let Some(why) = self.why else { return DRAWN.to_owned() };
        let drawn = figure::period(why).map(|svg| {
            let hole =
                if why.holes.is_none() { ", ○ the hole where a row below blocks it" } else { "" };
            format!(
                "<div class=\"strip\" tabindex=\"0\" role=\"region\" aria-label=\"One period\">\
                 {svg}</div>\n<p class=\"caption\">● is the offset p − q that the row takes{hole}; \
                 rows below block the squares in grey. The mean is {}.</p>\n",
                why.mean
            )
        });
        drawn.unwrap_or_default()
    }

    /// Why it has its period: the conclusion first.
    fn reason(&self) -> String {
        let Some(why) = self.why else { return String::new() };
        let words = Safe(&minus(why.to_string().trim_end())).to_string();
        let (facts, so) = words.split_once("\n  so ").unwrap_or((&words, ""));
        let so = joined(so.split_whitespace(), " ");
        format!("<h2>Why</h2>\n<p>{so}</p>\n<pre class=\"broken whole\">{facts}</pre>\n")
    }

    /// f(q,r) for other programs: for all q if the offsets are known, else from the start on.
    fn texts(&self) -> String {
        let row = self.record.row();
        let (periodic, whole) = (self.record.periodic(), self.record.head_offsets().is_some());
        let note = match periodic {
            _ if whole => format!("f(q,{row}) for all q."),
            Some(periodic) => format!("f(q,{row}) for q from {} on.", periodic.start),
            None => format!("f(q,{row}) of a finite row is its list of offsets."),
        };
        let more = if whole || !self.in_browser {
            ""
        } else {
            " <a href=\"#offsets\">With all offsets</a>, your browser computes the texts for all q."
        };
        let texts = Language::ALL.into_iter().filter_map(|language| {
            let expression = match periodic {
                Some(periodic) if !whole => language.from_start(periodic),
                _ => language.expression(self.record).ok()?,
            };
            let (name, expression) = (language.name(), Safe(expression.trim_end()));
            Some(format!(
                "<details><summary>{name}</summary><pre class=\"broken\">{expression}</pre>\
                 </details>\n"
            ))
        });
        let texts = joined(texts, "");
        format!(
            "<h2>For other programs</h2>\n<div id=\"texts\"><p>{note}{more}</p>\n{texts}</div>\n"
        )
    }

    fn offsets(&self) -> String {
        if !self.in_browser {
            return String::new();
        }
        let row = self.record.row();
        let drawn = if self.why.is_some() { DRAWN } else { "" };
        format!(
            "<h2 id=\"offsets\">All offsets</h2>\n{drawn}<p>Your browser can compute row {row} again: it \
             draws every P-position, and writes f(q,{row}) for all q. <a \
             href=\"../page/index.html#row={row}\">The page</a> has its sheet, to move in.</p>\n<p \
             class=\"buttons\"><button type=\"button\" id=\"full\" disabled>Compute and draw</button> \
             <span id=\"full-said\" role=\"status\"></span></p>\n"
        )
    }

    /// The verdicts that cover the row, and the way to one of one's own.
    fn verification(&self) -> String {
        let row = self.record.row();
        let covering = self.verdicts.iter().filter(|verdict| verdict.covers(row));
        let covering = covering.map(|verdict| {
            format!(
                "<p><b>{}.</b> Assumed: {} <a href=\"../completeness.html\">The verdict in full</a>\
                 </p>\n",
                verdict.title(),
                Safe(verdict.assumed())
            )
        });
        let mut covering = joined(covering, "");
        if covering.is_empty() {
            "<p>No verdict of the checker covers this row.</p>\n".clone_into(&mut covering);
        }
        let own = if self.in_browser {
            format!(
                "<p>Your browser can verify rows 0 to {row} itself: it fetches their records from \
                 this site, and a checker that shares no computation with the program that found \
                 them computes every offset again. It assumes nothing.</p>\n<p \
                 class=\"buttons\"><button type=\"button\" id=\"verify\" disabled>Verify in your \
                 browser</button></p>\n<div id=\"verdict\" class=\"answer\" \
                 role=\"status\"></div>\n"
            )
        } else {
            "<p>The rows to this one are too many for a browser; <code>chomp check DIR --heads\
             </code> verifies them.</p>\n"
                .to_owned()
        };
        format!("<h2>Verified</h2>\n{covering}{own}")
    }

    fn cite(&self) -> String {
        let (row, data, address) = (self.record.row(), self.data, ADDRESS.unwrap_or_default());
        let page = format!("{address}rows/{row}.html");
        let hash = blake3::hash(self.record.abridged().to_string().as_bytes());
        format!(
            "<h2>Cite</h2>\n<p>The Chomp authors, Row {row} of three-rowed Chomp, <code>{page}</code> \
             in the atlas of the data set <code>{data}</code>. The BLAKE3 hash of its record is \
             <code>{hash}</code>.</p>\n<details><summary>BibTeX</summary><pre \
             class=\"broken\">@misc{{chomp-row-{row},\n  author = {{{{The Chomp authors}}}},\n  \
             title = {{Row {row} of three-rowed Chomp}},\n  howpublished = {{\\url{{{SOURCE}}}}},\n  \
             note = {{{page} in the atlas of the data set {data}; BLAKE3 of the record: \
             {hash}}}\n}}</pre></details>\n"
        )
    }
}
