//! Rules for the sources of all crates: no module imports itself through others, the division of
//! rows into segments is stated once, and a library is compiled for tests if and only if it has
//! some.
//!
//! A module *uses* another if its code names an item that is defined there, in a `use` or by a
//! path. Names that a module only passes on (`pub use`) are those of the module that defines them.
//! Code under `#[cfg(test)]` does not count.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{
    Attribute, Expr, ImplItemFn, Item, ItemFn, ItemImpl, ItemMod, ItemUse, Macro, Meta, Token,
    UseTree, Visibility,
};

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

impl Module {
    fn import(&mut self, tree: &UseTree, prefix: &[String], public: bool) {
        let of = |last: &dyn ToString| [prefix, &[last.to_string()]].concat();
        let (name, path) = match tree {
            UseTree::Path(tree) => return self.import(&tree.tree, &of(&tree.ident), public),
            UseTree::Group(group) => {
                return group.items.iter().for_each(|tree| self.import(tree, prefix, public));
            }
            UseTree::Name(name) if name.ident == "self" => {
                (prefix.last().unwrap().clone(), prefix.to_vec())
            }
            UseTree::Name(name) => (name.ident.to_string(), of(&name.ident)),
            UseTree::Rename(renamed) => (renamed.rename.to_string(), of(&renamed.ident)),
            UseTree::Glob(_) => ("*".to_owned(), of(&"*")),
        };
        self.imports.push(Import { name, path, public });
    }
}

/// Takes in the code of a module, and that of the modules in its braces.
struct Reader<'a> {
    name: &'a str,
    module: Module,
    modules: &'a mut Modules,
    /// Modules of other files that only tests have.
    left_out: &'a mut BTreeSet<Name>,
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && matches!(&attribute.meta, Meta::List(list) if list.tokens.to_string() == "test")
    })
}

impl Visit<'_> for Reader<'_> {
    fn visit_path(&mut self, path: &syn::Path) {
        let names: Vec<String> =
            path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        self.module.names.extend(names.iter().cloned());
        if names.len() > 1 {
            self.module.paths.push(names);
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, invoked: &Macro) {
        // The arguments, if they are expressions.
        let arguments = Punctuated::<Expr, Token![,]>::parse_terminated;
        for argument in invoked.parse_body_with(arguments).iter().flatten() {
            self.visit_expr(argument);
        }
        visit::visit_macro(self, invoked);
    }

    fn visit_item_use(&mut self, item: &ItemUse) {
        if !is_for_tests(&item.attrs) {
            let public = !matches!(item.vis, Visibility::Inherited);
            self.module.import(&item.tree, &[], public);
        }
    }

    fn visit_item_mod(&mut self, item: &ItemMod) {
        let name = format!("{}::{}", self.name, item.ident);
        if is_for_tests(&item.attrs) {
            self.left_out.insert(name);
        } else if let Some((_, items)) = &item.content {
            read(&name, items, self.modules, self.left_out);
        }
    }

    fn visit_item_fn(&mut self, item: &ItemFn) {
        if !is_for_tests(&item.attrs) {
            visit::visit_item_fn(self, item);
        }
    }

    fn visit_item_impl(&mut self, item: &ItemImpl) {
        if !is_for_tests(&item.attrs) {
            visit::visit_item_impl(self, item);
        }
    }

    fn visit_impl_item_fn(&mut self, item: &ImplItemFn) {
        if !is_for_tests(&item.attrs) {
            visit::visit_impl_item_fn(self, item);
        }
    }
}

fn read(name: &str, items: &[Item], modules: &mut Modules, left_out: &mut BTreeSet<Name>) {
    let mut reader = Reader { name, module: Module::default(), modules, left_out };
    for item in items {
        reader.visit_item(item);
    }
    let module = reader.module;
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
        let code = syn::parse_file(&fs::read_to_string(path).unwrap()).unwrap();
        read(&name, &code.items, &mut modules, &mut left_out);
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
    let folders = fs::read_dir(crates).unwrap().map(|entry| entry.unwrap().path());
    folders.chain([crates.join("../experiments")])
}

/// A circle is seen through names that are passed on, and through paths; tests make none.
#[test]
fn circles_are_seen() {
    let circle = |a: &str, b: &str| {
        let mut modules = Modules::new();
        let root = "mod a; mod b; pub use a::{Of as A}; pub(crate) use b::{self, B};";
        for (name, text) in [("c", root), ("c::a", a), ("c::b", b)] {
            read(name, &syn::parse_file(text).unwrap().items, &mut modules, &mut BTreeSet::new());
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
    for known in [("check", "check::tails"), ("ledger::brouwer::rows", "ledger::verdict")] {
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
        assert!(only.ends_with("record/src/data_set/contents.rs"), "{statement} is in {only:?}");
    }
}

/// A library or a program whose own tests are turned off has none, and one that has none does not
/// take the time to be compiled twice.
#[test]
fn targets_without_tests_are_not_compiled_for_tests() {
    let has_tests = |path: &PathBuf| fs::read_to_string(path).unwrap().contains("#[test]");
    let mut off = 0;
    for folder in crates() {
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        let section = manifest.split("\n[").find(|section| section.starts_with("lib]"));
        let is_off = section.is_some_and(|section| section.contains("\ntest = false"));
        let tests = files(&folder.join("src")).into_iter().find(has_tests);
        if section.is_some() {
            assert_eq!(is_off, tests.is_none(), "{}: tests: {tests:?}", folder.display());
        }
        off += usize::from(is_off);
    }
    assert!(off > 5, "{off} libraries without tests");
}

/// The profile of tests has assertions for debugging only in the crates that it names.
#[test]
fn assertions_for_debugging_are_compiled_in_tests() {
    let workspace = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.toml"));
    let profiles = fs::read_to_string(workspace).unwrap();
    let states_some = |path: &PathBuf| fs::read_to_string(path).unwrap().contains("debug_assert");
    let mut named = 0;
    for folder in crates().filter(|folder| files(&folder.join("src")).iter().any(states_some)) {
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        let name = manifest.split('"').nth(1).unwrap();
        let has_them = |line: &str| {
            line.starts_with(&format!("{name} = ")) && line.contains("debug-assertions = true")
        };
        assert!(profiles.lines().any(has_them), "{name} states assertions for debugging");
        named += 1;
    }
    assert!(named > 2, "{named} crates state some");
}
