//! The folder of words on disk.
//!
//! A run on one machine has its files in the folder itself. Where several processes share a run,
//! each has its files in a folder of its own in there, so that the folder may be one that they
//! share, or one of that name on each machine.

use super::state::{FileState, Place};
use crate::{
    band::{
        space::{require_space, sync_folder},
        units::BlockIndex,
    },
    error::SweepError,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, OpenOptions},
    io,
    path::{Path, PathBuf},
};

/// A file that says whose words they are.
const OWNER: &str = "owner.txt";

/// Where words may wait for which memory has no room.
#[derive(Clone, Debug)]
pub(crate) struct SpillTo {
    pub(crate) folder: PathBuf,
    /// The folder of the checkpoints of the same run.
    pub(crate) owner: PathBuf,
    /// Bytes of words in memory.
    pub(crate) memory: u64,
}

/// Who uses a folder: a run on one machine, or one of so many processes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tenant {
    pub(crate) place: Place,
    pub(crate) parts: u64,
}

impl Tenant {
    /// The only one.
    pub(crate) const ALONE: Self = Self { place: Place::Whole, parts: 0 };

    /// Whether this one looks after a place, where nobody may be at work.
    pub(super) fn cares_for(self, place: Place) -> bool {
        let is_left = match place {
            Place::Whole => self.parts > 0,
            Place::OfPart(part) => part >= self.parts,
        };
        let is_first = matches!(self.place, Place::Whole | Place::OfPart(0));
        place == self.place || is_left && is_first
    }
}

