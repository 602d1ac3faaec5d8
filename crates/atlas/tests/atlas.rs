//! The site, built from small data sets, against what was published and against the data sets.

#![allow(clippy::disallowed_methods, reason = "tests open what they have made")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use atlas::{Archive, Built, Inputs, Verdict, build, hash};
use driver::{DataSet, Engine, Error, Record, Target, Task, records};
use serde_json::{Value, json};
use tempfile::TempDir;

/// Whether it failed with these words.
fn says<T>(outcome: &Result<T, Error>, words: &str) -> bool {
    outcome.as_ref().is_err_and(|error| error.to_string().contains(words))
}

/// A data set of rows 0 to `last`.
fn rows(folder: &Path, last: u64) -> DataSet {
    Engine::default().write(&Target::new(folder, last), &()).unwrap();
    DataSet::open(folder).unwrap()
}

/// The verdict of the checker, as `chomp check --json` prints it.
fn verdict(data_set: &DataSet, heads: bool) -> Value {
    let verified = records::verify_data_set(data_set, &Task { heads, ..Task::default() }, &());
    let verified = verified.unwrap();
    json!({
        "verdict": "verified",
        "depth": verified.depth,
        "rows": { "first": verified.first, "last": verified.last },
        "rows_not_checked": [],
        "assumed": verified.assumed(),
        "data": data_set.manifest().segments.last().unwrap().blake3,
        "words": verified.to_string(),
    })
}

/// The folder of a page with these files, which an atlas copies.
fn page(folder: &Path) -> PathBuf {
    let page = folder.join("page");
    fs::create_dir_all(&page).unwrap();
    for name in ["card.png", "index.html", "module.js"] {
        fs::write(page.join(name), name).unwrap();
    }
    page
}

/// A folder with data sets to row 700 and to row 300, and the site made from them.
struct Made {
    folder: TempDir,
    data: DataSet,
    in_browser: DataSet,
    built: Built,
}

impl Made {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let data = rows(&folder.path().join("data"), 700);
        let in_browser = rows(&folder.path().join("in-browser"), 300);
        let verdicts = [(&data, false), (&in_browser, true)].map(|(data_set, heads)| {
            let path = folder.path().join(format!("{heads}.json"));
            fs::write(&path, verdict(data_set, heads).to_string()).unwrap();
            Verdict::read(&path, &[hash(data.manifest()), hash(in_browser.manifest())]).unwrap()
        });
        let inputs = Inputs {
            data: &data,
            in_browser: &in_browser,
            verdicts: &verdicts,
            archive: None,
            page: &page(folder.path()),
        };
        let built = build(&folder.path().join("site"), &inputs, &()).unwrap();
        let again = build(&folder.path().join("again"), &inputs, &()).unwrap();
        assert_eq!(built, again);
        Self { folder, data, in_browser, built }
    }

    fn site(&self) -> PathBuf {
        self.folder.path().join("site")
    }

    fn page(&self, name: &str) -> String {
        fs::read_to_string(self.site().join(name)).unwrap()
    }
}

/// All files of a folder and of the folders in it, by name.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let (mut found, mut folders) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(inner) = folders.pop() {
        for entry in fs::read_dir(inner).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_owned();
                found.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    found
}

/// The values of an attribute in a page.
fn attributes<'a>(page: &'a str, name: &str) -> Vec<&'a str> {
    let begin = format!("{name}=\"");
    page.split(begin.as_str()).skip(1).map(|rest| rest.split('"').next().unwrap()).collect()
}

#[test]
fn the_same_files_make_the_same_site_and_every_link_in_it_resolves() {
    let made = Made::new();
    let site = files(&made.site());
    assert!(site == files(&made.folder.path().join("again")), "other bytes on the second build");
    assert_eq!(made.built.files, site.len() as u64);
    assert_eq!(made.built.bytes, site.values().map(|bytes| bytes.len() as u64).sum::<u64>());
    let mut links = 0;
    for (name, bytes) in site.iter().filter(|(name, _)| name.extension().unwrap() == "html") {
        let page = std::str::from_utf8(bytes).unwrap();
        let folder = made.site().join(name.parent().unwrap());
        let ids: BTreeSet<&str> = attributes(page, " id").into_iter().collect();
        for link in [attributes(page, "href"), attributes(page, "src")].concat() {
            if let Some(id) = link.strip_prefix('#') {
                assert!(ids.contains(id), "{}: {link}", name.display());
            } else if !link.starts_with("https://") {
                let file = link.split('#').next().unwrap();
                assert!(folder.join(file).is_file(), "{}: {link}", name.display());
                links += 1;
            }
        }
    }
    assert!(links > 2000, "{links}");
    // The scripts import files of the site.
    for (name, bytes) in site.iter().filter(|(name, _)| name.extension().unwrap() == "js") {
        let script = std::str::from_utf8(bytes).unwrap();
        for import in script.lines().filter(|line| line.starts_with("import ")) {
            let module = import.split("'./").nth(1).unwrap().strip_suffix("';").unwrap();
            assert!(site.contains_key(Path::new(module)), "{}: {module}", name.display());
        }
    }
}

