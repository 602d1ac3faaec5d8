//! Builds the site: one pass over the rows of the data set.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use cascade::why::{Explainer, Explanation};
use driver::{Engine, Error, HeadForm, Record, Source, Watch, records};
use record::data_set::{DataSet, MANIFEST_NAME, SegmentEntry};
use record::to_json;
use serde::Serialize;

use crate::archive::compressed;
use crate::failure::{self, of_file};
use crate::index::Index;
use crate::inputs::Inputs;
use crate::lists::Lists;
use crate::row_page::RowPage;
use crate::start_pages;
use crate::verdict::hash;

/// A site that was built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Built {
    /// The number of pages of rows.
    pub pages: usize,
    /// The number of files, and of bytes in them.
    pub files: u64,
    /// The number of bytes of all files.
    pub bytes: u64,
}

/// The last row whose page has all its offsets. Zeilberger's ChompData ends here.
const LAST_IN_FULL: u64 = 400;

/// Rows whose period exceeds this have a page, however large they are.
const USUAL_PERIOD: u64 = 2;

/// The largest file that is copied into the site.
const LARGEST_COPIED: u64 = 1 << 26;

/// The files of all sites, from this crate and from the page.
const ASSETS: [(&str, &str); 16] = [
    ("atlas.css", include_str!("../assets/atlas.css")),
    ("compute.js", include_str!("../assets/compute.js")),
    ("icon.svg", include_str!("../assets/icon.svg")),
    ("row.js", include_str!("../assets/row.js")),
    ("search.js", include_str!("../assets/search.js")),
    ("page.css", include_str!("../../../web/page/page.css")),
    ("worker.js", include_str!("../../../web/page/worker.js")),
    ("bytes.js", include_str!("../../../web/page/scripts/bytes.js")),
    ("dom.js", include_str!("../../../web/page/scripts/dom.js")),
    ("figure.js", include_str!("../../../web/page/scripts/figure.js")),
    ("module.js", include_str!("../../../web/page/scripts/module.js")),
    ("numbers.js", include_str!("../../../web/page/scripts/numbers.js")),
    ("say.js", include_str!("../../../web/page/scripts/say.js")),
    ("sequence.js", include_str!("../../../web/page/scripts/sequence.js")),
    ("session.js", include_str!("../../../web/page/scripts/session.js")),
    (
        "texts.js",
        concat!("export const TEXTS = ", include_str!("../../../web/page/texts.json"), ";\n"),
    ),
];

/// The files of the page.
const PAGE: [&str; 3] = ["card.png", "index.html", "module.js"];

/// Builds the site in a folder, which is made. Takes a few seconds for each million rows, and the
/// memory of their values.
///
/// # Errors
/// The folder has files of a site; the data sets have different records; data sets of other rows,
/// or compressed ones for the browser; files that cannot be read or written.
pub fn build(folder: &Path, inputs: &Inputs, watch: &dyn Watch) -> Result<Built, Error> {
    [inputs.data, inputs.in_browser].into_iter().try_for_each(require_rows)?;
    let mut site = Site { folder: folder.to_owned(), files: 0, bytes: 0 };
    for (name, text) in ASSETS {
        site.put(name, text.as_bytes())?;
    }
    for name in PAGE {
        site.copy(&inputs.page.join(name), &format!("page/{name}"))?;
    }
    site.copy_rows(inputs.in_browser)?;
    let lists = write_rows(&mut site, inputs, watch)?;
    let (every, last) = (inputs.in_browser.last_row(), inputs.data.last_row());
    for (name, page) in lists.pages(every, last) {
        site.put(&name, page.as_bytes())?;
    }
    let pages = lists.number();
    site.put("index.html", start_pages::index(inputs, &lists).as_bytes())?;
    site.put("completeness.html", start_pages::completeness(inputs, pages).as_bytes())?;
    site.put_json("archive.json", &inputs.archive)?;
    Ok(Built { pages, files: site.files, bytes: site.bytes })
}

fn require_rows(data_set: &DataSet) -> Result<(), Error> {
    let (family, folder) = (data_set.family(), data_set.folder().display());
    let words = || {
        format!("{folder} is a data set of {family}, and an atlas has rows of three-rowed Chomp")
    };
    family.last_row().map(|_| ()).ok_or_else(|| Error::file(words()))
}

