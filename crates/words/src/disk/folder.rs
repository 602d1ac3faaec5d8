//! The folder of words on disk.
//!
//! A run has its files in the folder itself, or in numbered subfolders of it ([`StoreScope`]).
//!
//! Words belong to one run, and a file `owner.txt` beside them names it. It exists as long as there
//! are words. A run locks the folder, and checks its whole content before it changes anything. It
//! is an error if words have no owner or another one, or if an entry with the name of a file of
//! words is not a regular file. Other entries are never touched.

use super::scope::StoreScope;
use super::space::require_space;
use super::state::{FileState, Place};
use crate::error::WordsError;
use files::{Lock, create_folders, identity, real, remove_if_empty, sync_folder};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf, absolute};
use sweep::band::pipeline::BlockIndex;

/// The file that names the run to which the words belong.
const OWNER: &str = "owner.txt";

/// The name of the owner file until it is complete.
const UNFINISHED_OWNER: &str = ".writing-owner.txt";

/// The longest owner file, in bytes.
const LONGEST_OWNER: u64 = 1 << 16;

/// The folder for words that do not fit into memory.
#[derive(Clone, Debug)]
pub struct SpillTo {
    pub(crate) folder: PathBuf,
    /// The folder of the checkpoints of the same run.
    pub(crate) owner: PathBuf,
    /// The most bytes of words in memory.
    pub(crate) memory: u64,
}

