#![no_main]

#[path = "../checkpoint.rs"]
mod checkpoint;

thread_local! {
    static FOLDER: tempfile::TempDir = tempfile::tempdir().expect("a folder can be made");
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    FOLDER.with(|folder| checkpoint::checkpoint(folder.path(), bytes));
});
