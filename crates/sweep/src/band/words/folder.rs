//! The folder of words on disk.
//!
//! Words belong to one run, and a file `owner.txt` beside them names it. It exists as long as there
//! are words. A run locks the folder, and checks its whole content before it changes anything. It
//! is an error if words have no owner or another one, or if an entry with the name of a file of
//! words is not a regular file. Other entries are never touched. If the folder is in that of its
//! run, `owner.txt` says so, and both can be moved together.
//!
//! If several processes share the run, the first one holds the folder. The others find the mark of
//! this run in `owner.txt`: if they do not, they see another folder.

use super::file::FileState;
use crate::error::{Bytes, FileProblem, WordsError};
use crate::units::BlockIndex;
use files::{Lock, create_folders, identity, real, remove_if_empty, sync_folder};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf, absolute};
use std::time::{SystemTime, UNIX_EPOCH};

/// The file that names the run to which the words belong.
const OWNER: &str = "owner.txt";

/// The longest owner file, in bytes.
const LONGEST_OWNER: u64 = 1 << 16;

/// The folder for words on disk.
#[derive(Clone, Debug)]
pub struct SpillTo {
    pub(crate) folder: PathBuf,
    /// The folder of the checkpoints of the same run.
    pub(crate) owner: PathBuf,
    /// The most bytes of words that are in no file.
    pub(crate) memory: u64,
}

/// A file or folder, and its error.
pub(crate) type Problem = (PathBuf, io::Error);

/// A folder of words that this run has locked. When it is dropped with nothing in it, it is removed
/// if it was made for words.
pub(crate) struct HeldFolder {
    path: PathBuf,
    /// The folder of the checkpoints of the run, as the owner file names it.
    run: String,
    /// The [identity](identity_of) of that folder, unless this one is in it.
    identity: Option<String>,
    /// The number of folders that this run has made for it, each in the one before it; at least 1
    /// if an earlier one has made it, or if it is in the folder of the run.
    made: usize,
    /// This process may empty it: its content has been checked, the run has begun to change it, and
    /// no other process can still write there.
    pub(crate) may_empty: bool,
    _lock: Lock,
}

/// The files of words in a folder.
type Files = Vec<(FileState, PathBuf)>;

impl HeldFolder {
    /// Prepares the folder for a run that begins, or resumes above block `below` from the files
    /// `left`. Removes all other files of the same run, cuts these to the lengths given, and bars
    /// those of later readers.
    ///
    /// The run needs `on_disk` bytes on disk. It is an error if the disk has not enough free space.
    pub(crate) fn prepare(
        spill: &SpillTo,
        left: &[FileState],
        below: BlockIndex,
        on_disk: u64,
    ) -> Result<Self, WordsError> {
        let folder = &spill.folder;
        let prepare = || {
            let (mut held, files, said) = Self::hold(spill)?;
            // A file can have been removed meanwhile.
            let length = |path: &PathBuf| fs::symlink_metadata(path).map_or(0, |there| there.len());
            let there: u64 = files.iter().map(|(_, path)| length(path)).sum();
            if on_disk > there {
                require_space(folder, on_disk - there).map_err(|error| (folder.clone(), error))?;
            }
            if left.is_empty() && !files.is_empty() {
                held.require_same_owner(said.as_ref())?;
            }
            held.may_empty = true;
            held.write_owner()?;
            for (file, path) in files {
                let kept = match left.iter().find(|state| state.is_same(&file)).copied() {
                    None => fs::remove_file(&path),
                    Some(kept) if file.reader <= below => files::cut(&path, kept.bytes),
                    Some(mut kept) => kept.bar(folder, below),
                };
                kept.map_err(|error| (path, error))?;
            }
            Ok(held)
        };
        let advice = if left.is_empty() { "; choose another folder" } else { "" };
        prepare().map_err(|(file, error): Problem| {
            FileProblem::SpillFolder.of(&file, format!("{error}{advice}"))
        })
    }

