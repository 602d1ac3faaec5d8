//! Data sets on disk: what is written is read back, what is damaged is refused.

use std::cell::Cell;
use std::fs;
use std::io::Write;
use std::path::Path;

use record::data_set::{
    Contents, DataSet, DataSetError, MANIFEST_NAME, Remedy, SEGMENT_ROWS, Texts, Writer, held,
    read_texts, texts,
};
use record::{Finite, HeadForm, Record, RowKey, Statement, fingerprint};
use tempfile::{TempDir, tempdir};

/// A well-formed record for any row. (Rows like these exist in no Chomp; the format cannot tell.)
fn record(row: u64) -> Record {
    let head = HeadForm::Fingerprint.of(row, &[1, 0]);
    Record::of_row(Statement::Finite(Finite { row, first: row + 1, last: row + 1, head })).unwrap()
}

fn write(folder: &Path, rows: u64) -> DataSet {
    let mut writer = Writer::new(folder, Contents::Rows, HeadForm::Fingerprint).unwrap();
    for row in 0..rows {
        writer.push(record(row)).unwrap();
    }
    writer.finish().unwrap().unwrap()
}

fn files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let read = |name: String| (name.clone(), fs::read(folder.join(name)).unwrap());
    files(folder).into_iter().map(read).collect()
}

fn read(folder: &Path) -> Result<Vec<Record>, DataSetError> {
    DataSet::open(folder)?.rows().collect()
}

#[test]
fn fingerprints_are_sums_of_weighted_offsets() {
    // splitmix64 of 10 and 11, by Vigna's reference code: see `column_weight`.
    let weight = record::column_weight;
    assert_eq!(
        fingerprint(10, &[3, 5]),
        weight(10).wrapping_mul(3).wrapping_add(weight(11).wrapping_mul(5))
    );
}

#[test]
fn rows_are_read_as_they_were_written() {
    let folder = tempdir().unwrap();
    let rows = SEGMENT_ROWS + 5;
    let data_set = write(folder.path(), rows);
    assert_eq!(
        files(folder.path()),
        ["MANIFEST.ron", "rows-0000000-0009999.ron", "rows-0010000-0010004.ron"]
    );
    assert_eq!(data_set.last_row(), rows - 1);
    let expected: Vec<Record> = (0..rows).map(record).collect();
    assert_eq!(read(folder.path()).unwrap(), expected);
    assert_eq!(data_set.row(&RowKey::of_row(0, 10_003)).unwrap(), Some(record(10_003)));
    assert_eq!(data_set.row(&RowKey::of_row(0, rows)).unwrap(), None);
}

fn texts_of(folder: &Path) -> Texts {
    contents(folder).into_iter().collect()
}

#[test]
fn a_data_set_in_memory_is_that_on_disk() {
    let folder = tempdir().unwrap();
    let expected: Vec<Record> = (0..SEGMENT_ROWS + 5).map(record).collect();
    write(folder.path(), SEGMENT_ROWS + 5);
    let held = texts_of(folder.path());
    assert_eq!(held, texts(&expected));
    assert_eq!(read_texts(&held).unwrap().1, expected);
}

#[test]
fn a_data_set_in_memory_with_a_file_too_few_or_a_wrong_one_is_refused() {
    let folder = tempdir().unwrap();
    write(folder.path(), SEGMENT_ROWS + 5);
    let good = texts_of(folder.path());
    for (name, bytes) in &good {
        let mut without = good.clone();
        without.remove(name);
        let (error, bytes) = (read_texts(&without).unwrap_err().to_string(), bytes.as_slice());
        assert!(error.starts_with(&format!("{name} is not among the files")), "{error}");
        for (changed, words) in [
            ([bytes, b" "].concat(), ["not as this program writes it", "cut short"]),
            ([b"\xef\xbb\xbf", bytes].concat(), ["begins with a byte order mark"; 2]),
            ([b"\xff", bytes].concat(), ["did not contain valid UTF-8", "it is not text"]),
        ] {
            let mut damaged = good.clone();
            damaged.insert(name.clone(), changed.clone());
            let error = read_texts(&damaged).unwrap_err().to_string();
            assert!(words.iter().any(|words| error.contains(words)), "{name}: {error}");
            // The same bytes on disk get the same words.
            fs::write(folder.path().join(name), changed).unwrap();
            let on_disk = read(folder.path()).unwrap_err().to_string();
            assert_eq!(on_disk.replace(&format!("{}/", folder.path().display()), ""), error);
        }
        fs::write(folder.path().join(name), bytes).unwrap();
    }
}

