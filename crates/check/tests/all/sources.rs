//! What the sources of all crates show: no module imports itself through others, and how rows are
//! shared out among segments is stated once.
//!
//! A module *uses* another if its code names an item that is defined there, in a `use` or by a
//! path. Names that a module only passes on (`pub use`) are those of the module that defines them.
//! What is under `#[cfg(test)]` does not count.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A module by its path, such as `record::data_set::writer`.
type Name = String;
type Uses = BTreeSet<(Name, Name)>;

/// `name` is what `path` names.
struct Import {
    name: String,
    path: Vec<String>,
    /// It is passed on.
    public: bool,
}

#[derive(Default)]
struct Module {
    imports: Vec<Import>,
    /// Paths of two names or more in its code.
    paths: Vec<Vec<String>>,
    /// All names in its code but those of imports.
    names: BTreeSet<String>,
}

type Modules = BTreeMap<Name, Module>;

/// Names, `::`, and single other characters; without comments, strings and characters.
fn tokens(text: &str) -> Vec<String> {
    let text: Vec<char> = text.chars().collect();
    let at = |i: usize| text.get(i).copied().unwrap_or('\0');
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let (mut found, mut i) = (Vec::new(), 0);
    while i < text.len() {
        let hashes = (i + 1..text.len()).take_while(|&j| at(j) == '#').count();
        if at(i) == '/' && at(i + 1) == '/' {
            i += text[i..].iter().take_while(|c| **c != '\n').count();
        } else if at(i) == 'r' && at(i + 1 + hashes) == '"' {
            let end: Vec<char> = "\"".chars().chain((0..hashes).map(|_| '#')).collect();
            let begin = i + 2 + hashes;
            let length = text[begin..].windows(end.len()).position(|here| here == end).unwrap();
            i = begin + length + end.len();
        } else if at(i) == '"' {
            i += 1;
            while i < text.len() && at(i) != '"' {
                i += if at(i) == '\\' { 2 } else { 1 };
            }
            i += 1;
        } else if at(i) == '\'' && (at(i + 1) == '\\' || at(i + 2) == '\'') {
            i += if at(i + 1) == '\\' { 3 } else { 2 };
            i += text[i..].iter().take_while(|c| **c != '\'').count() + 1;
        } else if is_name(at(i)) {
            let length = text[i..].iter().take_while(|c| is_name(**c)).count();
            found.push(text[i..i + length].iter().collect());
            i += length;
        } else if at(i) == ':' && at(i + 1) == ':' {
            found.push("::".to_owned());
            i += 2;
        } else {
            if !at(i).is_whitespace() {
                found.push(at(i).to_string());
            }
            i += 1;
        }
    }
    found
}

/// The number of tokens to the end of the item at the front: its first `;`, or the end of its first
/// block.
fn item_length(tokens: &[String]) -> usize {
    let is_use = tokens[0] == "use";
    let mut depth = 0_usize;
    for (place, token) in tokens.iter().enumerate() {
        match token.as_str() {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => depth -= 1,
            _ => {}
        }
        if depth == 0 && (token == ";" || token == "}" && !is_use) {
            return place + 1;
        }
    }
    panic!("an item without end")
}

/// The number of tokens of a group in brackets.
fn brackets_length(tokens: &[String]) -> usize {
    let mut depth = 0_i32;
    let end = tokens.iter().position(|token| {
        depth += i32::from(token == "(" || token == "[") - i32::from(token == ")" || token == "]");
        depth == 0
    });
    end.unwrap() + 1
}

/// Reads the tree of a `use` from behind the word to its end; what it consists of.
fn use_tree(tokens: &[String], prefix: &[String], found: &mut Vec<Import>) -> usize {
    let mut path = prefix.to_vec();
    let mut i = 0;
    loop {
        match tokens[i].as_str() {
            "{" => {
                i += 1;
                while tokens[i] != "}" {
                    i += use_tree(&tokens[i..], &path, found);
                    i += usize::from(tokens[i] == ",");
                }
                return i + 1;
            }
            "::" => i += 1,
            "," | "}" | ";" | "as" => break,
            "self" if !path.is_empty() => i += 1,
            name => {
                path.push(name.to_owned());
                i += 1;
            }
        }
    }
    let mut name = path.last().unwrap().clone();
    if tokens[i] == "as" {
        name.clone_from(&tokens[i + 1]);
        i += 2;
    }
    found.push(Import { name, path, public: false });
    i
}

