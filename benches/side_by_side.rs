//! The engines on the same rows in one run: processor seconds and ratios (`just bench`).
//!
//! One thread each, so that processor time is the time of the engine, even if the machine does
//! other work. Each engine is run three times (once past 30 000 rows), in turns with the others;
//! the least time counts.

use std::num::NonZero;
use std::time::Duration;

use benches::{kernels, literal, visit};
use cpu_time::ProcessTime;
use sweep::band::{self, Options};
use sweep::{plain, pointer, windows};

/// The literal recurrence is left out past this.
const LITERAL: u64 = 2000;

/// What `cargo bench` without arguments compares.
const ENDS: [u64; 3] = [2000, 10_000, 20_000];

/// Past this, one round is enough, and long enough.
const LONG: u64 = 30_000;

type Engine = (String, Box<dyn Fn(u64)>);

fn engines(end: u64) -> Vec<Engine> {
    let mut engines: Vec<Engine> = Vec::new();
    if end <= LITERAL {
        engines.push(("literal (byrnes)".to_owned(), Box::new(literal)));
    }
    engines.push(("plain".to_owned(), Box::new(|end| drop(plain::rows(end, &mut visit)))));
    engines.push(("pointer".to_owned(), Box::new(|end| drop(pointer::rows(end, &mut visit)))));
    engines.push(("windows".to_owned(), Box::new(|end| drop(windows::rows(end, &mut visit)))));
    for kernel in kernels().rev() {
        let options = Options { threads: NonZero::new(1), kernel, ..Options::default() };
        let run = move |end| drop(band::rows(end, options, &mut visit));
        engines.push((format!("band, {kernel}"), Box::new(run)));
    }
    engines
}

fn least_times(end: u64, engines: &[Engine]) -> Vec<Duration> {
    let mut least = vec![Duration::MAX; engines.len()];
    for _ in 0..if end > LONG { 1 } else { 3 } {
        for ((_, run), least) in engines.iter().zip(&mut least) {
            let began = ProcessTime::now();
            run(end);
            *least = (*least).min(began.elapsed());
        }
    }
    least
}

fn main() {
    let asked: Vec<u64> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    let ends = if asked.is_empty() { ENDS.to_vec() } else { asked };
    println!("| rows | engine | processor s | times the fastest |");
    println!("|---|---|---|---|");
    for end in ends {
        let engines = engines(end);
        let times = least_times(end, &engines);
        let fastest = times.iter().min().expect("there are engines");
        for ((name, _), time) in engines.iter().zip(&times) {
            let ratio = time.as_secs_f64() / fastest.as_secs_f64();
            println!("| {end} | {name} | {:.3} | {ratio:.1} |", time.as_secs_f64());
        }
    }
}
