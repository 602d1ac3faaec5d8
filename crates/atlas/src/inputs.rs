//! The data from which the site is built.

use std::path::Path;

use record::data_set::DataSet;

use crate::archive::Archive;
use crate::verdict::Verdict;

/// The inputs of an atlas.
#[derive(Clone, Copy, Debug)]
pub struct Inputs<'a> {
    /// The rows: those whose period exceeds 2 have a page.
    pub data: &'a DataSet,
    /// The rows that all have a page, and that browsers verify: the first ones of `data`.
    pub in_browser: &'a DataSet,
    /// The checker's verdicts on these rows.
    pub verdicts: &'a [Verdict],
    /// The archive in which the search finds rows without a page.
    pub archive: Option<&'a Archive>,
    /// The page in the browser, as web/build makes it.
    pub page: &'a Path,
}