/// Takes in the code of a module, and that of the modules in its braces. Modules of other files
/// that only tests have go to `left_out`.
fn read(name: &str, tokens: &[String], modules: &mut Modules, left_out: &mut BTreeSet<Name>) {
    let mut module = Module::default();
    let (mut i, mut public) = (0, false);
    while i < tokens.len() {
        let here = &tokens[i..];
        let starts = |words: &str| words.split(' ').zip(here).all(|(word, token)| word == token);
        if starts("# [ cfg ( test ) ]") {
            i += 7;
            while tokens[i] == "#" {
                i += 1 + brackets_length(&tokens[i + 1..]);
            }
            if tokens[i] == "mod" {
                left_out.insert(format!("{name}::{}", tokens[i + 1]));
            }
            i += item_length(&tokens[i..]);
        } else if starts("mod") && here[2] == "{" {
            let length = item_length(here);
            read(&format!("{name}::{}", here[1]), &here[3..length - 1], modules, left_out);
            i += length;
        } else if starts("pub") {
            public = true;
            i += if here[1] == "(" { 1 + brackets_length(&here[1..]) } else { 1 };
        } else if starts("use") && here[1] != "<" {
            let begin = module.imports.len();
            i += 2 + use_tree(&here[1..], &[], &mut module.imports);
            module.imports[begin..].iter_mut().for_each(|import| import.public = public);
            public = false;
        } else {
            public = false;
            let mut path = vec![tokens[i].clone()];
            i += 1;
            while i + 1 < tokens.len() && tokens[i] == "::" && tokens[i + 1] != "<" {
                path.push(tokens[i + 1].clone());
                i += 2;
            }
            module.names.extend(path.iter().cloned());
            if path.len() > 1 {
                module.paths.push(path);
            }
        }
    }
    modules.insert(name.to_owned(), module);
}

/// The files of Rust in a folder and in those within.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

/// The module of a file by its path in `src`.
fn module_name(of_crate: &str, path: &Path) -> Name {
    let stem = path.with_extension("");
    let parts = stem.iter().map(|part| part.to_str().unwrap());
    let parts = parts.filter(|part| !["lib", "main", "mod"].contains(part));
    [of_crate].into_iter().chain(parts).collect::<Vec<_>>().join("::")
}

/// The modules of a crate.
fn modules_of(folder: &Path) -> Modules {
    let of_crate = folder.file_name().unwrap().to_str().unwrap();
    let (mut modules, mut left_out) = (Modules::new(), BTreeSet::new());
    let src = folder.join("src");
    for path in files(&src) {
        let name = module_name(of_crate, path.strip_prefix(&src).unwrap());
        let text = fs::read_to_string(path).unwrap();
        read(&name, &tokens(&text), &mut modules, &mut left_out);
    }
    modules.retain(|module, _| {
        let inside = |out: &Name| module == out || module.starts_with(&format!("{out}::"));
        !left_out.iter().any(inside)
    });
    modules
}

/// The module that defines what a path in a module names, if it is one of these.
fn defines(modules: &Modules, module: &str, path: &[String], steps: usize) -> Option<Name> {
    let (first, mut rest) = path.split_first()?;
    let child = format!("{module}::{first}");
    let mut at = match first.as_str() {
        "crate" => module.split("::").next()?.to_owned(),
        "self" => module.to_owned(),
        "super" => module.rsplit_once("::")?.0.to_owned(),
        _ if modules.contains_key(&child) => child,
        _ => {
            // Imported by this module, or from another crate.
            rest = path;
            modules[module].imports.iter().find(|import| import.name == *first)?;
            module.to_owned()
        }
    };
    while let Some((name, after)) = rest.split_first() {
        let child = format!("{at}::{name}");
        if name == "super" {
            at = at.rsplit_once("::")?.0.to_owned();
        } else if modules.contains_key(&child) {
            at = child;
        } else {
            let import = modules[&at].imports.iter().find(|import| import.name == *name);
            let Some(import) = import.filter(|_| steps < 9) else { break };
            let path: Vec<String> = import.path.iter().chain(after).cloned().collect();
            return defines(modules, &at, &path, steps + 1);
        }
        rest = after;
    }
    Some(at)
}

/// Which module uses which.
fn uses_of(modules: &Modules) -> Uses {
    let mut uses = Uses::new();
    for (name, module) in modules {
        let only_passed_on =
            |import: &&Import| import.public && !module.names.contains(&import.name);
        let imported = module.imports.iter().filter(|import| !only_passed_on(import));
        for path in imported.map(|import| &import.path).chain(&module.paths) {
            let used = defines(modules, name, path, 0).filter(|used| used != name);
            uses.extend(used.map(|used| (name.clone(), used)));
        }
    }
    uses
}