#[test]
fn bytes_do_not_depend_on_how_the_data_set_grew() {
    let (at_once, grown) = (tempdir().unwrap(), tempdir().unwrap());
    write(at_once.path(), 30);
    write(grown.path(), 10);
    write(grown.path(), 20);
    write(grown.path(), 30);
    assert_eq!(contents(at_once.path()), contents(grown.path()));
}

#[test]
fn until_the_manifest_is_replaced_the_data_set_from_before_is_whole() {
    let folder = tempdir().unwrap();
    write(folder.path(), 10);
    let mut writer = Writer::new(folder.path(), Contents::Rows, HeadForm::Fingerprint).unwrap();
    for row in 0..=SEGMENT_ROWS {
        writer.push(record(row)).unwrap();
    }
    drop(writer);
    assert_eq!(read(folder.path()).unwrap().len(), 10);
    write(folder.path(), 12);
    assert_eq!(files(folder.path()), ["MANIFEST.ron", "rows-0000000-0000011.ron"]);
}

#[test]
fn leftovers_of_killed_runs_are_removed() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join(".writing-abc123"), "half a segm").unwrap();
    fs::write(folder.path().join("rows-0000000-0009999.ron"), "Segment(").unwrap();
    assert!(held(folder.path(), None, 9, HeadForm::Fingerprint).unwrap().is_none());
    write(folder.path(), 10);
    assert_eq!(files(folder.path()), ["MANIFEST.ron", "rows-0000000-0000009.ron"]);
}

fn found(folder: &TempDir, last: u64, form: HeadForm) -> Result<&'static str, String> {
    match held(folder.path(), None, last, form) {
        Ok(None) => Ok("nothing"),
        Ok(Some(data_set)) if data_set.last_row() < last => Ok("smaller"),
        Ok(Some(_)) => Ok("same"),
        Err(error) => Err(error.to_string()),
    }
}

#[test]
fn what_a_folder_holds_is_told_before_any_work() {
    let folder = tempdir().unwrap();
    let form = HeadForm::Fingerprint;
    assert_eq!(found(&folder, 9, form), Ok("nothing"));
    write(folder.path(), 10);
    assert_eq!(found(&folder, 9, form), Ok("same"));
    assert_eq!(found(&folder, 20, form), Ok("smaller"));
    let larger = found(&folder, 5, form).unwrap_err();
    assert!(larger.contains("holds rows 0 to 9 already, more than the rows 0 to 5"), "{larger}");
    let other = found(&folder, 9, HeadForm::Offsets).unwrap_err();
    assert!(other.contains("holds records with fingerprints"), "{other}");

    let foreign = tempdir().unwrap();
    fs::write(foreign.path().join("thesis.tex"), "").unwrap();
    let refused = found(&foreign, 9, form).unwrap_err();
    assert!(refused.contains("is not empty and holds no data set"), "{refused}");
    assert_eq!(files(foreign.path()), ["thesis.tex"]);
}

/// Rows 0 to 2 with `zstd: true`, and the text that the compressed segment should have.
fn with_compressed_segment() -> (TempDir, Vec<u8>) {
    let folder = tempdir().unwrap();
    write(folder.path(), 3);
    let path = folder.path().join("rows-0000000-0000002.ron");
    let text = fs::read(&path).unwrap();
    fs::remove_file(path).unwrap();
    let manifest = folder.path().join(MANIFEST_NAME);
    let listed = fs::read_to_string(&manifest).unwrap().replace("\"),", "\", zstd: true),");
    fs::write(manifest, listed).unwrap();
    (folder, text)
}

