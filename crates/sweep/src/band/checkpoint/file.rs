//! A checkpoint as a file.

use super::restore::{Described, Restoring, Waiting};
use crate::band::codec::{Decoder, invalid, put};
use crate::band::geometry::{Frame, Windows};
use crate::band::run::{Boundary, Visits};
use crate::band::schedule::block_of;
use crate::band::words::{FileState, Left, Problem, SpillTo, require_owner};
use crate::error::{FileProblem, WordsError};
use crate::units::{BandIndex, RowIndex};
use record::listeners::Done;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The version of a checkpoint. It must be raised whenever checkpoints, the files of words or their
/// meaning change: bands, groups, windows or anchors. Earlier programs also wrote version 8, which
/// contains its words, and version 9 with files in folders of several processes.
const VERSION: u64 = 10;

/// The beginning of header lines.
const MAGIC: &str = "chomp-checkpoint ";

/// No header line is longer.
const LONGEST_HEADER: u64 = 200;

const TRAILER: u64 = 6 * 8;

/// The error of a file that is wrong, or that cannot be read.
pub(super) fn problem(file: &Path, error: &io::Error) -> WordsError {
    if is_damage(error) {
        let advice = "move it away, and the same command resumes from the one before it, or starts \
                      again";
        FileProblem::Unusable.of(file, format!("is wrong: {error}; {advice}"))
    } else if error.kind() == io::ErrorKind::Unsupported {
        FileProblem::Unusable.of(file, error)
    } else {
        FileProblem::Unreadable.of(file, error)
    }
}

/// The error of a file that may be intact, but is of no use here: the reason, and what to do.
fn of_no_use(words: String) -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, words)
}

/// Whether the content caused the error, and not the operating system.
pub(super) fn is_damage(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof)
}

/// The end of the run that wrote a checkpoint, from its header.
pub(super) fn end_of(path: &Path) -> io::Result<RowIndex> {
    // The file can be long. Its first line is short.
    let (mut file, _) = files::open(path, u64::MAX)?;
    let (_, _, frame) = read_header(&mut file)?;
    Ok(frame.bands.first_row())
}

/// The header line of a checkpoint.
pub(super) fn header(RowIndex(row): RowIndex, frame: Frame) -> String {
    let ([low, high, guard], end) = (frame.windows.parameters(), frame.bands.first_row().0);
    format!("{MAGIC}{VERSION} row {row} end {end} windows {low} {high} {guard}\n")
}

/// The trailer of a checkpoint.
pub(super) fn trailer(
    groups: u64,
    rows_at: u64,
    files: &[FileState],
    done: Done,
    row: RowIndex,
) -> Vec<u8> {
    let count = files.len() as u64;
    let numbers = [groups, rows_at, count, done.cells, done.fallbacks, row.0];
    let mut bytes = Vec::new();
    for number in files.iter().flat_map(FileState::numbers).chain(numbers) {
        put(&mut bytes, number);
    }
    bytes
}

/// A checkpoint on disk that is intact.
#[derive(Debug)]
pub struct Checkpoint {
    /// Open, so that the verified file is the one that will be read.
    file: File,
    path: PathBuf,
    described: Described,
    /// The offset of the corner.
    body: u64,
    rows_at: u64,
    rows_end: u64,
    /// The files of words that it needs, then others that older checkpoints need.
    left: Left,
    /// The words in the files that it needs, if they have been counted.
    in_files: Option<Waiting>,
}

