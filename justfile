# What a developer runs. `just` alone lists it.

default:
    @just --list

# What CI runs: format, lints, documentation, the README's test command, and the lanes whose inputs
# have changed.
ci:
    bash .ci/run

# Everything: every lane of CI, the long tests, whether the crates could be published, and whether
# they compile for other systems.
ci-all:
    ALL=1 bash .ci/run
    just test-long publish-check systems

# The README's test command.
test:
    cargo test --workspace

# The book of all crates, in the browser; `driver` is where to begin.
doc:
    cargo doc --workspace --no-deps --open

# What is too slow for every change: Nivasch's lists to r = 10000, wider comparisons of the engines,
# 56 000 forged records, 200 killed runs. (The tests of chomp-verify are left to `just verify`.)
test-long:
    cargo test --workspace -- --ignored --skip extracted::

# The Parquet export, which other builds leave out.
test-parquet:
    cargo test -p chomp-census --features parquet --test all export

# The engines on the same rows in one run: a table of processor seconds and ratios.
bench *ROWS:
    cargo bench -p chomp-sweep --bench side_by_side -- {{ROWS}}

# Each engine by itself, with statistics.
bench-engines:
    cargo bench -p chomp-sweep --bench engines

# Fuzz one reader (record_line, segment, manifest, checkpoint) for a minute: needs nightly Rust and cargo-fuzz.
fuzz TARGET:
    cargo +nightly fuzz run {{TARGET}} -- -max_total_time=60

# Rebuild what is committed in outputs/; with `all`, also what takes minutes (see outputs/README.md).
outputs *WHAT:
    bash outputs/rebuild {{WHAT}}

# Build the crates that are to run in a browser, for wasm32-unknown-unknown, and run them in Node.
wasm:
    bash .ci/wasm

# Check the proofs of proofs/coq with Coq, from the rules of the game on.
proofs:
    bash .ci/proofs

# Package every crate as for crates.io, and build it from its package. Nothing is published.
publish-check:
    cargo publish --workspace --dry-run --allow-dirty

# Check the crates for Windows and macOS, as far as it can be done here.
systems:
    bash .ci/systems

# Build chomp-verify, the checker extracted from the proofs, as target/proofs/chomp-verify, and test it.
verify:
    bash .ci/verify
