//! Each request to the file system fails in turn: a clear error, and a whole data set.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use record::column_weight;
use record::data_set::{
    Contents, DataSet, DataSetError, LARGE_TEXT, Requests, SEGMENT_ROWS, Writer,
};
use record::{Finite, Head, HeadForm, Record, Statement};
use tempfile::tempdir;

fn record(row: u64) -> Record {
    let head = HeadForm::Fingerprint.of(row, &[1, 0]);
    Record::of_row(Statement::Finite(Finite { row, first: row + 1, last: row + 1, head })).unwrap()
}

fn write(mut writer: Writer, rows: u64) -> Result<Option<DataSet>, DataSetError> {
    for row in 0..rows {
        writer.push(record(row))?;
    }
    writer.finish()
}

fn rows(folder: &Path) -> Result<usize, DataSetError> {
    let rows: Vec<Record> = DataSet::open(folder)?.rows().collect::<Result<_, _>>()?;
    Ok(rows.len())
}

/// The failure of one request.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    /// The request is refused.
    Refused(io::ErrorKind),
    /// A write takes half of the bytes and says that it took all.
    Torn,
}

/// Everything works but the request with this number.
#[derive(Debug)]
struct Faulty {
    fault: Fault,
    at: usize,
    requests: Arc<AtomicUsize>,
}

impl Faulty {
    fn is_due(&self) -> bool {
        self.requests.fetch_add(1, Ordering::SeqCst) == self.at
    }
}

impl Requests for Faulty {
    fn may(&self) -> io::Result<()> {
        match self.fault {
            Fault::Refused(kind) if self.is_due() => Err(kind.into()),
            _ => Ok(()),
        }
    }

    fn write(&self, file: &mut File, bytes: &[u8]) -> io::Result<()> {
        let is_torn = self.fault == Fault::Torn && self.is_due();
        file.write_all(if is_torn { &bytes[..bytes.len() / 2] } else { bytes })
    }
}

/// Extends rows 0 to 9 to rows 0 to 11, letting request after request fail; the number of failures.
fn failures(fault: Fault) -> usize {
    for at in 0.. {
        let folder = tempdir().unwrap();
        write(Writer::new(folder.path(), Contents::Rows, HeadForm::Fingerprint).unwrap(), 10)
            .unwrap();
        let requests = Arc::new(AtomicUsize::new(0));
        let faulty = Box::new(Faulty { fault, at, requests: Arc::clone(&requests) });
        let outcome =
            Writer::with_requests(folder.path(), Contents::Rows, HeadForm::Fingerprint, faulty)
                .and_then(|writer| write(writer, 12));
        if requests.load(Ordering::SeqCst) <= at {
            assert_eq!(rows(folder.path()).unwrap(), 12, "nothing failed");
            return at;
        }
        let words = outcome.unwrap_err().to_string();
        let named = words.contains(&folder.path().display().to_string());
        assert!(named && (words.contains("cannot ") || words.contains("read back")), "{words}");
        // The data set from before or, if the manifest had its name already, the new one.
        let held = rows(folder.path()).unwrap();
        assert!(held == 10 || held == 12, "{fault:?} at request {at}: {held}");
        write(Writer::new(folder.path(), Contents::Rows, HeadForm::Fingerprint).unwrap(), 12)
            .unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "no leftovers");
    }
    unreachable!()
}

#[test]
fn a_refused_request_leaves_a_whole_data_set() {
    for kind in [
        io::ErrorKind::StorageFull,
        io::ErrorKind::PermissionDenied,
        io::ErrorKind::ReadOnlyFilesystem,
        io::ErrorKind::Other,
    ] {
        // A folder and a trial file; then a segment and a manifest, each created, written, synced,
        // read back, renamed, its folder synced; and between them the segment is read once more.
        assert_eq!(failures(Fault::Refused(kind)), 2 + 2 * 6 + 1);
    }
}

#[test]
fn torn_writes_are_seen() {
    assert_eq!(failures(Fault::Torn), 2);
}

