//! All engines agree on every row, with all options.

use crate::common;
use record::listeners::{Cells, Done, Visitor};

use byrnes::Rows;
use common::{kernels, options};
use proptest::prelude::*;
use record::{HeadForm, Record, Statement, fingerprint, parse_line};
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::LazyLock;
use sweep::{
    band::{self, Kernel, Options, Windows},
    error::SweepError,
    hypothesis::Hypothesis,
    plain, pointer, windows,
};

/// A visitor that keeps everything.
#[derive(Default)]
struct Everything {
    rows: Vec<Record>,
    offsets: Vec<Vec<u64>>,
}

impl Visitor for Everything {
    fn row(&mut self, row: Record, offsets: Option<&[u64]>) -> ControlFlow<()> {
        self.rows.push(row);
        self.offsets.extend(offsets.map(<[u64]>::to_vec));
        ControlFlow::Continue(())
    }
}

fn pointer_rows(end: u64) -> Vec<Record> {
    let mut found = Everything::default();
    pointer::rows(end, &mut found).unwrap();
    found.rows
}

fn band_rows(end: u64, options: Options) -> (Vec<Record>, Done) {
    let mut found = Everything::default();
    let report = band::rows(end, options, &mut found).unwrap();
    (found.rows, report)
}

/// Compares row by row, to report the first difference.
fn assert_same(expected: &[Record], found: &[Record]) {
    for (expected, found) in expected.iter().zip(found) {
        assert_eq!(expected, found);
    }
    assert_eq!(expected.len(), found.len());
}

#[test]
fn plain_and_pointer_agree_in_every_offset() {
    let (mut by_plain, mut by_pointer) = (Everything::default(), Everything::default());
    let reports =
        (plain::rows(5000, &mut by_plain).unwrap(), pointer::rows(5000, &mut by_pointer).unwrap());
    assert_eq!(reports.0, reports.1);
    assert_same(&by_plain.rows, &by_pointer.rows);
    assert_eq!(by_plain.offsets, by_pointer.offsets);
}

#[test]
fn windows_and_pointer_agree_in_every_offset() {
    let (mut by_windows, mut by_pointer) = (Everything::default(), Everything::default());
    let reports = (
        windows::rows(5000, &mut by_windows).unwrap(),
        pointer::rows(5000, &mut by_pointer).unwrap(),
    );
    assert_eq!(reports.0, reports.1);
    assert_same(&by_pointer.rows, &by_windows.rows);
    assert_eq!(by_pointer.offsets, by_windows.offsets);
}

#[test]
fn rows_describe_their_offsets() {
    let mut found = Everything::default();
    plain::rows(2000, &mut found).unwrap();
    for (row, offsets) in found.rows.iter().zip(&found.offsets) {
        let (r, first, sum) =
            (row.row(), row.diagonal(), row.head().unwrap().fingerprint(row.row()));
        assert_eq!(first, r + offsets[0]);
        match row.statement() {
            Statement::Empty { .. } => unreachable!("it has a diagonal value"),
            Statement::Finite(row) => {
                assert_eq!(r + offsets.len() as u64, row.last + 1);
                assert_eq!(offsets.iter().position(|&offset| offset == 0), Some(offsets.len() - 1));
                assert_eq!(sum, fingerprint(r, offsets));
            }
            Statement::Periodic(row) => {
                let head = usize::try_from(row.start - r).unwrap();
                let (tail, values) = (&offsets[head..], &row.values);
                assert_eq!(sum, fingerprint(r, &offsets[..head]));
                assert!(tail.iter().zip(values.iter().cycle()).all(|(a, b)| a == b));
                assert!(head == 0 || offsets[head - 1] != values[values.len() - 1]);
                let certificate = &row.certificate;
                assert!(certificate.from >= row.start && certificate.recurs > certificate.from);
            }
        }
    }
}

