//! The layout of the crate, from its sources: no module uses what uses it.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// A module, by the names on the way to it.
type Module = Vec<String>;

fn sources(folder: &Path, module: &Module, found: &mut BTreeMap<Module, String>) {
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let name = path.file_stem().unwrap().to_str().unwrap();
        let mut child = module.clone();
        if !["lib", "mod"].contains(&name) {
            child.push(name.to_owned());
        }
        if path.is_dir() {
            sources(&path, &child, found);
        } else if name != "tests" {
            found.insert(child, code(&path));
        }
    }
}

/// A source without its tests and comments.
fn code(path: &PathBuf) -> String {
    let source = fs::read_to_string(path).unwrap();
    let code = source.split("#[cfg(test)]\nmod tests").next().unwrap();
    code.lines().map(|line| line.split("//").next().unwrap()).collect::<Vec<_>>().join("\n")
}

/// The paths of `a::{b, c::{d, e}}`, each whole.
fn expand(tree: &str) -> Vec<String> {
    let Some((head, rest)) = tree.split_once('{') else { return vec![tree.to_owned()] };
    let (mut depth, mut from, mut paths) = (0, 0, Vec::new());
    let rest = rest.strip_suffix('}').unwrap_or_else(|| panic!("{tree}"));
    for (at, character) in rest.char_indices().chain([(rest.len(), ',')]) {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                paths.extend(expand(&rest[from..at]).iter().map(|path| format!("{head}{path}")));
                from = at + 1;
            }
            _ => {}
        }
    }
    paths
}

/// The paths from the root of the crate that a module names, in `use` or elsewhere.
fn named(module: &Module, code: &str) -> Vec<Module> {
    let mut paths = Vec::new();
    for root in ["crate::", "super::"] {
        for (at, _) in code.match_indices(root) {
            let end = |stop: &[char]| at + code[at..].find(stop).unwrap();
            let is_use = code[..at].trim_end().ends_with("use");
            let end = if is_use { end(&[';']) } else { end(&['(', ')', ' ', '<', '>', ',', ';']) };
            let tree: String = code[at..end].split_whitespace().collect();
            paths.extend(expand(&tree.replace(",}", "}")));
        }
    }
    let absolute = |path: String| {
        let mut names = path.split("::").map(str::to_owned);
        let mut absolute = if names.next().unwrap() == "crate" {
            Vec::new()
        } else {
            module[..module.len() - 1].to_vec()
        };
        absolute.extend(names);
        absolute
    };
    paths.into_iter().map(absolute).collect()
}

/// Who uses whom among the children of each module, and what uses its parent itself.
fn uses() -> (BTreeMap<Module, BTreeSet<[String; 2]>>, Vec<String>) {
    let mut modules = BTreeMap::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &Vec::new(), &mut modules);
    assert!(modules.len() > 20);
    let (mut edges, mut of_parents) = (BTreeMap::<_, BTreeSet<_>>::new(), Vec::new());
    for (module, code) in &modules {
        for path in named(module, code) {
            let used = (0..=path.len()).rev().find(|&n| modules.contains_key(&path[..n])).unwrap();
            let common = module.iter().zip(&path[..used]).take_while(|(a, b)| a == b).count();
            if common == used && used < module.len() {
                of_parents.push(format!("{} uses {}", module.join("::"), path.join("::")));
            } else if common < module.len() && common < used {
                let edge = [module[common].clone(), path[common].clone()];
                edges.entry(module[..common].to_vec()).or_default().insert(edge);
            }
        }
    }
    (edges, of_parents)
}

#[test]
fn no_module_uses_what_uses_it() {
    let (edges, of_parents) = uses();
    assert_eq!(of_parents, Vec::<String>::new(), "what a parent says is of its children");
    assert!(edges.values().map(BTreeSet::len).sum::<usize>() > 60);
    for (parent, mut edges) in edges {
        // Without those that nothing among the rest uses, until nothing is left.
        while !edges.is_empty() {
            let using: BTreeSet<_> = edges.iter().map(|[user, _]| user.clone()).collect();
            let before = edges.len();
            edges.retain(|[_, used]| using.contains(used));
            assert!(edges.len() < before, "a cycle in {}: {edges:?}", parent.join("::"));
        }
    }
}

/// The crate's only unsafe code knows lanes and nothing else.
#[test]
fn the_vector_backend_knows_no_caller() {
    let (edges, _) = uses();
    let of = |parent: &[&str], user: &str| -> Vec<String> {
        let parent: Module = parent.iter().map(|&name| name.to_owned()).collect();
        edges[&parent].iter().filter(|[from, _]| from == user).map(|[_, to]| to.clone()).collect()
    };
    assert_eq!(of(&["band", "simd"], "x86"), ["lanes"]);
    assert_eq!(of(&["band"], "simd"), Vec::<String>::new());
    assert_eq!(of(&[], "scalar"), ["certify", "error", "row", "units"]);
}
