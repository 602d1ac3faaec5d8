//! Writing a data set: segments as they fill, the manifest last.

use std::fs;
use std::path::{Path, PathBuf};

use files::Lock;

use super::compression;
use super::segment::{Contents, Segment, ThreeRowed};
use super::storage::{Disk, Folder, Storage, TEMPORARY_PREFIX};
use super::{
    DataSet, DataSetError, FORMAT, MANIFEST_NAME, Manifest, SEGMENT_ROWS, SegmentEntry, io_error,
};
use crate::{HeadForm, RowRecord};

/// What a folder holds that rows are to be written to.
#[derive(Debug)]
pub enum Found {
    /// No finished data set: an empty or a new folder, or one with an unfinished run.
    Nothing,
    /// A data set of fewer rows, to be extended.
    Smaller(DataSet),
    /// A data set of exactly these rows.
    Same(DataSet),
}

impl Found {
    /// Looks at a folder before rows 0 to `last` are computed for it.
    ///
    /// # Errors
    /// A folder that cannot be read, holds other things than a data set, or holds a data set of
    /// more rows or of the other form.
    pub fn in_folder(folder: &Path, last: u64, form: HeadForm) -> Result<Self, DataSetError> {
        let path = folder.to_owned();
        if folder.is_file() {
            return Err(DataSetError::NotAFolder { path });
        }
        let data_set = match DataSet::open(folder) {
            Err(DataSetError::Missing { .. }) if !has_foreign_files(folder)? => {
                return Ok(Self::Nothing);
            }
            Err(DataSetError::Missing { .. }) => return Err(DataSetError::NotADataSet { path }),
            found => found?,
        };
        let (held, held_form) = (data_set.last_row(), data_set.manifest().head);
        if held_form != form {
            Err(DataSetError::OtherForm { path, held: held_form, asked: form })
        } else if held > last {
            Err(DataSetError::Larger { path, held, asked: last })
        } else if held < last {
            Ok(Self::Smaller(data_set))
        } else {
            Ok(Self::Same(data_set))
        }
    }
}

/// Writes a data set, row by row.
#[derive(Debug)]
pub struct Writer {
    files: Files,
    form: HeadForm,
    /// The records of the segment being filled.
    unwritten: Vec<RowRecord>,
}

/// The files of a data set that is being written.
#[derive(Debug)]
pub(super) struct Files {
    folder: PathBuf,
    storage: Box<dyn Storage>,
    segments: Vec<SegmentEntry>,
    /// The hashes and lengths of their files.
    written: Vec<(blake3::Hash, u64)>,
    /// Held while this writer lives.
    _lock: Lock,
    /// Made for this writer, unless it was there.
    _made: Folder,
}

impl Writer {
    /// A writer for `folder`, which is created if it is not there, and then removed again if
    /// nothing is written to it. On Unix no other writer can have the folder as long as this one
    /// lives.
    ///
    /// # Errors
    /// A folder that cannot be created or written to, or that another writer has: found now, before
    /// hours of work.
    pub fn new(folder: &Path, form: HeadForm) -> Result<Self, DataSetError> {
        Self::with_storage(folder, form, Box::new(Disk))
    }

    /// The same, with something else in the place of the file system: for tests.
    ///
    /// # Errors
    /// As [`Writer::new`].
    pub fn with_storage(
        folder: &Path,
        form: HeadForm,
        storage: Box<dyn Storage>,
    ) -> Result<Self, DataSetError> {
        Ok(Self { files: Files::new(folder, storage)?, form, unwritten: Vec::new() })
    }

    /// The next row's number.
    #[must_use]
    pub fn next_row(&self) -> u64 {
        self.files.records() + self.unwritten.len() as u64
    }

    /// The segments so far, as a data set whose manifest is not yet in the folder. `None` if there
    /// are none.
    #[must_use]
    pub fn so_far(&self) -> Option<DataSet> {
        let rows = self.files.segments.last()?.last + 1;
        Some(DataSet { folder: self.files.folder.clone(), manifest: self.manifest(rows) })
    }

    fn manifest(&self, rows: u64) -> Manifest {
        Manifest { format: FORMAT, rows, head: self.form, segments: self.files.segments.clone() }
    }

