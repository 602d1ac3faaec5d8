# The commands for developers. `just` alone lists them.

default:
    @just --list

# The steps of CI: format, lints, documentation, the commands of README, and the lanes whose inputs
# have changed.
ci:
    SETUP=--check bash .ci/run

# Every lane: the lanes of CI, the long tests, every feature, Open MPI, the fuzz targets, whether the crates
# could be published, whether public items changed since the last release, whether the crates compile
# for other systems, the kernel for Arm, and the packages for machines without Rust. It leaves out only
# `attack` and `cluster-kills`.
ci-all:
    ALL=1 SETUP=--check bash .ci/run
    just deny test-long lint-all cluster fuzz-all publish-check semver systems neon dist

# Install the tools that lanes need besides Rust, on Debian: of all lanes, or of the named ones.
setup *LANES:
    bash .ci/setup {{LANES}}

# Hold licences and sources of the dependencies to deny.toml: needs cargo-deny (`just setup deny`).
deny:
    bash .ci/deny

# The README's test command.
test:
    cargo test --workspace

# Show the documentation of all crates in the browser; begin with `driver`.
doc:
    cargo doc --workspace --no-deps --open

# Run the tests that are too slow for every change: Nivasch's lists to r = 10000, wider comparisons of the engines,
# the instructions of a cell, 56 000 forged records, 200 killed runs. (The tests of chomp-verify are
# left to `just verify`, the instructions on Arm and in WebAssembly to `just neon` and `just wasm`,
# the tests with Sage or Mathematica to machines that have them: `cargo test -- --ignored with_sage`.)
test-long:
    cargo test --workspace -- --ignored --skip extracted:: --skip on_arm --skip in_wasm \
        --skip with_sage --skip with_mathematica

# Lint the crates with every feature: needs MPI (`just setup cluster`).
lint-all:
    cargo clippy --workspace --all-targets --all-features --locked -- --deny warnings

# Run the engines on the same rows: a table of processor seconds and ratios.
bench *ROWS:
    cargo bench -p chomp-benches --bench side_by_side -- {{ROWS}}

# Measure each engine by itself, and the sieve of `positions`, with statistics.
bench-engines:
    cargo bench -p chomp-benches --bench engines --bench sieve

# Fuzz one reader (record_line, segment, manifest, checkpoint, positions_state) for a minute: needs nightly Rust and cargo-fuzz.
fuzz TARGET:
    cargo +nightly fuzz run {{TARGET}} -- -max_total_time=60

# Build the fuzz targets, and run each on its corpus.
fuzz-all:
    bash .ci/fuzz

# Make the files of outputs/ again; with `all`, also those that take minutes (see outputs/README.md).
outputs *WHAT:
    bash outputs/rebuild {{WHAT}}

# Build the crates for browsers, for wasm32-unknown-unknown, and run them in Node.
wasm:
    ALL=1 bash .ci/wasm

# Build the package for Python as a wheel, in target/python/wheels, and test it, with its examples.
python:
    ALL=1 bash .ci/python

# Make the packages for users without Rust, in target/dist: tarball, package, wheel, page; try each.
dist:
    bash .ci/dist

# Make an archive to deposit, in target/deposit: `just deposit` for rows 0 to 1 000 000, in minutes and
# 4 GB of memory; `just deposit 3000000 --spill DIR --memory 12G` for all rows, in half an hour.
deposit LAST="1000000" *OPTIONS:
    cargo run --release -- rows --to {{LAST}} --out target/deposit/rows-{{LAST}} {{OPTIONS}}
    outputs/deposit/archive target/deposit/rows-{{LAST}} outputs/rows-{{LAST}}-MANIFEST.ron \
        target/deposit/rows-{{LAST}}.zip
    cp outputs/deposit/{README.md,metadata.json,SHA256SUMS,LICENSE,fetch} docs/FORMAT.md target/deposit
    cp outputs/rows-3000000-MANIFEST.ron outputs/verdict-3000000.json target/deposit
    cp crates/check/tests/check_files.py target/deposit
    cd target/deposit && sha256sum --check --ignore-missing SHA256SUMS

# Build the page in the browser, target/web/index.html, and serve it at http://127.0.0.1:8000. It can
# be opened from its folder as well; target/web/chomp.html is the page as one file.
web:
    bash web/build
    python3 -m http.server --bind 127.0.0.1 --directory target/web 8000

# Build the atlas, target/atlas/site, from a data set and the verdicts of `chomp check --json` on it,
# and serve it at http://127.0.0.1:8000. Without a data set, rows 0 to 3 000 000 are computed first.
atlas *DATA:
    bash crates/atlas/build {{DATA}}
    python3 -m http.server --bind 127.0.0.1 --directory target/atlas/site 8000

# Test a small atlas in headless Chromium, with a local server.
atlas-test:
    bash .ci/atlas

# Build the paper, target/paper/chomp.pdf, and check every number in it against its command.
paper:
    bash .ci/paper

# Test the page in headless Chromium.
web-test:
    bash .ci/web

# Check the proofs of proofs/coq with Coq, from the rules of the game on.
proofs:
    ALL=1 bash .ci/proofs

# Package every crate as for crates.io, and build it from its package. Nothing is published.
publish-check:
    bash .ci/publish

# Compare the public items with the last release, and the version with the changes.
semver:
    bash .ci/semver

# Check the crates for Windows and macOS, as far as it can be done here.
systems:
    bash .ci/systems

# Test the engine on 64-bit Arm, in QEMU.
neon:
    bash .ci/neon

# Build chomp-verify, the checker extracted from the proofs, as target/proofs/chomp-verify, and test it.
verify:
    bash .ci/verify

# Build chomp-mpi with MPI, as target/release/chomp-mpi, and try it with ranks on this machine.
cluster:
    bash .ci/cluster

# Attack chomp with hostile files, folders, links, devices, signals and limits: minutes. `kills` has
# 200 runs with words on disk killed at random times, checkpoints damaged, and resumed: an hour.
attack *WHAT:
    python3 .ci/attack {{WHAT}}

# Kill ranks on this machine at random times, and resume with others: minutes, after `just cluster`.
cluster-kills *RUNS:
    bash .ci/cluster-kills {{RUNS}}
