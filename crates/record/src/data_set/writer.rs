//! Writing a data set: segments as they fill, the manifest last. Tests can let each request to the
//! file system fail.

use std::fmt::Debug;
use std::fs::{self, DirEntry, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use files::{DRAFT_PREFIX, Folder, Lock};

use super::{
    Contents, DataSet, DataSetError, MANIFEST_NAME, Manifest, Remedy, SEGMENT_ROWS, SegmentEntry,
    WORDS_NAME, compression, io_error, words,
};
use crate::{Family, HeadForm, Record};

/// The data set in a folder before rows 0 to `last` are computed for it, or all rows of a family,
/// to which no rows are added; then `last` is the number of its last row. The data set has these
/// rows, or fewer, to be extended. `None` if there is no finished one: an empty or a new folder, or
/// one with an unfinished run.
///
/// # Errors
/// A folder that cannot be read, holds other things than a data set, or holds a data set of more
/// rows, of the other form or of another family.
pub fn held(
    folder: &Path,
    family: Option<&Family>,
    last: u64,
    asked: HeadForm,
) -> Result<Option<DataSet>, DataSetError> {
    let data_set = match DataSet::open_any(folder) {
        Ok(data_set) => data_set,
        Err(error) if folder.is_file() || matches!(error, DataSetError::Missing { .. }) => {
            return require_free(folder, family.is_none()).map(|()| None);
        }
        Err(error) => return Err(error),
    };
    let (form, held) = (data_set.manifest().head, data_set.last_row());
    let (why, remedy) = match (&data_set.manifest().contents, family) {
        (Contents::Rows, Some(_)) => return Err(occupied(folder)),
        (Contents::Family(own), family) if Some(own) != family => {
            let rows = || Family::three_rowed(0, last).to_string();
            let asked = family.map_or_else(rows, ToString::to_string);
            (format!("holds {own}, not {asked}, and is not extended to them"), Remedy::Remove)
        }
        _ if form != asked => {
            let (held, form) = (words(form), words(asked));
            (format!("holds records with {held}, not with {form}"), Remedy::NotForm(asked))
        }
        _ if held > last => {
            let asked = format!("more than the rows 0 to {last} that are asked for");
            (format!("holds rows 0 to {held} already, {asked}"), Remedy::Remove)
        }
        _ => return Ok(Some(data_set)),
    };
    Err(DataSetError::refused(folder, why, remedy))
}

/// Writes a data set, row by row.
#[derive(Debug)]
pub struct Writer {
    folder: PathBuf,
    requests: Box<dyn Requests>,
    /// The data set as far as it is written.
    manifest: Manifest,
    /// The hashes and lengths of the files.
    written: Vec<(blake3::Hash, u64)>,
    /// The records of the segment being filled.
    unwritten: Vec<Record>,
    /// Held while this writer lives.
    _lock: Lock,
    /// Created for this writer, unless it existed.
    _made: Folder,
}

impl Writer {
    /// A writer for `folder`, which is created if it does not exist, and then removed again if
    /// nothing is written to it. On Unix no other writer can use the folder while this one lives.
    ///
    /// # Errors
    /// A folder that cannot be created or written to, or that another writer uses. This is found
    /// now, before hours of work.
    pub fn new(folder: &Path, contents: Contents, form: HeadForm) -> Result<Self, DataSetError> {
        Self::with_requests(folder, contents, form, Box::new(()))
    }

    /// The same with requests that can fail.
    ///
    /// # Errors
    /// As [`Writer::new`].
    pub fn with_requests(
        folder: &Path,
        contents: Contents,
        head: HeadForm,
        requests: Box<dyn Requests>,
    ) -> Result<Self, DataSetError> {
        let made = requests.may().and_then(|()| Folder::make(folder));
        let made = made.map_err(io_error("create the folder", folder))?;
        let trial = requests.may().and_then(|()| files::draft(folder));
        trial.map_err(io_error("write to the folder", folder))?;
        let busy = || {
            let words = format!("another run is writing to {}", folder.display());
            DataSetError::Refused { words, remedy: Remedy::Wait }
        };
        let lock = Lock::of(folder).ok_or_else(busy)?;
        Ok(Self {
            folder: folder.to_owned(),
            requests,
            manifest: Manifest { contents, rows: 0, head, segments: Vec::new() },
            written: Vec::new(),
            unwritten: Vec::new(),
            _lock: lock,
            _made: made,
        })
    }

    /// The number of the next record; in three-rowed Chomp the next row.
    pub fn next_row(&self) -> u64 {
        self.manifest.rows + self.unwritten.len() as u64
    }

    /// The segments so far, as a data set whose manifest is not yet in the folder. `None` if there
    /// are none.
    pub fn so_far(&self) -> Option<DataSet> {
        let (folder, manifest) = (self.folder.clone(), self.manifest.clone());
        (manifest.rows > 0).then_some(DataSet { folder, manifest, parts: None })
    }

    /// Takes the next row; writes a segment when one is full.
    ///
    /// # Errors
    /// A file that cannot be written.
    ///
    /// # Panics
    /// If the head is of another form, or [`Writer::write_rest`] has written a segment that is not
    /// full; and when the segment is written, if its records are not those that are due.
    pub fn push(&mut self, record: Record) -> Result<(), DataSetError> {
        let is_right = record.head().is_none_or(|head| head.form() == self.manifest.head);
        assert!(is_right, "a data set has one form");
        assert!(self.manifest.rows.is_multiple_of(SEGMENT_ROWS), "only the last segment is short");
        self.unwritten.push(record);
        if self.unwritten.len() as u64 == SEGMENT_ROWS { self.write_rest() } else { Ok(()) }
    }

    /// Writes the records that are not written yet, as the last segment: no row can follow.
    ///
    /// # Errors
    /// A file that cannot be written.
    ///
    /// # Panics
    /// If the records are not those that are due.
    pub fn write_rest(&mut self) -> Result<(), DataSetError> {
        if self.unwritten.is_empty() {
            return Ok(());
        }
        let (mut manifest, text) = self.manifest.extended(&self.unwritten);
        let packed = compression::pack_if_large(&text);
        let bytes = packed.as_deref().unwrap_or(text.as_bytes());
        let entry = manifest.segments.last_mut().expect("it has just been added");
        entry.zstd = packed.is_some();
        self.write_file(&entry.file_name(), bytes)?;
        self.written.push((blake3::hash(bytes), bytes.len() as u64));
        self.manifest = manifest;
        self.unwritten.clear();
        Ok(())
    }

    /// Writes the records that are not written yet, reads all segments back, and writes the
    /// manifest: now the folder is the data set of the rows pushed. `None` if none were.
    ///
    /// # Errors
    /// A file that cannot be written, or that was changed since. Then the previous data set is
    /// still whole, unless one of its files was replaced.
    ///
    /// # Panics
    /// If rows of a family are missing.
    pub fn finish(mut self) -> Result<Option<DataSet>, DataSetError> {
        self.write_rest()?;
        if self.manifest.segments.is_empty() {
            return Ok(None);
        }
        if let Contents::Family(family) = &self.manifest.contents {
            assert_eq!(family.count(), Some(self.manifest.rows), "all rows of a family");
        }
        for (entry, &(hash, length)) in self.manifest.segments.iter().zip(&self.written) {
            let path = self.folder.join(entry.file_name());
            let bytes = self.ask("read back", &path, || files::read(&path, length))?;
            if blake3::hash(&bytes) != hash {
                let what = "it was changed after it had been written; run the same command again";
                return Err(DataSetError::damaged(&path, what));
            }
        }
        self.write_file(MANIFEST_NAME, self.manifest.to_text().as_bytes())?;
        self.remove_leftovers(&self.manifest.segments);
        DataSet::open_any(&self.folder).map(Some)
    }

    /// Removes the files that killed runs have left beside a finished data set.
    pub fn tidy(self, data_set: &DataSet) {
        self.remove_leftovers(&data_set.manifest().segments);
    }

    /// Writes a file under a temporary name, syncs it, reads it back, renames it, and syncs the
    /// folder.
    fn write_file(&self, name: &str, bytes: &[u8]) -> Result<(), DataSetError> {
        let folder = &self.folder;
        let path = folder.join(name);
        let mut draft = self.ask("create a file in", folder, || files::draft(folder))?;
        self.ask("write", &path, || self.requests.write(draft.as_file_mut(), bytes))?;
        self.ask("sync", &path, || draft.as_file().sync_all())?;
        let length = bytes.len() as u64;
        if self.ask("read back", &path, || files::read(draft.path(), length))? != bytes {
            return Err(DataSetError::damaged(&path, "what was read back is not what was written"));
        }
        self.ask("replace", &path, || Ok(draft.persist(&path)?))?;
        self.ask("sync the folder", folder, || files::sync_folder(folder))
    }

    /// A request about a path, unless it is to fail.
    fn ask<T>(
        &self,
        action: &'static str,
        path: &Path,
        request: impl FnOnce() -> io::Result<T>,
    ) -> Result<T, DataSetError> {
        self.requests.may().and_then(|()| request()).map_err(io_error(action, path))
    }

    /// Removes segments that the new manifest does not list, and temporary files of killed runs. A
    /// file that cannot be removed does no harm: the manifest does not list it.
    fn remove_leftovers(&self, segments: &[SegmentEntry]) {
        let listed: Vec<String> = segments.iter().map(SegmentEntry::file_name).collect();
        for name in file_names(&self.folder).unwrap_or_default() {
            if is_own(&name) && name != MANIFEST_NAME && !listed.contains(&name) {
                let _harmless = fs::remove_file(self.folder.join(name));
            }
        }
    }
}

fn file_names(folder: &Path) -> Result<Vec<String>, DataSetError> {
    let name = |entry: io::Result<DirEntry>| Ok(entry?.file_name().to_string_lossy().into_owned());
    let names = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        entries => entries.and_then(|entries| entries.map(name).collect()),
    };
    names.map_err(io_error("list the folder", folder))
}

