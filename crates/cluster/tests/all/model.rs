//! The model against the schedule in virtual time, and both against what must be so.

use cluster::blocks::Run;
use cluster::{
    costs::{Cluster, Costs, Network, Sizes},
    layout::Layout,
    plan::{Limit, Model},
    simulation::simulate,
};

fn cluster(ranks: u64, threads: u64, gigabits: f64) -> Cluster {
    let network = Network::of_gigabits(gigabits, 20e-6);
    Cluster { ranks, threads, spare: true, memory: 1e12, network }
}

/// Far more than is ever sent.
const FAST: f64 = 1e6;

#[test]
fn the_model_takes_as_long_as_the_schedule() {
    let (costs, sizes) = (Costs::default(), Sizes::default());
    for (end, ranks, threads, gigabits) in [
        (100_000, 1, 1, FAST),
        (100_000, 1, 2, FAST),
        (100_000, 2, 1, FAST),
        (150_000, 1, 8, FAST),
        (200_000, 4, 2, 10.0),
        (200_000, 4, 8, 100.0),
        (300_000, 8, 4, 5.0),
    ] {
        let (run, cluster) = (Run::new(end), cluster(ranks, threads, gigabits));
        let model = Model::new(&run, costs, sizes);
        let layout = model.best_layout(&cluster);
        let predicted = model.predict(layout, &cluster);
        let simulated = simulate(&run, layout, &cluster, &costs, &sizes);
        let ratio = predicted.seconds / simulated.seconds;
        assert!((0.8..1.25).contains(&ratio), "{end} {ranks} {threads} {gigabits}: {ratio}");
        for (modelled, counted) in [
            (predicted.traffic.words, simulated.traffic.words),
            (predicted.traffic.groups, simulated.traffic.groups),
            (predicted.traffic.rows, simulated.traffic.rows),
        ] {
            assert!((modelled - counted).abs() <= 0.03 * counted, "{end} {ranks}: {modelled}");
        }
    }
}

/// One worker alone waits for nobody; and whoever there are, together they do the same work.
#[test]
fn work_is_shared() {
    let (costs, sizes) = (Costs::default(), Sizes::default());
    let run = Run::new(40_000);
    let of = |ranks, threads, run_of_blocks| {
        let layout = Layout { ranks, threads, run: run_of_blocks };
        simulate(&run, layout, &cluster(ranks, threads, FAST), &costs, &sizes)
    };
    let alone = of(1, 1, 1);
    assert!((alone.worked / alone.seconds - 1.0).abs() < 0.01, "{}", alone.worked / alone.seconds);
    for (ranks, threads, run_of_blocks) in [(1, 3, 3), (3, 1, 1), (2, 2, 2), (2, 2, 4), (2, 2, 1)] {
        let shared = of(ranks, threads, run_of_blocks);
        let learnt =
            f64::from(u32::try_from(ranks * threads - 1).expect("few")) * 40_000.0 * costs.learn;
        // A group that crosses is prepared by one worker, and taken by another.
        let prepared = 2.0 * shared.traffic.groups / sizes.group * costs.encode;
        let most = alone.worked + 1.1 * (learnt + prepared);
        assert!(shared.worked >= alone.worked && shared.worked < most);
        assert!(shared.seconds < alone.seconds);
        assert!(shared.finished.is_sorted(), "blocks finish in their order");
    }
}

/// A run of blocks that is longer than there are threads keeps the next rank waiting.
#[test]
fn runs_are_as_long_as_there_are_threads() {
    let (costs, sizes) = (Costs::default(), Sizes::default());
    let (run, cluster) = (Run::new(200_000), cluster(4, 4, 100.0));
    let seconds = |run_of_blocks| {
        let layout = Layout { ranks: 4, threads: 4, run: run_of_blocks };
        simulate(&run, layout, &cluster, &costs, &sizes).seconds
    };
    let model = Model::new(&run, costs, sizes);
    assert_eq!(model.best_layout(&cluster).run, 4);
    assert!(seconds(8) > 1.3 * seconds(4) && seconds(16) > 1.5 * seconds(4));
}

/// In all, R²/6 bits of words are posted; between two ranks half of them cross.
#[test]
fn words_are_a_sixth_of_the_square() {
    let (costs, sizes) = (Costs::default(), Sizes::default());
    let end = 1_000_000_u32;
    let run = Run::new(end.into());
    let posted: u64 = run.blocks().map(|m| run.words_of(m)).sum();
    let sixth = f64::from(end) * f64::from(end) / 6.0 / 8.0;
    let bytes = f64::from(u32::try_from(posted / 1000).expect("not so many")) * 64_000.0;
    assert!((0.97..1.0).contains(&(bytes / sixth)), "{}", bytes / sixth);
    let layout = Layout { ranks: 2, threads: 1, run: 1 };
    let predicted = Model::new(&run, costs, sizes).predict(layout, &cluster(2, 1, FAST));
    assert!((predicted.traffic.words / bytes - 0.5).abs() < 0.001);
    assert_eq!(predicted.limit(), Limit::Work);
}
