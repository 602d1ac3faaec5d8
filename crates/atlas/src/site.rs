//! Builds the site: one pass over the rows of the data set.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use cascade::why::{Explainer, Explanation};
use driver::{Engine, Error, HeadForm, Record, Watch, records};
use record::data_set::{DataSet, MANIFEST_NAME, Records, SegmentEntry};
use record::to_json;
use serde::Serialize;

use crate::archive::{Archive, compressed};
use crate::failure::{self, of_file};
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
const ASSETS: [(&str, &str); 11] = [
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
    ("vectors.js", include_str!("../../../web/page/scripts/vectors.js")),
];
const SESSION: (&str, &str) = ("session.js", include_str!("../../../web/page/scripts/session.js"));

/// Builds the site in a folder, which is made. Takes a few seconds for each million rows, and the
/// memory of their values.
///
/// # Errors
/// The folder has files of a site; the data sets have
/// different records; data sets of other rows, or compressed ones for the browser; files that
/// cannot be read or written.
pub fn build(folder: &Path, inputs: &Inputs, watch: &dyn Watch) -> Result<Built, Error> {
    for data_set in [inputs.data, inputs.in_browser] {
        require_rows(data_set)?;
    }
    let mut site = Site { folder: folder.to_owned(), files: 0, bytes: 0 };
    for (name, text) in ASSETS.into_iter().chain([SESSION]) {
        site.put(name, text.as_bytes())?;
    }
    site.put("module.wasm", inputs.module)?;
    site.put("module-vectors.wasm", inputs.vector_module)?;
    site.copy_rows(inputs.in_browser)?;
    let lists = RowPages::new(&mut site, inputs, watch)?.write(watch)?;
    let (every, last) = (inputs.in_browser.last_row(), inputs.data.last_row());
    for (name, page) in lists.pages(every, last) {
        site.put(&name, page.as_bytes())?;
    }
    let rows = lists.rows();
    site.put("index.html", start_pages::index(inputs, &lists, rows.len()).as_bytes())?;
    site.put("completeness.html", start_pages::completeness(inputs, rows.len()).as_bytes())?;
    site.put_json("pages.json", &Search::new(every, &rows, inputs.archive))?;
    if let Some(archive) = inputs.archive {
        site.put_json("archive.json", archive)?;
    }
    Ok(Built { pages: rows.len(), files: site.files, bytes: site.bytes })
}

fn require_rows(data_set: &DataSet) -> Result<(), Error> {
    let family = data_set.family();
    if family.last_row().is_some() {
        return Ok(());
    }
    let words = format!(
        "{} is a data set of {family}, and an atlas has rows of three-rowed Chomp",
        data_set.folder().display()
    );
    Err(Error::file(words))
}

/// The rows that have a page, for the search.
#[derive(Serialize)]
struct Search {
    /// All rows to this one.
    every: u64,
    /// The others: the first one less `every`, then each less the one before.
    more: Vec<u64>,
    /// Whether there is an `archive.json`.
    archive: bool,
}

impl Search {
    fn new(every: u64, rows: &[u64], archive: Option<&Archive>) -> Self {
        let mut before = every;
        let more = rows.iter().filter(|&&row| row > every).map(|&row| {
            let step = row - before;
            before = row;
            step
        });
        Self { every, more: more.collect(), archive: archive.is_some() }
    }
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

    /// Copies the files of a data set, for browsers to verify.
    fn copy_rows(&mut self, data_set: &DataSet) -> Result<(), Error> {
        if let Some(segment) = compressed(data_set.manifest()) {
            return Err(failure::compressed(&data_set.folder().join(segment.file_name())));
        }
        let segments = data_set.manifest().segments.iter().map(SegmentEntry::file_name);
        for name in segments.chain([MANIFEST_NAME.to_owned()]) {
            let path = data_set.folder().join(&name);
            let bytes = files::read(&path, LARGEST_COPIED).map_err(of_file(&path))?;
            self.put(&format!("data/{name}"), &bytes)?;
        }
        Ok(())
    }
}

/// A page that waits for the row of the next one.
struct Waiting {
    record: Record,
    why: Option<Explanation>,
}

/// Writes the pages of rows.
struct RowPages<'a> {
    site: &'a mut Site,
    inputs: &'a Inputs<'a>,
    /// The rows of `in_browser`, as they come.
    in_browser: Records<'a>,
    in_full: std::vec::IntoIter<Record>,
    explainer: Explainer,
    lists: Lists,
    before: Option<u64>,
    waiting: Option<Waiting>,
}

impl<'a> RowPages<'a> {
    fn new(site: &'a mut Site, inputs: &'a Inputs, watch: &dyn Watch) -> Result<Self, Error> {
        let mut in_full = Vec::new();
        let last = inputs.in_browser.last_row().min(LAST_IN_FULL);
        Engine::default().rows(last, HeadForm::Offsets, watch, |row| {
            in_full.push(row.record);
            ControlFlow::Continue(())
        })?;
        Ok(Self {
            site,
            inputs,
            in_browser: inputs.in_browser.rows(),
            in_full: in_full.into_iter(),
            explainer: Explainer::default(),
            lists: Lists::default(),
            before: None,
            waiting: None,
        })
    }

    /// Writes the pages of all rows that have one.
    fn write(mut self, watch: &dyn Watch) -> Result<Lists, Error> {
        for record in records::of_data_set(self.inputs.data, watch) {
            self.add(record?)?;
        }
        self.put_waiting(None)?;
        Ok(self.lists)
    }

    fn add(&mut self, record: Record) -> Result<(), Error> {
        self.lists.count(&record);
        let small = self.in_browser.next().transpose()?;
        let has_page = small.is_some()
            || record.periodic().is_some_and(|periodic| periodic.period() > USUAL_PERIOD);
        let why = self.explainer.add(&record, |_| has_page);
        self.require_same(&record, small)?;
        if !has_page {
            return Ok(());
        }
        let in_full = self.in_full.next();
        self.require_same(&record, in_full.as_ref().map(Record::abridged))?;
        self.lists.add(&record, why.as_ref());
        self.put_waiting(Some(record.row()))?;
        self.waiting = Some(Waiting { record: in_full.unwrap_or(record), why });
        Ok(())
    }

    /// Refuses another record of the same row, if there is one.
    fn require_same(&self, record: &Record, other: Option<Record>) -> Result<(), Error> {
        if other.is_none_or(|other| other == *record) {
            return Ok(());
        }
        let Inputs { data, in_browser, .. } = self.inputs;
        Err(failure::differ(record.row(), data.folder(), in_browser.folder()))
    }

    /// Writes the page that waits, before the page of the row `after`.
    fn put_waiting(&mut self, after: Option<u64>) -> Result<(), Error> {
        let Some(Waiting { record, why }) = self.waiting.take() else { return Ok(()) };
        let row = record.row();
        let page = RowPage {
            record: &record,
            why: why.as_ref(),
            before: self.before,
            after,
            verdicts: self.inputs.verdicts,
            data: hash(self.inputs.data.manifest()),
            in_browser: row <= self.inputs.in_browser.last_row(),
        };
        self.site.put(&format!("rows/{row}.html"), page.html().as_bytes())?;
        self.before = Some(row);
        Ok(())
    }
}