/// Files that only a writer of data sets makes.
fn is_own(name: &str) -> bool {
    name == MANIFEST_NAME || SegmentEntry::is_file_name(name) || name.starts_with(DRAFT_PREFIX)
}

/// Files of words that wait on disk, in a folder of their own, and the one that names their run.
fn is_of_words(name: &str) -> bool {
    let is_words = name.strip_prefix("words-").and_then(|rest| rest.strip_suffix(".bin")).is_some();
    name == "owner.txt" || is_words
}

/// Files from which an engine can resume. A writer leaves them alone.
fn is_checkpoint(name: &str) -> bool {
    name.starts_with("checkpoint-")
}

/// The reason why no other file may be written there: data sets or runs use its name, or an
/// unfinished run in its folder could not be resumed beside it. `None` if there is none.
pub fn disturbs_data_set(file: &Path) -> Option<&'static str> {
    let name = file.file_name()?.to_string_lossy();
    if is_own(&name) || is_checkpoint(&name) {
        return Some("this is the name of a file of a data set");
    }
    if is_of_words(&name) {
        return Some("this is the name of a file of words of a run");
    }
    let folder = files::folder_of(file);
    (!folder.join(MANIFEST_NAME).exists() && holds_rows(&folder))
        .then_some("its folder belongs to an unfinished data set, in which no other file may be")
}

