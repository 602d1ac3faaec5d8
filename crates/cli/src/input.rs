//! Text that a command reads from a file that is named on the command line, or from standard input.

use std::io::{self, Read};
use std::path::Path;

/// The text of a file, or of standard input if its name is `-`, of at most `most` bytes.
///
/// # Errors
/// As [`files::text`].
pub fn text(path: &Path, most: u64) -> io::Result<String> {
    if path != Path::new("-") {
        return files::text(path, most);
    }
    let mut text = String::new();
    let read = io::stdin().take(most.saturating_add(1)).read_to_string(&mut text)?;
    if read as u64 > most {
        let words = format!("it has more than {most} bytes");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, words));
    }
    Ok(text)
}
