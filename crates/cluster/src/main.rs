//! x
use cluster::{costs::*, layout::*, plan, simulation::simulate};
use sweep::band::plan::Run;
fn main() {
    let a: Vec<f64> = std::env::args().skip(1).map(|x| x.parse().unwrap()).collect();
    let (costs, sizes) = (Costs::default(), Sizes::default());
    let c = Cluster {
        ranks: a[1] as u64,
        threads: a[2] as u64,
        spare: a[5] > 0.0,
        memory: 1e11,
        network: Network::of_gigabits(a[3], 1e-5),
    };
    let run = Run::new(a[0] as u64);
    let lay = if a[4] > 0.0 {
        Layout { ranks: c.ranks, threads: c.threads, run: a[4] as u64 }
    } else {
        Layout::choose(&run, &c, &costs, &sizes)
    };
    let t = std::time::Instant::now();
    let p = plan::predict(&run, lay, &c, &costs, &sizes);
    println!(
        "{lay:?} plan {:.3}s alone {:.3} {:?} traffic {:?} wait {:.2e} mem {:.2e} ({:?})",
        p.seconds,
        p.alone,
        p.limits,
        p.traffic,
        p.waiting,
        p.memory(c.ranks),
        t.elapsed()
    );
    if a.len() > 6 {
        let t = std::time::Instant::now();
        let s = simulate(&run, lay, &c, &costs, &sizes);
        println!(
            "   sim {:.3}s busy {:.1}% {:?} ({:?})",
            s.seconds,
            100.0 * s.worked / s.seconds / c.workers() as f64,
            s.traffic,
            t.elapsed()
        );
    }
}