/// A file or folder, and its error.
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
        place.name().map_or_else(|| self.0.clone(), |name| self.0.join(name))
    }

    /// Prepares the folder for a run with checkpoints in `owner`, which begins, or resumes from the
    /// files `left`. Removes all other files of the same run. The run owns the returned places
    /// until they are dropped.
    ///
    /// The run will have `on_disk` bytes on disk. It is an error if the disk has not enough free
    /// space.
    pub(crate) fn prepare(
        &self,
        scope: &dyn StoreScope,
        owner: &Path,
        left: &[FileState],
        on_disk: u64,
    ) -> Result<HeldPlaces, WordsError> {
        let advice = if left.is_empty() { "; choose another folder" } else { "" };
        self.try_prepare(scope, owner, left, on_disk).map_err(|(file, error)| {
            WordsError::SpillFolder { file, problem: format!("{error}{advice}") }
        })
    }

    fn try_prepare(
        &self,
        scope: &dyn StoreScope,
        owner: &Path,
        left: &[FileState],
        on_disk: u64,
    ) -> Result<HeldPlaces, Problem> {
        let here = |error| (self.0.clone(), error);
        let mut held = HeldPlaces::none(self, owner);
        // First its own place, so that others that share the disk see it when they count.
        held.hold(scope.place())?;
        self.require_space(scope, on_disk).map_err(here)?;
        let others = self.places().map_err(here)?.into_iter();
        let others = others.filter(|&place| place != scope.place() && scope.cleans(place));
        for place in others {
            held.hold(place)?;
        }
        if left.is_empty() {
            held.places.iter().try_for_each(|place| held.require_same_owner(place))?;
        }
        held.use_for(left)?;
        Ok(held)
    }

    /// Removes all files of words of the run with checkpoints in `owner`.
    pub(crate) fn clear(&self, owner: &Path) -> Result<(), Problem> {
        if !self.0.exists() {
            return Ok(());
        }
        let mut held = HeldPlaces::none(self, owner);
        let places = self.places().map_err(|error| (self.0.clone(), error))?;
        for place in places {
            held.hold(place)?;
        }
        held.is_used = true;
        held.places.iter().try_for_each(|place| place.keep(&[]))
    }

    /// An error unless the places of these files have words of the run with checkpoints in `owner`.
    pub(crate) fn require_owner(&self, files: &[FileState], owner: &Path) -> Result<(), Problem> {
        for place in places_of(files) {
            let real = real(owner).map_err(|error| (owner.to_owned(), error))?;
            if self.look(place, &real)?.owner.is_none() {
                let problem = format!("there is no {OWNER}, which names the run of these words");
                return Err((self.of(place), io::Error::other(problem)));
            }
        }
        Ok(())
    }

    /// Syncs these files, and the folders that list them.
    pub(crate) fn sync(&self, files: &[FileState]) -> io::Result<()> {
        files.iter().try_for_each(|state| state.sync(self))?;
        places_of(files).into_iter().try_for_each(|place| sync_folder(&self.of(place)))
    }

    pub(crate) fn remove(&self, state: &FileState) -> io::Result<()> {
        match fs::remove_file(self.file(state)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Removes the folders that were made for the run with checkpoints in `owner`, after its last
    /// place has been left.
    fn remove_if_made(&self, place: Place, owner: &Path) {
        let is_last = || self.places().is_ok_and(|places| places == [Place::FOLDER]);
        if (place == Place::FOLDER || is_last())
            && let Ok(PlaceContent { files, owner: Some(said) }) = self.look(Place::FOLDER, owner)
            && files.is_empty()
        {
            let _harmless = fs::remove_file(self.0.join(OWNER));
            if real(&self.0).is_ok_and(|folder| one_line(&folder) == said.folder) {
                remove_if_empty(&self.0, said.made);
            }
        }
    }

    /// The content of a place, if it can belong to the run with checkpoints in `owner`, a real
    /// path.
    fn look(&self, place: Place, owner: &Path) -> Result<PlaceContent, Problem> {
        let path = self.of(place);
        let here = |problem: &str| Err((path.clone(), io::Error::other(problem)));
        let is_link = fs::symlink_metadata(&path).is_ok_and(|there| there.is_symlink());
        if place != Place::FOLDER && is_link {
            return here("it is a link; words are kept only in folders");
        }
        let files = self.entries(place).map_err(|error| (path.clone(), error))?;
        for file in files.values() {
            require_regular(file).map_err(|error| (file.clone(), error))?;
        }
        let said = path.join(OWNER);
        let found = Owner::read(&said).map_err(|error| (said, error))?;
        match found {
            Some(its) if its.is_of(owner) => Ok(PlaceContent { files, owner: Some(its) }),
            _ if files.is_empty() => Ok(PlaceContent { files, owner: None }),
            None => here(&format!("it has files of words, and no {OWNER} names their run")),
            Some(Owner { run, .. }) => {
                let own = one_line(owner);
                here(&format!(
                    "it has words of the run in {run}, and this run is in {own} (if you moved that \
                     run, change the first line of {OWNER} to: {RUN}{own}; if nobody will resume \
                     it, remove the files of words)"
                ))
            }
        }
    }

    /// An error unless there is room for the files of the run.
    fn require_space(&self, scope: &dyn StoreScope, on_disk: u64) -> io::Result<()> {
        let places = self.places()?;
        let needed = scope.bytes_in(&places, on_disk);
        let mut there = 0;
        for place in places {
            // It can have been removed meanwhile.
            let length = |file| fs::symlink_metadata(file).map_or(0, |metadata| metadata.len());
            there += self.entries(place)?.values().map(length).sum::<u64>();
        }
        require_space(&self.0, needed.saturating_sub(there))
    }

    /// The folder itself, then its subfolders.
    fn places(&self) -> io::Result<Vec<Place>> {
        let mut places = vec![Place::FOLDER];
        for entry in fs::read_dir(&self.0)? {
            places.extend(entry?.file_name().to_str().and_then(Place::of_name));
        }
        places.sort_unstable();
        Ok(places)
    }

    /// The entries of a place that have the name of a file of words, by reader. None if the
    /// place has been removed.
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

/// The content of a place.
#[derive(Default)]
struct PlaceContent {
    files: BTreeMap<BlockIndex, PathBuf>,
    /// Their owner, if they belong to this run.
    owner: Option<Owner>,
}

/// The places of a folder that a run has locked, first its own. When they are dropped, places
/// without words are removed if they were made for the run, and after the last one the folder.
pub(crate) struct HeldPlaces {
    folder: Folder,
    owner: PathBuf,
    places: Vec<HeldPlace>,
    /// All places have been checked, and the run has begun to change them.
    is_used: bool,
}

/// A place that a run has locked.
struct HeldPlace {
    place: Place,
    /// The number of folders that were made for it: in this run of the program, and in all.
    made_now: usize,
    made: usize,
    /// Its content at the beginning.
    found: PlaceContent,
    _lock: Lock,
}

impl HeldPlaces {
    fn none(folder: &Folder, owner: &Path) -> Self {
        let (folder, owner) = (folder.clone(), owner.to_owned());
        Self { folder, owner, places: Vec::new(), is_used: false }
    }

    /// The place where the run writes.
    fn place(&self) -> Place {
        self.places.first().map_or(Place::FOLDER, |own| own.place)
    }

    /// Makes a place if it does not exist, locks it, and checks its content.
    fn hold(&mut self, place: Place) -> Result<(), Problem> {
        let path = self.folder.of(place);
        let there = |error| (path.clone(), error);
        let made = create_folders(&path).map_err(there)?;
        let busy = "another run keeps its words there";
        let lock = Lock::of(&path).ok_or_else(|| there(io::Error::other(busy)))?;
        self.owner = real(&self.owner).map_err(there)?;
        let found = PlaceContent::default();
        let mut held = HeldPlace { place, made_now: made, made, found, _lock: lock };
        let found = self.folder.look(place, &self.owner);
        if let Ok(PlaceContent { owner: Some(said), .. }) = &found
            && real(&path).is_ok_and(|path| one_line(&path) == said.folder)
        {
            held.made = said.made;
        }
        // The folder itself was made for a subfolder. That is recorded there, so that the run that
        // leaves the last subfolder removes the folder.
        let shared = found.as_ref().ok().and(held.made.checked_sub(1));
        let shared = shared.filter(|&made| place != Place::FOLDER && made > 0);
        held.made -= shared.unwrap_or(0);
        self.places.push(held);
        let last = self.places.len() - 1;
        self.places[last].found = found?;
        shared.map_or(Ok(()), |made| self.write_owner(Place::FOLDER, made))
    }

    /// Begins to use the places with the files `left`: cuts these to the lengths given, and removes
    /// all other files. Other places without files are left at once.
    fn use_for(&mut self, left: &[FileState]) -> Result<(), Problem> {
        self.is_used = true;
        self.write_owner(self.places[0].place, self.places[0].made)?;
        self.places.iter().try_for_each(|place| place.keep(left))?;
        let mut others = self.places.split_off(1);
        others.retain(|held| {
            let stays = left.iter().any(|file| file.place == held.place);
            if !stays {
                self.leave(held);
            }
            stays
        });
        self.places.append(&mut others);
        Ok(())
    }

    /// Removes all files of words.
    pub(crate) fn clear(&self) {
        for held in &self.places {
            for file in self.folder.entries(held.place).unwrap_or_default().values() {
                // If it cannot be removed, the next run tries again.
                let _harmless = fs::remove_file(file);
            }
        }
    }

    /// An error if the words belong to a run whose folder was moved away and replaced by the folder
    /// of this run. (A run that resumes recognises its words by their hashes.)
    fn require_same_owner(&self, held: &HeldPlace) -> Result<(), Problem> {
        let said = held.found.owner.as_ref().and_then(|said| said.identity);
        let is_other =
            said.is_some_and(|said| identity(&self.owner).is_some_and(|own| own != said));
        if held.found.files.is_empty() || !is_other {
            return Ok(());
        }
        let problem = format!(
            "it has words of the run in {}, and that folder is another one now, for example a copy \
             (if nobody will resume that run, remove the files of words)",
            one_line(&self.owner)
        );
        Err((self.folder.of(held.place), io::Error::other(problem)))
    }

    /// Writes the owner file of a place, for which this number of folders was made. It is written
    /// under a temporary name and then renamed, so that it is never incomplete.
    fn write_owner(&self, place: Place, made: usize) -> Result<(), Problem> {
        let place = self.folder.of(place);
        let (said, unfinished) = (place.join(OWNER), place.join(UNFINISHED_OWNER));
        let there = |error| (place.clone(), error);
        let owner = Owner {
            run: one_line(&self.owner),
            made,
            folder: one_line(&real(&place).map_err(there)?),
            identity: identity(&self.owner),
        };
        let write = || {
            if unfinished.symlink_metadata().is_ok() {
                fs::remove_file(&unfinished)?;
            }
            let mut file = files::create_new(&unfinished)?;
            file.write_all(owner.text().as_bytes())?;
            file.sync_all()?;
            fs::rename(&unfinished, &said)?;
            // A new folder is safe on disk when the folders that contain it are synced.
            absolute(&place)?.ancestors().take(made + 1).try_for_each(sync_folder)
        };
        write().map_err(|error| (said.clone(), error))
    }

    /// Removes a place and the folders that were made for it, if it has no words.
    fn leave(&self, held: &HeldPlace) {
        let path = self.folder.of(held.place);
        if !self.is_used {
            remove_if_empty(&path, held.made_now);
        } else if held.place != Place::FOLDER
            && let Ok(PlaceContent { files, owner }) = self.folder.look(held.place, &self.owner)
            && files.is_empty()
        {
            if owner.is_some() {
                let _harmless = fs::remove_file(path.join(OWNER));
            }
            remove_if_empty(&path, held.made);
        }
    }
}

impl HeldPlace {
    /// Cuts the files `left` to the lengths given, and removes the others.
    fn keep(&self, left: &[FileState]) -> Result<(), Problem> {
        for (&reader, file) in &self.found.files {
            let kept =
                left.iter().find(|state| (state.place, state.reader) == (self.place, reader));
            let kept = match kept {
                Some(state) => files::cut(file, state.bytes),
                None => fs::remove_file(file),
            };
            kept.map_err(|error| (file.clone(), error))?;
        }
        Ok(())
    }
}

impl Drop for HeldPlaces {
    fn drop(&mut self) {
        let was_changed = self.is_used || self.places.iter().any(|held| held.made_now > 0);
        let own = self.place();
        for held in std::mem::take(&mut self.places).into_iter().rev() {
            self.leave(&held);
        }
        if was_changed {
            self.folder.remove_if_made(own, &self.owner);
        }
    }
}

/// The beginning of an owner file.
const RUN: &str = "words of the run in ";

/// The content of an owner file. Paths are real ones, each in [`one_line`].
#[derive(Debug)]
struct Owner {
    /// The folder of the checkpoints of their run.
    run: String,
    /// The number of folders made for the words, each in the one before it, and the last of these.
    made: usize,
    folder: String,
    /// The identity of the folder of the run, if the system provides one.
    identity: Option<(u64, u64)>,
}

impl Owner {
    fn text(&self) -> String {
        let Self { run, made, folder, identity } = self;
        let identity = identity.map(|(disk, node)| format!("folder of the run: {disk} {node}\n"));
        let identity = identity.unwrap_or_default();
        format!("{RUN}{run}\nfolders made for them: {made}, to {folder}\n{identity}")
    }

    /// Reads a file; `None` if it does not exist.
    fn read(file: &Path) -> io::Result<Option<Self>> {
        match require_regular(file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            is_regular => is_regular?,
        }
        let none = || io::Error::other("it does not name the run of these words, as it should");
        Self::parse(&files::text(file, LONGEST_OWNER)?).map(Some).ok_or_else(none)
    }

    /// Files of the first versions have only the first line.
    fn parse(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        let run = lines.next()?.strip_prefix(RUN)?.to_owned();
        let (mut made, mut folder, mut identity) = (0, String::new(), None);
        for line in lines {
            if let Some(rest) = line.strip_prefix("folders made for them: ") {
                let (number, last) = rest.split_once(", to ")?;
                (made, folder) = (number.parse().ok()?, last.to_owned());
            } else {
                let numbers = line.strip_prefix("folder of the run: ")?;
                let (disk, node) = numbers.split_once(' ')?;
                identity = Some((disk.parse().ok()?, node.parse().ok()?));
            }
        }
        Some(Self { run, made, folder, identity })
    }

    /// Whether it names this real path. The first versions wrote paths as given, and people can
    /// too.
    fn is_of(&self, owner: &Path) -> bool {
        let as_it_is = || real(Path::new(&self.run)).is_ok_and(|run| run == owner);
        one_line(owner) == self.run || as_it_is()
    }
}

/// An error unless this is a regular file and not a link.
fn require_regular(file: &Path) -> io::Result<()> {
    let is_regular = fs::symlink_metadata(file)?.is_file();
    is_regular.then_some(()).ok_or_else(|| io::Error::other("it is not a regular file"))
}

/// A path as one line of text, different for different paths: unchanged, if it is text without
/// control characters and backslashes.
fn one_line(path: &Path) -> String {
    let is_plain = |text: &&str| !text.contains(|c: char| c.is_control() || c == '\\');
    let escaped = || path.as_os_str().as_encoded_bytes().escape_ascii().to_string();
    path.to_str().filter(is_plain).map_or_else(escaped, str::to_owned)
}

/// The error of a file of words while rows are computed.
pub(crate) fn failure(file: &Path, error: &io::Error) -> WordsError {
    WordsError::Spill { file: file.to_owned(), problem: error.to_string() }
}

fn places_of(files: &[FileState]) -> BTreeSet<Place> {
    files.iter().map(|state| state.place).collect()
}

fn file_name(BlockIndex(reader): BlockIndex) -> String {
    format!("words-{reader:07}.bin")
}

/// The reader of the file of words with exactly this name.
fn reader_of(name: &str) -> Option<BlockIndex> {
    let reader = name.strip_prefix("words-")?.strip_suffix(".bin")?.parse().ok().map(BlockIndex)?;
    (file_name(reader) == name).then_some(reader)
}
