//! The assembly of the cells of a tile, on which the speed of the band engine rests.
//!
//! The cells of two rows, of four with AVX-512, are one block without a branch: 16 or 32 cells in
//! each lane of a register, and the instructions that load and store the rows. An intrinsic that is
//! not inlined would be a call, and take ten times as long; a value that is computed too late is
//! stored and loaded again.

use std::fs;
use std::path::Path;
use std::process::Command;

/// A kernel as assembly.
struct Kernel {
    name: &'static str,
    /// The cells of a block, in each lane.
    cells: usize,
    /// The blocks with as many such cells or more: tiles whose values are asked for have their
    /// own, with more instructions.
    blocks: usize,
    /// An instruction that each of these cells has once. No other block of the crate has as many.
    mark: &'static str,
    /// Instructions for these cells, with rustc 1.95.0. The number depends on the version of the
    /// compiler, which chooses the values kept in registers, and not on the machine.
    measured: usize,
}

/// The percentage by which another version of the compiler can exceed the measured number: at most
/// an instruction for each cell.
const MARGIN: usize = 5;

/// The assembly of the crate in the release profile.
fn assembly(target: Option<&str>) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("assembly");
    let file = folder.join(format!("sweep-{}.s", target.unwrap_or("here")));
    let built = Command::new(env!("CARGO"))
        .args(["rustc", "--package", "chomp-sweep", "--lib", "--release", "--locked", "--quiet"])
        .args(target.iter().flat_map(|target| ["--target", target]))
        .arg("--target-dir")
        .arg(&folder)
        .arg("--")
        .arg(format!("--emit=asm={}", file.display()))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .status()
        .unwrap();
    assert!(built.success());
    fs::read_to_string(file).unwrap()
}

/// The first word of an instruction, without a prefix.
fn mnemonic(line: &str) -> &str {
    let mut words = line.split_whitespace();
    let first = words.next().unwrap_or_default();
    if first == "rep" { words.next().unwrap_or_default() } else { first }
}

/// Whether the flow of control can leave or enter here.
fn is_jump(name: &str) -> bool {
    let begin = ["j", "b.", "br", "cb", "tb", "block", "loop", "if", "else", "end"];
    name == "b" || begin.iter().any(|begin| name.starts_with(begin))
}

/// The runs of instructions between labels and jumps, without the ones of WebAssembly that only
/// move values from and to local variables: a machine has registers for them.
fn blocks(assembly: &str) -> Vec<Vec<&str>> {
    let mut blocks = vec![Vec::new()];
    for line in assembly.lines().filter(|line| !line.is_empty()) {
        if !line.starts_with(char::is_whitespace) {
            blocks.push(Vec::new());
            continue;
        }
        let name = mnemonic(line);
        if !name.starts_with(|first: char| first.is_ascii_lowercase()) || name.starts_with("local.")
        {
            continue;
        }
        blocks.last_mut().expect("there is a block").push(line);
        if is_jump(name) {
            blocks.push(Vec::new());
        }
    }
    blocks
}

/// Whether a label names a function of a register. The functions that enable the instructions do
/// not count.
fn is_of_register(label: &str) -> bool {
    let modules = ["simd3x86", "simd..x86", "simd4neon", "simd..neon"];
    modules.iter().any(|module| label.contains(module)) && !label.contains("run_")
}

fn check(assembly: &str, kernels: &[Kernel]) {
    let mut labels = assembly.lines().filter(|line| line.ends_with(':'));
    assert_eq!(labels.find(|label| is_of_register(label)), None, "it is not inlined");
    let all = blocks(assembly);
    for Kernel { name, cells, blocks, mark, measured } in kernels {
        let marks = |block: &[&str]| block.iter().filter(|line| mnemonic(line) == *mark).count();
        let found: Vec<_> = all.iter().filter(|block| marks(block) >= *cells).collect();
        assert_eq!(
            found.len(),
            *blocks,
            "{name}: blocks with {cells} cells: is something not inlined, or is there a branch?"
        );
        let block = found.into_iter().min_by_key(|block| block.len()).expect("there are some");
        assert_eq!(marks(block), *cells, "{name}: cells in a block");
        let call =
            block.iter().find(|line| ["call", "callq", "bl", "blr"].contains(&mnemonic(line)));
        assert_eq!(call, None, "{name}: a call in the cells");
        let most = measured + measured * MARGIN / 100;
        println!("{name}: {} instructions for {cells} cells", block.len());
        assert!(
            block.len() <= most,
            "{name}: {} instructions for {cells} cells, more than {most}",
            block.len()
        );
    }
}

#[test]
#[cfg(target_arch = "x86_64")]
#[ignore = "half a minute: compiles the crate (just test-long)"]
fn cells_are_few_instructions() {
    let avx512 =
        Kernel { name: "AVX-512, 8 lanes", cells: 32, blocks: 2, mark: "vplzcntq", measured: 408 };
    let avx2 =
        Kernel { name: "AVX2, 4 lanes", cells: 16, blocks: 2, mark: "vpsadbw", measured: 318 };
    let portable =
        Kernel { name: "portable, 1 lane", cells: 16, blocks: 2, mark: "bsfq", measured: 312 };
    check(&assembly(None), &[avx512, avx2, portable]);
}

#[test]
#[ignore = "half a minute: compiles the crate for 64-bit Arm (just neon)"]
fn cells_are_few_instructions_on_arm() {
    let neon = Kernel { name: "NEON, 2 lanes", cells: 16, blocks: 2, mark: "ucvtf", measured: 203 };
    let portable =
        Kernel { name: "portable, 1 lane", cells: 16, blocks: 2, mark: "rbit", measured: 259 };
    check(&assembly(Some("aarch64-unknown-linux-gnu")), &[neon, portable]);
}

#[test]
#[ignore = "half a minute: compiles the crate for WebAssembly (just wasm)"]
fn cells_are_few_instructions_in_wasm() {
    let portable =
        Kernel { name: "portable, 1 lane", cells: 16, blocks: 2, mark: "i64.ctz", measured: 267 };
    check(&assembly(Some("wasm32-unknown-unknown")), &[portable]);
}