/// A shortest way from a module back to itself, if there is one.
fn cycle(uses: &Uses) -> Option<Vec<&Name>> {
    let shortest = |start| {
        let (mut ways, mut seen) = (vec![vec![start]], BTreeSet::new());
        while !ways.is_empty() {
            let mut longer = Vec::new();
            for way in ways {
                for (_, used) in uses.iter().filter(|(user, _)| user == way[way.len() - 1]) {
                    let way: Vec<&Name> = way.iter().copied().chain([used]).collect();
                    if used == start {
                        return Some(way);
                    }
                    if seen.insert(used) {
                        longer.push(way);
                    }
                }
            }
            ways = longer;
        }
        None
    };
    uses.iter().filter_map(|(user, _)| shortest(user)).min_by_key(Vec::len)
}

/// The folders of all crates.
fn crates() -> impl Iterator<Item = PathBuf> {
    let crates = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    fs::read_dir(crates).unwrap().map(|entry| entry.unwrap().path())
}

/// A circle is seen through names that are passed on, and through paths; tests make none.
#[test]
fn circles_are_seen() {
    let circle = |a: &str, b: &str| {
        let mut modules = Modules::new();
        let root = "mod a; mod b; pub use a::{Of as A}; pub(crate) use b::{self, B};";
        for (name, text) in [("c", root), ("c::a", a), ("c::b", b)] {
            read(name, &tokens(text), &mut modules, &mut BTreeSet::new());
        }
        cycle(&uses_of(&modules)).map(|cycle| cycle.len())
    };
    let a = "use super::B; struct Of(B);";
    assert_eq!(circle(a, "struct B; fn f() -> crate::A { \"}\" }"), Some(3));
    assert_eq!(circle("use crate::b::inner::X;", "mod inner { use super::super::a; }"), Some(3));
    assert_eq!(circle(a, "struct B; // crate::A"), None);
    assert_eq!(circle(a, "struct B; #[cfg(test)] mod tests { use crate::A; }"), None);
}

/// Uses between modules of one parent, by all that is in them.
fn of_folders(uses: &Uses) -> Uses {
    let siblings = |(user, used): &(Name, Name)| {
        let (user, used): (Vec<&str>, Vec<&str>) =
            (user.split("::").collect(), used.split("::").collect());
        let common = user.iter().zip(&used).take_while(|(a, b)| a == b).count();
        let is_between = common < user.len() && common < used.len();
        is_between.then(|| (user[..=common].join("::"), used[..=common].join("::")))
    };
    uses.iter().filter_map(siblings).collect()
}

#[test]
fn no_module_imports_itself_through_others() {
    let (mut uses, mut modules) = (Uses::new(), 0);
    for folder in crates() {
        let of_crate = modules_of(&folder);
        modules += of_crate.len();
        uses.extend(uses_of(&of_crate));
    }
    assert!(modules > 100 && uses.len() > 200, "{modules} modules, {} uses", uses.len());
    for known in [("check", "check::tails"), ("ledger::rows", "ledger::verdict")] {
        assert!(uses.contains(&(known.0.to_owned(), known.1.to_owned())), "{known:?} is seen");
    }
    if let Some(cycle) = cycle(&uses) {
        panic!("modules use each other in a circle: {cycle:?}");
    }
    if let Some(cycle) = cycle(&of_folders(&uses)) {
        panic!("folders use each other in a circle: {cycle:?}");
    }
}

/// The only unsafe code knows lanes and no caller.
#[test]
fn the_vector_backend_knows_no_caller() {
    let sweep = crates().find(|folder| folder.ends_with("sweep")).unwrap();
    let uses = of_folders(&uses_of(&modules_of(&sweep)));
    let used = |user: &str| -> Vec<&str> {
        uses.iter().filter(|(from, _)| from == user).map(|(_, to)| to.as_str()).collect()
    };
    for backend in ["x86", "neon"] {
        assert_eq!(used(&format!("sweep::band::simd::{backend}")), ["sweep::band::simd::lanes"]);
    }
    assert_eq!(used("sweep::band::simd"), Vec::<&str>::new());
}

#[test]
fn sizes_and_names_of_segments_are_stated_once() {
    let files: Vec<PathBuf> = crates().flat_map(|folder| files(&folder.join("src"))).collect();
    for statement in ["const SEGMENT_ROWS", "\"rows-{"] {
        let states = |path: &&PathBuf| fs::read_to_string(path).unwrap().contains(statement);
        let found: Vec<&PathBuf> = files.iter().filter(states).collect();
        let [only] = found[..] else { panic!("{statement} is in {found:?}") };
        assert!(only.ends_with("record/src/segments.rs"), "{statement} is in {only:?}");
    }
}
