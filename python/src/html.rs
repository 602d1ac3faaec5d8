//! Rows as tables of HTML, for notebooks.

use driver::{Detail, Record, RowInWords};

/// The description of a row. It has no characters with a meaning in HTML.
pub fn row(record: &Record) -> String {
    let said = RowInWords::of(&record.clone().into(), Detail::Brief);
    let lines: String = said.entries.iter().map(|entry| line(entry.name, &entry.lines)).collect();
    let title = said.title.replacen("row", "Row", 1);
    format!("<table><caption>{title}</caption><tbody>{lines}</tbody></table>")
}

fn line(name: &str, lines: &[String]) -> String {
    format!(
        "<tr><th scope=\"row\" style=\"text-align:left\">{name}</th>\
         <td style=\"text-align:left\">{}</td></tr>",
        lines.join("<br>")
    )
}
