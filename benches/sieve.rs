//! All P-positions with three, four and five rows; four rows of up to 60 squares also by marks.

use std::hint::black_box;
use std::num::NonZero;
use std::ops::ControlFlow;

use boards::lengths::Lengths;
use boards::sieve::Sieve;
use criterion::{Criterion, criterion_group, criterion_main};

fn count(rows: u16, to: u16) -> u64 {
    let mut sieve = Sieve::new(rows, to).expect("a small sieve");
    let mut count = 0;
    let go_on = |_| ControlFlow::Continue(());
    let mut next = || sieve.next_block(NonZero::<usize>::MIN, &go_on, &mut |_, _| ());
    while let Some(block) = next().expect("not stopped") {
        count += block.iter().map(|layer| layer.count).sum::<u64>();
    }
    count
}

fn sieve(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("sieve");
    group.sample_size(10);
    for (rows, to) in [(3, 1000), (4, 60), (4, 500), (5, 100)] {
        group.bench_function(format!("{rows} rows to {to}"), |bencher| {
            bencher.iter(|| count(black_box(rows), to));
        });
    }
    group.bench_function("4 rows to 60/marks", |bencher| {
        bencher.iter(|| Lengths::of(black_box(4), 60, &|_| ControlFlow::Continue(())));
    });
    group.finish();
}

criterion_group!(benches, sieve);
criterion_main!(benches);