/// A folder that was made and not written to is removed; one that was there stays.
#[test]
fn folders_that_nothing_was_written_to_are_removed() {
    let there = tempdir().unwrap();
    let folder = there.path().join("new/rows");
    let faulty = |at| {
        let (fault, requests) = (Fault::Refused(io::ErrorKind::PermissionDenied), Arc::default());
        Box::new(Faulty { fault, at, requests })
    };
    let left = || fs::read_dir(there.path()).unwrap().count();
    for at in 0..2 {
        Writer::with_requests(&folder, Contents::Rows, HeadForm::Fingerprint, faulty(at))
            .unwrap_err();
        assert_eq!(left(), 0, "request {at}");
    }
    drop(Writer::new(&folder, Contents::Rows, HeadForm::Fingerprint).unwrap());
    assert_eq!(left(), 0);
    let writer = Writer::new(&folder, Contents::Rows, HeadForm::Fingerprint).unwrap();
    fs::write(folder.join("checkpoint-0001216"), "").unwrap();
    drop(writer);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    fs::create_dir(there.path().join("empty")).unwrap();
    drop(Writer::new(&there.path().join("empty"), Contents::Rows, HeadForm::Fingerprint).unwrap());
    assert!(there.path().join("empty").is_dir());
}

/// The name of a temporary file is not shown.
#[test]
fn messages_name_no_temporary_file() {
    let folder = tempdir().unwrap();
    let error = files::draft(&folder.path().join("nowhere")).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::NotFound);
    assert!(!error.to_string().contains(".writing-"), "{error}");
}

/// Rows with enough offsets that the segment is compressed.
#[test]
fn large_segments_are_compressed() {
    let folder = tempdir().unwrap();
    let mut writer = Writer::new(folder.path(), Contents::Rows, HeadForm::Offsets).unwrap();
    let columns = 2 * LARGE_TEXT as u64 / SEGMENT_ROWS / 4;
    let records: Vec<Record> = (0..SEGMENT_ROWS)
        .map(|row| {
            // Descending, so that no p comes twice, with some noise that does not compress to
            // nothing.
            let offset = |left: u64| 3 * left + (column_weight(row * columns + left) >> 20) % 2;
            let wide = row > 4 * columns;
            let mut offsets: Vec<u64> =
                if wide { (1..columns).rev().map(offset).collect() } else { Vec::new() };
            offsets.push(0);
            let last = row + offsets.len() as u64 - 1;
            let first = row + offsets[0];
            let head = Head::Offsets(offsets);
            Record::of_row(Statement::Finite(Finite { row, first, last, head })).unwrap()
        })
        .collect();
    for record in &records {
        writer.push(record.clone()).unwrap();
    }
    writer.push(record_with_offsets(SEGMENT_ROWS)).unwrap();
    let data_set = writer.finish().unwrap().unwrap();
    let flags: Vec<bool> = data_set.manifest().segments.iter().map(|entry| entry.zstd).collect();
    let path = folder.path().join("rows-0000000-0009999.ron.zst");
    assert_eq!(flags, [true, false]);
    let read: Vec<Record> = data_set.rows().collect::<Result<_, _>>().unwrap();
    assert!(read[..records.len()] == records);

    let good = fs::read(&path).unwrap();
    let text = zstd::decode_all(&good[..]).unwrap();
    let announced = zstd::zstd_safe::get_frame_content_size(&good).ok().flatten();
    assert_eq!(announced, Some(text.len() as u64));
    let bomb = zstd::bulk::compress(&vec![b' '; 64 << 20][..], 3).unwrap();
    assert!(bomb.len() < 1 << 16);
    for damaged in [&good[..good.len() / 2], &good[..good.len() - 1], &[], &bomb, b"Segment("] {
        fs::write(&path, damaged).unwrap();
        assert!(rows(folder.path()).is_err());
    }
    fs::write(&path, bomb).unwrap();
    let words = rows(folder.path()).unwrap_err().to_string();
    assert!(words.contains("256 times"), "{words}");
}

fn record_with_offsets(row: u64) -> Record {
    let head = HeadForm::Offsets.of(row, &[2, 0]);
    Record::of_row(Statement::Finite(Finite { row, first: row + 2, last: row + 1, head })).unwrap()
}