/// A folder with files of words.
#[derive(Clone, Debug)]
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(path: &Path) -> Self {
        Self(path.to_owned())
    }

    pub(crate) fn file(&self, state: &FileState) -> PathBuf {
        self.of(state.place).join(format!("words-{:07}.bin", state.reader.0))
    }

    fn of(&self, place: Place) -> PathBuf {
        match place {
            Place::Whole => self.0.clone(),
            Place::OfPart(_) => self.0.join(place.name()),
        }
    }

    /// Looks whether there is room for what the run will have on disk, so many bytes for each who
    /// uses the folder. Of several processes each makes its own folder first; so the last one to
    /// look sees the folders of all that share the disk.
    pub(crate) fn require_space(&self, tenant: Tenant, each: u64) -> Result<(), SweepError> {
        let require = || {
            let mut users = 1;
            if tenant != Tenant::ALONE {
                fs::create_dir_all(self.of(tenant.place))?;
                let places = self.places()?;
                users = (0..tenant.parts).filter(|n| places.contains(&Place::OfPart(*n))).count()
                    as u64;
            }
            let there = self.bytes()?;
            let folder = std::path::absolute(&self.0)?;
            let disk = folder.ancestors().find(|folder| folder.exists()).unwrap_or(&folder);
            require_space(disk, each.saturating_mul(users).saturating_sub(there))
        };
        require().map_err(|error| failure(&self.0, &error))
    }

    /// Makes these files safe, and that they are there.
    pub(super) fn sync(&self, files: &[FileState]) -> io::Result<()> {
        files.iter().try_for_each(|state| state.sync(self))?;
        let places: BTreeSet<_> = files.iter().map(|state| state.place).collect();
        places.into_iter().try_for_each(|place| sync_folder(&self.of(place)))
    }

    /// Removes all files of words, if they are of the run with checkpoints in `owner`; if nothing
    /// else is there, the folders as well.
    pub(crate) fn clear(&self, owner: &Path) -> io::Result<()> {
        if !self.0.exists() {
            return Ok(());
        }
        let mut places = self.places()?.into_iter().rev();
        places.try_for_each(|place| self.clear_place(place, owner).map_err(|(_, error)| error))
    }

    /// The same for one place only.
    pub(super) fn clear_place(
        &self,
        place: Place,
        owner: &Path,
    ) -> Result<(), (PathBuf, io::Error)> {
        self.prepare_place(place, owner, &[])?;
        fs::remove_file(self.of(place).join(OWNER))
            .and_then(|()| self.remove_if_empty(place))
            .map_err(|error| (self.of(place), error))
    }

    pub(super) fn remove_if_empty(&self, place: Place) -> io::Result<()> {
        let is_empty = fs::read_dir(self.of(place))?.next().is_none();
        if is_empty { fs::remove_dir(self.of(place)) } else { Ok(()) }
    }

    pub(super) fn remove(&self, state: &FileState) -> io::Result<()> {
        match fs::remove_file(self.file(state)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Prepares the folder for a run with checkpoints in `owner`, that begins, or goes on from
    /// these files. Whatever else is there of the same run goes; what is of another run is an
    /// error.
    pub(crate) fn prepare(
        &self,
        tenant: Tenant,
        owner: &Path,
        left: &[FileState],
    ) -> Result<(), SweepError> {
        let prepare = || {
            let here = |error| (self.0.clone(), error);
            fs::create_dir_all(self.of(tenant.place)).map_err(here)?;
            let places = self.places().map_err(here)?;
            let mut places = places.into_iter().filter(|place| tenant.cares_for(*place));
            places.try_for_each(|place| {
                if place == tenant.place || left.iter().any(|file| file.place == place) {
                    self.prepare_place(place, owner, left)
                } else {
                    self.clear_place(place, owner)
                }
            })
        };
        prepare().map_err(|(file, error)| failure(&file, &error))
    }

    fn prepare_place(
        &self,
        place: Place,
        owner: &Path,
        left: &[FileState],
    ) -> Result<(), (PathBuf, io::Error)> {
        let here = |error| (self.of(place), error);
        let files = self.files(place).map_err(here)?;
        let said = self.of(place).join(OWNER);
        let there = |error| (said.clone(), error);
        let owner = format!(
            "words of the run in {}\n",
            std::path::absolute(owner).map_err(here)?.display()
        );
        // Written only while no words are there: a kill in the middle is of no account.
        match fs::read_to_string(&said) {
            Ok(text) if text == owner => {}
            Ok(text) if !files.is_empty() => {
                let problem = format!(
                    "it has {}, and this is another run; choose another folder, or remove {OWNER} \
                     if nobody is to go on with that run",
                    text.trim_end()
                );
                return Err(here(io::Error::other(problem)));
            }
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(there(error)),
            _ => fs::write(&said, owner).map_err(there)?,
        }
        for (reader, file) in files {
            let kept = left.iter().find(|state| (state.place, state.reader) == (place, reader));
            let prepared = match kept {
                Some(state) => OpenOptions::new()
                    .write(true)
                    .open(&file)
                    .and_then(|open| open.set_len(state.bytes)),
                None => fs::remove_file(&file),
            };
            prepared.map_err(|error| (file, error))?;
        }
        Ok(())
    }

    /// What the files of words take.
    fn bytes(&self) -> io::Result<u64> {
        if !self.0.is_dir() {
            return Ok(0);
        }
        let mut bytes = 0;
        for place in self.places()? {
            for file in self.files(place)?.values() {
                bytes += match fs::metadata(file) {
                    Ok(metadata) => metadata.len(),
                    // Somebody else has removed it.
                    Err(error) if error.kind() == io::ErrorKind::NotFound => 0,
                    Err(error) => return Err(error),
                };
            }
        }
        Ok(bytes)
    }

    /// The folder itself, then those of processes that are in it.
    fn places(&self) -> io::Result<Vec<Place>> {
        let mut places = vec![Place::Whole];
        for entry in fs::read_dir(&self.0)? {
            places.extend(entry?.file_name().to_str().and_then(Place::of_name));
        }
        places.sort_unstable();
        Ok(places)
    }

    /// The files of words in a place, by reader: none if it is gone, as another process has removed
    /// it.
    fn files(&self, place: Place) -> io::Result<BTreeMap<BlockIndex, PathBuf>> {
        let mut files = BTreeMap::new();
        let entries = match fs::read_dir(self.of(place)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(files),
            entries => entries?,
        };
        for entry in entries {
            let entry = entry?;
            if let Some(reader) = entry.file_name().to_str().and_then(reader_in) {
                files.insert(reader, entry.path());
            }
        }
        Ok(files)
    }
}

/// The error of a file of words.
pub(crate) fn failure(file: &Path, error: &io::Error) -> SweepError {
    SweepError::Spill { file: file.to_owned(), problem: error.to_string() }
}

fn reader_in(name: &str) -> Option<BlockIndex> {
    name.strip_prefix("words-")?.strip_suffix(".bin")?.parse().ok().map(BlockIndex)
}
