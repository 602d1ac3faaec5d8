//! A checkpoint, as a file.

use super::believed::BelievedRows;
use crate::{
    band::{
        below::{Context, Knowledge},
        codec::{Source, invalid, put},
        geometry::{Frame, Windows, fall, first_tile, highest_base_offset, reach},
        group::Group,
        post::{FileState, Folder, Left, Office, Routes, SpillTo},
        schedule::{FIRST_BAND, block_of, last_band},
        units::{BandIndex, BlockIndex, GroupIndex, LANES},
        walk::Corner,
    },
    error::SweepError,
    units::{RowIndex, index},
};
use record::Record;
use record::listeners::Done;
use std::{
    collections::BTreeMap,
    fs::File,
    io::{self, BufReader, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
};

/// To be raised whenever the file changes, or what it says: bands, groups, windows or anchors.
pub(super) const VERSION: u64 = 6;

/// The same where several processes have files of words, each in a folder of its own: they are
/// named with their place.
pub(super) const VERSION_OF_PARTS: u64 = 7;

/// How header lines begin.
const MAGIC: &str = "chomp-checkpoint ";

/// No header line is longer.
const LONGEST_HEADER: u64 = 200;

const HASH: u64 = blake3::OUT_LEN as u64;

const TRAILER: u64 = 6 * 8;

/// The error of a file that was read and is wrong, or that could not be read.
pub(super) fn problem(file: &Path, error: &io::Error) -> SweepError {
    let (file, problem) = (file.to_owned(), error.to_string());
    if is_damage(error) {
        SweepError::Checkpoint { file, problem }
    } else {
        SweepError::CheckpointUnreadable { file, problem }
    }
}

/// Whether the bytes are to blame, not the operating system.
fn is_damage(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof)
}

/// The `end` that the header of a checkpoint says.
pub(super) fn end_of(path: &Path) -> Result<RowIndex, Unusable> {
    // However long it is, its first line is short.
    let (mut file, _) = files::open(path, u64::MAX)?;
    let (_, _, frame) = read_header(&mut file)?;
    Ok(frame.bands.first_row())
}

/// The header line of a checkpoint.
pub(super) fn header(RowIndex(row): RowIndex, frame: Frame, version: u64) -> String {
    let ([low, high, guard], end) = (frame.windows.parameters(), frame.bands.first_row().0);
    format!("{MAGIC}{version} row {row} end {end} windows {low} {high} {guard}\n")
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
    for file in files {
        file.save(&mut bytes);
    }
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
    row: RowIndex,
    frame: Frame,
    groups: u64,
    /// Where the corner begins.
    body: u64,
    rows_at: u64,
    rows_end: u64,
    /// The files of words that belong to it.
    files: Vec<FileState>,
    /// Those that older checkpoints need besides, and the row of the oldest.
    older: Vec<FileState>,
    oldest: RowIndex,
    /// The words in these: how many, by reader and source.
    in_files: Ways,
    done: Done,
}

/// How many words go which way: by reader and source.
type Ways = BTreeMap<(BlockIndex, BlockIndex), usize>;

