//! The document.

use std::fmt;

use textwrap::{Options, WordSplitter};

use crate::learn::Values;
use crate::quantities::Rows;

/// The conjectures, and those that failed.
pub struct Report<'a>(pub &'a Rows);

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Rows { learned, read, values, ranges, lists, .. } = self.0;
        writeln!(f, "# Conjectures\n")?;
        writeln!(
            f,
            "Learned from rows 0 to {learned}, and tested on rows {} to {}.",
            learned + 1,
            read - 1
        )?;
        writeln!(f, "F(r) is the number of finite rows below row r, E(c) the end of row c.\n")?;
        let lists: Vec<_> = lists.iter().map(|(name, lists)| (name, lists.conjectures())).collect();
        let of_lists: usize = lists.iter().map(|(_, conjectures)| conjectures.len()).sum();
        let tried = values.len() + ranges.len() + of_lists;
        let refuted = values.values().filter(|it| it.refuted.is_some()).count()
            + ranges.values().filter(|it| it.refuted.is_some()).count()
            + lists.iter().flat_map(|(_, all)| all).filter(|(_, row)| row.is_some()).count();
        writeln!(f, "Tried: {tried}. Failed: {refuted}.\n")?;
        writeln!(f, "## The quantity takes only these values\n")?;
        writeln!(f, "| quantity | values | fails |\n|---|---|---|")?;
        for (name, values) in values {
            let fails = values.refuted.map(|(row, value)| format!("row {row}: {value}"));
            writeln!(f, "| {name} | {} | {} |", set(values), fails.unwrap_or_default())?;
        }
        writeln!(f, "\n## D(r) stays in its range\n")?;
        writeln!(f, "| rows | range | fails |\n|---|---|---|")?;
        for (name, range) in ranges {
            let learned = range
                .learned
                .map(|(least, greatest)| format!("{} to {}", least.decimal(), greatest.decimal()));
            let fails = range.refuted.map(|(row, value)| format!("row {row}: {}", value.decimal()));
            let [learned, fails] = [learned, fails].map(Option::unwrap_or_default);
            writeln!(f, "| {name} | {learned} | {fails} |")?;
        }
        for (name, conjectures) in lists {
            writeln!(f, "\n## Successive terms of {name} that do not occur\n")?;
            writeln!(f, "The lists without the first term, and without the last one, occur.\n")?;
            writeln!(
                f,
                "| terms | number | failed | those that failed, with the row |\n|---|---|---|---|"
            )?;
            for length in 2..=5 {
                let all = || conjectures.iter().filter(|(list, _)| list.len() == length);
                let failed: Vec<String> = all()
                    .filter_map(|(list, row)| row.map(|row| format!("{} ({row})", words(list))))
                    .collect();
                let shown = failed.iter().take(8).cloned().collect::<Vec<_>>().join(", ");
                let more = if failed.len() > 8 { ", ..." } else { "" };
                writeln!(f, "| {length} | {} | {} | {shown}{more} |", all().count(), failed.len())?;
            }
            let two: Vec<String> = conjectures
                .iter()
                .filter(|(list, row)| list.len() <= 3 && row.is_none())
                .map(|(list, _)| words(list))
                .collect();
            if two.len() <= 40 {
                let text =
                    format!("Those of two and three terms that survive: {}.", two.join(", "));
                let options = Options::new(100).word_splitter(WordSplitter::NoHyphenation);
                writeln!(f, "\n{}", textwrap::fill(&text, options))?;
            }
        }
        Ok(())
    }
}

/// The values, as a range if there is no gap.
fn set(values: &Values) -> String {
    let learned = &values.learned;
    let (Some(&least), Some(&greatest)) = (learned.first(), learned.last()) else {
        return String::new();
    };
    if (least..=greatest).all(|value| learned.contains(&value)) && learned.len() > 2 {
        return format!("{least} to {greatest}");
    }
    learned.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

fn words(list: &[i64]) -> String {
    list.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}
