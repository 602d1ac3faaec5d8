//! The model against the simulation, and both against exact counts.

use cluster::blocks::RunGeometry;
use cluster::{
    costs::{Cluster, Costs, GROUP_BYTES, Network},
    plan::{Limit, Model},
    simulation::simulate,
};

fn cluster(ranks: u64, threads: u64, gigabits: f64) -> Cluster {
    let network = Network::of_gigabits(gigabits, 20e-6);
    Cluster { ranks, threads, spare: true, memory: 1e12, disk: 1e9, network }
}

/// Far more bandwidth than any run needs.
const FAST: f64 = 1e6;

#[test]
fn the_model_agrees_with_the_simulation() {
    let costs = Costs::default();
    for (end, ranks, threads, gigabits) in [
        (100_000, 1, 1, FAST),
        (100_000, 1, 2, FAST),
        (100_000, 2, 1, FAST),
        (150_000, 1, 8, FAST),
        (200_000, 4, 2, 10.0),
        (200_000, 4, 8, 100.0),
        (300_000, 8, 4, 5.0),
    ] {
        let (run, cluster) = (RunGeometry::new(end), cluster(ranks, threads, gigabits));
        let predicted = Model::new(&run, costs).predict(&cluster);
        let simulated = simulate(&run, &cluster, &costs);
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

/// One worker alone never waits. Any number of workers do the same work together.
#[test]
fn work_is_shared() {
    let costs = Costs::default();
    let run = RunGeometry::new(40_000);
    let of = |ranks, threads| simulate(&run, &cluster(ranks, threads, FAST), &costs);
    let alone = of(1, 1);
    assert!((alone.worked / alone.seconds - 1.0).abs() < 0.01, "{}", alone.worked / alone.seconds);
    for (ranks, threads) in [(1, 3), (3, 1), (2, 2)] {
        let shared = of(ranks, threads);
        let learnt =
            f64::from(u32::try_from(ranks * threads - 1).expect("few")) * 40_000.0 * costs.learn;
        // One worker encodes a group that crosses, and another decodes it.
        let encoded = 2.0 * shared.traffic.groups / GROUP_BYTES * costs.encode;
        let most = alone.worked + 1.1 * (learnt + encoded);
        assert!(shared.worked >= alone.worked && shared.worked < most);
        assert!(shared.seconds < alone.seconds);
        assert!(shared.finished.is_sorted(), "blocks finish in their order");
    }
}

/// Runs store R²/6 bits of words; half of them cross between two ranks.
#[test]
fn words_are_a_sixth_of_the_square() {
    let end = 1_000_000_u32;
    let run = RunGeometry::new(end.into());
    let stored: u64 = run.blocks().map(|m| run.words_of(m)).sum();
    let sixth = f64::from(end) * f64::from(end) / 6.0 / 8.0;
    let bytes = f64::from(u32::try_from(stored / 1000).expect("few enough")) * 64_000.0;
    assert!((0.97..1.0).contains(&(bytes / sixth)), "{}", bytes / sixth);
    let predicted = Model::new(&run, Costs::default()).predict(&cluster(2, 1, FAST));
    assert!((predicted.traffic.words / bytes - 0.5).abs() < 0.001);
    assert_eq!(predicted.limit(), Limit::Work);
}

/// Without room in memory all words go to disk, and a slow disk is the bottleneck. With room, the
/// disk does not matter.
#[test]
fn a_slow_disk_delays_words_that_do_not_fit() {
    let end = 200_000_u32;
    let run = RunGeometry::new(end.into());
    let model = Model::new(&run, Costs::default());
    let roomy = model.predict(&Cluster { disk: 1e6, ..cluster(1, 1, FAST) });
    assert_eq!(roomy, model.predict(&cluster(1, 1, FAST)));
    let cramped = model.predict(&Cluster { memory: 1.0, disk: 1e6, ..cluster(1, 1, FAST) });
    assert_eq!(cramped.limit(), Limit::Disk);
    let stored: u64 = run.blocks().map(|m| run.words_of(m)).sum();
    let seconds = 64.0 * f64::from(u32::try_from(stored).expect("few enough")) / 1e6;
    let ratio = cramped.seconds / seconds;
    assert!((1.0..1.05).contains(&ratio), "{ratio}");
}