/// Why a file cannot be used.
pub(super) enum Unusable {
    Version(u64),
    /// It was read, and is wrong.
    Damaged(io::Error),
    /// It could not be read.
    Unreadable(io::Error),
    /// It needs words in a folder that is not given.
    NoFolder,
    /// It needs words that cannot be read: with which file or folder of them there is a problem.
    Words(PathBuf, io::Error),
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
        self.row.0
    }

    /// What had been done below that row.
    #[must_use]
    pub fn done(&self) -> Done {
        self.done
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
        self.frame.bands.first_row().0
    }

    /// Reads all of it, as a run that goes on from it does, and keeps nothing. O(bytes).
    ///
    /// # Errors
    /// [`SweepError::Checkpoint`] if some of it is not what a checkpoint consists of, and
    /// [`SweepError::CheckpointUnreadable`] if it cannot be read.
    pub fn read(&mut self) -> Result<(), SweepError> {
        let rows = self.rows()?;
        let (mut believed, mut knowledge) = (self.believed(&rows), Knowledge::new());
        for _ in RowIndex(0).up_to(self.row) {
            knowledge.add_with_diagonal(&self.next_row(&mut believed)?)?;
        }
        let (routes, office) = (Routes::new(self.frame), Office::default());
        self.columns(believed, &knowledge, &routes, &office).map(drop)
    }

    /// The checkpoint in this file, whose name says this row. Its words have not been looked at.
    pub(super) fn open(path: PathBuf, named: RowIndex) -> Result<Self, Unusable> {
        let most = size(named, RowIndex(u64::MAX), false).saturating_mul(4);
        let (mut file, _) = files::open(&path, most)?;
        let hashed = verify(&mut file)?;
        let (body, row, frame) = read_header(&mut file)?;
        let trailer_at = hashed
            .checked_sub(TRAILER)
            .filter(|&end| end >= body)
            .ok_or_else(|| invalid("it is too short"))?;
        file.seek(SeekFrom::Start(trailer_at))?;
        let mut source = Source(&mut file);
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
        let mut source = Source(BufReader::new(&mut file));
        let files =
            (0..count).map(|_| FileState::restore(&mut source)).collect::<io::Result<Vec<_>>>()?;
        let (older, oldest, in_files) = (Vec::new(), row, Ways::new());
        let checkpoint = Self {
            file,
            path,
            row,
            frame,
            groups,
            body,
            rows_at,
            rows_end,
            files,
            older,
            oldest,
            in_files,
            done,
        };
        if same_row != row.0 || named != row || !checkpoint.is_consistent() {
            return Err(invalid("its name and its numbers contradict each other").into());
        }
        Ok(checkpoint)
    }

    /// Reads the words that it needs, in the folder of the run that wrote it.
    pub(super) fn count_words(&mut self, spill: Option<&SpillTo>) -> Result<(), Unusable> {
        self.in_files = count_words(&self.files, spill)?;
        Ok(())
    }

    /// A run that goes on from this checkpoint may have to go on from that one, too.
    pub(super) fn keep_words_of(&mut self, older: &Self) {
        let next = block_of(self.band());
        let is_named = |file: &FileState, of: &[FileState]| {
            of.iter().any(|other| (other.place, other.reader) == (file.place, file.reader))
        };
        // Words of later readers still wait: they are in the files of this one.
        for &file in older.files.iter().filter(|file| file.reader < next) {
            if !is_named(&file, &self.older) {
                self.older.push(file);
            }
        }
        self.oldest = older.row;
    }

    /// What a run that goes on from it finds on disk.
    pub(crate) fn words_left(&self) -> Left {
        let files = self.files.iter().chain(&self.older).copied().collect();
        Left { files, needed: block_of(BandIndex::of_row(self.oldest)) }
    }

    fn band(&self) -> BandIndex {
        BandIndex::of_row(self.row)
    }

    /// Whether the numbers in header and trailer can be those of a checkpoint of this size.
    fn is_consistent(&self) -> bool {
        (self.body..=self.rows_end).contains(&self.rows_at)
            && self.row.0.is_multiple_of(LANES)
            && self.band() >= FIRST_BAND
            && self.band() == last_band(block_of(self.band() - 1)) + 1
            && self.band() < self.frame.bands
            && self.frame.bands <= Frame::MOST_BANDS
            && self.row.0 <= self.rows_end - self.rows_at
            && self.groups <= self.rows_at / Group::LEAST_BYTES
            && self.done.fallbacks <= self.done.cells / (LANES * LANES)
            && self.groups_end() >= reach(self.row - 1)
            && fall(self.groups_end()) <= self.frame.windows.rise(self.band() - 1)
    }

    fn first_group(&self) -> GroupIndex {
        first_tile(self.band()) - 1
    }

    fn groups_end(&self) -> GroupIndex {
        self.first_group() + self.groups
    }

    /// That of the run that wrote it, if one with these windows and bands may go on from it.
    pub(crate) fn frame(&self, windows: Windows, bands: BandIndex) -> Result<Frame, SweepError> {
        let file = self.path.clone();
        if self.frame.windows != windows {
            let (found, wanted) = (self.frame.windows.parameters(), windows.parameters());
            return Err(SweepError::CheckpointWindows { file, found, wanted });
        }
        if self.frame.bands < bands {
            let (found, wanted) = (self.end(), bands.first_row().0);
            return Err(SweepError::CheckpointEnd { file, found, wanted });
        }
        Ok(self.frame)
    }

    /// The rows, as they are stored.
    pub(crate) fn rows(&mut self) -> Result<Vec<u8>, SweepError> {
        let mut bytes = Vec::new();
        self.part(self.rows_at..self.rows_end)
            .and_then(|mut rows| rows.read_to_end(&mut bytes))
            .map_err(|error| problem(&self.path, &error))?;
        Ok(bytes)
    }

    /// These rows, before the first is taken.
    pub(crate) fn believed<'a>(&self, rows: &'a [u8]) -> BelievedRows<'a> {
        BelievedRows::new(rows, self.groups_end())
    }

    /// Takes the next of these rows.
    pub(crate) fn next_row(&self, rows: &mut BelievedRows) -> Result<Record, SweepError> {
        rows.next_row().map_err(|error| problem(&self.path, &error))
    }

    /// The corner and the groups, after all of these rows have been taken; what waits for them goes
    /// to the office.
    pub(crate) fn columns(
        &mut self,
        rows: BelievedRows,
        knowledge: &Knowledge,
        routes: &Routes,
        office: &Office,
    ) -> Result<(Corner, Vec<Box<Group>>), SweepError> {
        let columns = rows.end(self.done.cells).and_then(|reached_by| {
            let (corner, groups) = self.read_columns(&reached_by, routes, office)?;
            let Knowledge { old, diagonals, .. } = knowledge;
            let context = Context { frame: self.frame, old, diagonals };
            if groups.iter().all(|group| group.is_consistent(context)) {
                return Ok((corner, groups));
            }
            Err(invalid("a group's window contradicts the rows"))
        });
        columns.map_err(|error| problem(&self.path, &error))
    }

    fn read_columns(
        &mut self,
        reached_by: &[RowIndex],
        routes: &Routes,
        office: &Office,
    ) -> io::Result<(Corner, Vec<Box<Group>>)> {
        let (band, frame) = (self.band(), self.frame);
        let (first, end) = (self.first_group(), self.groups_end());
        let in_files = self.in_files.clone();
        let mut source = Source(self.part(self.body..self.rows_at)?);
        let corner = Corner::restore(&mut source, band, frame.windows)?;
        let mut restored = Vec::new();
        for (g, &row) in first.up_to(end).zip(&reached_by[index(first.0)..]) {
            let made = BandIndex::of_row(row).max(FIRST_BAND - 1);
            let highest_base = g.first_column().number(highest_base_offset(row));
            let group = Group::restore(&mut source, (g, band - 1), (made, highest_base), frame)?;
            restored.push(Box::new(group));
        }
        restore_words(&mut source, block_of(band - 1), (&restored, in_files), routes, office)?;
        if source.0.read(&mut [0])? != 0 {
            return Err(invalid("there is something between words and rows"));
        }
        Ok((corner, restored))
    }

    fn part(&mut self, range: std::ops::Range<u64>) -> io::Result<impl Read> {
        self.file.seek(SeekFrom::Start(range.start))?;
        Ok(BufReader::with_capacity(1 << 20, (&self.file).take(range.end - range.start)))
    }
}

