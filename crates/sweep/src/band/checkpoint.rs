//! Checkpoints: what an interrupted run leaves behind, and a later one goes on from.
//!
//! Between two blocks all that goes on is in the messages that one block hands to the next: the
//! corner and the groups, as the rows below the boundary have left them. With the rows below, all
//! of them, that is everything that a later cell reads (proofs/sweep.md, section 7). A checkpoint is
//! a copy of both, taken while the messages flow: the pipeline goes on meanwhile. It depends on the
//! windows and on how far the run goes that wrote it, since columns do not keep what it will not
//! read; but not on the threads or the kernel.
//!
//! A file, all numbers little-endian:
//!
//! | part | bytes |
//! |---|---|
//! | header | a line of text: `chomp-checkpoint 2 row R end E windows A B C`, the version, the first row above the boundary, the row from which on none can be swept, and the windows |
//! | corner | base; 7 columns of groups, each 4 words for 8 columns |
//! | groups | each: first stored word, first word kept; low, high and pending masks; the words, and the last one if it is not one of those kept; two lists of exceptions |
//! | rows | from 0 to before R, 20 to 30 bytes each |
//! | trailer | five numbers: how many groups; where the rows begin; cells done; tiles done by the exact path; R |
//! | hash | BLAKE3 of all that precedes, 32 bytes, in every version |
//!
//! It is written under a name that starts with `.writing-`, fsynced and renamed to
//! `checkpoint-R.bin`; the two with the greatest R are kept. Nothing of a file is used before all of
//! it has been hashed. The hash tells damage from what was written, and nothing else: what a file with
//! a hash that fits says is believed, but for what section 7.3 verifies.
//!
//! No file goes that may be worth a day: one that cannot be read is left as it is, and a run leaves
//! the checkpoints of runs that end later.

use super::{
    believed::BelievedRows,
    codec::{Source, invalid, put},
    corner::Corner,
    geometry::{Frame, LANES, Windows, fall, first_tile, reach, stored_from},
    group::{Context, Group},
    knowledge::Knowledge,
    pipeline::FIRST_BAND,
    stored::Pool,
};
use crate::{
    error::Error,
    row::{Report, Row},
    tail::index,
};
use std::{
    fs::{self, File},
    io::{self, BufReader, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
    time::Duration,
};

/// To be raised whenever the file changes, or what it says: bands, groups, windows or anchors.
const VERSION: u64 = 2;

/// How header lines begin.
const MAGIC: &str = "chomp-checkpoint ";

/// No header line is longer.
const LONGEST_HEADER: u64 = 200;

const HASH: u64 = blake3::OUT_LEN as u64;

const TRAILER: u64 = 5 * 8;

/// No group takes fewer bytes: two numbers, three masks, two empty lists.
const LEAST_GROUP: u64 = 2 * 8 + 3 * 64 + 2;

/// Where checkpoints are kept, and how often they are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoints {
    folder: PathBuf,
    interval: Option<Duration>,
}