#[test]
fn first_rows() {
    let rows = pointer_rows(121);
    let finite = |row: usize| {
        let Statement::Finite(row) = rows[row].statement() else { panic!("row {row} is periodic") };
        (row.first, row.last)
    };
    assert_eq!([finite(1), finite(3)], [(3, 2), (6, 5)]);
    let row_0 = "Periodic(row: 0, first: 1, start: 0, values: [1], certificate: (from: 0, \
        recurs: 1, modulus: \"1\", filled: 1, above: []), head: \"0000000000000000\")";
    assert_eq!(rows[0], parse_line(row_0, 1).unwrap());
    let row_120 = rows[120].periodic().unwrap();
    assert_eq!((row_120.first, row_120.start, &*row_120.values), (206, 170, &[72, 70][..]));
    let certificate = &row_120.certificate;
    assert_eq!((certificate.from, certificate.recurs, certificate.filled), (170, 172, 71));
    assert_eq!((certificate.modulus, &*certificate.above), (1, &[][..]));
}

#[test]
fn every_kernel_finds_the_rows_of_the_pointer_engine() {
    let expected = pointer_rows(6000);
    for kernel in kernels() {
        let (rows, report) = band_rows(6000, options(2, kernel));
        assert_same(&expected, &rows);
        // Of 116 000 tiles.
        assert_eq!((report.rows, report.fallbacks), (6000, 2));
    }
}

/// `chomp check --heads` verifies this data set. So a segment, and with it the manifest, is the
/// same with every kernel, byte for byte.
#[test]
fn every_kernel_writes_the_lines_of_the_verified_data_set() {
    let segment = "../../outputs/rows-10000/rows-0000000-0009999.ron";
    let segment = Path::new(env!("CARGO_MANIFEST_DIR")).join(segment);
    let text = fs::read_to_string(segment).unwrap();
    let expected: Vec<&str> = text.lines().filter(|line| line.contains("(row: ")).collect();
    assert_eq!(expected.len(), 10_000);
    for kernel in kernels() {
        let (rows, _) = band_rows(10_000, options(1, kernel));
        let lines: Vec<String> = rows.iter().map(Record::to_string).collect();
        let different = lines.iter().zip(&expected).find(|(line, expected)| line != expected);
        assert_eq!((lines.len(), different), (10_000, None), "{kernel}");
    }
}

#[test]
fn every_number_of_threads_finds_the_same_rows() {
    let (expected, _) = band_rows(20_000, options(1, Kernel::Auto));
    for threads in [2, 3, 8] {
        let (rows, _) = band_rows(20_000, options(threads, Kernel::Auto));
        assert_same(&expected, &rows);
    }
}