    /// Makes the folder if it does not exist, locks it, and checks its content.
    fn hold(
        SpillTo { folder, owner, .. }: &SpillTo,
    ) -> Result<(Self, Files, Option<Owner>), Problem> {
        let there = |error| (folder.clone(), error);
        let made = create_folders(folder).map_err(there)?;
        let busy = "another run keeps its words there";
        let lock = Lock::of(folder).ok_or_else(|| there(io::Error::other(busy)))?;
        let owner = real(owner).map_err(there)?;
        let is_within = real(folder).map_err(there)?.parent() == Some(&owner);
        let run = if is_within { AROUND.to_owned() } else { one_line(&owner) };
        let identity = identity_of(&owner).filter(|_| !is_within);
        let (path, may_empty) = (folder.clone(), false);
        let mut held = Self { path, run, identity, made, may_empty, _lock: lock };
        let (files, said) = look(folder, &owner)?;
        let was_made = said.as_ref().is_some_and(|said| said.field(MADE).is_some());
        held.made = made.max((was_made || is_within).into());
        Ok((held, files, said))
    }

    /// Removes all files of words of the run.
    pub(crate) fn remove(spill: &SpillTo) -> Result<(), Problem> {
        if !spill.folder.exists() {
            return Ok(());
        }
        let (mut held, ..) = Self::hold(spill)?;
        held.may_empty = true;
        held.clear()
    }

    /// Removes all files of words. If one cannot be removed, the next run tries again.
    pub(crate) fn clear(&self) -> Result<(), Problem> {
        let mut files =
            entries(&self.path).map_err(|error| (self.path.clone(), error))?.into_iter();
        files.try_for_each(|(_, path)| fs::remove_file(&path).map_err(|error| (path, error)))
    }

    /// An error if the words belong to a run whose folder was moved away and replaced by the folder
    /// of this run. (A run that resumes recognises its words by their hashes.)
    fn require_same_owner(&self, said: Option<&Owner>) -> Result<(), Problem> {
        let said = said.and_then(|said| said.field(IDENTITY));
        if said.is_none_or(|said| self.identity.as_ref().is_none_or(|own| own == said)) {
            return Ok(());
        }
        let problem = format!(
            "it has words of the run in {}, and that folder is another one now, for example a copy \
             (if nobody will resume that run, remove the files of words)",
            self.run
        );
        Err((self.path.clone(), io::Error::other(problem)))
    }

    /// Writes the owner file.
    fn write_owner(&self) -> Result<(), Problem> {
        let said = self.path.join(OWNER);
        let write = || {
            files::remove_drafts(&self.path)?;
            files::replace(&said, |file| {
                let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
                let mark = format!("{}-{}", std::process::id(), now.as_nanos());
                writeln!(file, "{RUN}{}\n{MARK}{mark}", self.run)?;
                if self.made > 0 {
                    writeln!(file, "{MADE}")?;
                }
                self.identity.iter().try_for_each(|own| writeln!(file, "{IDENTITY}{own}"))
            })?;
            // A new folder is safe on disk when the folders that contain it are synced.
            absolute(&self.path)?.ancestors().skip(1).take(self.made).try_for_each(sync_folder)
        };
        write().map_err(|error| (said.clone(), error))
    }
}

impl Drop for HeldFolder {
    fn drop(&mut self) {
        let is_empty = || entries(&self.path).is_ok_and(|words| words.is_empty());
        if self.may_empty && is_empty() {
            let _harmless = fs::remove_file(self.path.join(OWNER));
        }
        remove_if_empty(&self.path, self.made);
    }
}

/// An error unless the folder has words of the run with checkpoints in `owner`.
pub(crate) fn require_owner(SpillTo { folder, owner, .. }: &SpillTo) -> Result<(), Problem> {
    let owner = real(owner).map_err(|error| (owner.clone(), error))?;
    if look(folder, &owner)?.1.is_none() {
        let problem = format!("there is no {OWNER}, which names the run of these words");
        return Err((folder.clone(), io::Error::other(problem)));
    }
    Ok(())
}

/// The mark of the run of the program that holds the folder, as its owner file says.
#[cfg(feature = "ranks")]
pub(crate) fn mark(folder: &Path) -> Option<String> {
    Owner::read(&folder.join(OWNER)).ok().flatten()?.field(MARK).map(str::to_owned)
}