impl Checkpoints {
    /// In `folder`, which is created when the first one is written; every two minutes, or at such
    /// intervals that writing takes a twentieth of the time, if that is longer.
    #[must_use]
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into(), interval: None }
    }

    /// From one beginning to the next at least this long. Only one is written at a time; zero means
    /// that the next one begins as soon as the one before is safe.
    #[must_use]
    pub fn every(self, interval: Duration) -> Self {
        Self { interval: Some(interval), ..self }
    }

    /// How long after its beginning a checkpoint that took so long is followed by the next.
    pub(super) fn interval(&self, took: Duration) -> Duration {
        self.interval.unwrap_or_else(|| Duration::from_secs(120).max(took.saturating_mul(20)))
    }

    /// The newest checkpoint that is whole. O(bytes): all of it is read.
    ///
    /// One that was read and is damaged is set aside, under its name with `.damaged` appended, with a
    /// warning. One that cannot be read may be whole: it is left as it is.
    ///
    /// # Errors
    /// [`Error::CheckpointUnreadable`] if the folder or a checkpoint cannot be read, and
    /// [`Error::CheckpointVersion`] if the newest one that is whole has another format.
    pub fn newest(&self) -> Result<Option<Checkpoint>, Error> {
        for (row, path) in self.files().map_err(|error| problem(&self.folder, &error))? {
            match Checkpoint::open(path.clone(), row) {
                Ok(checkpoint) => return Ok(Some(checkpoint)),
                Err(Unusable::Unreadable(error)) => return Err(problem(&path, &error)),
                Err(Unusable::Version(version)) => {
                    let (file, expected) = (path, VERSION);
                    return Err(Error::CheckpointVersion { file, version, expected });
                }
                Err(Unusable::Damaged(error)) => set_aside(&path, &error),
            }
        }
        Ok(None)
    }

    /// Removes the checkpoints of runs that end before `end` or sooner, whole, damaged or unfinished,
    /// for when such a run is complete and its rows are safe. Returns those that it leaves there: a run
    /// that ends later may go on from them, or it cannot be told.
    ///
    /// # Errors
    /// If the folder cannot be read or a file not removed.
    pub fn remove(&self, end: u64) -> io::Result<Vec<PathBuf>> {
        self.remove_unfinished()?;
        let mut left = Vec::new();
        for path in entries(&self.folder)? {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if row_of(name.strip_suffix(DAMAGED).unwrap_or(name)).is_none() {
                continue;
            }
            if may_go(&path, end.next_multiple_of(LANES)) {
                fs::remove_file(&path)?;
            } else {
                left.push(path);
            }
        }
        Ok(left)
    }

    /// Removes what earlier runs have begun to write.
    pub(super) fn remove_unfinished(&self) -> io::Result<()> {
        for path in entries(&self.folder)? {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if name.strip_prefix(UNFINISHED).is_some_and(|name| row_of(name).is_some()) {
                fs::remove_file(&path)?;
            }
        }
        Ok(())
    }

    /// Removes all but the two newest of runs that end before `end` or sooner.
    pub(super) fn remove_oldest(&self, end: u64) -> io::Result<()> {
        let files = self.files()?;
        let own = files.iter().filter(|(_, path)| may_go(path, end));
        own.skip(2).try_for_each(|(_, path)| fs::remove_file(path))
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The files that bear the name of a checkpoint, newest first.
    fn files(&self) -> io::Result<Vec<(u64, PathBuf)>> {
        let mut files: Vec<_> = entries(&self.folder)?
            .into_iter()
            .filter_map(|path| Some((row_of(path.file_name()?.to_str()?)?, path)))
            .collect();
        files.sort_unstable_by(|a, b| b.cmp(a));
        Ok(files)
    }
}

/// What the names of unfinished files start with.
const UNFINISHED: &str = ".writing-";

const DAMAGED: &str = ".damaged";

/// The name of the checkpoint whose boundary is below `row`.
pub(super) fn file_name(row: u64) -> String {
    format!("checkpoint-{row:010}.bin")
}

/// Its name until it is whole.
pub(super) fn unfinished_name(row: u64) -> String {
    format!("{UNFINISHED}{}", file_name(row))
}

fn row_of(name: &str) -> Option<u64> {
    let row = name.strip_prefix("checkpoint-")?.strip_suffix(".bin")?.parse().ok()?;
    (file_name(row) == name).then_some(row)
}

