//! What `.ci/wasm` runs in Node: the functions of `driver` that need neither threads nor files. Its
//! test runs the same on this machine, so that both are held to one hash.
#![expect(unsafe_code, reason = "two functions that generate one symbol each, of their own names")]

use std::ops::ControlFlow;

use driver::{Engine, Family, HeadForm, ProvedRow, Source, SweepOptions, Task, Value, records};

/// Rows 0 to this one are computed and hashed.
pub const LAST: u64 = 2000;

/// The first eight bytes of the BLAKE3 hash of the records of rows 0 to [`LAST`], one per line.
///
/// # Panics
/// If a row is not found.
#[unsafe(no_mangle)]
pub extern "C" fn hash_of_rows() -> u64 {
    hash(text(on_this_thread(), LAST).as_bytes())
}

/// Asks one question of each kind.
///
/// # Panics
/// If an answer is wrong.
#[unsafe(no_mangle)]
pub extern "C" fn ask() {
    let engine = on_this_thread();
    let row_120 = engine.row_in_full(120, &()).unwrap().record;
    assert_eq!(row_120.periodic().unwrap().values, [72, 70]);
    let value = engine.value(&1_000_000_u32.into(), &"5".parse().unwrap(), &()).unwrap();
    assert_eq!(value, Value::Is(1_000_004_u32.into()));
    // Zeilberger's [3,1,3], a position in a head, and Cho's [4557].
    let positions = [("(7,4,3)", true), ("(8,4,3)", false), ("(9,6,5)", true), ("(7,5,5,4)", true)];
    for (position, is_p) in positions {
        let answer = engine.answer(&position.parse().unwrap(), &()).unwrap();
        assert_eq!(answer.is_p(), is_p, "{position}");
    }
    let rows = records::read(&text(engine, 130)).unwrap();
    let task = Task { heads: true, ..Task::default() };
    let family = Family::three_rowed(0, 130);
    let verdict = check::check_records(&family, &rows, &task, &()).unwrap();
    assert_eq!((verdict.last, verdict.assumptions()), (130, None));
}

fn on_this_thread() -> Engine {
    Engine::Sweep(SweepOptions { threads: None, ..SweepOptions::default() })
}

fn text(engine: Engine, last: u64) -> String {
    let mut lines = Vec::new();
    let mut add = |row: ProvedRow| {
        lines.push(format!("{}\n", row.record));
        ControlFlow::Continue(())
    };
    engine.rows(last, HeadForm::Fingerprint, &(), &mut add).unwrap();
    lines.concat()
}

fn hash(text: &[u8]) -> u64 {
    let hash = blake3::hash(text);
    u64::from_be_bytes(*hash.as_bytes().first_chunk().expect("it has 32 bytes"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Node is held to this hash, and here the engines of this machine are.
    #[test]
    fn this_machine_finds_the_hash_that_node_must_find() {
        let expected = include_str!("../rows-to-2000.blake3").trim();
        for engine in [Engine::default(), on_this_thread(), Engine::Literal] {
            let found = format!("{:016x}", hash(text(engine, LAST).as_bytes()));
            assert_eq!(found, expected, "{engine:?}");
        }
        ask();
    }
}