/// The files of words in a folder, and their owner, if they belong to the run with checkpoints in
/// `owner`, a real path; an error if they cannot.
fn look(folder: &Path, owner: &Path) -> Result<(Files, Option<Owner>), Problem> {
    let here = |problem: &str| Err((folder.to_owned(), io::Error::other(problem)));
    let files = entries(folder).map_err(|error| (folder.to_owned(), error))?;
    for (_, path) in &files {
        require_regular(path).map_err(|error| (path.clone(), error))?;
    }
    let said = folder.join(OWNER);
    match Owner::read(&said).map_err(|error| (said, error))? {
        Some(its) if its.is_of(folder, owner) => Ok((files, Some(its))),
        _ if files.is_empty() => Ok((files, None)),
        None => here(&format!("it has files of words, and no {OWNER} names their run")),
        Some(its) => {
            let (run, own) = (its.run(folder), one_line(owner));
            let run = run.display();
            here(&format!(
                "it has words of the run in {run}, and this run is in {own} (if you moved that run, \
                 change the first line of {OWNER} to: {RUN}{own}; if nobody will resume it, remove \
                 the files of words)"
            ))
        }
    }
}

/// The entries of a folder that have the name of a file of words.
fn entries(folder: &Path) -> io::Result<Files> {
    let named = |entry: fs::DirEntry| {
        let file = FileState::of_name(entry.file_name().to_str()?)?;
        Some((file, entry.path()))
    };
    fs::read_dir(folder)?.filter_map(|entry| entry.map(named).transpose()).collect()
}

/// The beginnings of the lines of an owner file. Paths are real ones, each in [`one_line`].
///
/// The first line has the folder of the checkpoints of the run, by its real path or from here.
const RUN: &str = "words of the run in ";

/// The folder around that of the words.
const AROUND: &str = "..";

/// The [identity](identity_of) of the folder of the run.
const IDENTITY: &str = "folder of the run: ";

/// A run has made the folder.
const MADE: &str = "made for words";

/// The mark of the run of the program that has written it.
const MARK: &str = "mark: ";

/// The content of an owner file. In files of the first versions lines are missing, except the
/// first.
#[derive(Debug)]
struct Owner(String);

impl Owner {
    /// Reads a file; `None` if it does not exist.
    fn read(file: &Path) -> io::Result<Option<Self>> {
        match require_regular(file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            is_regular => is_regular?,
        }
        let text = files::text(file, LONGEST_OWNER)?;
        let none = || io::Error::other("it does not name the run of these words, as it should");
        text.starts_with(RUN).then_some(Some(Self(text))).ok_or_else(none)
    }

    /// The rest of the line that begins like this.
    fn field(&self, begin: &str) -> Option<&str> {
        self.0.lines().find_map(|line| line.strip_prefix(begin))
    }

    /// The folder of the checkpoints of the run whose words are in `folder`.
    fn run(&self, folder: &Path) -> PathBuf {
        real(folder).unwrap_or_default().join(self.field(RUN).unwrap_or_default())
    }

    /// Whether it names this real path. The first versions wrote paths as given, and people can
    /// too.
    fn is_of(&self, folder: &Path, owner: &Path) -> bool {
        let as_it_is = || real(&self.run(folder)).is_ok_and(|run| run == owner);
        self.field(RUN) == Some(&one_line(owner)) || as_it_is()
    }
}

/// The identity of a folder, if the system provides one.
fn identity_of(folder: &Path) -> Option<String> {
    identity(folder).map(|(disk, node)| format!("{disk} {node}"))
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

/// An error unless the disk has room for these bytes, and some more for other programs.
pub(crate) fn require_space(folder: &Path, needed: u64) -> io::Result<()> {
    check_space(needed, available_space(folder)?)
}

fn check_space(needed: u64, available: u64) -> io::Result<()> {
    let spare = needed / 16 + (16 << 20);
    if available >= needed.saturating_add(spare) {
        return Ok(());
    }
    let kind = io::ErrorKind::StorageFull;
    let message = format!("it may need {}, and {} are free", Bytes(needed), Bytes(available));
    Err(io::Error::new(kind, message))
}

#[cfg(not(target_family = "wasm"))]
fn available_space(folder: &Path) -> io::Result<u64> {
    fs4::available_space(folder)
}

#[cfg(target_family = "wasm")]
fn available_space(_: &Path) -> io::Result<u64> {
    Ok(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn space_is_checked() {
        assert!(check_space(1 << 30, 1 << 31).is_ok());
        assert_eq!(check_space(1 << 30, 1 << 30).unwrap_err().kind(), io::ErrorKind::StorageFull);
        let refusal = check_space(555_556_444_444, 18_323_750_912).unwrap_err();
        assert_eq!(refusal.to_string(), "it may need 556 GB, and 18.4 GB are free");
        assert!(check_space(u64::MAX, 1 << 40).is_err());
    }
}