/// The paths in a folder; none if it does not exist.
fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    match fs::read_dir(folder) {
        Ok(entries) => entries.map(|entry| Ok(entry?.path())).collect(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

/// Whether what is there may go, for a run that ends before `end`: not if a run that ends later may
/// go on from it, or if it cannot be told.
pub(super) fn may_go(path: &Path, end: u64) -> bool {
    match end_of(path) {
        Ok(its) => its <= end,
        Err(Unusable::Damaged(_)) => true,
        Err(Unusable::Version(_) | Unusable::Unreadable(_)) => false,
    }
}

fn set_aside(path: &Path, error: &io::Error) {
    let mut name = path.as_os_str().to_owned();
    name.push(DAMAGED);
    match fs::rename(path, &name) {
        Ok(()) => tracing::warn!(
            "the checkpoint {} is damaged ({error}); it is now {}, and the one before it is used",
            path.display(),
            name.display(),
        ),
        Err(rename) => tracing::warn!(
            "the checkpoint {} is damaged ({error}) and cannot be renamed ({rename}); the one before it is used",
            path.display(),
        ),
    }
}

/// The error of a file that was read and is wrong, or that could not be read.
fn problem(file: &Path, error: &io::Error) -> Error {
    let (file, problem) = (file.to_owned(), error.to_string());
    if is_damage(error) {
        Error::Checkpoint { file, problem }
    } else {
        Error::CheckpointUnreadable { file, problem }
    }
}

/// Whether the bytes are to blame, not the operating system.
fn is_damage(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof)
}

/// Opens a regular file. Others may keep one waiting for ever, or never end.
fn open(path: &Path) -> io::Result<File> {
    if fs::metadata(path)?.is_file() {
        File::open(path)
    } else {
        Err(io::Error::other("it is no regular file"))
    }
}

/// The `end` that the header of a checkpoint says.
fn end_of(path: &Path) -> Result<u64, Unusable> {
    let (_, _, frame) = read_header(&mut open(path)?)?;
    Ok(LANES * frame.bands)
}

/// The header line of a checkpoint.
pub(super) fn header(row: u64, frame: Frame) -> String {
    let ([low, high, guard], end) = (frame.windows.parameters(), LANES * frame.bands);
    format!("{MAGIC}{VERSION} row {row} end {end} windows {low} {high} {guard}\n")
}

/// The trailer of a checkpoint.
pub(super) fn trailer(groups: u64, rows_at: u64, report: Report, row: u64) -> Vec<u8> {
    let numbers = [groups, rows_at, report.cells, report.fallbacks, row];
    let mut bytes = Vec::new();
    for number in numbers {
        put(&mut bytes, number);
    }
    bytes
}

/// A checkpoint on disk that is whole.
#[derive(Debug)]
pub struct Checkpoint {
    /// Open: what was verified is what will be read.
    file: File,
    path: PathBuf,
    row: u64,
    frame: Frame,
    groups: u64,
    /// Where the corner begins.
    body: u64,
    rows_at: u64,
    rows_end: u64,
    report: Report,
}

/// Why a file cannot be used.
enum Unusable {
    Version(u64),
    /// It was read, and is wrong.
    Damaged(io::Error),
    /// It could not be read.
    Unreadable(io::Error),
}

impl From<io::Error> for Unusable {
    fn from(error: io::Error) -> Self {
        if is_damage(&error) { Self::Damaged(error) } else { Self::Unreadable(error) }
    }
}

impl Checkpoint {
    /// The rows below this one are stored, and the next run goes on from it.
    #[must_use]
    pub fn row(&self) -> u64 {
        self.row
    }

    /// What had been done below that row.
    #[must_use]
    pub fn report(&self) -> Report {
        self.report
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The windows of the run that wrote it.
    #[must_use]
    pub fn windows(&self) -> Windows {
        self.frame.windows
    }

    /// The `end` of the run that wrote it, rounded up to a multiple of 8: a run with no greater
    /// `end` may go on from it.
    #[must_use]
    pub fn end(&self) -> u64 {
        LANES * self.frame.bands
    }

    /// Reads all of it, as a run that goes on from it does, and keeps nothing. O(bytes).
    ///
    /// # Errors
    /// [`Error::Checkpoint`] if some of it is not what a checkpoint consists of, and
    /// [`Error::CheckpointUnreadable`] if it cannot be read.
    pub fn read(&mut self) -> Result<(), Error> {
        let rows = self.rows()?;
        let (mut believed, mut knowledge) = (self.believed(&rows), Knowledge::new());
        for _ in 0..self.row {
            knowledge.add_with_diagonal(&self.next_row(&mut believed)?)?;
        }
        self.state(believed, &knowledge, &Pool::default()).map(drop)
    }

    /// The checkpoint in this file, whose name says this row.
    fn open(path: PathBuf, named: u64) -> Result<Self, Unusable> {
        let mut file = open(&path)?;
        let hashed = verify(&mut file)?;
        let (body, row, frame) = read_header(&mut file)?;
        let rows_end = hashed
            .checked_sub(TRAILER)
            .filter(|&end| end >= body)
            .ok_or_else(|| invalid("it is too short"))?;
        file.seek(SeekFrom::Start(rows_end))?;
        let mut source = Source(&mut file);
        let mut next = || source.number();
        let (groups, rows_at, cells, fallbacks, same_row) =
            (next()?, next()?, next()?, next()?, next()?);
        let report = Report { rows: row, cells, fallbacks };
        let checkpoint = Self { file, path, row, frame, groups, body, rows_at, rows_end, report };
        if same_row != row || named != row || !checkpoint.is_consistent() {
            return Err(invalid("its name and its numbers contradict each other").into());
        }
        Ok(checkpoint)
    }

    fn band(&self) -> u64 {
        self.row / LANES
    }

    /// Whether the numbers in header and trailer can be those of a checkpoint of this size.
    fn is_consistent(&self) -> bool {
        (self.body..=self.rows_end).contains(&self.rows_at)
            && self.row.is_multiple_of(LANES)
            && self.band() >= FIRST_BAND
            && self.band() < self.frame.bands
            && self.frame.bands <= Frame::MOST_BANDS
            && self.row <= self.rows_end - self.rows_at
            && self.groups <= self.rows_at / LEAST_GROUP
            && self.report.fallbacks <= self.report.cells / (LANES * LANES)
            && self.groups_end() >= reach(self.row - 1)
            && fall(self.groups_end()) <= self.frame.windows.rise(self.band() - 1)
    }

    fn first_group(&self) -> u64 {
        first_tile(self.band()) - 1
    }

    fn groups_end(&self) -> u64 {
        self.first_group() + self.groups
    }

    /// That of the run that wrote it, if one with these windows and bands may go on from it.
    pub(super) fn frame(&self, windows: Windows, bands: u64) -> Result<Frame, Error> {
        let file = self.path.clone();
        if self.frame.windows != windows {
            let (found, wanted) = (self.frame.windows.parameters(), windows.parameters());
            return Err(Error::CheckpointWindows { file, found, wanted });
        }
        if self.frame.bands < bands {
            let (found, wanted) = (self.end(), LANES * bands);
            return Err(Error::CheckpointEnd { file, found, wanted });
        }
        Ok(self.frame)
    }

    /// The rows, as they are stored.
    pub(super) fn rows(&mut self) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        self.part(self.rows_at..self.rows_end)
            .and_then(|mut rows| rows.read_to_end(&mut bytes))
            .map_err(|error| problem(&self.path, &error))?;
        Ok(bytes)
    }

    /// These rows, before the first is taken.
    pub(super) fn believed<'a>(&self, rows: &'a [u8]) -> BelievedRows<'a> {
        BelievedRows::new(rows, self.groups_end())
    }

    /// Takes the next of these rows.
    pub(super) fn next_row(&self, rows: &mut BelievedRows) -> Result<Row, Error> {
        rows.next_row().map_err(|error| problem(&self.path, &error))
    }

    /// The corner and the groups, after all of these rows have been taken.
    pub(super) fn state(
        &mut self,
        rows: BelievedRows,
        knowledge: &Knowledge,
        pool: &Pool,
    ) -> Result<(Corner, Vec<Box<Group>>), Error> {
        let state = rows.end(self.report.cells).and_then(|reached_by| {
            let (corner, groups) = self.read_state(&reached_by, pool)?;
            let Knowledge { old, diagonals, .. } = knowledge;
            let context = Context { frame: self.frame, pool, old, diagonals };
            if groups.iter().all(|group| group.is_consistent(context)) {
                return Ok((corner, groups));
            }
            Err(invalid("a group's window contradicts its stored words or the rows"))
        });
        state.map_err(|error| problem(&self.path, &error))
    }

    fn read_state(
        &mut self,
        reached_by: &[u64],
        pool: &Pool,
    ) -> io::Result<(Corner, Vec<Box<Group>>)> {
        let (band, frame) = (self.band(), self.frame);
        let groups = self.first_group()..self.groups_end();
        let mut source = Source(self.part(self.body..self.rows_at)?);
        let corner = Corner::restore(&mut source, band, frame.windows)?;
        let mut restored = Vec::new();
        for (g, &row) in groups.clone().zip(&reached_by[index(groups.start)..]) {
            let made = (row / LANES).max(FIRST_BAND - 1);
            let limit = LANES * g + stored_from(row);
            let group = Group::restore(&mut source, (g, band - 1), (made, limit), frame, pool)?;
            restored.push(Box::new(group));
        }
        if source.0.read(&mut [0])? != 0 {
            return Err(invalid("there is something between groups and rows"));
        }
        Ok((corner, restored))
    }

    fn part(&mut self, range: std::ops::Range<u64>) -> io::Result<impl Read> {
        self.file.seek(SeekFrom::Start(range.start))?;
        Ok(BufReader::with_capacity(1 << 20, (&self.file).take(range.end - range.start)))
    }
}

