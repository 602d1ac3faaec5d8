//! Rows as tables of HTML, for notebooks.

use ask::{Detail, RowInWords};
use driver::Record;

/// The description of a row. It has no characters with a meaning in HTML.
pub fn row(record: &Record) -> String {
    let said = RowInWords::of(&record.clone().into(), Detail::Brief);
    let lines: String = said.entries.iter().map(|entry| line(entry.name, &entry.lines)).collect();
    let title = said.title.replacen("row", "Row", 1);
    format!("<table><caption>{title}</caption><tbody>{lines}</tbody></table>")
}

/// Lines of a table, with dots after this many.
pub fn table(
    title: &str,
    columns: &[String],
    lines: &[Vec<String>],
    dots: Option<usize>,
) -> String {
    let cells = |kind: &str, cells: &[String]| {
        let cells = cells.iter().map(|cell| format!("<{kind}>{}</{kind}>", escaped(cell)));
        format!("<tr>{}</tr>", cells.collect::<String>())
    };
    let mut shown: Vec<String> = lines.iter().map(|line| cells("td", line)).collect();
    if let Some(after) = dots {
        shown.insert(after, cells("td", &vec!["…".to_owned(); columns.len()]));
    }
    format!(
        "<table><caption>{}</caption><thead>{}</thead><tbody>{}</tbody></table>",
        escaped(title),
        cells("th", columns),
        shown.concat()
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn line(name: &str, lines: &[String]) -> String {
    format!(
        "<tr><th scope=\"row\" style=\"text-align:left\">{name}</th>\
         <td style=\"text-align:left\">{}</td></tr>",
        lines.join("<br>")
    )
}