/// One worker that sends messages to itself, without a thread or a channel.
#[test]
fn the_thread_of_the_caller_finds_the_same_rows() {
    let expected = pointer_rows(6000);
    for end in [0, 1000, 1024, 1100, 6000] {
        let mut found = Everything::default();
        let options = options(3, Kernel::Auto);
        let alone = Options { threads: None, ..options };
        let report = band::rows(end, alone, &mut found).unwrap();
        assert_eq!(report, band_rows(end, options).1);
        assert_same(&expected[..usize::try_from(end).unwrap()], &found.rows);
    }
    let mut seen = 0;
    let caller = std::thread::current().id();
    let mut visit = |row: Record| {
        assert_eq!(std::thread::current().id(), caller);
        seen += 1;
        if row.row() == 3000 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let alone = Options { threads: None, ..Options::default() };
    let report = band::rows(6000, alone, &mut visit).unwrap();
    assert_eq!((seen, report.rows), (3001, 3001));
    let windows = Windows::new(40, 40, 0).unwrap();
    let options = Options { windows, ..alone };
    let mut found = Everything::default();
    let error = band::rows(6000, options, &mut found).unwrap_err();
    assert!(matches!(error, SweepError::Hypothesis { hypothesis: Hypothesis::WindowsFit, .. }));
}

#[test]
fn any_end_gives_a_prefix() {
    let expected = pointer_rows(1500);
    for end in [0, 1, 7, 1023, 1024, 1025, 1031, 1032, 1217, 1500] {
        let (rows, report) = band_rows(end, options(2, Kernel::Auto));
        assert_same(&expected[..usize::try_from(end).unwrap()], &rows);
        assert_eq!(report.rows, end);
    }
}

#[test]
fn a_visitor_may_stop_at_any_row() {
    for stop in [0, 500, 1023, 1024, 3000, 9000] {
        let mut seen = 0;
        let mut visit = |row: Record| {
            seen += 1;
            if row.row() == stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let report = band::rows(10_000, options(3, Kernel::Auto), &mut visit).unwrap();
        assert_eq!((seen, report.rows), (stop + 1, stop + 1));
    }
}

/// Windows that are too narrow, or in the wrong place, force the exact path.
#[test]
fn the_exact_path_finds_the_same_rows() {
    let expected = pointer_rows(4000);
    let narrow =
        [(11, 7, 5), (11, 7, 12), (6, 7, 0), (3, 7, 0), (11, 0, 0), (11, 12, 0), (4, 2, 9)];
    for (below_low, below_high, guard) in narrow {
        let windows = Windows::new(below_low, below_high, guard).unwrap();
        for kernel in kernels() {
            let (rows, report) = band_rows(4000, Options { windows, ..options(2, kernel) });
            assert_same(&expected, &rows);
            assert!(report.fallbacks > 10, "{windows:?} gave {} fallbacks", report.fallbacks);
        }
    }
}

/// The rows of the pointer engine below 7000, for the windows below. They include row 6512, where a
/// column that enters the corner needs numbers below the low windows, if these begin at the line.
static POINTER_ROWS: LazyLock<Vec<Record>> = LazyLock::new(|| pointer_rows(7000));

/// Compares that many rows with these windows, if they fit: at the last tile of a band, the low
/// ones must lie above the diagonal.
fn windows_find_the_rows(end: u64, (below_low, below_high, guard): (u64, u64, u32)) {
    let windows = Windows::new(below_low, below_high, guard).unwrap();
    let mut found = Everything::default();
    let options = Options { windows, ..options(2, Kernel::Auto) };
    let outcome = band::rows(end, options, &mut found);
    assert_same(&POINTER_ROWS[..found.rows.len()], &found.rows);
    let fit = below_low < 20;
    match outcome {
        Ok(_) => assert_eq!(found.rows.len() as u64, end),
        Err(SweepError::Hypothesis { hypothesis: Hypothesis::WindowsFit, .. }) if !fit => {}
        Err(error) => panic!("{windows:?}: {error}"),
    }
}

#[test]
fn windows_at_the_ends_of_their_range_find_the_same_rows() {
    windows_find_the_rows(7000, (0, 7, 0));
    for (below_low, below_high) in [(0, 0), (0, 25), (19, 0), (19, 40), (40, 0), (40, 40), (0, 40)]
    {
        for guard in [0, 24] {
            windows_find_the_rows(3000, (below_low, below_high, guard));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, ..ProptestConfig::default() })]

    #[test]
    fn windows_anywhere_find_the_same_rows(
        // Mostly where the exact path does not do nearly all tiles.
        below_low in 0..=40_u64,
        below_high in prop_oneof![2 => 3..=11_u64, 1 => 0..=40_u64],
        guard in prop_oneof![5 => 0..=6_u32, 1 => 0..=24_u32],
    ) {
        windows_find_the_rows(3000, (below_low, below_high, guard));
    }
}

/// With more rows, values in tiles would not fit 32 bits.
#[test]
fn too_many_rows_are_refused() {
    for end in [(1 << 29) + 1, 3_000_000_000, u64::MAX] {
        let mut found = Everything::default();
        let error = band::rows(end, Options::default(), &mut found).unwrap_err();
        assert_eq!(error, SweepError::End { end, most: 1 << 29 });
        assert!(found.rows.is_empty());
    }
}

/// The offsets that a worker has reported.
#[derive(Default)]
struct Heard(Vec<(u64, u64, u64)>);

impl Cells for Heard {
    fn cell(&mut self, q: u64, r: u64, p: u64) {
        self.0.push((r, q, p - q));
    }
}

fn band_offsets(end: u64, options: Options) -> Vec<Vec<u64>> {
    let mut rows = Everything::default();
    let (report, heard) = band::rows_and_cells(end, options, &mut rows, Heard::default).unwrap();
    assert_eq!(report.rows, end);
    offsets_of(end, heard)
}

fn offsets_of(end: u64, heard: Vec<Heard>) -> Vec<Vec<u64>> {
    let mut cells: Vec<_> = heard.into_iter().flat_map(|heard| heard.0).collect();
    cells.sort_unstable();
    let mut offsets = vec![Vec::new(); usize::try_from(end).unwrap()];
    for (r, q, offset) in cells {
        let row = &mut offsets[usize::try_from(r).unwrap()];
        assert_eq!(q, r + row.len() as u64, "row {r} reports each column once");
        row.push(offset);
    }
    offsets
}

#[test]
fn every_kernel_reports_every_offset() {
    let mut expected = Everything::default();
    pointer::rows(5001, &mut expected).unwrap();
    for kernel in kernels() {
        assert_eq!(band_offsets(5001, options(2, kernel)), expected.offsets);
    }
    expected.offsets.truncate(2003);
    let windows = Windows::new(6, 2, 9).unwrap();
    for threads in [1, 3] {
        let options = Options { windows, ..options(threads, Kernel::Auto) };
        assert_eq!(band_offsets(2003, options), expected.offsets);
    }
    let alone = Options { windows, threads: None, ..Options::default() };
    let mut rows = Everything::default();
    let (report, heard) = band::rows_and_cells(2003, alone, &mut rows, Heard::default).unwrap();
    assert_eq!((report.rows, rows.rows.len(), heard.len()), (2003, 2003, 1));
    assert_eq!(offsets_of(2003, heard), expected.offsets);
}

/// Gabriel Nivasch's lists on Brouwer's page, to row 10 000.
#[test]
fn periods_to_10000_are_nivaschs() {
    let expected = fixtures::numbers("nivasch-periods.tsv");
    assert_eq!(expected.len(), 204);

    let (rows, _) = band_rows(10_001, Options::default());
    let found: Vec<[u64; 2]> = rows
        .iter()
        .filter_map(|row| row.periodic().map(|row| [row.row, row.period()]))
        .filter(|[_, period]| *period > 1)
        .collect();
    assert_eq!(found, expected);
}

/// The recurrence of the papers, an engine that shares only the record with the others.
#[test]
fn the_literal_recurrence_agrees_in_every_offset() {
    let mut found = Everything::default();
    pointer::rows(401, &mut found).unwrap();
    for ((row, offsets), literal) in found.rows.iter().zip(&found.offsets).zip(Rows::new()) {
        let expected = literal.unwrap().record(HeadForm::Offsets).unwrap();
        assert_eq!(row.in_full(offsets).unwrap(), expected);
    }
}

#[test]
fn the_literal_recurrence_agrees_in_every_record() {
    let (rows, _) = band_rows(3001, Options::default());
    for (row, literal) in rows.into_iter().zip(Rows::new()) {
        let expected = literal.unwrap().record(HeadForm::Fingerprint).unwrap();
        assert_eq!(row, expected);
    }
}

#[test]
#[ignore = "a minute: every kernel to 30 000 (just test-long)"]
fn every_kernel_to_30_000() {
    let expected = pointer_rows(30_000);
    for kernel in kernels() {
        for threads in [1, 2] {
            assert_same(&expected, &band_rows(30_000, options(threads, kernel)).0);
        }
    }
}
