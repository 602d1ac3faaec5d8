//! Opens single files, among them the one in which the operating system says what it knows of this
//! process.

#![expect(clippy::disallowed_methods, reason = "all other crates open files here")]

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use crate::roles::{note_input, refused, stdin};

/// Opens a regular file, or a link to one, for reading. Returns it with its length.
///
/// Never waits for a FIFO or a device.
///
/// # Errors
/// The error of the operating system; [`io::ErrorKind::InvalidInput`] if it is not a regular file,
/// or a [`ClaimedOutput`](crate::ClaimedOutput); [`io::ErrorKind::FileTooLarge`] if it has more
/// than `most` bytes.
pub fn open(path: &Path, most: u64) -> io::Result<(File, u64)> {
    // Opening a device can have effects, and opening a FIFO can block, so look first.
    let there = fs::metadata(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound if fs::symlink_metadata(path).is_ok() => {
            refused("it is a link to a file that does not exist")
        }
        _ => error,
    });
    require_regular(&there?)?;
    let file = at_once(OpenOptions::new().read(true), Links::Follow).open(path)?;
    let metadata = file.metadata()?;
    require_regular(&metadata)?;
    note_input(path)?;
    let length = metadata.len();
    require_length(length, most)?;
    Ok((file, length))
}

/// An error unless a file of this length has at most `most` bytes.
///
/// # Errors
/// [`io::ErrorKind::FileTooLarge`].
pub fn require_length(length: u64, most: u64) -> io::Result<()> {
    if length > most { Err(too_large(&format!("it has {length}"), most)) } else { Ok(()) }
}

/// The bytes of a regular file, as [`open`] opens it.
///
/// # Errors
/// As [`open`], also for files that have more bytes than their length says, such as those in
/// `/proc`.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let (file, length) = open(path, most)?;
    read_all(file, length, most)
}

fn read_all(stream: impl Read, length: u64, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or(0));
    stream.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(too_large("it has more", most)) } else { Ok(bytes) }
}

/// The text of a regular file, as [`read`] reads it.
///
/// # Errors
/// As [`read`]; [`io::ErrorKind::InvalidData`] if it is not UTF-8.
pub fn text(path: &Path, most: u64) -> io::Result<String> {
    io::read_to_string(&*read(path, most)?)
}

/// The text of a regular file, as [`text`] reads it, or of standard input if its name is `-`.
///
/// # Errors
/// As [`text`].
pub fn text_or_stdin(path: &Path, most: u64) -> io::Result<String> {
    let is_stdin = path == Path::new("-");
    if is_stdin { io::read_to_string(&*read_all(stdin()?, 0, most)?) } else { text(path, most) }
}

/// A source that fails once the work is asked to stop, so that no file is too long to be left.
pub struct Stoppable<R, S> {
    source: R,
    stop: S,
}

/// Asks before each request whether to stop. The error is then [`io::ErrorKind::Other`].
pub fn stoppable<R, S: Fn() -> bool>(source: R, stop: S) -> Stoppable<R, S> {
    Stoppable { source, stop }
}

impl<R: Read, S: Fn() -> bool> Read for Stoppable<R, S> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if (self.stop)() { Err(io::Error::other("interrupted")) } else { self.source.read(bytes) }
    }
}

impl<R: Seek, S> Seek for Stoppable<R, S> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.source.seek(to)
    }
}

/// Creates a file for writing and reading back. Fails if the name exists, even as a dangling link.
///
/// # Errors
/// The error of the operating system; [`io::ErrorKind::AlreadyExists`].
pub fn create_new(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create_new(true).open(path)
}

/// Opens a regular file for appending or cutting; creates it if it does not exist. Follows no link.
///
/// # Errors
/// The error of the operating system; [`io::ErrorKind::InvalidInput`] if it is not a regular file.
pub fn append(path: &Path) -> io::Result<File> {
    match fs::symlink_metadata(path) {
        Ok(there) if !there.is_file() => return Err(refused("it is not a regular file")),
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let file = at_once(OpenOptions::new().create(true).append(true), Links::Refuse).open(path)?;
    require_regular(&file.metadata()?)?;
    Ok(file)
}

/// Cuts a regular file to this length. Follows no link.
///
/// # Errors
/// As [`append`], and if the file does not exist.
pub fn cut(path: &Path, length: u64) -> io::Result<()> {
    let file = at_once(OpenOptions::new().write(true), Links::Refuse).open(path)?;
    require_regular(&file.metadata()?)?;
    file.set_len(length)
}

/// Opens a folder, if the system allows that.
pub(crate) fn open_folder(folder: &Path) -> io::Result<File> {
    if !fs::metadata(folder)?.is_dir() {
        return Err(io::ErrorKind::NotADirectory.into());
    }
    at_once(OpenOptions::new().read(true), Links::Follow).open(folder)
}

/// Whether the last part of a path may be a link.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Links {
    Follow,
    Refuse,
}

