//! The folder for words that wait on disk.

use std::path::{Path, PathBuf};

use record::data_set::holds_rows;

use crate::Error;

/// Where words that are read much later wait on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spill {
    /// The folder, for one run at a time; created if it does not exist.
    pub folder: PathBuf,
    /// The memory budget of the run, in bytes; by default half of the free memory.
    pub memory: Option<u64>,
}

impl Spill {
    /// A data set has its folder to itself: with words among its files, every later run would
    /// refuse the folder.
    pub(crate) fn require_outside(&self, data_set: &Path) -> Result<(), Error> {
        let folder = &self.folder;
        let real = |path| files::real(path).unwrap_or_else(|_| path.to_owned());
        let is_within = real(folder).starts_with(real(data_set));
        if is_within || holds_rows(folder) {
            let data_set = if is_within { data_set } else { folder }.to_owned();
            return Err(Error::WordsAmongRows { folder: folder.clone(), data_set });
        }
        Ok(())
    }
}