/// The folder, and its content.
struct Site {
    folder: PathBuf,
    files: u64,
    bytes: u64,
}

impl Site {
    fn put(&mut self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        let path = self.folder.join(name);
        let folder = path.parent().unwrap_or(&self.folder);
        files::create_folders(folder).map_err(of_file(folder))?;
        let mut file = files::create_new(&path).map_err(of_file(&path))?;
        file.write_all(bytes).map_err(of_file(&path))?;
        self.files += 1;
        self.bytes += bytes.len() as u64;
        Ok(())
    }

    fn put_json(&mut self, name: &str, value: &impl Serialize) -> Result<(), Error> {
        self.put(name, format!("{}\n", to_json(value)).as_bytes())
    }

    fn copy(&mut self, path: &Path, name: &str) -> Result<(), Error> {
        self.put(name, &files::read(path, LARGEST_COPIED).map_err(of_file(path))?)
    }

    /// Copies the files of a data set, for browsers to verify.
    fn copy_rows(&mut self, data_set: &DataSet) -> Result<(), Error> {
        if let Some(segment) = compressed(data_set.manifest()) {
            return Err(failure::compressed(&data_set.folder().join(segment.file_name())));
        }
        let segments = data_set.manifest().segments.iter().map(SegmentEntry::file_name);
        for name in segments.chain([MANIFEST_NAME.to_owned()]) {
            self.copy(&data_set.folder().join(&name), &format!("data/{name}"))?;
        }
        Ok(())
    }
}

/// Writes the pages of all rows that have one, and the index of all rows.
fn write_rows(site: &mut Site, inputs: &Inputs, watch: &dyn Watch) -> Result<Lists, Error> {
    let Inputs { data, in_browser, verdicts, .. } = *inputs;
    let every = in_browser.last_row();
    let mut in_full = Vec::new();
    Engine::default().rows(every.min(LAST_IN_FULL), HeadForm::Offsets, watch, &mut |row| {
        in_full.push(row.record);
        ControlFlow::Continue(())
    })?;
    let (mut in_browser_rows, mut in_full) = (in_browser.rows(), in_full.into_iter());
    let (mut explainer, mut lists, mut index) =
        (Explainer::default(), Lists::default(), Index::default());
    let require_same = |record: &Record, other: Option<Record>| match other {
        Some(other) if other != *record => {
            Err(failure::differ(record.row(), data.folder(), in_browser.folder()))
        }
        _ => Ok(()),
    };
    // The record of a row that has a page, with all offsets if they are known, and its explanation.
    let mut page_of = |record: Record| -> Result<Option<(Record, Option<Explanation>)>, Error> {
        lists.count(&record);
        index.add(&record);
        let small = in_browser_rows.next().transpose()?;
        let has_page = small.is_some()
            || record.periodic().is_some_and(|periodic| periodic.period() > USUAL_PERIOD);
        let why = explainer.add(&record, |_| has_page);
        require_same(&record, small)?;
        if !has_page {
            return Ok(None);
        }
        let full = in_full.next();
        require_same(&record, full.as_ref().map(Record::abridged))?;
        lists.add(&record, why.as_ref());
        Ok(Some((full.unwrap_or(record), why)))
    };
    let pages = records::of_data_set(data, watch);
    let mut pages = pages.filter_map(|record| record.and_then(&mut page_of).transpose()).peekable();
    let mut before = None;
    while let Some(page) = pages.next() {
        let (record, why) = page?;
        let row = record.row();
        let page = RowPage {
            record: &record,
            why: why.as_ref(),
            before,
            after: pages.peek().and_then(|next| next.as_ref().ok()).map(|next| next.0.row()),
            verdicts,
            data: hash(data.manifest()),
            in_browser: row <= every,
        };
        site.put(&format!("rows/{row}.html"), page.html().as_bytes())?;
        before = Some(row);
    }
    drop(pages);
    site.put_json("index.json", &index.directory(data.last_row(), every))?;
    for (number, part) in index.parts.iter().enumerate() {
        site.put_json(&format!("index/{number}.json"), part)?;
    }
    Ok(lists)
}
