//! The atlas: a static site with pages of rows, made from a data set and from the verdicts of the
//! checker on it. No server code, and the same bytes whenever it is built from the same files.
//!
//! | page | contents |
//! |---|---|
//! | `index.html` | what this is, search, lists, completeness, how to cite |
//! | `rows/120.html` | one row: record, why (drawn and in words), texts for other programs, verdicts |
//! | `periods/4.html`, `words/2-AA.html` | the rows that have a page, by period and by word |
//! | `page/index.html` | the page of `web` |
//! | `completeness.html` | the verdicts, as `chomp check --json` printed them |
//!
//! Each row of a small data set has a page, and each row of the large one whose period exceeds 2.
//! The site holds the small data set, so that a browser can verify its rows with no server; the
//! module of the page does that, and draws. A search finds the record of a row without a page in
//! the archive of a data set, by a byte range ([`Archive`]). It finds the rows of a sequence in
//! `index.json` and the files of the folder `index`.
//!
//! Statements about proofs come from the verdicts, word for word. Computing rows does not belong
//! here, except for the offsets of the first rows, which data sets leave out.

mod archive;
mod failure;
mod html;
mod index;
mod inputs;
mod lists;
mod row_page;
mod site;
mod start_pages;
mod verdict;

pub use archive::Archive;
pub use inputs::Inputs;
pub use site::{Built, build};
pub use verdict::{Verdict, hash};