/// Compares the hash; returns how many bytes are hashed.
fn verify(file: &mut File) -> io::Result<u64> {
    let length = file.metadata()?.len();
    let hashed = length.checked_sub(HASH).ok_or_else(|| invalid("it is too short"))?;
    let mut hasher = blake3::Hasher::new();
    let read =
        io::copy(&mut BufReader::with_capacity(1 << 18, (&*file).take(hashed)), &mut hasher)?;
    let mut expected = [0; blake3::OUT_LEN];
    file.seek(SeekFrom::Start(hashed))?;
    file.read_exact(&mut expected)?;
    if read != hashed || hasher.finalize() != expected {
        return Err(invalid("its hash is not that of its content"));
    }
    Ok(hashed)
}

/// Where the body begins, the row, and the frame.
fn read_header(file: &mut File) -> Result<(u64, u64, Frame), Unusable> {
    file.seek(SeekFrom::Start(0))?;
    let mut start = Vec::new();
    (&*file).take(LONGEST_HEADER).read_to_end(&mut start)?;
    let line = start.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let line = str::from_utf8(line).map_err(|_| invalid("its header is no text"))?;
    let rest = line.strip_prefix(MAGIC).ok_or_else(|| invalid("it has no header"))?;
    let (version, _) = rest.split_once(' ').ok_or_else(|| invalid("it has no version"))?;
    let version = version.parse().map_err(|_| invalid("it has no version"))?;
    if version != VERSION {
        return Err(Unusable::Version(version));
    }
    let fields: Vec<u64> = rest.split(' ').filter_map(|field| field.parse().ok()).collect();
    if let [_, row, end, low, high, guard] = fields[..]
        && let Ok(guard) = u32::try_from(guard)
        && let Some(windows) = Windows::new(low, high, guard)
        && let frame = (Frame { windows, bands: end / LANES })
        && start.starts_with(header(row, frame).as_bytes())
    {
        return Ok((line.len() as u64 + 1, row, frame));
    }
    Err(invalid("its header is not as this program writes it").into())
}

/// A size that a checkpoint below `row` does not exceed, in a run that ends before `end`: measured to
/// 3 * 10^5 rows.
pub(super) fn size(row: u64, end: u64) -> u64 {
    let square = |row: u64| u128::from(row) * u128::from(row);
    let square = (square(row) / 180).min(square(end) / 275);
    u64::try_from(square)
        .unwrap_or(u64::MAX)
        .saturating_add(row.saturating_mul(60))
        .saturating_add(1 << 18)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        assert_eq!(row_of(&file_name(1216)), Some(1216));
        assert_eq!(row_of(&file_name(u64::MAX)), Some(u64::MAX));
        for name in ["checkpoint-1216.bin", "checkpoint-0000001216.bin.damaged", "checkpoint-.bin"]
        {
            assert_eq!(row_of(name), None, "{name}");
        }
    }
}
