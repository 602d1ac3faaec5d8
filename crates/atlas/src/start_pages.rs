//! The first page of the atlas, and the page of the verdicts.

use crate::html::{Page, SOURCE, Safe};
use crate::inputs::Inputs;
use crate::lists::Lists;
use crate::verdict::hash;

/// `index.html`.
pub(crate) fn index(inputs: &Inputs, lists: &Lists, pages: usize) -> String {
    let (every, last) = (inputs.in_browser.last_row(), inputs.data.last_row());
    let (data, search) = (hash(inputs.data.manifest()), search(inputs));
    let verdicts = inputs.verdicts.iter().map(|verdict| {
        format!("<li><b>{}.</b> Assumed: {}\n", verdict.title(), Safe(verdict.assumed()))
    });
    let body = format!(
        "<p class=\"lead\">Chomp is a game of two players on a bar of chocolate; this atlas is \
         about bars of three rows. For each length r of the bottom row, the positions (p,q,r) that \
         the player to move loses form row r: the offsets p − q end, or they repeat for ever. Each \
         page has one row, with the record that describes all of it, a proof that can be checked, \
         and the reason of its period.</p>\n{search}\
         <h2>By period</h2>\n<p>{pages} rows have a page: each of rows 0 to {every}, and each of \
         rows 0 to {last} whose period exceeds 2.</p>\n{periods}\
         <h2>By word</h2>\n<p>The word of a row says which rows just below it are periodic, and \
         which of them move; it decides the period.</p>\n{words}\
         <h2>Completeness</h2>\n<ul>\n{verdicts}</ul>\n<p><a href=\"completeness.html\">The \
         verdicts in full</a>, and what they mean.</p>\n\
         <h2>Cite</h2>\n<p>Cite a row by its page, whose address stays, and by the hash of the \
         data set, which identifies all records: Row 120 of three-rowed Chomp, \
         <code>rows/120.html</code> in the atlas of the data set <code>{data}</code>.</p>\n\
         <h2>Source</h2>\n<p>The program, its proofs and this atlas: <a \
         href=\"{SOURCE}\">{SOURCE}</a>. The records of rows 0 to {every}: <a \
         href=\"data/MANIFEST.ron\">MANIFEST.ron</a> and the segments that it lists.</p>\n",
        periods = lists.period_table(last),
        words = lists.word_table(),
        verdicts = verdicts.collect::<String>(),
    );
    let title = "Rows of three-rowed Chomp";
    let about = "Each row of three-rowed Chomp: its picture, why it has its period, and the proof.";
    Page { root: "", title, about, script: Some("search.js"), links: "", body: &body }.to_string()
}

fn search(inputs: &Inputs) -> String {
    let others = match inputs.archive {
        Some(archive) => format!(
            " The record of any other row to {} comes from the archive of the data set, a few \
             kilobytes of it.",
            archive.last
        ),
        None => String::new(),
    };
    let last = inputs.data.last_row();
    format!(
        "<form id=\"search\"><label>Row, or a sequence <input id=\"number\" size=\"20\" \
         value=\"120\" autocomplete=\"off\" spellcheck=\"false\"></label> <button type=\"submit\" \
         disabled>Show the row</button> <button type=\"submit\" value=\"find\" disabled>Find rows with \
         it</button></form>\n<p class=\"note\">Rows with a page open at once.{others} A pattern, a \
         period, a start, a last column, or offsets that repeat are searched in rows 0 to {last}, \
         offsets before the start in rows 0 to 10000.</p>\n<p id=\"said\" class=\"note\" \
         role=\"status\"></p>\n<div id=\"found\" class=\"answer\"></div>\n"
    )
}

/// `completeness.html`: the verdicts, word for word.
pub(crate) fn completeness(inputs: &Inputs, pages: usize) -> String {
    let (every, last) = (inputs.in_browser.last_row(), inputs.data.last_row());
    let verdicts = inputs.verdicts.iter().map(|verdict| {
        format!(
            "<h2>{}</h2>\n<pre class=\"broken\">{}</pre>\n",
            verdict.title(),
            Safe(verdict.words.trim_end())
        )
    });
    let verdicts: String = verdicts.collect();
    let verdicts = if verdicts.is_empty() { "<p>There is none.</p>\n" } else { &verdicts };
    let body = format!(
        "<p>This atlas was made from a data set of rows 0 to {last}, with the hash \
         <code>{data}</code>. It has {pages} pages of rows: each of rows 0 to {every}, and each row \
         of the data set whose period exceeds 2. How far the data set is proved, the checker says \
         below, word for word. At depth <i>tails</i> it has verified the certificate of every \
         periodic row; at depth <i>heads</i> it has computed every offset again, and so every row \
         is verified as a whole.</p>\n{verdicts}",
        data = hash(inputs.data.manifest()),
    );
    let about = "How far the rows of this atlas are proved, in the words of the checker.";
    Page { root: "", title: "Completeness", about, script: None, links: "", body: &body }
        .to_string()
}
