//! HTML: safe text, and the common parts of all pages. `assets/pages` has the texts of the pages,
//! with the names of what is filled in.

use std::fmt::{self, Display};

/// Text, with the characters that mean something to HTML replaced.
pub(crate) struct Safe<'a>(pub(crate) &'a str);

impl Display for Safe<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.chars().try_for_each(|letter| match letter {
            '&' => f.write_str("&amp;"),
            '<' => f.write_str("&lt;"),
            '>' => f.write_str("&gt;"),
            '"' => f.write_str("&quot;"),
            other => write!(f, "{other}"),
        })
    }
}

/// The text with real minus signs.
pub(crate) fn minus(text: &str) -> String {
    text.replace(" -", " −").replace("[-", "[−").replace("(-", "(−")
}

/// The project's sources.
pub(crate) const SOURCE: &str = env!("CARGO_PKG_REPOSITORY");

/// Where the site will be, with a slash at its end: for citations, and the picture of shared links.
pub(crate) const ADDRESS: Option<&str> = option_env!("ATLAS_ADDRESS");

/// A page of the site.
#[derive(Default)]
pub(crate) struct Page<'a> {
    /// The way to the folder of the site: nothing, or `../`.
    pub(crate) root: &'a str,
    pub(crate) title: &'a str,
    /// A sentence on its content, which a shared link shows.
    pub(crate) about: &'a str,
    /// The script of its own, if it has one.
    pub(crate) script: Option<&'a str>,
    /// More links beside those that all pages have.
    pub(crate) links: &'a str,
    pub(crate) body: &'a str,
}

impl Display for Page<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let root = self.root;
        let script = self.script.map_or(String::new(), |script| {
            format!("<script type=\"module\" src=\"{root}{script}\"></script>\n")
        });
        write!(
            f,
            include_str!("../assets/pages/page.html"),
            root = root,
            script = script,
            title = Safe(self.title),
            about = Safe(self.about),
            address = ADDRESS.unwrap_or(root),
            source = SOURCE,
            links = self.links,
            body = self.body,
        )
    }
}