impl Checkpoint {
    /// The first row that is not in the checkpoint: a run resumes with it.
    pub fn row(&self) -> u64 {
        self.described.row.0
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The windows of the run that wrote it.
    pub fn windows(&self) -> Windows {
        self.described.frame.windows
    }

    /// The `end` of the run that wrote it, rounded up to a multiple of 8. Runs with this or a lower
    /// `end` can resume from it.
    pub fn end(&self) -> u64 {
        self.described.frame.bands.first_row().0
    }

    /// Opens the checkpoint in this file, whose name has this row. Its words are not read.
    pub(super) fn open(
        path: PathBuf,
        named: RowIndex,
        stop: impl Fn() -> bool,
    ) -> io::Result<Self> {
        let (mut file, length) = files::open(&path, u64::MAX)?;
        let header = read_header(&mut file);
        if let Err(long) = files::require_length(length, size(named).saturating_mul(4)) {
            // One of an earlier version contains its words.
            let other = header.err().filter(|error| error.kind() == io::ErrorKind::Unsupported);
            return Err(other.unwrap_or(long));
        }
        let (hashed, _) = files::verify_hash(&mut file, length, stop)?;
        let (body, row, frame) = header?;
        let trailer_at = hashed
            .checked_sub(TRAILER)
            .filter(|&end| end >= body)
            .ok_or_else(|| invalid("it is too short"))?;
        file.seek(SeekFrom::Start(trailer_at))?;
        let mut source = Decoder(&mut file);
        let mut next = || source.number();
        let (groups, rows_at, count, cells, fallbacks, same_row) =
            (next()?, next()?, next()?, next()?, next()?, next()?);
        let done = Done { rows: row.0, cells, fallbacks };
        let rows_end = count
            .checked_mul(FileState::BYTES)
            .and_then(|bytes| trailer_at.checked_sub(bytes))
            .filter(|&end| end >= body)
            .ok_or_else(|| invalid("it is too short"))?;
        file.seek(SeekFrom::Start(rows_end))?;
        let mut source = Decoder(BufReader::new(&mut file));
        let mut files = Vec::new();
        for _ in 0..count {
            let numbers = [source.number()?, source.number()?, source.number()?];
            files.push(FileState::of_numbers(numbers));
        }
        let described = Described { row, frame, groups, done };
        let is_consistent = (body..=rows_end).contains(&rows_at)
            && described.is_consistent(rows_at, rows_end - rows_at);
        if same_row != row.0 || named != row || !is_consistent {
            return Err(invalid("its name and its numbers contradict each other"));
        }
        let left = Left { files, oldest: block_of(BandIndex::of_row(row)) };
        Ok(Self { file, path, described, body, rows_at, rows_end, left, in_files: None })
    }

    /// Reads and counts the words that it needs, in the folder of the run that wrote it.
    pub(super) fn count_words(
        mut self,
        spill: &SpillTo,
        stop: impl Fn() -> bool,
    ) -> io::Result<Self> {
        let mut counted = Waiting::new();
        let absent = |(file, error): Problem| {
            of_no_use(format!(
                "needs words that cannot be read: {}: {error}; is {} the folder of words of that \
                 run, and is its disk mounted? If the words are lost, move the checkpoint away: the same command \
                 then resumes from the one before it, or starts again",
                file.display(),
                spill.folder.display()
            ))
        };
        if !self.left.files.is_empty() {
            require_owner(spill).map_err(absent)?;
        }
        let below = block_of(self.described.band() - 1);
        for state in &self.left.files {
            let mut file = FileState::empty(state.reader, state.writer);
            let read = file.read(&spill.folder, Some(state.bytes), &stop);
            let other = || invalid("it is not the file that the checkpoint names");
            let is_it = read.and_then(|read| (file == *state).then_some(read).ok_or_else(other));
            let batches = is_it.map_err(|error| {
                let file = state.path(&spill.folder);
                if is_damage(&error) {
                    invalid(format!("{}: {error}", file.display()))
                } else {
                    absent((file, error))
                }
            })?;
            // Blocks above the checkpoint were running.
            for batch in batches.iter().filter(|batch| batch.source <= below) {
                *counted.entry((state.reader, batch.source)).or_default() += batch.words.len();
            }
        }
        self.in_files = Some(counted);
        Ok(self)
    }

    /// Adds the files of an older checkpoint, from which a run may have to resume later.
    pub(super) fn keep_words_of(&mut self, older: &Self) {
        let (next, left) = (block_of(self.described.band()), &mut self.left);
        // The words of later readers still wait, and are in the files of this checkpoint.
        for &file in older.left.files.iter().filter(|file| file.reader < next) {
            if !left.files.iter().any(|other| other.is_same(&file)) {
                left.files.push(file);
            }
        }
        left.oldest = older.left.oldest;
    }

    /// The files of words for a run that resumes from it.
    pub(crate) fn words_left(&self) -> &Left {
        &self.left
    }

    /// The first band above it.
    pub(crate) fn band(&self) -> BandIndex {
        self.described.band()
    }

    /// The frame of the run that wrote it, if a run with this frame can resume from it.
    pub(crate) fn frame(&self, Frame { windows, bands }: Frame) -> Result<Frame, WordsError> {
        let own = self.described.frame;
        let problem = if own.windows != windows {
            format!(
                "was written with the windows {:?}, and this run has {:?}; use the same windows, or \
                 remove the checkpoint",
                own.windows.parameters(),
                windows.parameters()
            )
        } else if own.bands < bands {
            format!(
                "has the words for rows below {} only, and this run needs rows below {}; finish the \
                 smaller run first, choose another folder, or remove the checkpoint",
                self.end(),
                bands.first_row().0
            )
        } else {
            return Ok(own);
        };
        Err(FileProblem::Unusable.of(&self.path, problem))
    }

    /// Passes on its rows. Returns the boundary and its rows in bytes; `None` if the visitor wants
    /// no more rows.
    pub(crate) fn resume(
        self,
        visits: &mut Visits<'_>,
    ) -> Result<Option<(Boundary, Vec<u8>)>, WordsError> {
        let Described { row: first, done, .. } = self.described;
        visits.done = Done { rows: 0, ..done };
        let rows = self.rows()?;
        let mut restoring = self.described.restore(&rows);
        for _ in RowIndex(0).up_to(first.min(visits.end)) {
            let row = restoring.next_row()?.map_err(|error| problem(&self.path, &error))?;
            if visits.row(row).is_break() {
                return Ok(None);
            }
        }
        visits.visitor.progress(visits.done);
        if visits.end < first {
            return Ok(None);
        }
        // A run that ends here needs no columns, and checks that they can be read.
        let boundary = self.columns(restoring)?;
        Ok((visits.end > first).then_some((boundary, rows)))
    }

    /// The rows, in bytes.
    fn rows(&self) -> Result<Vec<u8>, WordsError> {
        let mut bytes = Vec::new();
        self.part(self.rows_at..self.rows_end)
            .and_then(|mut rows| rows.read_to_end(&mut bytes))
            .map_err(|error| problem(&self.path, &error))?;
        Ok(bytes)
    }

    /// Reads corner and groups, after all rows, and compares the words that wait for the groups
    /// with those in files.
    fn columns(&self, rows: Restoring<'_>) -> Result<Boundary, WordsError> {
        let read = || {
            let mut source = Decoder(self.part(self.body..self.rows_at)?);
            let (boundary, waiting) = rows.columns(&mut source)?;
            if source.0.read(&mut [0])? != 0 {
                return Err(invalid("there are bytes between groups and rows"));
            }
            if self.in_files.as_ref().is_some_and(|in_files| *in_files != waiting) {
                return Err(invalid("the words that wait are not those of the groups"));
            }
            Ok(boundary)
        };
        read().map_err(|error| problem(&self.path, &error))
    }

    fn part(&self, range: Range<u64>) -> io::Result<impl Read> {
        (&self.file).seek(SeekFrom::Start(range.start))?;
        Ok(BufReader::with_capacity(1 << 20, (&self.file).take(range.end - range.start)))
    }
}

/// The offset of the body, the row, and the frame.
fn read_header(file: &mut File) -> io::Result<(u64, RowIndex, Frame)> {
    file.seek(SeekFrom::Start(0))?;
    let mut start = Vec::new();
    (&*file).take(LONGEST_HEADER).read_to_end(&mut start)?;
    let line = start.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let line = str::from_utf8(line).map_err(|_| invalid("its header is no text"))?;
    let rest = line.strip_prefix(MAGIC).ok_or_else(|| invalid("it has no header"))?;
    let (version, _) = rest.split_once(' ').ok_or_else(|| invalid("it has no version"))?;
    let version: u64 = version.parse().map_err(|_| invalid("it has no version"))?;
    if version != VERSION {
        return Err(of_no_use(format!(
            "has format version {version}, and this program reads version {VERSION}; finish the run \
             with the program that began it, or choose another folder or remove the checkpoint to \
             begin again"
        )));
    }
    let fields: Vec<u64> = rest.split(' ').filter_map(|field| field.parse().ok()).collect();
    if let [_, row, end, low, high, guard] = fields[..]
        && let Ok(guard) = u32::try_from(guard)
        && let Some(windows) = Windows::new(low, high, guard)
        && let frame = (Frame { windows, bands: BandIndex::of_row(RowIndex(end)) })
        && let row = RowIndex(row)
        && start.starts_with(header(row, frame).as_bytes())
    {
        return Ok((line.len() as u64 + 1, row, frame));
    }
    Err(invalid("its header is not as this program writes it"))
}

/// An upper estimate of the size of a checkpoint below `row`, measured to 3 * 10^5 rows.
pub(super) fn size(row: RowIndex) -> u64 {
    row.0.saturating_mul(60).saturating_add(1 << 18)
}