    /// Takes the next row; writes a segment when one is full.
    ///
    /// # Errors
    /// A file that cannot be written.
    ///
    /// # Panics
    /// If the record is not that of [`Writer::next_row`], or its head is of another form, or
    /// [`Writer::write_rest`] has written a segment that is not full.
    pub fn push(&mut self, record: RowRecord) -> Result<(), DataSetError> {
        assert_eq!(record.row(), self.next_row(), "rows are written in order");
        assert_eq!(record.head().form(), self.form, "a data set has one form");
        let begun = self.next_row() - self.unwritten.len() as u64;
        assert!(begun.is_multiple_of(SEGMENT_ROWS), "only the last segment has fewer rows");
        self.unwritten.push(record);
        if self.unwritten.len() as u64 == SEGMENT_ROWS { self.write_segment() } else { Ok(()) }
    }

    /// Writes what is unwritten, as the last segment: no row can follow.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn write_rest(&mut self) -> Result<(), DataSetError> {
        if self.unwritten.is_empty() { Ok(()) } else { self.write_segment() }
    }

    /// Writes what is unwritten, reads all segments back, and writes the manifest: now the folder
    /// is the data set of the rows pushed. `None` if none were.
    ///
    /// # Errors
    /// A file that cannot be written, or is not any more what was written. The data set from
    /// before, if none of its files was touched, is still whole then.
    pub fn finish(mut self) -> Result<Option<DataSet>, DataSetError> {
        self.write_rest()?;
        if self.files.segments.is_empty() {
            return Ok(None);
        }
        self.files.finish(&self.manifest(self.next_row()).to_text())?;
        DataSet::open(&self.files.folder).map(Some)
    }

    /// Removes what killed runs have left beside a data set that is finished.
    pub fn tidy(self, data_set: &DataSet) {
        self.files.remove_leftovers(&data_set.manifest().segments);
    }

    fn write_segment(&mut self) -> Result<(), DataSetError> {
        self.files.write_segment(&ThreeRowed { form: self.form }, &self.unwritten)?;
        self.unwritten.clear();
        Ok(())
    }
}

impl Files {
    pub(super) fn new(folder: &Path, storage: Box<dyn Storage>) -> Result<Self, DataSetError> {
        let made =
            Folder::make(folder, &*storage).map_err(io_error("create the folder", folder))?;
        storage.create(folder).map_err(io_error("write to the folder", folder))?;
        let busy = || DataSetError::Busy { path: folder.to_owned() };
        let lock = Lock::of(folder).ok_or_else(busy)?;
        let (segments, written, folder) = (Vec::new(), Vec::new(), folder.to_owned());
        Ok(Self { folder, storage, segments, written, _lock: lock, _made: made })
    }

    /// The segments written so far.
    pub(super) fn segments(&self) -> &[SegmentEntry] {
        &self.segments
    }

    /// How many records they have.
    fn records(&self) -> u64 {
        self.segments.last().map_or(0, |segment| segment.last + 1)
    }

    /// Writes the next segment. It has records.
    pub(super) fn write_segment<C: Contents>(
        &mut self,
        contents: &C,
        records: &[C::Record],
    ) -> Result<(), DataSetError> {
        let first = self.records();
        let previous = self.segments.last().map_or("", |segment| &segment.blake3);
        let segment = Segment::of(contents, records, first, previous);
        let packed = compression::pack_if_large(&segment.text);
        let last = first + records.len() as u64 - 1;
        let entry = SegmentEntry { first, last, blake3: segment.hash, zstd: packed.is_some() };
        let bytes = packed.as_deref().unwrap_or(segment.text.as_bytes());
        self.write_file(&entry.file_name(), bytes)?;
        self.segments.push(entry);
        self.written.push((blake3::hash(bytes), bytes.len() as u64));
        Ok(())
    }

    /// Reads all segments back, and writes the manifest.
    pub(super) fn finish(&self, manifest: &str) -> Result<(), DataSetError> {
        for (entry, &(hash, length)) in self.segments.iter().zip(&self.written) {
            let path = self.folder.join(entry.file_name());
            let bytes = self.storage.read(&path, length).map_err(io_error("read back", &path))?;
            if blake3::hash(&bytes) != hash {
                let what = "it was changed after it had been written; run the same command again";
                return Err(DataSetError::Damaged { path, what: what.to_owned() });
            }
        }
        self.write_file(MANIFEST_NAME, manifest.as_bytes())?;
        self.remove_leftovers(&self.segments);
        Ok(())
    }