/// Posts the words that wait for these groups, which come from block `n`. How many there are, and
/// from where to where, follows from the groups.
fn restore_words(
    source: &mut Source<impl Read>,
    n: BlockIndex,
    (groups, mut in_files): (&[Box<Group>], Ways),
    routes: &Routes,
    office: &Office,
) -> io::Result<()> {
    in_files.retain(|&(reader, _), _| reader > n);
    let mut expected = Ways::new();
    for way in groups.iter().flat_map(|group| group.waiting(n, routes)) {
        *expected.entry(way).or_default() += 1;
    }
    for ((reader, from), count) in expected {
        let in_file = in_files.remove(&(reader, from)).unwrap_or(0);
        let count = count.checked_sub(in_file).ok_or_else(|| invalid(OTHER_WORDS))?;
        if count == 0 {
            continue;
        }
        if [source.number()?, source.number()?, source.number()?]
            != [reader.0, from.0, count as u64]
        {
            return Err(invalid(OTHER_WORDS));
        }
        let words = (0..count).map(|_| source.eight()).collect::<io::Result<Vec<_>>>()?;
        office.add(reader, from, words);
    }
    if in_files.is_empty() { Ok(()) } else { Err(invalid(OTHER_WORDS)) }
}

const OTHER_WORDS: &str = "the words that wait are not those of the groups";

