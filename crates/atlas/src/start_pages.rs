//! The first page of the atlas, and the page of the verdicts.

use record::joined;

use crate::html::{Page, SOURCE, Safe};
use crate::inputs::Inputs;
use crate::lists::Lists;
use crate::verdict::hash;

/// `index.html`.
pub(crate) fn index(inputs: &Inputs, lists: &Lists) -> String {
    let last = inputs.data.last_row();
    let others = inputs.archive.map_or(String::new(), |archive| {
        let last = archive.last;
        format!(
            " The record of any other row to {last} comes from the archive of the data set, a few \
             kilobytes of it."
        )
    });
    let body = format!(
        include_str!("../assets/pages/index.html"),
        others = others,
        last = last,
        every = inputs.in_browser.last_row(),
        pages = lists.number(),
        periods = lists.period_table(last),
        words = lists.word_table(),
        verdicts = joined(inputs.verdicts.iter().map(|of| format!("<li>{}\n", of.brief())), ""),
        data = hash(inputs.data.manifest()),
        source = SOURCE,
    );
    let title = "Rows of three-rowed Chomp";
    let about = "Each row of three-rowed Chomp: its picture, why it has its period, and the proof.";
    Page { title, about, script: Some("search.js"), body: &body, ..Page::default() }.to_string()
}

/// `completeness.html`: the verdicts, word for word.
pub(crate) fn completeness(inputs: &Inputs, pages: usize) -> String {
    let verdicts = inputs.verdicts.iter().map(|verdict| {
        let (title, words) = (verdict.title(), Safe(verdict.words.trim_end()));
        format!("<h2>{title}</h2>\n<pre class=\"broken\">{words}</pre>")
    });
    let verdicts = joined(verdicts, "\n");
    let body = format!(
        include_str!("../assets/pages/completeness.html"),
        last = inputs.data.last_row(),
        every = inputs.in_browser.last_row(),
        pages = pages,
        data = hash(inputs.data.manifest()),
        verdicts = if verdicts.is_empty() { "<p>There is none.</p>" } else { &verdicts },
    );
    let about = "How far the rows of this atlas are proved, in the words of the checker.";
    Page { title: "Completeness", about, body: &body, ..Page::default() }.to_string()
}