/// Whether a folder holds a data set, finished or not.
pub fn holds_rows(folder: &Path) -> bool {
    let is_of_rows = |name: &String| {
        name == MANIFEST_NAME || SegmentEntry::is_file_name(name) || is_checkpoint(name)
    };
    file_names(folder).is_ok_and(|names| names.iter().any(is_of_rows))
}

/// Writes the data set of a family: its records in their order.
///
/// # Errors
/// A folder with checkpoints or with files that are none of a data set's, and a file that cannot be
/// written. Until everything is written, the folder has no data set.
///
/// # Panics
/// If the records are not those of the family, or a head is of another form.
pub fn write_family(
    folder: &Path,
    family: &Family,
    head: HeadForm,
    records: impl IntoIterator<Item = Record>,
) -> Result<DataSet, DataSetError> {
    if folder.join(MANIFEST_NAME).exists() {
        return Err(occupied(folder));
    }
    require_free(folder, false)?;
    let mut writer = Writer::new(folder, Contents::Family(family.clone()), head)?;
    records.into_iter().try_for_each(|record| writer.push(record))?;
    Ok(writer.finish()?.expect("a family has a row"))
}

fn occupied(folder: &Path) -> DataSetError {
    let why = "holds a data set already; choose another folder, or remove what is there";
    DataSetError::refused(folder, why, Remedy::AsSaid)
}

/// An error if a folder without a manifest holds anything but the leftovers of a writer, and
/// perhaps checkpoints and their words.
fn require_free(folder: &Path, with_checkpoints: bool) -> Result<(), DataSetError> {
    let refused = |why, remedy| Err(DataSetError::refused(folder, why, remedy));
    if folder.is_file() {
        return refused("is a file, not a folder", Remedy::Other);
    }
    let names = file_names(folder)?;
    let is_of_run = |name: &String| is_checkpoint(name) || name == WORDS_NAME;
    if names.iter().any(|name| !is_own(name) && !is_of_run(name)) {
        refused("is not empty and holds no data set", Remedy::Empty)
    } else if !with_checkpoints && names.iter().any(is_of_run) {
        let why = "holds checkpoints of an unfinished run of rows; choose another folder, or \
                   remove them";
        refused(why, Remedy::AsSaid)
    } else {
        Ok(())
    }
}

/// Lets requests to the file system fail, for tests.
pub trait Requests: Debug + Send + Sync {
    /// Whether the next request may be made.
    ///
    /// # Errors
    /// What the request fails with.
    fn may(&self) -> io::Result<()> {
        Ok(())
    }

    /// Writes the bytes.
    ///
    /// # Errors
    /// The error of the operating system.
    fn write(&self, file: &mut File, bytes: &[u8]) -> io::Result<()> {
        file.write_all(bytes)
    }
}

/// No request fails but by the system.
impl Requests for () {}