/// Reads these files: how many words they have, by reader and source.
fn count_words(files: &[FileState], spill: Option<&SpillTo>) -> Result<Ways, Unusable> {
    let mut ways = Ways::new();
    if files.is_empty() {
        return Ok(ways);
    }
    let SpillTo { folder, owner, .. } = spill.ok_or(Unusable::NoFolder)?;
    let folder = Folder::new(folder);
    folder.require_owner(files, owner).map_err(|(file, error)| Unusable::Words(file, error))?;
    let mut part = Vec::new();
    for state in files {
        let list = |_| Vec::new();
        let counted = state.read(&folder, &mut part, list, |reader, run| {
            *ways.entry((reader, run.source)).or_default() += run.words.len();
        });
        if let Err(error) = counted {
            let file = folder.file(state);
            return Err(if is_damage(&error) {
                Unusable::Damaged(invalid(&format!("{}: {error}", file.display())))
            } else {
                Unusable::Words(file, error)
            });
        }
    }
    Ok(ways)
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
fn read_header(file: &mut File) -> Result<(u64, RowIndex, Frame), Unusable> {
    file.seek(SeekFrom::Start(0))?;
    let mut start = Vec::new();
    (&*file).take(LONGEST_HEADER).read_to_end(&mut start)?;
    let line = start.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let line = str::from_utf8(line).map_err(|_| invalid("its header is no text"))?;
    let rest = line.strip_prefix(MAGIC).ok_or_else(|| invalid("it has no header"))?;
    let (version, _) = rest.split_once(' ').ok_or_else(|| invalid("it has no version"))?;
    let version = version.parse().map_err(|_| invalid("it has no version"))?;
    if ![VERSION, VERSION_OF_PARTS].contains(&version) {
        return Err(Unusable::Version(version));
    }
    let fields: Vec<u64> = rest.split(' ').filter_map(|field| field.parse().ok()).collect();
    if let [_, row, end, low, high, guard] = fields[..]
        && let Ok(guard) = u32::try_from(guard)
        && let Some(windows) = Windows::new(low, high, guard)
        && let frame = (Frame { windows, bands: BandIndex::of_row(RowIndex(end)) })
        && let row = RowIndex(row)
        && start.starts_with(header(row, frame, version).as_bytes())
    {
        return Ok((line.len() as u64 + 1, row, frame));
    }
    Err(invalid("its header is not as this program writes it").into())
}

/// A size that a checkpoint below `row` does not exceed, in a run that ends before `end`: measured
/// to 3 * 10^5 rows. The words that wait may be in files of their own.
pub(super) fn size(row: RowIndex, end: RowIndex, words_in_files: bool) -> u64 {
    let square = |RowIndex(row)| u128::from(row) * u128::from(row);
    let words = (square(row) / 180).min(square(end) / 275);
    let words = if words_in_files { 0 } else { u64::try_from(words).unwrap_or(u64::MAX) };
    words.saturating_add(row.0.saturating_mul(60)).saturating_add(1 << 18)
}
