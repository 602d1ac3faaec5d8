#![no_main]

#[path = "../positions_state.rs"]
mod positions_state;

thread_local! {
    static FOLDER: tempfile::TempDir = tempfile::tempdir().expect("a folder can be made");
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    FOLDER.with(|folder| positions_state::positions_state(folder.path(), bytes));
});
