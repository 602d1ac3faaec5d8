//! Writes what the tests of the page drop on it: `data_sets FOLDER` makes the data set of rows 0 to
//! 200 as `FOLDER/true`, and as `FOLDER/forged` one whose files are whole and whose row 120 is
//! false: its two values have changed places.

#![allow(clippy::disallowed_methods, reason = "it reads what it has made")]

use std::error::Error;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use driver::{Engine, HeadForm, Record, Source, texts};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).ok_or("name a folder")?;
    let mut records = Vec::new();
    let mut visit = |found: driver::ProvedRow| {
        records.push(found.record);
        ControlFlow::Continue(())
    };
    Engine::default().rows(200, HeadForm::Fingerprint, &(), &mut visit)?;
    write(&Path::new(&folder).join("true"), &records)?;
    let line = records[120].to_string();
    let forged = line.replace("values: [72, 70]", "values: [70, 72]");
    if forged == line {
        return Err(format!("row 120 is not as Brouwer's page has it: {line}").into());
    }
    records[120] = driver::records::read(&forged)?.remove(0);
    write(&Path::new(&folder).join("forged"), &records)
}

fn write(folder: &Path, records: &[Record]) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    for (name, text) in texts(records) {
        fs::write(folder.join(name), text)?;
    }
    Ok(())
}