/// Makes opening return at once, even if another process has replaced the file by a FIFO
/// meanwhile. Regular files are read and written as usual.
#[cfg(unix)]
fn at_once(options: &mut OpenOptions, links: Links) -> &mut OpenOptions {
    use rustix::fs::OFlags;
    use std::os::unix::fs::OpenOptionsExt;

    let refuse = if links == Links::Refuse { OFlags::NOFOLLOW } else { OFlags::empty() };
    options.custom_flags((OFlags::NONBLOCK | refuse).bits().cast_signed())
}

#[cfg(not(unix))]
fn at_once(options: &mut OpenOptions, _: Links) -> &mut OpenOptions {
    options
}

fn require_regular(metadata: &Metadata) -> io::Result<()> {
    let words = "it is neither a regular file nor a link to one";
    if metadata.is_file() { Ok(()) } else { Err(refused(words)) }
}

/// The error of a file whose content is wrong: [`io::ErrorKind::InvalidData`].
pub fn invalid(words: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, words.into())
}

fn too_large(found: &str, most: u64) -> io::Error {
    let words = format!("{found} bytes, and may have at most {most}");
    io::Error::new(io::ErrorKind::FileTooLarge, words)
}

/// The amount of memory in a field of `/proc/self/status`, in bytes.
pub fn process_bytes(name: &str) -> Option<u64> {
    let kib: u64 = process_status(name)?.strip_suffix(" kB")?.parse().ok()?;
    kib.checked_mul(1024)
}

/// The most bytes that are read of the status file, which has a few kilobytes.
const LONGEST: u64 = 1 << 20;

/// The value of a field of `/proc/self/status`, such as `VmHWM`; `None` on systems without it.
pub fn process_status(name: &str) -> Option<String> {
    let status = crate::text(Path::new("/proc/self/status"), LONGEST).ok()?;
    let mut lines = status.lines().filter_map(|line| line.split_once(':'));
    lines.find(|(found, _)| *found == name).map(|(_, value)| value.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use tempfile::tempdir;

    use super::*;

    #[test]
    fn a_file_is_read_up_to_its_limit() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("five");
        create_new(&path).unwrap().write_all(b"12345").unwrap();
        assert_eq!(
            (read(&path, 5).unwrap(), text(&path, 9).unwrap()),
            (b"12345".into(), "12345".into())
        );
        assert_eq!(read(&path, 4).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        assert_eq!(create_new(&path).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        append(&path).unwrap().write_all(b"\xff").unwrap();
        assert_eq!(text(&path, 9).unwrap_err().kind(), io::ErrorKind::InvalidData);
    }

    #[test]
    fn a_source_is_left_once_it_is_asked_to_stop() {
        let asked = std::cell::Cell::new(0);
        let stop = || asked.replace(asked.get() + 1) == 2;
        let mut source = stoppable(io::repeat(7), stop);
        let error = io::copy(&mut source, &mut io::sink()).unwrap_err();
        assert_eq!((error.kind(), asked.get()), (io::ErrorKind::Other, 3));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_file_that_says_it_is_empty_is_read_up_to_the_limit_as_well() {
        let status = Path::new("/proc/self/status");
        assert!(text(status, 1 << 20).unwrap().contains("Name:"));
        assert_eq!(read(status, 10).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
    }

    #[cfg(unix)]
    #[test]
    fn what_is_not_regular_is_refused_at_once() {
        use rustix::fs::{CWD, FileType, Mode, mknodat};
        use std::os::unix::fs::symlink;

        let folder = tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        mknodat(CWD, path("fifo"), FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        symlink("/dev/zero", path("zero")).unwrap();
        symlink(path("fifo"), path("to-fifo")).unwrap();
        for name in ["fifo", "zero", "to-fifo", "."] {
            for error in [read(&path(name), 9).unwrap_err(), append(&path(name)).unwrap_err()] {
                assert_eq!(error.kind(), io::ErrorKind::InvalidInput, "{name}: {error}");
            }
        }
        // As if it had replaced a regular file after the check.
        let mut options = OpenOptions::new();
        let fifo = at_once(options.read(true), Links::Follow).open(path("fifo")).unwrap();
        assert!(require_regular(&fifo.metadata().unwrap()).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_to_read_and_not_to_write() {
        use std::os::unix::fs::symlink;

        let folder = tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        create_new(&path("there")).unwrap().write_all(b"kept").unwrap();
        symlink(path("there"), path("link")).unwrap();
        symlink(path("nowhere"), path("dangling")).unwrap();
        assert_eq!(text(&path("link"), 9).unwrap(), "kept");
        let dangling = text(&path("dangling"), 9).unwrap_err();
        assert_eq!(dangling.kind(), io::ErrorKind::InvalidInput, "{dangling}");
        assert_eq!(text(&path("nowhere"), 9).unwrap_err().kind(), io::ErrorKind::NotFound);
        for name in ["link", "dangling"] {
            assert!(append(&path(name)).is_err() && create_new(&path(name)).is_err(), "{name}");
        }
        let mut options = OpenOptions::new();
        let open = at_once(options.append(true), Links::Refuse).open(path("link"));
        assert!(open.is_err(), "even if the link was made after the check");
        assert!(!path("nowhere").exists());
    }
}
