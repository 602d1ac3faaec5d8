//! The page of a row.

use ask::{Detail, Language, RowInWords};
use cascade::why::Explanation;
use driver::{ProvedRow, Record};
use figures::WhyPlot;
use record::{Statement, joined, to_json};

use crate::html::{ADDRESS, Page, SOURCE, Safe, minus};
use crate::lists::Kind;
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
        let record = self.record.abridged();
        let line = record.to_string();
        let proved = ProvedRow { record: self.record.clone(), classical: None };
        let words = RowInWords::of(&proved, Detail::Brief);
        let body = format!(
            include_str!("../assets/pages/row.html"),
            picture = self.picture(),
            row = row,
            said = self.said(),
            reason = self.reason(),
            verdicts = self.verdicts(),
            verify = self.verify(),
            note = self.note(),
            texts = joined(Language::ALL.into_iter().filter_map(|of| self.text(of)), ""),
            compute = self.compute(),
            page = format!("{}rows/{row}.html", ADDRESS.unwrap_or_default()),
            data = self.data,
            hash = blake3::hash(line.as_bytes()),
            source = SOURCE,
            entries = self.entries(&words),
            record = Safe(&line),
            json = Safe(&to_json(&record)),
        );
        Page {
            root: "../",
            title: &format!("Row {row}"),
            about: &self.about(&words),
            script: Some("row.js"),
            links: &links.collect::<String>(),
            body: &body,
        }
        .to_string()
    }

    /// The row in a sentence.
    fn about(&self, words: &RowInWords) -> String {
        let title = words.title.replacen("row", "Row", 1);
        let period = self
            .record
            .periodic()
            .map(|row| format!(", with period {} from column {} on", row.period(), row.start));
        format!("{title}{}, in three-rowed Chomp.", period.unwrap_or_default())
    }

    /// What it is, with links to the lists that have the row.
    fn said(&self) -> String {
        let kind = Kind::of_period(self.record);
        match self.record.statement() {
            Statement::Periodic(periodic) => {
                let word = self.why.map(|why| format!("; word {}", Kind::of_word(why).link("../")));
                format!(
                    "periodic, with period {} from column {} on{}",
                    kind.link("../"),
                    periodic.start,
                    word.unwrap_or_default()
                )
            }
            Statement::Finite(finite) => {
                let (link, row, last) = (kind.link("../"), finite.row, finite.last);
                format!("{link}: its last P-position is ({last},{last},{row})")
            }
            Statement::Empty { .. } => "empty".to_owned(),
        }
    }

    /// The row in words.
    fn entries(&self, words: &RowInWords) -> String {
        let entries = words.entries.iter().map(|entry| {
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
        joined(entries.chain(closed_form), "")
    }

    /// The row among the rows just below it; of a finite row, what the browser draws.
    fn picture(&self) -> String {
        let Some(why) = self.why else { return DRAWN.to_owned() };
        let drawn = WhyPlot::new(why.clone()).map(|plot| {
            let svg = plot.figure().svg_without_words();
            format!("<figure class=\"figure\" id=\"why-figure\">{}</figure>\n", svg.trim_end())
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

    /// For which q the texts give f(q,r): for all if the offsets are known, else from the start on.
    fn note(&self) -> String {
        let (row, whole) = (self.record.row(), self.record.head_offsets().is_some());
        let note = match self.record.periodic() {
            _ if whole => format!("f(q,{row}) for all q."),
            Some(periodic) => format!("f(q,{row}) for q from {} on.", periodic.start),
            None => format!("f(q,{row}) of a finite row is its list of offsets."),
        };
        let more = if whole || !self.in_browser {
            ""
        } else {
            " <a href=\"#offsets\">With all offsets</a>, your browser computes the texts for all q."
        };
        note + more
    }

    /// The row for another program; `None` of a finite row without its offsets.
    fn text(&self, language: Language) -> Option<String> {
        let expression = match self.record.periodic() {
            Some(periodic) if self.record.head_offsets().is_none() => language.from_start(periodic),
            _ => language.expression(self.record).ok()?,
        };
        let (name, expression) = (language.name(), Safe(expression.trim_end()));
        Some(format!(
            "<details><summary>{name}</summary><pre class=\"broken\">{expression}</pre></details>\n"
        ))
    }

    /// The verdicts that cover the row.
    fn verdicts(&self) -> String {
        let covering = self.verdicts.iter().filter(|verdict| verdict.covers(self.record.row()));
        let link = "<a href=\"../completeness.html\">The verdict in full</a>";
        match joined(covering.map(|of| format!("<p>{} {link}</p>\n", of.brief())), "") {
            none if none.is_empty() => "<p>No verdict of the checker covers this row.</p>\n".into(),
            verdicts => verdicts,
        }
    }

    /// The way to a verdict of one's own.
    fn verify(&self) -> String {
        if self.in_browser {
            return format!(include_str!("../assets/pages/verify.html"), row = self.record.row());
        }
        "<p>The rows to this one are too many for a browser; <code>chomp check DIR --heads</code> \
         verifies them.</p>\n"
            .to_owned()
    }

    /// What the browser computes and draws.
    fn compute(&self) -> String {
        if !self.in_browser {
            return String::new();
        }
        let drawn = if self.why.is_some() { DRAWN } else { "" };
        format!(
            include_str!("../assets/pages/compute.html"),
            row = self.record.row(),
            drawn = drawn,
        )
    }
}