fn frame(text: &[u8], announced: bool) -> Vec<u8> {
    let mut encoder = zstd::Encoder::new(Vec::new(), 0).unwrap();
    encoder.include_contentsize(announced).unwrap();
    encoder.set_pledged_src_size(announced.then_some(text.len() as u64)).unwrap();
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

/// One frame and nothing else. A decoder would skip some of the additions, and join others.
#[test]
fn a_compressed_segment_is_one_frame() {
    let (folder, text) = with_compressed_segment();
    let path = folder.path().join("rows-0000000-0000002.ron.zst");
    // A skipped frame begins with one of sixteen numbers, and with the length of the rest.
    let skipped = [&0x184d_2a50_u32.to_le_bytes()[..], &4_u32.to_le_bytes(), b"note"].concat();
    let (whole, unannounced) = (frame(&text, true), frame(&text, false));
    let (before, after) = text.split_at(text.len() / 2);
    let two = [frame(before, true), frame(after, true)].concat();
    // The header of a frame that announces its length: the descriptor, and two bytes.
    let mut lying = whole.clone();
    lying[6] = lying[6].wrapping_add(8);
    let mut bomb = text.clone();
    bomb.resize(1 << 20, b' ');

    for good in [&whole, &unannounced] {
        fs::write(&path, good).unwrap();
        assert_eq!(read(folder.path()).unwrap().len(), 3);
    }
    let more = "more in it than one Zstandard frame";
    for (bad, words) in [
        (two, more),
        ([whole.clone(), frame(b"", true)].concat(), more),
        ([whole.clone(), skipped.clone()].concat(), more),
        ([whole.clone(), b"\0".to_vec()].concat(), more),
        ([skipped, whole.clone()].concat(), "does not begin with a Zstandard frame"),
        (text, "does not begin with a Zstandard frame"),
        (Vec::new(), "does not begin with a Zstandard frame"),
        (whole[..5].to_vec(), "cut short"),
        (whole[..whole.len() - 1].to_vec(), "cannot read"),
        (lying, "cannot read"),
        (frame(&bomb, true), "more than 256 times"),
        (frame(&bomb, false), "more than 256 times"),
    ] {
        fs::write(&path, bad).unwrap();
        let found = read(folder.path()).unwrap_err().to_string();
        assert!(found.contains("rows-0000000-0000002.ron.zst") && found.contains(words), "{found}");
    }
}

/// A reader reads no more of a file than its rows can need.
#[test]
fn longer_lines_and_texts_than_rows_can_need_are_refused() {
    let folder = tempdir().unwrap();
    write(folder.path(), 3);
    let path = folder.path().join("rows-0000000-0000002.ron");
    let good = fs::read_to_string(&path).unwrap();
    let manifest = fs::read(folder.path().join(MANIFEST_NAME)).unwrap();
    // Few rows have 16 MiB for each line, and for all of them together.
    let with_spaces = |text: &str, many: usize| {
        let (before, after) = text.split_once("Finite(row: 1").unwrap();
        format!("{before}{}Finite(row: 1{after}", " ".repeat(many))
    };
    let with_end =
        |many: usize| format!("{}{}\n", good.replacen("End", "end", 1), " ".repeat(many));
    for (text, words) in [
        (" ".repeat((16 << 20) + 1), "lines are longer"),
        (with_spaces(&good, 16 << 20), "lines are longer"),
        (with_end((16 << 20) - good.len()), "lines are longer"),
        (with_end((16 << 20) - good.len() - 1), "line 5 is past its last row 2"),
        (with_spaces(&good, (16 << 20) - good.len()), "its hash is"),
        (good.replacen("End", "\n\n\nEnd", 1), "line 5 is past its last row 2"),
        ("\n".repeat(1 << 20), "line 5 is past its last row 2"),
    ] {
        fs::write(&path, &text).unwrap();
        let found = read(folder.path()).unwrap_err().to_string();
        let is_long = text.len() > 16 << 20;
        let of_file = if is_long { "and may have at most 16777216" } else { words };
        assert!(found.contains(of_file), "{of_file}: {found}");
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let files = [(MANIFEST_NAME.to_owned(), manifest.clone()), (name, text.into_bytes())];
        let found = read_texts(&Texts::from(files)).unwrap_err().to_string();
        assert!(found.contains(words), "{words}: {found}");
    }
    let sparse = fs::File::create(folder.path().join(MANIFEST_NAME)).unwrap();
    sparse.set_len(1 << 40).unwrap();
    let found = read(folder.path()).unwrap_err().to_string();
    assert!(found.contains("it has 1099511627776 bytes, and may have at most 16777216"), "{found}");
}

/// The hash of a segment stands in messages, and so does what is wrong with a line.
#[test]
fn messages_show_no_control_characters_and_are_short() {
    let folder = tempdir().unwrap();
    write(folder.path(), 3);
    let manifest = folder.path().join(MANIFEST_NAME);
    let segment = folder.path().join("rows-0000000-0000002.ron");
    let (listed, text) =
        (fs::read_to_string(&manifest).unwrap(), fs::read_to_string(&segment).unwrap());
    let hash = &text[text.rfind("blake3: \"").unwrap() + 9..][..64];
    let sequence = "\\u{1b}[2K\\rVerified\\n";
    for (path, whole, forged) in [
        (&manifest, &listed, listed.replace(hash, sequence)),
        (&manifest, &listed, listed.replace(hash, &"f".repeat(100_000))),
        (&manifest, &listed, listed.replace("rows: 3", "\u{1b}[2K\rVerified: 3")),
        (&manifest, &listed, listed.replace("rows: 3", &format!("{}: 3", "r".repeat(100_000)))),
        (&manifest, &listed, listed.replace("rows: 3", &format!("rows: {}", "9".repeat(100_000)))),
        (&segment, &text, text.replace(hash, sequence)),
        (&segment, &text, text.replace(hash, &"\u{202e}".repeat(4000))),
    ] {
        assert_ne!(forged, *whole);
        fs::write(path, &forged).unwrap();
        let found = read(folder.path()).unwrap_err().to_string();
        assert!(!found.contains(|letter: char| letter.is_control() || letter == '\u{202e}'));
        assert!(found.len() < 500 + folder.path().as_os_str().len(), "{found}");
        fs::write(path, whole).unwrap();
    }
    assert_eq!(read(folder.path()).unwrap().len(), 3);
}

#[cfg(unix)]
#[test]
fn only_regular_files_are_read() {
    use std::os::unix::fs::symlink;

    let folder = tempdir().unwrap();
    write(folder.path(), 3);
    for name in [MANIFEST_NAME, "rows-0000000-0000002.ron"] {
        let (path, aside) = (folder.path().join(name), folder.path().join("aside"));
        fs::rename(&path, &aside).unwrap();
        symlink("/dev/zero", &path).unwrap();
        let found = read(folder.path()).unwrap_err().to_string();
        assert!(found.contains(name) && found.contains("neither a regular file"), "{found}");
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        assert!(read(folder.path()).unwrap_err().to_string().contains("neither a regular file"));
        fs::remove_dir(&path).unwrap();
        symlink(&aside, &path).unwrap();
        assert_eq!(read(folder.path()).unwrap().len(), 3);
        fs::rename(&aside, &path).unwrap();
    }
}

/// Every prefix of a segment, every one of its bytes changed, and every line left out or doubled.
#[test]
fn a_damaged_segment_is_refused() {
    let folder = tempdir().unwrap();
    write(folder.path(), 3);
    let path = folder.path().join("rows-0000000-0000002.ron");
    let good = fs::read(&path).unwrap();
    let mut mutants: Vec<Vec<u8>> = (0..good.len()).map(|length| good[..length].to_vec()).collect();
    for place in 0..good.len() {
        for bit in 0..8 {
            let mut mutant = good.clone();
            mutant[place] ^= 1 << bit;
            mutants.push(mutant);
        }
    }
    let lines: Vec<&[u8]> = good.split_inclusive(|byte| *byte == b'\n').collect();
    for index in 0..lines.len() {
        let (before, after) = lines.split_at(index);
        mutants.push([before.concat(), after[1..].concat()].concat());
        mutants.push([before.concat(), after[0].to_vec(), after.concat()].concat());
    }
    for mutant in &mutants {
        fs::write(&path, mutant).unwrap();
        assert!(read(folder.path()).is_err(), "accepted: {}", String::from_utf8_lossy(mutant));
    }
    fs::write(&path, &good).unwrap();
    assert_eq!(read(folder.path()).unwrap().len(), 3);
}

#[test]
fn carriage_returns_are_refused_even_with_good_hashes() {
    let folder = tempdir().unwrap();
    write(folder.path(), 3);
    let path = folder.path().join("rows-0000000-0000002.ron");
    let text = fs::read_to_string(&path).unwrap();
    let (body, _) = text.split_at(text.rfind("End(").unwrap());
    let forged = body.replace('\n', "\r\n");
    let hash = |text: &str| blake3::hash(text.as_bytes()).to_string();
    fs::write(&path, format!("{forged}End(rows: 3, blake3: \"{}\")\n", hash(&forged))).unwrap();
    let manifest = folder.path().join(MANIFEST_NAME);
    let listed = fs::read_to_string(&manifest).unwrap().replace(&hash(body), &hash(&forged));
    fs::write(&manifest, listed).unwrap();
    assert!(read(folder.path()).unwrap_err().to_string().contains("carriage returns"));
}

#[cfg(unix)]
#[test]
fn two_writers_cannot_have_one_folder() {
    let folder = tempdir().unwrap();
    let first = Writer::new(folder.path(), Contents::Rows, HeadForm::Fingerprint).unwrap();
    let second = Writer::new(folder.path(), Contents::Rows, HeadForm::Fingerprint);
    assert!(matches!(second, Err(DataSetError::Refused { remedy: Remedy::Wait, .. })));
    drop(first);
    assert!(Writer::new(folder.path(), Contents::Rows, HeadForm::Fingerprint).is_ok());
}

#[test]
fn a_manifest_error_names_line_column_and_format() {
    let folder = tempdir().unwrap();
    write(folder.path(), 3);
    let path = folder.path().join(MANIFEST_NAME);
    let good = fs::read_to_string(&path).unwrap();
    // A segment of no rows behind the last one.
    let empty = format!("        (first: 3, last: 2, blake3: \"{}\"),\n    ],", "0".repeat(64));
    for (part, forged, words) in [
        ("    ],", empty.as_str(), "do not hold 3 rows"),
        ("rows: 3", "rows: 3x", "MANIFEST.ron, line 3, column 12: not understood: "),
        (
            "format: 1,",
            "format: 9,\n    shape: 1,",
            "has format 9; this program reads formats 1 to 3",
        ),
        ("rows: 3", "rows: 0", "do not hold 0 rows"),
    ] {
        fs::write(&path, good.replacen(part, forged, 1)).unwrap();
        let message = read(folder.path()).unwrap_err().to_string();
        assert!(message.contains(words), "{message}");
    }
}

#[test]
fn a_damaged_manifest_is_refused() {
    let folder = tempdir().unwrap();
    write(folder.path(), 3);
    let path = folder.path().join(MANIFEST_NAME);
    let good = fs::read_to_string(&path).unwrap();
    for (part, forged) in [
        ("format: 1", "format: 2"),
        ("rows: 3", "rows: 4"),
        ("rows: 3", "rows: 0"),
        ("rows: 3", "rows: 18446744073709551615"),
        ("last: 2", "last: 1"),
        ("first: 0", "first: 1"),
        ("Fingerprint", "Offsets"),
        ("format: 1,", "format: 1, note: 1,"),
        ("format: 1,", "format: 1, format: 1,"),
        ("blake3: \"", "blake3: \"0"),
        ("    ", "  "),
    ] {
        assert!(good.contains(part));
        fs::write(&path, good.replacen(part, forged, 1)).unwrap();
        assert!(read(folder.path()).is_err(), "accepted {forged}");
    }
    fs::remove_file(&path).unwrap();
    assert!(matches!(read(folder.path()), Err(DataSetError::Missing { .. })));
}

#[test]
fn the_error_of_a_changed_record_names_file_line_and_column() {
    let folder = tempdir().unwrap();
    write(folder.path(), 3);
    // A record that is no record, in a segment whose hashes are made good again.
    let path = folder.path().join("rows-0000000-0000002.ron");
    let text = fs::read_to_string(&path).unwrap();
    let body_end = text.rfind("End(").unwrap();
    let body = text[..body_end].replace("row: 1, first: 2", "row: 1, first: 0");
    let (old, new) = (
        blake3::hash(&text.as_bytes()[..body_end]).to_string(),
        blake3::hash(body.as_bytes()).to_string(),
    );
    fs::write(&path, format!("{body}End(rows: 3, blake3: \"{new}\")\n")).unwrap();
    let manifest = folder.path().join(MANIFEST_NAME);
    let listed = fs::read_to_string(&manifest).unwrap().replace(&old, &new);
    fs::write(&manifest, listed).unwrap();

    let message = read(folder.path()).unwrap_err().to_string();
    let words =
        "rows-0000000-0000002.ron, row 1, line 3, column 16: first is 0, but the first column";
    assert!(message.contains(words), "{message}");
}

/// Each segment is read once more before the manifest lists it.
#[test]
fn a_segment_that_was_changed_or_removed_gets_no_manifest() {
    let segment = "rows-0000000-0009999.ron";
    for (removed, words) in
        [(false, "was changed after it had been written"), (true, "cannot read back")]
    {
        let folder = tempdir().unwrap();
        write(folder.path(), 10);
        let mut writer = Writer::new(folder.path(), Contents::Rows, HeadForm::Fingerprint).unwrap();
        for row in 0..SEGMENT_ROWS + 5 {
            writer.push(record(row)).unwrap();
        }
        let path = folder.path().join(segment);
        if removed {
            fs::remove_file(path).unwrap();
        } else {
            let text = fs::read_to_string(&path).unwrap();
            fs::write(path, text.replacen("Finite", "finite", 1)).unwrap();
        }
        let error = writer.finish().unwrap_err().to_string();
        assert!(error.contains(words) && error.contains(segment), "{error}");
        assert_eq!(read(folder.path()).unwrap().len(), 10, "the data set from before is whole");
    }
}

/// A reader that has opened a data set must open it again when it was extended.
#[test]
fn a_data_set_that_was_extended_is_opened_again() {
    let folder = tempdir().unwrap();
    let opened = write(folder.path(), 10);
    write(folder.path(), 20);
    assert_eq!(files(folder.path()), ["MANIFEST.ron", "rows-0000000-0000019.ron"]);
    assert!(opened.segment(0, &|| false).unwrap_err().to_string().contains("cannot read"));
    let opened = DataSet::open(folder.path()).unwrap();
    assert_eq!(opened.row(&RowKey::of_row(0, 7)).unwrap(), Some(record(7)));
}

/// Asked before each line, so that a signal does not wait for the end of a long segment.
#[test]
fn reading_stops_within_a_segment() {
    let folder = tempdir().unwrap();
    let opened = write(folder.path(), 100);
    let asked = Cell::new(0);
    let stop = || asked.replace(asked.get() + 1) == 50;
    let rows: Vec<_> = opened.rows_until(stop).collect();
    assert!(matches!(rows[..], [Err(DataSetError::Stopped)]), "{rows:?}");
    assert_eq!(asked.get(), 51);
}
