//! A checkpoint as a file.

use super::restore::{Described, Waiting};
use crate::band::codec::{Decoder, invalid};
use crate::band::geometry::{Frame, Windows};
use crate::band::run::{Boundary, Visits};
use crate::band::schedule::block_of;
use crate::band::words::{FileState, Left, Problem, SpillTo, require_owner};
use crate::error::{FileProblem, WordsError};
use crate::units::{BandIndex, RowIndex};
use record::listeners::Done;
use std::fmt::{self, Display};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// The version of a checkpoint. It must be raised whenever checkpoints, the files of words or their
/// meaning change: bands, groups, windows or anchors. Earlier programs also wrote version 8, which
/// contains its words, and version 9 with files in folders of several processes.
const VERSION: u64 = 10;

/// The beginning of header lines.
const MAGIC: &str = "chomp-checkpoint ";

/// No header line is longer.
const LONGEST_HEADER: u64 = 200;

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
    let (file, _) = files::open(path, u64::MAX)?;
    Ok(read_header(&file)?.frame.bands.first_row())
}

/// A checkpoint on disk that is intact.
#[derive(Debug)]
pub struct Checkpoint {
    path: PathBuf,
    pub(super) described: Described,
    /// The rows, then the corner and the groups.
    state: Vec<u8>,
    /// The files of words that it needs, then others that older checkpoints need.
    pub(crate) left: Left,
    /// The words in the files that it needs, if they have been counted.
    in_files: Option<Waiting>,
}

impl Checkpoint {
    /// The first row that is not in the checkpoint: a run resumes with it.
    pub fn row(&self) -> u64 {
        self.described.done.rows
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
        let header = read_header(&file);
        let (hashed, _) = files::verify_hash(&mut file, length, stop)?;
        let described = header?;
        if named != described.row() || !described.is_consistent() {
            return Err(invalid("its name and its numbers contradict each other"));
        }
        let (start, mut state) = (described.to_string().len() as u64, Vec::new());
        file.seek(SeekFrom::Start(start))?;
        file.take(hashed.saturating_sub(start)).read_to_end(&mut state)?;
        let source = &mut Decoder(&state);
        let file = |_| Ok([source.number()?, source.number()?, source.number()?]);
        let files = (0..described.files).map(file).map(|file| file.map(FileState::of_numbers));
        let files = files.collect::<io::Result<_>>()?;
        let left = Left { files, oldest: block_of(described.band()) };
        let end_of_files = state.len() - source.0.len();
        state.drain(..end_of_files);
        Ok(Self { path, described, state, left, in_files: None })
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
                "needs words that cannot be read: {}: {error}; is {} the folder of that run, and is \
                 its disk mounted? If the words are lost, move the checkpoint away: the same command \
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
        let Self { path, described, state, in_files, .. } = self;
        let (first, wrong) = (described.row(), |error| problem(&path, &error));
        visits.done = Done { rows: 0, ..described.done };
        let mut restoring = described.restore(&state);
        for _ in RowIndex(0).up_to(first.min(visits.end)) {
            let row = restoring.next_row()?.map_err(wrong)?;
            if visits.row(row).is_break() {
                return Ok(None);
            }
        }
        visits.visitor.progress(visits.done);
        if visits.end < first {
            return Ok(None);
        }
        // A run that ends here needs no columns, and checks that they can be read.
        let rows = state[..state.len() - restoring.source.0.len()].to_vec();
        let boundary = restoring.columns(in_files.as_ref()).map_err(wrong)?;
        Ok((visits.end > first).then_some((boundary, rows)))
    }
}

/// The first line of a checkpoint.
impl Display for Described {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { frame, done: Done { rows, cells, fallbacks }, files } = self;
        let ([low, high, guard], end) = (frame.windows.parameters(), frame.bands.first_row().0);
        write!(f, "{MAGIC}{VERSION} row {rows} end {end} windows {low} {high} {guard} ")?;
        writeln!(f, "cells {cells} fallbacks {fallbacks} files {files}")
    }
}

/// Reads the first line.
fn read_header(file: &File) -> io::Result<Described> {
    let mut start = Vec::new();
    file.take(LONGEST_HEADER).read_to_end(&mut start)?;
    let line = start.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let line = str::from_utf8(line).map_err(|_| invalid("its header is no text"))?;
    let rest = line.strip_prefix(MAGIC).ok_or_else(|| invalid("it has no header"))?;
    let fields: Vec<u64> = rest.split(' ').filter_map(|field| field.parse().ok()).collect();
    if let [version, ..] = fields[..]
        && version != VERSION
    {
        return Err(of_no_use(format!(
            "has format version {version}, and this program reads version {VERSION}; finish the run \
             with the program that began it, or choose another folder or remove the checkpoint to \
             begin again"
        )));
    }
    if let [_, rows, end, low, high, guard, cells, fallbacks, files] = fields[..]
        && let Ok(guard) = u32::try_from(guard)
        && let Some(windows) = Windows::new(low, high, guard)
        && let frame = (Frame { windows, bands: BandIndex::of_row(RowIndex(end)) })
        && let described = (Described { frame, done: Done { rows, cells, fallbacks }, files })
        && start.starts_with(described.to_string().as_bytes())
    {
        return Ok(described);
    }
    Err(invalid("its header is not as this program writes it"))
}

/// An upper estimate of the size of a checkpoint below `row`, measured to 3 * 10^5 rows.
pub(super) fn size(row: RowIndex) -> u64 {
    row.0.saturating_mul(60).saturating_add(1 << 18)
}