    /// Under a temporary name, synced, read back; then renamed, and the folder synced.
    fn write_file(&self, name: &str, bytes: &[u8]) -> Result<(), DataSetError> {
        let (folder, storage) = (&self.folder, &self.storage);
        let path = folder.join(name);
        let mut draft = storage.create(folder).map_err(io_error("create a file in", folder))?;
        let mut left = bytes;
        while !left.is_empty() {
            let written = storage.write(draft.as_file_mut(), left);
            left = match written.map_err(io_error("write", &path))? {
                0 => return Err(io_error("write", &path)(std::io::ErrorKind::WriteZero.into())),
                written => &left[written..],
            };
        }
        storage.sync(draft.as_file()).map_err(io_error("sync", &path))?;
        let length = bytes.len() as u64;
        if storage.read(draft.path(), length).map_err(io_error("read back", &path))? != bytes {
            let what = "what was read back is not what was written".to_owned();
            return Err(DataSetError::Damaged { path, what });
        }
        storage.rename(draft, &path).map_err(io_error("replace", &path))?;
        storage.sync_folder(folder).map_err(io_error("sync the folder", folder))
    }

    /// Removes segments that the new manifest does not list, and temporary files of killed runs. A
    /// file that cannot be removed does no harm: the manifest does not speak of it.
    fn remove_leftovers(&self, segments: &[SegmentEntry]) {
        let listed: Vec<String> = segments.iter().map(SegmentEntry::file_name).collect();
        for name in own_files(&self.folder).unwrap_or_default() {
            if name != MANIFEST_NAME && !listed.contains(&name) {
                let _harmless = fs::remove_file(self.folder.join(name));
            }
        }
    }
}

/// Whether a run is writing to a folder at this moment; `false` where folders know no locks.
#[must_use]
pub fn is_being_written(folder: &Path) -> bool {
    files::is_locked(folder)
}

fn file_names(folder: &Path) -> Result<Vec<String>, DataSetError> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(io_error("list the folder", folder)(error)),
    };
    let names = entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
    names.collect::<Result<_, std::io::Error>>().map_err(io_error("list the folder", folder))
}

/// Files that only a writer of data sets makes.
fn is_own(name: &str) -> bool {
    name == MANIFEST_NAME || SegmentEntry::is_file_name(name) || name.starts_with(TEMPORARY_PREFIX)
}

/// Files of an engine where words wait, in a folder of their own, and the one that says whose.
fn is_of_words(name: &str) -> bool {
    let is_words = name.strip_prefix("words-").and_then(|rest| rest.strip_suffix(".bin")).is_some();
    name == "owner.txt" || is_words
}

/// Files of an engine that may go on from them; no business of a writer.
fn is_checkpoint(name: &str) -> bool {
    name.starts_with("checkpoint-")
}

/// Why no other file may be written there: data sets or runs use its name, or an unfinished run in
/// its folder could not be resumed beside it. `None` if it may.
#[must_use]
pub fn disturbs_data_set(file: &Path) -> Option<&'static str> {
    let name = file.file_name()?.to_string_lossy();
    if is_own(&name) || is_checkpoint(&name) {
        return Some("this is the name of a file of a data set");
    }
    if is_of_words(&name) {
        return Some("this is the name of a file of words of a run");
    }
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    let names = file_names(folder.unwrap_or(Path::new("."))).ok()?;
    let is_finished = names.iter().any(|name| name == MANIFEST_NAME);
    (!is_finished && names.iter().any(|name| is_of_rows(name)))
        .then_some("its folder belongs to an unfinished data set, in which no other file may be")
}

/// Whether a folder holds a data set, finished or not.
#[must_use]
pub fn holds_rows(folder: &Path) -> bool {
    file_names(folder).is_ok_and(|names| names.iter().any(|name| is_of_rows(name)))
}

fn is_of_rows(name: &str) -> bool {
    name == MANIFEST_NAME || SegmentEntry::is_file_name(name) || is_checkpoint(name)
}

fn own_files(folder: &Path) -> Result<Vec<String>, DataSetError> {
    Ok(file_names(folder)?.into_iter().filter(|name| is_own(name)).collect())
}

pub(super) fn has_checkpoints(folder: &Path) -> Result<bool, DataSetError> {
    Ok(file_names(folder)?.iter().any(|name| is_checkpoint(name)))
}

pub(super) fn has_foreign_files(folder: &Path) -> Result<bool, DataSetError> {
    Ok(file_names(folder)?.iter().any(|name| !is_own(name) && !is_checkpoint(name)))
}