#[test]
fn the_rows_with_pages_have_their_records_periods_and_verdicts() {
    let made = Made::new();
    let published = fixtures::numbers::<2>("nivasch-periods.tsv");
    let more = published.iter().filter(|&&[row, period]| row > 300 && row <= 700 && period > 2);
    let more: Vec<u64> = more.map(|[row, _]| *row).collect();
    assert_eq!(made.built.pages, 301 + more.len());
    for row in (0..=300).chain(more) {
        let page = made.page(&format!("rows/{row}.html"));
        let record = made.data.row(&driver::RowKey::of_row(0, row)).unwrap().unwrap();
        let escaped = record.to_string().replace('"', "&quot;");
        assert!(page.contains(&format!("id=\"record\">{escaped}</pre>")), "row {row}");
        let period = published.iter().find(|[published, _]| *published == row);
        let expected = match (period, record.periodic()) {
            (Some([_, period]), _) => format!("with period <a href=\"../periods/{period}.html\">"),
            (None, Some(_)) => "with period <a href=\"../periods/1.html\">".to_owned(),
            (None, None) => "is <a href=\"../periods/finite.html\">finite</a>".to_owned(),
        };
        assert!(page.contains(&expected), "row {row}: {expected}");
        assert!(page.contains("Rows 0 to 700, depth tails.</b> Assumed: heads, first and last"));
        let in_browser = row <= 300;
        assert_eq!(page.contains("Rows 0 to 300, depth heads.</b> Assumed: nothing."), in_browser);
        assert_eq!(page.contains("id=\"verify\""), in_browser);
    }
    // The list of a period has the published rows.
    let of_4 = made.page("periods/4.html");
    let listed: Vec<u64> = attributes(&of_4, "href")
        .into_iter()
        .filter_map(|link| link.strip_prefix("../rows/")?.strip_suffix(".html")?.parse().ok())
        .collect();
    let of_4 = published.iter().filter(|&&[row, period]| row <= 700 && period == 4);
    assert_eq!(listed, of_4.map(|[row, _]| *row).collect::<Vec<_>>());
    let completeness = made.page("completeness.html");
    assert!(completeness.contains(made.data.manifest().segments[0].blake3.as_str()));
    for (data_set, heads) in [(&made.data, false), (&made.in_browser, true)] {
        let words = verdict(data_set, heads)["words"].as_str().unwrap().replace('"', "&quot;");
        assert!(completeness.contains(words.trim_end()), "{words}");
    }
}

/// By the published periods, and by the records, one after the other.
#[test]
fn the_index_finds_every_row() {
    let made = Made::new();
    let index: Value = serde_json::from_str(&made.page("index.json")).unwrap();
    assert_eq!((&index["last"], &index["every"]), (&json!(700), &json!(300)));
    assert_eq!(made.page("archive.json"), "null\n");
    let published = fixtures::numbers::<2>("nivasch-periods.tsv");
    let mut expected: BTreeMap<u64, u64> = BTreeMap::new();
    expected.extend(
        published.iter().filter(|[row, _]| *row <= 700).map(|[row, period]| (*row, *period)),
    );
    let mut found = BTreeMap::new();
    for (pattern, steps) in index["patterns"].as_object().unwrap() {
        let mut row = 0;
        for step in steps.as_array().unwrap() {
            row += step.as_u64().unwrap();
            found.insert(row, pattern.split(',').count() as u64);
        }
    }
    assert_eq!(found, expected);
    let part: Value = serde_json::from_str(&made.page("index/0.json")).unwrap();
    assert!(!made.site().join("index/1.json").exists());
    let records: Vec<Record> = made.data.rows().map(Result::unwrap).collect();
    let ends =
        |record: &Record| record.periodic().map_or_else(|| record.settled() - 1, |row| row.start);
    let means = |record: &Record| {
        let values = record.periodic().map_or(&[][..], |row| &row.values);
        values.iter().sum::<u64>() / (values.len() as u64).max(1)
    };
    let all: Vec<u64> = records.iter().map(ends).collect();
    assert_eq!(part["ends"], json!(all));
    assert_eq!(index["ends"], json!([[0, all.iter().max()]]));
    let all: Vec<u64> = records.iter().map(means).collect();
    assert_eq!(part["means"], json!(all));
    assert_eq!(index["means"], json!([[1, all.iter().max()]]));
}

