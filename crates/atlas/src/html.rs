//! HTML: safe text, and the common parts of all pages.

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

/// A number of things that have this name.
pub(crate) fn counted(number: u64, name: &str) -> String {
    format!("{number} {name}{}", if number == 1 { "" } else { "s" })
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
        let Self { root, title, script, links, body, .. } = self;
        let (title, about) = (Safe(title), Safe(self.about));
        let address = ADDRESS.unwrap_or(root);
        write!(
            f,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <title>{title} · Atlas of three-rowed Chomp</title>\n\
             <meta name=\"description\" content=\"{about}\">\n\
             <meta property=\"og:title\" content=\"{title} · Atlas of three-rowed Chomp\">\n\
             <meta property=\"og:description\" content=\"{about}\">\n\
             <meta property=\"og:image\" content=\"{address}page/card.png\">\n\
             <meta name=\"twitter:card\" content=\"summary_large_image\">\n\
             <link rel=\"icon\" href=\"{root}icon.svg\">\n\
             <link rel=\"stylesheet\" href=\"{root}page.css\">\n\
             <link rel=\"stylesheet\" href=\"{root}atlas.css\">\n"
        )?;
        if let Some(script) = script {
            writeln!(f, "<script type=\"module\" src=\"{root}{script}\"></script>")?;
        }
        write!(
            f,
            "<header>\n<nav><a href=\"{root}index.html\">Atlas</a> \
             <a href=\"{root}page/index.html\">Play</a> \
             <a href=\"{root}completeness.html\">Completeness</a> <a href=\"{SOURCE}\">Source</a>\
             {links}</nav>\n<h1>{title}</h1>\n</header>\n<main>\n{body}</main>\n</html>\n"
        )
    }
}
