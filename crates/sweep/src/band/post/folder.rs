//! The folder of words on disk.
//!
//! A run on one machine has its files in the folder itself. Where several processes share a run,
//! each has its files in a folder of its own in there, so that the folder may be one that they
//! share, or one of that name on each machine.
//!
//! Words belong to one run, and a file `owner.txt` beside them names it. It is there as long as
//! words are. A run locks the folder, and looks at all that is in it before it changes anything:
//! words without an owner or of another run, and a name of words that is no regular file, are an
//! error. Only names that are written here are ever touched.

use super::state::{FileState, Place};
use crate::{
    band::{space::require_space, units::BlockIndex},
    error::SweepError,
};
use files::{Lock, create_folders, real, remove_if_empty, sync_folder};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    io::{self, Write},
    path::{Path, PathBuf, absolute},
};

/// A file that says whose words they are.
const OWNER: &str = "owner.txt";

/// Its name until it is whole.
const UNFINISHED_OWNER: &str = ".writing-owner.txt";

/// The longest such file, in bytes.
const LONGEST_OWNER: u64 = 1 << 16;

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

/// What is wrong, and with which file or folder.
pub(crate) type Problem = (PathBuf, io::Error);

/// A folder with files of words.
#[derive(Clone, Debug)]
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(path: &Path) -> Self {
        Self(path.to_owned())
    }

    pub(crate) fn file(&self, state: &FileState) -> PathBuf {
        self.of(state.place).join(file_name(state.reader))
    }

    fn of(&self, place: Place) -> PathBuf {
        match place {
            Place::Whole => self.0.clone(),
            Place::OfPart(_) => self.0.join(place.name()),
        }
    }

    /// Prepares the folder for a run with checkpoints in `owner`, that begins, or resumes from the
    /// files `left`. What else is there of the same run goes. The places that it returns are the
    /// run's as long as they live.
    ///
    /// `each` is how many bytes the run will have on disk for each who uses the folder: if there is
    /// no room for that, it is an error.
    pub(crate) fn prepare(
        &self,
        tenant: Tenant,
        owner: &Path,
        left: &[FileState],
        each: u64,
    ) -> Result<Vec<Held>, SweepError> {
        self.try_prepare(tenant, owner, left, each).map_err(refused)
    }

    fn try_prepare(
        &self,
        tenant: Tenant,
        owner: &Path,
        left: &[FileState],
        each: u64,
    ) -> Result<Vec<Held>, Problem> {
        let here = |error| (self.0.clone(), error);
        let own = self.hold(tenant.place, owner)?;
        // Of several processes each makes its own folder first; so the last one to look sees the
        // folders of all that share the disk.
        self.require_space(tenant, each).map_err(here)?;
        let places = self.places().map_err(here)?;
        let others = places.into_iter().filter(|&place| place != tenant.place);
        let others = others.filter(|place| tenant.cares_for(*place));
        let held = others.map(|place| self.hold(place, owner)).collect::<Result<Vec<_>, _>>()?;
        // All has been looked at.
        let mut used = vec![own];
        used[0].is_used = true;
        used[0].write_owner()?;
        used[0].keep(left)?;
        for mut place in held {
            place.is_used = true;
            place.keep(left)?;
            if left.iter().any(|file| file.place == place.place) {
                used.push(place);
            }
        }
        Ok(used)
    }

    /// Removes all files of words of the run with checkpoints in `owner`.
    pub(crate) fn clear(&self, owner: &Path) -> Result<(), Problem> {
        if !self.0.exists() {
            return Ok(());
        }
        let places = self.places().map_err(|error| (self.0.clone(), error))?;
        let hold = |place| self.hold(place, owner);
        let mut held = places.into_iter().map(hold).collect::<Result<Vec<_>, _>>()?;
        for place in &mut held {
            place.is_used = true;
            place.keep(&[])?;
        }
        // The folders of processes may have been made together with this one.
        let made = held.iter().map(Held::made_besides).max().unwrap_or(0);
        drop(held);
        remove_if_empty(&self.0, made);
        Ok(())
    }

    /// An error unless the places of these files have words of the run with checkpoints in `owner`.
    pub(crate) fn require_owner(&self, files: &[FileState], owner: &Path) -> Result<(), Problem> {
        for place in places_of(files) {
            if self.look(place, owner)?.made.is_none() {
                let problem = format!("there is no {OWNER}, which says whose words these are");
                return Err((self.of(place), io::Error::other(problem)));
            }
        }
        Ok(())
    }

    /// Makes these files safe, and that they are there.
    pub(super) fn sync(&self, files: &[FileState]) -> io::Result<()> {
        files.iter().try_for_each(|state| state.sync(self))?;
        places_of(files).into_iter().try_for_each(|place| sync_folder(&self.of(place)))
    }

    pub(super) fn remove(&self, state: &FileState) -> io::Result<()> {
        match fs::remove_file(self.file(state)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Makes a place if it is not there, locks it, and looks at what is there.
    fn hold(&self, place: Place, owner: &Path) -> Result<Held, Problem> {
        let path = self.of(place);
        let there = |error| (path.clone(), error);
        let made = create_folders(&path).map_err(there)?;
        let busy = "another run has its words there";
        let lock = Lock::of(&path).ok_or_else(|| there(io::Error::other(busy)))?;
        let owner = absolute(owner).map_err(there)?;
        let (folder, found) = (self.clone(), self.look(place, &owner));
        let (files, is_used) = (BTreeMap::new(), false);
        let mut held = Held { folder, place, owner, made, files, is_used, _lock: lock };
        let Found { files, made } = found?;
        held.files = files;
        held.made = made.unwrap_or(held.made);
        Ok(held)
    }

    /// What is in a place, if it may be the run's with checkpoints in `owner`.
    fn look(&self, place: Place, owner: &Path) -> Result<Found, Problem> {
        let path = self.of(place);
        let here = |problem: &str| Err((path.clone(), io::Error::other(problem)));
        let is_link = fs::symlink_metadata(&path).is_ok_and(|there| there.is_symlink());
        if place != Place::Whole && is_link {
            return here("it is a link, and words are kept in folders only");
        }
        let files = self.entries(place).map_err(|error| (path.clone(), error))?;
        for file in files.values() {
            require_regular(file).map_err(|error| (file.clone(), error))?;
        }
        let said = path.join(OWNER);
        let found = Owner::read(&said).map_err(|error| (said, error))?;
        match found {
            Some(its) if its.is_of(owner) => Ok(Found { files, made: Some(its.made) }),
            _ if files.is_empty() => Ok(Found { files, made: None }),
            None => here(&format!("it has files of words, and no {OWNER} says of which run")),
            Some(Owner { run, .. }) => here(&format!(
                "it has words of the run in {run}, not of the one in {} (if that run was moved, write \
                 its new folder into {OWNER}; if nobody will resume it, remove the files of words)",
                owner.display()
            )),
        }
    }

    /// Looks whether there is room for what the run will have on disk.
    fn require_space(&self, tenant: Tenant, each: u64) -> io::Result<()> {
        let places = self.places()?;
        let is_there = |part: &u64| places.contains(&Place::OfPart(*part));
        let users = if tenant == Tenant::ALONE {
            1
        } else {
            (0..tenant.parts).filter(is_there).count() as u64
        };
        let mut there = 0;
        for place in places {
            // Of somebody else, who may have removed it.
            let length = |file| fs::symlink_metadata(file).map_or(0, |metadata| metadata.len());
            there += self.entries(place)?.values().map(length).sum::<u64>();
        }
        require_space(&self.0, each.saturating_mul(users).saturating_sub(there))
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

    /// What bears the name of a file of words in a place, by reader: nothing if the place is gone,
    /// as another process has removed it.
    fn entries(&self, place: Place) -> io::Result<BTreeMap<BlockIndex, PathBuf>> {
        let mut found = BTreeMap::new();
        let entries = match fs::read_dir(self.of(place)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(found),
            entries => entries?,
        };
        for entry in entries {
            let entry = entry?;
            if let Some(reader) = entry.file_name().to_str().and_then(reader_of) {
                found.insert(reader, entry.path());
            }
        }
        Ok(found)
    }
}

/// What is in a place.
struct Found {
    files: BTreeMap<BlockIndex, PathBuf>,
    /// How many folders were made for them, if they are the run's.
    made: Option<usize>,
}

/// A place that is a run's as long as this lives. If it has no words when it is dropped, the owner
/// file is removed, and so are the folders that were made for it.
#[derive(Debug)]
pub(crate) struct Held {
    folder: Folder,
    place: Place,
    owner: PathBuf,
    made: usize,
    /// The files that it had at first.
    files: BTreeMap<BlockIndex, PathBuf>,
    /// All places have been looked at, and the run has begun to change them.
    is_used: bool,
    _lock: Lock,
}

impl Held {
    /// How many folders were made for it, besides that of the place itself.
    fn made_besides(&self) -> usize {
        let own = usize::from(self.place != Place::Whole);
        self.made.saturating_sub(own)
    }

    /// Cuts the files that it had at first to what is left of them, and removes the others.
    fn keep(&self, left: &[FileState]) -> Result<(), Problem> {
        for (&reader, file) in &self.files {
            let kept =
                left.iter().find(|state| (state.place, state.reader) == (self.place, reader));
            let kept = match kept {
                Some(state) => files::append(file).and_then(|open| open.set_len(state.bytes)),
                None => fs::remove_file(file),
            };
            kept.map_err(|error| (file.clone(), error))?;
        }
        Ok(())
    }

    /// Removes all files of words.
    pub(super) fn clear(&self) {
        for file in self.folder.entries(self.place).unwrap_or_default().values() {
            // What cannot be removed is looked at again when another run begins.
            let _harmless = fs::remove_file(file);
        }
    }

    /// Names the owner, at one stroke: whoever finds a name finds all of it.
    fn write_owner(&self) -> Result<(), Problem> {
        let place = self.folder.of(self.place);
        let (said, unfinished) = (place.join(OWNER), place.join(UNFINISHED_OWNER));
        let owner = Owner { run: one_line(&self.owner), made: self.made };
        let write = || {
            if unfinished.symlink_metadata().is_ok() {
                fs::remove_file(&unfinished)?;
            }
            files::create_new(&unfinished)?.write_all(owner.text().as_bytes())?;
            fs::rename(&unfinished, &said)
        };
        write().map_err(|error| (said.clone(), error))
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let path = self.folder.of(self.place);
        if let Ok(Found { files, made }) = self.folder.look(self.place, &self.owner)
            && files.is_empty()
        {
            if made.is_some() && self.is_used {
                let _harmless = fs::remove_file(path.join(OWNER));
            }
            remove_if_empty(&path, self.made);
        }
    }
}

/// What a file says of the words beside it.
struct Owner {
    /// The folder of the checkpoints of their run.
    run: String,
    /// How many folders were made for them, each in the one before it.
    made: usize,
}

impl Owner {
    fn text(&self) -> String {
        let Self { run, made } = self;
        format!("words of the run in {run}\nfolders made for them: {made}\n")
    }

    /// What a file says; `None` if it is not there.
    fn read(file: &Path) -> io::Result<Option<Self>> {
        match require_regular(file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            is_regular => is_regular?,
        }
        let none = || io::Error::other("it does not say whose words these are, as it should");
        Self::parse(&files::text(file, LONGEST_OWNER)?).map(Some).ok_or_else(none)
    }

    /// Files of the first programs that wrote them do not say how many folders were made.
    fn parse(text: &str) -> Option<Self> {
        let (run, made) = text.strip_prefix("words of the run in ")?.split_once('\n')?;
        let made = match made {
            "" => 0,
            made => made.strip_prefix("folders made for them: ")?.trim_end().parse().ok()?,
        };
        Some(Self { run: run.to_owned(), made })
    }

    fn is_of(&self, owner: &Path) -> bool {
        let same = || Some(real(Path::new(&self.run)).ok()? == real(owner).ok()?);
        absolute(owner).is_ok_and(|owner| one_line(&owner) == self.run) || same().unwrap_or(false)
    }
}

/// An error unless this is a regular file, and no link.
fn require_regular(file: &Path) -> io::Result<()> {
    let is_regular = fs::symlink_metadata(file)?.is_file();
    is_regular.then_some(()).ok_or_else(|| io::Error::other("it is not a regular file"))
}

/// A path in a line of text.
fn one_line(path: &Path) -> String {
    path.display().to_string().replace('\n', "\\n")
}

/// The error of a folder of words before anything is computed.
fn refused((file, error): Problem) -> SweepError {
    SweepError::SpillFolder { file, problem: error.to_string() }
}

/// The error of a file of words while rows are computed.
pub(crate) fn failure(file: &Path, error: &io::Error) -> SweepError {
    SweepError::Spill { file: file.to_owned(), problem: error.to_string() }
}

fn places_of(files: &[FileState]) -> BTreeSet<Place> {
    files.iter().map(|state| state.place).collect()
}

fn file_name(BlockIndex(reader): BlockIndex) -> String {
    format!("words-{reader:07}.bin")
}

/// The reader whose words have this name, and no other.
fn reader_of(name: &str) -> Option<BlockIndex> {
    let reader = name.strip_prefix("words-")?.strip_suffix(".bin")?.parse().ok().map(BlockIndex)?;
    (file_name(reader) == name).then_some(reader)
}