/// The Sage text on the page of row 120 gives the values that the 2005 paper has.
#[test]
fn the_texts_of_a_page_give_f() {
    let made = Made::new();
    let text = |page: &str, language: &str| {
        let begin = format!("<summary>{language}</summary><pre class=\"broken\">");
        let rest = page.split(begin.as_str()).nth(1).unwrap();
        let text = rest.split("</pre>").next().unwrap();
        text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
    };
    let whole = text(&made.page("rows/120.html"), "Sage");
    let from_start = text(&made.page("rows/402.html"), "Sage");
    let row_402 = Engine::default().row_in_full(402, &()).unwrap().record;
    let expected = |q| q + row_402.offset(q).unwrap().unwrap();
    let program = format!(
        "{whole}\n{from_start}\n\
         assert [f_120(q) for q in (170, 171, 172, 173)] == [242, 241, 244, 243]\n\
         assert f_120(120) == 206 and f_120(119) is None\n\
         assert [f_402(q) for q in range(571, 576)] == {:?}\n\
         try: f_402(570)\nexcept AssertionError: print('refused')\n",
        (571..576).map(expected).collect::<Vec<u64>>()
    );
    let Ok(python) = Command::new("python3").args(["-c", &program]).output() else {
        fixtures::skip("python3");
        return;
    };
    assert_eq!(String::from_utf8_lossy(&python.stdout), "refused\n", "{python:?}");
}

#[test]
fn other_verdicts_data_sets_and_folders_are_refused() {
    let made = Made::new();
    let known = [hash(made.data.manifest()), hash(made.in_browser.manifest())];
    let path = made.folder.path().join("verdict.json");
    let refusal = |value: &Value| {
        fs::write(&path, value.to_string()).unwrap();
        Verdict::read(&path, &known).err().map_or(String::new(), |error| error.to_string())
    };
    let good = verdict(&made.data, false);
    assert_eq!(refusal(&good), "");
    let changed = |field: &str, value: Value| {
        let mut verdict = good.clone();
        verdict[field] = value;
        refusal(&verdict)
    };
    assert!(changed("verdict", json!("incomplete")).contains("it says `incomplete`"));
    assert!(changed("rows", Value::Null).contains("it says"));
    assert!(changed("data", json!("0".repeat(64))).contains("about another data set"));
    assert!(changed("data", Value::Null).contains("does not name its data set"));
    assert!(refusal(&json!(["verified"])).contains("no verdict"));

    // Of the rows in the browser, one has another record.
    let forged = made.folder.path().join("forged");
    let mut records: Vec<_> = made.in_browser.rows().map(Result::unwrap).collect();
    let other = "Finite(row: 300, first: 514, last: 424, head: \"0000000000000000\")";
    records[300] = record::parse_line(other, 1).unwrap();
    fs::create_dir(&forged).unwrap();
    for (name, bytes) in driver::texts(&records) {
        fs::write(forged.join(name), bytes).unwrap();
    }
    let forged = DataSet::open(&forged).unwrap();
    let inputs = Inputs {
        data: &made.data,
        in_browser: &forged,
        verdicts: &[],
        archive: None,
        page: &page(made.folder.path()),
    };
    let outcome = build(&made.folder.path().join("forged-site"), &inputs, &());
    assert!(says(&outcome, "differ in row 300;"), "{outcome:?}");
    let inputs = Inputs { in_browser: &made.in_browser, ..inputs };
    let outcome = build(&made.site(), &inputs, &());
    assert!(says(&outcome, "exists; name a new folder"), "{outcome:?}");
}

/// The archive is made as it is deposited; each record is where the site says.
#[test]
fn records_are_found_in_the_archive_by_their_places() {
    let folder = tempfile::tempdir().unwrap();
    let data = rows(&folder.path().join("data"), 10_120);
    let archive = folder.path().join("rows.zip");
    let manifest = data.folder().join("MANIFEST.ron");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../outputs/deposit/archive");
    let Ok(made) =
        Command::new("python3").arg(script).args([data.folder(), &manifest, &archive]).output()
    else {
        fixtures::skip("python3");
        return;
    };
    assert!(made.status.success(), "{made:?}");
    let bytes = fs::read(&archive).unwrap();
    let found = Archive::of(&archive, "rows.zip".to_owned(), &data).unwrap();
    assert_eq!((found.last, found.lengths.len()), (10_120, 103));
    let records: Vec<String> = data.rows().map(|record| record.unwrap().to_string()).collect();
    let mut records = records.iter();
    let mut place = 0;
    for (part, pair) in found.lengths.windows(2).enumerate() {
        place += usize::try_from(pair[0]).unwrap();
        // After the last record of a segment come the bytes of a ZIP header.
        let text = &bytes[place..place + usize::try_from(pair[1]).unwrap()];
        let text = String::from_utf8_lossy(text);
        let mut lines = text.lines();
        for row in (part as u64 * found.step..=found.last).take(100) {
            assert_eq!(lines.next(), records.next().map(String::as_str), "row {row}");
        }
    }
    assert_eq!(records.next(), None);
    let shorter = rows(&folder.path().join("shorter"), 10_100);
    let outcome = Archive::of(&archive, "rows.zip".to_owned(), &shorter);
    assert!(says(&outcome, "differ in row 10101;"), "{outcome:?}");
    fs::write(&archive, b"no archive").unwrap();
    let outcome = Archive::of(&archive, "rows.zip".to_owned(), &data);
    assert!(says(&outcome, "`just deposit` makes an archive"), "{outcome:?}");
}
