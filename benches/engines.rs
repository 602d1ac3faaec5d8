//! Each engine by itself: `just bench-engines`.

use std::num::NonZero;

use benches::{kernels, literal, visit};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use sweep::band::{self, Options};
use sweep::{plain, pointer};

/// Cells `(q,r)` with `r < rows` before the rows settle, near enough: `(√2 - 1) rows² / 2`.
fn cells(rows: u64) -> Throughput {
    Throughput::Elements(rows * rows * 207 / 1000)
}

fn engines(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("rows");
    group.sample_size(10);
    let rows = 2000;
    group.throughput(cells(rows));
    group.bench_function(BenchmarkId::new("literal", rows), |bencher| {
        bencher.iter(|| literal(rows));
    });
    group.bench_function(BenchmarkId::new("plain", rows), |bencher| {
        bencher.iter(|| plain::rows(rows, &mut visit));
    });
    for rows in [2000, 10_000] {
        group.throughput(cells(rows));
        group.bench_function(BenchmarkId::new("pointer", rows), |bencher| {
            bencher.iter(|| pointer::rows(rows, &mut visit));
        });
    }
    for kernel in kernels() {
        for threads in [NonZero::<usize>::MIN, NonZero::<usize>::MIN.saturating_add(1)] {
            let options = Options { threads: Some(threads), kernel, ..Options::default() };
            for rows in [10_000, 30_000] {
                group.throughput(cells(rows));
                let name = format!("band, {kernel}, {threads} threads");
                group.bench_function(BenchmarkId::new(name, rows), |bencher| {
                    bencher.iter(|| band::rows(rows, options, &mut visit));
                });
            }
        }
    }
    group.finish();
}

criterion_group!(benches, engines);
criterion_main!(benches);
